"""Control between steps from Python: targets, forces, springs, loads, friction of pairs and ties."""

import pathlib
import tempfile
import unittest

import numpy as np
import sinew

STEP = 0.01
BOX = {"box": {"size": [.4, .1, .1], "cells": [6, 2, 2]}}


def end(side):
    return {"halfspace": {"point": [side * .199, 0, 0], "normal": [side, 0, 0]}}


def bar(method="newton", **body):
    return {"time": {"step": STEP}, "materials": {"m": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}},
            "bodies": [{"name": "bar", "mesh": BOX, "material": "m",
                        "fix": [{"name": "wall", **end(-1)}, {"name": "grip", **end(1)}], **body}],
            "contact": {"enabled": False}, "solver": {"method": method, "tolerance": 1e-8}}


def moved(shift, degrees=0):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[1, 0, 0, shift[0]], [0, c, -s, shift[1]], [0, s, c, shift[2]], [0, 0, 0, 1]])


def gripped(sim):
    return np.flatnonzero(sim.positions[:, 0] > .199)


class Fixes(unittest.TestCase):
    def test_targets_are_reached_and_held(self):
        for method in ("newton", "quasi_newton", "mixed"):
            sim = sinew.Simulation(bar(method))
            grip = gripped(sim)
            rest = sim.positions[grip]
            pose = moved([.01, .02, 0], 5)
            sim.set_fix_target("bar", "grip", transform=pose)
            for _ in range(2):
                sim.step()
                np.testing.assert_allclose(sim.positions[grip], rest @ pose[:3, :3].T + pose[:3, 3], atol=1e-12)
            sim.set_fix_target(0, 1, velocity=[0, 0, .1])
            before = sim.positions[grip]
            for k in range(1, 4):
                sim.step()
                np.testing.assert_allclose(sim.positions[grip], before + [0, 0, .1 * k * STEP], atol=1e-12)
            sim.set_fix_target("bar", "grip", positions=rest)
            sim.step()
            np.testing.assert_allclose(sim.positions[grip], rest, atol=1e-12)

    def test_a_body_that_is_fixed_as_a_whole(self):
        """It has no unknowns; then it is released and keeps its velocity."""
        for method in ("newton", "newton-pcg", "multilevel", "adaptive", "quasi_newton"):
            with self.subTest(method):
                sim = sinew.Simulation(bar(method, fix=[{"name": "hand", "all": True}]) | {"gravity": [0, 0, 0]})
                start = sim.positions
                sim.step()
                np.testing.assert_array_equal(sim.positions, start)
                sim.set_fix_target("bar", "hand", velocity=[0, .5, 0])
                sim.step(2)
                np.testing.assert_allclose(sim.positions, start + [0, 2 * .5 * STEP, 0], atol=1e-12)
                sim.unfix(sim.fixes["hand"].vertices)
                sim.step(2)
                np.testing.assert_allclose(sim.positions, start + [0, 4 * .5 * STEP, 0], atol=1e-9)

    def test_positions_of_single_vertices(self):
        sim = sinew.Simulation(bar())
        grip = gripped(sim)
        places = sim.positions[grip]
        places[0] += [0, 0, .01]
        sim.set_fix_target("bar", "grip", positions=places)
        sim.step()
        np.testing.assert_array_equal(sim.positions[grip], places)
        with tempfile.TemporaryDirectory() as folder:
            sim.set_fix_target("bar", "grip", velocity=[.1, 0, 0])
            sim.save(pathlib.Path(folder) / "state.h5")
            again = sinew.Simulation.load(pathlib.Path(folder) / "state.h5")
        for run in (sim, again):
            run.step()
            run.step()
        np.testing.assert_array_equal(sim.positions, again.positions)
        with self.assertRaisesRegex(sinew.InputError, "affine maps alone"):
            sim.set_method("mixed")

    def test_bad_targets_change_nothing(self):
        sim = sinew.Simulation(bar("mixed"))
        grip = gripped(sim)
        before = sim.positions
        bent = before[grip]
        bent[0] += .01
        for arguments, message in (({}, "exactly one of"), ({"positions": bent}, "affine maps alone"),
                                   ({"positions": bent[:2]}, "found 2 positions, expected 9"),
                                   ({"transform": np.eye(3)}, r"expected \(4, 4\)"),
                                   ({"transform": 2 * np.eye(4)}, "last row"),
                                   ({"velocity": [np.nan, 0, 0]}, "velocity")):
            with self.assertRaisesRegex(sinew.InputError, message):
                sim.set_fix_target("bar", "grip", **arguments)
        with self.assertRaisesRegex(sinew.InputError, 'did you mean "grip"'):
            sim.set_fix_target("bar", "gripp", velocity=[0, 0, 0])
        with self.assertRaisesRegex(sinew.InputError, "a name or a number"):
            sim.set_fix_target("bar", 1.5, velocity=[0, 0, 0])
        sim.step()
        np.testing.assert_allclose(sim.positions[grip], before[grip], atol=1e-12)


