"""Changes between steps that have no effect are refused, and those that a scene could have made work."""

import pathlib
import tempfile
import unittest
import warnings

import numpy as np
import sinew


def block(material=None, **body):
    return {"gravity": [0, 0, 0],
            "materials": {"m": material or {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}},
            "bodies": [{"name": "block", "mesh": {"box": {"size": [.1, .1, .1], "cells": [2, 2, 2]}}, "material": "m",
                        **body}],
            "contact": {"enabled": False}, "solver": {"method": "newton"}}


FIBER = {"stiffness": 1e5, "direction": [1, 0, 0]}
HELD = [{"halfspace": {"point": [-.049, 0, 0], "normal": [-1, 0, 0]}}]


def stretched(sim):
    """The simulation with its block stretched by a tenth along x, free at the ends."""
    sim.positions = sim.positions * [1.1, 1, 1]
    return sim


def again(sim):
    with tempfile.TemporaryDirectory() as folder:
        sim.save(pathlib.Path(folder) / "state.h5")
        return sinew.Simulation.load(pathlib.Path(folder) / "state.h5")


class Positions(unittest.TestCase):
    def test_of_prescribed_vertices_stay(self):
        for how, remedy in (("fix", "motion"), ("sim.fix", "unfix()")):
            sim = sinew.Simulation(block(**({"fix": HELD} if how == "fix" else {})))
            held = np.flatnonzero(sim.positions[:, 0] < -.049)
            if how == "sim.fix":
                sim.fix(held)
            before, moved = sim.positions, sim.positions + [.01, 0, 0]
            with self.assertRaisesRegex(sinew.InputError, f"positions: vertex {held[0]} of body 'block' .*prescribed") as e:
                sim.positions = moved
            self.assertIn(remedy, str(e.exception))
            np.testing.assert_array_equal(sim.positions, before)
            # Free vertices move, and what passed through single precision is what it was.
            single = before.astype(np.float32).astype(float)
            single[-1, 0] += .01
            sim.positions = single
            np.testing.assert_array_equal(sim.positions[held], before[held])
            self.assertAlmostEqual(sim.positions[-1, 0], before[-1, 0] + .01, delta=1e-6)
            sim.unfix(held)
            sim.positions = moved
            sim.step()
            np.testing.assert_allclose(sim.positions, moved, atol=1e-3)

    def test_along_free_axes_and_after_the_hold(self):
        sim = sinew.Simulation(block(fix=[{**HELD[0], "axes": "x", "until": 0.015}]))
        sim.positions = sim.positions + [0, .01, 0]
        with self.assertRaises(sinew.InputError):
            sim.positions = sim.positions + [.01, 0, 0]
        sim.step()
        sim.positions = sim.positions + [.01, 0, 0]  # the next step holds nothing

    def test_velocities_of_prescribed_vertices_are_told(self):
        sim = sinew.Simulation(block(fix=HELD))
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            sim.velocities = sim.velocities + [1, 0, 0]
            self.assertIn("9 prescribed vertices", str(found[0].message))
            self.assertEqual(np.count_nonzero(sim.velocities), 18)
            sim.velocities = sim.velocities
            self.assertEqual(len(found), 1)


class Loads(unittest.TestCase):
    def test_kinds(self):
        top = {"halfspace": {"point": [0, .05, 0], "normal": [0, 1, 0]}}
        sim = sinew.Simulation(block(loads=[{**top, "force": [1, 0, 0]}, {**top, "pressure": 10},
                                            {**top, "traction": [0, 0, 5]}]))
        for call, message in (
                (lambda: sim.set_load(0), "load 0: found no value, its kind in the scene is force"),
                (lambda: sim.set_load(0, pressure=5), "load 0: found a pressure, but its kind in the scene is force"),
                (lambda: sim.set_load(0, [1, 0, 0], 0), "force"),
                (lambda: sim.set_load(1, [1, 0, 0]), "load 1: found a vector, but its kind in the scene is pressure"),
                (lambda: sim.set_load(1), "give its pressure"),
                (lambda: sim.set_load(2, pressure=0.), "traction"),
                (lambda: sim.set_load(3, [0, 0, 0]), "the scene has 3")):
            with self.assertRaises(sinew.InputError) as error:
                call()
            self.assertIn(message, str(error.exception))
        sim.set_load(0, [0, 0, 0])
        sim.set_load(2, vector=[0, 0, 0])
        sim.set_load(1, pressure=100)
        sim.step()
        # Downwards: 100 Pa on 0.01 m^2 move 1 kg.
        np.testing.assert_allclose(sim.velocities.mean(0), [0, -0.01, 0], atol=2e-3)
        loaded = again(sim)
        sim.step(), loaded.step()
        np.testing.assert_array_equal(sim.positions, loaded.positions)


