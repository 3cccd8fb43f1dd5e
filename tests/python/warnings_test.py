"""What the engine warns of comes through Python's warnings, from the line that called it."""

import contextlib
import inspect
import io
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import numpy as np
import sinew


def scene(**solver):
    return {"bodies": [{"mesh": {"box": {"size": [.1, .1, .1], "cells": [2, 2, 2]}}}],
            "contact": {"enabled": False}, "solver": {"method": "newton", **solver}}


UNUSED = scene(handles=4)  # newton has none: a warning


class Warnings(unittest.TestCase):
    def caught(self, action="always"):
        context = warnings.catch_warnings(record=True)
        found = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        warnings.simplefilter(action)
        return found

    def test_they_are_pythons_own(self):
        self.assertTrue(issubclass(sinew.Warning, UserWarning))
        self.assertFalse(issubclass(sinew.Warning, sinew.Error))
        found = self.caught()
        with contextlib.redirect_stderr(io.StringIO()) as stderr:
            line = inspect.currentframe().f_lineno + 1
            sinew.Simulation(UNUSED)
        self.assertEqual(stderr.getvalue(), "")
        self.assertEqual(len(found), 1)
        self.assertIs(found[0].category, sinew.Warning)
        self.assertIn("solver.handles", str(found[0].message))
        self.assertEqual((found[0].filename, found[0].lineno), (__file__, line))

    def test_filters_and_stderr(self):
        run = [sys.executable, "-c", f"import sinew\nfor _ in range(3): sinew.Simulation({UNUSED!r})"]
        result = subprocess.run(run, capture_output=True, text=True, check=True)
        self.assertEqual(result.stderr.count("solver.handles"), 1)  # once a line, as Python's filter has it
        self.assertIn("<string>:2: Warning: ", result.stderr)
        silent = subprocess.run([run[0], "-W", "ignore", *run[1:]], capture_output=True, text=True, check=True)
        self.assertEqual(silent.stderr, "")

    def test_of_meshes_and_without_the_lock(self):
        found = self.caught()
        vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 2, 2]]
        mesh = sinew.TetMesh(vertices, [[0, 2, 1, 3]])
        self.assertEqual(sorted(str(w.message).split(": ")[1][:6] for w in found), ["1 of 1", "1 of 5"])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "unused.msh"
            sinew.write_mesh(path, mesh)
            del found[:]
            sinew.read_mesh(path)
        self.assertEqual(len(found), 1)
        self.assertIn("in no tet", str(found[0].message))

    def test_errors_lose_no_state(self):
        self.caught("error")
        with self.assertRaises(sinew.Warning):
            sinew.Simulation(UNUSED)
        bar = scene()
        bar["bodies"][0]["fix"] = ["all"]
        sim = sinew.Simulation(bar)
        sim.step()
        with self.assertRaises(sinew.Warning):
            sim.velocities = np.ones(sim.velocities.shape)
        self.assertEqual(abs(sim.velocities).max(), 0)
        self.assertTrue(sim.step()["converged"])
        # An error of the engine comes before those of its warnings.
        wrong = scene(handles=4)
        wrong["bodies"][0]["loads"] = [{"halfspace": {"point": [9, 0, 0], "normal": [1, 0, 0]}, "force": [1, 0, 0]}]
        with self.assertRaises(sinew.InputError):
            sinew.Simulation(wrong)

    def test_of_threads(self):
        found = self.caught()
        threads = [threading.Thread(target=sinew.Simulation, args=(UNUSED,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 4)


if __name__ == "__main__":
    unittest.main()
