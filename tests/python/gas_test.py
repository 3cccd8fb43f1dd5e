"""Gas in cavities: its state by name, its amount between steps, sensors, forces and copies."""

import copy
import json
import unittest

import numpy as np

import sinew

AIR = 101325


def box(**gas):
    """A soft box of 3 x 3 x 3 cells without the middle one, on its bottom."""
    mesh = sinew.box([.3, .3, .3], cells=[3, 3, 3])
    middle = mesh.vertices[mesh.tets].mean(axis=1)
    tets = mesh.tets[np.abs(middle).max(axis=1) > .05]
    return {
        "gravity": [0, 0, 0],
        "time": {"step": .01},
        "materials": {"m": {"young": 1e5, "poisson": .4}},
        "bodies": [{"name": "box", "material": "m",
                    "mesh": {"tets": {"vertices": mesh.vertices.tolist(), "tets": tets.tolist()}},
                    "fix": [{"halfspace": {"point": [0, -.149, 0], "normal": [0, -1, 0]}}],
                    "loads": [{"name": "air", "all": True, "gas": gas}]}],
        "contact": {"enabled": False},
        "sensors": {"air": {"load": "box", "quantities": ["volume", "gas_pressure", "gas_energy", "force"]}},
        "solver": {"tolerance": 1e-9},
    }


class Gas(unittest.TestCase):

    def test_state(self):
        sim = sinew.Simulation(box(pressure=2e4, exponent=1.4))
        air = sim.loads["air"]
        self.assertAlmostEqual(air.volume, 1e-3, 12)
        self.assertAlmostEqual(air.pressure, 2e4, 6)
        self.assertEqual((air.amount, air.energy), (1, 0))
        sim.step()
        self.assertGreater(air.volume, 1.0001e-3)
        self.assertLess(air.energy, 0)
        self.assertAlmostEqual((air.pressure + AIR) * (air.volume / 1e-3)**1.4 / (AIR + 2e4), 1, 10)
        sensor = sim.sensors()["air"]
        self.assertEqual((sensor["volume"], sensor["gas_pressure"], sensor["gas_energy"]),
                         (air.volume, air.pressure, air.energy))

    def test_forces_are_loads(self):
        sim = sinew.Simulation(box(pressure=2e4))
        forces = sim.forces(["loads"])["loads"]
        top = sim.positions[:, 1] > 0
        self.assertAlmostEqual(forces[top, 1].sum(), 2e4 * .01, 6)
        np.testing.assert_allclose(forces.sum(axis=0), 0, atol=1e-9)
        np.testing.assert_allclose(sim.sensors()["air"]["force"], 0, atol=1e-9)

    def test_amount(self):
        keys = {"times": [0, .01], "values": [1, 1.3]}
        given, sim, plain = (sinew.Simulation(box(**own)) for own in ({"amount": 1.3}, {"amount": keys}, {}))
        sim.set_gas_amount("box", "air", 1.3)
        for one in (given, sim, plain):
            one.step()
        np.testing.assert_array_equal(sim.positions, given.positions)
        self.assertGreater(np.abs(sim.positions - plain.positions).max(), 1e-4)
        plain.loads["air"].set_amount(1.1)
        self.assertEqual(plain.loads[0].amount, 1.1)
        for wrong in (0, -1, float("nan"), 1e7):
            with self.assertRaisesRegex(sinew.InputError, "amount"):
                sim.set_gas_amount("box", "air", wrong)
        with self.assertRaisesRegex(sinew.InputError, "its kind in the scene is gas"):
            sim.set_pressure("box", "air", 3)
        with self.assertRaisesRegex(sinew.InputError, "set its amount"):
            sim.set_load(0, pressure=3)

    def test_copies_and_reset_keep_the_amount(self):
        sim = sinew.Simulation(box())
        sim.set_gas_amount("box", "air", 1.2)
        sim.step()
        other = copy.deepcopy(sim)
        for one in (sim, other):
            one.step()
        np.testing.assert_array_equal(sim.positions, other.positions)
        self.assertEqual(other.loads["air"].amount, 1.2)

    def test_energy_is_conserved(self):
        scene = box(pressure=5e3)
        scene["time"] = {"step": 5e-4, "integrator": "newmark"}
        sim = sinew.Simulation(scene)

        def total():
            energies = sim.energies()
            return energies["kinetic"] + energies["elastic"] + sim.loads["air"].energy

        sim.step()  # from rest, without the acceleration at the start: an error of the second order in the step
        start, kinetic, drift = total(), 0, 0
        for _ in range(60):
            sim.step()
            kinetic, drift = max(kinetic, sim.energies()["kinetic"]), max(drift, abs(total() - start))
        self.assertLess(drift, 1e-4 * kinetic)
        self.assertGreater(kinetic, 0)

    def test_other_loads_have_no_gas(self):
        scene = box()
        scene["bodies"][0]["loads"] = [{"name": "push", "all": True, "pressure": 5}]
        del scene["sensors"]
        with self.assertRaisesRegex(sinew.InputError, "is no gas"):
            sinew.Simulation(scene).loads["push"].volume

    def test_bad_scenes(self):
        def refused(message, change):
            scene = json.loads(json.dumps(box()))
            change(scene)
            with self.assertRaisesRegex(sinew.InputError, message):
                sinew.Simulation(scene)

        gas = lambda scene: scene["bodies"][0]["loads"][0]["gas"]
        refused("exponent", lambda s: gas(s).update(exponent=.5))
        refused("ambient", lambda s: gas(s).update(ambient=-1))
        refused(r"gas\.pressure: found -200000", lambda s: gas(s).update(pressure=-2e5))
        refused(r"gas\.amount", lambda s: gas(s).update(amount=0))
        refused("not closed", lambda s: s["bodies"][0]["loads"][0].update(
            {"all": None, "halfspace": {"point": [0, 0, 0], "normal": [0, 1, 0]}}) or s["bodies"][0]["loads"][0].pop("all"))
        refused("no cavity", lambda s: s["bodies"][0].update(mesh={"box": {"size": [.3, .3, .3], "cells": [3, 3, 3]}}))
        refused("adaptive.* does not support gas", lambda s: s["solver"].update(method="adaptive"))
        refused("needs one gas", lambda s: s["bodies"][0]["loads"].append({"all": True, "gas": {}}))


if __name__ == "__main__":
    unittest.main()
