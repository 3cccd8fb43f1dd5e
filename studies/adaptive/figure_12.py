"""A boat on an iceberg: thresholds for vertices with that for modes at 0.5, and the converse, by the paper's rule. Each
of five steps starts at the state of `newton`. The error stands for the residual: the largest distance of a vertex to
the step of `newton` over the scene's diagonal, as the mean of five steps. The paper's residual is the largest Newton
decrement at the end of a step, which equals this distance to first order. Shares are of a run of its own with the same
settings."""

from studies.frame.numbers import percent
from studies.frame.paper import Table, Verdict

from .keys import DIMENSION, printed, printed_variant

SCENE, STEPS = "iceberg_boat", 5
VERTEX = (1, 0.3, 0.1, 0.03, 0.01)
MODE = (1, 0.1, 0.01, 0.001)


def measure(engine):
    first = engine.check(SCENE)[1]["compare"]["from"]
    choices = [{"adaptive__vertex_error": value, "adaptive__mode_error": 0.5} for value in VERTEX]
    choices += [{"adaptive__vertex_error": 0.5, "adaptive__mode_error": value} for value in MODE]
    report = engine.compare(SCENE, ["newton", *(printed_variant(SCENE, **choice) for choice in choices)], steps=STEPS,
                            reach="newton")
    numbers = {"vertex": [], "mode": []}
    for choice, result in zip(choices, report["methods"][1:]):
        rows, _ = engine.run(SCENE, "adaptive", printed(SCENE, **choice), steps=first + STEPS)
        each = [part["max_error"] for part in result["each_step"]]
        adaptive = [row["adaptive"] for row in rows[first:]]
        entry = {"error": sum(each) / STEPS, "share": sum(part["share"] for part in adaptive) / STEPS,
                 "modes": DIMENSION * sum(part["handles"] for part in adaptive) / STEPS}
        if choice["adaptive__mode_error"] == 0.5 and len(numbers["vertex"]) < len(VERTEX):
            numbers["vertex"].append({"threshold": choice["adaptive__vertex_error"], **entry})
        else:
            numbers["mode"].append({"threshold": choice["adaptive__mode_error"], **entry})
    return numbers


def draw(numbers, plots):
    figure, axes = plots.axes(4, width=3.0)
    for ax, part, key, label, log in ((axes[0], "vertex", "share", "enriched share", "x"),
                                      (axes[1], "vertex", "error", "error", "xy"),
                                      (axes[2], "mode", "modes", "active modes", "x"),
                                      (axes[3], "mode", "error", "error", "xy")):
        plots.lines(ax, {label: [(row["threshold"], row[key]) for row in numbers[part]]}, y=label, log=log,
                    x=f"threshold of {'vertices' if part == 'vertex' else 'modes'}")
    return figure


def tables(numbers):
    return [Table(f"Threshold for {name}", ["threshold", "enriched, mean", "active modes, mean",
                                            "error, mean of 5 steps"],
                  [[row["threshold"], percent(row["share"]), f"{row['modes']:.0f}", f"{row['error']:.1e}"]
                   for row in numbers[key]])
            for key, name in (("vertex", "vertices"), ("mode", "modes"))]


def verdict(numbers):
    vertex, mode = numbers["vertex"], numbers["mode"]
    ours = (f"vertices {vertex[0]['threshold']} to {vertex[-1]['threshold']}: {percent(vertex[0]['share'])} to "
            f"{percent(vertex[-1]['share'])} enriched, error {vertex[0]['error']:.0e} to {vertex[-1]['error']:.0e}; "
            f"modes {mode[0]['threshold']} to {mode[-1]['threshold']}: {mode[0]['modes']:.0f} to "
            f"{mode[-1]['modes']:.0f} modes, error {mode[0]['error']:.0e} to {mode[-1]['error']:.0e}")
    grows = all(a["share"] <= b["share"] + 0.02 for a, b in zip(vertex, vertex[1:]))
    gain, modal = vertex[0]["error"] / max(vertex[-1]["error"], 1e-300), mode[0]["error"] / max(mode[-1]["error"],
        1e-300)
    if not grows:
        return Verdict("differs", ours, "the enriched share does not grow steadily as the threshold falls")
    if vertex[-1]["share"] > 0.9 and gain > 100 and gain > modal > 1:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the test of progress keeps vertices out at small thresholds"
                   if vertex[-1]["share"] <= 0.9 else
                   "the error falls less")
