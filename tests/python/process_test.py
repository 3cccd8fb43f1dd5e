"""The module in processes that end, fork, or belong to another Python."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import sinew

MODULE = pathlib.Path(sinew.__file__).parents[1]  # the folder of the package

# A block of some thousand tets: a step takes long enough to be caught in it.
PRELUDE = """
import multiprocessing, os, sys, threading, time
import numpy as np
import sinew

def block(cells):
    return {"materials": {"rubber": {"young": 1e5}}, "solver": {"method": "newton", "tolerance": 1e-12},
            "bodies": [{"name": "block", "mesh": {"box": {"size": [0.1] * 3, "cells": [cells] * 3}}, "material": "rubber",
                        "transform": {"translate": [0, 0.06, 0]}, "velocity": [0.3, -1, 0]}],
            "obstacles": [{"plane": {"normal": [0, 1, 0]}}], "contact": {"distance": 1e-3}}

def in_thread(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    time.sleep(0.3)
    return thread

def forever(work):
    while True:
        work()
"""


def run(script, first="", seconds=60):
    """Runs a script behind the prelude; a child that hangs ends with it. Newer Pythons warn of each fork with threads."""
    with subprocess.Popen([sys.executable, "-W", "ignore::DeprecationWarning", "-c", first + PRELUDE + script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env={**os.environ, "PYTHONPATH": str(MODULE)},
                          start_new_session=True) as process:  # yapf: disable
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            err += "\nhangs"
    return process.returncode, out, err


class Exit(unittest.TestCase):

    def check(self, script, first=""):
        for _ in range(3):
            code, out, err = run(script, first=first)
            self.assertEqual((code, out, err), (0, "done\n", ""))

    def test_while_a_thread_is_in_a_step(self):
        self.check("""
sim = sinew.Simulation(block(14))
in_thread(lambda: forever(sim.step))
print("done")
""")

    def test_while_threads_wait_for_each_other(self):
        self.check("""
sim = sinew.Simulation(block(8))
for call in (sim.step, sim.energies, sim.forces, lambda: sim.positions) * 2:
    in_thread(lambda: forever(call))
print("done")
""")

    def test_while_threads_evaluate_and_build(self):
        self.check("""
rubber, F = sinew.Material("neo_hookean"), np.tile(np.eye(3), (300000, 1, 1))
in_thread(lambda: forever(lambda: rubber.hessian(F, psd=True)))
in_thread(lambda: forever(lambda: sinew.Simulation(block(8))))
print("done")
""")

    def test_calls_at_exit_are_as_ever(self):
        self.check("""
sim = sinew.Simulation(block(4))
busy = sinew.Simulation(block(14))
in_thread(lambda: forever(busy.step))
def last():
    sim.step()
    assert np.isfinite(sim.positions).all()
    print("done")
atexit.register(sim.step)  # before the module's own function
""", first="import atexit; atexit.register(lambda: last())")  # after it

    def test_threads_that_are_no_daemons_are_waited_for(self):
        self.check("""
sim = sinew.Simulation(block(6))
def work():
    for _ in range(3): sim.step()
    print("done")
threading.Thread(target=work).start()
""")


class Fork(unittest.TestCase):

    CHILD = """
def in_child(work):
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            work()
        except sinew.SimulationError as error:
            print(error)
        sys.exit(0)  # with all that Python does at its end
    _, status = os.waitpid(child, 0)
    print("status", status)
"""

    def test_a_child_goes_on_where_no_call_was_under_way(self):
        code, out, err = run(self.CHILD + """
sim = sinew.Simulation(block(10))
sim.step()
read, write = os.pipe()
def work():
    sim.step()
    sinew.Simulation(block(6)).step()
    sinew.Material("neo_hookean").energy(np.tile(np.eye(3), (100000, 1, 1)))
    os.write(write, sim.positions.tobytes())
in_child(work)
os.close(write)
found = np.frombuffer(os.fdopen(read, "rb").read()).reshape(-1, 3)
sim.step()
print(np.array_equal(found, sim.positions))
""")
        self.assertEqual((code, out, err), (0, "status 0\nTrue\n", ""))

    def test_a_child_of_a_busy_process_is_refused(self):
        code, out, err = run(self.CHILD + """
sim, idle = sinew.Simulation(block(14)), sinew.Simulation(block(2))
in_thread(lambda: forever(sim.step))
for call in (sim.step, lambda: sim.positions, idle.step, lambda: sinew.Simulation(block(2))):
    in_child(call)
idle.step()  # the parent goes on
""")
        self.assertEqual((code, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual(lines[1::2], ["status 0"] * 4)
        for line in lines[::2]:
            self.assertIn("this process was forked during a call of sinew in another thread", line)
            self.assertIn("multiprocessing.get_context(\"spawn\")", line)

    def test_pools_of_processes(self):
        code, out, err = run("""
def work(cells):
    sim = sinew.Simulation(block(cells))
    sim.step()
    return sim.positions.sum()
mine = [work(cells) for cells in (3, 4, 5)]  # in this process the threads of the engine are there
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(work, (3, 4, 5)) == mine)
""")
        self.assertEqual((code, out, err), (0, "True\n", ""))


    def test_a_batch_has_threads_in_the_child_too(self):
        code, out, err = run(self.CHILD + """
batch = sinew.Batch(block(4), 4, threads=2)
batch.step()  # the threads of the batch are there
read, write = os.pipe()
def work():
    batch.step(2)
    tips = sinew.rollout(batch[0], [np.zeros(2)] * 3, lambda copy, u: None, observe=lambda copy: copy.positions.sum(), threads=2)
    os.write(write, batch.positions.tobytes() + tips.tobytes())
