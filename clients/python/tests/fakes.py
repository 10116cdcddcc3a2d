"""Stand-ins for frameworks, laid out as the real ones lay out their exceptions."""

from __future__ import annotations

from pathlib import Path

FILES = {
    # The public name is an attribute only: `tensorflow.errors` is no key of sys.modules.
    "tensorflow/__init__.py": "from tensorflow._api.v2 import errors\n",
    "tensorflow/_api/__init__.py": "",
    "tensorflow/_api/v2/__init__.py": "",
    "tensorflow/_api/v2/errors/__init__.py": (
        "from tensorflow.python.framework.errors_impl import (\n"
        "    AbortedError, InvalidArgumentError, OpError, UnavailableError)\n"
    ),
    "tensorflow/python/__init__.py": "",
    "tensorflow/python/framework/__init__.py": "",
    "tensorflow/python/framework/errors_impl.py": (
        "class OpError(Exception): pass\n"
        "class UnavailableError(OpError): pass\n"
        "class AbortedError(OpError): pass\n"
        "class InvalidArgumentError(OpError): pass\n"
    ),
    "grpc/__init__.py": (
        "import enum\n"
        "class StatusCode(enum.Enum):\n"
        "    UNAVAILABLE = (14, 'unavailable')\n"
        "    INTERNAL = (13, 'internal')\n"
        "class RpcError(Exception): pass\n"
    ),
    "grpc/_channel.py": (
        "import grpc\n"
        "class _InactiveRpcError(grpc.RpcError):\n"
        "    def __init__(self, code): self._code = code\n"
        "    def code(self): return self._code\n"
    ),
    "torch/__init__.py": "",
    # As PyErr_NewException makes them in C++, under other names than they are bound to.
    "torch/_C.py": (
        "def _new(name, base):\n"
        "    return type(name, (base,), {'__module__': 'torch.distributed'})\n"
        "_DistError = _new('DistError', RuntimeError)\n"
        "_DistBackendError = _new('DistBackendError', _DistError)\n"
        "_DistNetworkError = _new('DistNetworkError', _DistError)\n"
        "_DistStoreError = _new('DistStoreError', _DistError)\n"
    ),
    "torch/distributed/__init__.py": (
        "from torch._C import (_DistBackendError as DistBackendError, _DistError as DistError,\n"
        "    _DistNetworkError as DistNetworkError, _DistStoreError as DistStoreError)\n"
    ),
    # A package whose public names come on demand (PEP 562), and one that minds being asked.
    "lazy/__init__.py": (
        "def __getattr__(name):\n"
        "    if name != 'LostError': raise AttributeError(name)\n"
        "    from lazy._errors import LostError\n"
        "    return LostError\n"
    ),
    "lazy/_errors.py": "class LostError(Exception): pass\n",
    "touchy/__init__.py": "def __getattr__(name): raise SystemExit('touched')\n",
}


def write(folder: Path) -> None:
    """Writes the packages below `folder`."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
