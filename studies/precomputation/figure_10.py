"""Mean error of forces in 1000 other poses by the number of training poses. With the adjustment of algorithm 1, later poses
surround the mean of the worst fifth of all poses. Without it, all poses surround the rest shape. Both begin alike."""

from studies.frame.numbers import percent
from studies.frame.paper import Table, Verdict

from .figure_9 import training


def measure(engine):
    rows = training(engine, "octobot")
    by_poses = {}
    for row in rows:
        if "ends" in row:
            by_poses.setdefault(row["poses"], {})["adjusted" if row["adjusted"] else "random"] = row["other"]
    return [{"poses": poses, **both} for poses, both in by_poses.items() if len(both) == 2]


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {label: [(row["poses"], row[key]) for row in numbers]
                     for key, label in (("adjusted", "with adjustment"), ("random", "without"))},
                x="training poses", y="mean error in other poses")
    return figure


def tables(numbers):
    chosen = numbers[::max(1, len(numbers) // 6)]
    return [Table("Mean error in other poses", ["poses", "with adjustment", "without"],
                  [[row["poses"], percent(row["adjusted"], 2), percent(row["random"], 2)] for row in chosen])]


def verdict(numbers):
    later = numbers[1:]
    ratio = sum(row["adjusted"] / row["random"] for row in later) / len(later)
    ours = f"with the adjustment the error is {ratio:.2f} times that without, mean over {len(later)} rounds"
    if ratio < 0.9:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the worst poses lie on all sides, so their mean is near the rest shape")