in_child(work)
os.close(write)
found = os.fdopen(read, "rb").read()
batch.step(2)
print(found[:batch.positions.nbytes] == batch.positions.tobytes(), len(found) == batch.positions.nbytes + 3 * 2 * 8)
""")
        self.assertEqual((code, out, err), (0, "status 0\nTrue True\n", ""))

    def test_a_child_during_a_step_of_a_batch_is_refused(self):
        code, out, err = run(self.CHILD + """
batch = sinew.Batch(block(14), 2, threads=2)
ended = threading.Event()
def steps():
    while not ended.is_set():
        batch.step()
thread = in_thread(steps)
in_child(batch.step)
ended.set()
thread.join()
""")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("this process was forked during a call of sinew in another thread", out)

    def test_spawned_processes_take_simulations_and_batches(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "spawn.py")
            script.write_text(PRELUDE + """
def work(batch):
    batch.step(2)
    return batch.positions
if __name__ == "__main__":
    batch = sinew.Batch(block(3), 2)
    batch.step()
    batch[1].set_gravity([0, 1, 0])
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(work, [batch, batch])
    mine = work(batch)
    print([np.array_equal(one, mine) for one in found], not np.array_equal(mine[0], mine[1]))
""")
            result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120,
                                    env={**os.environ, "PYTHONPATH": str(MODULE)})  # yapf: disable
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "[True, True] True\n", ""))

    def test_pictures_in_a_child(self):
        code, out, err = run(self.CHILD + """
sim = sinew.Simulation(block(2))
try:
    sim.render(8, 8)
except sinew.SimulationError as missing:
    print("skip", missing)
    sys.exit()
in_child(lambda: sim.render(8, 8))
""")
        if out.startswith("skip"):
            self.skipTest(out)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("this process was forked after its parent had made a picture", out)


class Numpy(unittest.TestCase):

    def refusal(self, first, built_with=None):
        """The last line of an import of sinew behind `first`, as of a module built with another pybind11."""
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder, "sinew")
            shutil.copytree(MODULE / "sinew", package, ignore=shutil.ignore_patterns("__pycache__"))
            if built_with is not None:
                built_for = package / "_built_for.py"
                built_for.write_text(re.sub(r'pybind11 = ".*"', f'pybind11 = "{built_with}"', built_for.read_text()))
            result = subprocess.run([sys.executable, "-B", "-c", first + "import sinew"], capture_output=True, text=True,
                                    cwd=folder, env={**os.environ, "PYTHONPATH": folder})  # yapf: disable
        return (result.stderr.splitlines() or [""])[-1]

    def test_one_that_would_be_read_wrongly(self):
        two = "import numpy; numpy.__version__ = '2.1.0rc1'; "
        self.assertEqual(self.refusal(two, "2.10.3"),
                         "ImportError: sinew was built with pybind11 2.10.3, which knows numpy 1 alone, but this is numpy "
                         "2.1.0rc1; install \"numpy<2\", or build sinew with pybind11 2.12 or newer")
        for first, built_with in ((two, "2.12.0"), (two, "3.0.1"), ("import numpy; numpy.__version__ = '1.26.4'; ", "2.10.3")):
            self.assertNotIn("numpy", self.refusal(first, built_with))

    def test_none(self):
        self.assertEqual(self.refusal("import sys; sys.modules['numpy'] = None; "),
                         f"ImportError: sinew needs numpy, which this Python ({sys.executable}) does not have; install it with "
                         f"{sys.executable} -m pip install numpy")


class OtherPythons(unittest.TestCase):

    def test_they_are_told_which_one_it_is(self):
        wanted = "%d.%d" % sys.version_info[:2]
        with tempfile.TemporaryDirectory() as folder:  # as another Python sees it, which knows no such file of a module
            shutil.copytree(MODULE / "sinew", pathlib.Path(folder, "sinew"), ignore=shutil.ignore_patterns("*.so"))
            result = subprocess.run([sys.executable, "-c", "import sinew"], capture_output=True, text=True, cwd=folder,
                                    env={**os.environ, "PYTHONPATH": folder})  # yapf: disable
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"ImportError: sinew was built for Python {wanted} ({sys.executable}), but this is Python {wanted} "
                      f"({sys.executable}); run it with {sys.executable}", result.stderr)

    def test_the_others_on_this_machine(self):
        folders = map(pathlib.Path, os.environ.get("PATH", "").split(os.pathsep))
        paths = [path for folder in folders for path in folder.glob("python3*")]
        paths += pathlib.Path.home().glob(".pyenv/versions/*/bin/python")
        seen = 0
        for path in paths:
            if re.fullmatch(r"python(3(\.\d+)?)?", path.name) and self.version(path) not in (None, sys.version_info[:2]):
                result = subprocess.run([path, "-B", "-c", "import sinew"], capture_output=True, text=True,
                                        env={**os.environ, "PYTHONPATH": str(MODULE)})  # yapf: disable
                self.assertIn("ImportError: sinew was built for Python", result.stderr, path)
                seen += 1
        if seen == 0:
            self.skipTest("no other Python")

    @staticmethod
    def version(path):
        result = subprocess.run([path, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True)
        return tuple(map(int, result.stdout.split())) if result.returncode == 0 else None


if __name__ == "__main__":
    unittest.main()
