"""Format wav: the spectrum of a struck bar and of a struck bell has its peaks at the modes' frequencies."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sinew.__file__).resolve().parents[2] / "bin" / "sinew"


def read_wav(path):
    """Samples a second, and samples x 2, by the chunks of a WAV file of floats."""
    data = path.read_bytes()
    assert data[:4] == b"RIFF" and data[8:12] == b"WAVE"
    assert int.from_bytes(data[4:8], "little") == len(data) - 8
    chunks, at = {}, 12
    while at < len(data):
        size = int.from_bytes(data[at + 4:at + 8], "little")
        chunks[data[at:at + 4]] = data[at + 8:at + 8 + size]
        at += 8 + size + size % 2
    head = chunks[b"fmt "]
    assert int.from_bytes(head[:2], "little") == 3  # floats
    assert int.from_bytes(head[2:4], "little") == 2
    return int.from_bytes(head[4:8], "little"), np.frombuffer(chunks[b"data"], "<f4").reshape(-1, 2)


def peaks(samples, rate, count):
    """Frequencies [Hz] of the highest maxima of the spectrum, each the largest within 5 % of it so that lobes of the window
    do not count, by the parabola through three bins."""
    size = 4 * len(samples)
    spectrum = np.log(np.abs(np.fft.rfft(samples * np.hanning(len(samples)), size)) + 1e-30)
    first = int(20 * size / rate)
    order = first + np.argsort(spectrum[first:-1])[::-1]
    taken = np.zeros(len(spectrum), bool)
    found = []
    for k in order:
        if len(found) == count:
            break
        if not taken[k] and spectrum[k - 1] <= spectrum[k] >= spectrum[k + 1]:
            a, b, c = spectrum[k - 1:k + 2]
            found.append((k + (a - c) / (2 * (a - 2 * b + c))) * rate / size)
            taken[int(k / 1.05):int(k * 1.05) + 1] = True
    return np.array(found)


def run(folder, scene, *options):
    subprocess.run([PROGRAM, "run", scene, "-o", folder, "--quiet", "--set", 'output.formats=["wav"]', *options], check=True)
    return read_wav(pathlib.Path(folder) / "sound.wav")


def frequencies(scene, count):
    """As `sinew modes` prints them [Hz]."""
    text = subprocess.run([PROGRAM, "modes", scene, "--count", str(count)], check=True, capture_output=True, text=True)
    rows = [line.split() for line in text.stdout.splitlines()[1:-1]]
    return np.array([float(row[1]) for row in rows if row[1] != "rigid"])


class Sound(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def test_what_is_struck_has_the_frequencies_of_its_modes(self):
        for name, steps, count in ("struck_bar", 40, 5), ("struck_wire", 60, 3):
            scene = ROOT / "scenes" / f"{name}.json"
            rate, samples = run(self.root / name, scene, "--steps", str(steps))
            self.assertEqual(rate, 44100)
            self.assertAlmostEqual(abs(samples).max(), 0.891, delta=0.001)
            modes = frequencies(scene, 40)
            found = peaks(samples[len(samples) // 20:].sum(1), rate, count)
            for f in found:
                with self.subTest(f"{name}, peak at {f:.1f} Hz"):
                    self.assertLess(abs(modes / f - 1).min(), 0.01)
            # The lowest bending mode is among them.
            self.assertLess(abs(found / modes[0] - 1).min(), 0.01)

    def test_the_level_hardly_depends_on_the_step(self):
        scene = ROOT / "scenes" / "struck_bar.json"
        lowest = frequencies(scene, 13)[0]
        levels = []
        for step, steps in ("2e-3", "15"), ("1e-3", "30"), ("2e-4", "150"):
            rate, samples = run(self.root / step, scene, "--steps", steps, "--set", f"time.step={step}", "--set", "output.sound.gain=1",
                                "--set", "output.checkpoint=0")
            second = samples[:rate].sum(1) * np.hanning(rate)
            levels.append(abs((second * np.exp(-2j * np.pi * lowest * np.arange(rate) / rate)).sum()))
        self.assertLess(max(levels) / min(levels), 1.1)

    def test_a_bell_rings_longer_with_less_damping(self):
        ball = {"name": "bell", "mesh": {"torus": {"radius": 0.05, "tube": 0.006, "size": 0.006, "axis": "y"}},
                "material": "bronze", "transform": {"translate": [0, 0.02, 0]}, "velocity": [0, -1, 0]}
        scene = {"time": {"step": 1e-3, "steps": 60}, "materials": {"bronze": {"young": 1e11, "poisson": 0.34, "density": 8800}},
                 "bodies": [ball], "obstacles": [{"plane": {"point": [0, 0, 0], "normal": [0.2, 1, 0]}}], "contact": {"distance": 2e-4},
                 "output": {"sound": {"tail": 1.5, "gain": 1}}}
        path = self.root / "bell.json"
        levels = []
        for ratio in (0.0005, 0.005):
            scene["output"]["sound"]["damping_ratio"] = ratio
            path.write_text(json.dumps(scene))
            rate, samples = run(self.root / str(ratio), path)
            levels.append(np.sqrt((samples[rate // 2:rate]**2).mean()) / abs(samples).max())
        self.assertGreater(levels[0], 3 * levels[1])
        found = peaks(samples.sum(1), rate, 1)
        self.assertLess(abs(frequencies(path, 30) / found - 1).min(), 0.01)


if __name__ == "__main__":
    unittest.main()
