"""An elephant with ivory tusks walks on six bones ([scene](../../scenes/walking_creature.json)): 30 inertia modes with
warping, whose forces are gravity and the inertia of the bones. "Jiggle" is the largest distance of a vertex from where
the bones alone put it."""

import json

import numpy

from studies.frame.engine import ROOT, temporary_folder
from studies.frame.numbers import rounded, short
from studies.frame.paper import Table, Verdict

from .keys import written

STEPS = 160
PAPER_SECONDS = 0.8


def measure(engine):
    scene = json.loads((ROOT / "scenes/walking_creature.json").read_text())
    scene["size"] = engine.size if engine.size.isalpha() else float(engine.size)
    scene["solver"]["multilevel"] = {"cache": False}
    path = written(engine, scene, "walk")
    with temporary_folder() as folder:
        rows, summary = engine.keep_run(
            path, "reduced", f"{folder}/walk", ["output.every=10"], STEPS, formats=("html",))
        for name, step in (("stride", 80), ("other_stride", 130)):
            engine.picture(f"{folder}/walk", name, "--step", str(step))
    stiff = json.loads(json.dumps(scene))
    stiff["materials"]["flesh"]["young"] = 1e9  # follows the bones alone
    module = engine.python()
    soft, rigid = (module.Simulation(text, base_dir=str(ROOT / "scenes")) for text in (scene, stiff))
    jiggle = []
    for _ in range(STEPS):
        soft.step(), rigid.step()
        jiggle.append(float(numpy.linalg.norm(soft.positions - rigid.positions, axis=1).max()))
    seconds = summary["seconds"]
    height = float(numpy.ptp(rigid.positions[:, 1]))
    return {"tets": summary["tets"], "setup": seconds["setup"], "ms": 1000 * (seconds["steps"] - seconds["output"]) / STEPS,
            "failed": summary["steps_failed"], "jiggle": jiggle, "step": scene["time"]["step"], "height": height}


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {"": [(numbers["step"] * (k + 1), 100 * x) for k, x in enumerate(numbers["jiggle"])]}, x="time [s]",
                y="jiggle [cm]")
    return figure


def tables(numbers):
    return [Table("Walk", ["tets", "preparation [s]", "ms per step", "failed steps", "largest jiggle [cm]"],
                  [[rounded(numbers["tets"]), short(numbers["setup"]), short(numbers["ms"]), numbers["failed"],
                    short(100 * max(numbers["jiggle"]))]])]


def verdict(numbers):
    ours = (f"preparing {rounded(numbers['tets'])} tets takes {short(numbers['setup'])} s, a step "
            f"{short(numbers['ms'])} ms; the flesh moves up to {short(100 * max(numbers['jiggle']))} cm from the bones")
    if numbers["failed"] or max(numbers["jiggle"]) < 1e-3 * numbers["height"]:
        return Verdict("differs", ours, "steps fail or the flesh does not move")
    if numbers["tets"] >= 60000 and numbers["setup"] > 1.25 * PAPER_SECONDS:
        return Verdict("differs", ours, "this is the whole set-up with its checks of meshes, on two cores")
    return Verdict("same", ours)
