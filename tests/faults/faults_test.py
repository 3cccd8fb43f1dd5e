"""Faults from outside while a run writes its folder: kills, signals, a full disk, a folder that vanishes or may
not be written any more, damaged checkpoints. What was written before stays whole, and a resumed run ends in the same
bits as one nobody disturbed.

Usage: faults_test.py SINEW [unittest arguments]
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

SINEW = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "build/release/bin/sinew"
STEPS = 40
# Wall times and memory differ from run to run; nothing else may.
VARIABLE = ("seconds", "peak_memory_mb")

SCENE = {
    "sinew": 1, "name": "faults", "time": {"step": 0.01, "steps": STEPS, "integrator": "bdf2"},
    "materials": {"rubber": {"model": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000}},
    "bodies": [
        {"name": "lower", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [3, 3, 3]}}, "material": "rubber",
         "transform": {"translate": [0, 0.06, 0]}, "velocity": [0.3, -1, 0]},
        {"name": "upper", "mesh": {"sphere": {"radius": 0.05, "size": 0.04}}, "material": "rubber",
         "transform": {"translate": [0, 0.18, 0]}, "velocity": [0, -1.5, 0]}],
    "obstacles": [{"name": "ground", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
    "contact": {"distance": 1e-3, "friction": 0.3},
    "output": {"formats": ["vtu", "pc2", "gltf", "usda", "mdd", "obj", "ply", "wav", "html"]},
}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(v) for key, v in value.items() if key not in VARIABLE}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def contents(folder):
    """Relative path -> what must be equal between two runs of the same scene."""
    found = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            key = os.path.relpath(path, folder)
            if name in ("checkpoint.h5", "report.html", "run.js"):
                found[key] = True  # they hold wall times: the states are compared through the frames
            elif name == "steps.jsonl":
                found[key] = [without_times(json.loads(line)) for line in read(path).splitlines()]
            elif name == "summary.json":
                found[key] = without_times(json.loads(read(path)))
            else:
                found[key] = read(path)
    return found


def snapshot(folder):
    return {os.path.relpath(os.path.join(base, name), folder): read(os.path.join(base, name))
            for base, _, names in os.walk(folder) for name in names}


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="sinew-faults-")
        cls.scene = os.path.join(cls.folder, "scene.json")
        with open(cls.scene, "w") as file:
            json.dump(SCENE, file)
        cls.whole = os.path.join(cls.folder, "whole")
        start = time.monotonic()
        result = cls.sinew(cls.whole)
        cls.duration = time.monotonic() - start
        assert result.returncode == 0, result.stderr
        cls.expected = contents(cls.whole)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    @classmethod
    def command(cls, output, *options):
        return [SINEW, "run", cls.scene, "-o", output, "--quiet", "--threads", "1", *options]

    @classmethod
    def sinew(cls, output, *options):
        return subprocess.run(cls.command(output, *options), capture_output=True, text=True, timeout=120)

    def start(self, output, *options):
        return subprocess.Popen(self.command(output, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def assert_readable(self, output):
        """Every file under its final name is whole; half written ones have temporary names."""
        frames = os.path.join(output, "frames")
        for name in os.listdir(frames) if os.path.isdir(frames) else []:
            if name.endswith((".vtu", ".pvd")):
                ElementTree.parse(os.path.join(frames, name))
        summary = os.path.join(output, "summary.json")
        if os.path.exists(summary):
            json.loads(read(summary))

    def finish(self, output):
        """Goes on with a disturbed run, or starts anew where it had not come to its first checkpoint."""
        resumable = os.path.exists(os.path.join(output, "checkpoint.h5"))
        result = self.sinew(output, "--resume" if resumable else "--overwrite")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = contents(output)
        self.assertEqual(sorted(found), sorted(self.expected))
        for name, value in self.expected.items():
            self.assertEqual(found[name], value, name)

    def wait_for_rows(self, output, rows):
        path = os.path.join(output, "steps.jsonl")
        for _ in range(3000):
            if os.path.exists(path) and read(path).count(b"\n") >= rows:
                return
            time.sleep(0.002)
        self.fail("the run makes no progress")

    def test_kill_at_random_moments(self):
        moments = random.Random(7)
        for chain in range(5):  # of four kills each, in one folder
            output = os.path.join(self.folder, f"killed{chain}")
            for kill in range(4):
                resumable = os.path.exists(os.path.join(output, "checkpoint.h5"))
                process = self.start(output, "--resume" if resumable else "--overwrite")
                time.sleep(moments.uniform(0, 0.6 * self.duration))
                process.kill()
                process.communicate()
                self.assert_readable(output)
            self.finish(output)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            output = os.path.join(self.folder, f"signal{int(number)}")
            process = self.start(output)
            self.wait_for_rows(output, 3)
            process.send_signal(number)
            _, message = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, message)
            self.assertIn("interrupted after step", message)
            self.assertIn("--resume", message)
            self.assertTrue(os.path.exists(os.path.join(output, "summary.json")))
            self.assert_readable(output)
            self.finish(output)

    def test_folder_removed(self):
        output = os.path.join(self.folder, "removed")
        process = self.start(output)
        self.wait_for_rows(output, 3)
        shutil.move(output, output + "-elsewhere")
        _, message = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, message)
        self.assertIn(output, message)
        self.assertFalse(os.path.exists(output) and os.listdir(output), "the folder came back")
        shutil.rmtree(output, ignore_errors=True)
        shutil.move(output + "-elsewhere", output)
        self.assert_readable(output)
        self.finish(output)

    def in_namespace(self, script):
        """Runs a shell script that may mount file systems which vanish with it."""
        command = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])
        try:
            able = subprocess.run(command + ["sh", "-c", "mount -t tmpfs tmpfs /mnt"], capture_output=True)
        except FileNotFoundError:
            self.skipTest("no unshare")
        if able.returncode != 0:
            self.skipTest("mounting is not allowed here")
        result = subprocess.run(command + ["sh", "-ec", script], capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def run_line(self, output, *options):
        return " ".join(f"'{word}'" for word in self.command(output, *options))

    def test_full_disk(self):
        """The disk fills while the run writes; with room again it goes on."""
        size = sum(len(data) for data in snapshot(self.whole).values())
        for share in (0.1, 0.35, 0.6, 0.9):
            with self.subTest(share=share):
                disk = os.path.join(self.folder, f"disk{share}")
                result = os.path.join(self.folder, f"full{share}")
                log = os.path.join(self.folder, f"log{share}")
                os.makedirs(disk)
                self.in_namespace(f"""
                    mount -t tmpfs -o size={int(share * size) // 4096 * 4096} tmpfs '{disk}'
                    code=0; {self.run_line(disk + '/out')} 2> '{log}' || code=$?
                    [ $code = 1 ] || {{ echo "exit $code"; exit 9; }}
                    cp -r '{disk}/out' '{result}-then'
                    mount -o remount,size=1g '{disk}'
                    if [ -e '{disk}/out/checkpoint.h5' ]; then mode=--resume; else mode=--overwrite; fi
                    {self.run_line(disk + '/out')} $mode
                    cp -r '{disk}/out' '{result}'""")
                message = read(log).decode()
                self.assertIn("No space left on device", message)
                self.assertIn(disk + "/out", message)
                self.assert_readable(result + "-then")
                self.assertEqual(contents(result), self.expected)

    def test_folder_turns_unwritable(self):
        home = tempfile.mkdtemp(prefix="sinew-faults-")
        self.addCleanup(shutil.rmtree, home, True)
        output = os.path.join(home, "out")
        nobody = 65534
        become = None
        if os.geteuid() == 0:
            os.chown(home, nobody, nobody)
            os.chmod(self.folder, 0o755)

            def become():  # root may write anywhere
                os.setresgid(nobody, nobody, nobody)
                os.setresuid(nobody, nobody, nobody)

        process = subprocess.Popen(self.command(output), stderr=subprocess.PIPE, text=True, preexec_fn=become, cwd=home)
        self.wait_for_rows(output, 3)
        for folder in (output, os.path.join(output, "frames"), os.path.join(output, "pc2")):
            os.chmod(folder, 0o555)
        _, message = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, message)
        self.assertIn("Permission denied", message)
        for folder in (output, os.path.join(output, "frames"), os.path.join(output, "pc2")):
            os.chmod(folder, 0o777)
        self.assert_readable(output)
        self.finish(output)

    def test_damaged_checkpoints(self):
        """Whatever bytes a checkpoint has: refused with its name, and nothing in the folder changes."""
        output = os.path.join(self.folder, "damaged")
        result = self.sinew(output, "--steps", "5")
        self.assertEqual(result.returncode, 0, result.stderr)
        checkpoint = os.path.join(output, "checkpoint.h5")
        whole = read(checkpoint)
        chance = random.Random(3)
        variants = [b"", b"not a checkpoint", read(self.scene), read(SINEW)[:4096], bytes(1000)]
        variants += [whole[:length] for length in (1, 100, 511, 512, 600, len(whole) // 2, len(whole) - 1)]
        variants += [whole + b"x", whole[512:], whole[:512] + bytes(len(whole) - 512)]
        for _ in range(30):
            bytes_ = bytearray(whole)
            for _ in range(chance.choice((1, 1, 20))):
                bytes_[chance.randrange(chance.choice((512, len(whole))))] ^= chance.randrange(1, 256)
            variants.append(bytes(bytes_))
        for number, variant in enumerate(variants):
            with self.subTest(variant=number):
                with open(checkpoint, "wb") as file:
                    file.write(variant)
                before = snapshot(output)
                result = self.sinew(output, "--resume")
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("checkpoint.h5: ", result.stderr)
                self.assertEqual(snapshot(output), before)

    def test_checkpoints_of_others(self):
        output = os.path.join(self.folder, "foreign")
        for key, value, message in (("time.step=0.02", 0, "time.step is 0.01 in the scene, 0.02 in the checkpoint"),
                                    ("bodies.upper.velocity=[0,0,0]", 0, "bodies/upper")):
            shutil.rmtree(output, ignore_errors=True)
            self.assertEqual(self.sinew(output, "--steps", "2", "--set", key).returncode, 0)
            before = snapshot(output)
            result = self.sinew(output, "--resume")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("checkpoint.h5: belongs to another scene: ", result.stderr)
            if "=0.02" in key:
                self.assertIn(message, result.stderr)
            self.assertEqual(snapshot(output), before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
