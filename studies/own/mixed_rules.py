"""Rules that choose cubature points for `mixed` and `reduced`, at equal numbers of points. SMFEM clusters tets by
their weights, each divided by the squared eigenvalue of its mode (power 2), and takes the cluster centres as points.
The default points of sinew are fitted to the reduced stiffness ([theory](../theory.md#6-reduced-dynamics)).

A clamped bar bends under its weight (static), and four scenes of the gallery move for 40 steps."""

import json

from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict
from studies.mixed.motion import diagonal, path_of, solver

BAR = {
    "gravity": [0, -9.81, 0], "time": {"mode": "static", "steps": 2},
    "materials": {"rubber": {"young": 1e7, "poisson": 0.4, "density": 1000}},
    "bodies": [{"mesh": {"box": {"size": [1, 0.2, 0.2], "cells": [40, 8, 8]}}, "material": "rubber",
                "fix": [{"halfspace": {"point": [-0.499, 0, 0], "normal": [-1, 0, 0]}}]}],
    "contact": {"enabled": False}, "solver": {"method": "reduced"}}
RULES = {"stiffness (default)": {"rule": "stiffness"}, "clusters, power 0": {"rule": "clusters", "power": 0},
         "clusters, power 2": {"rule": "clusters", "power": 2}}
BAR_POINTS, SCENE_POINTS = (100, 400), (128, 400)
SCENES = ("crab", "candy_twist", "creature", "octobot")


def measure(engine):
    module = engine.python()

    def energy(young, handles, cubature):
        text = json.loads(json.dumps(BAR))
        text["materials"]["rubber"]["young"] = young
        text["solver"].update(handles=handles, cubature=cubature)
        return path_of(module.Simulation(text), 2, lambda _, row: row["energies"]["elastic"])[-1]

    bar = []
    for young in (1e7, 1e6):
        for handles in (8, 16):
            full = energy(young, handles, "all")
            for points in BAR_POINTS:
                bar.append([young, handles, points, *(energy(young, handles, {**rule, "points": points}) / full
                                                      for rule in RULES.values())])
    moved = []
    for scene in SCENES:
        def path(cubature, scene=scene):
            return path_of(engine.simulation(scene, solver("standard", cubature=cubature)), 40, lambda s, _: s.positions)

        full = path("all")
        size = diagonal(full[0])
        for points in SCENE_POINTS:
            away = [[float(((here - there)**2).sum(axis=1).max()**0.5) / size
                     for here, there in zip(path({**rule, "points": points}), full)] for rule in RULES.values()]
            moved.append([scene, points, *(max(values) for values in away)])
    return {"bar": bar, "scenes": moved}


def tables(numbers):
    return [Table("Bar: elastic energy over its value with all 12,800 tets", ["Young's modulus [Pa]", "handles", "points", *RULES],
                  [[f"{young:.0e}".replace("e+0", "e"), handles, points, *(f"{value:.2f}" for value in values)]
                   for young, handles, points, *values in numbers["bar"]]),
            Table("Scenes: largest distance from the positions with all tets, over the diagonal", ["scene", "points", *RULES],
                  [[scene, points, *(f"{value:.4f}" for value in values)] for scene, points, *values in numbers["scenes"]])]


def verdict(numbers):
    wins = sum(values[0] == min(values) for _, _, *values in numbers["scenes"])
    worst = [max(row[3 + place] for row in numbers["bar"]) for place in range(len(RULES))]
    ours = (f"largest energy of the bar over that with all tets: default {short(worst[0])}, clusters with power 0 "
            f"{short(worst[1])}, with power 2 {short(worst[2])}. The default is nearest to all tets in {wins} of "
            f"{len(numbers['scenes'])} cases")
    return Verdict("better", ours) if wins >= 0.75 * len(numbers["scenes"]) and worst[0] < worst[2] else Verdict("shown", ours)
