"""The regions of the soft jello, as frames of `sinew run` show them, and the spread of their volumes. "Spread" is the
standard deviation over the mean."""

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

from . import frames

SCENES = ("jello_soft", "iceberg_boat", "spiky_roller")
COUNTS = (20, 60)


def measure(engine):
    numbers = []
    for scene in SCENES:
        for count in COUNTS:
            with temporary_folder() as folder:
                engine.keep_run(scene, "adaptive", f"{folder}/run", [f"solver.adaptive.regions={count}"])
                frame = frames.read(frames.paths(f"{folder}/run")[-1])
            volume = frames.volumes(frame["Points"] - frame["displacement"], frame["tets"])
            regions = numpy.bincount(frame["region"], weights=volume)
            tets = numpy.bincount(frame["region"])
            used = tets > 0
            numbers.append({"scene": scene, "regions": int(used.sum()), "asked": count,
                            "volume": float(regions[used].std() / regions[used].mean()),
                            "tets": float(tets[used].std() / tets[used].mean()), "tets_mean": float(tets[used].mean())})
    return numbers


def tables(numbers):
    return [Table("Regions", ["scene", "regions", "tets of a region", "spread of tets", "spread of volume"],
                  [[row["scene"], row["regions"], f"{row['tets_mean']:.0f}", short(row["tets"]), short(row["volume"])]
                   for row in numbers])]


def verdict(numbers):
    tets, volume = max(row["tets"] for row in numbers), max(row["volume"] for row in numbers)
    ours = f"standard deviations of a region: volume {short(100 * volume)} %, number of tets {short(100 * tets)} %"
    if volume < 0.5:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the volumes of regions vary more")
