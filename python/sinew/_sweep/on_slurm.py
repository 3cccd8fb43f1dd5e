"""Runs a sweep as job arrays of Slurm."""

from __future__ import annotations

import re
import shlex
import subprocess
import time
from pathlib import Path
from typing import Callable, Optional, Sequence

from .errors import failed, wrong
from .files import write_atomically, write_json
from .plan import Plan

_SUBMISSIONS = 3  # of a run whose tasks are lost
_MOST_TASKS = 1000  # of an array: the usual MaxArraySize is 1001
_LONGEST_PAUSE = 5.0  # between looks at the queue [s]
_PATIENCE = 3.0  # for files of a task that has just ended [s]


def _slurm(*command: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise wrong(f"sweep: --scheduler slurm needs the program {command[0]}: run it where jobs are submitted",
                    "E-program") from None


def _script(plan: Plan, tasks: int, jobs: Optional[int], submission: int, options: Sequence[str]) -> str:
    limit = f"%{jobs}" if jobs else ""
    log = str(plan.folder / "state" / f"slurm-{submission}-").replace("%", "%%") + "%a.log"
    name = re.sub(r"[^\w.-]", "_", plan.scene.stem)
    lines = ["#!/bin/sh", f"#SBATCH --job-name=sweep-{name}", f"#SBATCH --array=0-{tasks - 1}{limit}",
             f"#SBATCH --cpus-per-task={plan.threads}", f"#SBATCH --output={shlex.quote(log)}", "#SBATCH --open-mode=append",
             "#SBATCH --requeue", *(f"#SBATCH {option}" for option in options),
             f'exec {shlex.join(plan.task_command("--submission", str(submission)))} "$SLURM_ARRAY_TASK_ID"']  # yapf: disable
    return "\n".join(lines) + "\n"


def _submit(plan: Plan, numbers: list[int], jobs: Optional[int], submission: int, options: Sequence[str]) -> str:
    """Submits an array. Its task k runs every point of the k-th list in the submission's file."""
    tasks = min(len(numbers), _MOST_TASKS)
    write_json(submission_file(plan, submission), [numbers[k::tasks] for k in range(tasks)])
    script = plan.folder / "sweep.sbatch"
    write_atomically(script, _script(plan, tasks, jobs, submission, options).encode())
    result = _slurm("sbatch", "--parsable", str(script))
    if result.returncode != 0:
        raise failed(f"sweep: sbatch refuses {script}: {result.stderr.strip()}", "E-system")
    return result.stdout.strip().split(";")[0]


def submission_file(plan: Plan, submission: int) -> Path:
    return plan.folder / "state" / f"slurm-{submission}.json"


def _is_queued(job: str) -> bool:
    """Whether a job waits or runs. One that is too old for the controller does not; one that does not answer may."""
    result = _slurm("squeue", "--noheader", "--jobs", job, "--format", "%T")
    if result.returncode != 0:
        return "Invalid job id" not in result.stderr
    return bool(result.stdout.strip())


def run_on_slurm(plan: Plan, numbers: list[int], jobs: Optional[int], options: Sequence[str],
                 finished: Callable[[int], None]) -> None:
    """Runs points as an array, at most `jobs` tasks at a time, on nodes that share the file system. Tasks that end
    without a result are submitted again."""
    waiting = list(numbers)

    def look() -> None:
        for number in [number for number in waiting if plan.ending(number) is not None]:
            waiting.remove(number)
            finished(number)

    for submission in range(_SUBMISSIONS):
        job = _submit(plan, waiting, jobs, submission, options)
        pause = 0.2
        try:
            while waiting and _is_queued(job):
                time.sleep(pause)
                pause = min(1.2 * pause, _LONGEST_PAUSE)
                look()
            end = time.monotonic() + _PATIENCE
            while waiting and time.monotonic() < end:
                time.sleep(0.2)
                look()
        except BaseException:
            _slurm("scancel", job)
            raise
        if not waiting:
            return
    for number in list(waiting):
        plan.lost(number, f"lost by the cluster {_SUBMISSIONS} times; see {plan.folder}/state/slurm-*.log")
    look()