class Obstacles(unittest.TestCase):
    def scene(self, **obstacle):
        return {"time": {"step": STEP},
                "bodies": [{"name": "block", "mesh": {"box": {"size": [.1, .1, .1], "cells": [2, 2, 2]}},
                            "transform": {"translate": [0, .0511, 0]}}],
                "obstacles": [{"name": "jaw", **obstacle}], "contact": {"distance": .002}}

    def test_a_plate_lifts_and_a_plane_goes(self):
        plate = {"mesh": {"box": {"size": [.3, .02, .3], "cells": [2, 1, 2]}}, "transform": {"translate": [0, -.01, 0]}}
        for obstacle in (plate, {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}):
            sim = sinew.Simulation(self.scene(**obstacle))
            start = sim.positions[:, 1].mean()
            for k in range(1, 6):
                sim.set_obstacle_pose("jaw", moved([0, .004 * k, 0]))
                self.assertTrue(sim.step()["converged"])
            self.assertGreater(sim.positions[:, 1].mean(), start + .015)
            self.assertGreater(sim.positions[:, 1].min(), .02)
            sim.set_obstacle_velocity(0, [0, -1, 0])
            for _ in range(3):
                sim.step()
        with self.assertRaisesRegex(sinew.InputError, "a plane has no vertices"):
            sim.set_obstacle_vertices("jaw", np.zeros((4, 3)))
        with self.assertRaisesRegex(sinew.InputError, "no rotation with a shift"):
            sim.set_obstacle_pose("jaw", np.diag([2, 1, 1, 1]))

    def test_vertices(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "sheet.obj"
            grid = np.array([[x, 0, z] for x in (-.2, 0, .2) for z in (-.2, 0, .2)])
            faces = [(3 * i + j, 3 * i + j + 1, 3 * i + j + 4) for i in range(2) for j in range(2)]
            faces += [(3 * i + j, 3 * i + j + 4, 3 * i + j + 3) for i in range(2) for j in range(2)]
            path.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in grid) +
                            "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces))
            sim = sinew.Simulation(self.scene(mesh=str(path)))
        for k in range(1, 6):
            lifted = grid + [[0, .006 * k * (i == 4), 0] for i in range(9)]  # the middle of the sheet
            sim.set_obstacle_vertices("jaw", lifted)
            self.assertTrue(sim.step()["converged"])
        self.assertGreater(sim.positions[:, 1].min(), .01)
        with self.assertRaisesRegex(sinew.InputError, "found 8 positions, expected 9"):
            sim.set_obstacle_vertices("jaw", grid[:8])


