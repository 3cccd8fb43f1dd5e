#!/usr/bin/python3
"""Impacts against theory: restitution, energy and momentum, over three decades of step and stiffness.

Cases, with the speeds of centres of mass after the impact:

- block: a nearly rigid block hits a plane, and the barrier is the only spring. Restitution 1, duration by quadrature.
- ball: a ball hits a plane. ball_ball: it hits an equal one. Quasi-static (Hertz): restitution 1. Two balls of
  triangles slide off each other's corners; friction keeps them head on, and without slip it takes no energy.
- bar: a bar without lateral strain hits a plane. bar_bar: it hits an equal one. Wave equation: restitution 1.
- long_bar: a bar hits one twice as long. Wave equation: restitution 1/2.

Steps are the duration T of the impact over a number. E is 1e5 to 1e8 Pa at the same speed. If the step resolves the
impact (`RESOLVED`: the front of a wave is a jump, and newmark's contact forces are of first order), bdf2 and newmark
must have the restitution to 3 %, and energy must not grow by more than 1 %. Pairs must keep momentum to 1e-12, or to
the rounding of positions over a step, eps |x| / h, if that is more: it adds up over steps. implicit_euler, which
dissipates, is shown beside.
"""

import argparse
import math
import sys
import time

sys.dont_write_bytecode = True
import numpy as np
import sinew

DENSITY, SPEED = 1000.0, 0.1
SIZE = 0.05  # radius of balls, edge of blocks [m]
LENGTH, CELLS = 0.5, 100  # of a bar
ALLOWED, ALLOWED_MOMENTUM, ALLOWED_ROUNDINGS, ALLOWED_GAIN = 0.03, 1e-12, 8, 1e-2
RESOLVED = {"block": 160, "ball": 50, "ball_ball": 50, "bar": 500, "bar_bar": 500, "long_bar": 500}  # steps in T
INTEGRATORS = ("implicit_euler", "bdf2", "newmark")


def box(size, cells, **more):
    return dict({"mesh": {"box": {"size": size, "cells": cells}}}, **more)


def barrier_duration(mass, area, distance, kappa):
    """How long a mass that arrives at SPEED stays inside the barrier of an area before a plane [s]. Midpoint rule."""
    def energy(gap):
        u = (gap / distance) ** 2
        return -kappa * area * distance * (u - 1) ** 2 * np.log(u)
    wanted, low, high = 0.5 * mass * SPEED**2, 1e-12 * distance, distance
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if energy(middle) < wanted else (middle, high)
    q = (np.arange(100000) + 0.5) / 100000
    gap = distance - (distance - high) * (1 - q**2)
    speed = SPEED * np.sqrt(np.maximum(1 - energy(gap) / wanted, 1e-14))
    return 2 * (distance - high) * np.mean(2 * q / speed)


def case_of(name, young):
    """(scene, duration T of the impact [s], restitution by theory, a place between the two bodies or None)"""
    c = math.sqrt(young / DENSITY)
    contact = {}
    first = {"name": "first", "velocity": [SPEED, 0, 0]}
    second, restitution = {"name": "second"}, 1.0
    poisson = 0.0
    if name == "block":
        distance, kappa = 0.04 * SIZE, 1e-4 * young  # so soft that T is many periods of the block
        first.update(box([SIZE] * 3, [2, 2, 2]))
        area = 2 * SIZE**2  # of the vertices: half of the sides belongs to them
        duration = barrier_duration(DENSITY * SIZE**3, area, distance, kappa)
        contact = {"stiffness": kappa}
        ends = [SIZE / 2]
    elif name in ("ball", "ball_ball"):
        poisson = 0.3
        mass, stiffness = DENSITY * 4 / 3 * math.pi * SIZE**3, young / (1 - poisson**2)
        radius = SIZE
        if name == "ball_ball":
            mass, radius, stiffness = mass / 2, SIZE / 2, stiffness / 2
            contact = {"friction": 0.5}
        duration = 2.868 * (mass**2 / (radius * stiffness**2 * SPEED)) ** 0.2
        distance = 0.01 * duration * SPEED / 2.94  # of the approach
        first["mesh"] = second["mesh"] = {"sphere": {"radius": SIZE, "size": 0.3 * SIZE}}
        ends = [SIZE, SIZE]
    else:
        duration, ratio = 2 * LENGTH / c, 2 if name == "long_bar" else 1
        distance = 0.01 * SPEED * LENGTH / c
        first.update(box([LENGTH, 0.02, 0.02], [CELLS, 1, 1]))
        second.update(box([ratio * LENGTH, 0.02, 0.02], [ratio * CELLS, 1, 1]))
        restitution, ends = 1 / ratio, [LENGTH / 2, ratio * LENGTH / 2]
    gap = 1.05 * distance
    scene = {"gravity": [0, 0, 0], "materials": {"solid": {"young": young, "poisson": poisson, "density": DENSITY}},
             "bodies": [first], "contact": dict(contact, distance=distance), "solver": {"method": "newton"}}
    if name in ("block", "ball", "bar"):
        scene["obstacles"] = [{"plane": {"point": [ends[0] + gap, 0, 0], "normal": [-1, 0, 0]}}]
        return scene, duration, restitution, None
    second["transform"] = {"translate": [ends[0] + gap + ends[1], 0, 0]}
    scene["bodies"].append(second)
    return scene, duration * (2 if name == "long_bar" else 1), restitution, ends[0] + gap / 2


