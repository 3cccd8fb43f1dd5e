"""Serves the page of a live simulation without one: the mesh of a report, and motion that it makes up.

Usage: live_mock.py REPORT_FOLDER [--port N] [--kind 0|1] [--rate FRAMES_A_SECOND]

It speaks docs/reference/live_protocol.md with the standard library alone. Tests start it in a thread (Mock), read what the page has sent
(Mock.received), and tell it what to answer.
"""

import argparse
import base64
import copy
import hashlib
import http.server
import json
import math
import pathlib
import struct
import threading
import time
import urllib.parse
import zlib
from array import array

PAGE = pathlib.Path(__file__).resolve().parents[2] / "web/dist/report.html"
HANDLES = 16


def page():
    """The built page as one of kind "live" (src/sinew/io/page_file.cpp)."""
    settings = '<script type="application/json" id="sinew-page">{"kind":"live","embedded":false}</script>\n'
    return PAGE.read_text().replace("<!--sinew-data-->", settings, 1).encode()


def read_mesh(folder):
    """The piece "mesh" of a report as text, its header, and the rest positions of each object."""
    text = (folder / "mesh.js").read_text()
    text = text[text.index(",") + 1:text.rindex(")")]
    header, data = json.loads(text)
    data = data.split(".")[0]  # servers send surfaces only
    for o in header["objects"]:
        o.pop("inside", None)
    text = json.dumps([header, data], separators=(",", ":"))
    data = zlib.decompress(base64.b64decode(data))
    objects = header["objects"]
    boxes = [struct.unpack_from("<6d", data, 48 * k) for k in range(len(objects))]
    total = 3 * sum(o["vertices"] for o in objects)
    at = 48 * len(objects)
    low, high = data[at:at + total], data[at + total:at + 2 * total]
    k, shapes = 0, []
    for o, box in zip(objects, boxes):
        axes = []
        for axis in range(3):
            value, values = 0, []
            for _ in range(o["vertices"]):
                value = (value + low[k] + (high[k] << 8)) & 0xFFFF
                values.append(box[axis] + (box[3 + axis] - box[axis]) * value / 65535)
                k += 1
            axes.append(values)
        shapes.append(list(zip(*axes)))
    return text, header, shapes


class Motion:
    """Smooth weights of some handles, and what moves them."""

    def __init__(self, header, shapes, axes):
        self.header, self.shapes, self.axes = header, shapes, axes
        bodies = [shape for o, shape in zip(header["objects"], shapes) if o["kind"] == "body"]
        self.rest = [point for shape in bodies for point in shape]
        corners = [[pick(p[a] for p in self.rest) for a in range(3)] for pick in (min, max)]
        self.size = math.dist(*corners)
        self.origin = [0.5 * (corners[0][a] + corners[1][a]) + 0.01 for a in range(3)]
        self.sets = [self.weight_set(0.25 * self.size / (1 + k), 31 * k) for k in range(max(axes) + 1)]

    def weight_set(self, radius, first):
        """Centres that lie far from each other, the radius of all, and weights of all vertices."""
        chosen = [self.rest[first]]
        distance = [math.inf] * len(self.rest)
        while len(chosen) < HANDLES:
            distance = [min(d, math.dist(p, chosen[-1])) for d, p in zip(distance, self.rest)]
            chosen.append(self.rest[distance.index(max(distance))])
        weights = array("f")
        for p in self.rest:
            values = [math.exp(-(math.dist(p, c) / radius)**2) for c in chosen]
            total = sum(values)
            weights.extend(v / total for v in values)
        return chosen, radius, weights

    def weight_bytes(self, number):
        parts = [struct.pack("<8I", 0x31574E53, number, *self.axes, len(self.sets), HANDLES, len(self.rest))]
        parts += [struct.pack("<4d", *c, radius) for centers, radius, _ in self.sets for c in centers]
        parts.append(struct.pack("<3d", *self.origin))
        parts.append(array("f", (c - o for p in self.rest for c, o in zip(p, self.origin))).tobytes())
        parts += [weights.tobytes() for _, _, weights in self.sets]
        return b"".join(parts)

    def coordinates(self, t):
        rows = array("f")
        for k in range(HANDLES):
            wave = [0.03 * self.size * math.sin(2 * t + k + a) for a in range(3)]
            turn = 0.12 * self.size * math.sin(1.5 * t + 0.3 * k)
            # Moved, turned about y, and stretched along it.
            rows.extend(wave)
            rows.extend((-0.2 * abs(turn), 0, turn))
            rows.extend((0, 0.3 * turn, 0))
            rows.extend((-turn, 0, -0.2 * abs(turn)))
        return rows

    def wave(self, shape, t):
        a, k = 0.06 * self.size, 6 / self.size
        return [(x + a * math.sin(3 * t + k * y), y + 0.5 * a * math.sin(2 * t + k * x), z) for x, y, z in shape]


