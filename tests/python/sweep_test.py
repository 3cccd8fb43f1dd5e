"""sinew.sweep and its command line: points, plans, continuing after a kill, tables, the page."""

import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
from unittest import mock

import numpy as np

import sinew

SCENE = {"time": {"step": 0.01, "steps": 4}, "gravity": [0, -9.81, 0],
         "materials": {"rubber": {"young": 2e5, "poisson": 0.4, "density": 1000}},
         "bodies": [{"name": "bar", "mesh": {"box": {"size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]}}, "material": "rubber",
                     "fix": [{"halfspace": {"point": [-0.19, 0, 0], "normal": [-1, 0, 0]}}]}],
         "sensors": {"tip": {"body": "bar", "select": {"halfspace": {"point": [0.19, 0, 0], "normal": [1, 0, 0]}},
                             "quantities": ["displacement.y"]}},
         "output": {"formats": []}}  # yapf: disable
YOUNG, POISSON = "materials.rubber.young", "materials.rubber.poisson"
COMMAND = ["/usr/bin/python3", "-B", "-m", "sinew._sweep"]
PROGRAM = os.environ.get("SINEW", "")  # for a package without a program beside it
OPTIONS = {"progress": False, **({"sinew": PROGRAM} if PROGRAM else {})}


def rows_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


def steps_of_runs(folder):
    """The numbers of the steps in steps.jsonl of each run."""
    for run in sorted((folder / "runs").iterdir()):
        steps = [json.loads(line)["step"] for line in (run / "steps.jsonl").read_text().splitlines()]
        yield steps


class Folder(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.scene = self.folder / "bar.json"
        self.scene.write_text(json.dumps(SCENE))
        self.out = self.folder / "out"

    def command(self, *words, scene=None):
        more = ["--sinew", PROGRAM] if PROGRAM else []
        return [*COMMAND, str(scene or self.scene), "-o", str(self.out), *more, *words]

    def call(self, *words, code=0):
        result = subprocess.run(self.command(*words), capture_output=True, text=True)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stderr


class Points(Folder):

    def test_all_combinations(self):
        rows = sinew.sweep(self.scene, {YOUNG: np.array([1e5, 4e5]), POISSON: [0.3, 0.45], "time.steps": 2}, self.out, **OPTIONS)
        self.assertEqual([(row["run"], row[YOUNG], row[POISSON]) for row in rows],
                         [(0, 1e5, 0.3), (1, 1e5, 0.45), (2, 4e5, 0.3), (3, 4e5, 0.45)])
        self.assertEqual([(row["outcome"], row["steps"]) for row in rows], [("done", 2)] * 4)
        sags = [row["tip.displacement.y"] for row in rows]
        self.assertEqual(len(set(sags)), 4)

    def test_pairs(self):
        rows = sinew.sweep(SCENE, {YOUNG: [1e5, 4e5], POISSON: [0.3, 0.45], "time.steps": 1}, self.out, zip=True, **OPTIONS)
        self.assertEqual([(row[YOUNG], row[POISSON]) for row in rows], [(1e5, 0.3), (4e5, 0.45)])
        with self.assertRaisesRegex(sinew.InputError, "found lists of 2 and 3 values"):
            sinew.sweep(SCENE, {YOUNG: [1e5, 4e5], POISSON: [0.3, 0.4, 0.45]}, self.out, zip=True, **OPTIONS)

    def test_a_scene_with_files_and_meshes(self):
        sinew.write_mesh(self.folder / "box.msh", sinew.box([0.2, 0.1, 0.1], cells=[2, 1, 1]))
        values = {"gravity": [[0, -1, 0], [0, -2, 0]], "time.steps": 1}
        scene = {"bodies": [{"mesh": "box.msh"}], "output": {"formats": []}}
        rows = sinew.sweep(scene, values, self.out, base_dir=self.folder, **OPTIONS)
        made = sinew.Scene({"output": {"formats": []}})
        made.add_body(sinew.read_mesh(self.folder / "box.msh"))
        others = sinew.sweep(made, values, self.folder / "made", **OPTIONS)
        self.assertEqual([row["energies.kinetic"] for row in rows], [row["energies.kinetic"] for row in others])
        self.assertEqual([row["outcome"] for row in sinew.sweep(made, values, self.folder / "made", **OPTIONS)], ["done"] * 2)

    def test_a_list_of_points(self):
        points = [{"gravity": [0, -1, 0], "time.steps": 1}, {"gravity": [0, -2, 0], "time.steps": 2}]
        rows = sinew.sweep(SCENE, points, self.out, steps=2, **OPTIONS)
        self.assertEqual([row["gravity"] for row in rows], [[0, -1, 0], [0, -2, 0]])
        self.assertEqual([row["steps"] for row in rows], [2, 2])

    def test_a_file_of_points_and_values_with_commas(self):
        (self.folder / "points.csv").write_text(f'{YOUNG},solver.method,gravity\n1e5,newton,"[0,-1,0]"\n2e5,newton,"[0,-2,0]"\n')
        self.call("--points", str(self.folder / "points.csv"), "--set", f"{POISSON}=0.3,0.4", "--steps", "1", "--quiet")
        rows = rows_of(self.out / "sweep.csv")
        self.assertEqual([(row[POISSON], row["gravity"]) for row in rows],
                         [("0.3", "[0, -1, 0]"), ("0.3", "[0, -2, 0]"), ("0.4", "[0, -1, 0]"), ("0.4", "[0, -2, 0]")])
        self.assertEqual({row["solver.method"] for row in rows}, {"newton"})
        for text, error in (("a,b\n1\n", ":2: expected 2 values"), ("a,a\n1,2\n", "a different key"), ("a\n", "found 1 lines")):
            (self.folder / "points.csv").write_text(text)
            self.assertIn(error, self.call("--points", str(self.folder / "points.csv"), code=2))

    def test_commas_within_brackets_and_quotes(self):
        from sinew._sweep.points import parse_set
        self.assertEqual(parse_set('gravity=[0,-1,0],[0,-2,0]'), ("gravity", [[0, -1, 0], [0, -2, 0]]))
        self.assertEqual(parse_set(r'name="a,\"b",c,{"d": [1, 2]},NaN'), ("name", ['a,"b', "c", {"d": [1, 2]}, "NaN"]))
        for wrong in ("a", "=1", "a=", "a=1,,2"):
            with self.assertRaises(sinew.InputError):
                parse_set(wrong)


class Faults(Folder):

    def test_wrong_keys_run_nothing(self):
        for values, error, code in (({"materials.rubber.yuong": [1, 2]}, 'did you mean "young"', "E-scene-key"),
                                    ({"materials.ruber.young": [1, 2]}, 'unknown material "ruber"; did you mean "rubber"',
                                     "E-scene-name"),
                                    (None, "expected a dict of keys", "E-argument"),
                                    ({YOUNG: []}, "at least one value", "E-argument"),
                                    ({}, "at least one key", "E-argument"),
                                    ({YOUNG: [float("nan")]}, "finite numbers", "E-argument")):  # yapf: disable
            with self.subTest(values), self.assertRaisesRegex(sinew.InputError, error) as caught:
                sinew.sweep(self.scene, values, self.out, **OPTIONS)
            self.assertEqual(caught.exception.code, code)
            self.assertFalse((self.out / "sweep.json").exists())
        self.assertIn("--set young: expected", self.call("--set", "young", code=2))
        self.assertIn("found the key gravity twice", self.call("--set", "gravity=1,2", "--set", "gravity=3", code=2))
        self.assertIn('expected "dask://HOST:PORT" or "slurm"', self.call("--set", f"{YOUNG}=1e5", "--scheduler", "pbs", code=2))

    def test_a_new_material_that_a_run_uses(self):
        other = {"materials.foam.young": 1e5, "bodies.0.material": "foam"}
        rows = sinew.sweep(self.scene, [{YOUNG: 1e5}, other], self.out, **OPTIONS)
        self.assertEqual(rows[0]["tip.displacement.y"], rows[1]["tip.displacement.y"])

    def test_a_simulation_is_no_scene(self):
        with self.assertRaisesRegex(sinew.InputError, "Scene: found a value of type Simulation"):
            sinew.sweep(sinew.Simulation(SCENE), {YOUNG: [1e5]}, self.out, **OPTIONS)

    def test_a_point_that_fails(self):
        text = self.call("--set", f"{POISSON}=0.3,0.7,0.4", "--steps", "1", code=1)
        self.assertIn("3 runs, 1 failed", text)
        rows = rows_of(self.out / "sweep.csv")
        self.assertEqual([row["outcome"] for row in rows], ["done", "failed", "done"])
        self.assertIn("poisson", rows[1]["error"])
        self.assertIn("[E-", rows[1]["error"])
        before = os.stat(self.out / "state/0000.json").st_mtime_ns, os.stat(self.out / "state/0001.json").st_mtime_ns
        text = self.call("--set", f"{POISSON}=0.3,0.7,0.4", "--steps", "1", code=1)  # tried again, the others not
        self.assertIn("2 of 3 runs are done", text)
        after = os.stat(self.out / "state/0000.json").st_mtime_ns, os.stat(self.out / "state/0001.json").st_mtime_ns
        self.assertEqual([x == y for x, y in zip(before, after)], [True, False])

    def test_another_plan_is_refused(self):
        sinew.sweep(SCENE, {YOUNG: [1e5, 2e5]}, self.out, steps=1, **OPTIONS)
        text = (self.out / "sweep.csv").read_text()
        other = json.loads(json.dumps(SCENE))
        other["gravity"] = [0, 0, 0]
        for scene, values, steps, error in ((SCENE, {YOUNG: [1e5, 3e5]}, 1, "other points"),
                                            (SCENE, {YOUNG: [1e5, 2e5]}, 2, "other options"),
                                            (other, {YOUNG: [1e5, 2e5]}, 1, "other contents"),
                                            (self.scene, {YOUNG: [1e5, 2e5]}, 1, "another scene")):  # yapf: disable
            with self.subTest(error), self.assertRaisesRegex(sinew.InputError, error) as caught:
                sinew.sweep(scene, values, self.out, steps=steps, **OPTIONS)
            self.assertEqual(caught.exception.code, "E-output-exists")
        with self.assertRaisesRegex(sinew.InputError, "yuong"):  # checked before the old results go
            sinew.sweep(SCENE, {"materials.rubber.yuong": [1e5]}, self.out, overwrite=True, **OPTIONS)
        self.assertEqual((self.out / "sweep.csv").read_text(), text)
        sinew.sweep(other, {YOUNG: [3e5]}, self.out, steps=1, overwrite=True, **OPTIONS)
        self.assertEqual([row[YOUNG] for row in rows_of(self.out / "sweep.csv")], ["300000.0"])
        self.assertEqual(sorted(path.name for path in (self.out / "runs").iterdir()), ["0000"])

    def test_a_folder_with_files_is_kept(self):
        self.out.mkdir()
        (self.out / "mine.txt").write_text("x")
        with self.assertRaisesRegex(sinew.InputError, "found a folder with files"):
            sinew.sweep(self.scene, {YOUNG: [1e5]}, self.out, overwrite=True, **OPTIONS)
        self.assertEqual([path.name for path in self.out.iterdir()], ["mine.txt"])


class Interruptions(Folder):
    WORDS = ("--set", f"{YOUNG}=1e5,2e5,3e5,4e5", "--steps", "200", "--jobs", "2")

    def start(self):
        """Starts a sweep and waits until its first runs have taken some steps."""
        process = subprocess.Popen(self.command(*self.WORDS), stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        logs = [self.out / f"runs/000{k}/steps.jsonl" for k in (0, 1)]
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            if all(log.exists() and len(log.read_text().splitlines()) > 5 for log in logs):
                return process
            time.sleep(0.005)
        self.fail("the runs do not start" if process.poll() is None else process.stderr.read())

    def check_all(self):
        text = self.call(*self.WORDS)
        self.assertEqual([row["outcome"] for row in rows_of(self.out / "sweep.csv")], ["done"] * 4)
        for steps in steps_of_runs(self.out):
            self.assertEqual(steps, list(range(1, 201)))
        alone = self.folder / "alone"
        subprocess.run([json.loads((self.out / "sweep.json").read_text())["sinew"], "run", self.scene, "-o", alone, "--steps",
                        "200", "--quiet", "--set", f"{YOUNG}=1e5", "--threads", "1"], check=True)
        self.assertEqual((alone / "sensors.csv").read_text(), (self.out / "runs/0000/sensors.csv").read_text())
        return text

    def test_a_killed_sweep_continues(self):
        process = self.start()
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.check_all()

    def test_ctrl_c_ends_the_runs(self):
        process = self.start()
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=30)[1]
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("repeat the command to continue the sweep [E-interrupted]", errors)
        self.assertTrue((self.out / "runs/0000/checkpoint.h5").exists())
        self.assertNotIn("failed", (self.out / "sweep.csv").read_text())
        self.check_all()

    def test_a_killed_run_continues_at_once(self):
        process = self.start()
        children = pathlib.Path(f"/proc/{process.pid}/task").glob("*/children")
        os.kill([int(child) for task in children for child in task.read_text().split()][0], signal.SIGKILL)
        process.stderr.read()
        self.assertEqual(process.wait(), 0)
        self.assertIn("4 of 4 runs are done", self.check_all())

    def test_two_sweeps_in_a_folder_share_the_runs(self):
        first = self.start()
        self.call(*self.WORDS)
        first.stderr.read()
        self.assertEqual(first.wait(), 0)
        self.check_all()
        for run in sorted((self.out / "state").glob("*.log")):
            self.assertNotIn("E-output-busy", run.read_text())  # never two in a folder


class Program(Folder):
    """sinew sweep, which becomes this package's command."""

    def test_it_passes_its_options_on(self):
        program = PROGRAM or str(pathlib.Path(sinew.__file__).parents[2] / "bin/sinew")
        if not os.path.exists(program) or PROGRAM:
            self.skipTest("no program beside this package")

        def call(*words):
            environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
            return subprocess.run([program, "sweep", *words], capture_output=True, text=True, cwd=self.folder, env=environment)

        (self.folder / "points.csv").write_text('gravity\n"[0,0,0]"\n"[0,-1,0]"\n')
        options = ["--set", "name=-a,b", "--zip", "--points", "points.csv", "--jobs", "1", "--threads", "2", "--steps", "2",
                   "--method", "newton", "--quiet"]  # yapf: disable
        result = call("bar.json", *options)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        folder = self.folder / "out/bar_sweep"
        rows = rows_of(folder / "sweep.csv")
        self.assertEqual([(row["name"], row["gravity"], row["steps"]) for row in rows],
                         [("-a", "[0, 0, 0]", "2"), ("b", "[0, -1, 0]", "2")])
        self.assertEqual(json.loads((folder / "runs/0000/summary.json").read_text())["threads"], 2)
        self.assertEqual(json.loads((folder / "runs/0000/summary.json").read_text())["method"], "newton")
        self.assertIn("[E-output-exists]", call("bar.json", "--set", "name=c").stderr)
        self.assertEqual(call("bar.json", "--set", "name=c", "--overwrite", "--steps", "1").returncode, 0)
        for words in (["bar.json"], ["none.json", "--set", "name=a"], ["bar.json", "--set", "name=a", "--sbatch=--x"]):
            result = call(*words)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertRegex(result.stderr, r"^error: .* \[E-[\w-]+\]\n$")


    def test_the_interpreter_is_that_of_the_package(self):
        program = pathlib.Path(PROGRAM or pathlib.Path(sinew.__file__).parents[2] / "bin/sinew")
        if not program.exists():
            self.skipTest("no program beside this package")
        if (program.parents[1] / "lib").exists():
            self.skipTest("a program that needs libraries beside it")
        (self.folder / "bin").mkdir()
        copy = shutil.copy(program, self.folder / "bin/sinew")
        package = self.folder / "python/sinew"
        (package / "_sweep").mkdir(parents=True)
        (package / "_sweep/__main__.py").touch()
        other, named = self.folder / "other python", self.folder / "named"
        for path in (other, named):
            path.write_text(f"#!/bin/sh\necho {path.name}\n")
            path.chmod(0o755)
        built_for = package / "_built_for.py"

        def interpreter(**more):
            environment = {name: value for name, value in os.environ.items() if name != "SINEW_INTERPRETER"}
            return subprocess.run([copy, "sweep", "bar.json", "--set", "name=a"], capture_output=True, text=True,
                                  env={**environment, **more}).stdout  # yapf: disable

        built_for.write_text(f'version = "3.12"\nexecutable = "{other}"\n')
        self.assertEqual(interpreter(), "other python\n")
        self.assertEqual(interpreter(SINEW_INTERPRETER=str(named)), "named\n")
        built_for.write_text('executable = "/no/such/python"\n')
        self.assertEqual(interpreter(), "")  # that of the system, for which the package is empty


class Results(Folder):

    def test_rows_equal_single_runs(self):
        sinew.sweep(self.scene, {YOUNG: [1e5, 2e5]}, self.out, **OPTIONS)
        program = json.loads((self.out / "sweep.json").read_text())["sinew"]
        rows = rows_of(self.out / "sweep.csv")
        for row in rows:
            alone = self.folder / f"alone{row['run']}"
            subprocess.run([program, "run", self.scene, "-o", alone, "--quiet", "--set", f"{YOUNG}={row[YOUNG]}"], check=True)
            summary = json.loads((alone / "summary.json").read_text())
            sensors = rows_of(alone / "sensors.csv")[-1]
            self.assertEqual(int(row["steps"]), summary["steps"])
            self.assertEqual(int(row["newton_iterations"]), summary["newton_iterations"])
            self.assertEqual(float(row["energies.elastic [J]"]), summary["energies"]["elastic"])
            self.assertEqual(row["min_distance [m]"], "")
            self.assertEqual(float(row["tip.displacement.y [m]"]), float(sensors["tip.displacement.y [m]"]))
        self.assertEqual(list(rows[0])[:3] + list(rows[0])[-1:], ["run", YOUNG, "outcome", "error"])

    def test_the_page_is_one_file(self):
        sinew.sweep(self.scene, {YOUNG: [1e5, 2e5], "name": ["</script>", "b"]}, self.out, steps=1, **OPTIONS)
        text = (self.out / "sweep.html").read_text()
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])
        self.assertEqual(data["swept"], [YOUNG, "name"])
        self.assertEqual(len(data["rows"]), 4)
        self.assertIn("tip.displacement.y", data["numbers"])
        self.assertEqual(re.findall(r'(?:src|href)="[^"]*"|url\(|@import', text), [])
        self.assertEqual([link for link in re.findall(r"https?://[^'\"]*", text) if "w3.org" not in link], [])

    def test_parquet_where_there_is_pyarrow(self):
        sinew.sweep(self.scene, {YOUNG: [1e5, 2e5], "name": ["a", "b"]}, self.out, steps=1, zip=True, **OPTIONS)
        try:
            import pyarrow.parquet
        except ImportError:
            self.assertFalse((self.out / "sweep.parquet").exists())
            self.skipTest("pyarrow is not installed")
        columns = pyarrow.parquet.read_table(self.out / "sweep.parquet").to_pydict()
        self.assertEqual((columns[YOUNG], columns["name"], columns["steps"]), ([1e5, 2e5], ["a", "b"], [1, 1]))

    def test_what_is_given_to_pyarrow(self):
        """A stand-in for pyarrow that keeps columns as JSON: all of one length, with the numbers and units of the CSV."""
        arrow, parquet = types.ModuleType("pyarrow"), types.ModuleType("pyarrow.parquet")
        arrow.table = lambda columns: columns
        parquet.write_table = lambda table, sink: sink.write(json.dumps(table).encode())
        with mock.patch.dict(sys.modules, {"pyarrow": arrow, "pyarrow.parquet": parquet}):
            sinew.sweep(self.scene, {YOUNG: [1e5, -1.0], "name": ["a", "b"]}, self.out, steps=2, zip=True, **OPTIONS)
        columns = json.loads((self.out / "sweep.parquet").read_text())
        self.assertEqual({len(values) for values in columns.values()}, {2})
        self.assertEqual((columns["run"], columns[YOUNG], columns["name"], columns["steps"]),
                         ([0, 1], [1e5, -1.0], ["a", "b"], [2, None]))  # the second is no valid scene
        self.assertEqual(columns["outcome"], ["done", "failed"])
        self.assertIsNone(columns["error"][0])
        self.assertIn("young", columns["error"][1])
        with open(self.out / "sweep.csv", newline="") as file:
            header, first, _ = csv.reader(file)
        self.assertEqual(header, list(columns))
        self.assertIn("time [s]", header)
        for name, text in zip(header, first):
            value = columns[name][0]
            self.assertEqual(text, "" if value is None else value if isinstance(value, str) else json.dumps(value), name)

    def test_columns_of_parquet_have_one_type(self):
        from sinew._sweep.table import _uniform
        self.assertEqual(_uniform([1, None, 2.5]), [1.0, None, 2.5])
        self.assertEqual(_uniform([1, None]), [1, None])
        self.assertEqual(_uniform([1, "a", None, [1, 2], True]), ["1", "a", None, "[1, 2]", "true"])


if __name__ == "__main__":
    sys.exit(unittest.main())
