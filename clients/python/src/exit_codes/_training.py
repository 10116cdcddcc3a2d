"""Exceptions of training code, turned into exit codes."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import re
import sys
import threading
import types
from collections.abc import AsyncIterator, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Callable, TypeVar, Union, cast

from ._table import MAX_CODE, MIN_CODE, PERMANENT, RETRYABLE, is_int

RETRY_CODE = 138
"""128 + SIGUSR1: the code that the default table keeps for programs which ask for a retry."""


@dataclass(frozen=True)
class Matching:
    """Which exceptions are meant: those of a class, by itself or by name, and of its subclasses.

    A name is the dotted one of the class ("tensorflow.python.framework.errors_impl.UnavailableError")
    or any by which it can be reached ("tensorflow.errors.UnavailableError"); built-in ones have no
    dots. Nothing is imported to find it: an exception that was raised has its module loaded.
    """

    exception: type[BaseException] | str
    status: str | int | None = None
    """If given, the exception's status must be this: what its `code()`, `code` or
    `grpc_status_code` gives, by name ("UNAVAILABLE") or number (503)."""
    message: str | None = None
    """If given, a regular expression that must be found in the exception's text."""

    def __post_init__(self) -> None:
        if isinstance(self.exception, str):
            if not all(part.isidentifier() for part in self.exception.split(".")):
                raise ValueError(f"{self.exception!r} is no name of an exception: write it as grpc.RpcError")
        elif not (isinstance(self.exception, type) and issubclass(self.exception, BaseException)):
            raise TypeError(f"{self.exception!r} is no exception: give a class, a name or a Matching")
        if self.message is not None:
            re.compile(self.message)

    def matches(self, error: BaseException) -> bool:
        """Whether `error` itself is meant; what it was raised from does not count."""
        return (
            self._has_class(type(error).__mro__)
            and (self.status is None or str(self.status) in _statuses(error))
            and (self.message is None or re.search(self.message, _text_of(error)) is not None)
        )

    # By the class hierarchy, as `except` does it; isinstance could be overruled by a metaclass.
    def _has_class(self, classes: tuple[type, ...]) -> bool:
        meant: object = self.exception
        if isinstance(meant, str):
            if meant in map(_name_of, classes):
                return True
            package = meant.partition(".")[0]
            lazy = any(_name_of(one).partition(".")[0] == package for one in classes)
            meant = _find(meant, lazy)
        return any(one is meant for one in classes)


_F = TypeVar("_F", bound=Callable[..., Any])
_Choice = Union[type[BaseException], str, Matching, "tuple[Any, ...]"]

TENSORFLOW = (
    Matching("tensorflow.errors.UnavailableError"),
    Matching("tensorflow.errors.AbortedError"),
    Matching("tensorflow.python.framework.errors_impl.UnavailableError"),
    Matching("tensorflow.python.framework.errors_impl.AbortedError"),
)
"""A parameter server or worker went away: the two that TensorFlow's MonitoredSession recovers from."""

GRPC = (Matching("grpc.RpcError", "UNAVAILABLE"),)
"""The peer cannot be reached; grpc.aio's errors too."""

TORCH = (
    # The NCCL errors that are left out are mistakes in the call, which would happen again.
    Matching("torch.distributed.DistBackendError", message=r"(?s)\A(?!.*ncclInvalid(Usage|Argument))"),
    Matching("torch.distributed.DistNetworkError"),
    Matching("torch.distributed.DistStoreError"),
    Matching(
        "RuntimeError",
        message=r"Timed out waiting \d+ms for (recv|send) operation|Socket Timeout|[Ww]ait timeout"
        r"|Watchdog caught collective operation timeout|Connection (closed|reset) by peer",
    ),
)
"""A collective operation or a rendezvous that timed out or lost a peer."""


