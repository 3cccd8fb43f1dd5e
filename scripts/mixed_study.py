"""The study `mixed`: mixed and standard finite elements in subspaces, from the same scenes, in one process.

Each measurement starts from a scene of the gallery with other settings of the solver. What a step does depends on its
start alone, so that one step with budgets of 1, 2, ... iterations shows how the iteration goes on.
"""

import json
import math
import sys

from runs import ROOT, SCENES

sys.path.insert(0, str(ROOT / "build/release/python"))

HANDLES = 16
POINTS = {"rule": "stiffness", "points": 400}


def simulation(scene, size, solver=(), change=None):
    import sinew

    text = json.loads((SCENES / f"{scene}.json").read_text())
    text["size"] = size
    text["solver"] = {**text["solver"], "handles": HANDLES, "cubature": POINTS, **dict(solver)}
    for key in [key for key, value in text["solver"].items() if value is None]:
        del text["solver"][key]
    if change:
        change(text)
    return sinew.Simulation(text, base_dir=str(SCENES))


def vertices_in(positions, center, radius):
    import numpy as np

    return np.linalg.norm(positions - np.asarray(center), axis=1) < radius


def path_of(sim, steps, measure):
    """measure(sim, row) after each step."""
    return [measure(sim, sim.step()) for _ in range(steps)]


def spread(values):
    return max(values) - min(values)


def total(energies):
    return energies["kinetic"] + energies["elastic"] + energies["gravity"]


# ---- the figures; each gives a title, heads, rows, a note

def crab(size):
    """Amplitude of a free leg in 100 steps, with few iterations a step (figure 2)."""
    rows = []
    exact = None
    for budget in (0, 1, 2, 5):
        row = [budget or "converged"]
        for method in ("mixed", "reduced"):
            sim = simulation("crab", size, {"method": method, "iterations": budget})
            rest = sim.positions
            foot = vertices_in(rest, [-0.445, 0.02, 0.31], 0.05)  # far from the pinned one
            heights = path_of(sim, 100, lambda s, _: s.positions[foot, 1].mean())
            amplitude = spread(heights)
            if exact is None:
                exact = amplitude
            row += [f"{amplitude:.3f}", f"{100 * amplitude / exact:.0f} %"]
        rows.append(row)
    return ("crab: how far the free hind foot moves up and down in 100 steps [m]",
            ["iterations a step", "mixed", "of converged", "standard", "of converged"], rows, "")


def contrast(size):
    """Iterations of one step at three stiffnesses (figure 9)."""
    rows = []
    for young in (1e5, 1e7, 1e9):
        def change(text, young=young):
            for material in text["materials"].values():
                material["young"] = young

        start = simulation("octobot", size, {"method": "reduced"},
                           lambda text: text["materials"].update(
                               {name: {**m, "young": 1e5} for name, m in text["materials"].items()}))
        for _ in range(40):
            start.step()
        bent = start.positions
        row = [f"{young:.0e}"]
        for method in ("mixed", "reduced"):
            residuals = []
            for budget in (1, 2, 3, 5, 10, 20, 40):
                sim = simulation("octobot", size, {"method": method, "iterations": budget, "tolerance": 1e-10}, change)
                sim.positions = bent
                residuals.append(sim.step()["residual"])
            row += [f"{r:.1e}" for r in residuals]
        rows.append(row)
    budgets = ["1", "2", "3", "5", "10", "20", "40"]
    return ("octobot, homogeneous, one step from a bent start: last change of the velocity [m/s] after so many iterations",
            ["Young's modulus [Pa]", *(f"mixed, {b}" for b in budgets), *(f"standard, {b}" for b in budgets)], rows, "")


def candy(size):
    """What bases make of a stiff middle between soft ends (figure 8)."""
    rows = []
    full = simulation("candy_twist", size, {"method": "newton", "handles": None, "cubature": None})
    exact = path_of(full, 120, lambda s, _: s.positions)
    reference = full.energies()
    diagonal = math.dist(exact[0].min(axis=0), exact[0].max(axis=0))
    rows.append(["newton", "-", f"{reference['springs']:.3g}", f"{reference['elastic']:.3g}", "0"])
    for subspace in ("eigenmodes", "biharmonic", "sms"):
        sim = simulation("candy_twist", size, {"method": "mixed", "subspace": subspace})
        error = max(path_of(sim, 120, lambda s, row: abs(s.positions - exact[row["step"] - 1]).max()))
        energies = sim.energies()
        rows.append([subspace, HANDLES, f"{energies['springs']:.3g}", f"{energies['elastic']:.3g}",
                     f"{error / diagonal:.1e}"])
    return ("candy_twist after 120 steps: what the springs that twist it have left to do, and the distance from newton",
            ["subspace", "handles", "springs [J]", "elastic [J]", "largest distance over the diagonal"], rows, "")


