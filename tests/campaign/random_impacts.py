"""Random impacts: four bodies that fly at each other at 1 to 50 m/s and meet in the first of five steps.

Sizes from 1 cm to 1 m, Young's moduli from 1e3 to 1e10 Pa, four materials, both integrators, friction from 0 to 0.8.
Steps are as long as the bodies move a fifth to three fifths of their size. A seed gives the same scene everywhere.
"""

import math
import random

from random_scenes import log_uniform

MODELS = ("neo_hookean", "stable_neo_hookean", "fixed_corotated", "stvk")
CORNERS = ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))  # of a tetrahedron


def mesh(rng, size):
    kind = rng.choice(("sphere", "box", "cylinder", "torus"))
    if kind == "sphere":
        return {"sphere": {"radius": size / 2, "size": size / rng.choice((3, 5))}}
    if kind == "box":
        return {"box": {"size": [size, size * rng.choice((0.3, 1)), size],
                        "cells": [rng.randint(2, 5), rng.randint(1, 4), rng.randint(2, 5)]}}
    if kind == "cylinder":
        return {"cylinder": {"radius": size / 3, "height": 0.8 * size, "size": size / 5, "axis": rng.choice("xyz")}}
    return {"torus": {"radius": 0.35 * size, "tube": 0.14 * size, "size": 0.1 * size, "axis": rng.choice("xyz")}}


def random_impact(seed):
    """A scene as a dict, and the size of its bodies [m]."""
    rng = random.Random(seed)
    size, speed = log_uniform(rng, 0.01, 1), log_uniform(rng, 1, 50)
    bodies = []
    for b, corner in enumerate(CORNERS):
        bodies.append({
            "name": f"body{b}", "mesh": mesh(rng, size), "material": f"m{b}",
            "transform": {"rotate": {"axis": [rng.gauss(0, 1) for _ in range(3)], "degrees": rng.uniform(0, 180)},
                          "translate": [1.15 * size * c for c in corner]},
            "velocity": [-speed * c / math.sqrt(3) + 0.1 * speed * rng.gauss(0, 1) for c in corner]})
    young = log_uniform(rng, 1e3, 1e10)
    materials = {f"m{b}": {"model": rng.choice(MODELS), "young": young * log_uniform(rng, 0.3, 3),
                           "poisson": rng.uniform(0.1, 0.45), "density": log_uniform(rng, 300, 3000)} for b in range(4)}
    return {
        "gravity": [0, 0, 0],
        "time": {"step": rng.uniform(0.2, 0.6) * size / speed, "integrator": rng.choice(("implicit_euler", "bdf2"))},
        "materials": materials,
        "bodies": bodies,
        "contact": {"friction": rng.choice((0, rng.uniform(0, 0.8)))},
    }, size


def undivided_impact(seed):
    """The same scene, with steps that are never divided."""
    scene, size = random_impact(seed)
    scene["time"].update({"max_travel": 0, "substeps": 0})
    return scene, size
