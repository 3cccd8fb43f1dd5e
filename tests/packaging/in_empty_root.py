"""Run by wheel_test.py with the Python of a virtual environment that has the wheel, on a system that has no library of
the build: a scene with contact, a mesh of the gallery's shapes, and a live simulation."""

import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import urllib.request

import sinew

BIN = pathlib.Path(sys.executable).parent
PACKAGE = pathlib.Path(sinew.__file__).parent


def run(program, *arguments):
    return subprocess.run([str(BIN / program), *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def versions():
    assert run("sinew", "--version") == "sinew {version} ({instructions})\n".format(**sinew.build_info())
    print(sinew.build_info())


def scene(folder):
    run("sinew", "run", PACKAGE / "scenes/ball_drop.json", "-o", folder / "ball", "--steps", 20)
    summary = json.loads((folder / "ball/summary.json").read_text())
    rows = [json.loads(line) for line in (folder / "ball/steps.jsonl").read_text().splitlines()]
    assert summary["steps"] == 20 and summary["steps_failed"] == 0, summary
    assert (folder / "ball/report.html").stat().st_size > 1e5
    run("sinew", "run", PACKAGE / "scenes/ball_drop.json", "-o", folder / "ball", "--steps", 25, "--resume")
    assert len((folder / "ball/steps.jsonl").read_text().splitlines()) == 25
    print("ball_drop: 20 steps and 5 after --resume, lowest gap", min(row["min_distance"] or 1 for row in rows))


def mesh(folder):
    run("sinew-mesh", "shape", "sphere", "--size", "small", "-o", folder / "sphere.msh")
    mesh = sinew.read_mesh(folder / "sphere.msh")
    assert len(mesh.tets) > 100
    print("sinew-mesh:", len(mesh.tets), "tets")


def sweep(folder):
    out = folder / "sweep"
    run("sinew", "sweep", PACKAGE / "scenes/ball_drop.json", "--steps", 3, "--set", "time.step=0.01,0.02", "--jobs", 2, "-o", out)
    rows = (out / "sweep.csv").read_text().splitlines()
    assert len(rows) == 3 and all(",done," in row for row in rows[1:]), rows
    assert (out / "sweep.html").stat().st_size > 1e4
    again = sinew.sweep(PACKAGE / "scenes/ball_drop.json", {"time.step": [0.01]}, folder / "own", steps=2, progress=False)
    assert [row["outcome"] for row in again] == ["done"], again
    print("sweep: of the program and of the module")


def picture(folder):
    sim = sinew.Simulation(sinew.Scene(PACKAGE / "scenes/ball_drop.json"))
    try:
        print("picture:", sim.render(64, 48).shape)
    except sinew.SimulationError as missing:
        assert "libosmesa6" in str(missing), missing
        print("picture:", missing)


def gallery(folder):
    names = [path.stem for path in (PACKAGE / "scenes/gallery").glob("*.json")]
    assert len(names) > 30 and all(sinew.gallery(name) is not None for name in names), names
    print("gallery:", len(names), "scenes")


def live(folder):
    process = subprocess.Popen([BIN / "sinew", "live", PACKAGE / "scenes/ball_drop.json", "-o", folder / "live"],
                               stdout=subprocess.PIPE, text=True)
    try:
        page, port = re.search(r"(http://[^:]+:(\d+)\S*)", process.stdout.readline()).groups()
        assert b"<html" in urllib.request.urlopen(page, timeout=60).read()
        print("live:", page, "a frame of", first_frame(int(port)), "bytes")
    finally:
        process.terminate()
        process.wait()


def first_frame(port):
    """Reads a WebSocket up to the first frame, a binary message, which the server does not mask. Returns its bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(f"GET /live/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                           "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
        stream = connection.makefile("rb")
        while stream.readline() != b"\r\n":
            pass
        while True:
            kind, size = stream.read(2)
            if size > 125:
                size = int.from_bytes(stream.read(2 if size == 126 else 8), "big")
            stream.read(size)
            if kind & 15 == 2:
                return size


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        versions()
        for part in (scene, mesh, sweep, picture, gallery, live):
            part(pathlib.Path(folder))
