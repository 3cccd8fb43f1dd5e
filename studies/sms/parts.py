"""One hard step of a scene with the printed method and with changes of it, all to the same stop test of the whole
direction."""

from studies.frame.numbers import error, iterations, short
from studies.frame.paper import Table

from .keys import as_printed

SCENE = "stressball"
HANDLES = 30


def compare(engine, variants, scene=SCENE):
    """`variants`: {label: (changed keys of printed, other keys of solver)}."""
    methods = ["newton", *(as_printed({"stop": "full", **changed}, handles=HANDLES, **other) for changed,
                           other in variants.values())]
    report = engine.compare(scene, methods, ["solver.norm=mean", "solver.max_iterations=200", "time.substeps=0"],
                            reach="newton")
    return [{"label": label, "iterations": r["newton_iterations"], "text": iterations(r), "cg": r["linear_iterations"],
             "seconds": r["seconds"], "failed": r["steps_failed"], "largest": r["max_error"], "rms": r["rms_error"],
             "residual": r["residual"]}
            for label, r in zip(["newton", *variants], report["methods"])]


def of(rows, label):
    return next(row for row in rows if row["label"] == label)


def tables(numbers):
    return [Table(f"One step of `{SCENE}`, {HANDLES} handles", ["method", "directions", "CG, all levels",
                                                                "seconds", "largest error"],
                  [[row["label"], row["text"], row["cg"] or "-", short(row["seconds"], 3), error(row["largest"])]
                   for row in numbers])]
