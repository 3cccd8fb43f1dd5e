#!/usr/bin/python3
"""Blocks on a slope of tan a = 0.5 slide as Coulomb says or stay at rest, whatever their size, stiffness and friction.

Cubes of 2 x 2 x 2 cells with default settings start within the contact distance. Their gain of speed between steps 30 and
90 (h = 0.01 s) is g (sin a - mu cos a) to 5 %, or less than the slip speed where mu > tan a. Cubes so soft that their
weight deforms them by more than 0.1 % (rho g L > E / 1000) do not slide as blocks and are left out.
"""

import argparse
import math
import sys

sys.dont_write_bytecode = True
import sinew

SLOPE, DENSITY, GRAVITY, STEP = 0.5, 1000.0, 9.81, 0.01
SETTLE, MEASURE = 30, 60
YOUNG = (1e5, 1e7, 1e9, 1e11)
SIZES = (1e-3, 1e-2, 1e-1, 1.0, 10.0)
FRICTION = (0.2, 0.3, 0.4, 0.45, 0.55, 0.6)
ALLOWED = 0.05
SLIP_SPEED = 1e-3


def block(method, young, size, friction):
    angle, distance = math.atan(SLOPE), 1e-3 * size
    return {
        "time": {"step": STEP},
        "gravity": [GRAVITY * math.sin(angle), -GRAVITY * math.cos(angle), 0],
        "materials": {"solid": {"model": "neo_hookean", "young": young, "poisson": 0.3, "density": DENSITY}},
        "bodies": [{"name": "block", "mesh": {"box": {"size": [size] * 3, "cells": [2, 2, 2]}}, "material": "solid",
                    "transform": {"translate": [0, size / 2 + 0.9 * distance, 0]}}],
        "obstacles": [{"name": "slope", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
        "contact": {"distance": distance, "friction": friction},
        "solver": {"method": method},
    }


def gained_speed(scene):
    """(gain of the mean speed along the slope [m/s], steps that did not converge)"""
    simulation = sinew.Simulation(scene)
    unconverged = 0
    for step in range(SETTLE + MEASURE):
        if step == SETTLE:
            before = simulation.velocities[:, 0].mean()
        unconverged += not simulation.step()["converged"]
    return simulation.velocities[:, 0].mean() - before, unconverged


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--method", default="newton")
    arguments = parser.parse_args()
    angle, cases, unconverged, worst, faults = math.atan(SLOPE), 0, 0, 0.0, []
    for young in YOUNG:
        for size in SIZES:
            if DENSITY * GRAVITY * size > 0.001 * young:
                continue
            for friction in FRICTION:
                gained, bad = gained_speed(block(arguments.method, young, size, friction))
                cases += 1
                unconverged += bad
                wanted = GRAVITY * (math.sin(angle) - friction * math.cos(angle)) * MEASURE * STEP
                error = abs(gained - wanted) / wanted if wanted > 0 else 0
                worst = max(worst, error)
                if error > ALLOWED or (wanted <= 0 and abs(gained) > SLIP_SPEED):
                    faults.append(f"E {young:g}, {size:g} m, mu {friction}: {gained:.4g} m/s, "
                                  f"expected {max(wanted, 0):.4g}; {bad} steps not converged")
    print("| method | blocks | steps not converged | largest error where they slide | at fault |\n|---|---|---|---|---|")
    print(f"| {arguments.method} | {cases} | {unconverged} | {100 * worst:.2g} % | {len(faults)} |")
    print(*faults, sep="\n")
    return 0 if not faults else 1


if __name__ == "__main__":
    sys.exit(main())