class Statics(unittest.TestCase):
    """Targets in load steps."""

    def pulled(self, method="newton", grip=True, **changes):
        """A bar of small stretch and no lateral strain: its force is E A u / L."""
        fix = [{"name": "wall", **end(-1), "axes": "x"}, {"name": "grip", **end(1), "axes": "x"},
               {"halfspace": {"point": [0, -.049, 0], "normal": [0, -1, 0]}, "axes": "y"},
               {"halfspace": {"point": [0, 0, -.049], "normal": [0, 0, -1]}, "axes": "z"}]
        scene = bar(method, fix=fix if grip else fix[:1] + fix[2:])
        scene["materials"]["m"]["poisson"] = 0
        return sinew.Simulation({**scene, "gravity": [0, 0, 0], "time": {"mode": "static", "steps": 3}, **changes})

    def test_a_pulled_bar(self):
        shift = 4e-5  # a strain of 1e-4
        force = 1e5 * 0.01 * shift / 0.4
        for method in ("newton", "multilevel", "adaptive", "quasi_newton", "reduced", "mixed"):
            with self.subTest(method):
                sim = self.pulled(method)
                grip = gripped(sim)
                rest = sim.positions
                targets = ({"transform": moved([shift, 0, 0])}, {"velocity": [3 * shift, 0, 0]},
                           {"positions": rest[grip] + [0, 0, 0]})  # yapf: disable
                for target, times in zip(targets, (1, 2, 0)):
                    sim.set_fix_target("bar", "grip", **target)
                    self.assertTrue(sim.step()["converged"])
                    np.testing.assert_allclose(sim.positions[grip, 0] - rest[grip, 0], times * shift, atol=1e-12)
                    pull = sim.forces()["reaction"][grip].sum(axis=0)
                    np.testing.assert_allclose(pull, [times * force, 0, 0], atol=2e-3 * force)

    def test_a_pushed_bar(self):
        """An obstacle that closes on a bar: reactions at its wall carry what the contact gives."""
        for push in ("pose", "vertices"):
            with self.subTest(push):
                plate = {"box": {"size": [.1, .2, .2], "cells": [1, 1, 1]}}
                sim = self.pulled(grip=False, time={"mode": "static", "steps": 2},
                                  obstacles=[{"name": "plate", "mesh": plate, "transform": {"translate": [.2515, 0, 0]}}],
                                  contact={"distance": 1e-3})  # yapf: disable
                rest, tip = sim.obstacles["plate"].positions, gripped(sim)
                start = sim.positions[tip, 0].mean()
                for depth in (2e-3, 3e-3):
                    if push == "pose":
                        sim.set_obstacle_pose("plate", moved([-depth, 0, 0]))
                    else:
                        sim.set_obstacle_vertices("plate", rest - [depth, 0, 0])
                    self.assertTrue(sim.step()["converged"])
                    np.testing.assert_allclose(sim.obstacles["plate"].positions, rest - [depth, 0, 0], atol=1e-12)
                    force, _ = sim.wrench("bar", by="plate")
                    self.assertAlmostEqual(sim.forces()["reaction"][:, 0].sum(), -force[0], delta=1e-3 * abs(force[0]))
                    shortened = start - sim.positions[tip, 0].mean()
                    self.assertAlmostEqual(-force[0] / (1e5 * 0.01 * shortened / .4), 1, delta=.02)

    def test_they_take_no_path_of_equilibria(self):
        sim = self.pulled(time={"mode": "continuation", "steps": 3})
        with self.assertRaisesRegex(sinew.InputError, "continuation"):
            sim.set_fix_target("bar", "grip", velocity=[1e-5, 0, 0])


