"""Simulation.run(): many steps, with a callback and a progress bar."""

import math
import sys
import time
from typing import Any, Callable, Dict, List, Optional

from ._engine import Simulation
from .objects import _known, _wrong

_WIDTH = 30  # of the bar, in characters


class _Bar:
    """A bar on stderr, for terminals without tqdm and rich."""

    def __init__(self, total: int, text: str) -> None:
        self._total, self._text, self._start, self._done = total, text, time.monotonic(), 0

    def update(self, count: int = 1) -> None:
        self._done += count
        share = self._done / self._total
        seconds = time.monotonic() - self._start
        bar = "#" * round(_WIDTH * share)
        left = seconds * (1 - share) / share
        sys.stderr.write(f"\r{self._text} [{bar:<{_WIDTH}}] {self._done}/{self._total}, {left:.0f} s left ")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\n")


class _RichBar:

    def __init__(self, total: int, text: str) -> None:
        import importlib

        self._progress: Any = importlib.import_module("rich.progress").Progress(transient=False)
        self._progress.start()
        self._task = self._progress.add_task(text, total=total)

    def update(self, count: int = 1) -> None:
        self._progress.advance(self._task, count)

    def close(self) -> None:
        self._progress.stop()


def _bar(total: int, text: str) -> Any:
    """That of tqdm or rich where one is installed."""
    try:
        import importlib

        return importlib.import_module("tqdm.auto").tqdm(total=total, desc=text, unit="step")
    except ImportError:
        pass
    try:
        return _RichBar(total, text)
    except ImportError:
        return _Bar(total, text)


def _end(simulation: Simulation, until: Optional[float]) -> float:
    """The time [s], or share of the load, at which the run ends."""
    outline = _known(simulation).outline
    if until is None:
        return 1.0 if outline["static"] else int(outline["steps"]) * _step(simulation)
    if isinstance(until, (str, bytes)):
        raise _wrong(f"run: found until={until!r}, expected a number")
    end = float(until)
    if math.isnan(end):
        raise _wrong("run: found until=nan, expected a number")
    if outline["static"] and end > 1 + 1e-9:
        raise _wrong(f"run: found until={until}, expected at most 1: the share of the load")
    return end


def _step(simulation: Simulation) -> float:
    """The time step [s], or the share of the load of a load step."""
    outline = _known(simulation).outline
    return 1 / int(outline["steps"]) if outline["static"] else float(simulation.settings()["time.step"])


def _remaining(simulation: Simulation, end: float) -> float:
    """Steps until the end, a whole number or infinite."""
    left = (end - simulation.time) / _step(simulation)
    return left if math.isinf(left) else max(0, round(left))


def run(self: Simulation, until: Optional[float] = None,
        callback: Optional[Callable[[Simulation, Dict[str, Any]], Optional[bool]]] = None,
        progress: bool = False) -> List[Dict[str, Any]]:
    """Takes steps until a time [s], or a share of the load in statics. Returns the rows of steps.jsonl.

    Without `until` it ends after the steps of the scene (time.steps). callback(simulation, row) is called after each
    step; a true result ends the run. until=math.inf goes on until then. With progress=True a bar shows the steps: that of
    tqdm or rich if installed. Raises InputError if `until` is no number.
    """
    if callback is not None and not callable(callback):
        raise _wrong(f"run: callback: found {callback!r}, expected a function callback(simulation, row)")
    end = _end(self, until)
    count = _remaining(self, end)
    if math.isinf(count) and callback is None:
        raise _wrong(f"run: found until={until}, expected a finite number, or a callback that ends the run")
    rows: List[Dict[str, Any]] = []
    step = _step(self)
    bar = _bar(int(count), "steps") if progress and 0 < count < math.inf else None
    try:
        while count > 0:
            rows.append(self.step())
            count -= 1
            if bar is not None:
                bar.update(1)
            if callback is not None:
                clock = self.time
                if callback(self, rows[-1]):
                    break
                before, step = step, _step(self)
                if self.time != clock or step != before:  # the callback changed it
                    count = _remaining(self, end)
    finally:
        if bar is not None:
            bar.close()
    return rows
