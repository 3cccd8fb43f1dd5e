"""Weights of all vertices, from the Python module: the least and the largest weight, and sums over the handles at a
vertex. Biharmonic coordinates show what remains without clipping. The beam of `cantilever_dirichlet` has fixed
vertices, where the sum falls to 0 (equation 11)."""

import numpy as np

from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

SCENES = ("cut_block_on_spike", "shoe", "cantilever_dirichlet")
HANDLES = 20


def measure(engine):
    rows = []
    for scene in SCENES:
        for basis in ("sms", "biharmonic"):
            solver = {"method": "reduced", "subspace": basis, "handles": HANDLES, "cubature": 100}
            simulation = engine.simulation(scene, solver)
            engine.note(f"Simulation({scene!r}, subspace={basis!r}, handles={HANDLES}).subspace['weights']", program="")
            weights = simulation.subspace["weights"]
            sums = weights.sum(axis=1)
            used = np.abs(weights) > 1e-9
            rows.append({"scene": scene, "basis": basis, "least": weights.min(), "largest": weights.max(),
                         "peak": weights.max(axis=0).min(), "sum_low": sums.min(), "sum_high": sums.max(),
                         "off": np.abs(sums - 1).max(), "negative": (weights < -1e-9).mean(), "nonzero": used.mean()})
    return rows


def tables(numbers):
    return [Table(f"{HANDLES} handles", ["scene", "basis", "least weight", "largest", "least peak of a function",
                                         "least sum", "largest sum",
                                         "nonzero"],
                  [[row["scene"], row["basis"], short(row["least"]), short(row["largest"]), short(row["peak"]),
                    f"{row['sum_low']:.4f}",
                    f"{row['sum_high']:.4f}", f"{100 * row['nonzero']:.0f} %"] for row in numbers])]


def verdict(numbers):
    own = [row for row in numbers if row["basis"] == "sms"]
    free = [row for row in own if row["scene"] != "cantilever_dirichlet"]
    off = max(row["off"] for row in free)
    ours = (f"weights from {short(min(row['least'] for row in own))} to {short(max(row['largest'] for row in own))}; "
            f"sums differ from 1 by at most {error(off)} without fixed vertices")
    inside = min(row["least"] for row in own) >= 0 and max(row["largest"] for row in own) <= 1 + 1e-12
    peaks = min(row["peak"] for row in free) > 0.999
    limited = all(row["sum_high"] < 1 + 1e-9 and row["sum_low"] > -1e-9 for row in own)
    if inside and peaks and limited and off < 1e-9:
        return Verdict("same", ours)
    return Verdict("differs", ours, "weights leave [0, 1], or do not sum to 1")
