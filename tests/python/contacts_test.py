"""contacts(), wrench(), forces by term and tactile images, in all methods and models of contact."""

import dataclasses
import unittest

import numpy as np

import sinew

G = 9.81
RUBBER = {"rubber": {"young": 1e5, "poisson": 0.4, "density": 1000}}
FLOOR = {"name": "floor", "plane": {"normal": [0, 1, 0]}}
# Two triangles that meet the box inside their faces, and a moving mesh.
SHEET = {"name": "floor", "mesh": {"sheet": {"size": [0.43, 0.41], "cells": [3, 2]}}}
METHODS = ("newton", "multilevel", "mixed", "reduced")
MODELS = ("barrier", "convergent", "penalty")
PAIRS = [("newton", model) for model in MODELS] + [("reduced", "barrier")]  # methods in subspaces have barriers only


def box(name, at, size=0.1, cells=2, **keys):
    return {"name": name, "mesh": {"box": {"size": [size] * 3, "cells": [cells] * 3}}, "material": "rubber",
            "transform": {"translate": at}} | keys  # yapf: disable


def scene(bodies, obstacles=(FLOOR,), contact=(), solver=(), **keys):
    return {
        "materials": RUBBER,
        "bodies": bodies,
        "obstacles": list(obstacles),
        "contact": {"distance": 1e-3} | dict(contact),
        "solver": {"method": "newton", "tolerance": 1e-9, "max_iterations": 400} | dict(solver),
        "time": {"step": 0.01},
    } | keys


def stack(**keys):
    """Two boxes, one turned and beside the middle of the other, fall on a floor that they slide over."""
    upper = box("upper", [0.02, 0.163, 0.01], size=0.08, velocity=[0.4, -0.2, 0.1])
    upper["transform"]["rotate"] = {"axis": "y", "degrees": 25}
    return scene([box("lower", [0, 0.0515, 0], velocity=[0.3, -0.1, 0]), upper], **keys)


def run(data, steps):
    sim = sinew.Simulation(data)
    for _ in range(steps):
        row = sim.step()
        assert row["converged"], row
    return sim


def static_box(steps=1, obstacles=(FLOOR,), **keys):
    data = scene([box("box", [0, 0.0505 + keys.pop("offset", 0), 0])], obstacles, **keys)
    data["time"] = {"mode": "static", "steps": steps}
    data["solver"] |= {"tolerance": 1e-11, "force_tolerance": 1e-9}
    return run(data, steps)


def on_a(table):
    return table["normal_force"][:, None] * table["normal"] + table["friction_force"]


class Weights(unittest.TestCase):

    def test_a_box_in_statics(self):
        for model in MODELS:
            for obstacle in (FLOOR, SHEET):
                with self.subTest(model=model, obstacle=obstacle):
                    sim = static_box(obstacles=[obstacle], contact={"model": model})
                    table, weight = sim.contacts(), G * 1000 * 1e-3
                    self.assertGreater(len(table), 3)
                    np.testing.assert_allclose(on_a(table).sum(axis=0), [0, weight, 0], atol=1e-6 * weight)
                    self.assertTrue((table["normal"][:, 1] > 0.5).all())  # tilted at corners of the sheet
                    self.assertEqual(set(table["body_a"]) | set(table["body_b"]), {0, 1})
                    self.assertEqual(sim.contact_names, ("box", "floor"))

    def test_a_box_at_rest_in_all_methods(self):
        for method in METHODS:
            with self.subTest(method):
                data = scene([box("box", [0, 0.0505, 0], damping={"mass": 40})], solver={"method": method})
                sim = run(data, 200)
                weight = -sim.forces()["gravity"].sum(axis=0)
                np.testing.assert_allclose(on_a(sim.contacts()).sum(axis=0), weight, atol=1e-6 * weight[1])

    def test_features_and_thickness(self):
        for model, kinds in (("barrier", {"vertex-face", "face-vertex", "edge-edge", "vertex-edge", "edge-vertex",
                                          "vertex-vertex"}),
                             ("convergent", {"sample-face", "sample-edge", "sample-vertex"}),
                             ("penalty", {"vertex-face", "face-vertex"})):  # yapf: disable
            with self.subTest(model):
                thick = 0.004
                data = scene([box("box", [0, 0.0505 + thick, 0])], [SHEET],
                             {"model": model, "thickness": {"box": thick}})  # yapf: disable
                sim = run(data, 5)
                table = sim.contacts()
                self.assertTrue(set(table["kind"]) <= kinds, set(table["kind"]))
                self.assertTrue((table["gap"] < 1e-3).all())
                sheet = table["rest_b"]  # the sheet rests
                points = (table["weights_a"][:, :, None] * sim.positions[table["vertices_a"]]).sum(axis=1)
                np.testing.assert_allclose(points - sheet, (table["gap"] + thick)[:, None] * table["normal"],
                                           atol=1e-12)
                np.testing.assert_allclose((points + sheet) / 2, table["point"], atol=1e-12)


