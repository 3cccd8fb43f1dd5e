"""Cubature tets of the H of figure 10 by rule, with the clusters of the paper (`stiffness_exponent: 1`). `modal` is the
rule of the paper, `stiffness` the default. Points stand at middles of tets."""

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

from . import decode, figure_10

RULES = ("modal", "stiffness", "polynomial")


def nearest(points, middles):
    return np.array([((middles - point)**2).sum(axis=1).argmin() for point in points])


def measure(engine):
    numbers = {}
    with temporary_folder() as folder:
        scene, (vertices, tets, region) = figure_10.write_scene(engine, folder)
        middles = vertices[tets].mean(axis=1)
        share = [float((region == kind).mean()) for kind in (0, 1)]
        for rule in RULES:
            result = figure_10.page(engine, scene, folder, "--cubature", "--set", f"solver.cubature={rule}")
            where = region[nearest(result["points"], middles)]
            counts = [int((where == kind).sum()) for kind in (0, 1)]
            inside = decode.clusters_in(result)
            clusters = [inside["soft"], inside["stiff"]]
            numbers[rule] = {"soft": counts[0], "stiff": counts[1], "tets": len(tets),
                             "soft_share": counts[0] / (share[0] * len(tets)),
                             "stiff_share": counts[1] / (share[1] * len(tets)),
                             "soft_cluster": counts[0] / max(clusters[0], 0.5),
                             "stiff_cluster": counts[1] / max(clusters[1], 0.5)}
            if rule == "modal":
                engine.picture(result["path"], "points", "--view=0:8:1", "--no-legend", "--set", "dots=cubature")
    return numbers


def tables(numbers):
    return [Table("Cubature tets", ["rule", "soft", "stiff", "per 1000 soft tets", "per 1000 stiff tets",
                                    "per soft cluster",
                                    "per stiff cluster"],
                  [[rule, row["soft"], row["stiff"], short(1000 * row["soft_share"], 3),
                    short(1000 * row["stiff_share"], 3),
                    short(row["soft_cluster"], 3), short(row["stiff_cluster"], 3)] for rule, row in numbers.items()])]


def verdict(numbers):
    row = numbers["modal"]
    ours = (f"{short(1000 * row['soft_share'], 3)} points per 1000 soft tets, {short(1000 * row['stiff_share'], 3)} "
            "per 1000 stiff tets (rule modal)")
    if row["soft_share"] > 1.5 * row["stiff_share"]:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the rule takes about as many points in stiff tets")
