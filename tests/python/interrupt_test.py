"""Ctrl-C in long calls: it raises KeyboardInterrupt soon, no thread goes on behind it, and the simulation can go on."""

import os
import pathlib
import signal
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import sinew

SOON = 8  # seconds, for a busy machine


def scene(cells, **keys):
    return {"materials": {"rubber": {"young": 1e5}}, "solver": {"method": "newton", "tolerance": 1e-12},
            "bodies": [{"name": "block", "mesh": {"box": {"size": [0.1] * 3, "cells": [cells] * 3}}, "material": "rubber",
                        "transform": {"translate": [0, 0.06, 0]}, "velocity": [0.3, -1, 0]}],
            "obstacles": [{"plane": {"normal": [0, 1, 0]}}], "contact": {"distance": 1e-3}, **keys}  # yapf: disable


class Interrupts(unittest.TestCase):

    def interrupt(self, work, after=0.4):
        sent = []

        def send():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(after, send)
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                work()
        finally:
            timer.cancel()
        timer.join()
        self.assertLess(time.monotonic() - sent[0], SOON)

    def assert_idle(self):
        before = time.process_time()
        time.sleep(0.3)
        self.assertLess(time.process_time() - before, 0.1)

    def check(self, sims, work):
        """The state after the interrupt is that of whole steps, from which other steps follow."""
        self.interrupt(work)
        self.assert_idle()
        for sim in sims:
            self.assertTrue(np.isfinite(sim.positions).all())
            before = sim.time
            sim.step()
            self.assertGreater(sim.time, before)

    def test_one_long_step(self):
        sim = sinew.Simulation(scene(14))
        self.interrupt(lambda: [sim.step() for _ in range(1000)])
        self.assert_idle()

    def test_many_short_steps(self):
        sim = sinew.Simulation(scene(1))
        self.check([sim], lambda: sim.step(10**8))

    def test_steps_without_an_iteration(self):
        """A body at rest: the solver stops at once and asks for no signal."""
        sim = sinew.Simulation(scene(1, gravity=[0, 0, 0]))
        sim.velocities = np.zeros_like(sim.velocities)
        self.check([sim], lambda: sim.step(10**8))

    def test_run(self):
        sim = sinew.Simulation(scene(4))
        self.check([sim], lambda: sim.run(until=1e5))

    def test_build_of_a_simulation(self):
        self.interrupt(lambda: [sinew.Simulation(scene(8)) for _ in range(10**6)])

    def test_batch(self):
        for cells in (1, 6):
            with self.subTest(cells), sinew.Batch(scene(cells), 5, threads=2) as batch:
                self.check(batch, lambda: batch.step(10**8))
                rows = batch.step(2)
                self.assertEqual(len(rows), 5)

    def test_functions_of_a_batch(self):
        with sinew.Batch(scene(4), 5, threads=2) as batch:
            self.check(batch, lambda: batch.map(lambda sim: [sim.step() for _ in range(10**8)]))
            self.check(batch, lambda: batch.map(lambda sim: sim.run(until=1e5)))

    def test_a_second_one_ends_the_wait_for_functions(self):
        ended, began = threading.Event(), threading.Event()

        def stubborn(sim):  # does not step
            began.set()
            ended.wait()

        batch = sinew.Batch(scene(1), 2, threads=2)
        second = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
        second.start()
        self.interrupt(lambda: batch.map(stubborn))
        second.join()
        self.assertTrue(began.is_set())
        with self.assertRaises(sinew.Error) as caught:  # stopped until its function ends
            batch[0].step()
        self.assertEqual(caught.exception.code, "E-interrupted")
        ended.set()
        batch.close()
        batch[0].step()
        batch.step()

    def test_rollout(self):
        sim = sinew.Simulation(scene(4))
        self.check([sim], lambda: sinew.rollout(sim, [np.zeros(10**6)] * 5, lambda copy, u: None,
                                                observe=lambda copy: copy.time, threads=2))
        self.check([sim], lambda: sinew.rollout(sim, [np.zeros(1)] * 10**5, lambda copy, u: copy.step(10**8),
                                                observe=lambda copy: copy.time, threads=2))

    def test_rendering(self):
        sim = sinew.Simulation(scene(2))
        try:
            sim.render(8, 8)
        except sinew.SimulationError as missing:
            self.skipTest(str(missing))
        self.check([sim], lambda: [sim.render(200, 200) for _ in range(10**6)])

    def test_sweep(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "sweep")

            def sweep(steps):
                return sinew.sweep(scene(6, time={"steps": steps}), {"materials.rubber.young": [1e5, 2e5, 3e5]}, out, jobs=2,
                                   progress=False)

            try:
                self.interrupt(lambda: sweep(10**6), after=2.5)
            except sinew.Error as missing:
                self.skipTest(str(missing))
            self.assert_idle()
            written = sorted(out.rglob("steps.jsonl"))
            sizes = [path.stat().st_size for path in written]
            time.sleep(0.5)
            self.assertEqual([path.stat().st_size for path in written], sizes)  # no run goes on

    def test_tetrahedralize(self):
        shape = sinew.Simulation(scene(1)).bodies["block"]
        surface = sinew.TriMesh(shape.positions, shape.surface)
        try:
            sinew.tetrahedralize(surface, size=0.05)
        except sinew.Error as missing:
            self.skipTest(str(missing))
        self.interrupt(lambda: sinew.tetrahedralize(surface, size=0.002), after=1)
        children = pathlib.Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split()
        self.assertNotIn("sinew-mesh\n", [pathlib.Path("/proc", child, "comm").read_text() for child in children])


class Errors(unittest.TestCase):

    def test_a_rollout_ends_at_the_first(self):
        started = []

        def act(copy, u):
            started.append(u)
            if u == 1:
                raise ValueError("of this control")
            copy.step(10**8)

        start = time.monotonic()
        with self.assertRaisesRegex(ValueError, "of this control"):
            sinew.rollout(sinew.Simulation(scene(1)), [[0.0], [1.0]] + [[0.0]] * 20, act, threads=2)
        self.assertLess(time.monotonic() - start, SOON)
        self.assertLess(len(started), 5)

    def test_that_of_a_batch_is_raised_when_all_have_ended(self):
        with sinew.Batch(scene(1), 4, threads=2) as batch:

            def work(sim, number):
                if number in (1, 2):
                    raise ValueError(number)
                sim.step(3)

            with self.assertRaisesRegex(ValueError, "1"):
                batch.map(work, range(4))
            self.assertEqual([round(sim.time / batch[0].time) for sim in batch], [1, 0, 0, 1])


if __name__ == "__main__":
    sys.exit(unittest.main())
