"""The command line of sweeps: sinew sweep calls python3 -m sinew._sweep."""

from __future__ import annotations

import argparse
import pathlib
import signal
import sys
from typing import Any, Optional

from .._engine import Error, InputError
from .errors import wrong
from .files import read_json
from .on_slurm import submission_file
from .plan import DONE, Plan
from .points import parse_set, points_of, read_points
from .runs import Task
from .session import run_sweep

_RETRY = 3  # exit code of a task whose points are to be run again


class _Parser(argparse.ArgumentParser):

    def error(self, message: str) -> Any:
        raise wrong(message, "E-usage")


def _parser() -> _Parser:
    parser = _Parser(prog="sinew sweep", allow_abbrev=False, add_help=False)
    parser.add_argument("scene", metavar="SCENE")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--points")
    parser.add_argument("--zip", action="store_true")
    parser.add_argument("-o", "--output")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--scheduler")
    parser.add_argument("--sbatch", action="append", default=[])
    parser.add_argument("--method")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--overwrite", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--sinew")
    return parser


def _sweep(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    factors = [[{key: value} for value in values] for key, values in map(parse_set, options.set)]
    if options.points is not None:
        factors.append(read_points(options.points))
    if not factors:
        raise wrong("sinew sweep: found no --set and no --points, expected keys and their values", "E-usage")
    rows = run_sweep(options.scene, points_of(factors, options.zip), options.output, base_dir=".", jobs=options.jobs,
                     scheduler=options.scheduler, threads=options.threads, steps=options.steps, method=options.method,
                     overwrite=options.overwrite, progress=not options.quiet, sinew=options.sinew, sbatch=options.sbatch)
    return 0 if all(row["outcome"] == DONE for row in rows) else 1


def _task(arguments: list[str]) -> int:
    """--task FOLDER [--submission N] NUMBER: runs a point, or the points of a task of Slurm."""
    parser = _Parser(add_help=False)
    parser.add_argument("--task", type=pathlib.Path)
    parser.add_argument("--submission", type=int)
    parser.add_argument("number", type=int)
    options = parser.parse_args(arguments)
    plan = Plan.load(options.task)
    numbers = [options.number]
    if options.submission is not None:
        numbers = (read_json(submission_file(plan, options.submission)) or {})[options.number]
    return _RETRY if Task(plan).run(numbers) is not None else 0


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def main(arguments: Optional[list[str]] = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    try:
        if words[:1] == ["--task"]:
            return _task(words)
        signal.signal(signal.SIGTERM, _interrupt)
        return _sweep(words)
    except KeyboardInterrupt:
        print("error: interrupted; repeat the command to continue the sweep [E-interrupted]", file=sys.stderr)
        return 1
    except Error as error:
        text, code = str(error), str(error.code)
        print(f"error: {text}" + ("" if text.endswith(f"[{code}]") else f" [{code}]"), file=sys.stderr)
        return 2 if isinstance(error, InputError) else 1


if __name__ == "__main__":
    sys.exit(main())
