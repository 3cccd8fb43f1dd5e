"""The cases of validation/: folders with a scene and a case.json, read and checked."""

import json
import math
import pathlib
import runpy
import sys

from meshes import gmsh

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "validation"
METHODS = ("newton", "newton-pcg", "newton-multilevel", "multilevel", "adaptive", "quasi_newton", "mixed", "reduced", "auto")
# What a method promises of the motion: adaptive.accuracy by default, of which twice may be used up.
PROMISED = {"adaptive": 2 * 0.02}
KEYS = {"title", "kind", "about", "constants", "measures", "notes", "settings", "only", "steps", "short", "cpu_seconds"}
MEASURE_KEYS = {"name", "unit", "observe", "over", "right", "beside", "tolerance", "sense", "or_said", "relative_error"}
FUNCTIONS = {name: getattr(math, name) for name in
             ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "pi", "cosh", "sinh", "tanh",
              "radians", "degrees", "hypot")} | {"min": min, "max": max, "abs": abs, "sum": sum, "range": range}


class Fault(Exception):
    """What is wrong with a case."""


def evaluate(expression, names):
    if isinstance(expression, (int, float)):
        return float(expression)
    return eval(expression, {"__builtins__": {}, **FUNCTIONS, **names})  # the repository's own files


class Measure:
    """One number that a case looks at: how it is observed, what it should be and how near."""

    def __init__(self, data, constants, reference, where):
        unknown = set(data) - MEASURE_KEYS
        if unknown:
            raise Fault(f"{where}: unknown keys {sorted(unknown)}; known keys: {sorted(MEASURE_KEYS)}")
        self.name, self.unit, self.data = data["name"], data.get("unit", ""), data
        self.observe, self.over = data.get("observe"), data.get("over", "end")
        self.sense = data.get("sense", "equal")  # or at_most, at_least
        self.said = data.get("or_said")
        right = data["right"]
        self.origin = right["from"]
        self.formula = right.get("formula")
        self.by_reference = "newton" in right
        if self.by_reference:
            self.right = (reference or {}).get(self.name)
        else:
            self.right = evaluate(right["formula"], constants) if self.formula else float(right["value"])
        self.beside = None
        if "beside" in data:
            beside = data["beside"]
            self.beside = (evaluate(beside["formula"], constants) if "formula" in beside else beside["value"], beside["from"])
        tolerance = data["tolerance"]
        self.because = tolerance["because"]
        self.relative = evaluate(tolerance.get("relative", 0), constants)
        self.absolute = evaluate(tolerance.get("absolute", 0), constants)

    def observed_step(self):
        """The step that it is observed after; None: the end, or several."""
        return self.over.get("step") if isinstance(self.over, dict) else None

    def allowed(self, method=None):
        """How far outside the right value is within the tolerance."""
        return max(self.relative * abs(self.right), self.absolute, PROMISED.get(method, 0) * abs(self.right))

    def error(self, value):
        """How far outside the right value; not how far outside the tolerance."""
        if value is None or not math.isfinite(value):
            return math.inf
        off = value - self.right
        return {"equal": abs(off), "at_most": max(off, 0), "at_least": max(-off, 0)}[self.sense]

    def within(self, value, method=None):
        return self.error(value) <= self.allowed(method)


class Case:
    """A folder of validation/."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.name = self.folder.name
        data = json.loads((self.folder / "case.json").read_text())
        unknown = set(data) - KEYS
        if unknown:
            raise Fault(f"{self.name}/case.json: unknown keys {sorted(unknown)}; known keys: {sorted(KEYS)}")
        self.title, self.kind, self.about = data["title"], data["kind"], data.get("about", "")
        self.notes, self.settings = data.get("notes", {}), data.get("settings", {})
        self.only = data.get("only")
        self.steps, self.cpu_seconds = data.get("steps"), data.get("cpu_seconds", 60)
        self.short = data.get("short", True)
        self.constants = {}
        for name, value in data.get("constants", {}).items():
            self.constants[name] = value if isinstance(value, list) else evaluate(value, self.constants)
        reference = self.folder / "reference.json"
        self.reference = json.loads(reference.read_text()) if reference.exists() else None
        self.measures = [Measure(m, self.constants, self.reference, f"{self.name}/case.json") for m in data["measures"]]

    def needs_newton(self):
        """Whether right values come from newton on the same mesh."""
        return any(m.by_reference or m.observe and "distance_from_reference" in m.observe for m in self.measures)

    def has_own_run(self):
        return (self.folder / "observe.py").exists()

    def has_scene(self):
        return (self.folder / "scene.json").exists()

    def scene(self):
        return json.loads((self.folder / "scene.json").read_text())

    def methods(self, wanted):
        """Of the wanted ones, those that the case is about."""
        return [m for m in wanted if self.only is None or m in self.only]

    def make_meshes(self):
        """Runs mesh.py when what it writes is missing or older."""
        maker = self.folder / "mesh.py"
        if not maker.exists():
            return
        made = self.folder / "mesh.made"
        newest = max(path.stat().st_mtime for path in (maker, pathlib.Path(__file__).parent / "meshes.py"))
        if made.exists() and made.stat().st_mtime >= newest:
            return
        for file, content in runpy.run_path(str(maker))["meshes"]().items():
            (self.folder / file).write_text(content if isinstance(content, str) else gmsh(*content))
        made.touch()


def all_cases():
    return [Case(path.parent) for path in sorted(FOLDER.glob("*/case.json"))]


def named(names):
    """Cases by name, folder or a part of the name."""
    known = {case.name: case for case in all_cases()}
    if not names:
        return list(known.values())
    chosen = []
    for name in names:
        name = name.rstrip("/").split("/")[-1]
        found = [known[name]] if name in known else [case for key, case in known.items() if name in key]
        if not found:
            print(f"no case is called {name}; known cases: {', '.join(known)}", file=sys.stderr)
            sys.exit(2)
        chosen += [case for case in found if case not in chosen]
    return chosen