class Friction(unittest.TestCase):

    def incline(self, mu, model, method, steps=30):
        angle = np.radians(20)
        data = scene([box("box", [0, 0.0505, 0])], contact={"friction": mu, "model": model},
                     solver={"method": method, "tolerance": 1e-7},
                     gravity=[G * np.sin(angle), -G * np.cos(angle), 0],
                     sensors={"floor": {"obstacle": "floor"}})  # yapf: disable
        return run(data, steps), G * np.sin(angle), G * np.cos(angle)

    def test_it_holds_a_block(self):
        for method, model in PAIRS:
            with self.subTest(model=model, method=method):
                sim, along, _ = self.incline(0.8, model, method)
                friction = sim.contacts()["friction_force"].sum(axis=0)
                np.testing.assert_allclose(friction, [-along, 0, 0], atol=0.02 * along)
                np.testing.assert_allclose(sim.sensors()["floor"]["force"], sim.wrench("box")[0], atol=1e-12 * along)
                on_floor = sim.obstacle_forces()["floor"]["friction"]
                np.testing.assert_allclose(on_floor, -friction[None], atol=1e-12 * along)

    def test_a_block_that_slides(self):
        for model in MODELS:
            with self.subTest(model):
                sim, along, across = self.incline(0.1, model, "newton")
                table = sim.contacts()
                speed = (along - 0.1 * across) * 0.3
                np.testing.assert_allclose(table["slip_velocity"].mean(axis=0), [speed, 0, 0], atol=0.05 * speed)
                slip, force = table["slip_velocity"], table["friction_force"]
                moved = (table["weights_a"][:, :, None] * sim.velocities[table["vertices_a"]]).sum(axis=1)
                np.testing.assert_allclose(slip[:, [0, 2]], moved[:, [0, 2]], atol=1e-9)
                np.testing.assert_allclose(np.linalg.norm(force, axis=1).sum(), 0.1 * table["normal_force"].sum(),
                                           rtol=0.02)
                self.assertTrue(((slip * force).sum(axis=1) <= 0).all())

    def test_a_moving_floor_drags(self):
        moving = FLOOR | {"motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [2, 0, 0]]}}}
        sim = run(scene([box("box", [0, 0.0505, 0])], [moving], {"friction": 0.2}, {"tolerance": 1e-7}), 10)
        table = sim.contacts()
        self.assertTrue((table["slip_velocity"][:, 0] < -1).all())
        self.assertTrue((table["friction_force"][:, 0] > 0).all())


class Sums(unittest.TestCase):

    def check_table(self, sim, thickness):
        """The rows add up to the nodal forces and those on obstacles; wrenches of two sides are opposite."""
        table, forces, names = sim.contacts(), sim.forces(), sim.contact_names
        scale = np.abs(table["normal_force"]).sum()
        self.assertGreater(scale, 0)
        for side in "ab":
            weights = table["weights_" + side]
            self.assertGreater(weights.min(), -1e-9)
            plane = np.char.endswith(table["kind"], "plane") & (side == "b")
            np.testing.assert_allclose(weights.sum(axis=1), 1.0 - plane, atol=1e-12)
            np.testing.assert_array_equal(table["vertices_" + side][:, 0] < 0, plane)
        np.testing.assert_allclose(np.linalg.norm(table["normal"], axis=1), 1, atol=1e-12)
        for name in ("slip_velocity", "friction_force"):
            across = (table[name] * table["normal"]).sum(axis=1)
            # Friction has the tangents of its last update.
            self.assertLess(np.abs(across).max(), 0.1 * np.abs(table[name]).max() + 1e-12)
        self.assertTrue((table["body_a"] <= table["body_b"]).all())
        on_obstacles = sim.obstacle_forces()["floor"]
        from_floor = on_a(table[table["body_b"] == 2]).sum(axis=0)
        np.testing.assert_allclose((forces["contact"] + forces["friction"]).sum(axis=0), from_floor, atol=1e-9 * scale)
        np.testing.assert_allclose((on_obstacles["contact"] + on_obstacles["friction"]).sum(axis=0), -from_floor,
                                   atol=1e-9 * scale)
        point = np.array([0.01, 0.1, 0.02])
        for a, b in (("upper", "lower"), ("lower", "floor")):
            force, moment = sim.wrench(a, b, point)
            back, turned_back = sim.wrench(names.index(b), names.index(a), point)
            pair = table[(table["body_a"] == min(map(names.index, (a, b)))) &
                         (table["body_b"] == max(map(names.index, (a, b))))]  # yapf: disable
            self.assertGreater(len(pair), 0)
            np.testing.assert_allclose(force, -back, atol=1e-12 * scale)
            # Friction acts at both closest points, whose distance is its arm.
            gaps = ((np.abs(pair["gap"]) + 2 * thickness) * np.linalg.norm(pair["friction_force"], axis=1)).sum()
            np.testing.assert_allclose(moment, -turned_back, atol=1e-12 * scale + gaps)
        total, moment = sim.wrench("lower")
        by = [sim.wrench("lower", other) for other in ("upper", "floor")]
        np.testing.assert_allclose(total, by[0][0] + by[1][0], atol=1e-12 * scale)
        np.testing.assert_allclose(moment, by[0][1] + by[1][1], atol=1e-12 * scale)

    def test_moments_are_those_of_nodal_forces(self):
        for method, model in PAIRS:
            with self.subTest(model=model, method=method):
                sim = run(stack(contact={"model": model, "friction": 0.3}, solver={"method": method}), 8)
                forces, point = sim.forces(), np.array([0.3, -0.2, 0.1])
                nodal = (forces["contact"] + forces["friction"])[:27]
                _, moment = sim.wrench("lower", about=point)
                expected = np.cross(sim.positions[:27] - point, nodal).sum(axis=0)
                np.testing.assert_allclose(moment, expected, atol=1e-9 * np.abs(nodal).sum())

    def test_momentum(self):
        """The sum of the forces is the rate of momentum, to 1e-6 of the largest force."""
        for method in METHODS:
            for model in MODELS if method in ("newton", "multilevel") else ["barrier"]:
                for friction, obstacle, thickness in ((0, FLOOR, 0), (0.3, SHEET, 0.002)):
                    with self.subTest(method=method, model=model, friction=friction):
                        data = stack(contact={"model": model, "friction": friction,
                                              "thickness": {"lower": thickness, "upper": thickness}},
                                     solver={"method": method}, obstacles=[obstacle])  # yapf: disable
                        for i, body in enumerate(data["bodies"]):
                            body["transform"]["translate"][1] += thickness * (2 * i + 1)
                        self.check_momentum(sinew.Simulation(data), 12, thickness)

    def check_momentum(self, sim, steps, thickness, h=0.01):
        mass, touched = -sim.forces()["gravity"][:, 1] / G, False
        for _ in range(steps):
            before = sim.velocities
            sim.step()
            forces = sim.forces()
            rate = mass @ (sim.velocities - before) / h
            largest = max(np.linalg.norm(force, axis=1).max() for force in forces.values())
            bodies = sum(force.sum(axis=0) for name, force in forces.items() if name != "inertia")
            np.testing.assert_allclose(bodies, rate, atol=1e-6 * largest)
            np.testing.assert_allclose(forces["inertia"].sum(axis=0), -rate, atol=1e-6 * largest)
            touched = touched or len(sim.contacts()) > 0
        self.assertTrue(touched)
        self.check_table(sim, thickness)

    def largest_rest(self, method, **solver):
        """The largest sum of the forces by term over some steps, over the largest force."""
        sim = sinew.Simulation(stack(contact={"friction": 0.3}, solver={"method": method, **solver}))
        rest = 0
        for _ in range(12):
            self.assertTrue(sim.step()["converged"])
            forces = sim.forces().values()
            largest = max(np.linalg.norm(force, axis=1).max() for force in forces)
            rest = max(rest, np.abs(sum(force.sum(axis=0) for force in forces)).max() / largest)
        self.assertGreater(len(sim.contacts()), 0)
        return rest

    def test_the_rest_is_that_of_the_tolerance(self):
        """The steps of adaptive end at adaptive.accuracy, those of quasi_newton after some iterations."""
        rests = [self.largest_rest("adaptive", adaptive={"accuracy": accuracy}) for accuracy in (2e-2, 1e-4, 1e-7)]
        self.assertGreater(rests[0], 1e-3)
        for rest, accuracy in zip(rests, (2e-2, 1e-4, 1e-7)):
            self.assertLess(rest, 3 * accuracy)
        for tolerance in (1e-4, 1e-6):
            rest = self.largest_rest("quasi_newton", iterations=0, tolerance=tolerance, max_iterations=20000)
            self.assertLess(rest, tolerance)

    def test_before_the_first_step_nothing_slides(self):
        """A copy has the contacts and their normal forces, and no friction, damping or inertia until its first step."""
        for method in METHODS:
            for integrator in ("implicit_euler", "bdf2", "newmark"):
                with self.subTest(method=method, integrator=integrator):
                    data = stack(contact={"friction": 0.3}, solver={"method": method})
                    data["time"]["integrator"] = integrator
                    data["bodies"][0]["damping"] = {"mass": 0.2, "stiffness": 1e-3}
                    sim = run(data, 10)
                    self.assertGreater(np.abs(sim.forces()["friction"]).max(), 0)
                    self.assertGreater(np.abs(sim.forces()["damping"]).max(), 0)
                    state = sim.state()
                    copy = sim.copy()
                    sim.step()
                    sim.set_state(state)
                    for other in (copy, sim):
                        forces, table = other.forces(), other.contacts()
                        size = np.abs(forces["contact"]).max()
                        for name in ("friction", "damping", "inertia", "reaction"):
                            np.testing.assert_allclose(forces[name], 0, atol=1e-9 * size, err_msg=name)
                        np.testing.assert_allclose(table["slip_velocity"], 0, atol=1e-9)
                        np.testing.assert_allclose(table["friction_force"], 0, atol=1e-9 * size)
                        self.assertGreater(table["normal_force"].sum(), 0)

    def test_added_forces_are_loads(self):
        for method in METHODS:
            with self.subTest(method):
                sim = sinew.Simulation(stack(solver={"method": method}))
                mass = -sim.forces()["gravity"][:, 1] / G
                sim.step()
                before = sim.velocities
                sim.add_force([0, 5], [[3, 0, 0], [0, 0, 4]])
                sim.step()
                forces = sim.forces()
                np.testing.assert_allclose(forces["loads"].sum(axis=0), [3, 0, 4], atol=1e-9)
                rate = mass @ (sim.velocities - before) / 0.01
                np.testing.assert_allclose(sum(f.sum(axis=0) for n, f in forces.items() if n != "inertia"), rate, atol=1e-5)

    def test_some_terms(self):
        sim = sinew.Simulation(stack())
        sim.step()
        some, all_terms = sim.forces(["reaction", "gravity"]), sim.forces()
        self.assertEqual(set(some), {"reaction", "gravity"})
        np.testing.assert_array_equal(some["gravity"], all_terms["gravity"])
        with self.assertRaisesRegex(sinew.InputError, 'terms: found "wind"'):
            sim.forces(["wind"])

    def test_every_term_balances_at_every_vertex(self):
        """With fixed vertices, damping, loads, springs, a tie and each integrator."""
        for integrator in ("implicit_euler", "bdf2", "newmark"):
            with self.subTest(integrator):
                lower = box("lower", [0, 0.0505, 0], damping={"mass": 0.3, "stiffness": 1e-3},
                            loads=[{"halfspace": {"point": [0, 0.1, 0], "normal": [0, 1, 0]},
                                    "pressure": 300}])  # yapf: disable
                held = box("held", [0.102, 0.0505, 0],
                           fix=[{"halfspace": {"point": [0.151, 0, 0], "normal": [1, 0, 0]}}])  # yapf: disable
                data = scene([lower, held], contact={"friction": 0.3}, time={"step": 0.01, "integrator": integrator})
                data["ties"] = [{"body": "lower", "halfspace": {"point": [0.05, 0, 0], "normal": [1, 0, 0]},
                                 "to": {"body": "held", "halfspace": {"point": [0.052, 0, 0], "normal": [-1, 0, 0]}}}]
                sim = sinew.Simulation(data)
                sim.pull(0, [0.3, 0.2, 0], 50)
                for _ in range(6):
                    sim.step()
                forces = sim.forces()
                largest = max(np.linalg.norm(force, axis=1).max() for force in forces.values())
                np.testing.assert_allclose(sum(forces.values()), 0, atol=1e-6 * largest)
                for name in set(forces) - {"spin"}:
                    self.assertGreater(np.abs(forces[name]).max(), 0, name)

    def test_statics_in_a_rotating_frame(self):
        data = scene([box("box", [0.3, 0, 0], fix=[{"halfspace": {"point": [0.26, 0, 0], "normal": [-1, 0, 0]}}])], [],
                     spin={"axis": "y", "speed": 5})  # yapf: disable
        data["time"] = {"mode": "static", "steps": 1}
        forces = run(data, 1).forces()
        np.testing.assert_allclose(forces["spin"].sum(axis=0), [25 * 0.3, 0, 0], rtol=0.02, atol=1e-3)
        largest = max(np.linalg.norm(force, axis=1).max() for force in forces.values())
        np.testing.assert_allclose(sum(forces.values()), 0, atol=1e-3 * largest)

    def test_before_the_first_step(self):
        sim = sinew.Simulation(stack(contact={"friction": 0.3}))
        forces = sim.forces()
        self.assertEqual(np.abs(forces["inertia"]).max(), 0)
        np.testing.assert_allclose(forces["gravity"].sum(axis=0), [0, -G * 1000 * (0.1**3 + 0.08**3), 0], rtol=1e-9)
        self.assertEqual(len(sim.contacts()), 0)
        self.assertEqual(sim.contacts().dtype["kind"], np.dtype("U16"))
        np.testing.assert_array_equal(sim.wrench("lower"), np.zeros((2, 3)))


class Tactile(unittest.TestCase):

    def pressed(self, on, method="newton", model="barrier"):
        """A box, turned a little, lies on a thicker pad that leans; friction holds it."""
        angle = np.radians(10)
        pad = {"name": "pad", "mesh": {"box": {"size": [0.2, 0.04, 0.2], "cells": [5, 2, 5]}}}
        if on == "body":
            pad |= {"material": "rubber", "fix": [{"halfspace": {"point": [0, -0.0199, 0], "normal": [0, -1, 0]}}]}
        top = box("box", [0.01, 0.0705, 0.02])
        data = scene([top] + [pad] * (on == "body"), [pad] * (on != "body"),
                     {"friction": 0.8, "model": model}, {"method": method, "tolerance": 1e-7},
                     gravity=[G * np.sin(angle), -G * np.cos(angle), 0])  # yapf: disable
        return run(data, 20)

    def test_the_image_has_the_force(self):
        pad = sinew.Pad("pad", [0, 0.02, 0], u=[0, 0, 0.18], v=[0.16, 0, 0])
        for on in ("body", "obstacle"):
            for model in MODELS:
                with self.subTest(on=on, model=model):
                    sim = self.pressed(on, model=model)
                    image = sinew.tactile(sim, pad, shape=(32, 24))
                    self.assertEqual(image.pressure.shape, (32, 24))
                    self.assertEqual(image.shear.shape, (32, 24, 2))
                    force, _ = sim.wrench("pad", "box")
                    total = np.array([image.shear[..., 1].sum(), -image.pressure.sum(), image.shear[..., 0].sum()])
                    total *= image.pixel_area
                    size = np.linalg.norm(force)
                    self.assertGreater(size, 5)
                    # The pad's axes turn with it; in its own axes the sums agree to rounding.
                    self.assertLess(abs(np.linalg.norm(total) - size), 1e-12 * size)
                    np.testing.assert_allclose(total, force, atol=(0.05 if on == "body" else 1e-12) * size)

    def test_where_it_presses(self):
        sim = self.pressed("obstacle")
        image = sinew.tactile(sim, sinew.Pad("pad", [0, 0.02, 0], u=[0, 0, 0.2], v=[0.2, 0, 0]), shape=(40, 40))
        rows, columns = np.nonzero(image.pressure)
        table = sim.contacts()[image.contacts]
        edge = np.sqrt(table["area"].max()) / 2 + 0.2 / 40
        for pixels, axis in ((rows, 0), (columns, 2)):
            at = (np.array([pixels.min(), pixels.max() + 1]) / 40 - 0.5) * 0.2
            self.assertLess(abs(at[0] - table["point"][:, axis].min()), edge)
            self.assertLess(abs(at[1] - table["point"][:, axis].max()), edge)
        # A pad that faces away feels nothing, and one beside the box nothing either.
        for away in (sinew.Pad("pad", [0, 0.02, 0], u=[0.2, 0, 0], v=[0, 0, 0.2]),
                     sinew.Pad("pad", [0.09, 0.02, 0.09], u=[0, 0, 0.02], v=[0.02, 0, 0])):  # yapf: disable
            self.assertEqual(np.abs(sinew.tactile(sim, away).pressure).max(), 0)

    def test_a_plane_is_a_pad(self):
        sim = static_box()
        image = sinew.tactile(sim, sinew.Pad(1, [0, 0, 0], u=[0, 0, 0.15], v=[0.15, 0, 0]))
        self.assertAlmostEqual(image.pressure.sum() * image.pixel_area, G, delta=1e-6 * G)

    def test_bad_pads(self):
        sim = static_box()
        for pad, text in ((sinew.Pad("flor", [0, 0, 0], [1, 0, 0], [0, 0, 1]), "did you mean \"floor\"?"),
                          (sinew.Pad("floor", [0, 0], [1, 0, 0], [0, 0, 1]), "center: found [0, 0]"),
                          (sinew.Pad("floor", [0, 0, 0], [1, 0, 0], [1, 0, 1]), "two at right angles")):
            with self.assertRaises(sinew.InputError) as caught:
                sinew.tactile(sim, pad)
            self.assertIn(text, str(caught.exception))
            self.assertEqual(caught.exception.code, "E-argument")
        good = sinew.Pad("floor", [0, 0, 0], [1, 0, 0], [0, 0, 1])
        for change, text in (({"depth": -1}, "depth: found -1"), ({"depth": np.nan}, "depth: found nan"),
                             ({"depth": "a"}, "depth: found 'a'"), ({"u": "abc"}, "u: found 'abc'")):  # yapf: disable
            with self.assertRaisesRegex(sinew.InputError, text):
                sinew.tactile(sim, dataclasses.replace(good, **change))
        for shape in ((0, 3), (3,), 3, None, (2.5, 3), (10**6, 10**6)):
            with self.assertRaisesRegex(sinew.InputError, "tactile: shape: found"):
                sinew.tactile(sim, good, shape)
        with self.assertRaisesRegex(sinew.InputError, "found 'floor' as pad, expected a sinew.Pad"):
            sinew.tactile(sim, "floor")


class Errors(unittest.TestCase):

    def test_names(self):
        sim = sinew.Simulation(stack())
        for arguments, text in ((("uper",), "on: found \"uper\", expected the name of a body or obstacle: \"lower\", "
                                 "\"upper\", \"floor\"; did you mean \"upper\"?"),
                                ((3,), "on: found 3, expected the name or number of a body or obstacle, 0 to 2"),
                                ((-1,), "on: found -1"), ((10**30,), "on: found 1"), (("lower", 1.5), "by: found 1.5"),
                                (("lower", None, [0, 1]), "about: found shape (2,), expected (3,)"),
                                (("lower", None, [0, 1, np.nan]), "about: found a number that is not finite")):
            with self.assertRaises(sinew.InputError) as caught:
                sim.wrench(*arguments)
            self.assertIn(text, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
