"""Muscles and springs that keyframes move: closed forms, all methods, resuming, edits and errors."""

import pathlib
import tempfile
import unittest

import numpy as np
import sinew

SIZE, CELLS = [.4, .1, .1], [4, 1, 1]
FULL = {"subspace": "full"}  # all vertices and tets: the motion of newton
METHODS = {"newton": {}, "newton-pcg": {}, "newton-multilevel": {}, "multilevel": {}, "quasi_newton": {"iterations": 0},
           "adaptive": {}, "mixed": FULL, "reduced": FULL}  # yapf: disable


def end(side):
    return {"halfspace": {"point": [side * .199, 0, 0], "normal": [side, 0, 0]}}


def keys(*values, until=1.0):
    return {"times": np.linspace(0, until, len(values)).tolist(), "values": list(values)}


def bar(fiber, held=1, springs=(), time=None, young=1e5, model="fixed_corotated", poisson=0, cells=CELLS, **solver):
    """A bar along x, held at its first end or at both. With poisson 0 its stress is E (s - 1) of the stretch s."""
    return {"gravity": [0, 0, 0], "time": time or {"mode": "static", "steps": 4},
            "materials": {"m": {"model": model, "young": young, "poisson": poisson, "density": 1000,
                                "fiber": {"direction": [1, 0, 0], **fiber}}},
            "bodies": [{"name": "bar", "mesh": {"box": {"size": SIZE, "cells": cells}}, "material": "m",
                        "fix": [end(side) for side in (-1, 1)[:held]], "springs": list(springs)}],
            "contact": {"enabled": False},
            "solver": {"method": "newton", "tolerance": 1e-9, **solver}}  # yapf: disable


def length(sim):
    return np.ptp(sim.positions[:, 0]) / SIZE[0]


def moving(method="newton", integrator="implicit_euler", step=.01, **own):
    """A muscle that pulls and whose fibers become shorter, beside a spring that winds up."""
    spring = {**end(1), "to": [.2, .4, 0], "stiffness": 4, "length": keys(.4, .2, .35, until=.2), "name": "cable"}
    return bar({"stiffness": 2e4, "tension": 3e4, "activation": keys(0, .8, .1, until=.16),
                "length": keys(1, .85, .85, 1.1, until=.2)}, springs=[spring], model="neo_hookean", poisson=.4,
               cells=[6, 2, 2], time={"step": step, "steps": 100, "integrator": integrator},
               **{"method": method, **METHODS[method], **own})  # yapf: disable


class ClosedForms(unittest.TestCase):
    def test_a_free_bar_shortens(self):
        for ratio in (1e-3, 1e-1, 1, 10, 1e3):
            for rest, pull in ((.8, 0), (1.2, 0), (.7, .2), (1, .5)):
                with self.subTest(ratio=ratio, rest=rest, pull=pull):
                    young, stiffness = 1e5, ratio * 1e5
                    tension = .5 * (young + stiffness)
                    sim = sinew.Simulation(bar({"stiffness": stiffness, "tension": tension, "length": keys(1, rest),
                                                "activation": keys(0, pull)}))
                    for share in (.25, .5, .75, 1):
                        self.assertTrue(sim.step()["converged"])
                        L, aT = 1 + share * (rest - 1), share * pull * tension
                        expected = (young + stiffness * L - aT) / (young + stiffness)
                        self.assertAlmostEqual(length(sim), expected, delta=1e-8)
                    strain = (young * (expected - 1)**2 + stiffness * (expected - L)**2) / 2 + aT * (expected - L)
                    energy = sim.energies()["elastic"] / np.prod(SIZE)
                    self.assertAlmostEqual(energy, strain, delta=1e-6 * (young + stiffness))

    def test_a_held_bar_pulls(self):
        for stiffness in (1e2, 1e5, 1e8):
            sim = sinew.Simulation(bar({"stiffness": stiffness, "tension": stiffness, "length": .9,
                                        "activation": keys(0, .5)}, held=2))  # yapf: disable
            for share in (.25, .5, .75, 1):
                sim.step()
                right = sim.positions[:, 0] > 0
                force = sim.forces()["reaction"][right, 0].sum()
                self.assertAlmostEqual(force / (SIZE[1] * SIZE[2] * stiffness), .1 + .5 * share, delta=1e-9)

    def test_fibers_without_stress_have_no_energy(self):
        for model in ("newton", "reduced"):
            sim = sinew.Simulation(bar({"stiffness": 1e9, "length": keys(1, .6)}, young=1e-3, method=model,
                                       **({} if model == "newton" else FULL)))  # yapf: disable
            for _ in range(4):
                sim.step()
            self.assertAlmostEqual(length(sim), .6, delta=1e-6)
            self.assertGreaterEqual(sim.energies()["elastic"], 0)
            self.assertLess(sim.energies()["elastic"], 1e-3)


