"""What viewers and recordings know of control by a script: obstacles that are moved later, changed parts, replays."""

import base64
import json
import pathlib
import select
import struct
import subprocess
import tempfile
import unittest
import urllib.request
import zlib

import numpy as np
import sinew
from live_test import Viewer

SINEW = pathlib.Path(sinew.__file__).resolve().parents[2] / "bin/sinew"


def scene(method="newton"):
    """A muscle on a fix and a tendon over a block that a later target may move."""
    solver = {"method": method, **({"handles": 4, "cubature": 100} if method in ("mixed", "reduced") else {})}
    return {
        "name": "grip", "time": {"step": 0.01}, "gravity": [0, 0, 0], "solver": solver,
        "materials": {"flesh": {"model": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000,
                                "fiber": {"stiffness": 1e4, "direction": [1, 0, 0], "tension": 2e4}}},
        "bodies": [{"name": "arm", "mesh": {"box": {"size": [0.2, 0.04, 0.04], "cells": [6, 2, 2]}}, "material": "flesh",
                    "fix": [{"name": "root", "halfspace": {"point": [-0.099, 0, 0], "normal": [-1, 0, 0]}}],
                    "loads": [{"name": "gas", "halfspace": {"point": [0.099, 0, 0], "normal": [1, 0, 0]},
                               "pressure": 10}],
                    "springs": [{"name": "tendon", "halfspace": {"point": [0.099, 0, 0], "normal": [1, 0, 0]},
                                 "to": [0.2, 0.1, 0], "stiffness": 1, "length": 0.05}]}],
        "obstacles": [{"name": "pad", "mesh": {"box": {"size": [0.02, 0.02, 0.02], "cells": [1, 1, 1]}},
                       "transform": {"translate": [0, -0.1, 0]}},
                      {"name": "still", "mesh": {"box": {"size": [0.02, 0.02, 0.02], "cells": [1, 1, 1]}},
                       "transform": {"translate": [0.1, -0.1, 0]}}],
        "contact": {"friction": {"default": 0.2, "pairs": [["flesh", "pad", 0.5]]}},
    }  # yapf: disable


def blob(path):
    """Headers and data of a file of a report."""
    text = path.read_text()
    pieces = json.loads(text[text.index(",") + 1:text.rindex(")")])
    return [(pieces[k], zlib.decompress(base64.b64decode(pieces[k + 1]))) for k in range(0, len(pieces), 2)]


def report_positions(header, frame, data):
    """Positions of each object of a frame, None where the frame has none."""
    at = 48 * len(header["planes"])
    sent = [k for k, o in enumerate(header["objects"]) if o["moves"] or k in frame.get("moved", [])]
    boxes = [struct.unpack_from("<6d", data, at + 48 * i) for i in range(len(sent))]
    at += 48 * len(sent) + 16 * len(header["fields"]) * sum(o["kind"] == "body" for o in header["objects"])
    total = (len(data) - at) // 2
    low, high = data[at:at + total], data[at + total:at + 2 * total]
    differences = np.frombuffer(low, np.uint8).astype(np.int64) + 256 * np.frombuffer(high, np.uint8).astype(np.int64)
    result, next_ = [None] * len(header["objects"]), 0
    for k, box in zip(sent, boxes):
        count, points = header["objects"][k]["vertices"], []
        for axis in range(3):
            levels = np.cumsum(differences[next_:next_ + count]) % 65536
            next_ += count
            points.append(box[axis] + (box[3 + axis] - box[axis]) * levels / 65535)
        result[k] = np.array(points).T
    return result


