"""Threads that step simulations. Ctrl-C ends their steps, and a forked process gets threads of its own."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Generic, List, Optional, Protocol, Sequence, Tuple, TypeVar

from .objects import _wrong

Result = TypeVar("Result")


class Stoppable(Protocol):
    """A Simulation, or what has one."""

    def _set_stopped(self, stopped: bool) -> None:
        ...


class _Job(Generic[Result]):
    """Calls of a function, each with a simulation first. Threads take them in turn."""

    def __init__(self, function: Callable[..., Result], calls: Sequence[Tuple[Any, ...]], despite_errors: bool) -> None:
        self._function, self._calls, self._despite_errors = function, calls, despite_errors
        self._changed = threading.Condition()  # guards all below
        self._begun, self._stopping = 0, False
        self._under_way: Dict[int, Stoppable] = {}
        self._results: Dict[int, Result] = {}
        self._errors: Dict[int, BaseException] = {}

    def work(self) -> None:
        """For each of the threads."""
        while True:
            with self._changed:
                number = self._begun
                if self._stopping or number == len(self._calls):
                    return
                self._begun += 1
                simulation = self._under_way[number] = self._calls[number][0]
            try:
                self._results[number] = self._function(*self._calls[number])
            except BaseException as error:
                self._errors[number] = error
                if not self._despite_errors:
                    self.stop()
            with self._changed:
                del self._under_way[number]
                simulation._set_stopped(False)
                self._changed.notify_all()

    def stop(self) -> None:
        """Ends the steps under way. No further call begins."""
        with self._changed:
            self._stopping = True
            for simulation in self._under_way.values():
                simulation._set_stopped(True)

    def wait(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._under_way and (self._stopping or self._begun == len(self._calls)))

    def results(self) -> List[Result]:
        if self._errors:  # when it was stopped, others than the first in time say that alone
            raise self._errors[min(self._errors) if self._despite_errors else next(iter(self._errors))]
        return [self._results[number] for number in range(len(self._calls))]


class Threads:
    """At most `most` threads; None: as many as there are cores. They start when they are first needed."""

    def __init__(self, most: Optional[int], name: str) -> None:
        if most is not None and most < 1:
            raise _wrong(f"threads: found {most}, expected at least 1, or None for all cores")
        self._most, self._name = most, name
        self._pool: Optional[ThreadPoolExecutor] = None
        self._process = 0  # that has the pool: a forked one lacks the pool's threads

    def map(self, function: Callable[..., Result], simulations: Sequence[Stoppable], *others: Sequence[Any],
            despite_errors: bool = True) -> List[Result]:
        """Returns function(simulation, other, ...) of all, when all have ended. Raises the first error among them.

        Ctrl-C ends the steps of these simulations at once, and no other call begins. With despite_errors=False an error
        does the same.
        """
        count = self._most or len(os.sched_getaffinity(0))
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(count, thread_name_prefix=self._name), os.getpid()
        job = _Job(function, list(zip(simulations, *others)), despite_errors)
        try:
            for _ in range(min(count, len(simulations))):
                self._pool.submit(job.work)
            job.wait()
        except BaseException:
            job.stop()
            job.wait()  # a second Ctrl-C ends this: each simulation can step again when its call has ended
            raise
        return job.results()

    def close(self, wait: bool = True) -> None:
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown(wait)
        self._pool = None

    def __getstate__(self) -> Tuple[Optional[int], str]:
        return self._most, self._name

    def __setstate__(self, state: Tuple[Optional[int], str]) -> None:
        self.__init__(*state)  # type: ignore[misc]