class Forces(unittest.TestCase):
    def test_reactions_balance_them(self):
        for method in ("newton", "reduced"):
            scene = bar(method, fix=[{"name": "wall", **end(-1)}]) | {"gravity": [0, 0, 0]}
            scene["time"] = {"mode": "static", "steps": 2}
            sim = sinew.Simulation(scene)
            for total in ([.1, .3, 0], [0, 0, 0]):  # gone in the second step
                if any(total):
                    sim.add_force([40, 60], [[.05, .1, 0], [0, .2, 0]])
                    sim.add_force(np.array([40]), [.05, 0, 0])
                sim.step()
                np.testing.assert_allclose(sim.forces()["reaction"].sum(axis=0), np.negative(total), atol=2e-4)

    def test_bad_forces(self):
        sim = sinew.Simulation(bar())
        with self.assertRaisesRegex(sinew.InputError, "expected vertices of bodies"):
            sim.add_force([10**6], [0, 0, 1])
        with self.assertRaisesRegex(sinew.InputError, r"expected \(2, 3\) or \(3,\)"):
            sim.add_force([1, 2], [[0, 0, 1]])

    def test_masks_and_ids(self):
        base = sinew.Simulation(bar(fix=[]))
        tip = base.positions[:, 0] > .199
        for change in (lambda sim, chosen: sim.add_force(chosen, [0, .1, 0]), lambda sim, chosen: sim.fix(chosen)):
            a, b = base.copy(), base.copy()
            for sim, chosen in ((a, tip), (b, np.flatnonzero(tip).astype(np.uint8))):
                sim.set_gravity([0, -5, 0])
                change(sim, chosen)
                sim.step()
            np.testing.assert_array_equal(a.positions, b.positions)
            self.assertFalse(np.array_equal(a.positions, base.positions))
        held = b.positions[tip]
        b.step()
        np.testing.assert_array_equal(b.positions[tip], held)
        b.unfix(tip)
        b.step()
        self.assertLess(b.positions[tip, 1].max(), held[:, 1].max())

    def test_bad_vertices_change_nothing(self):
        base = sinew.Simulation(bar(fix=[]))
        count = len(base.positions)
        after = base.copy()
        after.step()
        calls = {"fix": lambda sim, v: sim.fix(v), "unfix": lambda sim, v: sim.unfix(v),
                 "add_force": lambda sim, v: sim.add_force(v, [0, 0, 1])}  # yapf: disable
        for name, call in calls.items():
            for wrong, text in (
                (np.ones(count - 1, bool), rf"{name}: found a mask of shape \({count - 1},\), expected \({count},\)"),
                ([0.5], f"{name}: found vertices of type float64, expected an array of integers; convert it"),
                ([[0]], rf"{name}: found vertices of shape \(1, 1\), expected \(k,\)"),
                ("a", f"{name}: found vertices of type <U1"), (None, f"{name}: found vertices that are no array"),
                ([0, -1], "vertices: found -1"), ([2**40], "vertices: found 1099511627776"),
            ):  # yapf: disable
                sim = base.copy()
                with self.subTest(name, wrong=wrong), self.assertRaisesRegex(sinew.InputError, text):
                    call(sim, wrong)
                sim.step()
                np.testing.assert_array_equal(sim.positions, after.positions)
        for wrong in (-1, count):
            with self.assertRaisesRegex(sinew.InputError, f"release: found vertex {wrong}, expected 0 to {count - 1}"):
                base.release(wrong)

    def test_gravity_that_is_not_finite(self):
        sim = sinew.Simulation(bar())
        with self.assertRaisesRegex(sinew.InputError, r"gravity: found \(nan, 0, inf\), expected three finite numbers"):
            sim.set_gravity([np.nan, 0, np.inf])


