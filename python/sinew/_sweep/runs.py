"""Runs points of a sweep in child processes, each at most once at a time."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time
from typing import Optional

from .errors import code_of, error_line
from .plan import DONE, FAILED, Plan

BUSY, STOPPED = "busy", "stopped"
_ATTEMPTS = 3  # of a run that a signal ends, such as that of a system without memory


class Runner:
    """Runs points of a plan. stop() ends those that run, from any thread; they can be continued."""

    def __init__(self, plan: Plan, own_session: bool) -> None:
        """own_session: Ctrl-C in the terminal does not reach the runs, but for stop()."""
        self._plan, self._own_session = plan, own_session
        self._lock = threading.Lock()
        self._children: set[subprocess.Popen[bytes]] = set()
        self._stopped = False
        # A run ends with the process that has started it. Without this program it goes on, and holds its lock.
        setpriv = shutil.which("setpriv")
        self._prefix = [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []

    @property
    def stopped(self) -> bool:
        return self._stopped

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for child in self._children:
                child.terminate()

    def run(self, number: int) -> str:
        """Returns "done", "failed", "busy" (another process runs it) or "stopped"."""
        plan = self._plan
        with plan.claim(number) as claim:
            if not claim.granted:
                return BUSY
            ending = plan.ending(number)
            if ending is not None:
                return str(ending["outcome"])
            for attempt in range(_ATTEMPTS):
                code, error = self._attempt(number, claim.descriptor)
                if self._stopped and code != 0:
                    return STOPPED
                if code >= 0 and code_of(error) != "E-interrupted":
                    break
            outcome = DONE if code == 0 else FAILED
            plan.set_ending(number, outcome, code, "" if code == 0 else error)
            return outcome

    def run_when_free(self, number: int, most_seconds: float) -> str:
        """As run(), but waits until another process that runs it ends."""
        end = time.monotonic() + most_seconds
        outcome = self.run(number)
        while outcome == BUSY and time.monotonic() < end:
            time.sleep(0.2)
            outcome = self.run(number)
        return outcome

    def _attempt(self, number: int, descriptor: int) -> tuple[int, str]:
        """Starts or continues a run. Returns its exit code, negative for a signal, and its error."""
        plan, folder = self._plan, self._plan.run_folder(number)
        command = [*self._prefix, plan.sinew, "run", str(plan.scene), "-o", str(folder), *plan.settings(number),
                   "--threads", str(plan.threads), "--quiet", *_continuing(folder)]  # yapf: disable
        folder.parent.mkdir(parents=True, exist_ok=True)
        with open(plan.state(number, ".log"), "ab") as log:
            begin = log.seek(0, os.SEEK_END)
            with self._lock:
                if self._stopped:
                    return -signal.SIGTERM, "stopped"
                child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[descriptor],
                                         start_new_session=self._own_session)  # yapf: disable
                self._children.add(child)
            code = child.wait()
            with self._lock:
                self._children.discard(child)
        if code < 0:
            return code, f"ended by signal {signal.Signals(-code).name}"
        with open(plan.state(number, ".log"), "rb") as log:
            log.seek(begin)
            return code, error_line(log.read().decode(errors="replace"))


def _continuing(folder: pathlib.Path) -> list[str]:
    if (folder / "checkpoint.h5").exists():
        return ["--resume"]
    return ["--overwrite"] if folder.exists() else []


class Task:
    """What a worker of a cluster does: runs points one after another."""

    _PATIENCE = 600.0  # for another process that runs the same point [s]

    def __init__(self, plan: Plan) -> None:
        self._runner = Runner(plan, own_session=False)

    def run(self, numbers: list[int]) -> Optional[int]:
        """Returns the first point that has no outcome after all, None without one."""
        outcomes = {number: self._runner.run_when_free(number, self._PATIENCE) for number in numbers}
        return next((number for number, outcome in outcomes.items() if outcome in (BUSY, STOPPED)), None)
