"""States, copies, pickles and reset: a simulation goes on from each of them bit for bit."""

import copy
import math
import pickle
import sys
import tempfile
import threading
import unittest

import numpy as np

import sinew

BODY = {"name": "bar", "mesh": {"box": {"size": [0.4, 0.1, 0.1], "cells": [8, 2, 2]}}, "material": "rubber",
        "transform": {"translate": [0, 0.07, 0]}, "velocity": [0.5, -1, 0]}  # yapf: disable
SCENE = {"time": {"step": 0.01, "steps": 12, "integrator": "bdf2"}, "gravity": [0, -9.81, 0],
         "materials": {"rubber": {"young": 2e5, "poisson": 0.4, "density": 1000}},
         "bodies": [BODY], "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
         "contact": {"friction": 0.3}}  # yapf: disable
METHODS = {
    "newton": {}, "newton-pcg": {}, "newton-multilevel": {"handles": 4}, "multilevel": {"handles": 4}, "adaptive": {},
    "quasi_newton": {}, "mixed": {"handles": 4}, "reduced": {"handles": 4},
}


def scene(method="newton", **changes):
    return {**SCENE, "solver": {"method": method, **METHODS[method]}, **changes}


def after(sim, steps=4):
    """All that is seen of a simulation over its next steps."""
    seen = []
    for _ in range(steps):
        row = sim.step()
        seen += [sim.positions.tobytes(), sim.velocities.tobytes(), row["newton_iterations"], sim.time]
    return seen


