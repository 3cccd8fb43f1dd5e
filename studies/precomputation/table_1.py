"""Seconds before the first step: 12 inertia modes, 78 derivatives, 30 modes of these, training poses, and weights of modal
cubature. One shape at several edge lengths, without reading the mesh. The paper has another model for each size and eight
cores."""

from studies.frame.numbers import rounded, short
from studies.frame.paper import Table, Verdict

from .keys import NO_CACHE, built, held

EDGES = {"small": (0.0203, 0.0161), "medium": (0.0203, 0.0161, 0.0129), "large": (0.0203, 0.0161, 0.0129, 0.0094)}
THEIRS = {50_000: (217, 4.2), 65_496: (225, 4.8), 77_337: (228, 6.6), 100_000: (198, 7.2), 193_700: (150, 9.7)}


def measure(engine):
    result = []
    for edge in EDGES.get(engine.size, EDGES["small"]):
        scene = held(engine, "octobot", size=edge)
        engine.note("run", "studies/precomputation/scenes/octobot.json", "--set", f"size={edge}", "--set",
                    "solver.multilevel.cache=false", "--steps", "1", "-o", "out/prepared")
        simulation, seconds = built(engine, scene)
        part = simulation.subspace["substructures"][0]
        result.append({"tets": engine.check("studies/precomputation/scenes/octobot.json", [f"size={edge}"])[0]["tets"],
                       "coordinates": 3 * len(simulation.positions), "poses": part["poses"].shape[1], "points": len(part["tets"]),
                       "error": part["training_error"], "seconds": seconds})
    return result


def near(tets):
    return min(THEIRS, key=lambda theirs: abs(theirs - tets))


def tables(numbers):
    return [Table("Preparation of 30 modes", ["tets", "coordinates", "poses", "seconds", "theirs: tets", "poses", "seconds"],
                  [[rounded(row["tets"]), f"{row['coordinates']:,}", row["poses"], short(row["seconds"]),
                    rounded(near(row["tets"])), *THEIRS[near(row["tets"])]] for row in numbers])]


def verdict(numbers):
    ours = ", ".join(f"{short(row['seconds'])} s for {rounded(row['tets'])} tets ({row['poses']} "
                     "poses)" for row in numbers)
    ratios = [row["seconds"] / row["tets"] * near(row["tets"]) / THEIRS[near(row["tets"])][1] for row in numbers]
    if max(ratios) < 1:
        return Verdict("better", ours)
    if max(ratios) < 2:
        return Verdict("same", ours)
    return Verdict("differs", ours, "preparing takes more than twice as long per tet")
