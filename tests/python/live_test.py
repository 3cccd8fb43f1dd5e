"""Changes between steps, and live views of a simulation that a script steps."""

import base64
import json
import os
import pathlib
import socket
import struct
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

import numpy as np
import sinew


def bar(**solver):
    return {
        "materials": {"rubber": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000}},
        "bodies": [{"mesh": {"box": {"size": [1, 0.2, 0.2], "cells": [8, 2, 2]}}, "material": "rubber",
                    "fix": [{"halfspace": {"point": [-0.49, 0, 0], "normal": [-1, 0, 0]}}],
                    "loads": [{"halfspace": {"point": [0.49, 0, 0], "normal": [1, 0, 0]}, "force": [0, 0, 1]}],
                    "springs": [{"halfspace": {"point": [0.49, 0, 0], "normal": [1, 0, 0]}, "to": [0.6, 0, 0],
                                 "stiffness": 1}]}],
        "solver": solver,
    }


class Viewer:
    """A WebSocket of few lines: texts and frames as they come."""

    def __init__(self, url):
        host, port = url.split("/")[2].split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=10)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET /live/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
                            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.read(1)
        assert b" 101 " in head, head

    def read(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def receive(self):
        first, size = self.read(2)
        if size & 127 == 126:
            size, = struct.unpack(">H", self.read(2))
        elif size & 127 == 127:
            size, = struct.unpack(">Q", self.read(8))
        data = self.read(size)
        return json.loads(data) if first & 15 == 1 else data

    def send(self, message):
        data = json.dumps(message).encode()
        size = bytes([128 | len(data)]) if len(data) < 126 else bytes([254]) + struct.pack(">H", len(data))
        mask = os.urandom(4)
        self.socket.sendall(b"\x81" + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def until(self, holds):
        while True:
            message = self.receive()
            if holds(message):
                return message


class Changes(unittest.TestCase):
    def test_what_is_set_acts_from_the_next_step_on(self):
        for method in ("newton", "mixed"):
            sim = sinew.Simulation(bar(method=method))
            sim.set_gravity([0, 0, 0])
            sim.set_load(0, [0, 0, 0])
            sim.set_spring(0, [0.5, 0, 0], 0)
            for k in range(9):
                sim.set_spring(k, [0.5, 0, 0], 0)
            sim.step()
            self.assertLess(abs(sim.velocities).max(), 1e-8)
            sim.set_gravity(np.array([1, 2, -3]))
            sim.set_time_step(0.002)
            before = sim.time
            sim.step()
            self.assertAlmostEqual(sim.time, before + 0.002)
            np.testing.assert_allclose(sim.velocities[-1] / 0.002, [1, 2, -3], rtol=0.5)
            sim.pull(40, [0, 1, 0], 100)
            self.assertAlmostEqual(sim.energies()["springs"],
                                   50 * ((sim.positions[40] - [0, 1, 0]) ** 2).sum(), delta=1e-6)
            sim.pull(12, [0, 1, 0])
            sim.release(40)
            sim.release()
            self.assertEqual(sim.energies()["springs"], 0)
            elastic = sim.energies()["elastic"]
            sim.set_material("rubber", young=2e5)
            if method == "newton":
                self.assertAlmostEqual(sim.energies()["elastic"] / elastic, 2, delta=1e-6)
            sim.unfix(range(len(sim.positions)))
            for _ in range(5):
                sim.step()
            self.assertGreater(abs(sim.positions[0] - [-0.5, -0.1, -0.1]).max(), 1e-4)

    def test_curves(self):
        a, soft = {"x": [0.5, 1, 2], "dy": [-2e5, 0, 2e5]}, {"x": np.array([0.5, 1, 2]), "dy": [-1e5, 0, 1e5]}
        sim = sinew.Simulation(bar(method="newton") | {"materials": {"rubber": {"model": "spline", "a": a}}})
        for _ in range(3):
            sim.step()
        before = sim.energies()["elastic"]
        sim.set_material("rubber", a=soft)
        self.assertAlmostEqual(sim.energies()["elastic"] / before, 0.5, delta=1e-9)
        with tempfile.TemporaryDirectory() as folder:
            sim.save(pathlib.Path(folder) / "state.h5")
            loaded = sinew.Simulation.load(pathlib.Path(folder) / "state.h5")
        sim.step(), loaded.step()
        np.testing.assert_array_equal(sim.positions, loaded.positions)
        # A curve that is no part of the energy comes and goes.
        sim.set_material("rubber", b={"x": [0.5, 1, 2], "dy": [0, 0, 0]})
        sim.set_material("rubber", b=None)
        energy = sim.energies()["elastic"]
        for curves, message in (
                ({"a": {"x": [1, 2], "dy": [1, 2]}}, "\"rest\": \"mend\""),
                ({"a": {"x": [1, 2]}}, "expected {\"x\""),
                ({"young": {"x": [1, 2], "dy": [0, 2]}}, "materials.rubber.young: model spline has no such key"),
                ({"a": a, "rest": "well"}, "\"exact\" or \"mend\"")):
            with self.assertRaises(sinew.InputError) as error:
                sim.set_material("rubber", **curves)
            self.assertIn(message, str(error.exception))
        with self.assertRaises(sinew.InputError):
            sinew.Simulation(bar(method="newton")).set_material("rubber", a=a)
        self.assertEqual(sim.energies()["elastic"], energy)

    def test_fix(self):
        sim = sinew.Simulation(bar(method="newton"))
        sim.step()
        end = np.flatnonzero(sim.positions[:, 0] > 0.49)
        sim.fix(end)
        held = sim.positions[end]
        sim.set_gravity([0, 0, 5])
        for _ in range(3):
            self.assertTrue(sim.step()["converged"])
        np.testing.assert_allclose(sim.positions[end], held, atol=1e-12)
        sim.unfix(end)
        sim.step()
        self.assertGreater(abs(sim.positions[end] - held).max(), 1e-5)
        reduced = sinew.Simulation(bar(method="reduced"))
        with self.assertRaisesRegex(sinew.InputError, "pull it instead"):
            reduced.fix(end)
        self.assertTrue(reduced.step()["converged"])

    def test_methods_and_budgets(self):
        sim = sinew.Simulation(bar(method="newton"))
        for _ in range(3):
            sim.step()
        moved, _ = sim.set_method("reduced")
        self.assertLess(moved, 0.05)
        sim.set_iterations(1)
        row = sim.step()
        self.assertEqual((row["outcome"], row["converged"]), ("budget", False))
        self.assertEqual(sim.set_method("newton"), (0, 0))
        with self.assertRaisesRegex(sinew.InputError, "not a method"):
            sim.set_method("magic")
        sim.step()

    def test_bad_values_change_nothing(self):
        sim = sinew.Simulation(bar(method="newton"))
        cases = ((sim.set_gravity, ([0, np.nan, 0],)), (sim.set_gravity, ([0, 1],)), (sim.set_time_step, (0,)),
                 (sim.set_material, ("steel",)), (sim.pull, (-1, [0, 0, 0])), (sim.pull, (10**6, [0, 0, 0])),
                 (sim.pull, (3, [0, 0, 0], -1)), (sim.set_load, (3,)), (sim.set_spring, (99, [0, 0, 0], 1)),
                 (sim.unfix, ([10**6],)), (sim.fix, ([-1],)))
        for call, arguments in cases:
            if arguments == ("steel",):
                with self.assertRaisesRegex(sinew.InputError, "materials.rubber.young"):
                    call("steel", young=1)
                continue
            with self.assertRaises(sinew.InputError):
                call(*arguments)
        with self.assertRaises(sinew.InputError):
            sim.set_material("rubber", young=2e5, poisson=0.7)
        other = sinew.Simulation(bar(method="newton"))
        sim.step(), other.step()
        np.testing.assert_array_equal(sim.positions, other.positions)

    def test_checkpoints_know_what_was_set(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "state.h5"
            sim = sinew.Simulation(bar(method="newton"))
            sim.set_material("rubber", young=3e5)
            sim.set_gravity([0, -1, 0])
            sim.step()
            sim.save(path)
            sim.step()
            loaded = sinew.Simulation.load(path)
            loaded.step()
            np.testing.assert_array_equal(loaded.positions, sim.positions)


class LiveViews(unittest.TestCase):
    def test_viewers_see_and_pull(self):
        sim = sinew.Simulation(bar(method="mixed", handles=4, cubature=60, iterations=2))
        heard = []
        with sinew.live(sim) as view:
            view.on_event = heard.append
            self.assertIn(view.url, view._repr_html_())
            with urllib.request.urlopen(view.url) as page:
                self.assertIn(b'"kind":"live"', page.read())
            viewer = Viewer(view.url)
            stepped = threading.Thread(target=lambda: [(sim.step(), time.sleep(0.01)) for _ in range(60)])
            stepped.start()
            self.assertEqual(viewer.until(lambda m: isinstance(m, dict))["type"], "hello")
            frame = viewer.until(lambda m: isinstance(m, bytes))
            self.assertLess(len(frame), 4096)
            viewer.send({"type": "pull", "id": 1, "object": 0, "vertex": 5, "target": [0, 1, 0]})
            viewer.send({"type": "set", "key": "gravity", "value": [0, 0, 0]})
            state = viewer.until(lambda m: isinstance(m, dict) and m["type"] == "state"
                                 and m["settings"]["gravity"]["value"] == [0, 0, 0])
            self.assertEqual(state["viewers"], 1)
            stepped.join()
            self.assertEqual([event["type"] for event in heard][:2], ["pull", "set"])
            self.assertGreater(sim.energies()["springs"], 0)
            viewer.send({"type": "pause", "on": True})
            while not view.paused:
                view.update()
            before = sim.time
            view.run(0.1)
            self.assertEqual(sim.time, before)
            view.paused = False
            view.run(0.1)
            self.assertGreater(sim.time, before)
            row = view.step()
            self.assertIn("newton_iterations", row)
            with self.assertRaisesRegex(sinew.InputError, "already"):
                sinew.live(sim)
            viewer.socket.close()
        with self.assertRaises(urllib.error.URLError):
            urllib.request.urlopen(view.url, timeout=2)
        with self.assertRaisesRegex(sinew.InputError, "closed"):
            view.step()
        sim.step()

    def test_viewers_draw_curves(self):
        a, soft = {"x": [0.5, 1, 2], "dy": [-2e5, 0, 2e5]}, {"x": [0.5, 1, 2], "dy": [-1e5, 0, 1e5]}
        sim = sinew.Simulation(bar(method="newton") | {"materials": {"rubber": {"model": "spline", "a": a}}})
        for _ in range(3):
            sim.step()
        before, heard = sim.energies()["elastic"], []
        with sinew.live(sim) as view:
            view.on_event = heard.append
            viewer = Viewer(view.url)
            view.run(0.0)
            curves = lambda m: isinstance(m, dict) and m["type"] == "curves"
            viewer.send({"type": "curves", "material": "rubber", "curves": {"a": {**soft, "dy": [-1e5, 7, 1e5]}}})
            viewer.send({"type": "curves", "material": "rubber", "curves": {"a": soft}})
            while not heard:
                view.update()
            self.assertAlmostEqual(sim.energies()["elastic"] / before, 0.5, delta=1e-9)
            self.assertEqual(viewer.until(curves)["materials"]["rubber"]["model"], "spline")
            viewer.socket.close()
        self.assertEqual([(event["type"], event["material"]) for event in heard], [("curves", "rubber")])
        self.assertEqual(heard[0]["curves"]["a"]["dy"], soft["dy"])

    def test_bad_arguments(self):
        sim = sinew.Simulation(bar(method="newton"))
        with self.assertRaises(TypeError):
            sinew.live("sim")
        with self.assertRaisesRegex(sinew.InputError, "token"):
            sinew.live(sim, address="0.0.0.0")
        with sinew.live(sim) as view:
            port = int(view.url.split(":")[2].strip("/"))
            other = sinew.Simulation(bar(method="newton"))
            with self.assertRaisesRegex(sinew.InputError, str(port)):
                sinew.live(other, port)


if __name__ == "__main__":
    unittest.main()
