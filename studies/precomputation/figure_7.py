"""Cosines of all pairs of 240 inertia modes before Gram-Schmidt, with exact products. Each order of modes starts from the
orthonormal modes of the order before. The curve is the normal distribution of the same mean and deviation."""

import math

from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .keys import MODELS, bench, held

COUNT = 240
WIDTH = 0.1  # of a bin


def measure(engine):
    result = {}
    for model in MODELS:
        row = next(row for row in bench(engine, "orthogonality", held(engine, model), model, COUNT) if row["part"] == "cosines")
        result[model] = {"pairs": row["pairs"], "vertices": row["vertices"], "small": row["below_1e-3"], "counts": row["counts"]}
    return result


def places(counts):
    return [-1 + WIDTH * (k + 0.5) for k in range(len(counts))]


def moments(row):
    mean = sum(p * c for p, c in zip(places(row["counts"]), row["counts"])) / row["pairs"]
    return mean, math.sqrt(sum((p - mean)**2 * c for p, c in zip(places(row["counts"]), row["counts"])) / row["pairs"])


def draw(numbers, plots):
    figure, axes = plots.axes(len(numbers), width=2.6, height=2.6)
    for ax, (model, row) in zip(axes, numbers.items()):
        mean, deviation = moments(row)
        ax.bar(places(row["counts"]), row["counts"], WIDTH, color=plots.COLOURS[0])
        grid = [-1 + 0.01 * k for k in range(201)]
        ax.plot(grid, [row["pairs"] * WIDTH / deviation / math.sqrt(2 * math.pi) * math.exp(-((x - mean) / deviation)**2 / 2)
                       for x in grid], color=plots.COLOURS[1], linewidth=1.3)
        ax.set_xlabel("cosine")
        ax.set_title(model, fontsize=9)
    axes[0].set_ylabel("pairs")
    return figure


def tables(numbers):
    rows = []
    for model, row in numbers.items():
        middle = len(row["counts"]) // 2
        rows.append([model, f"{row['vertices']:,}", f"{row['pairs']:,}", percent(row["small"]),
                     percent(sum(row["counts"][middle - 1:middle + 1]) / row["pairs"]), short(moments(row)[1])])
    return [Table("Cosines", ["model", "vertices", "pairs", "below 0.001", "below 0.1", "deviation"], rows)]


def verdict(numbers):
    small = [row["small"] for row in numbers.values()]
    ours = f"{100 * min(small):.0f} to {100 * max(small):.0f} % of the pairs have cosines below 0.001"
    # "A considerable portion is already almost orthogonal": at least half, and the bell is centred.
    holds = min(small) > 0.5 and all(abs(moments(row)[0]) < 0.1 for row in numbers.values())
    return Verdict("same", ours) if holds else Verdict("differs", ours, "fewer pairs are nearly orthogonal")
