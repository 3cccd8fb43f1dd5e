"""Remaining error of 324 candidates (24 inertia modes, 300 derivatives) by the number of modes that principal components
(PCA) or random combinations keep. Candidates are scaled to their share of a motion, as in Barbic and James 2005. The error
is that of all candidates together in the mass norm, over their norm."""

from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

from .keys import bench, held

LINEAR = 24
COUNTS = (2, 5, 10, 15, 20, 30, 40, 60, 80, 120)
METHODS = {"pca": "principal components", "random": "random"}


def measure(engine):
    rows = bench(engine, "reduction", held(engine, "octobot"), "octobot", LINEAR, *COUNTS)
    return {"candidates": rows[0]["candidates"], "tets": rows[0]["tets"],
            "rows": [{"modes": count, **{row["method"]: {"together": row["together"], "mean": row["mean"]}
                                         for row in rows if row["modes"] == count}} for count in COUNTS]}


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {label: [(row["modes"], row[method]["together"]) for row in numbers["rows"]] for method, label in METHODS.items()},
                x="modes", y="remaining error", log="y")
    return figure


def tables(numbers):
    return [Table(f"Remaining error of {numbers['candidates']} candidates", ["modes", "principal "
                                                                                      "components", "random", "ratio",
                                                                          "mean of candidates: principal "
                                                                          "components", "random"],
                  [[row["modes"], error(row["pca"]["together"]), error(row["random"]["together"]),
                    short(row["random"]["together"] / row["pca"]["together"]), error(row["pca"]["mean"]), error(row["random"]["mean"])]
                   for row in numbers["rows"]],
                  "The last two columns divide each candidate's error by its own norm.")]


def verdict(numbers):
    row = next(row for row in numbers["rows"] if row["modes"] == 30)
    ratio = row["random"]["together"] / row["pca"]["together"]
    ours = (f"30 modes leave {error(row['pca']['together'])} (principal components) and "
            f"{error(row['random']['together'])} (random)")
    if ratio < 1.5:
        return Verdict("same", ours)
    few = next(row for row in numbers["rows"] if row["modes"] == 10)
    return Verdict("differs", ours, "random combinations leave "
                                    f"{short(few['random']['together'] / few['pca']['together'])} times as much with "
                                    f"10 modes, {short(ratio)} times with 30: the candidates' weights fall steeply, "
                                    "and their mixtures lose the small ones")
