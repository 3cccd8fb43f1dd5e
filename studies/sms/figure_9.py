"""A cantilever swings down under its weight for 20 steps, from the straight beam at rest, in the subspace alone.
Functions fall smoothly to zero at the fixed end, or jump to zero (`multilevel.dirichlet: false`). With refinement both
give the solution of `newton`. The deflection is the mean one, from `energies.gravity` of `steps.jsonl`."""

import json

from studies.frame.engine import variant
from studies.frame.numbers import error, iterations
from studies.frame.paper import Table, Verdict

from .keys import CLUSTERS, SUBSPACE, printed

SCENE = "cantilever_dirichlet"
COUNTS = (4, 16)
STEPS = 20


def keys(count, smooth, refined):
    return {"handles": count, "multilevel__dirichlet": json.dumps(smooth)} | ({} if refined else printed(**SUBSPACE))


def measure(engine):
    kinds = [(count, smooth, False) for count in COUNTS for smooth in (True, False)]
    kinds += [(COUNTS[0], smooth, True) for smooth in (True, False)]
    methods = ["newton", *(variant("multilevel", **keys(*kind)) for kind in kinds)]
    report = engine.compare(SCENE, methods, [CLUSTERS], first=0, steps=STEPS, free=True)

    def course(method, changed):
        """Work of gravity: the weight times the mean deflection."""
        settings = [f"solver.{key.replace('__', '.')}={value}" for key, value in changed.items()]
        rows, _ = engine.run(SCENE, method, [CLUSTERS, *settings], steps=STEPS)
        return [-row["energies"]["gravity"] for row in rows]

    newton = course("newton", {})
    rows = []
    for kind, result in zip(kinds, report["methods"][1:]):
        count, smooth, refined = kind
        sag = course("multilevel", keys(*kind))
        rows.append({"handles": count, "smooth": smooth, "refined": refined, "deflection": sag[-1] / newton[-1],
                     "course": [value / newton[-1] for value in sag], "largest": result["each_step"][-1]["max_error"],
                     "iterations": iterations(result), "cg": result["linear_iterations"]})
    return {"newton": [value / newton[-1] for value in newton], "rows": rows}


def word(smooth):
    return "smooth" if smooth else "with a jump"


def draw(numbers, plots):
    figure, ax = plots.axes()
    series = {"newton": list(enumerate(numbers["newton"], 1))}
    for row in numbers["rows"]:
        if not row["refined"]:
            series[f"{row['handles']} handles, {word(row['smooth'])}"] = list(enumerate(row["course"], 1))
    plots.lines(ax, series, x="step", y="mean deflection over newton's last")
    plots.whole_steps(ax)
    return figure


def tables(numbers):
    return [Table(f"{STEPS} steps", ["handles", "functions", "refinement", "mean deflection over newton's",
                                     "largest error",
                                     "iterations", "CG"],
                  [[row["handles"], word(row["smooth"]), "yes" if row["refined"] else "no", f"{row['deflection']:.4f}",
                    error(row["largest"]), row["iterations"], row["cg"]] for row in numbers["rows"]])]


def verdict(numbers):
    few = {row["smooth"]: row["deflection"] for row in numbers["rows"] if row["handles"] == COUNTS[0]
           and not row["refined"]}
    ours = f"mean deflection with 4 handles over newton's: {few[True]:.2f} (smooth), {few[False]:.2f} (with a jump)"
    if few[True] > 1.02 * few[False] and few[True] < 1.01:
        return Verdict("same", ours)
    return Verdict("differs", ours, "smooth functions do not bend further")
