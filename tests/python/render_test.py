"""Pictures of simulations: colours, depths and segmentations, cameras, files and videos."""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib

import numpy as np

import sinew

BOX = {"box": {"size": [1, 1, 1], "cells": [2, 2, 2]}}
GROUND = {"name": "ground", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}


def scene(places, obstacles=(GROUND,)):
    bodies = [{"name": f"box{k}", "mesh": BOX, "transform": {"translate": place}} for k, place in enumerate(places)]
    return sinew.Simulation({"bodies": bodies, "obstacles": list(obstacles)})


def png_size(data):
    """Width and height of a PNG file whose checksums are right."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, size = 8, None
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        chunk = data[at + 4:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(chunk)
        if chunk[:4] == b"IHDR":
            size = struct.unpack(">II", chunk[4:12])
        at += length + 12
    return size


try:
    scene([[0, 1, 0]]).render(8, 8)
    MISSING = ""
except sinew.SimulationError as error:
    MISSING = str(error)


@unittest.skipIf(MISSING, MISSING)
class Pictures(unittest.TestCase):

    def setUp(self):
        self.front = sinew.Camera((0, 1, 5), (0, 1, 0), fov=30)

    def test_shapes_and_types(self):
        sim = scene([[0, 1, 0]])
        image, depth, ids = sim.render(64, 48), sim.render_depth(64, 48), sim.render_segmentation(64, 48)
        self.assertEqual((image.shape, image.dtype), ((48, 64, 3), np.uint8))
        self.assertEqual((depth.shape, depth.dtype), ((48, 64), np.float32))
        self.assertEqual((ids.shape, ids.dtype), ((48, 64, 2), np.int32))
        self.assertEqual(sim.render().shape, (480, 640, 3))
        self.assertGreater(np.ptp(image), 50)

    def test_same_state_same_bytes(self):
        first, second = scene([[0, 1, 0]]), scene([[0, 1, 0]])
        np.testing.assert_array_equal(first.render(64, 48), second.render(64, 48))
        before = first.render(64, 48)
        first.step()
        self.assertTrue((before != first.render(64, 48)).any())

    def test_depth_and_count_of_a_box(self):
        sim = scene([[0, 1, 0]], [])
        depth = sim.render_depth(200, 200, self.front)
        ids = sim.render_segmentation(200, 200, self.front)
        hit = ids[..., 0] == 0
        np.testing.assert_array_equal(hit, np.isfinite(depth))
        np.testing.assert_allclose(depth[hit], 4.5, rtol=1e-5)
        side = 100 / np.tan(np.radians(15)) / 4.5  # pixels
        self.assertAlmostEqual(hit.sum() / side**2, 1, delta=0.03)
        # The triangles are rows of the body's surface, here those of the front.
        corners = sim.bodies[0].positions[sim.bodies[0].surface[ids[hit][:, 1]]]
        np.testing.assert_allclose(corners[..., 2], 0.5)

    def test_what_lies_behind_is_hidden(self):
        sim = scene([[0, 1, 0], [0, 1, -3]])
        ids = sim.render_segmentation(100, 100, self.front)[..., 0]
        self.assertEqual(set(np.unique(ids)), {-1, 0, 2})  # the box in front, the ground, and what is above it
        sideways = sinew.Camera((4, 2, 5), (0, 1, -1))
        self.assertEqual(set(np.unique(sim.render_segmentation(100, 100, sideways)[..., 0])), {-1, 0, 1, 2})

    def test_projection_finds_what_is_drawn(self):
        sim = scene([[0.3, 1, 0]])
        camera = sinew.Camera.fit(sim, direction=(1, 1, 2), aspect=1)
        depth = sim.render_depth(300, 300, camera)
        ids = sim.render_segmentation(300, 300, camera)[..., 0]
        pixels = camera.project(sim.positions, 300, 300)
        local = sim.positions @ camera.matrix[:3, :3].T + camera.matrix[:3, 3]
        self.assertTrue(((pixels > 0) & (pixels < 300)).all())
        seen = 0
        for (x, y), z in zip(pixels, local[:, 2]):
            row, column = int(y), int(x)
            self.assertGreaterEqual(z, depth[row - 1:row + 2, column - 1:column + 2].min() - 0.05)
            seen += abs(z - depth[row, column]) < 0.05 and ids[row, column] == 0
        self.assertGreater(seen, 5)

    def test_an_orthographic_camera(self):
        camera = sinew.Camera((0, 1, 5), (0, 1, 0), orthographic=2.0)
        ids = scene([[0, 1, 0]], []).render_segmentation(100, 100, camera)[..., 0]
        self.assertEqual((ids == 0).sum(), 50 * 50)
        self.assertEqual(camera.orthographic, 2.0)

    def test_fields(self):
        sim = scene([[0, 1, 0]])
        count = len(sim.positions)
        plain = sim.render(64, 48)
        height = sim.render(64, 48, field=sim.positions[:, 1])
        self.assertTrue((plain != height).any())
        np.testing.assert_array_equal(plain, sim.render(64, 48, field=np.full(count, np.nan)))
        low = sim.render(64, 48, field=np.zeros(count), range=(0, 1))
        high = sim.render(64, 48, field=np.ones(count), range=(0, 1))
        body = sim.render_segmentation(64, 48)[..., 0] == 0
        self.assertGreater(high[body].mean(), low[body].mean() + 30)
        with self.assertRaisesRegex(sinew.InputError, r"field: found shape \(3,\), expected \(27,\)"):
            sim.render(field=np.zeros(3))
        with self.assertRaisesRegex(sinew.InputError, "range"):
            sim.render(field=np.zeros(count), range=(1, 0))
        with self.assertRaisesRegex(sinew.InputError, "range"):
            sim.render(range=(0, 1))

    def test_wrong_arguments(self):
        sim = scene([[0, 1, 0]])
        with self.assertRaisesRegex(sinew.InputError, "0 x 10 pixels"):
            sim.render(0, 10)
        with self.assertRaises(TypeError):
            sim.render(camera="left")
        for arguments in [((0, 0, 0), (0, 0, 0)), ((0, 0, 0), (0, 1, 0)), ((0, 0, np.nan), (0, 0, 0))]:
            with self.assertRaises(sinew.InputError):
                sinew.Camera(*arguments)
        with self.assertRaisesRegex(sinew.InputError, "shape"):
            sinew.Camera((0, 0), (0, 0, 0))
        with self.assertRaises(sinew.InputError):
            sinew.Camera.fit(sim, direction=(0, 0, 0))
        with self.assertRaises(sinew.InputError):
            sinew.Camera.fit(sim, direction=(0, 1, 0))  # along up
        with self.assertRaises(sinew.InputError):
            sinew.Camera.fit(sim, aspect=0)

    def test_threads(self):
        sims = [scene([[0, 1 + 0.1 * k, 0]]) for k in range(4)]
        expected = [sim.render(64, 48) for sim in sims]
        wrong = []

        def draw(k):
            for _ in range(5):
                if (sims[k].render(64, 48) != expected[k]).any():
                    wrong.append(k)

        threads = [threading.Thread(target=draw, args=(k % 4,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_picture_during_steps(self):
        sim = scene([[0, 1, 0]])
        thread = threading.Thread(target=lambda: sim.step(5))
        thread.start()
        while thread.is_alive():
            sim.render(32, 24)
        thread.join()

    def test_a_forked_process_says_why_not(self):
        sim = scene([[0, 1, 0]])
        sim.render(8, 8)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                sim.render(8, 8)
                os.write(write, b"a picture")
            except sinew.SimulationError as error:
                os.write(write, str(error).encode())
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        os.close(write)
        self.assertIn(b"forked", os.read(read, 1000))
        os.close(read)

    def test_copies_and_changes(self):
        sim = scene([[0, 1, 0]])
        before = sim.render(64, 48)
        other = sim.copy()
        other.step(3)
        np.testing.assert_array_equal(before, sim.render(64, 48))
        sim.set_method("newton-pcg")
        np.testing.assert_array_equal(before, sim.render(64, 48))


class Files(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    @unittest.skipIf(MISSING, MISSING)
    def test_png(self):
        sim = scene([[0, 1, 0]])
        sim.write_frame(self.folder / "a.png")
        self.assertEqual(png_size((self.folder / "a.png").read_bytes()), (960, 720))
        sim.write_frame(str(self.folder / "b.png"), 32, 24, camera=sinew.Camera.fit(sim))
        self.assertEqual(png_size((self.folder / "b.png").read_bytes()), (32, 24))

    def test_other_formats(self):
        wall = {"name": "wall", "mesh": BOX, "transform": {"translate": [3, 1, 0]}}
        sim = scene([[0, 1, 0]], [GROUND, wall])
        sim.step()
        for name in ("a.vtu", "a.obj", "a.ply"):
            sim.write_frame(self.folder / name)
        text = (self.folder / "a.vtu").read_text(errors="replace")
        self.assertIn('NumberOfPoints="27"', text)
        lines = (self.folder / "a.obj").read_text().splitlines()
        self.assertEqual([line for line in lines if line.startswith("o ")], ["o box0", "o wall"])
        self.assertEqual(sum(line.startswith("f ") for line in lines), 2 * 48)
        body = {tuple(np.round(p, 12)) for p in sim.positions}
        points = [tuple(np.round([float(word) for word in line.split()[1:]], 12)) for line in lines if line[:2] == "v "]
        self.assertEqual(sum(point in body for point in points), 26)  # all but the one inside
        ply = (self.folder / "a.ply").read_bytes()
        self.assertIn(b"element vertex 52\n", ply)
        self.assertEqual(len(ply) - ply.index(b"end_header\n") - 11, 52 * 24 + 96 * 17)

    def test_what_cannot_be_written(self):
        sim = scene([[0, 1, 0]])
        with self.assertRaisesRegex(sinew.InputError, "expected one of: .png, .vtu, .obj, .ply"):
            sim.write_frame(self.folder / "a.jpg")
        with self.assertRaisesRegex(sinew.InputError, "for .png alone"):
            sim.write_frame(self.folder / "a.obj", width=100)
        with self.assertRaises(sinew.InputError):
            sim.write_frame(self.folder / "none/a.vtu")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_without_the_library(self):
        program = ("import sinew\nsim = sinew.Simulation({'bodies': [{'mesh': {'sphere': {'radius': 1}}}]})\n"
                   "try:\n    sim.render()\nexcept sinew.SimulationError as error:\n    print(error)\n"
                   "sim.write_frame('a.obj')\n")
        result = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, cwd=self.folder,
                                env={**os.environ, "SINEW_OSMESA": "libnone.so"}, check=True)
        self.assertIn("libosmesa6", result.stdout)
        self.assertIn("[E-picture]", result.stdout)


class Videos(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.image = np.zeros((31, 45, 3), np.uint8)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is missing")
    def test_the_formats(self):
        starts = {"a.mp4": b"ftyp", "a.webm": b"\x1aE\xdf\xa3", "a.gif": b"GIF89a"}
        for name, start in starts.items():
            with self.subTest(name), sinew.Video(self.folder / name, fps=10) as video:
                for k in range(5):
                    video.add(self.image + np.uint8(40 * k))
            self.assertIn(start, (self.folder / name).read_bytes()[:16])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(starts))

    @unittest.skipIf(MISSING or not shutil.which("ffmpeg"), "libosmesa6 or ffmpeg is missing")
    def test_a_simulation(self):
        sim = scene([[0, 1, 0]])
        with sinew.Video(self.folder / "a.mp4", size=(64, 48)) as video:
            for _ in range(3):
                video.add(sim)
                sim.step()
            video.add(sim, sinew.Camera.fit(sim, direction=(0, 0, 1)))
        self.assertTrue((self.folder / "a.mp4").exists())

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is missing")
    def test_wrong_pictures(self):
        with sinew.Video(self.folder / "a.gif") as video:
            video.add(self.image)
            with self.assertRaisesRegex(sinew.InputError, "expected 45 x 31"):
                video.add(self.image[:10])
            with self.assertRaisesRegex(sinew.InputError, "uint8"):
                video.add(self.image.astype(float))
        with self.assertRaisesRegex(sinew.InputError, "finished"):
            video.add(self.image)
        with self.assertRaisesRegex(sinew.InputError, "no pictures"):
            with sinew.Video(self.folder / "b.gif"):
                pass
        with self.assertRaises(ZeroDivisionError):
            with sinew.Video(self.folder / "c.gif") as video:
                video.add(self.image)
                1 / 0
        self.assertEqual([path.name for path in self.folder.iterdir()], ["a.gif"])

    def test_wrong_arguments(self):
        with self.assertRaisesRegex(sinew.InputError, "expected one of: .mp4, .webm, .gif"):
            sinew.Video("a.avi")
        with self.assertRaisesRegex(sinew.InputError, "folder"):
            sinew.Video("/none/a.mp4")
        with self.assertRaisesRegex(sinew.InputError, "fps"):
            sinew.Video("a.mp4", fps=0)

    def test_without_ffmpeg(self):
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = str(self.folder)
        with self.assertRaisesRegex(sinew.SimulationError, "package ffmpeg") as caught:
            sinew.Video(self.folder / "a.mp4")
        self.assertEqual(caught.exception.code, "E-program")


class View(unittest.TestCase):

    def test_the_page(self):
        sim = scene([[0, 1, 0]])
        view = sinew.view(sim)
        self.assertIn(f'<iframe src="{view.url}"', view._repr_html_())
        self.assertIs(sinew.view(sim), view)
        sim.step()
        view.close()
        again = sinew.view(sim)
        self.assertIsNot(again, view)
        again.close()


if __name__ == "__main__":
    sys.exit(unittest.main())
