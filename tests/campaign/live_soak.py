#!/usr/bin/python3
"""Twenty clients on one `sinew live` server: viewers that pull, turn settings beyond their sliders, change the method,
record and reset; slow readers, stalled ones, half-open sockets, garbage over HTTP and over WebSockets, reconnections.

A watcher counts steps and looks at each frame. Memory and the rate of steps, as fast as it goes, are measured before the
others come and after they have gone, with the settings of the start. Fails on a crash, on a report of a sanitizer, on
memory that grew, on a number in a frame that is not finite, and when the watcher gets no frame for some seconds.

Usage: live_soak.py [--seconds N] [--seed N] [--sinew FILE] [--scene FILE]
"""

import argparse
import array
import base64
import json
import math
import os
import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
MEASURE = 6.0  # seconds at either end without the other clients
SETTLE = 3.0
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Gone(Exception):
    """The server has closed the connection, or never let it in."""


class Soak:
    """What all clients share."""

    def __init__(self, port, seconds, seed, methods):
        self.port, self.seed, self.methods = port, seed, methods
        self.end = time.monotonic() + seconds
        self.over = threading.Event()
        self.lock = threading.Lock()
        self.faults = {}
        self.counts = {}
        self.start = {"settings": {}, "method": None}
        header, _ = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/live/mesh", timeout=30))
        self.objects = [o["vertices"] for o in header["objects"] if o["kind"] == "body"]
        self.moving = [o["vertices"] for o in header["objects"] if o["moves"]]
        self.bodies = len(self.objects)
        self.plain = len(self.moving) == self.bodies  # without obstacles that move
        self.fields = [f["name"] for f in header["fields"]]

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + number

    def fault(self, what, kind=None):
        """kind: of which only the first is told."""
        kind = kind or what
        with self.lock:
            self.faults[kind] = self.faults.get(kind, 0) + 1
            first = self.faults[kind] == 1
        if first:
            print(f"FAULT {what}", flush=True)

    def running(self):
        return not self.over.is_set() and time.monotonic() < self.end

    def wait(self, seconds):
        self.over.wait(max(0, min(seconds, self.end - time.monotonic())))


def connect(soak, buffer=None):
    sock = socket.socket()
    if buffer:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    sock.settimeout(10)
    try:
        sock.connect(("127.0.0.1", soak.port))
    except OSError as error:
        sock.close()
        raise Gone from error
    return sock


