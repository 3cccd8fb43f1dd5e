"""All vertex positions from the reduced coordinates, on the processor, as `sim.positions` computes them for Python
and for frames. The page of `sinew live` gets the reduced coordinates and computes positions in its vertex shader."""

import time

from studies.frame.numbers import rounded, short
from studies.frame.paper import Table, Verdict

from .motion import solver

HANDLES = {"octobot": 5, "gator": 10, "creature": 16, "crab": 16}


def measure(engine):
    rows = []
    for scene, handles in HANDLES.items():
        sim = engine.simulation(scene, solver(handles=handles, cubature=200, iterations=1))
        times = []
        for _ in range(20):
            sim.step()
            started = time.perf_counter()
            positions = sim.positions
            times.append(time.perf_counter() - started)
        rows.append([scene, len(positions), handles, sorted(times)[len(times) // 2], 8 * sim.reduced_coordinates.size])
    return {"rows": rows}


def tables(numbers):
    return [Table("Positions of all vertices, on the processor", ["scene", "vertices", "handles", "milliseconds", "bytes of coordinates"],
                  [[scene, rounded(vertices), handles, short(1e3 * seconds), size] for scene, vertices, handles, seconds, size in numbers["rows"]])]


def verdict(numbers):
    ours = "on the processor: " + ", ".join(f"{short(1e3 * seconds)} ms ({scene}, {vertices:,} vertices)"
                                            for scene, vertices, _, seconds, _ in numbers["rows"])
    return Verdict("not done", ours, "the page does not report the time of its vertex shader")
