"""Random scenes of one to three bodies that fall, fly or rest above a plane: sizes from 1 mm to 10 m, Young's moduli from
1e3 to 1e10 Pa, densities from 50 to 8000 kg/m^3, time steps from 1e-4 to 0.1 s, speeds up to 50 m/s, six materials, both
integrators, friction from 0 to 1. A seed gives the same scene everywhere."""

import math
import random

import numpy as np
import sinew

MODELS = ("neo_hookean", "stable_neo_hookean", "fixed_corotated", "corotated", "arap", "stvk")


def log_uniform(rng, low, high):
    return 10 ** rng.uniform(math.log10(low), math.log10(high))


def mesh(rng, size):
    kind = rng.choice(("sphere", "box", "cylinder", "torus"))
    if kind == "sphere":
        return {"sphere": {"radius": size / 2, "size": size / rng.choice((2.5, 4))}}
    if kind == "box":
        return {"box": {"size": [size, size * rng.choice((0.3, 1)), size],
                        "cells": [rng.randint(1, 4), rng.randint(1, 3), rng.randint(1, 4)]}}
    if kind == "cylinder":
        return {"cylinder": {"radius": size / 3, "height": 0.8 * size, "size": size / 4, "axis": rng.choice("xyz")}}
    return {"torus": {"radius": 0.35 * size, "tube": 0.14 * size, "size": 0.12 * size, "axis": rng.choice("xyz")}}


def body(rng, name, size, height):
    """Turned by any angle, so that nothing balances by symmetry."""
    result = {"name": name, "mesh": mesh(rng, size), "material": "solid",
              "transform": {"rotate": {"axis": [rng.gauss(0, 1) for _ in range(3)],
                                       "degrees": rng.choice((rng.uniform(0.1, 3), rng.uniform(0, 180)))},
                            "translate": [size * rng.uniform(-0.2, 0.2), height, size * rng.uniform(-0.2, 0.2)]}}
    if rng.random() < 0.5:
        speed = log_uniform(rng, 0.1, 50)
        sideways = [speed * rng.gauss(0, 0.4) for _ in range(2)]
        result["velocity"] = [sideways[0], -speed, sideways[1]]
    if rng.random() < 0.3:
        result["angular_velocity"] = [log_uniform(rng, 0.1, 100) * rng.choice((-1, 1)) for _ in range(3)]
    return result


def random_scene(seed, integrator=None):
    """A scene as a dict, and the size of its bodies [m]."""
    rng = random.Random(seed)
    size = log_uniform(rng, 1e-3, 10)
    slope = rng.choice((0, 0, rng.uniform(0, 0.6)))
    bodies, height = [], size
    for b in range(rng.choice((1, 1, 1, 2, 3))):
        bodies.append(body(rng, f"body{b}", size, height))
        height += 1.75 * size  # of the diagonal of a cube
    scene = {
        "time": {"step": log_uniform(rng, 1e-4, 0.1), "integrator": rng.choice(("implicit_euler", "bdf2"))},
        "materials": {"solid": {"model": rng.choice(MODELS), "young": log_uniform(rng, 1e3, 1e10),
                                "poisson": rng.uniform(0.1, 0.45), "density": log_uniform(rng, 50, 8000)}},
        "bodies": bodies,
        "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [slope, 1, 0]}}],
        "contact": {"friction": rng.choice((0, rng.uniform(0, 1)))},
    }
    if integrator:
        scene["time"]["integrator"] = integrator
    settle(scene, size, rng)
    return scene, size


def settle(scene, size, rng):
    """Moves each body down until it is just above the plane or, level after level, the one below it."""
    positions = sinew.Simulation(dict(scene, obstacles=[])).positions  # some would cross the slope
    normal = np.array(scene["obstacles"][0]["plane"]["normal"], float)
    normal /= np.linalg.norm(normal)
    heights = positions @ normal
    begin, floor = 0, 0.0
    for b in scene["bodies"]:
        alone = dict(scene, bodies=[b], obstacles=[])
        count = len(sinew.Simulation(alone).positions)
        low, high = heights[begin:begin + count].min(), heights[begin:begin + count].max()
        gap = size * log_uniform(rng, 2e-3, 0.05)
        b["transform"]["translate"] = [t - (low - floor - gap) * n for t, n in zip(b["transform"]["translate"], normal)]
        floor += gap + high - low
        begin += count
