"""States, copies, pickles and reset: a simulation goes on from each of them bit for bit."""

import copy
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

    def test_run(self):
        sim = sinew.Simulation(scene())
        rows = sim.run(until=0.03)
        self.assertEqual([row["step"] for row in rows], [1, 2, 3])
        seen = []
        rows = sim.run(callback=lambda s, row: seen.append(row["step"]) or row["step"] == 6)
        self.assertEqual(seen, [4, 5, 6])
        self.assertEqual(len(sim.run(progress=True)), 6)
        self.assertEqual(sim.run(), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
