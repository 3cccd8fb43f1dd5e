#!/usr/bin/python3
"""`sinew live` of two bodies whose materials are curves, while a viewer pulls at them and draws their curves anew.

Edits are of all kinds: points that rise, points that fall, many of them, curves added and taken away, mended and not, and
ones that make no sense, which have to be refused. Methods change too. Fails on a number that is not finite in a frame or a
row, on an edit without an answer, on nonsense that was followed, on a server that ends or stands still.

Usage: curves_soak.py [--seconds N] [--seed N] [--sinew FILE] [--methods newton,mixed,reduced]
"""

import argparse
import json
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from live_soak import BINARY, Gone, ROOT, Soak, Viewer  # noqa: E402

MODULUS = 2e5  # Pa: the slope of curve a at rest that edits are about


def scene():
    drawn = lambda stiffness: {
        "model": "spline", "density": 1000,
        "a": {"x": [0.3, 0.7, 1, 1.5, 3], "dy": [k * stiffness for k in (-1.5, -0.4, 0, 0.4, 1.5)]},
        "c": {"x": [0.4, 1, 2], "dy": [-stiffness, 0, stiffness]}}
    block = lambda name, place: {"name": name, "mesh": {"box": {"size": [0.2, 0.1, 0.1], "cells": [6, 3, 3]}},
                                 "material": name, "transform": {"translate": place}}
    return {"name": "curves", "time": {"step": 0.01, "steps": 10}, "materials": {"upper": drawn(MODULUS), "lower": drawn(MODULUS)},
            "bodies": [block("upper", [0.03, 0.2, 0]), block("lower", [0, 0.06, 0])],
            "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
            "contact": {"friction": 0.3}, "solver": {"method": "newton", "handles": 4, "cubature": 60}}


class Drawer(Viewer):
    """Keeps what it is told of the curves, and the answers to its edits."""

    def __init__(self, soak, rng):
        self.curves, self.answers, self.problems = {}, 0, []
        super().__init__(soak, rng)

    def take(self, opcode, data):
        super().take(opcode, data)
        if opcode != 1:
            return
        message = json.loads(data)
        if message["type"] == "curves":
            self.curves.update(message["materials"])
            self.answers += 1
        elif message["type"] == "error" and "material" in message:  # others are of methods, or of steps
            self.problems.append(message)


def rising(rng):
    """A curve that a solid may have: rising through zero at rest."""
    slope = MODULUS * 10**rng.uniform(-0.7, 0.7)
    x = sorted({round(rng.uniform(0.15, 0.95), 4) for _ in range(rng.randint(1, 12))}) + [1.0] + \
        sorted({round(rng.uniform(1.05, 5), 4) for _ in range(rng.randint(1, 12))})
    rest = x.index(1.0)
    dy = [0.0] * len(x)
    for k in range(rest + 1, len(x)):
        dy[k] = dy[k - 1] + slope * (x[k] - x[k - 1]) * 10**rng.uniform(-0.5, 0.5)
    for k in range(rest - 1, -1, -1):
        dy[k] = dy[k + 1] - slope * (x[k + 1] - x[k]) * 10**rng.uniform(-0.5, 0.5)
    return {"x": x, "dy": dy}


def nonsense(rng):
    return rng.choice((
        {"a": {"x": [0.5, 2, 1], "dy": [-1e5, 0, 1e5]}},
        {"a": {"x": [0.5, 1, 2], "dy": [-1e5, 0]}},
        {"a": {"x": [0.5, 1, 2], "dy": [1e5, 0, -1e5]}},
        {"a": {"x": [1.5, 2, 3], "dy": [0, 1e5, 2e5]}},
        {"a": {"x": [0, 1, 2], "dy": [-1e5, 0, 1e5]}},
        {"a": {"x": [0.5, 1, 2], "dy": [-1e5, 0, 1e21]}},
        {"a": {"x": [0.5, 1, 2], "dy": [-1e5, 0, "steel"]}},
        {"a": None}, {"d": rising(rng)}, {"a": 3}, {"a": {"x": [], "dy": []}}))


def edit(rng, curves):
    """(message, whether it must be refused; None: as the engine finds)."""
    material = rng.choice(sorted(curves))
    table, rest, wrong = {}, "exact", False
    kind = rng.random()
    if kind < 0.15:
        table, wrong = nonsense(rng), True
    elif kind < 0.65:
        table, rest = {"a": rising(rng)}, "mend"  # others may have shifted c
    elif kind < 0.8:  # what a hand does: a point that moves, whatever that means for the solid
        a = next(c for c in curves[material]["curves"] if c["name"] == "a")
        x, dy = list(a["x"]["values"]), list(a["dy"]["values"])
        k = rng.randrange(len(x))
        dy[k] += rng.uniform(-1, 1) * 0.2 * (max(dy) - min(dy))
        table, rest, wrong = {"a": {"x": x, "dy": dy}}, rng.choice(("exact", "mend")), None
    elif kind < 0.9:
        stiff = MODULUS * 10**rng.uniform(-1, 1)
        table = {"c": {"x": [0.3, 1, 3], "dy": [-stiff, 0, 1.5 * stiff]}}
        rest = "mend"
    else:
        table = {"b": rng.choice((None, {"x": [0.5, 1, 2], "dy": [-1e3, 0, 1e3]}))}
        rest, wrong = "mend", None
    return {"type": "curves", "material": material, "curves": table, "rest": rest}, wrong


