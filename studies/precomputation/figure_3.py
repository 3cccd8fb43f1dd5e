"""The first two of six inertia modes of an alligator that nothing holds. The paper's start, the rigid motions, gives nothing for
a free body, since all deformations are orthogonal to these motions. The start here is the linear and quadratic displacements. The
table has the largest angle between the six lowest vibrations, by Lanczos iteration, and the span of so many inertia modes."""

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

from .keys import SCENES, facts, lumped_mass, timed_modes

COUNT = 6
COUNTS = (6, 12, 24, 48, 96)


def measure(engine):
    module = engine.python()
    with temporary_folder() as folder:
        page = f"{folder}/modes.html"
        timed_modes(engine, SCENES / "free.json", "--kind", "inertia", "--count", COUNT, "--html", page, settings=[f"size={engine.size}"])
        engine.commands[-1] = engine.commands[-1].replace(page, "modes.html")
        for mode in (1, 2):
            engine.picture(page, f"mode_{mode}", "--no-legend", "--set", f"mode={mode}", size="360x300")
    mesh = module.read_mesh(facts(engine, "free")["shapes"][0]["file"])
    material = module.Material("stvk", young=1e6, poisson=0.4)
    root = numpy.sqrt(lumped_mass(mesh))[:, None]
    lowest = root * module.modes.linear(mesh, material, 6 + COUNT)[1][:, 6:]
    rows = []
    for count in COUNTS:
        basis = root * module.modes.inertia(mesh, material, count)[1]
        missing = numpy.linalg.norm(lowest - basis @ (basis.T @ lowest), 2)
        rows.append({"modes": count, "angle": numpy.degrees(numpy.arcsin(min(1.0, missing)))})
    return {"vertices": len(mesh.vertices), "rows": rows}


def tables(numbers):
    return [Table(f"Six lowest vibrations, {numbers['vertices']:,} vertices", ["inertia modes", *(row["modes"] for row in numbers["rows"])],
                  [["largest angle [degrees]", *(short(row["angle"]) for row in numbers["rows"])]])]


def verdict(numbers):
    last = numbers["rows"][-1]
    return Verdict("shown", f"pictures below; {last['modes']} inertia modes hold the six lowest vibrations within "
                            f"{short(last['angle'])} degrees")
