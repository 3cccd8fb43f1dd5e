"""Sensors in Python: sim.sensors() and the rows of step(), with their shapes and against forces()."""

import unittest

import numpy as np

import sinew

SCENE = {
    "time": {"mode": "static", "steps": 2},
    "materials": {"m": {"young": 1e5, "density": 1000}},
    "bodies": [{"name": "cube", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}},
                "fix": [{"halfspace": {"point": [0, -0.05, 0], "normal": [0, -1, 0]}}]}],
    "sensors": {"ground": {"fix": "cube", "about": [0, 0, 0]},
                "cube": {"body": "cube", "quantities": ["von_mises.max", "stress", "volume"]}},
}


class Sensors(unittest.TestCase):

    def test_values_are_numbers_and_arrays(self):
        sim = sinew.Simulation(SCENE)
        self.assertTrue(np.array_equal(sim.sensors()["ground"]["force"], np.zeros(3)))  # before the first step
        sim.step()
        row = sim.step()
        ground, cube = sim.sensors()["ground"], sim.sensors()["cube"]
        reaction = sim.forces()["reaction"]
        np.testing.assert_allclose(ground["force"], reaction.sum(axis=0), atol=1e-12)
        np.testing.assert_allclose(ground["moment"], np.cross(sim.positions, reaction).sum(axis=0), atol=1e-12)
        np.testing.assert_allclose(ground["force"], [0, 9.81, 0], atol=1e-3)
        self.assertEqual(cube["stress"].shape, (6,))
        self.assertIsInstance(cube["von_mises.max"], float)
        self.assertAlmostEqual(cube["volume"], 1e-3, delta=1e-5)
        self.assertEqual(row["sensors"]["cube"]["volume"], cube["volume"])
        self.assertEqual(row["sensors"]["ground"]["force"], list(ground["force"]))

    def test_errors_name_the_key(self):
        for sensor, text in (({"fix": "sphere"}, "sensors.a.fix: unknown body \"sphere\""),
                             ({"body": "cube", "quantities": ["forse"]}, "expected a quantity of \"body\""),
                             ({"point": {"body": "cube", "at": [1, 0, 0]}}, "outside of body \"cube\""),
                             ({"load": "cube"}, "which has 0")):
            with self.assertRaises(sinew.InputError) as caught:
                sinew.Simulation(SCENE | {"sensors": {"a": sensor}})
            self.assertIn(text, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
