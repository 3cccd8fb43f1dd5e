"""Figures 3 and 4: four bases at equal numbers of handles, alone and in a preconditioner."""

from studies.frame.numbers import error, iterations, per_direction
from studies.frame.engine import variant
from studies.frame.paper import Table

from .keys import BASES, CLUSTERS, subspace_alone

COUNTS = (10,)
PRECONDITIONER = 20
STEPS = 8


def measure(engine, scene):
    labels = [(count, basis) for count in COUNTS for basis in BASES]
    methods = ["newton", *(subspace_alone(handles=count, multilevel__basis=basis) for count, basis in labels)]
    report = engine.compare(scene, methods, [CLUSTERS, "solver.norm=mean"], steps=STEPS, free=True, reach="newton")
    alone = [{"handles": count, "basis": basis, "rms": r["each_step"][-1]["rms_error"],
              "largest": r["each_step"][-1]["max_error"],
              "course": [step["rms_error"] for step in r["each_step"]], "iterations": iterations(r),
              "seconds": r["seconds"]}
             for (count, basis), r in zip(labels, report["methods"][1:])]
    methods = ["newton", *(variant("newton-multilevel", handles=PRECONDITIONER, multilevel__basis=basis)
                           for basis in BASES), "newton-pcg"]
    report = engine.compare(scene, methods, [CLUSTERS, "solver.norm=mean"], reach="newton")
    whole = [{"basis": basis, "iterations": iterations(r), "cg": per_direction(r), "largest": r["max_error"]}
             for basis, r in zip([*BASES, "none"], report["methods"][1:])]
    return {"alone": alone, "preconditioner": whole}


def rms(numbers, count):
    return {row["basis"]: row["rms"] for row in numbers["alone"] if row["handles"] == count}


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {BASES[row["basis"]]: list(enumerate(row["course"], 1)) for row in numbers["alone"]}, x="step",
                y="rms error over the diagonal", log="y", title=f"{COUNTS[0]} handles")
    plots.whole_steps(ax)
    return figure


def tables(numbers):
    cg = {row["basis"]: row["cg"] for row in numbers["preconditioner"]}
    rows = [[row["handles"], BASES[row["basis"]], error(row["rms"]), error(row["largest"]), row["iterations"],
             cg[row["basis"]]] for row in numbers["alone"]]
    return [Table(f"{STEPS} steps in the subspace alone", ["handles", "basis", "rms error", "largest", "iterations",
                                                          f"CG per direction, {PRECONDITIONER} handles as "
                                                          "preconditioner"], rows,
                  f"Without a basis, the preconditioner takes {cg['none']} CG per direction. Every basis gives the "
                  "same solution there.")]
