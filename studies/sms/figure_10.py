"""Clusters of an H of 22,000 tets, stiff (1e8 Pa) inside and soft (1e6 Pa) at its four ends, with 24 handles. A
boundary of clusters may lie one layer of tets beside the interface of the materials, so the share of a cluster's main
material tells whether it conforms. "Stiff over soft" compares mean volumes of clusters. `geodesic` measures distances
through the solid by fast marching, `heat` by heat diffusion as in the paper. `metis` knows the mesh alone, `euclidean`
ignores the shape."""

import json
import pathlib

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from . import decode

HANDLES = 24
EDGE = 0.01
KINDS = {"geodesic, exponent 1": ("geodesic", 1), "heat, exponent 1": ("heat", 1),
         "geodesic, exponent 0 (default)": ("geodesic", 0),
         "metis": ("metis", 0), "euclidean": ("euclidean", 0)}


def regions():
    """An H: 1 in its stiff middle, 0 in its soft ends."""
    x, y, _ = np.meshgrid(np.arange(56), np.arange(60), np.arange(2), indexing="ij")
    legs, bridge = (x < 16) | (x >= 40), (y >= 22) & (y < 38)
    stiff = (y >= 16) & (y < 44)
    return np.where(legs | bridge, np.where(stiff, 1, 0), -1)


def write_scene(engine, folder):
    """The scene of the H; its mesh."""
    mesh = decode.voxel_mesh(engine, pathlib.Path(folder) / "h.msh", regions(), EDGE)
    material = {"model": "neo_hookean", "poisson": 0.4, "density": 1000}
    scene = {"name": "H", "materials": {"soft": {**material, "young": 1e6}, "stiff": {**material, "young": 1e8}},
             "bodies": [{"name": "h", "mesh": "h.msh", "material": {"regions": {"1": "soft", "2": "stiff"}}}]}
    path = pathlib.Path(folder) / "h.json"
    path.write_text(json.dumps(scene))
    return path, mesh


def page(engine, scene, folder, *more, partition="geodesic", exponent=1, name="subspace"):
    settings = [f"solver.multilevel.partition={partition}", f"solver.multilevel.stiffness_exponent={exponent}"]
    result = decode.page(engine, scene, folder, "--handles", HANDLES, *more, settings=settings, name=name)
    engine.commands[-1] = engine.commands[-1].replace(str(folder), "out")
    return result


def measure(engine):
    numbers = {}
    with temporary_folder() as folder:
        scene, (_, _, region) = write_scene(engine, folder)
        for name, (partition, exponent) in KINDS.items():
            result = page(engine, scene, folder, partition=partition, exponent=exponent)
            counts = decode.clusters_in(result)
            pure = float(decode.materials_of(result).max(axis=1).mean())
            volumes = [(region == kind).sum() / max(counts[name], 0.5) for kind, name in ((0, "soft"), (1, "stiff"))]
            between, on = decode.on_interfaces(result)
            numbers[name] = {"clusters": result["summary"]["clusters"], "on": on, "between": between, "pure": pure,
                             "ratio": volumes[1] / volumes[0], "balance": result["summary"]["volume_balance"]}
            if partition == "geodesic":
                engine.picture(result["path"], f"exponent_{exponent}", "--view=0:8:1", "--no-legend", "--set",
                               "dots=")
        from .pictures import join
        join(engine, "clusters", ["exponent_1", "exponent_0"], ["exponent 1, as in the paper",
                                                                "exponent 0, the default"])
    return numbers


def tables(numbers):
    return [Table("Partitions", ["partition", "clusters", "interface exactly between clusters",
                                 "share of a cluster's main material",
                                 "stiff over soft", "largest over mean volume"],
                  [[name, row["clusters"], percent(row["on"], 0), percent(row["pure"], 0), short(row["ratio"]),
                    short(row["balance"])]
                   for name, row in numbers.items()])]


def verdict(numbers):
    own, plain = numbers["geodesic, exponent 1"], numbers["metis"]
    ours = (f"clusters consist to {percent(own['pure'], 0)} of one material (METIS {percent(plain['pure'], 0)}); stiff "
            f"clusters are {short(own['ratio'])} times as large as soft ones")
    if own["pure"] > 0.9 and 1 - own["pure"] < 0.6 * (1 - plain["pure"]) and own["ratio"] > 1.5:
        return Verdict("same", ours)
    return Verdict("differs", ours, "clusters reach across the interface")