class Methods(unittest.TestCase):
    def test_auto_chooses_as_at_the_start(self):
        started = sinew.Simulation({**block(), "solver": {}})
        sim = sinew.Simulation({**block(), "solver": {"method": "newton-pcg"}})
        self.assertEqual(sim.set_method("auto"), (0, 0))
        for s in (started, sim):
            stretched(s).step()
        np.testing.assert_array_equal(started.positions, sim.positions)
        loaded = again(sim)
        sim.step(), loaded.step()
        np.testing.assert_array_equal(sim.positions, loaded.positions)
        with self.assertRaisesRegex(sinew.InputError, "choose one of auto"):
            sim.set_method("magic")


class Materials(unittest.TestCase):
    def energy(self, sim):
        return sim.energies()["elastic"]

    def test_fibers(self):
        model = {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}
        plain = self.energy(stretched(sinew.Simulation(block())))
        fiber = self.energy(stretched(sinew.Simulation(block({**model, "fiber": FIBER})))) - plain
        self.assertAlmostEqual(fiber, 0.5 * 1e5 * .1**2 * 1e-3, delta=1e-9)
        sim = stretched(sinew.Simulation(block({**model, "fiber": FIBER})))
        for change, share in (({"fiber": {"stiffness": 2e5, "direction": [2, 0, 0]}}, 2), ({"fiber.stiffness": 3e5}, 3),
                              ({"fiber_direction": [0, 1, 0]}, 0), ({"fiber": {"direction": [1, 0, 0]}}, 3),
                              ({"fiber": None}, 0), ({"fiber": FIBER, "young": 2e5}, 1)):
            sim.set_material("m", **change)
            elastic = plain * (2 if "young" in change else 1)
            self.assertAlmostEqual((self.energy(sim) - elastic) / fiber, share, delta=1e-6, msg=change)
        # A material without fibers gets them, also for each tet; it goes on after a checkpoint with the same bits.
        sim = stretched(sinew.Simulation(block()))
        sim.set_material("m", fiber=FIBER)
        self.assertAlmostEqual((self.energy(sim) - plain) / fiber, 1, delta=1e-6)
        count = 40
        half = np.where(np.arange(count) < count / 2, 1e5, 0.)
        directions = np.tile([1., 0, 0], (count, 1))
        sim.set_material("m", fiber={"stiffness": half, "direction": directions})
        self.assertLess(0.2, (self.energy(sim) - plain) / fiber)
        self.assertLess((self.energy(sim) - plain) / fiber, 0.8)
        loaded = again(sim)
        sim.step(), loaded.step()
        np.testing.assert_array_equal(sim.positions, loaded.positions)

    def test_fibers_in_every_method(self):
        for method in ("newton", "multilevel", "quasi_newton", "mixed", "reduced"):
            with self.subTest(method=method):
                scene = block(fix=HELD)
                scene["solver"] = {"method": method, "iterations": 0}
                scene["gravity"] = [9, 0, 0]
                if method in ("mixed", "reduced"):
                    scene["solver"] |= {"handles": 3, "cubature": 20}
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of iterations
                    sim, plain = sinew.Simulation(scene), sinew.Simulation(scene)
                    scene["materials"]["m"]["fiber"] = FIBER
                    wanted = sinew.Simulation(scene)
                rest = wanted.positions
                sim.set_material("m", fiber=FIBER)
                for _ in range(10):
                    sim.step(), plain.step(), wanted.step()
                moved = abs(wanted.positions - rest).max()
                # Bases and cubature of a subspace know the fibers that were there at the start.
                share = 0.05 if method in ("mixed", "reduced") else 1e-3
                np.testing.assert_allclose(sim.positions, wanted.positions, atol=share * moved)
                self.assertGreater(abs(plain.positions - wanted.positions).max(), 2 * share * moved)

    def test_other_parameters(self):
        sim = stretched(sinew.Simulation(block()))
        lam, mu = 1e5 * .4 / (1.4 * .2), 1e5 / 2.8
        before = self.energy(sim)
        sim.set_material("m", lambda_=2 * lam, mu=2 * mu)
        self.assertAlmostEqual(self.energy(sim) / before, 2, delta=1e-6)
        sim.set_material("m", mu=np.float32(mu), **{"lambda": lam})
        self.assertAlmostEqual(self.energy(sim) / before, 1, delta=1e-6)
        sim.set_material("m", young=np.full(40, 3e5), poisson=.4)
        self.assertAlmostEqual(self.energy(sim) / before, 3, delta=1e-6)
        sim.set_material("m", poisson=.4)  # the field stays
        self.assertAlmostEqual(self.energy(sim) / before, 3, delta=1e-6)
        loaded = again(sim)
        loaded.set_material("m", young=1e5)
        self.assertAlmostEqual(self.energy(loaded) / before, 1, delta=1e-6)
        sim.set_material("m", density=1000)  # as it is

    def test_fields_of_the_scene(self):
        with tempfile.TemporaryDirectory() as folder:
            np.save(pathlib.Path(folder) / "young.npy", np.linspace(1e5, 2e5, 40))
            scene = block({"model": "stable_neo_hookean", "young": {"field": "young.npy"}, "poisson": 0.4})
            sim, other = sinew.Simulation(scene, folder), sinew.Simulation(scene | {"materials": {"m": {
                "model": "stable_neo_hookean", "young": {"field": "young.npy"}, "poisson": 0.2}}}, folder)
            before = self.energy(stretched(sim))
            sim.set_material("m", poisson=0.2)
            self.assertAlmostEqual(self.energy(sim) / self.energy(stretched(other)), 1, delta=1e-9)
            self.assertNotAlmostEqual(self.energy(sim) / before, 1, delta=1e-3)

    def test_what_is_refused_changes_nothing(self):
        sim = stretched(sinew.Simulation(block()))
        before = self.energy(sim)
        for change, message in (
                ({"density": 2000}, "materials.m.density: found 2000"),
                ({"model": "arap"}, "materials.m.model"),
                ({"yuong": 1e5}, "did you mean \"young\""),
                ({"young": -1}, "young"),
                ({"young": float("nan")}, "materials.m.young: found"),
                ({"young": "soft"}, "materials.m.young: found \"soft\""),
                ({"young": [1e5, 2e5]}, "2 values given, expected one, or 40"),
                ({"young": {"field": "a.npy"}}, "no files are read"),
                ({"mu": 1e5}, "mu"),
                ({"fiber": {"stiffness": 1e5}}, "materials.m.fiber.direction: is missing"),
                ({"fiber": {"stiffness": -1, "direction": [1, 0, 0]}}, "materials.m.fiber.stiffness: found -1"),
                ({"fiber": {"stiffness": 1, "direction": [0, 0, 0]}}, "length zero"),
                ({"fiber": {"stiffness": 1, "direction": [1, 0]}}, "materials.m.fiber.direction: found"),
                ({"fiber": {"stiffness": 1, "direktion": [1, 0, 0]}}, "materials.m.fiber.direktion: unknown key"),
                ({"fiber": FIBER, "young": -1}, "young"),
                ({"a": {"x": [1, 2], "dy": [0, 1]}}, "materials.m.a: model stable_neo_hookean has no such key")):
            with self.assertRaises(sinew.InputError, msg=change) as error:
                sim.set_material("m", **change)
            self.assertIn(message, str(error.exception))
            self.assertEqual(self.energy(sim), before)
        with self.assertRaisesRegex(sinew.InputError, "materials.n"):
            sim.set_material("n", young=1e5)


class Pulls(unittest.TestCase):
    def test_of_scripts_have_no_limit(self):
        sim = sinew.Simulation({**block(), "bodies": [{"mesh": {"box": {"size": [1, .1, .1], "cells": [30, 3, 3]}}}]})
        x = sim.positions
        for v in range(200):
            sim.pull(v, x[v] + [0, .01, 0], 100)
        self.assertAlmostEqual(sim.energies()["springs"], 200 * 50 * 1e-4, delta=1e-9)
        self.assertTrue(sim.step()["converged"])
        loaded = again(sim)
        self.assertEqual(loaded.energies()["springs"], sim.energies()["springs"])
        sim.release()
        self.assertEqual(sim.energies()["springs"], 0)


if __name__ == "__main__":
    unittest.main()
