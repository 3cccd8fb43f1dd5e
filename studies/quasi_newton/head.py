"""The head of figures 1 and 2: a head on a neck whose foot is moved by keyframes."""

import numpy as np

from .sims import aligned, rms, sine, time

DURATION = 2.0
GENTLE = {"amplitude": 0.02, "frequency": 1.5}
IMPULSIVE = {"amplitude": 0.12, "frequency": 3.0}
VIOLENT = {"amplitude": 0.3, "frequency": 5.0}
FOOT = 0.03  # [m] of the neck that moves


def scene(size, material, motion, solver=()):
    times = np.arange(0, DURATION + 1e-9, 1 / 30)
    return {
        "size": size, "gravity": [0, 0, 0], "time": time(), "contact": {"enabled": False},
        "bodies": [{"mesh": {"shape": "head"}, "material": material,
                    "fix": [{"halfspace": {"point": [0, FOOT, 0], "normal": [0, -1, 0]},
                             "motion": sine(times, (0.6, 0, 0.8), ramp=0.2, **motion)}]}],
        "solver": {"method": "quasi_newton", "iterations": 10, **dict(solver)}}


def run(sinew, size, material, motion, solver=(), frames=None):
    """Per frame: deflection (rms distance from the rest shape that moves with the foot) and distortion (rms distance
    from the rest shape after its best rigid motion), both over the head's height; and line-search steps."""
    sim = sinew.Simulation(scene(size, material, motion, solver))
    rest = sim.positions
    height = float(np.ptp(rest[:, 1]))
    foot = rest[:, 1] < FOOT
    rows = []
    for _ in range(frames or round(DURATION * 30)):
        row = sim.step()
        x = sim.positions
        if not np.isfinite(x).all() or np.abs(x).max() > 1e3 * height:
            rows.append({"deflection": 1e3, "distortion": 1e3, "search": row["line_search_steps"],
                         "iterations": row["newton_iterations"]})
            break
        moved = rest + (x - rest)[foot].mean(0)
        rows.append({"deflection": rms(x - moved) / height, "distortion": rms(aligned(rest, x) - rest) / height,
                     "search": row["line_search_steps"], "iterations": row["newton_iterations"]})
    return rows
