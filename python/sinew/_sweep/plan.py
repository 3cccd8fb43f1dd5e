"""The plan of a sweep and its folder.

    sweep.json                       the plan
    sweep.csv, .parquet, .html       results (table.py, page.py)
    runs/0007/                       output folder of run 7
    state/0007.lock, .json, .log     who runs it, how it ended, what it printed
"""

from __future__ import annotations

import difflib
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any, Optional

from .._engine import InputError
from ..scene import Scene
from .errors import code_of, error_line, failed, wrong
from .files import read_json, write_json
from .points import Point, override, words_of

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
DONE, FAILED = "done", "failed"


class Claim:
    """The right to run a point: a lock on a file, which the run inherits. The lock is free when both processes ended."""

    def __init__(self, path: pathlib.Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.granted = True
        except BlockingIOError:
            self.granted = False

    def __enter__(self) -> "Claim":
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self.descriptor)


@dataclass
class Plan:
    folder: pathlib.Path
    scene: pathlib.Path
    points: list[Point]
    options: dict[str, Any] = field(default_factory=dict)  # "steps", "method": as of sinew run
    threads: int = 1  # of each run; results do not depend on it
    sinew: str = ""  # the program
    draft: Optional[pathlib.Path] = None  # becomes the scene's file if the plan is good

    @property
    def keys(self) -> list[str]:
        return list(dict.fromkeys(key for point in self.points for key in point))

    def name(self, number: int) -> str:
        return f"{number:0{max(4, len(str(len(self.points) - 1)))}}"

    def run_folder(self, number: int) -> pathlib.Path:
        return self.folder / "runs" / self.name(number)

    def state(self, number: int, suffix: str) -> pathlib.Path:
        return self.folder / "state" / (self.name(number) + suffix)

    def claim(self, number: int) -> Claim:
        return Claim(self.state(number, ".lock"))

    def ending(self, number: int) -> Optional[dict[str, Any]]:
        """How a run ended: "outcome" (done or failed), "exit" and "error". None while it has not."""
        found = read_json(self.state(number, ".json"))
        return found if isinstance(found, dict) else None

    def set_ending(self, number: int, outcome: str, code: int, error: str) -> None:
        write_json(self.state(number, ".json"), {"outcome": outcome, "exit": code, "error": error})

    def unfinished(self) -> list[int]:
        return [number for number in range(len(self.points)) if self.ending(number) is None]

    def forget_failures(self) -> None:
        """Failed runs are to be tried again."""
        for number in range(len(self.points)):
            ending = self.ending(number)
            if ending is not None and ending["outcome"] == FAILED:
                with self.claim(number) as claim:
                    if claim.granted:
                        self.state(number, ".json").unlink(missing_ok=True)

    def lost(self, number: int, error: str) -> None:
        """A cluster has given a run up."""
        with self.claim(number) as claim:
            if claim.granted and self.ending(number) is None:
                self.set_ending(number, FAILED, -1, error)

    @functools.cached_property
    def swept(self) -> list[str]:
        """Keys with more than one value."""
        return [key for key in self.keys if len({json.dumps(point.get(key)) for point in self.points}) > 1]

    def words(self, number: int) -> str:
        swept = {key: value for key, value in self.points[number].items() if key in self.swept}
        return f"run {number}" + (f", {words_of(swept)}" if swept else "")

    def settings(self, number: int) -> list[str]:
        words = [word for key in ("method", "steps") if key in self.options for word in (f"--{key}", str(self.options[key]))]
        return words + [word for key, value in self.points[number].items() for word in ("--set", override(key, value))]

    def as_json(self) -> dict[str, Any]:
        try:
            text = (self.draft or self.scene).read_bytes()
        except OSError as error:
            raise wrong(f"{self.scene}: cannot read the scene: {error.strerror}", "E-file-read") from None
        return {"sweep": 1, "scene": str(self.scene), "scene_sha256": hashlib.sha256(text).hexdigest(), "keys": self.keys,
                "points": self.points, "options": self.options, "threads": self.threads, "sinew": self.sinew}

    @staticmethod
    def load(folder: pathlib.Path) -> "Plan":
        found = read_json(folder / "sweep.json")
        if not isinstance(found, dict):
            raise wrong(f"{folder}: found no sweep.json, expected the folder of a sweep", "E-run-folder")
        return Plan(folder, pathlib.Path(found["scene"]), found["points"], found["options"], found["threads"], found["sinew"])

    def _require_known_materials(self) -> None:
        """A key of an unknown material would make one that no body has: all runs would be the same."""
        try:
            known = list(Scene(self.draft or self.scene).data.get("materials", {}))
        except InputError:
            return  # `sinew check` says what is wrong
        for point in self.points:
            for key in point:
                path = key.split(".")
                used = json.dumps(path[1]) in json.dumps(list(point.values())) if len(path) > 2 else True
                if path[0] == "materials" and not used and path[1] not in known:
                    near = difflib.get_close_matches(path[1], known, 1)
                    hint = f"; did you mean \"{near[0]}\"? " if near else "; "
                    names = ", ".join(json.dumps(name) for name in known) or "none"
                    raise wrong(f"sweep: {key}: unknown material \"{path[1]}\"{hint}materials of the scene: {names}",
                                "E-scene-name")

    def check(self) -> None:
        """Runs `sinew check` on the first point. Throws its error."""
        self._require_known_materials()
        scene = str(self.draft or self.scene)
        result = subprocess.run([self.sinew, "check", scene, *self.settings(0), "--brief", "--threads", "1"],
                                capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if result.returncode == 0:
            return
        text = error_line(result.stderr) or error_line(result.stdout)
        code = code_of(text) or "E-program"
        raise wrong(text, code) if result.returncode == 2 else failed(text, code)

    def open(self, overwrite: bool) -> None:
        """Makes the folder, or continues the sweep in it if that has the same plan."""
        wanted, found = self.as_json(), read_json(self.folder / "sweep.json")
        if found is None:
            self._require_empty_folder()
        if found is None or overwrite:
            self.check()
            self._clear()
        else:
            self._require_same_plan(found, wanted)
        if self.draft:
            os.replace(self.draft, self.scene)
            self.draft = None
        write_json(self.folder / "sweep.json", wanted)

    def _require_empty_folder(self) -> None:
        if self.folder.exists() and not self.folder.is_dir():
            raise wrong(f"{self.folder}: found a file, expected a folder; choose another with -o", "E-output-exists")
        if self.folder.is_dir() and any(entry.name != "state" for entry in self.folder.iterdir()):
            raise wrong(f"{self.folder}: found a folder with files, expected a new or empty folder or that of a sweep; "
                        "choose another with -o", "E-output-exists")

    def _require_same_plan(self, found: dict[str, Any], wanted: dict[str, Any]) -> None:
        texts = {"scene": "another scene", "scene_sha256": "a scene file with other contents", "points": "other points",
                 "options": "other options"}  # yapf: disable
        for key, text in texts.items():
            if found.get(key) != wanted[key]:
                raise wrong(f"{self.folder}: found a sweep with {text}, expected the same plan to continue it; choose "
                            "another folder with -o, or replace the sweep with --overwrite", "E-output-exists")

    def _clear(self) -> None:
        """Removes what an earlier sweep wrote, unless one of its runs goes on."""
        for lock in sorted((self.folder / "state").glob("*.lock")):
            with Claim(lock) as claim:
                if not claim.granted:
                    raise wrong(f"{self.folder}: run {lock.stem} of the earlier sweep goes on; stop it first", "E-output-busy")
        shutil.rmtree(self.folder / "runs", ignore_errors=True)
        for path in [*self.folder.glob("sweep.*"), *(self.folder / "state").glob("*")]:
            if path != self.draft:
                path.unlink()

    def task_command(self, *words: str) -> list[str]:
        """Returns the command line with which another process runs points of this sweep: see __main__.py."""
        return ["env", f"PYTHONPATH={PACKAGE.parent}", sys.executable, "-B", "-m", "sinew._sweep", "--task",
                str(self.folder), *words]


def find_sinew(given: Optional[str]) -> str:
    """Returns the path of the program sinew: the given one, that beside this package, or that on the PATH."""
    if given is not None:
        if not os.access(given, os.X_OK):
            raise wrong(f"sweep: found no program {given}, expected the path of sinew", "E-program")
        return str(pathlib.Path(given).absolute())
    for folder in [PACKAGE, *PACKAGE.parents]:  # of a wheel; of a build or an installation
        path = folder / "bin/sinew"
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    found = shutil.which("sinew")
    if found is None:
        raise wrong("sweep: found no program sinew beside the Python package or on the PATH; install it, or give its path "
                    "as sinew=", "E-program")
    return found
