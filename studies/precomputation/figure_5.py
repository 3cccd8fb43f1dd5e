"""The mean error of the sampled cosine of two inertia modes, by the number of sampled vertices, for all pairs of 240 modes
before Gram-Schmidt. One vertex stands for each box of a grid. The paper divides errors by the products, which vanish for
orthogonal modes; here modes have unit norm and errors stand as they are."""

import math

from studies.frame.numbers import error, short, slope
from studies.frame.paper import Table, Verdict

from .keys import MODELS, bench, held

COUNT = 240


def measure(engine):
    return {model: [{key: row[key] for key in ("vertices", "sample", "mean", "largest")}
                    for row in bench(engine, "orthogonality", held(engine, model), model, COUNT)
                    if row["part"] == "products" and row["sample"] < row["vertices"]] for model in MODELS}


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {f"{model}, {rows[0]['vertices']:,} vertices": [(row["sample"], row["mean"]) for row in rows]
                     for model, rows in numbers.items()},
                x="sampled vertices", y="mean error of a cosine", log="xy")
    return figure


def near(rows, wanted):
    return min(rows, key=lambda row: abs(math.log(row["sample"] / wanted)))


def tables(numbers):
    wanted = (50, 100, 200, 400, 800)
    return [Table("Mean error of a cosine by sampled vertices", ["model", "vertices", *wanted, "exponent"],
                  [[model, f"{rows[0]['vertices']:,}", *(error(near(rows, count)["mean"]) for count in wanted),
                    short(slope([(row["sample"], row["mean"]) for row in rows]))] for model, rows in numbers.items()])]


def verdict(numbers):
    few, many = ([near(rows, count)["mean"] for rows in numbers.values()] for count in (50, 400))
    falls = all(b < a / 2 for a, b in zip(few, many))
    ours = f"mean error {min(few):.2g} to {max(few):.2g} with 50 vertices, {min(many):.2g} to {max(many):.2g} with 400"
    if not falls:
        return Verdict("differs", ours, "the error does not fall")
    if max(many) < 0.001:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the error falls, but not below the threshold of 0.001, which the paper compares "
                                    "sampled cosines with")
