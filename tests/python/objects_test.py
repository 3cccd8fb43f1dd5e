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
        np.testing.assert_array_equal(sim.loads["arm.0"].value, [0, 1, 0])
        np.testing.assert_array_equal(fix.positions, sim.positions[fix.vertices])
        self.assertEqual(len(sim.springs["arm.0"].numbers), 9)
        self.assertEqual(len(sim.ties), 0)

    def test_values_of_loads(self):
        right = {"halfspace": {"point": [0.09, 0, 0], "normal": [1, 0, 0]}}
        keys = {"times": [0, 1], "values": [[0, 0, 0], [0, 0, 100]]}
        loads = [{"name": "air", "pressure": 50, **right}, {"name": "wind", "traction": keys, **right},
                 {"name": "twist", "moment": [1, 0, 0], **right}, {"name": "push", "force": [0, 1, 0], "at": [0.1, 0.5, 0], **right}]
        body = {**SCENE["bodies"][0], "loads": loads}
        scene = {**SCENE, "materials": {"rubber": SCENE["materials"]["rubber"]}, "bodies": [body]}
        sim = sinew.Simulation(scene)
        sim.step(2)
        self.assertEqual([load.kind for load in sim.loads], ["pressure", "traction", "moment", "force"])
        self.assertEqual(sim.loads["air"].value, 50)
        np.testing.assert_allclose(sim.loads["wind"].value, [0, 0, 2])
        np.testing.assert_array_equal(sim.loads["twist"].value, [1, 0, 0])
        np.testing.assert_array_equal(sim.loads["push"].value, [0, 1, 0])
        sim.set_pressure("arm", "air", 70)
        self.assertEqual(sim.loads["air"].value, 70)
        static = sinew.Simulation({**scene, "time": {"mode": "static", "steps": 4}})
        static.step()
        np.testing.assert_allclose(static.loads["twist"].value, [0.25, 0, 0])  # the ramp
        self.assertEqual(static.loads["air"].value, 12.5)

    def test_values_of_springs(self):
        spring = self.sim.springs["arm.0"]
        np.testing.assert_allclose(self.sim.positions[spring.vertices][:, 0], 0.1)
        np.testing.assert_array_equal(spring.points, [[1, 0.5, 0]] * 9)
        np.testing.assert_array_equal(spring.stiffnesses, [10] * 9)
        spring.set_length(0.3)
        spring.set_point([2, 0, 0])
        np.testing.assert_array_equal(spring.lengths, [0.3] * 9)
        np.testing.assert_array_equal(spring.points, [[2, 0, 0]] * 9)

    def test_triangles_of_obstacles(self):
        wall = self.sim.obstacles["wall"]
        corners = wall.positions[wall.triangles]
        volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
        self.assertAlmostEqual(volume, 0.1)  # closed and outward
        self.assertEqual(self.sim.obstacles["floor"].triangles.shape, (0, 3))

    def test_as_a_dict(self):
        bodies = self.sim.bodies
        self.assertEqual((bodies.keys(), [body.name for body in bodies.values()]), (["arm", "ball"], ["arm", "ball"]))
        self.assertEqual([(name, body.number) for name, body in bodies.items()], [("arm", 0), ("ball", 1)])

    def test_what_it_prints(self):
        self.assertEqual(repr(self.sim), "<sinew.Simulation of 2 bodies, 2 obstacles, 90 vertices, at time 0>")

    def test_fixed_keys_and_activation(self):
        muscle = {"young": 2e5, "density": 900, "fiber": {"stiffness": 0, "direction": [1, 0, 0], "tension": 1e5}}
        sim = sinew.Simulation({**SCENE, "materials": {**SCENE["materials"], "rubber": muscle}})
        rubber = sim.materials["rubber"]
        self.assertEqual((rubber.density, rubber.model, rubber.activation), (900, "neo_hookean", 0))
        rubber.activation = 0.5
        self.assertEqual((rubber.activation, sim.materials["rubber"].activation), (0.5, 0.5))
        self.assertTrue({"density", "activation", "young", "fiber_direction"} <= set(dir(rubber)))
        for wrong in (2000, float("nan")):
            with self.assertRaisesRegex(sinew.InputError, "density: found (2000.0|nan), but this key cannot change"):
                rubber.density = wrong
        with self.assertRaises(sinew.InputError):
            rubber.activation = 2

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
        for wrong in (2, -3):
            with self.assertRaisesRegex(sinew.InputError, f"bodies: found {wrong}, expected a number below 2"):
                self.sim.bodies[wrong]
        with self.assertRaises(IndexError):
            self.sim.bodies[2]
        for wrong in (None, 1.5, b"arm", slice(0, 1)):
            with self.assertRaisesRegex(sinew.InputError, "expected a name or a number .E-argument."):
                self.sim.materials[wrong]
        self.assertEqual(self.sim.bodies[np.int64(1)].name, "ball")

    def test_arrays_cannot_be_written(self):
        arm = self.sim.bodies["arm"]
        for array in (arm.positions, arm.velocities, arm.tets, arm.surface, arm.masses, arm.rest_positions,
                      arm.center_of_mass, arm.linear_momentum, arm.angular_momentum, arm.rotation, arm.transform,
                      self.sim.fixes[0].vertices, self.sim.fixes[0].positions, self.sim.obstacles["wall"].positions,
                      self.sim.obstacles["wall"].triangles, self.sim.springs[0].lengths):  # yapf: disable
            self.assertFalse(array.flags.writeable)

    def test_copies_have_their_own(self):
        other = self.sim.copy()
        other.step()
        self.assertFalse((other.bodies["ball"].positions == self.sim.bodies["ball"].positions).all())


if __name__ == "__main__":
    sys.exit(unittest.main())
