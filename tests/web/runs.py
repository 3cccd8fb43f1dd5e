"""Runs of the sinew binary for the tests of its page."""

import json
import pathlib
import signal
import subprocess
import sys
import time

SINEW = str(pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/bin/sinew").resolve())


def scene(**changes):
    """Two boxes, one of two materials, that fall on a plane, and a wall that moves."""
    result = {
        "sinew": 1, "name": "boxes", "time": {"step": 0.01, "steps": 20, "integrator": "implicit_euler"},
        "materials": {
            "rubber": {"model": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000},
            "foam": {"model": "stable_neo_hookean", "young": 2e4, "poisson": 0.3, "density": 300}},
        "bodies": [
            {"name": "lower", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [4, 4, 4]}}, "material": "rubber",
             "transform": {"translate": [0, 0.052, 0]}, "velocity": [0.2, -1, 0]},
            {"name": "upper", "mesh": {"box": {"size": [0.06, 0.06, 0.06], "cells": [3, 3, 3]}}, "material": "foam",
             "transform": {"translate": [0, 0.14, 0.01]}, "velocity": [0, -1.5, 0]}],
        "obstacles": [
            {"name": "ground", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}},
            {"name": "wall", "mesh": {"box": {"size": [0.02, 0.1, 0.2], "cells": [1, 1, 1]}},
             "transform": {"translate": [0.2, 0.06, 0]},
             "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [-0.1, 0, 0]]}}}],
        "contact": {"distance": 1e-3, "friction": 0.3},
        "output": {"formats": ["vtu", "html"]},
    }
    result.update(changes)
    return result


def command(folder, content, *options):
    path = folder.parent / f"{folder.name}.json"
    path.write_text(json.dumps(content))
    return [SINEW, "run", str(path), "-o", str(folder), *options]


def run(folder, content, *options):
    """Runs a scene to its end; returns what it wrote to stderr."""
    done = subprocess.run(command(folder, content, *options), capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"sinew ended with {done.returncode}: {done.stderr}")
    return done.stderr


def run_and_kill(folder, content, ready):
    """Starts a scene and kills it when ready(folder) holds."""
    process = subprocess.Popen(command(folder, content), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(3000):
            if ready(folder):
                break
            if process.poll() is not None:
                raise AssertionError("the run ended before it could be killed")
            time.sleep(0.02)
        else:
            raise AssertionError("the run did not come far enough in a minute")
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def rows(folder):
    """The whole rows of steps.jsonl."""
    lines = (folder / "steps.jsonl").read_text().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]
