"""Linear analyses about the state of a simulation, against beam formulas."""

import unittest

import numpy as np

import sinew

LENGTH, SIDE, YOUNG, DENSITY = 1.0, 0.05, 1e9, 1000.0
AREA, INERTIA = SIDE**2, SIDE**4 / 12


def cantilever(force):
    """A bar along x, held on the left, under a force at its right end."""
    return {
        "gravity": [0, 0, 0], "time": {"mode": "static", "steps": 2},
        "materials": {"m": {"model": "stvk", "young": YOUNG, "poisson": 0, "density": DENSITY}},
        "bodies": [{"name": "bar", "elements": "quadratic",
                    "mesh": {"box": {"size": [LENGTH, SIDE, SIDE], "cells": [10, 1, 1]}},
                    "fix": [{"halfspace": {"point": [-LENGTH / 2, 0, 0], "normal": [-1, 0, 0]}}],
                    "loads": [{"halfspace": {"point": [LENGTH / 2, 0, 0], "normal": [1, 0, 0]}, "force": force}]}],
        "contact": {"enabled": False},
        "sensors": {"tip": {"load": "bar", "quantities": ["displacement.y"]}},
    }


class Analyses(unittest.TestCase):

    def test_vibrations_of_a_beam(self):
        sim = sinew.Simulation(cantilever([0, 0, 0]))
        values, modes = sim.vibrations(2)
        self.assertEqual((values.shape, modes.shape), ((2,), (3 * len(sim.positions), 2)))
        right = 1.8751**4 * YOUNG * INERTIA / (DENSITY * AREA * LENGTH**4)
        np.testing.assert_allclose(values, right, rtol=0.02)
        # About a state under a pull of a fifth of the Euler load the frequency is higher.
        euler = np.pi**2 * YOUNG * INERTIA / (4 * LENGTH**2)
        pulled = sinew.Simulation(cantilever([euler / 5, 0, 0]))
        pulled.step()
        pulled.step()
        self.assertGreater(pulled.vibrations(1)[0][0], 1.05 * values[0])

    def test_buckling_of_a_column(self):
        euler = np.pi**2 * YOUNG * INERTIA / (4 * LENGTH**2)
        sim = sinew.Simulation(cantilever([-euler / 3, 0, 0]))
        factors, shapes = sim.buckling(2)
        np.testing.assert_allclose(factors, 3, rtol=0.02)
        self.assertAlmostEqual(np.linalg.norm(shapes[:, 0].reshape(-1, 3), axis=1).max(), 1, places=12)

    def test_response_has_the_static_deflection_and_a_resonance(self):
        sim = sinew.Simulation(cantilever([0, 1, 0]))
        first = np.sqrt(sim.vibrations(1)[0][0]) / (2 * np.pi)
        for modes in (0, 20):
            tip = sim.response([first / 100, first], modes=modes, loss_factor=0.02)["tip.displacement.y"]
            self.assertEqual((tip.shape, tip.dtype), ((2,), np.complex128))
            static = LENGTH**3 / (3 * YOUNG * INERTIA)
            self.assertAlmostEqual(abs(tip[0]) / static, 1, delta=0.03)
            self.assertAlmostEqual(abs(tip[1]) / abs(tip[0]) * 0.02, 1, delta=0.05)
            self.assertAlmostEqual(np.angle(tip[1], deg=True), -90, delta=3)

    def test_errors_name_the_argument(self):
        sim = sinew.Simulation(cantilever([0, 1, 0]))
        for call, text in ((lambda: sim.vibrations(0), "count"), (lambda: sim.buckling(contact="glued"), "contact"),
                           (lambda: sim.response([0.0]), "frequencies"),
                           (lambda: sim.response([1.0], modes=-1), "modes")):
            with self.assertRaises(sinew.InputError) as caught:
                call()
            self.assertIn(text, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
