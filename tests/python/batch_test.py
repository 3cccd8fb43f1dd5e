"""Many copies over threads, and rollouts."""

import os
import signal
import sys
import threading
import time
import unittest

import numpy as np

import sinew

SCENE = {"time": {"step": 0.01, "steps": 20}, "gravity": [0, -9.81, 0],
         "materials": {"rubber": {"young": 2e5, "poisson": 0.4}},
         "bodies": [{"name": "bar", "mesh": {"box": {"size": [0.4, 0.1, 0.1], "cells": [8, 2, 2]}}, "material": "rubber",
                     "fix": [{"halfspace": {"point": [-0.19, 0, 0], "normal": [-1, 0, 0]}}]}]}  # yapf: disable


class Batches(unittest.TestCase):

    def test_copies_step_as_one(self):
        sim = sinew.Simulation(SCENE)
        with sinew.Batch(SCENE, 5, threads=3) as batch:
            rows = batch.step(3)
            sim.step(3)
            self.assertEqual([row["step"] for row in rows], [3] * 5)
            for positions in batch.positions:
                np.testing.assert_array_equal(positions, sim.positions)
            self.assertEqual(batch.velocities.shape, (5, 81, 3))

    def test_each_has_its_own_changes(self):
        with sinew.Batch(sinew.Simulation(SCENE), 3) as batch:
            batch.map(lambda sim, g: sim.set_gravity([0, g, 0]), [-1, -2, -3])
            batch.step(2)
            heights = batch.positions[:, :, 1].min(axis=1)
            self.assertTrue((np.diff(heights) < 0).all())
            batch.reset([1])
            self.assertEqual([sim.time for sim in batch], [0.02, 0, 0.02])

    def test_states(self):
        with sinew.Batch(SCENE, 2) as batch:
            batch[0].step(4)
            batch.set_states(batch[0].state())
            np.testing.assert_array_equal(batch[0].positions, batch[1].positions)
            states = batch.states()
            batch.step()
            batch.set_states(states)
            self.assertEqual(batch[1].time, 0.04)
            with self.assertRaisesRegex(sinew.InputError, "found 1 states, expected 2"):
                batch.set_states(states[:1])

    def test_random_numbers_are_those_of_the_seed(self):
        draws = [[rng.random() for rng in sinew.Batch(SCENE, 3, seed=seed).rngs] for seed in (1, 1, 2)]
        self.assertEqual(draws[0], draws[1])
        self.assertNotEqual(draws[0], draws[2])
        self.assertEqual(len(set(draws[0])), 3)

    def test_an_error_of_one_copy(self):
        for threads in (1, 2):
            with self.subTest(threads), sinew.Batch({**SCENE, "time": {"mode": "static", "steps": 2}}, 4,
                                                    threads=threads) as batch:
                batch[0].step(2)
                with self.assertRaisesRegex(sinew.InputError, "all 2 load steps"):
                    batch.step()
                self.assertEqual([sim.state().step for sim in batch], [2, 1, 1, 1])

    def test_an_argument_for_each(self):
        with sinew.Batch(SCENE, 3) as batch:
            with self.assertRaisesRegex(sinew.InputError, "map: found 2 values, expected 3"):
                batch.map(lambda sim, g: sim.set_gravity([0, g, 0]), [-1, -2])
            self.assertEqual({sim.settings()["gravity"][1] for sim in batch}, {-9.81})

    def test_wrong_numbers(self):
        with self.assertRaisesRegex(sinew.InputError, "Batch: n: found 0"):
            sinew.Batch(SCENE, 0)
        with self.assertRaisesRegex(sinew.InputError, "threads: found 0"):
            sinew.Batch(SCENE, 1, threads=0)
        for wrong, text in (({"n": 1.5}, "n: found 1.5"), ({"n": None}, "n: found None"),
                            ({"n": 1, "seed": -1}, "seed: found -1"), ({"n": 1, "seed": "a"}, "seed: found 'a'")):
            with self.assertRaisesRegex(sinew.InputError, text):
                sinew.Batch(SCENE, **wrong)

    def test_a_value_for_each_copy(self):
        with sinew.Batch(SCENE, 3) as batch:
            with self.assertRaisesRegex(sinew.InputError, "map: found 2 values, expected 3"):
                batch.map(lambda copy, value: copy.step(), [1, 2])
            self.assertEqual([copy.time for copy in batch], [0, 0, 0])
        self.assertEqual(repr(batch), "<sinew.Batch of 3 simulations>")
        batch.step()  # with new threads
        self.assertEqual([copy.time for copy in batch], [0.01, 0.01, 0.01])

    def test_reset_by_numbers_or_a_mask(self):
        with sinew.Batch(SCENE, 3) as batch:
            for which, times in (([1], [1, 0, 1]), (np.array([True, False, True]), [0, 1, 0]), ([-1], [1, 1, 0]),
                                 ([], [1, 1, 1]), (None, [0, 0, 0])):  # yapf: disable
                batch.reset()
                batch.step()
                batch.reset(which)
                self.assertEqual([copy.time > 0 for copy in batch], [time > 0 for time in times])
            for wrong in ([3], [0.5], np.array([True, False]), [[0]]):
                with self.assertRaisesRegex(sinew.InputError, "reset: found"):
                    batch.reset(wrong)

    def test_an_error_of_one_copy_stops_the_others(self):
        with sinew.Batch(SCENE, 3, threads=3) as batch:

            def work(copy, fails):
                if fails:
                    raise RuntimeError("stop")
                copy.step(3)

            with self.assertRaisesRegex(RuntimeError, "stop"):
                batch.map(work, [False, True, False])
            times = [copy.time for copy in batch]
            time.sleep(0.1)
            self.assertEqual([copy.time for copy in batch], times)  # no thread goes on

    def test_ctrl_c_ends_after_the_present_steps(self):
        sim = sinew.Simulation(SCENE)
        with sinew.Batch(sim, 2, threads=2) as batch:
            for call in (lambda: batch.step(10**6),
                         lambda: sinew.rollout(sim, np.zeros(10**6), lambda copy, u: None, observe=lambda copy: 0)):
                timer = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
                timer.start()
                with self.assertRaises(KeyboardInterrupt):
                    call()
                timer.join()
            times = [copy.time for copy in batch]
            time.sleep(0.1)
            self.assertEqual([copy.time for copy in batch], times)
            batch.step(2)
            self.assertEqual([copy.time > time for copy, time in zip(batch, times)], [True, True])