def pull(rng, soak):
    body = rng.randrange(soak.bodies)
    return {"type": "pull", "id": rng.randrange(3), "object": body, "vertex": rng.randrange(soak.objects[body]),
            "target": [rng.uniform(-0.3, 0.3), rng.uniform(0.02, 0.5), rng.uniform(-0.2, 0.2)]}


def draw(soak, rng, arguments):
    viewer = Drawer(soak, rng)
    while viewer.one(5) is not None and not (viewer.curves and viewer.state):
        pass
    soak.start = viewer.state
    asked, last_told, begin = 0.0, time.monotonic(), time.monotonic()
    while soak.running():
        message, wrong = edit(rng, viewer.curves)
        answers, problems = viewer.answers, len(viewer.problems)
        viewer.send(message)
        sent = time.monotonic()
        while viewer.answers == answers and len(viewer.problems) == problems:
            if viewer.one(0.2) == BINARY:
                viewer.seen()
            if time.monotonic() - sent > arguments.stall:
                soak.fault(f"no answer for {arguments.stall} s to {json.dumps(message)[:300]}", "answers")
                break
        refused = len(viewer.problems) > problems
        soak.count("edits refused" if refused else "edits followed")
        if wrong is not None and refused != wrong:
            told = viewer.problems[-1]["message"] if refused else "nothing"
            soak.fault(f"{json.dumps(message)[:300]}: {told}", "refusals")
        if rng.random() < 0.5:
            viewer.send(pull(rng, soak))
            soak.count("pulls")
        elif rng.random() < 0.4:
            viewer.send({"type": "release", "id": rng.randrange(3)})
        if rng.random() < 0.01:
            viewer.send({"type": "method", "name": rng.choice(arguments.methods)})
        pause = time.monotonic() + rng.expovariate(10)
        while time.monotonic() < pause:
            if viewer.one(0.02) == BINARY:
                viewer.seen()
        # A step that cannot be computed pauses the simulation: on from there, or from the start.
        if viewer.state["paused"] and time.monotonic() - asked > 0.5:
            asked = time.monotonic()
            soak.count("steps that failed")
            for number in range(3):
                viewer.send({"type": "release", "id": number})
            for material in viewer.curves:
                viewer.send({"type": "curves", "material": material, "curves": {"a": rising(rng), "b": None}, "rest": "mend"})
            viewer.send({"type": "reset"})
            viewer.send({"type": "pause", "on": False})
        if time.monotonic() - viewer.last_frame > arguments.stall:
            soak.fault(f"no frame for {arguments.stall} s after step {viewer.step}", "frames")
            viewer.last_frame = time.monotonic()
        if time.monotonic() - last_told > 30:
            last_told = time.monotonic()
            print(f"{last_told - begin:5.0f} s: step {viewer.step}, {soak.counts}", flush=True)
    soak.count("frames", viewer.frames)
    viewer.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sinew", default=ROOT / "build/release/bin/sinew")
    parser.add_argument("--methods", type=lambda text: text.split(","), default=("newton", "mixed", "reduced"))
    parser.add_argument("--stall", type=float, default=10, help="seconds without a frame or an answer, at most")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "curves.json"
        path.write_text(json.dumps(scene()))
        errors = open(pathlib.Path(folder) / "stderr.txt", "w+")
        process = subprocess.Popen([arguments.sinew, "live", path, "-o", pathlib.Path(folder) / "live"],
                                   stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            found = re.search(r"http://[^:]+:(\d+)", process.stdout.readline())
            if not found:
                errors.seek(0)
                sys.exit(f"the server did not start: {errors.read()}")
            soak = Soak(int(found[1]), arguments.seconds, arguments.seed, arguments.methods)
            try:
                draw(soak, random.Random(arguments.seed), arguments)
            except Gone:
                soak.fault("the viewer was cut off")
            if process.poll() is not None:
                soak.fault(f"the server has ended with {process.returncode}")
            else:
                process.send_signal(signal.SIGINT)
                if process.wait(20) != 0:
                    soak.fault(f"the server ended with {process.returncode} after Ctrl-C")
            errors.seek(0)
            text = errors.read()
            if re.search(r"Sanitizer|runtime error|Assertion|terminate called", text):
                soak.fault("the server reported\n" + text[:8000])
            print(f"{arguments.seconds:g} s, seed {arguments.seed}: " +
                  ", ".join(f"{number} {what}" for what, number in sorted(soak.counts.items())))
            print("faults: " + ", ".join(f"{kind} ({number} times)" for kind, number in soak.faults.items())
                  if soak.faults else "no fault")
            return 1 if soak.faults else 0
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            process.stdout.close()
            errors.close()


if __name__ == "__main__":
    sys.exit(main())
