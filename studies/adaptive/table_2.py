"""Materials, time steps, tolerances and Poisson's ratios of the gallery's scenes, from `sinew check`, against the
paper's table. Regions, thresholds, drop rates and numbers of modes are settings of the studies marked "as printed"."""

from studies.frame.numbers import number, rounded
from studies.frame.paper import Table, Verdict

from .keys import DIMENSION, TABLE_2


def measure(engine):
    numbers = {}
    for scene in TABLE_2:
        run, text = engine.check(scene)
        young = [material["young"] for material in text["materials"].values()]
        numbers[scene] = {"tets": run["tets"], "young": (min(young), max(young)),
                          "poisson": sorted({material["poisson"] for material in text["materials"].values()}),
                          "step": text["time"]["step"], "tolerance": run["tolerance"],
                          "integrator": text["time"]["integrator"]}
    return numbers


def differences(scene, row):
    wanted = TABLE_2[scene]
    found = []
    if tuple(row["young"]) != wanted["young"]:
        found.append("Young's moduli")
    if row["poisson"] != [wanted["poisson"]]:
        found.append("Poisson's ratio")
    found += [name for name, key in (("time step", "step"), ("tolerance", "tolerance")) if row[key] != wanted[key]]
    if row["integrator"] != "bdf2":
        found.append("integrator")
    return found


def tables(numbers):
    return [Table("Scenes", ["scene", "tets", "E [Pa]", "nu", "h [s]", "tolerance [m/s]", "regions",
                             "thresholds (modes, vertices)", "drop rate",
                             "first modes", "differs from TS in"],
                  [[scene, rounded(row["tets"]), " to ".join(sorted({number(value) for value in row["young"]},
                                                                    key=float)),
                    ", ".join(map(number, row["poisson"])), number(row["step"]), number(row["tolerance"]),
                    TABLE_2[scene]["regions"],
                    "{}, {}".format(*TABLE_2[scene]["error"]), TABLE_2[scene]["drop"],
                    TABLE_2[scene]["initial"] // DIMENSION,
                    ", ".join(differences(scene, row)) or "-"] for scene, row in numbers.items()],
                  "First modes: handles of 12 dimensions.")]


def verdict(numbers):
    wrong = {scene: differences(scene, row) for scene, row in numbers.items() if differences(scene, row)}
    ours = f"{len(numbers) - len(wrong)} of {len(numbers)} scenes have the paper's materials, steps and tolerances"
    if not wrong:
        return Verdict("same", ours)
    return Verdict("differs", ours, "; ".join(f"{scene}: {', '.join(found)}" for scene, found in wrong.items()))
