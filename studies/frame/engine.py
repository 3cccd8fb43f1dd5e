"""Calls of sinew at one size. Every call is remembered as a command that a reader can type in the root of a checkout."""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from runs import SCENES, SINEW, SIZES, Failure, call  # noqa: F401


def variant(method, **settings):
    """METHOD:KEY=VALUE as `sinew compare` reads it; double underscores stand for points."""
    return ":".join([method, *(f"{key.replace('__', '.')}={value}" for key, value in settings.items())])


def overrides(settings):
    return [word for setting in settings for word in ("--set", setting)]


class Engine:
    """sinew, the size of the scenes, and what a study has called so far."""

    def __init__(self, size="small", sinew=SINEW, threads=None, folder=None, item=""):
        """`folder` takes the pictures of a study, whose names begin with `item`."""
        self.size, self.sinew, self.count = size, pathlib.Path(sinew), threads
        self.threads = ["--threads", threads] if threads else []
        self.folder, self.item = folder, item
        self.commands, self.pictures = [], []

    # ---- commands

    def note(self, *words, program="sinew"):
        """Remembers a command and prints it. Folders that the study removes again read as out/."""
        text = " ".join([program, shlex.join(str(word).replace(f"{ROOT}/", "") for word in words)]).strip()
        text = re.sub(rf"{re.escape(tempfile.gettempdir())}/tmp\w+/", "out/", text)
        self.commands.append(text)
        print("  " + text, file=sys.stderr, flush=True)

    def words(self, verb, scene, settings, *more):
        """`scene` is the name of a scene of the gallery or of scenes/, or a path. `size` among the settings outranks that
        of the engine; scenes outside the gallery have no size."""
        path, sized = pathlib.Path(scene), []
        if path.suffix != ".json":
            path = SCENES / f"{scene}.json"
            if path.exists():
                sized = [] if any(setting.startswith("size=") for setting in settings) else [f"size={self.size}"]
            else:
                path = SCENES.parent / path.name
        words = [verb, path, *overrides([*sized, *settings]), *more]
        self.note(*words)
        return [*words, *self.threads]

    def taken(self):
        """The commands since the last call of this function."""
        commands, self.commands = self.commands, []
        return commands

    # ---- runs

    def compare(self, scene, methods, settings=(), first=None, steps=1, free=False, reach=None):
        """The report of `sinew compare`."""
        more = ["--methods", ",".join(methods), "--steps", steps]
        if reach:
            more += ["--reach", reach]
        if first is not None:
            more += ["--from", first]
        if free:
            more.append("--free")
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "compare.json"
            call(self.sinew, *self.words("compare", scene, settings, *more), "--json", report)
            return json.loads(report.read_text())

    def run(self, scene, method, settings=(), steps=1):
        """The rows of `steps.jsonl`, and the summary."""
        with tempfile.TemporaryDirectory() as folder:
            words = self.words("run", scene, [*settings, "output.formats=[]"], "--method", method, "--steps", steps)
            call(self.sinew, *words, "--overwrite", "-o", folder, "--quiet")
            return rows_of(folder), json.loads((pathlib.Path(folder) / "summary.json").read_text())

    def keep_run(self, scene, method, folder, settings=(), steps=1, formats=("vtu",)):
        """A run whose output folder stays."""
        words = self.words("run", scene, [*settings, f"output.formats={json.dumps(list(formats))}"], "--method", method, "--steps", steps, "-o", folder)
        call(self.sinew, *words, "--quiet", "--overwrite")
        self.commands[-1] = self.commands[-1].replace(str(folder), "out/" + pathlib.Path(folder).name)
        return rows_of(folder), json.loads((pathlib.Path(folder) / "summary.json").read_text())

    def modes(self, scene, path, *more, settings=()):
        """A file of modes; what `sinew modes` printed."""
        call(self.sinew, *self.words("modes", scene, settings, *more, "-o", path))

    def check(self, scene, settings=()):
        """What `sinew check` says of the run and of the scene. Not remembered, since it is no row of a table."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "check.json"
            words = self.words("check", scene, settings, "--brief")
            self.commands.pop()
            call(self.sinew, *words, "--json", report)
            report = json.loads(report.read_text())
            return report["run"], report["scene"]

    def simulation(self, scene, solver=(), change=None):
        """The Python simulation of a scene of the gallery. `solver` replaces keys of its solver (None removes one),
        `change` edits the scene as a dictionary."""
        module = self.python()
        text = json.loads((SCENES / f"{scene}.json").read_text())
        text["size"] = self.size
        text["solver"] = {**text["solver"], **dict(solver)}
        for key in [key for key, value in text["solver"].items() if value is None]:
            del text["solver"][key]
        if change:
            change(text)
        return module.Simulation(text, base_dir=str(SCENES))

    def python(self):
        """The Python module of the program."""
        path = str(self.sinew.parent.parent / "python")
        if path not in sys.path:
            sys.path.insert(0, path)
        import sinew
        return sinew

    # ---- pictures

    def picture(self, folder, name, *options, size="480x360"):
        """A frame of the run in `folder`, whose formats include html, as the report page draws it in headless Chromium.
        The options are those of scripts/screenshot."""
        path = self.path(name)
        words = [ROOT / "scripts/screenshot", folder, path, "--bare", "--size", size, *options]
        done = subprocess.run([*map(str, words)], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"scripts/screenshot: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
        self.pictures.append(path.name)

    def path(self, name):
        """Where the picture `name` of this study goes."""
        folder = pathlib.Path(self.folder or tempfile.gettempdir())
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{self.item}_{name}.png"


def rows_of(folder):
    return [json.loads(line) for line in (pathlib.Path(folder) / "steps.jsonl").read_text().splitlines()]


def temporary_folder():
    return tempfile.TemporaryDirectory()