def live_positions(header, data):
    """As report_positions(), of a frame that the live page gets."""
    kind, = struct.unpack_from("<I", data, 4)
    planes, pulls, _, rows = struct.unpack_from("<4I", data, 24)
    up = lambda n: -(-n // 8) * 8  # noqa: E731
    at = up(up(40 + 48 * planes + 28 * pulls) + 12 * rows)
    moved = []
    if kind & 2:
        count, = struct.unpack_from("<I", data, at)
        moved = struct.unpack_from(f"<{count}I", data, at + 4)
        at += 4 + 4 * count
    result = []
    for k, o in enumerate(header["objects"]):
        if not (k in moved or (o["moves"] and not (kind & 1 and o["kind"] == "body"))):
            result.append(None)
            continue
        at = up(at)
        low, high = np.array(struct.unpack_from("<6d", data, at)).reshape(2, 3)
        levels = np.frombuffer(data, np.uint16, 3 * o["vertices"], at + 48).reshape(3, -1).T
        result.append(low + (high - low) * levels / 65535)
        at += 48 + 6 * o["vertices"]
    return result


def turned(angle, shift):
    matrix = np.eye(4)
    matrix[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    matrix[:3, 3] = shift
    return matrix


class Recordings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sinew-live-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def next(self, view, viewer):
        """The next message, of a view that is kept going."""
        while True:
            view.update()
            if select.select([viewer.socket], [], [], 0.02)[0]:
                return viewer.receive()

    def settle(self, view, viewer, message, done):
        """Sends a message and returns the state for which done() holds."""
        viewer.send(message)
        while True:
            state = self.next(view, viewer)
            if isinstance(state, dict) and state["type"] == "state" and done(state):
                return state

    def frame_of(self, view, viewer, step):
        """Tells that frames are drawn, as a page does, until the one of a step."""
        while True:
            frame = self.next(view, viewer)
            if not isinstance(frame, bytes):
                continue
            number, at = struct.unpack_from("<2I", frame, 8)
            viewer.send({"type": "seen", "frame": number})
            if at == step:
                return frame

    def close_to(self, shown, wanted):
        """Vertices of surfaces come in any order."""
        order = lambda x: x[np.lexsort(np.round(x, 6).T)]  # noqa: E731
        self.assertEqual(len(shown), len(wanted))
        self.assertLess(abs(order(shown) - order(wanted)).max(), 2e-5 * 0.2)

    def test_obstacles_that_targets_move_later(self):
        for method in ("newton", "reduced"):
            sim = sinew.Simulation(scene(method))
            rest = sim.obstacles["pad"].positions
            with sinew.live(sim, output=self.root / method) as view:
                viewer = Viewer(view.url)
                self.settle(view, viewer, {"type": "record", "on": True}, lambda s: s["recording"])
                places = [rest]
                for k in range(4):
                    if k == 1:
                        sim.set_obstacle_pose("pad", turned(0.3, [0, 0.01, 0]))
                    if k == 2:
                        sim.set_obstacle_vertices("pad", rest * [1.5, 1, 1])
                    if k == 3:
                        sim.set_obstacle_pose("pad", np.eye(4))
                    sim.step()
                    places.append(sim.obstacles["pad"].positions)
                    if k == 2:
                        header = json.loads(
                            urllib.request.urlopen(view.url + "live/mesh").read())[0]
                        frame = self.frame_of(view, viewer, 3)
                        shown = live_positions(header, frame)
                        self.close_to(shown[1], places[3])
                        self.assertIsNone(shown[2])
                self.settle(view, viewer, {"type": "record", "on": False}, lambda s: not s["recording"])
                viewer.socket.close()
            folder = self.root / f"{method}_1/report"
            (mesh, _), = blob(folder / "mesh.js")
            frames = blob(folder / "frames_000000.js")
            self.assertEqual([f["step"] for f, _ in frames], [0, 1, 2, 3, 4])
            self.assertEqual([f.get("moved", []) for f, _ in frames], [[], [], [1], [1], []])
            for k in (2, 3):
                self.close_to(report_positions(mesh, *frames[k])[1], places[k])
            names = sorted(p.name for p in folder.parent.glob("frames/grip_obstacles_*.vtu"))
            self.assertEqual(names, [f"grip_obstacles_{k:06}.vtu" for k in (0, 2, 3, 4)])

    def test_the_page_and_replays_follow_scripts(self):
        for method in ("newton", "reduced"):
            with self.subTest(method):
                self.follow(method)

    def follow(self, method):
        content = scene(method)
        sim = sinew.Simulation(content)
        own = {"springs.arm.tendon.length": 0.05, "springs.arm.tendon.stiffness": 1, "loads.arm.gas.pressure": 10,
               "materials.flesh.fiber.activation": 0, "contact.friction.flesh.pad": 0.5}  # yapf: disable
        shown = lambda s: {key: s["settings"][key]["value"] for key in own}  # noqa: E731
        with sinew.live(sim, output=self.root / method) as view:
            viewer, second = Viewer(view.url), Viewer(view.url)
            state = self.settle(view, viewer, {"type": "record", "on": True}, lambda s: s["recording"])
            self.assertEqual(shown(state), own)
            sim.step()
            sim.set_gravity([0, -1, 0])
            sim.pull(0, [0, 0.1, 0])
            sim.set_spring_length("arm", "tendon", 0.02)
            sim.set_spring_stiffness("arm", "tendon", 20)
            sim.set_pressure("arm", "gas", 50)
            sim.set_activation("flesh", 0.5)
            sim.set_pair_friction("pad", "flesh", 0.7)
            sim.set_material("flesh", young=2e5)
            view.update()
            changed = {**dict(zip(own, (0.02, 20, 50, 0.5, 0.7)))}
            self.settle(view, viewer, {"type": "step"}, lambda s: shown(s) == changed)
            # A second client changes what Python has.
            self.settle(view, second, {"type": "set", "key": "springs.arm.tendon.length", "value": 0.03},
                        lambda s: s["settings"]["springs.arm.tendon.length"]["value"] == 0.03)
            sim.step()
            second.send({"type": "set", "key": "springs.arm.tendon.length", "value": "long"})
            sim.fixes["root"].set_target(velocity=[0.01, 0, 0])
            sim.obstacles["pad"].set_pose(turned(0.3, [0, 0.02, 0]))
            sim.add_force([3], [0, 0.01, 0])
            sim.step()
            sim.release()
            sim.unfix(sim.fixes["root"].vertices)
            sim.step(2)
            places, velocities = sim.positions, sim.velocities
            self.settle(view, viewer, {"type": "record", "on": False}, lambda s: not s["recording"])
            viewer.socket.close()
            second.socket.close()
        script = self.root / f"{method}_1/script.json"
        (self.root / "scene.json").write_text(json.dumps(content))
        run = [SINEW, "run", self.root / "scene.json", "--script", script, "-o", self.root / f"{method}_again"]
        subprocess.run(run, check=True, capture_output=True)
        again = sinew.Simulation.load(self.root / f"{method}_again/checkpoint.h5")
        np.testing.assert_array_equal(again.positions, places)
        np.testing.assert_array_equal(again.velocities, velocities)
        # What does not fit the scene is refused by its name.
        text = json.loads(script.read_text())
        edit = next(e for e in text["events"] if e["type"] == "edit")
        edit["edit"]["springs/places"] = {"integers": [99]}
        edit["edit"]["springs/values"] = {"numbers": [0, 0, 0, 1]}
        script.write_text(json.dumps(text))
        failed = subprocess.run(run + ["--overwrite"], capture_output=True, text=True)
        self.assertIn("springs/places", failed.stderr)

    def test_a_state_set_by_a_script(self):
        content = scene()
        sim = sinew.Simulation(content)
        with sinew.live(sim, output=self.root / "set") as view:
            viewer = Viewer(view.url)
            self.settle(view, viewer, {"type": "record", "on": True}, lambda s: s["recording"])
            start = sim.state()
            sim.step(2)
            with self.assertWarnsRegex(sinew.Warning, "the script has set the state during the recording"):
                sim.set_state(start)
            sim.step()
            while True:
                message = self.next(view, viewer)
                if isinstance(message, dict) and message["type"] == "error":
                    break
            self.assertIn("--script", message["message"])
            self.settle(view, viewer, {"type": "record", "on": False}, lambda s: not s["recording"])
            viewer.socket.close()
        (self.root / "scene.json").write_text(json.dumps(content))
        run = [SINEW, "run", self.root / "scene.json", "--script", self.root / "set_1/script.json"]
        failed = subprocess.run(run + ["-o", self.root / "again"], capture_output=True, text=True)
        self.assertIn("which a replay cannot do; end it before, with --steps 2", failed.stderr)
        done = subprocess.run(run + ["-o", self.root / "two", "--steps", "2"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
