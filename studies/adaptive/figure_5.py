"""A cube of 5e3 Pa and 1000 kg/m^3 slides on a frictionless ramp. The largest error G of a vertex is that of
`steps.jsonl`. While the cube slides, it is far below the threshold 0.5. With a threshold of 0.02, the test of progress
decides. The last row enriches by the error alone: no progress is enough."""

from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .keys import converged, printed, shares, totals

STEPS = 40
LOW = {"adaptive__vertex_error": 0.02}
SETTINGS = {
    "as printed": printed("cube_on_ramp"),
    "vertex_error 0.02": printed("cube_on_ramp", **LOW),
    "vertex_error 0.02, by the error alone": printed("cube_on_ramp", adaptive__progress=1e12, **LOW),
}


def measure(engine):
    numbers = {}
    for name, settings in SETTINGS.items():
        rows, _ = engine.run("cube_on_ramp", "adaptive", ["materials.jelly.density=1000", *settings], steps=STEPS)
        numbers[name] = {"shares": shares(rows), "errors": [max(row["adaptive"]["iterations"]["error"], default=0)
                                                            for row in rows],
                         "handles": max(row["adaptive"]["handles"] for row in rows), "converged": converged(rows),
                         **totals(rows)}
    return numbers


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    plots.lines(left, {name: list(enumerate(row["errors"], 1)) for name, row in numbers.items()}, x="step",
                y="largest error of a vertex G", log="y")
    left.axhline(0.02, color="grey", linewidth=0.8)
    plots.lines(right, {name: [(k, 100 * value) for k, value in enumerate(row["shares"], 1)] for name,
                        row in numbers.items()},
                x="step", y="enriched vertices [%]")
    right.get_legend().remove()
    return figure


def tables(numbers):
    return [Table(f"{STEPS} steps", ["setting", "largest error G", "largest enriched share", "most handles",
                                     "iterations", "seconds"],
                  [[name, short(max(row["errors"])), percent(max(row["shares"])), row["handles"], row["iterations"],
                    short(row["seconds"])] for name, row in numbers.items()])]


def verdict(numbers):
    printed_row, tested, alone = numbers.values()
    rest = slice(STEPS // 4, None)  # the cube has settled
    means = [sum(row["shares"][rest]) / len(row["shares"][rest]) for row in (tested, alone)]
    ours = (f"with the threshold 0.02 {percent(means[0])} enriched on average with the test of progress, "
            f"{percent(means[1])} without; as printed {percent(max(printed_row['shares']))}, since errors stay below "
            f"{short(max(printed_row['errors']))}")
    if means[0] < 0.05 and means[1] > 0.1:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the test of progress keeps out few vertices" if means[0] >= 0.05
                   else "few vertices have a large error")
