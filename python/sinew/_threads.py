"""Threads that step simulations. Ctrl-C ends their steps, and a forked process gets threads of its own."""

from __future__ import annotations

import os
from concurrent.futures import ALL_COMPLETED, FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, Callable, List, Optional, Protocol, Sequence, Tuple, TypeVar

from .objects import _wrong

Result = TypeVar("Result")


class Stoppable(Protocol):
    """A Simulation, or what has one."""

    def _set_stopped(self, stopped: bool) -> None:
        ...


def _resume(simulation: Stoppable, _: Future[Any]) -> None:
    simulation._set_stopped(False)


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

        Ctrl-C ends the steps of these simulations at once, and no other function begins. With despite_errors=False an
        error does the same.
        """
        pool = self._started()
        futures: List[Future[Result]] = []
        try:
            for arguments in zip(simulations, *others):
                futures.append(pool.submit(function, *arguments))
            done, left = wait(futures, return_when=ALL_COMPLETED if despite_errors else FIRST_EXCEPTION)
            if left:
                next(future for future in futures if future in done and future.exception() is not None).result()
        except BaseException:
            for future, simulation in zip(futures, simulations):
                future.cancel()
                simulation._set_stopped(True)
                # Where a second Ctrl-C ends the wait below, each can step again after its function.
                future.add_done_callback(partial(_resume, simulation))
            wait(futures)
            for simulation in simulations:
                simulation._set_stopped(False)
            raise
        return [future.result() for future in futures]

    def close(self) -> None:
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def _started(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():
            cores = self._most or len(os.sched_getaffinity(0))
            self._pool = ThreadPoolExecutor(cores, thread_name_prefix=self._name)
            self._process = os.getpid()
        return self._pool

    def __getstate__(self) -> Tuple[Optional[int], str]:
        return self._most, self._name

    def __setstate__(self, state: Tuple[Optional[int], str]) -> None:
        self.__init__(*state)  # type: ignore[misc]