class _Exit:
    """What `retryable_exit` and `permanent_exit` give. Holds no state, so that one may be entered
    several times, nested, and by several threads."""

    def __init__(
        self, choices: tuple[_Choice, ...], verdict: str, code: int, causes: bool, wait: float | None
    ) -> None:
        self._chosen = tuple(_matchings(choices))
        if not self._chosen:
            raise ValueError('no exception is named: write, for example, "grpc.RpcError:UNAVAILABLE"')
        if not is_int(code, MIN_CODE, MAX_CODE):
            raise ValueError(f"{code!r} is not an exit code from 1 to 255")
        if wait is not None and not wait >= 0:
            raise ValueError(f"wait is {wait!r}: write 0 or more seconds, or None")
        self._verdict = verdict
        self._code = code
        self._causes = causes
        self._wait = wait

    def __enter__(self) -> _Exit:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: types.TracebackType | None,
    ) -> None:
        # Neither is a failure: somebody ends the program, or closes a generator.
        if error is None or isinstance(error, (SystemExit, GeneratorExit)) or not self._is_chosen(error):
            return
        _report(
            error, traceback, f"{_name_of(type(error))} is {self._verdict} here: ending with {self._code}"
        )
        self._bound_the_end()
        # Not os._exit: `finally` clauses and atexit handlers still have to run.
        raise SystemExit(self._code) from error

    async def __aenter__(self) -> _Exit:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: types.TracebackType | None,
    ) -> None:
        self.__exit__(kind, error, traceback)

    def __call__(self, function: _F) -> _F:
        if not callable(function):
            raise TypeError(f"{function!r} is no function: this decorates functions")
        return cast(_F, _decorated(self, function))

    def _is_chosen(self, error: BaseException | None, path: frozenset[int] = frozenset()) -> bool:
        # Causes may run in a circle.
        while error is not None and id(error) not in path:
            if any(one.matches(error) for one in self._chosen) or self._is_chosen_group(error, path):
                return True
            path |= {id(error)}
            error = error.__cause__ if self._causes else None
        return False

    def _is_chosen_group(self, error: BaseException, path: frozenset[int]) -> bool:
        if not any(one.__name__ == "BaseExceptionGroup" for one in type(error).__mro__):
            return False
        members = [self._is_chosen(one, path) for one in getattr(error, "exceptions", ())]
        # One permanent failure among them would come again.
        return any(members) if self._verdict == PERMANENT else bool(members) and all(members)

    def _bound_the_end(self) -> None:
        if self._wait is None:
            return
        if self._wait == 0:
            os._exit(self._code)
        timer = threading.Timer(self._wait, os._exit, (self._code,))
        timer.daemon = True
        try:
            timer.start()
        except RuntimeError:  # no more threads to be had
            os._exit(self._code)


def retryable_exit(
    *exceptions: _Choice, code: int = RETRY_CODE, causes: bool = False, wait: float | None = None
) -> _Exit:
    """A context manager and decorator: if one of `exceptions` leaves the block or the function, its
    traceback is printed as always and the process ends with `code`, by SystemExit, so that the
    replica is started again. Everything else passes through unharmed.

    An exception is given by class, by name ("grpc.RpcError"), by name and status
    ("grpc.RpcError:UNAVAILABLE" or ("grpc.RpcError", "UNAVAILABLE")), as a Matching, or as a tuple of
    these, such as the presets TENSORFLOW, GRPC and TORCH. An exception group counts if all that it
    holds does. With `causes`, an exception that was raised `from` a chosen one counts too.

    Threads that are no daemons hold up the end of a process, and so may libraries that clean up:
    after `wait` seconds it is ended by os._exit, atexit handlers run or not; 0 means at once.

    In another thread than the main one SystemExit ends that thread only, as any exception does:
    let the main thread wait for its result within the block (concurrent.futures hands exceptions
    over), or use `wait`, which ends the process.
    """
    return _Exit(exceptions, RETRYABLE, code, causes, wait)


def permanent_exit(
    *exceptions: _Choice, code: int = 1, causes: bool = False, wait: float | None = None
) -> _Exit:
    """Like `retryable_exit`, for failures that would come again: put it within one that chooses more
    than it should. An exception group counts if anything that it holds does."""
    return _Exit(exceptions, PERMANENT, code, causes, wait)


