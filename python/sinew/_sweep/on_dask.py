"""Runs a sweep on the workers of a Dask scheduler."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import time
from typing import Any, Callable, Optional

from .errors import code_of, error_line, failed, wrong
from .plan import Plan

_RETRIES = 3
_TIMEOUT = 30  # for the scheduler to answer, and for files of other machines to appear [s]


def run_on_dask(plan: Plan, numbers: list[int], address: str, jobs: Optional[int], finished: Callable[[int], None]) -> None:
    """Runs points on workers that share the file system, at most `jobs` at a time. None: as many as the workers take.

    Workers need Python and this package in the same place, but not as a part of their own process: each point is a
    program that a worker starts.
    """
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise wrong("sweep: --scheduler dask:// needs the Python package distributed: install python3-distributed or "
                    "pip install distributed", "E-program") from None
    try:
        client = distributed.Client("tcp://" + address, timeout=_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise failed(f"sweep: cannot reach the Dask scheduler at {address}: {error}", "E-system") from None
    setpriv = shutil.which("setpriv")
    prefix = [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []  # a task ends with its worker
    of_future: dict[str, int] = {}
    waiting = list(reversed(numbers))

    def submit() -> Any:
        number = waiting.pop()
        future = client.submit(subprocess.run, [*prefix, *plan.task_command(str(number))], check=True, capture_output=True,
                               text=True, stdin=subprocess.DEVNULL, pure=False, retries=_RETRIES)  # yapf: disable
        of_future[future.key] = number
        return future

    futures = []
    try:
        futures = [submit() for _ in range(min(jobs or len(numbers), len(numbers)))]
        ended = distributed.as_completed(futures, loop=client.loop)
        for future in ended:
            number = of_future[future.key]
            if future.status == "finished":
                _wait_for_ending(plan, number)
            else:
                plan.lost(number, f"lost by the cluster: {_reason(future)}")
            finished(number)
            if waiting:
                futures.append(submit())
                ended.add(futures[-1])
    except BaseException:
        client.cancel(futures)
        raise
    finally:
        client.close()


def _wait_for_ending(plan: Plan, number: int) -> None:
    """A network file system may show a new file late."""
    end = time.monotonic() + _TIMEOUT
    while plan.ending(number) is None and time.monotonic() < end:
        time.sleep(0.1)


def _reason(future: Any) -> str:
    if future.status == "cancelled":
        return "the scheduler ended or cancelled the run; repeat the command"
    error = future.exception()
    if isinstance(error, subprocess.CalledProcessError):
        text = error_line(str(error.stderr))
        return text if code_of(text) else f"{error_line(text)} (exit code {error.returncode})"
    return f"{type(error).__name__}: {error}"
