"""15 alligators with 18 modes each (inertia modes and derivatives) fall down stairs, method `reduced`. Contact acts between
coarse surfaces. Bodies rest when the kinetic energy is below a thousandth of its largest value for good. Preparation
includes meshes read from the cache, modes, training and contact surfaces."""

import json

from studies.frame.engine import temporary_folder
from studies.frame.numbers import rounded, short
from studies.frame.paper import Table, Verdict

from .keys import SCENES, written

STEPS = 300
SETTINGS = ["size=small", "output.every=20"]  # finer alligators take longer to prepare, not to simulate


def measure(engine):
    path = SCENES / "stairs_15.json"
    with temporary_folder() as folder:
        rows, summary = engine.keep_run(path, "reduced", f"{folder}/stairs", SETTINGS, STEPS, formats=("html",))
        for name, step in (("falling", 60), ("resting", "last")):
            engine.picture(f"{folder}/stairs", name, "--step", str(step), "--fit", "frame", "--view", "35:20:1.3", size="420x300")
    scene = json.loads(path.read_text())
    _, one = engine.run(written(engine, {**scene, "bodies": scene["bodies"][:1]}, "one"), "reduced", SETTINGS)
    seconds = summary["seconds"]
    return {"tets": summary["tets"], "setup": seconds["setup"], "setup_of_one": one["seconds"]["setup"],
            "ms": 1000 * (seconds["steps"] - seconds["output"]) / STEPS, "iterations": summary["newton_iterations"] / STEPS,
            "failed": summary["steps_failed"], "contacts": max(row["contacts"] for row in rows),
            "least": min(row["min_distance"] for row in rows if row["min_distance"] is not None),
            "step": scene["time"]["step"], "kinetic": [row["energies"]["kinetic"] for row in rows]}


def rest_from(numbers):
    """The step from which all bodies rest, None if they do not."""
    most = max(numbers["kinetic"])
    moving = [k for k, energy in enumerate(numbers["kinetic"]) if energy > 1e-3 * most]
    return None if moving[-1] == len(numbers["kinetic"]) - 1 else moving[-1] + 1


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {"": [(numbers["step"] * (k + 1), energy) for k, energy in enumerate(numbers["kinetic"])]}, x="time [s]",
                y="kinetic energy [J]", log="y")
    return figure


def tables(numbers):
    return [Table("15 bodies", ["tets", "preparation [s]", "of one body [s]", "ms per step", "iterations per step",
                                "failed steps", "most contacts", "least distance [mm]"],
                  [[rounded(numbers["tets"]), short(numbers["setup"]), short(numbers["setup_of_one"]), short(numbers["ms"]),
                    short(numbers["iterations"]), numbers["failed"], numbers["contacts"], short(1000 * numbers["least"])]])]


def verdict(numbers):
    rest = rest_from(numbers)
    sound = numbers["failed"] == 0 and numbers["least"] > 0
    fall = f"all rest after {numbers['step'] * rest:.2g} s" if rest else "some still move"
    ours = (f"{fall}; least distance {short(1000 * numbers['least'])} mm, so nothing passes through; preparing takes "
            f"{short(numbers['setup'])} s, {short(numbers['setup_of_one'])} s for one body")
    if not sound or rest is None:
        return Verdict("differs", ours, "steps fail or bodies do not come to rest")
    if numbers["setup"] < 3 * numbers["setup_of_one"]:
        return Verdict("same", ours)
    return Verdict("differs", ours, "bodies of one shape do not share their preparation, as they do in the paper")
