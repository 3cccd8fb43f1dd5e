"""Bodies, obstacles, fixes, loads, springs, ties and materials by name."""

import sys
import unittest

import numpy as np

import sinew

BOX = {"box": {"size": [0.2, 0.1, 0.1], "cells": [4, 2, 2]}}
SCENE = {
    "time": {"step": 0.01}, "gravity": [0, -9.81, 0],
    "materials": {"rubber": {"young": 2e5, "poisson": 0.4, "density": 1000},
                  "steel": {"young": 2e8, "poisson": 0.3, "density": 8000}},
    "bodies": [
        {"name": "arm", "mesh": BOX, "material": "rubber", "transform": {"translate": [0, 0.5, 0]},
         "fix": [{"halfspace": {"point": [-0.09, 0, 0], "normal": [-1, 0, 0]}}],
         "loads": [{"force": [0, -1, 0], "halfspace": {"point": [0.09, 0, 0], "normal": [1, 0, 0]}}],
         "springs": [{"halfspace": {"point": [0.09, 0, 0], "normal": [1, 0, 0]}, "stiffness": 10, "to": [1, 0.5, 0]}]},
        {"name": "ball", "mesh": BOX, "material": "steel", "transform": {"translate": [1, 0.5, 0]},
         "velocity": [1, 2, 3], "angular_velocity": [0, 0, 4]},
    ],
    "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}},
                  {"name": "wall", "mesh": {"box": {"size": [0.1, 1, 1], "cells": [1, 1, 1]}},
                   "transform": {"translate": [3, 0, 0]}, "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [1, 0, 0]]}}}],
}  # yapf: disable


class Objects(unittest.TestCase):

    def setUp(self):
        self.sim = sinew.Simulation(SCENE)

    def test_bodies(self):
        sim = self.sim
        self.assertEqual(sim.bodies.names, ["arm", "ball"])
        self.assertEqual([body.name for body in sim.bodies], ["arm", "ball"])
        self.assertIn("arm", sim.bodies)
        self.assertEqual(len(sim.bodies), 2)
        self.assertEqual(sim.bodies[-1].name, "ball")
        sim.step(2)
        for body in sim.bodies:
            np.testing.assert_array_equal(body.positions, sim.positions[body.vertices])
            np.testing.assert_array_equal(body.velocities, sim.velocities[body.vertices])
            self.assertEqual((body.tets.min(), body.tets.max()), (0, len(body.positions) - 1))
            self.assertEqual(len(body.surface), 80)
            edges = np.sort(np.concatenate([body.surface[:, [0, 1]], body.surface[:, [1, 2]], body.surface[:, [2, 0]]]), axis=1)
            self.assertTrue((np.unique(edges, axis=0, return_counts=True)[1] == 2).all())  # closed
        corners = sim.bodies["arm"].rest_positions[sim.bodies["arm"].surface]
        volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
        self.assertAlmostEqual(volume, 0.002)  # outward

    def test_momenta(self):
        ball = self.sim.bodies["ball"]
        self.assertAlmostEqual(ball.mass, 8000 * 0.002)
        np.testing.assert_allclose(ball.masses.sum(), ball.mass)
        np.testing.assert_allclose(ball.center_of_mass, [1, 0.5, 0], atol=1e-12)
        np.testing.assert_allclose(ball.linear_momentum, ball.mass * np.array([1, 2, 3]))
        m, x, v = ball.masses[:, None], ball.positions - ball.center_of_mass, ball.velocities
        np.testing.assert_allclose(ball.angular_momentum, np.cross(x, m * v).sum(axis=0), atol=1e-12)
        self.assertAlmostEqual(ball.kinetic_energy, (m * v * v).sum() / 2)

    def test_sums_over_a_body_in_all_methods(self):
        """They are those of the positions and velocities of all vertices, also where a subspace lifts few of them."""
        solvers = ({"method": "newton"}, {"method": "multilevel", "handles": 4}, {"method": "reduced", "handles": 4},
                   {"method": "mixed", "handles": 4}, {"method": "reduced", "subspace": "linear", "handles": 8},
                   {"method": "reduced", "subspace": "linear", "handles": 8, "warping": True})  # yapf: disable
        for solver in solvers:
            with self.subTest(solver):
                sim = sinew.Simulation({**SCENE, "solver": solver})
                sim.step(3)
                for body in sim.bodies:
                    center, linear, angular = body.center_of_mass, body.linear_momentum, body.angular_momentum
                    energy, transform = body.kinetic_energy, body.transform  # before all positions are asked for
                    m, x, v = body.masses[:, None], body.positions, body.velocities
                    np.testing.assert_allclose(center, (m * x).sum(axis=0) / body.mass, atol=1e-12)
                    np.testing.assert_allclose(linear, (m * v).sum(axis=0), atol=1e-9)
                    np.testing.assert_allclose(angular, np.cross(x - center, m * v).sum(axis=0), atol=1e-9)
                    self.assertAlmostEqual(energy, (m * v * v).sum() / 2, delta=1e-9 * max(energy, 1))
                    rest = body.rest_positions - (m * body.rest_positions).sum(axis=0) / body.mass
                    u, _, vt = np.linalg.svd((m * (x - center)).T @ rest)
                    np.testing.assert_allclose(transform[:3, :3], u @ vt, atol=1e-9)

    def test_rotation_and_transform(self):
        sim = sinew.Simulation({**SCENE, "gravity": [0, 0, 0], "contact": {"enabled": False}})
        ball = sim.bodies["ball"]
        np.testing.assert_allclose(ball.transform, np.eye(4), atol=1e-12)
        sim.step(10)
        turned = ball.transform
        np.testing.assert_allclose(ball.rest_positions @ turned[:3, :3].T + turned[:3, 3], ball.positions, atol=2e-3)
        angle = np.arctan2(ball.rotation[1, 0], ball.rotation[0, 0])
        self.assertAlmostEqual(angle, 0.4, delta=0.01)
        self.assertAlmostEqual(np.linalg.det(ball.rotation), 1)

    def test_obstacles(self):
        sim = self.sim
        floor, wall = sim.obstacles["floor"], sim.obstacles["wall"]
        self.assertTrue(floor.is_plane)
        point, normal = floor.plane
        np.testing.assert_array_equal((point, normal), ([0, 0, 0], [0, 1, 0]))
        before = wall.positions
        self.assertEqual(before.shape, (8, 3))
        sim.step(5)
        np.testing.assert_allclose(wall.positions, before + [0.05, 0, 0], atol=1e-12)
        with self.assertRaisesRegex(sinew.InputError, "is a plane"):
            floor.positions
        with self.assertRaisesRegex(sinew.InputError, "is a mesh"):
            wall.plane

    def test_entries(self):
        sim = self.sim
        fix = sim.fixes["arm.0"]
        self.assertEqual((fix.body, fix.entry), ("arm", 0))
        np.testing.assert_allclose(sim.positions[fix.vertices][:, 0], -0.1)
        sim.step()
        np.testing.assert_allclose(fix.reaction, sim.forces()["reaction"].sum(axis=0))
        sim.loads["arm.0"].set(vector=[0, 1, 0])
        self.assertEqual(len(sim.springs["arm.0"].numbers), 9)
        self.assertEqual(len(sim.ties), 0)

    def test_materials(self):
        sim = self.sim
        rubber = sim.materials["rubber"]
        self.assertEqual((rubber.young, rubber.parameters["poisson"]), (2e5, 0.4))
        rubber.young = 3e5
        self.assertEqual(sim.materials["rubber"].young, 3e5)
        rubber.set(young=4e5, poisson=0.3)
        self.assertEqual(sim.settings()["materials.rubber.poisson"], 0.3)
        self.assertEqual(sim.materials["steel"].young, 2e8)
        with self.assertRaisesRegex(AttributeError, 'found "yuong"'):
            rubber.yuong
        with self.assertRaises(sinew.InputError):
            rubber.young = -1

    def test_settings(self):
        sim = self.sim
        sim.set("gravity", np.array([0, -1, 0]))
        sim.set("materials.rubber.young", 5e5)
        self.assertEqual(sim.settings()["gravity"], [0, -1, 0])
        self.assertEqual(sim.materials["rubber"].young, 5e5)
        with self.assertRaises(sinew.InputError):
            sim.set("gravitty", [0, 0, 0])

    def test_unknown_names(self):
        with self.assertRaisesRegex(sinew.InputError, 'bodies: found "leg", expected one of: "arm", "ball"'):
            self.sim.bodies["leg"]
        with self.assertRaises(IndexError):
            self.sim.bodies[2]

    def test_arrays_cannot_be_written(self):
        arm = self.sim.bodies["arm"]
        for array in (arm.positions, arm.velocities, arm.tets, arm.surface, arm.masses, arm.rest_positions,
                      self.sim.fixes[0].vertices, self.sim.obstacles["wall"].positions):  # yapf: disable
            self.assertFalse(array.flags.writeable)

    def test_copies_have_their_own(self):
        other = self.sim.copy()
        other.step()
        self.assertFalse((other.bodies["ball"].positions == self.sim.bodies["ball"].positions).all())


if __name__ == "__main__":
    sys.exit(unittest.main())
