"""Seconds to make 30 modes of 189 candidates (18 inertia modes, 171 derivatives), with meshes of one shape at several edge
lengths. Both methods end with Gram-Schmidt and a rotation to diagonal stiffness."""

from studies.frame.numbers import rounded, short, slope
from studies.frame.paper import Table, Verdict

from .figure_11 import METHODS
from .keys import bench, held

EDGES = {"small": (0.05, 0.04, 0.03, 0.022), "medium": (0.03, 0.022, 0.016, 0.0128), "large": (0.022, 0.016, 0.0128, 0.0094)}


def measure(engine):
    result = []
    for edge in EDGES.get(engine.size, EDGES["small"]):
        rows = bench(engine, "reduction", held(engine, "octobot", size=edge), f"octobot_{edge}", 18, 30)
        result.append({"tets": rows[0]["tets"], "candidates": rows[0]["candidates"],
                       **{row["method"]: row["seconds"] for row in rows}})
    return result


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {label: [(row["tets"], row[method]) for row in numbers] for method, label in METHODS.items()}, x="tets", y="seconds")
    return figure


def tables(numbers):
    return [Table("Seconds", ["tets", *METHODS.values(), "ratio"],
                  [[rounded(row["tets"]), short(row["pca"]), short(row["random"]), short(row["pca"] / row["random"])]
                   for row in numbers])]


def verdict(numbers):
    ratios = [row["pca"] / row["random"] for row in numbers]
    growth = {method: slope([(row["tets"], row[method]) for row in numbers]) for method in METHODS}
    ours = (f"principal components take {min(ratios):.2g} to {max(ratios):.2g} times as long; seconds grow with "
            f"exponents {growth['pca']:.2g} and {growth['random']:.2g} of the number of tets")
    if min(ratios) > 2:
        return Verdict("same", ours)
    return Verdict("differs", ours, "principal components come from the small Gram matrix of the candidates")
