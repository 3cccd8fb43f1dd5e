"""A corotated ball is pulled through a narrower torus, ten iterations a frame. Contact is penalty contact, the paper's
model (section 4.3). mu and lambda have the ratio of the paper."""

from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

from .sims import time

FRAMES = 60


def scene(edge):
    return {
        "time": time(), "gravity": [0, 0, 0], "contact": {"model": "penalty"},
        "bodies": [{"name": "ball", "mesh": {"sphere": {"radius": 0.1, "size": edge}},
                    "material": {"model": "corotated", "mu": 5e3, "lambda": 2e5}, "transform": {"translate": [0,
                                                                                                              0.14, 0]},
                    "fix": [{"sphere": {"center": [0, 0.14, 0], "radius": 0.03},
                             "motion": {"translate": {"times": [0, 1.6], "values": [[0, 0, 0], [0, -0.3, 0]]}}}],
                    "damping": {"mass": 1}}],
        "obstacles": [{"name": "ring", "mesh": {"torus": {"radius": 0.12, "tube": 0.045, "size": 0.02}}}],
        "solver": {"method": "quasi_newton", "iterations": 10}}


def measure(engine):
    sinew = engine.python()
    edge = {"small": 0.022, "medium": 0.011}.get(engine.size, 0.022)
    sim = sinew.Simulation(scene(edge))
    engine.note(f"Simulation: {FRAMES} frames of a ball that is pulled through a torus", program="Python")
    rows = []
    for _ in range(FRAMES):
        row = sim.step()
        rows.append({"search": row["line_search_steps"], "iterations": row["newton_iterations"],
                     "outcome": row["outcome"],
                     "contacts": row["contacts"], "distance": row["min_distance"], "ms": 1e3 * row["seconds"]["total"]})
    return {"vertices": len(sim.positions), "rows": rows, "height": float(sim.positions[:, 1].mean())}


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    frames = list(enumerate(numbers["rows"], 1))
    plots.lines(left, {"steps": [(i, row["search"]) for i, row in frames]}, x="frame", y="line-search steps")
    plots.lines(right, {"depth": [(i, -1e3 * min(0, row["distance"] or 0)) for i, row in frames]}, x="frame",
                y="deepest penetration [mm]")
    return figure


def verdict(numbers):
    rows = numbers["rows"]
    touching = [row for row in rows if row["contacts"]]
    search = sum(row["search"] for row in touching) / max(1, len(touching))
    depth = -min((row["distance"] for row in rows if row["distance"] is not None), default=0.0)
    last = rows[-1]["distance"]
    ours = (f"{short(search, 2)} line-search steps a frame in contact, {len(touching)} of {len(rows)} frames; deepest "
            f"penetration {short(1e3 * max(0, depth), 2)} mm; the ball passes (mean height "
            f"{short(1e3 * numbers['height'], 3)} mm)")
    failed = sum(row["outcome"] == "failed" for row in rows)
    if failed or numbers["height"] > -0.05:
        return Verdict("differs", ours, f"{failed} frames failed" if failed else "the ball does not pass")
    if last is not None and last < -0.005:
        return Verdict("differs", ours, "penetration remains at the end")
    return Verdict("same", ours)
