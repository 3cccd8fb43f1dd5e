"""Volumes of the clusters of four shapes with and without pruning (`multilevel.prune_ratio` 1.75 and `off`). Distances
do not depend on stiffness here (`stiffness_exponent` 0), so that clusters should be equally large. Volumes are relative
to the median, and numbers are means over 25, 50 and 100 handles. k-means starts from k-means++, where the paper samples
the shape densely."""

import json
import pathlib

import numpy

from studies.frame.engine import call, temporary_folder
from studies.frame.numbers import rounded, short
from studies.frame.paper import Table, Verdict

SHAPES = ("kooshball", "octobot", "gator", "crab")
HANDLES = (25, 50, 100)
RATIOS = ("1.75", "off")


def balance(engine, scene, handles, ratio):
    """Largest and smallest volume over the median; the number of tets and clusters."""
    with temporary_folder() as folder:
        report = pathlib.Path(folder) / "subspace.json"
        settings = ["solver.multilevel.stiffness_exponent=0", f"solver.multilevel.prune_ratio={ratio}"]
        call(engine.sinew, *engine.words("subspace", scene, settings, "--handles", handles), "--json", report)
        facts = json.loads(report.read_text())
    volumes = numpy.array(facts["cluster_volumes"])
    median = float(numpy.median(volumes))
    return {"tets": facts["tets"], "clusters": len(volumes), "largest": float(volumes.max()) / median,
            "smallest": float(volumes.min()) / median}


def measure(engine):
    return {scene: {ratio: [balance(engine, scene, handles, ratio) for handles in HANDLES] for ratio in RATIOS}
            for scene in SHAPES}


def mean(rows, key):
    return sum(row[key] for row in rows) / len(rows)


def tables(numbers):
    def cells(rows):
        return [short(mean(rows, "largest")), short(mean(rows, "smallest"))]
    return [Table("Volumes of clusters over their median",
                  ["scene", "tets", "pruned: largest", "pruned: smallest", "k-means alone: largest",
                   "k-means alone: smallest"],
                  [[scene, rounded(rows["1.75"][0]["tets"]), *cells(rows["1.75"]), *cells(rows["off"])]
                   for scene, rows in numbers.items()])]


def verdict(numbers):
    """Balanced clusters are no smaller than the median over the ratio of pruning."""
    def values(ratio, key):
        return [mean(rows[ratio], key) for rows in numbers.values()]

    def span(ratio, key):
        return f"{short(min(values(ratio, key)))} to {short(max(values(ratio, key)))}"
    ours = (f"k-means alone: largest {span('off', 'largest')}, smallest {span('off', 'smallest')} times the median; pruned: "
            f"{span('1.75', 'largest')} and {span('1.75', 'smallest')}")
    alone, pruned = values("off", "smallest"), values("1.75", "smallest")
    if not all(a < p for a, p in zip(alone, pruned)):
        return Verdict("differs", ours, "pruning does not enlarge the smallest clusters of all shapes")
    if min(pruned) < 0.9 / 1.75:
        return Verdict("differs", ours, "pruning makes clusters more even, but small ones remain: it ends once as many "
                                        "clusters are left as handles were asked for")
    return Verdict("same", ours)