def vanish(sock):
    """Closes with a reset instead of a farewell."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def handshake(soak, key="AAAAAAAAAAAAAAAAAAAAAA=="):
    host = f"127.0.0.1:{soak.port}"
    return (f"GET /live/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode()


def frame_bytes(rng, data, opcode=TEXT, final=True):
    first = bytes([(128 if final else 0) | opcode])
    if len(data) < 126:
        size = bytes([128 | len(data)])
    elif len(data) < 65536:
        size = bytes([254]) + struct.pack(">H", len(data))
    else:
        size = bytes([255]) + struct.pack(">Q", len(data))
    mask = rng.getrandbits(32).to_bytes(4, "little")
    whole = (mask * (len(data) // 4 + 1))[:len(data)]
    masked = (int.from_bytes(data, "little") ^ int.from_bytes(whole, "little")).to_bytes(len(data), "little")
    return first + size + mask + masked


class Viewer:
    """One WebSocket, read by whoever owns it."""

    def __init__(self, soak, rng, buffer=None):
        self.soak, self.rng = soak, rng
        self.sock = connect(soak, buffer)
        self.state, self.client, self.unread = {}, None, b""
        self.step, self.frames, self.last_frame, self.number = 0, 0, time.monotonic(), 0
        self.errors = 0
        try:
            self.sock.sendall(handshake(soak, base64.b64encode(rng.randbytes(16)).decode()))
            answer = b""
            while not answer.endswith(b"\r\n\r\n"):
                answer += self.read(1)
        except (OSError, Gone) as error:
            self.sock.close()
            raise Gone from error
        if b" 101 " not in answer.splitlines()[0]:
            self.sock.close()
            raise Gone

    def read(self, count):
        while len(self.unread) < count:
            try:
                data = self.sock.recv(65536)
            except socket.timeout:
                raise
            except OSError as error:
                raise Gone from error
            if not data:
                raise Gone
            self.unread += data
        data, self.unread = self.unread[:count], self.unread[count:]
        return data

    def send(self, message, opcode=TEXT):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.raw(frame_bytes(self.rng, data, opcode))

    def raw(self, data):
        try:
            self.sock.sendall(data)
        except OSError as error:
            raise Gone from error

    def one(self, timeout):
        """Reads a message if there is one within `timeout`: its opcode, or None."""
        self.sock.settimeout(timeout)
        try:
            if len(self.unread) < 2:
                self.unread += self.sock.recv(65536)
        except socket.timeout:
            return None
        except OSError as error:
            raise Gone from error
        self.sock.settimeout(10)
        try:
            first, size = self.read(2)
            if size == 126:
                size, = struct.unpack(">H", self.read(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.read(8))
            data = self.read(size)
        except socket.timeout as error:
            raise Gone from error
        self.take(first & 15, data)
        return first & 15

    def take(self, opcode, data):
        if opcode == PING:
            self.send(data, PONG)
        elif opcode == CLOSE:
            raise Gone
        elif opcode == TEXT:
            message = json.loads(data)
            if message["type"] == "hello":
                self.client = message["client"]
            elif message["type"] == "state":
                self.state = message
            elif message["type"] == "rows":
                for row in message["rows"]:
                    if None in row["energies"].values() or row["time"] is None:
                        self.soak.fault(f"step {row['step']}: numbers of a row are not finite: {row['energies']}; "
                                        f"{self.changed()}", "rows")
            elif message["type"] == "error":
                self.errors += 1
                self.soak.count("messages refused")
        elif opcode == BINARY:
            self.look(data)
            self.last_frame = time.monotonic()
            self.frames += 1

    def look(self, data):
        """Checks a frame's numbers and its length (docs/reference/live_protocol.md)."""
        magic, kind, self.number, self.step, seconds, planes, pulls, field, rows = struct.unpack_from("<IIIIdIIII", data)
        at = 40
        good = magic == 0x31464e53 and math.isfinite(seconds)
        good = good and all(map(math.isfinite, struct.unpack_from(f"<{6 * planes}d", data, at)))
        at += 48 * planes
        for _ in range(pulls):
            good = good and all(map(math.isfinite, struct.unpack_from("<3f", data, at + 16)))
            at += 28
        boxes = []
        if kind == 1:
            at += -at % 8
            numbers = array.array("f", data[at:at + 12 * rows])
            good = good and math.isfinite(sum(numbers))
            at += 12 * rows
        for vertices in self.soak.moving if kind == 0 else []:
            at += -at % 8
            boxes += struct.unpack_from("<6d", data, at)
            at += 48 + 6 * vertices
        if field:
            for vertices in self.soak.objects:
                at += -at % 8
                boxes += struct.unpack_from("<2d", data, at)
                at += 16 + 2 * vertices
        if not good or not all(map(math.isfinite, boxes)):
            self.soak.fault(f"frame of step {self.step}: a number is not finite; {self.changed()}", "numbers")
        elif kind in (0, 1) and at + -at % 8 != len(data) and at != len(data) and self.soak.plain:
            self.soak.fault(f"frame of step {self.step}: {len(data)} bytes, expected {at}", "length")

    def changed(self):
        """The settings that are not those of the start, for messages."""
        start = self.soak.start["settings"]
        return ", ".join([f"method {self.state.get('method')}"] + [
            f"{key} {what['value']}" for key, what in self.state.get("settings", {}).items()
            if key not in start or what["value"] != start[key]["value"]])

    def seen(self):
        self.send({"type": "seen", "frame": self.number})

    def close(self):
        try:
            self.send(struct.pack(">H", 1000), CLOSE)
        except Gone:
            pass
        self.sock.close()