class Parts(unittest.TestCase):
    def test_springs(self):
        spring = {"name": "cable", **end(1), "to": [.3, 0, 0], "stiffness": 20, "length": .05}
        fix = [{"name": "wall", **end(-1)}]
        given = sinew.Simulation(bar(fix=fix, springs=[{**spring, "length": .02, "stiffness": 30, "to": [.3, .1, 0]}]))
        sim = sinew.Simulation(bar(fix=fix, springs=[spring]))
        sim.set_spring_length("bar", "cable", .02)
        sim.set_spring_stiffness("bar", 0, 30)
        sim.set_spring_point("bar", "cable", [.3, .1, 0])
        given.step()
        sim.step()
        np.testing.assert_array_equal(sim.positions, given.positions)

    def test_loads(self):
        keys = {"times": [0, 1], "values": [0, 5]}
        loads = [{"name": "air", **end(1), "pressure": keys}, {"name": "drag", **end(1), "traction": [0, 0, 0]},
                 {"name": "hand", **end(1), "force": [0, 0, 0]}, {"name": "twist", **end(1), "moment": [0, 0, 0]}]
        new = [{**loads[0], "pressure": 300}, {**loads[1], "traction": [0, 50, 0]}, {**loads[2], "force": [0, 0, .5]},
               {**loads[3], "moment": [.02, 0, 0]}]
        fix = [{"name": "wall", **end(-1)}]
        given, sim = (sinew.Simulation(bar(fix=fix, loads=own)) for own in (new, loads))
        sim.set_pressure("bar", "air", 300)
        sim.set_traction("bar", "drag", [0, 50, 0])
        sim.set_force("bar", 2, [0, 0, .5])
        sim.set_moment("bar", "twist", [.02, 0, 0])
        given.step()
        sim.step()
        np.testing.assert_array_equal(sim.positions, given.positions)
        with self.assertRaisesRegex(sinew.InputError, "found a pressure, its kind in the scene is traction"):
            sim.set_pressure("bar", "drag", 1)

    def test_activation(self):
        fiber = {"stiffness": 1e4, "direction": [1, 0, 0], "tension": 2e4}
        def muscle(**own):
            scene = bar(fix=[{"name": "wall", **end(-1)}])
            scene["materials"]["m"]["fiber"] = {**fiber, **own}
            return sinew.Simulation(scene)

        given, sim = muscle(activation=.5), muscle()
        sim.set_activation("m", .5)
        for _ in range(10):
            given.step()
            sim.step()
        np.testing.assert_allclose(sim.positions, given.positions, atol=1e-7)
        self.assertLess(sim.positions[:, 0].max(), .19)
        sim.set_activation("m", 0)
        for _ in range(60):
            sim.step()
        self.assertAlmostEqual(sim.positions[:, 0].max(), .2, delta=.01)
        for material, value, message in (("m", 2, "expected 0 to 1"), ("n", 0, "n")):
            with self.assertRaisesRegex(sinew.InputError, message):
                sim.set_activation(material, value)
        with self.assertRaisesRegex(sinew.InputError, "no active tension"):
            sinew.Simulation(bar()).set_activation("m", .1)

    def test_names_are_unique(self):
        scene = bar()
        scene["bodies"][0]["fix"][1]["name"] = "wall"
        with self.assertRaisesRegex(sinew.InputError, "is the name of fix"):
            sinew.Simulation(scene)

    def test_pair_friction(self):
        def sliding(pairs):
            return {"gravity": [5, -9.81, 0], "time": {"step": STEP},
                    "materials": {"m": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.3}},
                    "bodies": [{"name": "block", "mesh": {"box": {"size": [.1, .1, .1], "cells": [2, 2, 2]}},
                                "material": "m", "transform": {"translate": [0, .0515, 0]}}],
                    "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
                    "contact": {"distance": .002, "friction": {"default": 0, "pairs": pairs}}}

        given = sinew.Simulation(sliding([["m", "floor", .9]]))
        sim = sinew.Simulation(sliding([]))
        sim.set_pair_friction("floor", "m", .9)
        for _ in range(3):
            given.step()
            sim.step()
        np.testing.assert_array_equal(sim.positions, given.positions)
        with self.assertRaisesRegex(sinew.InputError, 'unknown name "ice"'):
            sim.set_pair_friction("ice", "m", .1)

    def test_ties(self):
        def two(**tie):
            box = {"box": {"size": [.1, .1, .1], "cells": [2, 2, 2]}}
            return {"materials": {"m": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}},
                    "bodies": [{"name": "upper", "mesh": box, "material": "m", "transform": {"translate": [0, .102, 0]},
                                "fix": [{"halfspace": {"point": [0, .151, 0], "normal": [0, 1, 0]}}]},
                               {"name": "lower", "mesh": box, "material": "m"}],
                    "ties": [{"name": "glue", "body": "lower", "to": {"body": "upper", "halfspace": {
                        "point": [0, .053, 0], "normal": [0, -1, 0]}}, "halfspace": {
                            "point": [0, .049, 0], "normal": [0, 1, 0]}, **tie}],
                    "contact": {"distance": .001}}

        sim = sinew.Simulation(two(until=1e9))
        lower = slice(27, 54)
        for _ in range(3):
            sim.step()
        held = sim.positions[lower, 1].mean()
        sim.release_tie("glue")
        for _ in range(20):
            sim.step()
        self.assertLess(sim.positions[lower, 1].mean(), held - .1)
        with self.assertRaisesRegex(sinew.InputError, "no end in the scene"):
            sinew.Simulation(two()).release_tie(0)


if __name__ == "__main__":
    unittest.main()