class Rollouts(unittest.TestCase):

    def test_controls_by_key(self):
        sim = sinew.Simulation(SCENE)
        sim.step(2)
        before = sim.positions
        gravity = np.array([[0, -1.0, 0], [0, -2.0, 0], [0, -3.0, 0]])
        seen = sinew.rollout(sim, {"gravity": gravity})
        np.testing.assert_array_equal(sim.positions, before)
        self.assertEqual(seen.shape, (1, 3, 81, 3))
        for k in range(3):
            sim.set_gravity(gravity[k])
            sim.step()
            np.testing.assert_array_equal(seen[0, k], sim.positions)

    def test_a_run_for_each(self):
        sim = sinew.Simulation(SCENE)
        first = sim.state()
        sim.step(3)
        states = [first, sim.state()]

        def tip(copy):
            return copy.bodies["bar"].positions[-1]

        def pull(copy, u):
            copy.set_gravity([0, 0, u])

        controls = [np.linspace(0, 1, 4), np.linspace(0, -1, 4)]
        seen = sinew.rollout(sim, controls, pull, states=states, observe=tip, threads=2)
        self.assertEqual(seen.shape, (2, 4, 3))
        again = sinew.rollout(sim, controls, pull, states=states, observe=tip, threads=1)
        np.testing.assert_array_equal(seen, again)
        shared = sinew.rollout(sim, controls[0], pull, states=states, observe=tip)
        np.testing.assert_array_equal(shared[0], seen[0])

    def test_what_does_not_fit(self):
        sim = sinew.Simulation(SCENE)
        with self.assertRaisesRegex(sinew.InputError, "give apply"):
            sinew.rollout(sim, np.zeros((3, 3)))
        with self.assertRaisesRegex(sinew.InputError, "found controls of .2, 3. steps"):
            sinew.rollout(sim, {"gravity": np.zeros((3, 3)), "materials.rubber.young": [1e5, 1e5]})
        with self.assertRaisesRegex(sinew.InputError, "found 1 states and controls of 2 runs"):
            sinew.rollout(sim, [[0, 0], [0, 0]], lambda s, u: None, states=[sim.state()])
        nothing, once = lambda copy, u: None, np.zeros(1)
        for text, arguments, keys in (
            ("found controls 3", (sim, 3, nothing), {}),
            ("apply: found 5", (sim, once, 5), {}),
            ("observe returned NoneType", (sim, once, nothing), {"observe": lambda copy: None}),
            ("observe returned dict", (sim, once, nothing), {"observe": lambda copy: {}}),
            ("observe returned arrays of shapes", (sim, np.zeros(2), nothing),
             {"observe": lambda copy: np.zeros(round(100 * copy.time))}),
            ("value of type dict, expected a Simulation", (SCENE, once, nothing), {}),
        ):  # yapf: disable
            with self.assertRaisesRegex(sinew.InputError, text):
                sinew.rollout(*arguments, **keys)

    def test_one_state_for_all(self):
        sim = sinew.Simulation(SCENE)
        start = sim.state()
        sim.step(3)
        seen = sinew.rollout(sim, [np.zeros(2)] * 3, lambda copy, u: None, states=start, observe=lambda copy: copy.time)
        np.testing.assert_allclose(seen, [[0.01, 0.02]] * 3)


if __name__ == "__main__":
    sys.exit(unittest.main())
