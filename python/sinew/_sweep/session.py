"""A call of a sweep: makes or continues it, and keeps its table and page up to date."""

from __future__ import annotations

import os
import pathlib
import shlex
import sys
import time
from typing import Any, Mapping, Optional, Sequence, Union

from .._scene_parts import Path
from ..scene import Scene
from .errors import wrong
from .local import run_here
from .on_dask import run_on_dask
from .on_slurm import run_on_slurm
from .page import write_page
from .plan import FAILED, Plan, find_sinew
from .points import Point
from .table import WAITING, Row, Table

_PAGE_INTERVAL = 2.0  # the least time between two writings of the page [s]


SceneLike = Union[Path, Mapping[str, Any], Scene]


def run_sweep(scene: SceneLike, points: list[Point], output: Optional[Path], *, base_dir: Path, jobs: Optional[int],
              scheduler: Optional[str], threads: int, steps: Optional[int], method: Optional[str], overwrite: bool,
              progress: bool, sinew: Optional[str], sbatch: Sequence[str]) -> list[Row]:
    """As sweep(), with the points of all runs."""
    for name, count in (("jobs", jobs), ("threads", threads), ("steps", steps)):
        if count is not None and count < 1:
            raise wrong(f"{name}: found {count}, expected at least 1")
    if scheduler is not None and scheduler != "slurm" and not scheduler.startswith("dask://"):
        raise wrong(f"scheduler: found \"{scheduler}\", expected \"dask://HOST:PORT\" or \"slurm\"")
    if sbatch and scheduler != "slurm":
        raise wrong("sbatch: found options for Slurm, expected the scheduler \"slurm\" with them")
    options = {name: value for name, value in (("method", method), ("steps", steps)) if value is not None}
    stem = pathlib.Path(os.fspath(scene)).stem if isinstance(scene, (str, os.PathLike)) else "scene"
    folder = pathlib.Path(output if output is not None else f"out/{stem}_sweep").absolute()
    plan = Plan(folder, folder / "state/scene.json", points, options, threads, find_sinew(sinew))
    if isinstance(scene, (str, os.PathLike)):
        plan.scene = pathlib.Path(scene).absolute()
    else:
        plan.draft = _draft(scene, base_dir, plan)
    try:
        plan.open(overwrite)
    finally:
        if plan.draft:
            plan.draft.unlink(missing_ok=True)
    plan.forget_failures()
    return _Progress(plan, progress).follow(jobs, scheduler, sbatch)


def _draft(scene: Union[Mapping[str, Any], Scene], base_dir: Path, plan: Plan) -> pathlib.Path:
    path = plan.scene.with_name("draft.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    Scene(scene, base_dir).save(path)
    return path


class _Progress:
    """Keeps the table, the page and the user up to date."""

    def __init__(self, plan: Plan, told: bool) -> None:
        self._plan, self._told = plan, told
        self._table = Table(plan)
        self._page_written = 0.0
        self._ended = len(plan.points)

    def follow(self, jobs: Optional[int], scheduler: Optional[str], sbatch: Sequence[str]) -> list[Row]:
        plan, numbers = self._plan, self._plan.unfinished()
        self._ended -= len(numbers)
        if self._ended:
            self._tell(f"{self._ended} of {len(plan.points)} runs are done")
        try:
            if numbers and scheduler is None:
                run_here(plan, numbers, jobs, self._finished)
            elif numbers and scheduler == "slurm":
                run_on_slurm(plan, numbers, jobs, sbatch, self._finished)
            elif numbers and scheduler is not None:
                run_on_dask(plan, numbers, scheduler.removeprefix("dask://"), jobs, self._finished)
        finally:
            self._table = Table(plan)
            self._table.write()
            write_page(plan, self._table)
        failures, missing = (sum(row["outcome"] == outcome for row in self._table.rows) for outcome in (FAILED, WAITING))
        more = f", {missing} without a result: repeat the command" if missing else ""
        self._tell(f"{len(plan.points)} runs, {failures} failed{more}; results in {shlex.quote(str(plan.folder))}: sweep.csv, "
                   "sweep.html")
        return self._table.rows

    def _finished(self, number: int) -> None:
        row = self._table.update(number)
        self._table.write()
        if time.monotonic() - self._page_written > _PAGE_INTERVAL:
            write_page(self._plan, self._table)
            self._page_written = time.monotonic()
        if row["outcome"] == WAITING:
            self._tell(f"{self._plan.words(number)}: the cluster has given it up, but a process still holds it")
            return
        self._ended += 1
        what = row.get("error") or f"{row.get('seconds') or 0:.3g} s"
        self._tell(f"[{self._ended}/{len(self._plan.points)}] {self._plan.words(number)}: {row['outcome']}, {what}")

    def _tell(self, text: str) -> None:
        if self._told:
            print(text, file=sys.stderr, flush=True)
