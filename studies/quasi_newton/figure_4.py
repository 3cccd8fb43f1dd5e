"""A cube, 0.2 m wide, falls on the floor at 2 m/s, with and without vertical fibers of 50 kPa. It is corotated with mu =
10 kPa and lambda = 100 kPa; the ratios are the paper's. The paper does not state the direction of its fibers. Ten
iterations a frame."""

from studies.frame.numbers import percent
from studies.frame.paper import Table, Verdict

from .sims import time

WIDTH, FRAMES = 0.2, 45
CELLS = {"small": 6, "medium": 16}
VARIANTS = {"isotropic": None, "vertical fibers": [0, 1, 0], "horizontal fibers": [1, 0, 0]}


def measure(engine):
    sinew, n = engine.python(), CELLS.get(engine.size, 6)
    engine.note("Simulation: a falling cube with and without fibers", program="Python")
    numbers = {}
    for name, direction in VARIANTS.items():
        material = {"model": "corotated", "mu": 1e4, "lambda": 1e5}
        if direction:
            material["fiber"] = {"stiffness": 5e4, "direction": direction}
        sim = sinew.Simulation({
            "time": time(), "contact": {"model": "penalty"},
            "bodies": [{"mesh": {"box": {"size": [WIDTH] * 3, "cells": [n] * 3}}, "material": material,
                        "transform": {"translate": [0, 0.15, 0]}, "velocity": [0, -2, 0]}],
            "obstacles": [{"name": "floor", "plane": {}}], "solver": {"method": "quasi_newton", "iterations": 10}})
        rows = []
        for _ in range(FRAMES):
            sim.step()
            size = sim.positions.max(0) - sim.positions.min(0)
            rows.append([float(s) / WIDTH for s in size])
        numbers[name] = rows
    return numbers


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    for ax, axis, label in ((left, 1, "height"), (right, 0, "width along x")):
        plots.lines(ax, {name: [((i + 1) / 30, row[axis]) for i, row in enumerate(rows)] for name,
                         rows in numbers.items()},
                    x="time [s]", y=f"{label} / {label} at rest")
    return figure


def extremes(rows):
    return min(row[1] for row in rows), max(row[0] for row in rows)


def tables(numbers):
    return [Table("Shape at impact, over that at rest", ["material", "least height", "largest width along x"],
                  [[name, *(percent(value) for value in extremes(rows))] for name, rows in numbers.items()])]


def verdict(numbers):
    plain, fibers = extremes(numbers["isotropic"]), extremes(numbers["vertical fibers"])
    ours = f"least height {percent(plain[0])} without, {percent(fibers[0])} with vertical fibers"
    if (1 - fibers[0]) < 0.8 * (1 - plain[0]):
        return Verdict("same", ours)
    return Verdict("differs", ours, "fibers do not stiffen the cube along their direction")