def quantised(values):
    low, high = min(values), max(values)
    scale = 65535 / (high - low) if high > low else 0
    return low, high, array("H", (round((v - low) * scale) for v in values)).tobytes()


def padded(data):
    return data + bytes(-len(data) % 8)


class Mock:
    """The server in threads; its attributes may be changed as it goes."""

    def __init__(self, folder, port=0, kind=1, rate=30, token=None, axes=(0, 0, 0)):
        self.mesh_text, self.header, shapes = read_mesh(pathlib.Path(folder))
        self.motion = Motion(self.header, shapes, axes)
        self.kind, self.rate, self.token = kind, rate, token
        self.flood = False  # sends without waiting for what has been seen
        self.time_step, self.step_number = 0.01, 0
        self.lock = threading.RLock()
        self.received = []  # (client, message)
        self.sent_coordinates = {}  # by step
        self.viewers, self.clients = [], 0
        self.state = {"type": "state", "paused": False, "finished": False, "method": "reduced",
                      "methods": ["reduced", "mixed", "newton"], "recording": None, "viewers": 0, "loss": None,
                      "busy": None, "weights": 1 if kind == 1 else None, "settings": {
                          "gravity": {"value": [0, -9.81, 0], "unit": "m/s^2", "least": 0, "most": 30},
                          "time.step": {"value": 0.01, "unit": "s", "least": 1e-4, "most": 0.1, "log": True},
                          "solver.iterations": {"value": 5, "unit": "", "least": 1, "most": 50, "title": "iterations",
                                                "whole": True},
                          "materials.soft one.young": {"value": 1e5, "unit": "Pa", "least": 1e3, "most": 1e8,
                                                       "log": True, "title": "Young's modulus"},
                          "materials.soft one.poisson": {"value": 0.4, "unit": "", "least": 0, "most": 0.49}}}
        self.start = copy.deepcopy(self.state)
        self.refused, self.holds = set(), False  # keys that are refused; whether settings are not followed
        self.running = True
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), self.handler())
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/" + (f"?token={urllib.parse.quote(token)}" if token else "")
        for work in (self.server.serve_forever, self.simulate):
            threading.Thread(target=work, daemon=True).start()

    def renew(self):
        """All as at first, but for time."""
        with self.lock:
            self.refused, self.holds, self.kind = set(), False, 1
            for viewer in list(self.viewers):
                viewer.pulls.clear()
            self.change(**{**copy.deepcopy(self.start), "viewers": len(self.viewers)})

    def close(self):
        self.running = False
        self.drop()
        self.server.shutdown()
        self.server.server_close()

    def drop(self):
        """Ends all connections."""
        for viewer in list(self.viewers):
            viewer.end()

    def messages(self, kind):
        with self.lock:
            return [m for _, m in self.received if m["type"] == kind]

    def change(self, **state):
        with self.lock:
            self.state.update(state)
            for viewer in list(self.viewers):
                viewer.text(self.state)

    def tell(self, message):
        with self.lock:
            for viewer in list(self.viewers):
                viewer.text(message)

    # ---- what the simulation would do

    def set_kind(self, kind):
        with self.lock:
            self.kind = kind
            self.change(weights=None if kind == 0 else 1)

    def simulate(self):
        last = time.time()
        while self.running:
            time.sleep(1 / self.rate)
            with self.lock:
                if not self.state["paused"]:
                    self.advance()
                elif time.time() - last < 0.5:
                    continue  # frames of what stands still, now and then
                last = time.time()
                self.send_frames()

    def advance(self):
        self.step_number += 1
        n = self.step_number
        row = {"step": n, "time": n * self.time_step, "newton_iterations": 3 + n % 4, "linear_iterations": 20 + n % 7,
               "energies": {"kinetic": 1 + math.sin(n / 9), "elastic": 2 + math.cos(n / 9), "gravity": 5.0,
                            "springs": 0.0},
               "seconds": {"steps": 0.004 + 0.001 * math.sin(n / 5)}}
        for viewer in list(self.viewers):
            viewer.text({"type": "rows", "rate": self.rate + math.sin(n / 20), "rows": [row]})

    def send_frames(self):
        for viewer in list(self.viewers):
            if self.flood or viewer.on_the_way() < 2:
                viewer.frame(self)

    def frame_bytes(self, viewer):
        header, motion = self.header, self.motion
        t = self.step_number * self.time_step
        fields = [f["name"] for f in header["fields"]]
        field = fields.index(viewer.field) + 1 if viewer.field in fields else 0
        pulls = [(v.client, *p) for v in self.viewers for p in v.pulls.values()]
        rows = motion.coordinates(t) if self.kind == 1 else array("f")
        self.sent_coordinates[self.step_number] = list(rows)
        parts = [struct.pack("<4Id4I", 0x31464E53, self.kind, viewer.sent + 1, self.step_number, t,
                             len(header["planes"]), len(pulls), field, len(rows) // 3)]
        parts += [struct.pack("<6d", 0, 0, 0, 0, 1, 0) for _ in header["planes"]]
        parts.append(padded(b"".join(struct.pack("<4I3f", c, i, o, v, *target) for c, i, o, v, target in pulls)))
        parts.append(padded(rows.tobytes()))
        for o, shape in zip(header["objects"], motion.shapes):
            if not o["moves"] or (self.kind == 1 and o["kind"] == "body"):
                continue
            moved = motion.wave(shape, t) if o["kind"] == "body" else shape
            axes = [quantised(values) for values in zip(*moved)]
            box = struct.pack("<6d", *(a[0] for a in axes), *(a[1] for a in axes))
            parts.append(padded(box + b"".join(a[2] for a in axes)))
        for o, shape in zip(header["objects"], motion.shapes):
            if field and o["kind"] == "body":
                low, high, data = quantised([1000 * (1 + math.sin(9 * p[1] / motion.size + t)) for p in shape])
                parts.append(padded(struct.pack("<2d", low, high) + data))
        return b"".join(parts)

    def follow(self, viewer, message):
        with self.lock:
            self.received.append((viewer.client, message))
            kind = message["type"]
            if kind == "pull":
                viewer.pulls[message["id"]] = (message["id"], message["object"], message["vertex"], message["target"])
            elif kind == "release":
                viewer.pulls.pop(message["id"], None)
            elif kind == "pause":
                self.change(paused=message["on"])
            elif kind == "step":
                self.advance()
            elif kind == "reset":
                self.step_number = 0
                for each in self.viewers:
                    each.pulls.clear()
            elif kind == "set":
                settings = self.state["settings"]
                if message["key"] not in settings:
                    viewer.text({"type": "error", "message": f"no setting {message['key']}"})
                    return
                if self.holds:
                    return
                if message["key"] in self.refused:
                    viewer.text({"type": "error", "key": message["key"], "message": f"{message['key']}: refused"})
                    return
                settings[message["key"]]["value"] = message["value"]
                self.change()
            elif kind == "method" and "method" in self.refused:
                viewer.text({"type": "error", "key": "method", "message": "method: refused"})
            elif kind == "method" and not self.holds:
                self.change(method=message["name"], loss="the velocities that the coarse space cannot hold")
            elif kind == "color":
                viewer.field = message["field"]
            elif kind == "record":
                self.change(recording="out/live_0001" if message["on"] else None)
            elif kind == "seen":
                viewer.seen = max(viewer.seen, message["frame"])

    # ---- the wire

    def handler(mock):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def answer(self, body, kind):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Connection", "close")  # a connection that is kept would outlive the mock
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                token = urllib.parse.parse_qs(url.query).get("token", [None])[0]
                if token != mock.token:
                    self.send_error(403)
                elif url.path == "/":
                    self.answer(page(), "text/html; charset=utf-8")
                elif url.path == "/live/mesh":
                    self.answer(mock.mesh_text.encode(), "application/json")
                elif url.path == "/live/weights" and mock.kind == 1:
                    self.answer(mock.motion.weight_bytes(mock.state["weights"]), "application/octet-stream")
                elif url.path == "/live/socket":
                    Viewer(mock, self).serve()
                    self.close_connection = True
                else:
                    self.send_error(404)

        return Handler


class Viewer:
    """One WebSocket (RFC 6455)."""

    def __init__(self, mock, request):
        self.mock, self.request = mock, request
        self.pulls, self.field, self.sent, self.seen = {}, None, 0, 0
        self.most_on_the_way = 0
        self.lock = threading.Lock()

    def serve(self):
        key = self.request.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.request.send_response(101)
        self.request.send_header("Upgrade", "websocket")
        self.request.send_header("Connection", "Upgrade")
        self.request.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.request.end_headers()
        mock = self.mock
        with mock.lock:
            mock.clients += 1
            self.client = mock.clients
            self.text({"type": "hello", "version": 1, "client": self.client})
            mock.viewers.append(self)
            mock.change(viewers=len(mock.viewers))
        try:
            while (message := self.read()) is not None:
                mock.follow(self, json.loads(message))
        except OSError:
            pass
        with mock.lock:
            if self in mock.viewers:
                mock.viewers.remove(self)
            mock.change(viewers=len(mock.viewers))

    def end(self):
        try:
            self.request.connection.shutdown(2)
        except OSError:
            pass

    def read(self):
        """The next text message, or None at the end."""
        head = self.request.rfile.read(2)
        if len(head) < 2 or head[0] & 15 == 8:
            return None
        length = head[1] & 127
        if length == 126:
            length, = struct.unpack(">H", self.request.rfile.read(2))
        mask = self.request.rfile.read(4)
        data = self.request.rfile.read(length)
        return bytes(b ^ mask[k % 4] for k, b in enumerate(data)).decode()

    def write(self, kind, data):
        length = len(data)
        size = (bytes([length]) if length < 126 else b"\x7e" + struct.pack(">H", length) if length < 65536 else
                b"\x7f" + struct.pack(">Q", length))
        try:
            with self.lock:
                self.request.wfile.write(bytes([0x80 | kind]) + size + data)
        except OSError:
            pass

    def text(self, message):
        self.write(1, json.dumps(message).encode())

    def on_the_way(self):
        return self.sent - self.seen

    def frame(self, mock):
        data = mock.frame_bytes(self)
        self.sent += 1
        self.most_on_the_way = max(self.most_on_the_way, self.on_the_way())
        self.write(2, data)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", help="the folder report beside a run's page")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--kind", type=int, choices=(0, 1), default=1)
    parser.add_argument("--rate", type=float, default=30)
    options = parser.parse_args()
    mock = Mock(options.folder, options.port, options.kind, options.rate)
    print(mock.url, flush=True)
    threading.Event().wait()