def masses_of(scene):
    """Of each vertex, from the kinetic energy of its motion at 1 m/s."""
    simulation = sinew.Simulation(dict(scene, time={"step": 1.0}))
    count = len(simulation.positions)
    masses = np.empty(count)
    for vertex in range(count):
        velocities = np.zeros((count, 3))
        velocities[vertex, 0] = 1
        simulation.velocities = velocities
        masses[vertex] = 2 * simulation.energies()["kinetic"]
    return masses


class Impact:
    """One impact by one integrator and step."""

    def __init__(self, scene, duration, count, masses, integrator, between, tolerance=None):
        self.step = duration / count
        scene = dict(scene, time={"step": self.step, "integrator": integrator})
        if tolerance:
            scene["solver"] = dict(scene["solver"], tolerance=tolerance)
        simulation = sinew.Simulation(scene)
        pair = between is not None
        own = np.count_nonzero(simulation.positions[:, 0] < between) if pair else len(masses)
        start = 0.5 * masses[:own].sum() * SPEED**2
        momentum = masses[:own].sum() * SPEED
        self.iterations = self.unconverged = self.touching = self.steps = 0
        self.lost_momentum, self.gain = 0.0, 0.0
        least = math.inf
        clock = time.perf_counter()
        while self.steps < 1.2 * count or (row["contacts"] and self.steps < 4 * count):
            row = simulation.step()
            self.steps += 1
            self.iterations += row["newton_iterations"]
            self.unconverged += not row["converged"]
            self.touching += row["contacts"] > 0
            energy = sum(row["energies"].values()) / start
            self.gain, least = max(self.gain, energy - min(least, 1)), min(least, energy)
            if pair and (self.steps % max(1, count // 50) == 0):
                self.lost_momentum = max(self.lost_momentum, self.momentum_error(simulation, masses, momentum))
        self.seconds = time.perf_counter() - clock
        self.energy = energy - 1
        speeds = [(m @ v) / m.sum() for m, v in ((masses[:own], simulation.velocities[:own, 0]),
                                                 (masses[own:], simulation.velocities[own:, 0])) if len(m)]
        self.restitution = ((speeds[1] if pair else 0) - speeds[0]) / SPEED
        if pair:
            self.lost_momentum = max(self.lost_momentum, self.momentum_error(simulation, masses, momentum))
        self.rounding = np.finfo(float).eps * np.abs(simulation.positions).max() / self.step / SPEED

    @staticmethod
    def momentum_error(simulation, masses, momentum):
        return np.linalg.norm(masses @ simulation.velocities - [momentum, 0, 0]) / momentum


def plan(short):
    """(case, Young's modulus, steps in T) of all impacts."""
    if short:
        return [(name, 1e6, RESOLVED[name]) for name in ("block", "ball", "ball_ball")] + [("bar", 1e6, 500)]
    coarse = (5, 16, 50, 160, 500)
    counts = {"block": (*coarse, 5000, 50000), "ball": (*coarse, 1600), "ball_ball": coarse}
    impacts = []
    for name, resolved in RESOLVED.items():
        impacts += [(name, 1e6, count) for count in counts.get(name, (16, 50, 160, 500, 1600))]
        impacts += [(name, young, resolved) for young in (1e5, 1e7, 1e8)]
    return impacts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="few impacts, in less than a minute")
    parser.add_argument("--cases", help="names, separated by commas")
    parser.add_argument("--integrators", default=",".join(INTEGRATORS))
    parser.add_argument("--tolerance", type=float, help="solver.tolerance [m/s]")
    arguments = parser.parse_args()
    faults = []
    print("| case | integrator | T/h | E | restitution | theory | error | energy | gain | momentum | rounding | contact/T "
          "| iterations a step | not converged | s |\n|" + "---|" * 15)
    masses = {}
    for name, young, count in plan(arguments.short):
        if arguments.cases and name not in arguments.cases.split(","):
            continue
        scene, duration, theory, between = case_of(name, young)
        if name not in masses:
            masses[name] = masses_of(scene)
        for integrator in arguments.integrators.split(","):
            if integrator == "implicit_euler" and count > RESOLVED[name]:
                continue
            run = Impact(scene, duration, count, masses[name], integrator, between, arguments.tolerance)
            error = run.restitution - theory
            print(f"| {name} | {integrator} | {count} | {young:g} | {run.restitution:.4f} | {theory:g} "
                  f"| {100 * error:.1f} % | {100 * run.energy:.2f} % | {run.gain:.1e} "
                  f"| {run.lost_momentum:.1e} | {run.rounding:.1e} | {run.touching * run.step / duration:.3f} "
                  f"| {run.iterations / run.steps:.2f} | {run.unconverged} | {run.seconds:.1f} |", flush=True)
            text = f"{name}, {integrator}, T/h {count}, E {young:g}"
            if integrator != "implicit_euler" and count >= RESOLVED[name] and abs(error) > ALLOWED * theory:
                faults.append(f"{text}: restitution {run.restitution:.4f}, expected {theory:g}")
            if count >= RESOLVED[name] and run.gain > ALLOWED_GAIN:
                faults.append(f"{text}: energy grows by {100 * run.gain:.2g} %")
            if run.lost_momentum > max(ALLOWED_MOMENTUM, ALLOWED_ROUNDINGS * run.rounding):
                faults.append(f"{text}: momentum is off by {run.lost_momentum:.2g}, rounding {run.rounding:.2g}")
            if run.unconverged:
                faults.append(f"{text}: {run.unconverged} steps not converged")
    print(*faults, sep="\n")
    return 0 if not faults else 1


if __name__ == "__main__":
    sys.exit(main())
