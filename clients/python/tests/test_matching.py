"""Which exceptions are chosen, by real processes whose exit status is read."""

from __future__ import annotations

from typing import Any

import pytest

import exit_codes
from conftest import Run

TF = "import tensorflow; error = tensorflow.errors.{}()"
HTTP = "import urllib.error; error = urllib.error.HTTPError('', {}, '', {{}}, None)"
RPC = "import grpc._channel; error = grpc._channel._InactiveRpcError(grpc.StatusCode.{})"
ODD = """
class Odd(Exception):
    def __str__(self): raise OSError
    def code(self): raise OSError
error = Odd()
"""


def torch(name: str, message: str = "") -> str:
    return f"import torch.distributed; error = torch.distributed.{name}({message!r})"


def runtime(message: str) -> str:
    return f"error = RuntimeError({message!r})"


@pytest.mark.parametrize(
    ("error", "chosen"),
    [
        (TF.format("UnavailableError"), "'tensorflow.errors.UnavailableError'"),
        (TF.format("UnavailableError"), "'tensorflow.python.framework.errors_impl.UnavailableError'"),
        (TF.format("UnavailableError"), "'tensorflow.errors.OpError'"),
        (TF.format("UnavailableError"), "tensorflow.errors.OpError"),
        (TF.format("AbortedError"), "TENSORFLOW"),
        (TF.format("UnavailableError"), "GRPC, TORCH, TENSORFLOW"),
        (RPC.format("UNAVAILABLE"), "'grpc.RpcError:UNAVAILABLE'"),
        (RPC.format("UNAVAILABLE"), "('grpc.RpcError', 'UNAVAILABLE')"),
        (RPC.format("UNAVAILABLE"), "(grpc.RpcError, 'UNAVAILABLE')"),
        (RPC.format("UNAVAILABLE"), "GRPC"),
        (RPC.format("INTERNAL"), "'grpc.RpcError'"),
        (RPC.format("INTERNAL"), "Matching('grpc.RpcError', status='INTERNAL')"),
        (HTTP.format(503), "('urllib.error.HTTPError', 503)"),
        (torch("DistBackendError", "remote process exited, ncclRemoteError"), "TORCH"),
        (torch("DistNetworkError"), "TORCH"),
        (torch("DistStoreError"), "TORCH"),
        (torch("DistStoreError"), "'torch.distributed.DistError'"),
        (torch("DistStoreError"), "'torch._C._DistStoreError'"),
        (runtime("[unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation"), "TORCH"),
        (runtime("[pair.cc:598] Connection closed by peer [10.0.0.7]:41236"), "TORCH"),
        (runtime("Socket Timeout"), "TORCH"),
        ("error = TimeoutError()", "TimeoutError"),
        ("error = TimeoutError()", "'TimeoutError'"),
        ("error = TimeoutError()", "'OSError'"),
        ("error = TimeoutError()", "('ValueError', ('KeyError', TimeoutError))"),
        ("error = ConnectionResetError()", "(OSError, ValueError)"),
        ("import socket; error = socket.gaierror()", "'socket.error'"),
        ("error = KeyError('gradient')", "Matching(KeyError, message='grad')"),
        ("class Lost(Exception): pass\nerror = Lost()", "'__main__.Lost'"),
        ("class Outer:\n  class Lost(Exception): pass\nerror = Outer.Lost()", "'__main__.Outer.Lost'"),
        ("import lazy._errors; error = lazy._errors.LostError()", "'lazy.LostError'"),
    ],
)  # fmt: skip
def test_a_chosen_exception_ends_with_the_code_for_retries(run: Run, error: str, chosen: str) -> None:
    ended = run(f"from exit_codes import *\n{error}\nwith retryable_exit({chosen}):\n    raise error\n")
    assert ended.returncode == 138, ended.stderr
    assert ended.stderr.startswith("Traceback (most recent call last):\n")
    assert ended.stderr.endswith(" is retryable here: ending with 138\n")


@pytest.mark.parametrize(
    ("error", "chosen"),
    [
        (TF.format("InvalidArgumentError"), "TENSORFLOW, GRPC, TORCH"),
        (RPC.format("INTERNAL"), "GRPC"),
        ("import grpc; error = grpc.RpcError()", "GRPC"),
        (torch("DistBackendError", "Duplicate GPU\nncclInvalidUsage: invalid usage"), "TORCH"),
        (torch("DistError"), "TORCH"),
        (runtime("CUDA error: device-side assert triggered"), "TORCH"),
        ("error = ValueError('Timed out waiting 5ms for recv operation')", "TORCH"),
        (HTTP.format(404), "('urllib.error.HTTPError', 503)"),
        ("error = KeyError('weights')", "Matching(KeyError, message='grad')"),
        ("class UnavailableError(Exception): pass\nerror = UnavailableError()", "TENSORFLOW"),
        ("class TimeoutError(Exception): pass\nerror = TimeoutError()", "'TimeoutError'"),
        ("import touchy; error = ValueError()", "'touchy.LostError'"),
        ("error = ValueError()", "'no.such.module.Error', 'nothing'"),
        (ODD, "Matching('Exception', status='UNAVAILABLE'), Matching('Exception', message='x')"),
    ],
)  # fmt: skip
def test_any_other_exception_passes_through_unharmed(run: Run, error: str, chosen: str) -> None:
    bare = run(f"{error}\nif True:\n    raise error\n")
    ended = run(f"from exit_codes import *\n{error}\nwith retryable_exit({chosen}):\n    raise error\n")
    assert ended.returncode == bare.returncode == 1
    lines = ended.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-1] == bare.stderr.splitlines()[-1]
    assert "exit_codes:" not in ended.stderr


def test_nothing_is_imported_to_find_out(run: Run) -> None:
    ended = run(
        """
        import sys
        import exit_codes
        before = set(sys.modules)
        try:
            with exit_codes.retryable_exit(exit_codes.TENSORFLOW, exit_codes.TORCH, "grpc.RpcError:UNKNOWN"):
                raise ValueError("mine")
        except ValueError as error:
            print(error, sorted(set(sys.modules) - before))
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "mine []\n", "")


@pytest.mark.parametrize(
    ("choices", "options", "kind", "message"),
    [
        ((), {}, ValueError, "no exception is named: write, for example, \"grpc.RpcError:UNAVAILABLE\""),
        (("",), {}, ValueError, "'' is no name of an exception: write it as grpc.RpcError"),
        (("a b",), {}, ValueError, "'a b' is no name of an exception: write it as grpc.RpcError"),
        ((int,), {}, TypeError, "<class 'int'> is no exception: give a class, a name or a Matching"),
        ((OSError(),), {}, TypeError, "OSError() is no exception: give a class, a name or a Matching"),
        ((OSError,), {"code": 0}, ValueError, "0 is not an exit code from 1 to 255"),
        ((OSError,), {"code": 256}, ValueError, "256 is not an exit code from 1 to 255"),
        ((OSError,), {"code": "138"}, ValueError, "'138' is not an exit code from 1 to 255"),
        ((OSError,), {"wait": -1}, ValueError, "wait is -1: write 0 or more seconds, or None"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_call_is_told_at_once(
    choices: Any, options: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as raised:
        exit_codes.retryable_exit(*choices, **options)
    assert str(raised.value) == message


def test_a_decorator_without_exceptions_is_told_at_once() -> None:
    def train() -> None: ...

    with pytest.raises(TypeError, match=r"is no exception: give a class, a name or a Matching"):
        exit_codes.retryable_exit(train)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^3 is no function: this decorates functions$"):
        exit_codes.retryable_exit(OSError)(3)  # type: ignore[type-var]