def _matchings(choices: tuple[_Choice, ...]) -> Iterator[Matching]:
    for choice in choices:
        if isinstance(choice, Matching):
            yield choice
        elif isinstance(choice, str):
            name, colon, status = choice.partition(":")
            yield Matching(name, status if colon else None)
        elif not isinstance(choice, tuple):
            yield Matching(choice)
        elif len(choice) == 2 and _is_status(choice[1]):
            yield Matching(*choice)
        else:
            yield from _matchings(choice)


def _is_status(value: object) -> bool:
    return type(value) is int or (isinstance(value, str) and re.fullmatch(r"[A-Z0-9_]+", value) is not None)


def _name_of(kind: type) -> str:
    """The dotted name of a class; that of a built-in one has no dots."""
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _find(name: str, lazy: bool) -> object:
    """What `name` stands for in the modules that are loaded. Attributes that a module would make on
    demand, perhaps by importing, are asked for only if `lazy`: its package is in use anyway."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        found: Any = sys.modules.get(".".join(parts[:length]))
        for part in parts[length:]:
            try:
                found = vars(found)[part]
            except (KeyError, TypeError):
                found = _attribute(found, part) if lazy else None
        if found is not None:
            return found
    return None


def _attribute(owner: object, name: str) -> object:
    with contextlib.suppress(Exception):
        return cast(object, getattr(owner, name, None))
    return None


def _statuses(error: BaseException) -> Iterator[str]:
    for name in ("code", "grpc_status_code"):
        status = _attribute(error, name)
        with contextlib.suppress(Exception):
            status = status() if callable(status) else status
            yield str(getattr(status, "name", status))


def _text_of(error: BaseException) -> str:
    with contextlib.suppress(Exception):
        return str(error)
    return ""


def _report(error: BaseException, traceback: types.TracebackType | None, verdict: str) -> None:
    """Prints the traceback as an uncaught exception would, and flushes. Whatever goes wrong with
    that, the exit code shall be the one chosen."""
    with contextlib.suppress(Exception):
        # The hook prints the traceback that the exception has, not the one that it is given.
        error.__traceback__ = _whole(traceback)
        sys.excepthook(type(error), error, error.__traceback__)
        sys.stderr.write(f"exit_codes: {verdict}\n")
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            # Nobody reads it any more; the interpreter would try again and end with 120.
            with contextlib.suppress(Exception):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _whole(traceback: types.TracebackType | None) -> types.TracebackType | None:
    """The traceback from the bottom of the stack on, without the frames of this module."""
    this_file = _whole.__code__.co_filename
    # Only the frame that has the `with` still runs and knows its callers.
    frame = traceback.tb_frame.f_back if traceback is not None else None
    while traceback is not None and traceback.tb_frame.f_code.co_filename == this_file and traceback.tb_next:
        traceback = traceback.tb_next
    while frame is not None:
        if frame.f_code.co_filename != this_file:
            traceback = types.TracebackType(traceback, frame, frame.f_lasti, frame.f_lineno or 0)
        frame = frame.f_back
    return traceback


def _decorated(end: _Exit, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` with its body, not only its call, within `end`."""
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            with end:
                return await function(*args, **kwargs)

        return coroutine
    if inspect.isasyncgenfunction(function):

        @functools.wraps(function)
        async def async_generator(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            inner = function(*args, **kwargs)
            with end, contextlib.suppress(StopAsyncIteration):
                value = await inner.__anext__()
                while True:
                    try:
                        sent = yield value
                    except GeneratorExit:
                        await inner.aclose()
                        raise
                    except BaseException as error:  # thrown in by the caller
                        value = await inner.athrow(error)
                    else:
                        value = await inner.asend(sent)

        return async_generator
    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            with end:
                return (yield from function(*args, **kwargs))

        return generator

    @functools.wraps(function)
    def plain(*args: Any, **kwargs: Any) -> Any:
        with end:
            return function(*args, **kwargs)

    return plain
