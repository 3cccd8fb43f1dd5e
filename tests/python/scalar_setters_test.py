"""Each number that may change between steps (model/live_scalars.h) has a setter, which does what its key in the scene
does, and its lines in the documents and the stubs."""

import inspect
import json
import pathlib
import tempfile
import unittest

import numpy as np

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A block that slides, of a method that reads all of them.
SCENE = {
    "gravity": [1, -8, 2],
    "time": {"step": 0.004},
    "bodies": [{"mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}}, "velocity": [1, 0, 0]}],
    "obstacles": [{"plane": {"point": [0, -0.0505, 0], "normal": [0, 1, 0]}}],
    "contact": {"distance": 1e-3, "friction": 0.3},
    "solver": {"method": "quasi_newton", "iterations": 8},
}


def live_numbers(node, prefix=()):
    found = {}
    for key, inner in node.get("properties", {}).items():
        if "x-live" in inner:
            found[prefix + (key,)] = inner["x-live"]
        found |= live_numbers(inner, prefix + (key,))
    return found


NUMBERS = live_numbers(json.loads((ROOT / "docs/scene.schema.json").read_text()))


def at(scene, key):
    for part in key:
        scene = scene[part]
    return scene


def changed(key, value):
    scene = json.loads(json.dumps(SCENE))
    at(scene, key[:-1])[key[-1]] = value
    return scene


class LiveNumbers(unittest.TestCase):

    def test_setters_are_those_of_the_schema(self):
        self.assertIn(("gravity",), NUMBERS)
        others = {"set_material", "set_method", "set_load", "set_spring", "set_fix_target", "set_obstacle_pose",
                  "set_obstacle_vertices", "set_obstacle_velocity", "set_spring_length", "set_spring_stiffness",
                  "set_spring_point", "set_pressure", "set_gas_amount", "set_traction", "set_force", "set_moment", "set_activation",
                  "set_wind", "set_pair_friction", "set_state"}
        self.assertEqual({name for name in dir(sinew.Simulation) if name.startswith("set_")} - others,
                         {f"set_{live['set']}" for live in NUMBERS.values()})

    def test_setters_do_what_keys_do(self):
        for key, live in NUMBERS.items():
            with self.subTest(key=".".join(key)):
                start = at(SCENE, key)
                value = [number / 2 for number in start] if isinstance(start, list) else type(start)(start / 2)
                # The start knows gravity and step: the contact stiffness is the same from the first step on.
                sim, wanted, plain = (sinew.Simulation(scene) for scene in (SCENE, changed(key, value), SCENE))
                getattr(sim, f"set_{live['set']}")(**{live["argument"]: value})
                for one in (sim, wanted, plain):
                    one.step()
                moved = abs(plain.positions - wanted.positions).max()
                self.assertGreater(moved, 0)
                self.assertLess(abs(sim.positions - wanted.positions).max(), 0.05 * moved)
                with tempfile.TemporaryDirectory() as folder:
                    sim.save(pathlib.Path(folder) / "state.h5")
                    loaded = sinew.Simulation.load(pathlib.Path(folder) / "state.h5")
                sim.step(), loaded.step()
                np.testing.assert_array_equal(sim.positions, loaded.positions)
                for wrong in (float("nan"), [1, 2], -1e13):
                    with self.assertRaisesRegex(sinew.InputError, ".".join(key)):
                        getattr(sim, f"set_{live['set']}")(wrong)
                with self.assertRaises(TypeError):
                    getattr(sim, f"set_{live['set']}")("much")

    def test_texts(self):
        pages = [(ROOT / name).read_text() for name in ("docs/reference/live_protocol.md", "docs/python.md", "python/sinew/_engine.pyi")]
        for key, live in NUMBERS.items():
            self.assertIn(f"| `{'.'.join(key)}` |", pages[0])
            self.assertIn(f"`set_{live['set']}({live['argument']})`", pages[1])
            self.assertIn(f"def set_{live['set']}(self, {live['argument']}:", pages[2])
            text = inspect.getdoc(getattr(sinew.Simulation, f"set_{live['set']}"))
            self.assertIn(".".join(key), text)
            self.assertIn(live["effect"], text)


if __name__ == "__main__":
    unittest.main()
