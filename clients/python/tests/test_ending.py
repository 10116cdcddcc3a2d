"""How the process ends, by real ones whose exit status is read."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

import exit_codes
from conftest import Run


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("pass", 0),
        ("sys.exit(7)", 7),
        ("sys.exit()", 0),
        ("sys.exit('no data')", 1),
        ("raise SystemExit(143)", 143),
        ("os._exit(9)", 9),
        ("raise KeyboardInterrupt", -2),
        ("os.kill(os.getpid(), 15)", -15),
        ("os.abort()", -6),
    ],
)
def test_other_ends_stay_as_they_are(run: Run, statement: str, status: int) -> None:
    program = "import os, sys, exit_codes\nwith exit_codes.retryable_exit({}):\n    {}\n"
    assert run(program.format("'Exception', GeneratorExit, SystemExit", statement)).returncode == status


def test_the_traceback_is_that_of_an_uncaught_exception(run: Run) -> None:
    program = """
        import exit_codes

        {decorator}
        def step(number):
            {block}
                raise TimeoutError(f"step {{number}}")

        def train():
            step(3)

        train()
        """
    bare = run(program.format(decorator="# nothing", block="if True:"))
    decorated = run(program.format(decorator="@exit_codes.retryable_exit(OSError)", block="if True:"))
    block = run(program.format(decorator="# nothing", block="with exit_codes.retryable_exit(OSError):"))
    verdict = "exit_codes: TimeoutError is retryable here: ending with 138\n"
    assert "in train" in bare.stderr
    assert decorated.stderr == bare.stderr + verdict
    # Python 3.9 names the `with` in another line than later ones.
    assert [line for line in block.stderr.splitlines() if "File" in line] == [
        line for line in bare.stderr.splitlines() if "File" in line
    ]
    assert block.stderr.endswith(verdict)
    assert (bare.returncode, decorated.returncode, block.returncode) == (1, 138, 138)


def test_a_cause_is_printed_too(run: Run) -> None:
    ended = run(
        """
        import exit_codes
        with exit_codes.retryable_exit(OSError):
            try:
                {}["queue"]
            except KeyError as error:
                raise OSError("lost") from error
        """
    )
    assert ended.returncode == 138
    assert "KeyError: 'queue'" in ended.stderr
    assert "The above exception was the direct cause" in ended.stderr


def test_the_hook_for_uncaught_exceptions_is_called(run: Run) -> None:
    program = """
        import sys, exit_codes
        def hook(kind, error, traceback):
            {}
        sys.excepthook = hook
        with exit_codes.retryable_exit(OSError):
            raise OSError("lost")
        """
    ended = run(program.format("print('reported', error)"))
    assert (ended.returncode, ended.stdout) == (138, "reported lost\n")
    assert run(program.format("raise ValueError('broken')")).returncode == 138


def test_finally_clauses_and_atexit_handlers_run_and_output_is_kept(run: Run) -> None:
    ended = run(
        """
        import atexit, sys, exit_codes
        atexit.register(print, "atexit")
        try:
            with exit_codes.retryable_exit(OSError):
                print("before")
                raise OSError
        finally:
            print("finally")
        """
    )
    assert (ended.returncode, ended.stdout) == (138, "before\nfinally\natexit\n")


def test_output_that_nobody_reads_does_not_change_the_code(run: Run) -> None:
    program = """
        import exit_codes
        print("x" * 100)
        {}
            raise OSError
        """
    for block, status in (("if True:", 120), ("with exit_codes.retryable_exit(OSError):", 138)):
        reader, writer = os.pipe()
        os.close(reader)
        ended = run(program.format(block), capture_output=False, stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        assert ended.returncode == status  # 120 is Python's own answer to that


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_missing_stream_does_not_change_the_code(run: Run, stream: str) -> None:
    program = (
        f"import sys, exit_codes\nsys.{stream} = None\nwith exit_codes.retryable_exit(OSError): raise OSError"
    )
    ended = run(program)
    assert (ended.returncode, ended.stdout) == (138, "")


def test_the_code_can_be_chosen(run: Run) -> None:
    assert (
        run("import exit_codes\nwith exit_codes.retryable_exit(OSError, code=42): raise OSError").returncode
        == 42
    )


def test_a_permanent_failure_within_ends_with_its_own_code(run: Run) -> None:
    program = """
        import tensorflow, exit_codes
        with exit_codes.retryable_exit("tensorflow.errors.OpError"):
            with exit_codes.permanent_exit("tensorflow.errors.InvalidArgumentError", code={}):
                raise tensorflow.errors.{}("shape")
        """
    permanent = run(program.format(3, "InvalidArgumentError"))
    assert permanent.returncode == 3
    assert permanent.stderr.count("Traceback") == 1
    assert permanent.stderr.endswith("InvalidArgumentError is permanent here: ending with 3\n")
    assert run(program.format(3, "AbortedError")).returncode == 138


def test_one_may_be_entered_again_and_within_itself(run: Run) -> None:
    ended = run(
        """
        import exit_codes
        lost = exit_codes.retryable_exit(OSError)
        with lost:
            pass
        @lost
        def train():
            with lost, lost:
                raise OSError("once")
        train()
        """
    )
    assert ended.returncode == 138
    assert ended.stderr.count("OSError: once") == 1


@pytest.mark.parametrize(
    ("statement", "options", "status"),
    [
        ("raise RuntimeError('wrapped') from OSError()", "", 1),
        ("raise RuntimeError('wrapped') from OSError()", "causes=True", 138),
        ("raise RuntimeError('wrapped') from ValueError()", "causes=True", 1),
        ("raise KeyError from (e := RuntimeError())", "causes=True", 1),
    ],
)
def test_causes_count_if_asked_for(run: Run, statement: str, options: str, status: int) -> None:
    program = f"import exit_codes\nwith exit_codes.retryable_exit(OSError, {options}):\n    {statement}\n"
    assert run(program).returncode == status


def test_an_exception_that_was_merely_being_handled_is_no_cause(run: Run) -> None:
    ended = run(
        """
        import exit_codes
        with exit_codes.retryable_exit(OSError, causes=True):
            try:
                raise OSError
            except OSError:
                {}["bug"]
        """
    )
    assert ended.returncode == 1


def test_causes_in_a_circle_come_to_an_end(run: Run) -> None:
    ended = run(
        """
        import exit_codes
        one, other = ValueError("one"), KeyError("other")
        one.__cause__, other.__cause__ = other, one
        with exit_codes.retryable_exit(OSError, causes=True):
            raise one
        """
    )
    assert ended.returncode == 1
    assert ended.stderr.endswith("ValueError: one\n")


GROUP = """
class BaseExceptionGroup(BaseException):  # as the package exceptiongroup has it for old Pythons
    def __init__(self, message, exceptions): self.exceptions = exceptions