class Watcher(threading.Thread):
    """The viewer whose frames must not stop. It goes on where another one paused, or a step failed."""

    def __init__(self, soak, limit):
        super().__init__(daemon=True)
        self.soak, self.limit = soak, limit
        self.done = threading.Event()
        self.steps, self.times_paused, self.longest = 0, 0, 0.0
        self.errors = {}
        self.to_send = []
        self.state = {}

    def run(self):
        try:
            self.watch(Viewer(self.soak, random.Random(self.soak.seed)))
        except Gone:
            if not self.done.is_set():
                self.soak.fault("the watcher was cut off")
        self.soak.over.set()

    def watch(self, viewer):
        last_step, asked = 0, 0.0
        while not self.done.is_set():
            while self.to_send:
                viewer.send(self.to_send.pop(0))
            opcode = viewer.one(0.25)
            now = time.monotonic()
            self.state = viewer.state
            if viewer.state.get("paused") and now - asked > 0.3:
                asked = now
                self.times_paused += 1
                viewer.send({"type": "pause", "on": False})
                if self.times_paused % 3 == 0:  # this state has no next step
                    viewer.send({"type": "reset"})
            if opcode == BINARY:
                self.longest = max(self.longest, now - self.before) if self.steps else 0.0
                self.before = now
                self.steps += max(0, viewer.step - last_step) if viewer.step >= last_step else viewer.step
                last_step = viewer.step
                viewer.seen()
            elif now - viewer.last_frame > self.limit:
                self.soak.fault(f"no frame for {now - viewer.last_frame:.1f} s after step {viewer.step}, "
                                f"busy: {viewer.state.get('busy')}, paused: {viewer.state.get('paused')}", "stall")
                viewer.last_frame = now

    def rate(self, seconds):
        """Steps a second, as fast as it goes."""
        self.to_send.append({"type": "set", "key": "speed", "value": 0})
        time.sleep(0.5)
        start, begin = self.steps, time.monotonic()
        time.sleep(seconds)
        result = (self.steps - start) / (time.monotonic() - begin)
        self.to_send.append({"type": "set", "key": "speed", "value": 1})
        return result


# ---- Values.

def setting(rng, key, what):
    """A value of a setting: mostly within its slider, at times beyond, at times nonsense."""
    least, most, value = what["least"], what["most"], what["value"]
    if rng.random() < 0.08:
        return rng.choice((None, "1", True, [], {}, [1, 2], [1, 2, "3"], [0, [0], 0], -1, 0, -1e300, 1e300, 1e15, 0.5,
                           10 ** 30, "x" * 5000))
    if isinstance(value, list):
        reach = most * (1 if rng.random() < 0.8 else 100)
        return [rng.uniform(-reach, reach) for _ in value]
    if key == "solver.iterations":
        return rng.randint(0, 20) if rng.random() < 0.9 else rng.choice((100, 2.0, 2.5, -1, 3e9))
    if key == "speed":
        return rng.choice((0, 0.5, 1, 2))
    if what["log"]:
        beyond = 1.0 if rng.random() < 0.8 or key == "time.step" else 1e4
        return math.exp(rng.uniform(math.log(least / beyond), math.log(most * beyond)))
    beyond = 0 if rng.random() < 0.8 else (most - least)
    return rng.uniform(least - beyond, most + beyond)


def target(rng):
    if rng.random() < 0.03:
        return [rng.choice((1e6, -1e9, 1e12, 1e13)) for _ in range(3)]
    return [rng.uniform(-1.5, 1.5) for _ in range(3)]


def pull(soak, rng, key):
    body = rng.randrange(soak.bodies)
    message = {"type": "pull", "id": key, "object": body, "vertex": rng.randrange(soak.objects[body]), "target": target(rng)}
    if rng.random() < 0.2:
        message["stiffness"] = 10 ** rng.uniform(-3, 9 if rng.random() < 0.8 else 15)
    return message


