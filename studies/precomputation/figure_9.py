"""Mean error of the forces of modal cubature by the number of training poses, in the poses of the fit (left) and in 1000
others (right). 20 modes, 80 points, random poses without the adjustment of figure 10."""

from studies.frame.numbers import percent
from studies.frame.paper import Table, Verdict

from .keys import MODELS, bench, held

MODES, OTHERS = 20, 1000


def training(engine, model):
    scene = held(engine, model, handles=MODES, cubature={"rule": "modal_forces", "poses": 1})
    return bench(engine, "training", scene, model, OTHERS)


def measure(engine):
    return {model: [{key: row[key] for key in ("points", "poses", "fit", "other")}
                    for row in training(engine, model) if not row["adjusted"]] for model in MODELS}


def draw(numbers, plots):
    figure, axes = plots.axes(2, width=3.8)
    for ax, key, title in zip(axes, ("fit", "other"), ("poses of the fit", "1000 other poses")):
        plots.lines(ax, {model: [(row["poses"], row[key]) for row in rows] for model, rows in numbers.items()},
                    x="training poses", y="mean error of forces", title=title)
    return figure


def ends(rows):
    """The poses at which both errors have come within a tenth of their last values for good."""
    last = rows[-1]
    settled = [row for row in rows if abs(row["other"] / last["other"] - 1) > 0.1 or abs(row["fit"] / last["fit"] - 1) > 0.1]
    return next(row["poses"] for row in rows if not settled or row["poses"] > settled[-1]["poses"])


def tables(numbers):
    return [Table("Errors by training poses", ["model", "poses", "fit", "others", "poses", "fit", "others", "settled from"],
                  [[model, rows[0]["poses"], percent(rows[0]["fit"]), percent(rows[0]["other"]), rows[-1]["poses"],
                    percent(rows[-1]["fit"]), percent(rows[-1]["other"]), ends(rows)] for model, rows in numbers.items()],
                  "Settled: both errors are within a tenth of their last values.")]


def verdict(numbers):
    rises = all(rows[-1]["fit"] > 1.2 * rows[0]["fit"] for rows in numbers.values())
    falls = all(rows[-1]["other"] < rows[0]["other"] / 1.2 for rows in numbers.values())
    settle = all(ends(rows) < 0.8 * rows[-1]["poses"] for rows in numbers.values())
    low, high = (pick(rows[-1][key] for rows in numbers.values()) for pick, key in ((min, "fit"), (max, "other")))
    poses = max(rows[-1]["poses"] for rows in numbers.values())
    ours = (f"errors of {percent(low)} to {percent(high)} after {poses} poses; within a tenth of them from "
            f"{max(map(ends, numbers.values()))} poses on")
    if rises and falls and settle:
        return Verdict("same", ours)
    wrong = [text for text, right in (("the error of the fit does not rise", rises), ("that of others does not "
                                                                                      "fall", falls),
                                      ("they do not settle", settle)) if not right]
    return Verdict("differs", ours, " and ".join(wrong))