class Methods(unittest.TestCase):
    def test_all_move_alike(self):
        reference = sinew.Simulation(moving())
        sims = {name: sinew.Simulation(moving(name)) for name in METHODS if name != "newton"}
        for _ in range(20):
            self.assertTrue(reference.step()["converged"])
            for name, sim in sims.items():
                sim.step()
        self.assertGreater(np.abs(reference.positions - reference.rest_positions).max(), .02)
        for name, sim in sims.items():
            with self.subTest(name):
                np.testing.assert_allclose(sim.positions, reference.positions, atol=2e-3 if name == "adaptive" else 1e-5)
                self.assertAlmostEqual(sim.energies()["elastic"] / reference.energies()["elastic"], 1, delta=.05)
                self.assertAlmostEqual(sim.energies()["springs"] / reference.energies()["springs"], 1, delta=.05)
                np.testing.assert_allclose(sim.stress(), reference.stress(), atol=.02 * np.abs(reference.stress()).max())

    def test_subspaces_shorten(self):
        reference = sinew.Simulation(moving())
        for _ in range(10):
            reference.step()
        for name in ("mixed", "reduced"):
            sim = sinew.Simulation(moving(name, subspace="eigenmodes", handles=6, cubature="all"))
            for _ in range(10):
                sim.step()
            self.assertLess(abs(length(sim) - length(reference)), .05)
            self.assertLess(length(sim), .95)

    def test_warping_refuses(self):
        scene = moving("reduced", subspace="inertia", warping=True)
        with self.assertRaisesRegex(sinew.InputError, "rest length"):
            sinew.Simulation(scene)

    def test_smaller_steps_converge(self):
        ends = []
        for step in (.02, .01, .005, .0025):
            sim = sinew.Simulation(moving(step=step, integrator="bdf2"))
            while sim.time < .2 - 1e-9:
                sim.step()
            ends.append(sim.positions)
        differences = [np.abs(a - b).max() for a, b in zip(ends, ends[1:])]
        self.assertLess(differences[2], .6 * differences[1])
        self.assertLess(differences[1], .6 * differences[0])


class Resuming(unittest.TestCase):
    def test_in_the_middle_of_a_key_interval(self):
        for name in METHODS:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                sim = sinew.Simulation(moving(name))
                for _ in range(5):
                    sim.step()
                sim.save(pathlib.Path(folder, "half.h5"))
                for _ in range(5):
                    sim.step()
                again = sinew.Simulation(moving(name))
                again.load(pathlib.Path(folder, "half.h5"))
                for _ in range(5):
                    again.step()
                np.testing.assert_array_equal(sim.positions, again.positions)
                np.testing.assert_array_equal(sim.stress(), again.stress())

    def test_time_steps_may_change(self):
        sim, fine = sinew.Simulation(moving()), sinew.Simulation(moving(step=.002))
        for _ in range(4):
            sim.step()
        sim.set_time_step(.002)
        for _ in range(30):
            sim.step()
        for _ in range(50):
            fine.step()
        np.testing.assert_allclose(sim.positions, fine.positions, atol=2e-2)


class Edits(unittest.TestCase):
    def test_set_activation_replaces_keyframes(self):
        for name in METHODS:
            with self.subTest(name):
                fiber = {"stiffness": 2e4, "tension": 3e4, "length": keys(1, .9, until=.1)}
                def muscle(activation):
                    return sinew.Simulation(bar({**fiber, "activation": activation}, cells=[4, 2, 2], time={"step": .01},
                                                method=name, **METHODS[name]))  # yapf: disable

                sim, given = muscle(keys(0, 1, until=.1)), muscle(.4)
                self.assertEqual(sim.materials["m"].activation, 0)
                sim.set_activation("m", .4)
                for _ in range(5):
                    sim.step()
                    given.step()
                self.assertEqual(sim.materials["m"].activation, .4)
                np.testing.assert_allclose(sim.positions, given.positions, atol=1e-6)

    def test_values_are_those_of_the_time(self):
        sim = sinew.Simulation(moving())
        for _ in range(4):
            sim.step()
        self.assertAlmostEqual(sim.materials["m"].activation, .4)
        self.assertAlmostEqual(float(np.mean(sim.springs["cable"].length)), .32)
        sim.set_spring_length("bar", "cable", .1)
        sim.step()
        self.assertAlmostEqual(float(np.mean(sim.springs["cable"].length)), .1)

    def test_energies_follow_an_edit(self):
        for name in ("newton", "reduced"):
            sim = sinew.Simulation(moving(name))
            for _ in range(4):
                sim.step()
            before = sim.energies()["elastic"]
            sim.set_activation("m", .4)  # what it is at this time
            self.assertAlmostEqual(sim.energies()["elastic"], before, delta=1e-9 * abs(before))
            sim.set_activation("m", 0)
            self.assertNotAlmostEqual(sim.energies()["elastic"], before, delta=1e-3 * abs(before))


class Errors(unittest.TestCase):
    def test_values_out_of_bounds(self):
        for fiber, message in (({"activation": keys(0, 2)}, r"activation.*found 2, expected values from 0 to 1"),
                               ({"activation": -.5}, r"activation.*found -0.5, expected values from 0 to 1"),
                               ({"length": 0}, r"length.*found 0, expected more than 0"),
                               ({"length": keys(1, -1)}, r"length.*found -1, expected more than 0"),
                               ({"length": {"times": [0, 1], "values": [1]}}, "found 2 times and 1 values"),
                               ({"length": "short"}, "length")):  # yapf: disable
            with self.subTest(fiber), self.assertRaisesRegex(sinew.InputError, message):
                sinew.Simulation(bar({"stiffness": 1e4, "tension": 1e4, **fiber}))
        spring = {**end(1), "to": [0, 1, 0], "stiffness": 1, "length": keys(1, -1)}
        with self.assertRaisesRegex(sinew.InputError, r"length.*found -1, expected at least 0 m"):
            sinew.Simulation(bar({"stiffness": 1e4}, springs=[spring]))


if __name__ == "__main__":
    unittest.main()
