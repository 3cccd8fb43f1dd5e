"""Seconds of Gram-Schmidt within the iteration of inertia modes, for four variants:

- modified: one column against all others, products over all vertices,
- in blocks: exact too, the default,
- sampled: products over a sample of vertices (equation 6),
- reduced: also skips subtractions whose sampled cosine is below 0.001.

The paper's sample has about log n vertices. Here it has at least ten per mode, because smaller ones give dependent modes.
The last column counts pairs whose exact cosine is below the threshold. Culling would remove so many subtractions if
sampled cosines were exact."""

from studies.frame.numbers import error, percent, short
from studies.frame.paper import Table, Verdict

from .keys import bench, held

COUNTS = (30, 60, 120, 240)
VARIANTS = {"modified": "modified", "blocks": "in blocks", "sampled": "sampled products", "reduced": "reduced"}


def measure(engine):
    rows = bench(engine, "orthogonality", held(engine, "octobot"), "octobot", *COUNTS)
    result = []
    for count in COUNTS:
        of = {row["variant"]: row for row in rows if row["part"] == "gram_schmidt" and row["count"] == count}
        cosines = next(row for row in rows if row["part"] == "cosines" and row["count"] == count)
        sample = [row for row in rows if row["part"] == "products" and row["count"] == count]
        result.append({"modes": count, "vertices": cosines["vertices"], "small": cosines["below_1e-3"],
                       "sampled_error": min(sample, key=lambda row: abs(row["sample"] - 10 * count))["mean"],
                       **{name: {key: of[name][key] for key in ("seconds", "largest", "condition")} for name in VARIANTS}})
    return result


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {label: [(row["modes"], row[name]["seconds"]) for row in numbers] for name, label in VARIANTS.items()},
                x="modes", y="seconds", log="y", title=f"{numbers[0]['vertices']:,} vertices")
    return figure


def tables(numbers):
    return [Table("Seconds of Gram-Schmidt", ["modes", *VARIANTS.values(), "largest product, reduced", "error of a sampled cosine",
                                             "cosines below 0.001"],
                  [[row["modes"], *(short(row[name]["seconds"]) for name in VARIANTS), error(row["reduced"]["largest"]),
                    error(row["sampled_error"]), percent(row["small"])] for row in numbers])]


def verdict(numbers):
    last = numbers[-1]
    gain = last["modified"]["seconds"] / last["reduced"]["seconds"]
    ours = f"{last['modes']} modes of {last['vertices']:,} vertices: reduced is {gain:.2g} times as fast as modified"
    if gain > 30:
        return Verdict("same", ours)
    return Verdict("differs", ours, f"sampled cosines err by {error(last['sampled_error'])}, so few are below the "
                                    f"threshold of 0.001. Exact cosines would skip {percent(last['small'], 0)} of the "
                                    f"subtractions, a gain of {2 / (1 - last['small']):.0f} at most")