def pareto(size):
    """Error and time by modes and points (figure 11)."""
    rows = []
    start = simulation("octobot", size, {"method": "reduced"})
    for _ in range(20):
        start.step()
    bent, speed = start.positions, start.velocities
    import tempfile
    import pathlib
    import subprocess
    from runs import SINEW

    for handles in (2, 4, 8, 16, 24):
        for points in (25, 50, 100, 200, 400, 800):
            if points < handles:
                continue
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    [SINEW, "run", SCENES / "octobot.json", "--set", f"size={size}", "--set", f"solver.handles={handles}",
                     "--set", f"solver.cubature={json.dumps({**POINTS, 'points': points})}", "--set", 'output.formats=["vtu"]', "--set", "output.every=10",
                     "--set", "output.checkpoint=0", "--steps", "20", "--threads", "1", "--quiet", "--overwrite", "-o", folder],
                    capture_output=True, text=True)
                if done.returncode != 0:
                    continue
                lines = [json.loads(line) for line in (pathlib.Path(folder) / "steps.jsonl").read_text().splitlines()]
            seconds = sorted((row["seconds"]["steps"] - row["seconds"]["output"]) / row["newton_iterations"]
                             for row in lines)[len(lines) // 2]
            gradient = lines[-1]["full_gradient"]
            rows.append([handles, points, f"{gradient['whole']:.3g}", f"{gradient['projected']:.3g}",
                         f"{1e3 * seconds:.3f}"])
    return ("octobot, step 20: what is left of the full-space gradient [m/s^2], and the time of an iteration",
            ["handles", "points", "whole", "in the subspace", "ms"], rows, "")


def pendulum(size):
    """What one iteration a step keeps of the swing of a released torsion pendulum (figure 13)."""
    rows = []
    exact = None
    for budget in (0, 1, 2, 5):
        row = [budget or "converged"]
        for method in ("mixed", "reduced"):
            sim = simulation("pendulum", size, {"method": method, "iterations": 0})
            for _ in range(60):
                sim.step()
            released = simulation("pendulum", size, {"method": method, "iterations": budget},
                                  lambda text: text["bodies"][0]["fix"].pop())
            released.positions = sim.positions
            kinetic = path_of(released, 90, lambda s, r: r["energies"]["kinetic"])
            mean = sum(kinetic) / len(kinetic)
            if exact is None:
                exact = mean
            row += [f"{mean:.3g}", f"{100 * mean / exact:.0f} %"]
        rows.append(row)
    return ("pendulum, wound up by a turn and let go: mean kinetic energy over 90 steps [J]",
            ["iterations a step", "mixed", "of converged", "standard", "of converged"], rows, "")


def gator(size):
    """Over-energetic motion with few iterations (figure 7)."""
    rows = []
    exact = None
    for budget in (0, 1, 2, 5, 20):
        row = [budget or "converged"]
        for method in ("mixed", "reduced"):
            sim = simulation("gator", size, {"method": method, "iterations": budget})
            kinetic = path_of(sim, 120, lambda s, r: r["energies"]["kinetic"])
            largest, late = max(kinetic[50:]), sum(kinetic[50:]) / 70
            if exact is None:
                exact = (largest, late)
            row += [f"{largest / exact[0]:.2f}", f"{late / exact[1]:.2f}"]
        rows.append(row)
    return ("gator, let go at step 50: largest and mean kinetic energy after it, over those of converged mixed steps",
            ["iterations a step", "mixed: largest", "mean", "standard: largest", "mean"], rows, "")


def artefacts(size):
    """Motion far from where a body is pulled (figure 12)."""
    import numpy as np

    def pulled(solver):
        def change(text):
            text["gravity"] = [0, 0, 0]
            body = text["bodies"][0]
            body.pop("acceleration", None)
            body.pop("springs", None)

        sim = simulation("creature", size, solver, change)
        rest = sim.positions
        return sim, rest

    # A hind foot is pulled by a spring; the head is far away.
    sim, rest = pulled({"method": "reduced"})
    low, high = rest.min(axis=0), rest.max(axis=0)
    foot_place = rest[np.argmin(rest @ np.array([1.0, 1.0, 0.3]))]
    trunk_place = rest[np.argmax(rest[:, 0])]
    diagonal = float(np.linalg.norm(high - low))
    foot, trunk = (vertices_in(rest, place, 0.08 * diagonal) for place in (foot_place, trunk_place))

    def run(solver):
        def change(text):
            text["gravity"] = [0, 0, 0]
            body = text["bodies"][0]
            body.pop("acceleration", None)
            body["springs"] = [{"sphere": {"center": foot_place.tolist(), "radius": 0.08 * diagonal},
                                "to": foot_place.tolist(), "stiffness": 20,
                                "motion": {"translate": {"times": [0, 0.2], "values": [[0, 0, 0],
                                                                                     [-0.15 * diagonal, 0, 0]]}}}]

        sim = simulation("creature", size, solver, change)
        moved = path_of(sim, 30, lambda s, _: (abs(s.positions[trunk] - rest[trunk]).mean(),
                                                abs(s.positions[foot] - rest[foot]).mean()))
        return sum(m[0] for m in moved), sum(m[1] for m in moved)

    far, near = run({"method": "newton", "handles": None, "cubature": None})
    rows = [["newton", "-", f"{far:.2e}", f"{near:.3f}", f"{far / near:.1e}"]]
    for subspace, counts in (("eigenmodes", (4, 8, 16, 32)), ("sms", (16, 32))):
        for handles in counts:
            far, near = run({"method": "mixed", "subspace": subspace, "handles": handles, "cubature": {**POINTS, "points": 25 * handles}})
            rows.append([subspace, handles, f"{far:.2e}", f"{near:.3f}", f"{far / near:.1e}"])
    return ("creature, a hind foot pulled: summed motion of the trunk's end and of the foot over 30 steps [m]",
            ["subspace", "handles", "trunk", "foot", "ratio"], rows, "")


BAR = {
    "gravity": [0, -9.81, 0], "time": {"mode": "static", "steps": 2},
    "materials": {"rubber": {"young": 1e7, "poisson": 0.4, "density": 1000}},
    "bodies": [{"mesh": {"box": {"size": [1, 0.2, 0.2], "cells": [40, 8, 8]}}, "material": "rubber",
                "fix": [{"halfspace": {"point": [-0.499, 0, 0], "normal": [-1, 0, 0]}}]}],
    "contact": {"enabled": False}, "solver": {"method": "reduced"}}
RULES = (("stiffness", {"rule": "stiffness"}), ("clusters, power 0", {"rule": "clusters", "power": 0}),
         ("clusters, power 2", {"rule": "clusters", "power": 2}))


def bar_rules(size):
    """Elastic energy of a clamped bar under its weight by rules of equal numbers of points."""
    import sinew

    def energy(young, handles, cubature):
        text = json.loads(json.dumps(BAR))
        text["materials"]["rubber"]["young"] = young
        text["solver"].update(handles=handles, cubature=cubature)
        sim = sinew.Simulation(text)
        return [sim.step()["energies"]["elastic"] for _ in range(2)][-1]

    rows = []
    for young in (1e7, 1e6):
        for handles in (8, 16):
            full = energy(young, handles, "all")
            for points in (100, 200, 400):
                rows.append([f"{young:.0e}", handles, points] +
                            [f"{energy(young, handles, {**rule, 'points': points}) / full:.2f}" for _, rule in RULES])
    return ("clamped bar under its weight: elastic energy over that with all 12,800 tets",
            ["Young's modulus [Pa]", "handles", "points"] + [name for name, _ in RULES], rows, "")


def rules(size):
    """Motion by rules of equal numbers of points against that with all tets."""
    import numpy as np

    rows = []
    for scene in ("crab", "candy_twist", "creature", "octobot"):
        def path(cubature, scene=scene):
            sim = simulation(scene, size, {"method": "reduced", "iterations": 0, "cubature": cubature})
            return np.array(path_of(sim, 40, lambda s, _: s.positions.copy()))

        full = path("all")
        diagonal = np.linalg.norm(full[0].max(axis=0) - full[0].min(axis=0))
        for points in (128, 200, 400):
            row = [scene, points]
            for _, rule in RULES:
                away = np.linalg.norm(path({**rule, "points": points}) - full, axis=2) / diagonal
                row.append(f"{away.max():.4f}, {away.mean():.4f}")
            rows.append(row)
    return ("40 steps: largest and mean distance from the motion with all tets, over the diagonal",
            ["scene", "points"] + [name for name, _ in RULES], rows, "")


FIGURES = {"crab": crab, "contrast": contrast, "candy": candy, "pareto": pareto, "pendulum": pendulum, "gator": gator,
           "artefacts": artefacts, "bar_rules": bar_rules, "rules": rules}
