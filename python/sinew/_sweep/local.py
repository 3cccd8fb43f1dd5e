"""Runs a sweep on this machine."""

from __future__ import annotations

import collections
import os
import threading
import time
from typing import Callable, Optional

from .plan import Plan
from .runs import BUSY, STOPPED, Runner

_PAUSE = 0.2  # before a point that another process runs is tried again [s]


def cores() -> int:
    return len(os.sched_getaffinity(0))


def run_here(plan: Plan, numbers: list[int], jobs: Optional[int], finished: Callable[[int], None]) -> None:
    """Runs points, `jobs` at a time. finished(number) is called in this thread after each."""
    runner = Runner(plan, own_session=True)
    waiting, ended = collections.deque(numbers), collections.deque[int]()
    errors: list[BaseException] = []
    changed = threading.Condition()

    def work() -> None:
        while not runner.stopped:
            with changed:
                if not waiting:
                    return
                number = waiting.popleft()
            outcome = runner.run(number)
            if outcome == BUSY:
                time.sleep(_PAUSE)
            with changed:
                if outcome == BUSY:
                    waiting.append(number)
                elif outcome != STOPPED:
                    ended.append(number)
                changed.notify()

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)
            runner.stop()
        with changed:
            changed.notify()

    count = min(jobs or max(1, cores() // plan.threads), max(1, len(numbers)))
    threads = [threading.Thread(target=guarded, name=f"sinew-sweep-{k}") for k in range(count)]
    for thread in threads:
        thread.start()
    try:
        while True:
            with changed:
                if not ended and any(thread.is_alive() for thread in threads):
                    changed.wait(1)
                if not ended and not any(thread.is_alive() for thread in threads):
                    break
                number = ended.popleft() if ended else None
            if number is not None:
                finished(number)
    finally:
        if any(thread.is_alive() for thread in threads):
            runner.stop()
        for thread in threads:
            thread.join()
    if errors:
        raise errors[0]
