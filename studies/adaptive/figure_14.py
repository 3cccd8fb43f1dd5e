"""An anvil falls on blocks of three stiffnesses. The share is that of the step with the most enriched vertices, over
all vertices of the scene. G is the error that `vertex_error` bounds."""

from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .keys import converged, printed, shares, totals

STEPS = 14
SCENES = {"jello_soft": 0.77, "jello_rubber": 0.11, "jello_stiff": 0.0}  # the shares of the paper
KINDS = {"as printed": printed, "vertex_error 0.1": lambda scene: printed(scene, adaptive__vertex_error=0.1),
         "vertex_error 0.02": lambda scene: printed(scene, adaptive__vertex_error=0.02), "default": lambda scene: []}


def measure(engine):
    numbers = {}
    for kind, settings in KINDS.items():
        for scene in SCENES:
            rows, _ = engine.run(scene, "adaptive", settings(scene), steps=STEPS)
            errors = [max(row["adaptive"]["iterations"]["error"], default=0) for row in rows]
            numbers.setdefault(kind, {})[scene] = {"share": max(shares(rows)),
                                                   "handles": max(row["adaptive"]["handles"] for row in rows),
                                                   "error": max(errors), "converged": converged(rows), **totals(rows)}
    return numbers


def draw(numbers, plots):
    figure, ax = plots.axes()
    series = {"TS": [100 * value for value in SCENES.values()]}
    series |= {f"sinew, {kind}": [100 * numbers[kind][scene]["share"] for scene in SCENES] for kind in KINDS}
    plots.bars(ax, ["1e5 Pa", "1e6 Pa", "1e9 Pa"], series, y="enriched vertices [%]")
    return figure


def tables(numbers):
    return [Table(f"{STEPS} steps", ["setting", "scene", "enriched", "TS", "largest error G", "most handles",
                                     "iterations", "seconds"],
                  [[kind, scene, percent(row["share"]), percent(SCENES[scene], 0), short(row["error"]), row["handles"],
                    row["iterations"], short(row["seconds"])] for kind in KINDS for scene,
                    row in numbers[kind].items()])]


def ordered(numbers, kind):
    soft, rubber, stiff = (numbers[kind][scene]["share"] for scene in SCENES)
    return soft > 0.2 and soft > rubber >= stiff and stiff < 0.01


def verdict(numbers):
    ours = "; ".join(f"{kind}: " + ", ".join(percent(numbers[kind][scene]["share"]) for scene in SCENES)
                     for kind in KINDS)
    if ordered(numbers, "as printed"):
        return Verdict("same", ours)
    largest = max(row["error"] for row in numbers["as printed"].values())
    kinds = [kind for kind in KINDS if kind != "default" and ordered(numbers, kind)]
    order = f"; with {kinds[0]} the order is that of the paper" if kinds else ""
    if largest < 0.5:
        return Verdict("differs", ours,
                       f"no vertex has an error above {short(largest)}, so that 0.5 enriches nothing. The paper's "
                       f"error may be larger: how its equation 9 smooths the gradient is not said{order}")
    return Verdict("differs", ours, f"few vertices have an error above 0.5 and progress below 1e-4{order}")