class ExceptionGroup(BaseExceptionGroup, Exception): pass
"""


@pytest.mark.parametrize("backport", [True] if sys.version_info < (3, 11) else [True, False])
@pytest.mark.parametrize(
    ("members", "retryable", "permanent"),
    [
        ("OSError(), TimeoutError()", 138, 1),
        ("OSError(), ExceptionGroup('inner', [TimeoutError()])", 138, 1),
        ("OSError(), ValueError()", 1, 3),
        ("OSError(), ExceptionGroup('inner', [ValueError()])", 1, 3),
        ("KeyError()", 1, 1),
    ],
)
def test_a_group_is_retryable_if_all_of_it_is_and_permanent_if_any_is(
    run: Run, backport: bool, members: str, retryable: int, permanent: int
) -> None:
    error = (GROUP if backport else "") + f"error = ExceptionGroup('workers', [{members}])\n"
    program = "import exit_codes\n" + error + "with exit_codes.{}:\n    raise error\n"
    assert run(program.format("retryable_exit(OSError)")).returncode == retryable
    assert run(program.format("permanent_exit(ValueError, code=3)")).returncode == permanent


def test_a_decorated_function_keeps_its_face_and_its_result() -> None:
    @exit_codes.retryable_exit(OSError)
    def train(steps: int, *, rate: float = 0.1) -> float:
        """Trains."""
        return steps * rate

    assert train(10, rate=0.5) == 5
    assert (train.__name__, train.__doc__) == ("train", "Trains.")


@pytest.mark.parametrize(
    ("definition", "call"),
    [
        ("def f(): raise OSError", "f()"),
        ("async def f():\n    await asyncio.sleep(0)\n    raise OSError", "asyncio.run(f())"),
        ("def f():\n    yield 1\n    raise OSError", "list(f())"),
        ("async def f():\n    yield 1\n    raise OSError", "asyncio.run(consume(f()))"),
    ],
)
def test_functions_of_all_kinds_can_be_decorated(run: Run, definition: str, call: str) -> None:
    program = (
        "import asyncio, exit_codes\n"
        "async def consume(items):\n    async for item in items: print(item)\n"
        f"@exit_codes.retryable_exit(OSError)\n{definition}\n{call}\n"
    )
    ended = run(program)
    assert ended.returncode == 138, ended.stderr
    assert "in f\n" in ended.stderr


def test_a_block_may_be_entered_by_async_with_and_hold_tasks(run: Run) -> None:
    program = """
        import asyncio, exit_codes
        async def lose(): raise {}
        async def main():
            async with exit_codes.retryable_exit(OSError):
                await asyncio.gather(asyncio.sleep(5), lose())
        asyncio.run(main())
        """
    assert run(program.format("OSError")).returncode == 138
    assert run(program.format("ValueError")).returncode == 1


def test_generators_are_driven_as_without_a_decorator(run: Run) -> None:
    ended = run(
        """
        import asyncio, exit_codes

        @exit_codes.retryable_exit(OSError)
        def echo():
            try:
                while True:
                    try:
                        got = yield "ready"
                        if got is None: return "done"
                        print("got", got)
                    except ValueError as error:
                        print("caught", error)
            finally:
                print("closed")

        @exit_codes.retryable_exit(OSError)
        async def async_echo():
            try:
                while True:
                    try:
                        got = yield "ready"
                        if got is None: return
                        print("got", got)
                    except ValueError as error:
                        print("caught", error)
            finally:
                print("closed")

        one = echo()
        print(next(one), one.send(1), one.throw(ValueError("thrown")))
        try:
            next(one)
        except StopIteration as stop:
            print(stop.value)
        other = echo()
        next(other)
        other.close()

        async def main():
            one = async_echo()
            print(await one.__anext__(), await one.asend(1), await one.athrow(ValueError("thrown")))
            try:
                await one.__anext__()
            except StopAsyncIteration:
                print("done")
            other = async_echo()
            await other.__anext__()
            await other.aclose()
        asyncio.run(main())
        """
    )
    half = "got 1\ncaught thrown\nready ready ready\nclosed\ndone\nclosed\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, half * 2, "")


def test_in_another_thread_that_thread_alone_ends_as_without(run: Run) -> None:
    ended = run(
        """
        import threading, exit_codes
        @exit_codes.retryable_exit(OSError)
        def work(): raise OSError("lost")
        thread = threading.Thread(target=work)
        thread.start(); thread.join()
        print("the main thread goes on")
        """
    )
    assert (ended.returncode, ended.stdout) == (0, "the main thread goes on\n")
    assert "OSError: lost" in ended.stderr


@pytest.mark.parametrize("decorator", ["", "@exit_codes.retryable_exit(OSError)"])
def test_an_executor_hands_it_over_to_the_main_thread(run: Run, decorator: str) -> None:
    ended = run(
        f"""
        import concurrent.futures, exit_codes
        {decorator}
        def work(): raise OSError("lost")
        with exit_codes.retryable_exit(OSError), concurrent.futures.ThreadPoolExecutor() as pool:
            pool.submit(work).result()
        """
    )
    assert ended.returncode == 138


@pytest.mark.parametrize("wait", [0, 0.3])
def test_a_thread_can_end_the_process_with_wait(run: Run, wait: float) -> None:
    ended = run(
        f"""
        import threading, time, exit_codes
        @exit_codes.retryable_exit(OSError, wait={wait})
        def work(): raise OSError("lost")
        threading.Thread(target=work).start()
        time.sleep(30)
        """
    )
    assert ended.returncode == 138
    assert "OSError: lost" in ended.stderr


@pytest.mark.parametrize(
    "hang",
    [
        "threading.Thread(target=time.sleep, args=(30,)).start()",
        "atexit.register(time.sleep, 30)",
    ],
)
def test_what_hangs_at_the_end_is_cut_off(run: Run, hang: str) -> None:
    program = f"""
        import atexit, threading, time, exit_codes
        print("output is kept")
        {hang}
        with exit_codes.retryable_exit(OSError, wait={{}}):
            raise OSError
        """
    for wait in (0, 0.5):
        started = time.monotonic()
        ended = run(program.format(wait))
        assert (ended.returncode, ended.stdout) == (138, "output is kept\n")
        assert time.monotonic() - started < 20


def test_an_end_in_time_is_not_cut_off(run: Run) -> None:
    ended = run(
        """
        import atexit, threading, time, exit_codes
        atexit.register(print, "atexit")
        threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
        with exit_codes.retryable_exit(OSError, wait=30):
            raise OSError
        """
    )
    assert (ended.returncode, ended.stdout) == (138, "thread\natexit\n")


def test_a_child_of_multiprocessing_ends_with_the_code(run: Run) -> None:
    ended = run(
        """
        import multiprocessing, exit_codes
        @exit_codes.retryable_exit(OSError)
        def work(): raise OSError("lost")
        if __name__ == "__main__":
            child = multiprocessing.get_context("fork").Process(target=work)
            child.start(); child.join()
            print(child.exitcode)
        """
    )
    assert (ended.returncode, ended.stdout) == (0, "138\n")
