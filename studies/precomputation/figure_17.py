"""A tree of 364 branches whose trunk is fixed sways in gusts of wind, Mooney-Rivlin material. Domains have modes of their
own; 100 domains hold three or four branches each, 364 domains about one. The error is the largest distance from `newton`
in 25 steps of 0.02 s, over the largest motion. With linear modes alone, branches of one domain cannot turn against each
other, and this causes most of the error; points of cubature hardly matter."""

import json

import numpy

from studies.frame.numbers import percent, rounded, short
from studies.frame.paper import Table, Verdict

from .keys import built
from .voxels import tree

STEPS = 25
TETS = {"small": 12_000, "medium": 23_000, "large": 200_000}
# kind, modes of each domain, domains, rule of cubature
CASES = (("inertia", 6, 100, "all"), ("inertia", 6, 100, "energies"), ("inertia", 20, 100, "energies"),
         ("inertia_derivatives", 20, 100, "energies"), ("inertia", 6, 364, "energies"))


def scene_of(path):
    gusts = {"times": [0, 0.5, 1, 1.5], "values": [[0, 0, 0], [4, 0, 1], [-2, 0, 2], [5, 0, -2]]}
    return {"sinew": 1,
            "materials": {"wood": {"model": "mooney_rivlin", "c10": 3e6, "c01": 8e5, "kappa": 1.7e7, "density": 600}},
            "bodies": [{"mesh": str(path), "material": "wood", "fix": [{"box": [[-9, -9, -9], [9, 0.1, 9]]}], "acceleration": gusts}],
            "contact": {"enabled": False}, "time": {"step": 0.02, "steps": STEPS, "integrator": "bdf2"}}


def moves(simulation):
    failed, positions = 0, [numpy.array(simulation.positions)]
    for _ in range(STEPS):
        failed += not simulation.step()["converged"]
        positions.append(numpy.array(simulation.positions))
    return numpy.array(positions), failed


def measure(engine):
    module = engine.python()
    mesh = tree(module, TETS.get(engine.size, TETS["small"]))
    path = engine.path("tree").with_suffix(".vtu")
    module.write_mesh(path, mesh)
    scene = scene_of(path)
    exact, _ = moves(module.Simulation({**scene, "solver": {"method": "newton"}}))
    moved = numpy.linalg.norm(exact - exact[0], axis=2).max()
    rows = []
    for kind, modes, domains, rule in CASES:
        solver = {"method": "reduced", "subspace": kind, "handles": modes, "domains": domains, "cubature": rule}
        case = {**scene, "solver": solver}
        file = engine.path(f"{kind}_{modes}_{domains}_{rule}").with_suffix(".json")
        file.write_text(json.dumps(case, indent=1) + "\n")
        engine.note("run", file, "--steps", STEPS, "-o", "out/tree")
        simulation, seconds = built(engine, case)
        found, failed = moves(simulation)
        rows.append({"kind": kind, "modes": modes, "domains": domains, "rule": rule, "coordinates": len(simulation.reduced_coordinates),
                     "setup": seconds, "failed": failed, "error": numpy.linalg.norm(found - exact, axis=2).max() / moved})
    return {"tets": len(mesh.tets), "moved": moved, "rows": rows}


def tables(numbers):
    return [Table(f"A tree of {numbers['tets']:,} tets whose tips move by {numbers['moved']:.2g} m",
                  ["domains", "modes of each", "kind", "cubature", "coordinates", "preparation [s]", "error"],
                  [[row["domains"], row["modes"], f"`{row['kind']}`", f"`{row['rule']}`", f"{row['coordinates']:,}", short(row["setup"]),
                    percent(row["error"])] for row in numbers["rows"]])]


def verdict(numbers):
    best = min(numbers["rows"], key=lambda row: row["error"])
    worst = max(numbers["rows"], key=lambda row: row["error"])
    longest = max(row["setup"] for row in numbers["rows"])
    ours = (f"{rounded(numbers['tets'])} tets: {percent(best['error'])} error with {best['domains']} domains of "
            f"{best['modes']} `{best['kind']}`, up to {percent(worst['error'])} with linear modes; preparing takes at "
            f"most {short(longest)} s")
    # Their preparation is per tet: 60 s for 1,102,000.
    if best["error"] < 0.1 and longest < 60:
        return Verdict("same", ours)
    return Verdict("differs", ours, "domains are far from `newton`")