def deep(rng, depth):
    return rng.choice((b'{"type":' * depth, b"[" * depth, b"[" * depth + b"]" * depth,
                       b'{"type":"set","key":"gravity","value":' + b"[" * depth + b"]" * depth + b"}",
                       b'{"type":"color","field":' + b'{"a":' * (depth // 6) + b"1" + b"}" * (depth // 6) + b"}"))


def nonsense(soak, rng):
    """A text message that is to be refused, as bytes."""
    kind = rng.randrange(11)
    if kind == 0:
        return deep(rng, rng.choice((10, 1000, 7900)))
    if kind == 1:
        return json.dumps({"type": rng.choice(("", "hello", "state", "x" * 1000, "pull", "set", "method", "record", "seen"))
                           }).encode()
    if kind == 2:
        return json.dumps(rng.choice((None, 1, "pull", [], [[]], {}, {"type": None}, {"type": {"type": "pull"}}))).encode()
    if kind == 3:
        return json.dumps({"type": "pull", "id": rng.choice((-1, 2 ** 31, 1.5, None, 1e30)), "object": rng.choice((-1, 0, 99)),
                           "vertex": rng.choice((-1, 10 ** 9, 0)), "target": rng.choice(([0, 0], [0, 0, None], 1))}).encode()
    if kind == 4:
        return b'{"type": "pull", "id": 1, "object": 0, "vertex": 0, "target": [NaN, 1e999, -Infinity]}'
    if kind == 5:
        return b'{"type": "pull", "id": 1, "object": 0, "vertex": 0, "target": [0, 0, 0], "stiffness": ' + rng.choice(
            (b"-1", b"1e300", b"null", b'"a"', b"1e999", b"1e-320")) + b"}"
    if kind == 6:
        return json.dumps({"type": "method", "name": rng.choice(("", "nothing", "x" * 9000, "Mixed", "\u0000"))}).encode()
    if kind == 7:
        return json.dumps({"type": "seen", "frame": rng.choice((-1, 2 ** 32, 10 ** 20, 1e9, "1"))}).encode()
    if kind == 8:
        return json.dumps({"type": "color", "field": rng.choice(("nothing", 1, [], {"a": []}))}).encode()
    if kind == 9:
        return json.dumps({"type": "set", "key": rng.choice(("", "gravity.", "materials..", "materials.bone.density",
                                                             "materials.bone", "speed", "time", "\ud800".encode(
                                                                 "utf8", "replace").decode())),
                           "value": rng.choice((1, -1, None, 1e308))}).encode() if rng.random() < 0.9 else (
            b'{"type":"set","key":"speed","value":' + rng.choice((b"1e308", b"-1", b"1e-300", b"null")) + b"}")
    return json.dumps({f"k{i}": i for i in range(1200)}).encode()


# ---- Clients: each is called with the soak and its random numbers until the time is over, again after Gone.

def puller(soak, rng):
    viewer = Viewer(soak, rng)
    held, next_action = {}, 0.0
    until = time.monotonic() + rng.uniform(20, 60)
    while soak.running() and time.monotonic() < until:
        if viewer.one(0.02) == BINARY:
            viewer.seen()
            soak.count("frames")
        now = time.monotonic()
        if now < next_action or not viewer.state:
            continue
        next_action = now + rng.uniform(0.01, 0.2)
        dice = rng.random()
        if dice < 0.5:
            key = rng.randrange(4)
            if key not in held or rng.random() < 0.1:
                held[key] = pull(soak, rng, key)
            held[key] = dict(held[key], target=target(rng))
            viewer.send(held[key])
            soak.count("pulls")
        elif dice < 0.65 and held:
            viewer.send({"type": "release", "id": held.popitem()[0]})
        elif dice < 0.9:
            key = rng.choice(sorted(viewer.state["settings"]))
            viewer.send({"type": "set", "key": key, "value": setting(rng, key, viewer.state["settings"][key])})
            soak.count("settings")
        elif dice < 0.94:
            viewer.send({"type": "color", "field": rng.choice([None, *soak.fields])})
        elif dice < 0.965:
            viewer.send({"type": "method", "name": rng.choice(soak.methods)})
            soak.count("changes of the method")
        elif dice < 0.975:
            viewer.send({"type": "pause", "on": rng.random() < 0.5})
            viewer.send({"type": "step"})
        elif dice < 0.995:
            viewer.send({"type": "reset"})
            soak.count("resets")
        else:
            viewer.send({"type": "record", "on": True})
            soak.count("recordings")
            time.sleep(0.3)
            viewer.send({"type": "record", "on": False})
    viewer.close()


def recorder(soak, rng):
    """Sets all back to the start from time to time, so that the rest of the run is not one of broken settings."""
    viewer = Viewer(soak, rng)
    start = soak.start
    while soak.running():
        until = time.monotonic() + rng.uniform(5, 10)
        while soak.running() and time.monotonic() < until:
            if viewer.one(0.05) == BINARY:
                viewer.seen()
        restore(viewer, start)


def restore(viewer, start):
    viewer.send({"type": "method", "name": start["method"]})
    for key, what in start["settings"].items():
        viewer.send({"type": "set", "key": key, "value": what["value"]})
    viewer.send({"type": "reset"})


def slow(soak, rng):
    """Reads some bytes at a time."""
    viewer = Viewer(soak, rng, buffer=4096)
    until = time.monotonic() + rng.uniform(20, 60)
    viewer.send({"type": "color", "field": rng.choice(soak.fields)})
    while soak.running() and time.monotonic() < until:
        viewer.sock.settimeout(1)
        try:
            if not viewer.sock.recv(rng.choice((1, 10, 500))):
                raise Gone
        except socket.timeout:
            pass
        except OSError as error:
            raise Gone from error
        if rng.random() < 0.2:
            viewer.send({"type": "seen", "frame": rng.randrange(100)})
        soak.wait(rng.uniform(0.01, 0.1))
    viewer.close()


def stalled(soak, rng):
    """Reads nothing and asks for much, so that answers pile up until it is cut off."""
    viewer = Viewer(soak, rng, buffer=2048)
    viewer.sock.settimeout(2)
    rate = rng.choice((0.5, 0.05, 0.005))
    until = time.monotonic() + rng.uniform(30, 120)
    soak.count("stalled viewers")
    try:
        while soak.running() and time.monotonic() < until:
            viewer.send({"type": "x" * 4000} if rng.random() < 0.5 else pull(soak, rng, rng.randrange(3)))
            soak.wait(rate)
    except Gone:
        soak.count("stalled viewers cut off")
    vanish(viewer.sock)


def half_open(soak, rng):
    socks = []
    for _ in range(rng.randint(1, 4)):
        sock = connect(soak)
        socks.append(sock)
        head = handshake(soak)
        try:
            sock.sendall(rng.choice((b"", b"G", b"GET / HTTP/1.1\r\n", head[:rng.randrange(len(head))], head,
                                     b"GET /live/mesh HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % soak.port * 3)))
        except OSError:
            pass
        soak.count("half-open sockets")
    soak.wait(rng.uniform(0.5, 15))
    for sock in socks:
        rng.choice((vanish, socket.socket.close))(sock)


def garbage_http(soak, rng):
    sock = connect(soak)
    host = f"Host: 127.0.0.1:{soak.port}\r\n".encode()
    sent = rng.choice((
        lambda: rng.randbytes(rng.randrange(1, 20000)),
        lambda: b"GET " + rng.randbytes(rng.randrange(1, 200)) + b" HTTP/1.1\r\n" + host + b"\r\n",
        lambda: b"GET /" + b"a" * rng.randrange(1, 40000) + b" HTTP/1.1\r\n" + host + b"\r\n",
        lambda: b"GET / HTTP/1.1\r\n" + host + b"X: " + b"y" * rng.randrange(100000) + b"\r\n\r\n",
        lambda: b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + host + b"\r\n",
        lambda: b"GET /live/../../etc/passwd HTTP/1.0\r\n" + host + b"\r\n",
        lambda: b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 99999999999999999999\r\n\r\n" + b"x" * 1000,
        lambda: b"GET / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
        lambda: b"HEAD /live/weights HTTP/1.1\r\n" + host + b"\r\n" + b"GET /live/weights HTTP/1.1\r\n" + host + b"\r\n",
        lambda: b"GET /live/socket HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n\r\n",
        lambda: handshake(soak).replace(b"Version: 13", b"Version: 7"),
        lambda: handshake(soak).replace(b"Key: ", b"Key: " + b"k" * 300),
        lambda: handshake(soak) + rng.randbytes(rng.randrange(1, 5000)),
    ))()
    try:
        if rng.random() < 0.3:
            for k in range(0, min(len(sent), 400), 7):
                sock.sendall(sent[k:k + 7])
        else:
            sock.sendall(sent)
        sock.settimeout(rng.choice((0.01, 0.5)))
        while sock.recv(65536):
            pass
    except OSError:
        pass
    soak.count("garbage over HTTP")
    rng.choice((vanish, socket.socket.close))(sock)
    soak.wait(rng.uniform(0, 0.1))


def garbage_frames(soak, rng):
    viewer = Viewer(soak, rng)
    for _ in range(rng.randint(1, 60)):
        if not soak.running():
            break
        kind = rng.randrange(12)
        if kind < 7:
            viewer.send(nonsense(soak, rng))
        elif kind == 7:
            viewer.send(rng.randbytes(rng.randrange(0, 20)), BINARY)
        elif kind == 8:
            viewer.send(rng.choice((b"\xff\xfe", b'{"type": "\xc3("}', b"\xed\xa0\x80", b"\xf0\x9f")))
        elif kind == 9:
            viewer.send(b" " * rng.choice((16384, 16385, 70000, 2 ** 20)))
        elif kind == 10:
            viewer.raw(rng.choice((
                lambda: rng.randbytes(rng.randrange(1, 3000)),
                lambda: b"\x81\xff" + struct.pack(">Q", rng.choice((2 ** 63 - 1, 2 ** 64 - 1, 2 ** 32))) + b"mask",
                lambda: b"\x81\x05hello",  # without a mask
                lambda: frame_bytes(rng, b"x" * 200, PING),
                lambda: frame_bytes(rng, b"", 3),
                lambda: frame_bytes(rng, b"x", CLOSE),
                lambda: frame_bytes(rng, b'{"type":', TEXT, False) + frame_bytes(rng, b'"pull"}', TEXT),
                lambda: frame_bytes(rng, b"[", TEXT, False) + frame_bytes(rng, b"[", 0, False) * rng.choice((10, 6000)),
                lambda: frame_bytes(rng, b"", TEXT, False) + frame_bytes(rng, b"", 0, False) * 3000,
                lambda: frame_bytes(rng, b"ping", PING) * 500))())
        else:
            viewer.raw(frame_bytes(rng, nonsense(soak, rng))[:rng.randrange(1, 40)])
            break
        soak.count("garbage over WebSockets")
        if rng.random() < 0.7:
            viewer.one(0.01)
    rng.choice((viewer.close, lambda: vanish(viewer.sock)))()


def reconnecting(soak, rng):
    viewer = Viewer(soak, rng)
    if rng.random() < 0.5:
        viewer.send(pull(soak, rng, 1))
    for _ in range(rng.randrange(10)):
        viewer.one(0.02)
    if rng.random() < 0.3:
        path = rng.choice(("/live/mesh", "/live/weights", "/", "/nothing"))
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{soak.port}{path}", timeout=10) as answer:
                answer.read()
        except OSError:
            pass
    soak.count("connections")
    rng.choice((viewer.close, lambda: vanish(viewer.sock)))()
    soak.wait(rng.uniform(0, 0.2))


def flood(soak, rng):
    """As many messages as go, valid ones and others, in bursts."""
    viewer = Viewer(soak, rng)
    body = rng.randrange(soak.bodies)
    for _ in range(rng.randint(1, 20)):
        if not soak.running():
            break
        moves = [{"type": "pull", "id": 1, "object": body, "vertex": 0, "target": target(rng)} if rng.random() < 0.9 else
                 {"type": "release", "id": rng.randrange(3)} for _ in range(400)]
        viewer.raw(b"".join(frame_bytes(rng, json.dumps(m).encode()) for m in moves))
        soak.count("messages of floods", len(moves))
        while viewer.one(0.05) is not None and soak.running() and rng.random() < 0.98:
            pass
    viewer.close()


CLIENTS = [puller] * 5 + [recorder] + [slow] * 2 + [stalled] * 3 + [half_open] * 2 + [garbage_http] + [garbage_frames] * 2 + \
          [reconnecting] * 2 + [flood]


def client(soak, behave, k):
    rng = random.Random(1000 * soak.seed + k)
    while soak.running():
        try:
            behave(soak, rng)
        except Gone:
            soak.count("connections lost")
            soak.wait(0.2)
        except socket.timeout:
            soak.wait(0.2)
        except Exception as error:  # a fault of this script
            soak.fault(f"{behave.__name__}: {type(error).__name__}: {error}", behave.__name__)
            soak.wait(1)


# ---- The process.

def resident(pid):
    """MB; 0 when it has gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+) kB", text)
    return int(found[1]) / 1024 if found else 0.0


def soaked(arguments, folder):
    """The number of faults."""
    errors = open(folder / "stderr.txt", "w+")
    command = [arguments.sinew, "live", arguments.scene, "--set", f"size={arguments.size}", "-o", folder / "live",
               "--set", 'output.formats=["vtu"]']
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        line = process.stdout.readline()
        found = re.search(r"http://[^:]+:(\d+)", line)
        if not found:
            errors.seek(0)
            sys.exit(f"the server did not start: {line}{errors.read()}")
        soak = Soak(int(found[1]), arguments.seconds + SETTLE + MEASURE + 1, arguments.seed, arguments.methods)
        watcher = Watcher(soak, arguments.stall)
        watcher.start()
        time.sleep(SETTLE)
        soak.start = watcher.state
        rate_before = watcher.rate(MEASURE)
        threads = [threading.Thread(target=client, args=(soak, behave, k), daemon=True) for k, behave in enumerate(CLIENTS)]
        for thread in threads:
            thread.start()
        memory_before, largest, warm, told = resident(process.pid), 0.0, 0.0, time.monotonic()
        busy_from, begin = watcher.steps, time.monotonic()
        while soak.running() and process.poll() is None:
            time.sleep(0.5)
            now = resident(process.pid)
            largest = max(largest, now)
            if not warm and time.monotonic() - begin > min(60, arguments.seconds / 5):
                warm = now
            if time.monotonic() - told > 30:
                told = time.monotonic()
                print(f"{told - begin:5.0f} s: {now:.0f} MB, {watcher.steps} steps, {len(soak.faults)} faults", flush=True)
        rate_during = (watcher.steps - busy_from) / (time.monotonic() - begin)
        if process.poll() is not None:
            soak.fault(f"the server has ended with {process.returncode}")
        for thread in threads:
            thread.join(20)
        rate_after = memory_after = 0.0
        if process.poll() is None:
            time.sleep(1)
            watcher.to_send += [{"type": "set", "key": key, "value": what["value"]}
                                for key, what in soak.start["settings"].items()]
            watcher.to_send += [{"type": "method", "name": soak.start["method"]}, {"type": "reset"}]
            time.sleep(SETTLE)
            rate_after, memory_after = watcher.rate(MEASURE), resident(process.pid)
            watcher.done.set()
            watcher.join(10)
            process.send_signal(signal.SIGINT)
            try:
                if process.wait(20) != 0:
                    soak.fault(f"the server ended with {process.returncode} after Ctrl-C")
            except subprocess.TimeoutExpired:
                soak.fault("the server did not end within 20 s of Ctrl-C")
        if warm and memory_after - memory_before > arguments.growth:
            soak.fault(f"memory grew by {memory_after - memory_before:.0f} MB")
        errors.seek(0)
        text = errors.read()
        if re.search(r"Sanitizer|runtime error|Assertion|terminate called", text):
            soak.fault("the server reported\n" + text[:8000])
        print(f"{arguments.seconds} s, {len(CLIENTS) + 1} clients, seed {arguments.seed}")
        print(f"memory: {memory_before:.1f} MB before, {warm:.1f} MB warm, {largest:.1f} MB at most, {memory_after:.1f} MB "
              "after all have gone")
        print(f"steps a second: {rate_before:.0f} before, {rate_during:.0f} with all clients (at most as fast as the wall's "
              f"time), {rate_after:.0f} after")
        print(f"the watcher: {watcher.steps} steps, {watcher.longest:.2f} s without a frame at most, "
              f"went on {watcher.times_paused} times")
        print(", ".join(f"{number} {what}" for what, number in sorted(soak.counts.items())))
        print("faults: " + ", ".join(f"{kind} ({number} times)" for kind, number in soak.faults.items()) if soak.faults else
              "no fault")
        return len(soak.faults)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        errors.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sinew", default=ROOT / "build/release/bin/sinew")
    parser.add_argument("--scene", default=ROOT / "scenes/gallery/creature.json")
    parser.add_argument("--size", default="small")
    parser.add_argument("--methods", type=lambda text: text.split(","), default=("mixed", "reduced"))
    parser.add_argument("--growth", type=float, default=40, help="of memory from end to end, at most [MB]")
    parser.add_argument("--stall", type=float, default=5, help="seconds that the watcher waits for a frame, at most")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return 1 if soaked(arguments, pathlib.Path(folder)) else 0


if __name__ == "__main__":
    sys.exit(main())