class States(unittest.TestCase):

    def each(self):
        for method in METHODS:
            with self.subTest(method):
                sim = sinew.Simulation(scene(method))
                sim.step(4)  # touches the floor
                yield sim

    def test_going_back(self):
        for sim in self.each():
            state = sim.state()
            expected = after(sim)
            sim.set_state(state)
            self.assertEqual((sim.time, sim.state().step), (state.time, 4))
            self.assertEqual(after(sim), expected)

    def test_contacts_of_later_steps_leave_no_trace(self):
        """A block falls towards a plate that it has not reached, by shares of the gap around those that limit steps."""
        cube = {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}}
        plate = {"mesh": {"box": {"size": [0.3, 0.02, 0.3]}}, "transform": {"translate": [0, -0.01, 0]}}
        for share in (0.7, 0.85, 0.92, 0.96, 0.99):
            with self.subTest(share):
                block = {"mesh": cube, "material": "rubber", "transform": {"translate": [0, 0.06, 0]},
                         "velocity": [0, -share, 0]}  # yapf: disable
                sim = sinew.Simulation(scene(bodies=[block], obstacles=[plate], gravity=[0, 0, 0],
                                             contact={"distance": 1e-5}))  # yapf: disable
                state, other = sim.state(), sim.copy()
                sim.step(4)
                self.assertGreater(len(sim.contacts()) + abs(sim.velocities[:, 1] + share).max(), 0.1)
                sim.set_state(state)
                self.assertEqual(after(sim), after(other))

    def test_copies_amid_impacts(self):
        """Contacts, and with them the subspace of adaptive, change from step to step."""
        block = {"mesh": {"box": {"size": [0.1, 0.06, 0.08], "cells": [2, 1, 2]}}, "material": "rubber"}
        rng = np.random.default_rng(5)
        for method in ("adaptive", "quasi_newton", "multilevel"):
            for case in range(12 if method == "adaptive" else 3):
                bodies = [{**block, "transform": {"translate": [0.03 * k, 0.08 + 0.13 * k, 0.02]},
                           "velocity": list(rng.normal(size=3) * 6), "angular_velocity": list(rng.normal(size=3) * 20)}
                          for k in range(2)]  # yapf: disable
                sim = sinew.Simulation({**scene(method, bodies=bodies, time={"step": 0.03, "integrator": "bdf2"}),
                                        "solver": {"method": method, "max_iterations": 25}})  # yapf: disable
                with self.subTest(method=method, case=case):
                    for _ in range(8):
                        state, other = sim.state(), sim.copy()
                        sim.step()
                        other.step()
                        self.assertEqual(sim.positions.tobytes(), other.positions.tobytes())
                    other.set_state(state)
                    other.step()
                    self.assertEqual(sim.positions.tobytes(), other.positions.tobytes())

    def test_a_pickled_state(self):
        for sim in self.each():
            state = pickle.loads(pickle.dumps(sim.state()))
            expected = after(sim)
            sim.set_state(state)
            self.assertEqual(after(sim), expected)

    def test_copies(self):
        for sim in self.each():
            copies = [sim.copy(), copy.copy(sim), copy.deepcopy(sim)]
            expected = after(sim)
            for one in copies:
                self.assertEqual(after(one), expected)

    def test_the_state_of_a_copy(self):
        sim = sinew.Simulation(scene())
        other = sim.copy()
        other.step(3)
        sim.set_state(other.state())
        self.assertEqual(after(sim), after(other))

    def test_pickles(self):
        for sim in self.each():
            other = pickle.loads(pickle.dumps(sim))
            self.assertEqual(after(other), after(sim))

    def test_reset(self):
        for method in METHODS:
            with self.subTest(method):
                sim = sinew.Simulation(scene(method))
                expected = after(sim)
                sim.pull(0, [0, 1, 0])
                sim.step(2)
                sim.reset()
                self.assertEqual(sim.time, 0)
                self.assertEqual(after(sim), expected)

    def test_reset_after_another_method(self):
        sim = sinew.Simulation(scene())
        start = sim.positions
        sim.step(3)
        sim.set_method("newton-pcg")
        sim.reset()
        np.testing.assert_array_equal(sim.positions, start)
        self.assertEqual(sim.time, 0)

    def test_the_wrong_state(self):
        sim = sinew.Simulation(scene())
        other = sinew.Simulation(scene(bodies=[{**BODY, "transform": {"translate": [0, 0.2, 0]}}]))
        with self.assertRaisesRegex(sinew.InputError, "a state of other bodies or materials"):
            sim.set_state(other.state())
        state = sim.state()
        sim.set_method("newton-pcg")
        with self.assertRaisesRegex(sinew.InputError, r'call set_method\("newton"\) first'):
            sim.set_state(state)


    def test_the_state_of_another_subspace(self):
        fixed = {**BODY, "fix": [{"halfspace": {"point": [-0.19, 0, 0], "normal": [-1, 0, 0]}}]}
        sim = sinew.Simulation(scene("reduced", bodies=[fixed]))
        start, state = sim.positions, sim.state()
        sim.step()
        sim.fixes[0].set_target(velocity=[1, 0, 0])  # its vertices become a handle of the subspace
        sim.step()
        with self.assertRaisesRegex(sinew.InputError, "belongs to another subspace"):
            sim.set_state(state)
        sim.reset()
        np.testing.assert_allclose(sim.positions, start, atol=1e-9)
        sim.step()
        np.testing.assert_allclose(sim.positions[sim.fixes[0].vertices], start[sim.fixes[0].vertices], atol=1e-9)

    def held(self, method):
        fixed = {**BODY, "velocity": [0, 0, 0],
                 "fix": [{"name": "grip", "halfspace": {"point": [-0.19, 0, 0], "normal": [-1, 0, 0]},
                          "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, 0.1, 0]]}}}]}  # yapf: disable
        return sinew.Simulation(scene(method, bodies=[fixed]))

    def test_targets_and_forces_are_part_of_the_state(self):
        for method in METHODS:
            with self.subTest(method):
                sim = self.held(method)
                fix, floor = sim.fixes[0], sim.obstacles["floor"]
                before = sim.state()
                expected = after(sim.copy())
                fix.set_target(velocity=[0.1, 0, 0])
                floor.set_velocity([0, 0.01, 0])
                sim.add_force(fix.vertices, [0, 0, 1])
                pending = pickle.loads(pickle.dumps(sim.state()))
                moving = after(sim.copy())
                sim.step(2)
                later = sim.state()
                then = after(sim)
                fix.set_target(velocity=[-0.1, 0, 0])
                sim.step()
                sim.set_state(pending)  # with forces that have not acted
                self.assertEqual(after(sim), moving)
                sim.set_state(later)
                self.assertEqual(after(sim), then)
                sim.set_state(before)  # as in the scene
                self.assertEqual(after(sim), expected)
                other = self.held(method)
                other.set_state(later)
                self.assertEqual(after(other), then)

    def test_a_new_time_takes_targets_along(self):
        for method in ("newton", "reduced"):
            with self.subTest(method):
                sim = self.held(method)
                grip = sim.fixes[0].vertices
                sim.fixes[0].set_target(velocity=[0.1, 0, 0])
                sim.step(2)
                place = sim.positions[grip]
                sim.time = 0
                sim.step()
                np.testing.assert_allclose(sim.positions[grip], place + [1e-3, 0, 0], atol=1e-9)
                place = sim.positions[grip]
                pose = np.eye(4)
                pose[:3, 3] = [0.01, 0, 0]
                sim.fixes[0].set_target(transform=pose)
                sim.time = 5
                sim.step()
                np.testing.assert_allclose(sim.positions[grip], sim.bodies[0].rest_positions[grip] + pose[:3, 3], atol=1e-9)

    def test_reset_ends_targets_and_forces(self):
        for method in METHODS:
            with self.subTest(method):
                fixed = {**BODY, "velocity": [0, 0, 0], "fix": [{"halfspace": {"point": [-0.19, 0, 0], "normal": [-1, 0, 0]},
                                                                 "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, 0.1, 0]]}}}]}  # yapf: disable
                sim = sinew.Simulation(scene(method, bodies=[fixed]))
                first = sim.copy()
                expected = after(first)
                sim.fixes[0].set_target(velocity=[0.1, 0, 0])
                sim.add_force(sim.fixes[0].vertices, [0, 0, 1])
                sim.step(2)
                sim.obstacles["floor"].set_velocity([0, 0.1, 0])
                sim.step()
                sim.reset()
                self.assertEqual(after(sim), expected)
                self.assertEqual(after(pickle.loads(pickle.dumps(sim)), 1), after(sim, 1))


class Control(unittest.TestCase):
    """Targets and added forces are part of the state."""

    def grip(self, method="newton"):
        """A bar that a fix with a motion holds, over a floor, and a post that can move."""
        motion = {"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, 0.1, 0]]}}
        fix = [{"name": "grip", "halfspace": {"point": [-0.19, 0, 0], "normal": [-1, 0, 0]}, "motion": motion}]
        post = {"name": "post", "mesh": {"box": {"size": [0.02, 0.1, 0.1]}}, "transform": {"translate": [0.4, 0, 0]}}
        sim = sinew.Simulation(scene(method, bodies=[{**BODY, "velocity": [0, 0, 0], "fix": fix}],
                                     obstacles=[*SCENE["obstacles"], post]))  # yapf: disable
        sim.step(2)
        return sim, sim.fixes["grip"].vertices

    def test_later_targets_do_not_matter(self):
        for method in METHODS:
            with self.subTest(method):
                sim, fixed = self.grip(method)
                for target in ({}, {"velocity": [0, 0, 0.3]}, {"transform": np.eye(4)}):
                    if target:
                        sim.set_fix_target("bar", "grip", **target)
                        sim.set_obstacle_velocity("post", [0, 0.2, 0])
                    sim.add_force([80], [0, 0, 1])
                    state = pickle.loads(pickle.dumps(sim.state()))
                    place, obstacle = sim.positions[fixed], sim.obstacles["post"].positions
                    expected = after(sim)
                    sim.set_fix_target("bar", "grip", velocity=[0.5, 0.5, 0])
                    sim.set_obstacle_velocity("post", [0.5, 0, 0])
                    sim.add_force([80], [9, 0, 0])
                    sim.step(4)
                    sim.add_force([80], [9, 0, 0])
                    sim.set_state(state)
                    self.assertEqual(after(sim), expected)
                    sim.set_state(state)
                    np.testing.assert_array_equal(sim.obstacles["post"].positions, obstacle)
                    sim.set_fix_target("bar", "grip", velocity=[0.1, 0, 0])  # from the place in the state
                    sim.step()
                    np.testing.assert_allclose(sim.positions[fixed], place + [0.001, 0, 0], atol=1e-12)
                    sim.set_state(state)

    def test_a_state_of_another_time_step(self):
        sim, fixed = self.grip()
        sim.step()
        rest = sim.positions[fixed] - [0, 0.1 * sim.time, 0]
        pose = np.eye(4)
        pose[:3, 3] = [0.001, 0.005, 0]
        sim.set_fix_target("bar", "grip", transform=pose)
        state = sim.state()
        sim.set_time_step(0.004)
        sim.set_state(state)
        sim.step()
        self.assertAlmostEqual(sim.time, 0.034, delta=1e-12)
        np.testing.assert_allclose(sim.positions[fixed], rest + pose[:3, 3], atol=1e-12)

    def test_copies_share_the_model(self):
        sim, _ = self.grip()
        sim.set_fix_target("bar", "grip", velocity=[0, 0.1, 0])
        sim.add_force([80], [0, 0, 1])
        sim.step()
        self.assertEqual(after(sim.copy()), after(sim))


class Changes(unittest.TestCase):

    def test_a_change_of_a_copy_stays_there(self):
        for method in METHODS:
            with self.subTest(method):
                sim = sinew.Simulation(scene(method))
                sim.step(2)
                changed, other = sim.copy(), sim.copy()
                expected = after(sim.copy())  # before anything is changed
                changed.set_gravity([0, 9.81, 0])
                changed.set_material("rubber", young=4e5)
                self.assertEqual(after(sim), expected)
                self.assertEqual(after(other), expected)
                self.assertNotEqual(after(changed), expected)
                self.assertEqual(other.settings()["materials.rubber.young"], 2e5)

    def test_a_copy_has_the_changes(self):
        for method in METHODS:
            with self.subTest(method):
                sim = sinew.Simulation(scene(method))
                sim.set_material("rubber", young=4e5)
                sim.pull(0, [0, 0.3, 0])
                sim.step(2)
                self.assertEqual(after(sim.copy()), after(sim))

    def test_a_copy_after_a_change_of_stiffness(self):
        box = sinew.box([0.4, 0.1, 0.1], cells=[8, 2, 2])
        right = box.vertices[box.tets][:, :, 0].mean(axis=1) > 0
        for method in ("newton-multilevel", "multilevel", "adaptive", "mixed"):
            made = sinew.Scene({"time": {"step": 0.01}, "solver": {"method": method}, "contact": {"enabled": False}})
            bar = made.add_body(sinew.TetMesh(box.vertices, box.tets, regions=right.astype(int)),
                                {"regions": {0: {"young": 1e5}, 1: {"young": 1e5}}}, name="bar")  # yapf: disable
            made.add_fix(bar, {"halfspace": {"point": [-0.199, 0, 0], "normal": [-1, 0, 0]}})
            sim = sinew.Simulation(made)
            sim.step(3)
            sim.materials["bar_1"].young = 1e7
            sim.step(2)
            others = sim.copy(), pickle.loads(pickle.dumps(sim))
            sim.step(4)
            for other in others:
                other.step(4)
                self.assertEqual(other.positions.tobytes(), sim.positions.tobytes(), method)

    def test_an_error_estimate_after_a_change_of_stiffness(self):
        box = sinew.box([0.4, 0.1, 0.1], cells=[8, 2, 2])
        right = box.vertices[box.tets][:, :, 0].mean(axis=1) > 0
        for method in ("mixed", "reduced"):
            made = sinew.Scene({"time": {"step": 0.01}, "solver": {"method": method, "error_every": 1},
                                "contact": {"enabled": False}})  # yapf: disable
            bar = made.add_body(sinew.TetMesh(box.vertices, box.tets, regions=right.astype(int)),
                                {"regions": {0: {"young": 1e5}, 1: {"young": 1e5}}}, name="bar")  # yapf: disable
            made.add_fix(bar, {"halfspace": {"point": [-0.199, 0, 0], "normal": [-1, 0, 0]}})
            sim = sinew.Simulation(made)
            sim.step(3)
            shared = sim.copy()
            sim.materials["bar_1"].young = 1e7
            sim.step(2)
            others = sim.copy(), pickle.loads(pickle.dumps(sim))
            error = sim.step()["error_estimate"]
            self.assertEqual([other.step()["error_estimate"] for other in others], [error, error], method)
            self.assertNotEqual(shared.step(3)["error_estimate"], error)

    def test_changes_on_both_sides(self):
        sim = sinew.Simulation(scene())
        other = sim.copy()
        for one in (sim, other):
            one.set_gravity([0, -1, 0])
        self.assertEqual(after(sim), after(other))

    def test_vertices_fixed_before_the_copy(self):
        sim = sinew.Simulation(scene())
        sim.fix([0, 1, 2])
        sim.step()
        self.assertEqual(after(sim.copy()), after(sim))

    def test_a_method_chosen_before_the_copy(self):
        sim = sinew.Simulation({**scene("reduced"), "solver": {"method": "newton", "handles": 4}})
        sim.step()
        sim.set_method("reduced")
        sim.set_material("rubber", young=5e5)
        sim.step()
        self.assertEqual(after(sim.copy()), after(sim))

    def test_a_copy_of_a_shown_simulation(self):
        sim = sinew.Simulation(scene())
        first = sim.copy()
        with tempfile.TemporaryDirectory() as folder, sinew.live(sim, output=folder + "/live"):
            second = sim.copy()
            sim.set_gravity([0, -1, 0])
            sim.step()
            self.assertEqual(after(first), after(second))

    def test_copies_in_threads(self):
        sim = sinew.Simulation(scene())
        copies = [sim.copy() for _ in range(6)]
        expected = after(sim)
        results = [None] * len(copies)

        def work(k):
            if k % 2:
                copies[k].set_gravity([0, -9.81, 0])
            results[k] = after(copies[k])

        threads = [threading.Thread(target=work, args=(k,)) for k in range(len(copies))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results:
            self.assertEqual(result, expected)


class Clock(unittest.TestCase):

    def test_several_steps(self):
        a, b = sinew.Simulation(scene()), sinew.Simulation(scene())
        row = a.step(3)
        for _ in range(3):
            last = b.step()
        self.assertEqual((row["step"], a.positions.tobytes()), (last["step"], b.positions.tobytes()))
        with self.assertRaisesRegex(sinew.InputError, "found 0 steps"):
            a.step(0)

    def test_the_time_can_be_set(self):
        moving = {**BODY, "fix": [{"halfspace": {"point": [-0.19, 0, 0], "normal": [-1, 0, 0]}, "motion": {
            "translate": {"times": [0, 1, 2], "values": [[0, 0, 0], [0, 0, 0], [1, 0, 0]]}}}]}  # yapf: disable
        sim = sinew.Simulation(scene(bodies=[moving], contact={"enabled": False}))
        fixed = sim.fixes[0].vertices
        start = sim.positions[fixed]
        sim.time = 1.0
        sim.step()
        self.assertAlmostEqual(sim.time, 1.01)
        np.testing.assert_allclose(sim.positions[fixed], start + [0.01, 0, 0], atol=1e-12)
        static = sinew.Simulation(scene(time={"mode": "static", "steps": 2}))
        with self.assertRaisesRegex(sinew.InputError, "in statics"):
            static.time = 0.5

    def test_control_follows_the_time(self):
        fix = [{"name": "grip", "halfspace": {"point": [-0.19, 0, 0], "normal": [-1, 0, 0]}}]
        pose = np.eye(4)
        pose[:3, 3] = [0.001, 0.002, 0]
        for method in ("newton", "reduced"):
            sim = sinew.Simulation(scene(method, bodies=[{**BODY, "fix": fix}], gravity=[0, 0, 0]))
            fixed = sim.fixes["grip"].vertices
            rest = sim.positions[fixed]
            for change in (lambda: sim.set_time_step(0.004), lambda: sim.set_time_step(0.02),
                           lambda: setattr(sim, "time", 0), lambda: setattr(sim, "time", -3),
                           lambda: setattr(sim, "time", 7)):
                sim.step()
                sim.set_fix_target("bar", "grip", transform=pose)
                change()
                sim.step()
                np.testing.assert_allclose(sim.positions[fixed], rest + pose[:3, 3], atol=1e-9)
                h = sim.settings()["time.step"]
                sim.set_fix_target("bar", "grip", velocity=[0, -0.1, 0])
                sim.step()
                change()
                sim.step()
                np.testing.assert_allclose(sim.positions[fixed], rest + pose[:3, 3] - [0, 0.2 * h, 0], atol=1e-9)
                sim.set_fix_target("bar", "grip", transform=np.eye(4))

    def test_forces_follow_the_time(self):
        for change in (lambda sim: sim.set_time_step(0.004), lambda sim: setattr(sim, "time", 0),
                       lambda sim: setattr(sim, "time", -3)):
            sim = sinew.Simulation(scene(gravity=[0, 0, 0], contact={"enabled": False},
                                         time={"step": 0.01}, bodies=[{**BODY, "velocity": [0, 0, 0]}]))  # yapf: disable
            sim.step()
            sim.add_force([0, 80], [1, 2, 3])
            change(sim)
            h = sim.settings()["time.step"]
            for _ in range(2):
                sim.step()
                np.testing.assert_allclose(sim.bodies["bar"].linear_momentum, h * np.array([2, 4, 6]), rtol=1e-9)

    def test_run(self):
        sim = sinew.Simulation(scene())
        rows = sim.run(until=0.03)
        self.assertEqual([row["step"] for row in rows], [1, 2, 3])
        seen = []
        rows = sim.run(callback=lambda s, row: seen.append(row["step"]) or row["step"] == 6)
        self.assertEqual(seen, [4, 5, 6])
        self.assertEqual(len(sim.run(progress=True)), 6)
        self.assertEqual(sim.run(), [])

    def test_run_until_a_callback_ends_it(self):
        sim = sinew.Simulation(scene())
        self.assertEqual(len(sim.run(until=math.inf, callback=lambda s, row: row["step"] == 4)), 4)

        def finer(s, row):
            if row["step"] == 6:
                s.set_time_step(0.005)

        rows = sim.run(until=0.08, callback=finer)
        self.assertEqual((len(rows), round(sim.time, 12)), (6, 0.08))

    def test_bad_ends_take_no_step(self):
        sim = sinew.Simulation(scene())
        for arguments, text in ((("1",), "until='1'"), ((math.nan,), "until=nan"), ((math.inf,), "until=inf"),
                                ((1, 5), "callback: found 5")):  # yapf: disable
            with self.assertRaisesRegex(sinew.InputError, text):
                sim.run(*arguments)
        self.assertEqual(sim.time, 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
