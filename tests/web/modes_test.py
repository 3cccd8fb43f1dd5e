"""The page of modes in a browser: it shows the modes that were written, moves them, and tells their frequencies.

Usage: modes_test.py SINEW [unittest arguments]
"""

import base64
import json
import os
import pathlib
import re
import subprocess
import time
import unittest
import zlib

import numpy as np

from browser import PageTest
from runs import SINEW, run, scene

COUNT = 16
LEVELS = 65534


def make(page, content, *options):
    """Writes the page and the modes beside it; returns what the command printed of each mode."""
    path = page.with_suffix(".json")
    path.write_text(json.dumps(content))
    words = [SINEW, "modes", str(path), "--html", str(page), "-o", str(page.with_suffix(".npz")), *options]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "XDG_CACHE_HOME": str(page.parent / "cache")})
    if done.returncode != 0:
        raise AssertionError(f"sinew ended with {done.returncode}: {done.stderr}")
    return [match[1] for match in re.finditer(r"^ +\d+ +(\S+)$", done.stdout, re.M)]


def pieces(page, name):
    """Headers and data of a blob in the page."""
    text = re.search(rf'id="sinew-{name}">(.*?)</script>', page.read_text(), re.S).group(1)
    array = json.loads(text)
    return array[::2], [zlib.decompress(base64.b64decode(data)) if data else b"" for data in array[1::2]]


def sequences(data, counts):
    """The 16-bit numbers of sequences of some lengths, from differences whose low bytes come first."""
    total = sum(counts)
    low, high = (np.frombuffer(data, np.uint8, total, k * total).astype(np.uint16) for k in (0, 1))
    differences, levels, at = low | high << 8, [], 0
    for count in counts:
        levels.append(np.cumsum(differences[at:at + count], dtype=np.uint16))
        at += count
    return levels


def integers(data):
    """Numbers from zigzag differences in 4 byte planes."""
    coded = sum(np.frombuffer(plane, np.uint8).astype(np.int64) << 8 * k
                for k, plane in enumerate(data[k * len(data) // 4:(k + 1) * len(data) // 4] for k in range(4)))
    return np.cumsum((coded >> 1) ^ -(coded & 1))


class Modes(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        content = scene()
        content["bodies"][1]["fix"] = [{"halfspace": {"point": [0, 0.165, 0], "normal": [0, 1, 0]}}]
        cls.page = cls.root / "modes.html"
        cls.printed = make(cls.page, content, "--count", str(COUNT))
        cls.file = np.load(cls.page.with_suffix(".npz"))

    def surface(self):
        """In the file's numbering, the vertices at the surface of all bodies, by their places."""
        shapes = self.browser.run("return sinew.shapes.map((s, k) => sinew.header.objects[k].kind === 'body'"
                                  "  ? [...s.positions].map((c, i) => c + sinew.origin[i % 3]) : []);")
        points = np.concatenate([np.reshape(shape, (-1, 3)) for shape in shapes])
        distances = np.linalg.norm(points[:, None] - self.file["rest"][None], axis=2)
        self.assertLess(distances.min(axis=1).max(), 1e-5)
        return distances.argmin(axis=1)

    def test_file_holds_the_modes(self):
        headers, data = pieces(self.page, "modes")
        facts = headers[0]
        self.assertEqual(facts["kind"], "linear")
        self.assertEqual(facts["values"], self.file["values"].tolist())
        self.assertEqual([header["mode"] for header in headers[1:]], list(range(1, COUNT + 1)))
        self.open()
        surface = self.surface()
        self.assertEqual(facts["vertices"], len(surface))
        order = integers(data[0])
        self.assertEqual(sorted(order), list(range(len(surface))))
        for mode in range(COUNT):
            low, high = np.frombuffer(data[mode + 1], "<f8", 2)
            levels = sequences(data[mode + 1][16:], 3 * [len(surface)])
            found = np.zeros((len(surface), 3))
            found[order] = low + (high - low) / LEVELS * np.array(levels).T
            wanted = self.file["modes"][:, mode].reshape(-1, 3)[surface]
            self.assertEqual(low, -high)
            self.assertLessEqual(np.abs(found - wanted).max(), 0.5001 * (high - low) / LEVELS)
            held = (wanted == 0).all(axis=1)
            self.assertLess(np.abs(found[held]).max(initial=0), 1e-12 * high)

    def test_opens_from_disk_without_complaint_or_network(self):
        self.open()
        self.assertEqual(self.browser.run("return document.title;"), "boxes – sinew")
        self.assertEqual(self.browser.complaints(), [])
        requests = [url for url in self.browser.requests() if not url.startswith(("data:", "about:", "blob:"))]
        self.assertEqual(requests, [self.page.resolve().as_uri()])
        state = self.browser.state()
        self.assertEqual((state["colorBy"], state["playing"]), ("displacement", True))
        self.assertIn(f"{COUNT} modes", self.browser.text("#badges").replace("\n", " "))
        self.assertIn("displacement", self.browser.text("#legend"))

    def test_list_has_the_printed_frequencies(self):
        self.open()
        rows = self.browser.run("return [...document.querySelectorAll('#mode-list > div')].map("
                                "(row) => [...row.children].map((cell) => cell.textContent));")
        self.assertEqual([int(number) for number, _ in rows], list(range(1, COUNT + 1)))
        self.assertEqual([text for _, text in rows].count("rigid"), 6)
        self.assertEqual(self.browser.text("#mode-column"), "frequency [Hz]")
        for (_, text), printed in zip(rows, self.printed, strict=True):
            if printed == "rigid":
                self.assertEqual(text, "rigid")
            else:
                self.assertAlmostEqual(float(text), float(printed), delta=1e-3 * float(printed))
        self.assertEqual(self.browser.state()["step"], 7)  # the first that bends

    def places(self):
        return np.concatenate([np.reshape(self.browser.run("return [...sinew.places(arguments[0])];", body), (-1, 3))
                               for body in (0, 1)])

    def rest(self):
        return np.concatenate([np.reshape(self.browser.run("return [...sinew.shapes[arguments[0]].positions];", body),
                                          (-1, 3)) for body in (0, 1)])

    def test_surface_follows_the_mode(self):
        self.open("#mode=9&play=0&amplitude=20")
        self.assertEqual(self.browser.run("return sinew.ignored;"), [])
        surface, rest = self.surface(), self.rest()
        lower = self.browser.run("return sinew.header.objects[0].vertices;")
        for mode, phase in ((9, 0.25), (9, 0.6), (9, 0), (11, 0.75)):
            self.browser.goto(mode)
            self.browser.run("sinew.set({phase: arguments[0]});", phase)
            u = self.file["modes"][:, mode - 1].reshape(-1, 3)[surface]
            moved = [part for part in (slice(lower), slice(lower, None))
                     if np.linalg.norm(u[part], axis=1).max() > 1e-3 * np.linalg.norm(u, axis=1).max()]
            points = np.concatenate([rest[part] for part in moved])
            diagonal = np.linalg.norm(np.ptp(points, axis=0))
            u *= 0.2 * diagonal * np.sin(2 * np.pi * phase) / np.linalg.norm(u, axis=1).max()
            self.assertLess(np.abs(self.places() - rest - u).max(), 1e-4 * diagonal)

    def hidden(self, name):
        return self.browser.run("return document.getElementById(arguments[0]).offsetHeight;", name) == 0

    def test_tells_which_bodies_a_mode_moves(self):
        self.open("#play=0&mode=1")  # rigid: of the body that nothing holds
        self.assertEqual(self.browser.text("#mode-bodies"), "Moves lower.")
        self.assertTrue(self.hidden("mode-rigid"))

    def test_says_what_shows_more_where_all_is_rigid(self):
        page = self.root / "rigid.html"
        make(page, scene(), "--count", "6")
        self.open(page=page)
        self.assertFalse(self.hidden("mode-rigid"))
        self.assertIn("--count 32", self.browser.text("#mode-rigid"))
        self.assertEqual(self.browser.complaints(), [])

    def test_moves_while_it_plays(self):
        self.open("#period=1")
        first = self.places()
        moved = 0
        for _ in range(10):  # one look may come after a whole period
            time.sleep(0.13)
            moved = max(moved, np.abs(self.places() - first).max())
        self.assertGreater(moved, 1e-3)
        self.browser.key(" ")
        self.assertFalse(self.browser.state()["playing"])
        third = self.places()
        time.sleep(0.2)
        self.assertEqual(np.abs(self.places() - third).max(), 0)
        self.assertEqual(self.browser.complaints(), [])

    def test_picture_changes_with_time_mode_and_amplitude(self):
        base = "#bare=1&legend=0&play=0&"
        pictures = []
        for wish in ("mode=8", "mode=8&phase=0.75", "mode=9", "mode=8&amplitude=25", "mode=8&color=body"):
            self.open(base + wish)
            picture = self.browser.pixels()
            for other in pictures:
                self.assertGreater((np.abs(picture - other).max(axis=2) > 30).sum(), 50, wish)
            pictures.append(picture)
        self.assertEqual(self.browser.complaints(), [])

    def test_modes_by_list_keys_slider_plot_and_address(self):
        self.open("#mode=3&play=0")
        self.assertEqual(self.browser.state()["step"], 3)
        self.assertIn("mode 3", self.browser.text("#mode-name"))
        self.assertIn("rigid", self.browser.text("#mode-name"))
        for key, mode in (("ArrowRight", 4), ("ArrowDown", 5), ("ArrowUp", 4), ("ArrowLeft", 3), ("PageDown", 13),
                          ("End", COUNT), ("ArrowRight", COUNT), ("Home", 1)):
            self.browser.key(key)
            self.assertEqual(self.browser.state()["step"], mode, key)
        self.browser.run("document.getElementById('mode-12').click();")
        self.assertEqual(self.browser.state()["step"], 12)
        chosen = self.browser.run("return [...document.querySelectorAll('#mode-list [aria-selected=true]')]"
                                  ".map((row) => row.id);")
        self.assertEqual(chosen, ["mode-12"])
        self.browser.run("const s = document.getElementById('mode-slider'); s.value = 5;"
                         "s.dispatchEvent(new Event('input'));")
        self.assertEqual(self.browser.state()["step"], 5)
        self.browser.run("""
            const picture = document.querySelector('#plot-modes svg'), rect = picture.getBoundingClientRect();
            picture.dispatchEvent(new MouseEvent('click', {clientX: rect.right, clientY: rect.top + 50}));""")
        self.assertEqual(self.browser.state()["step"], COUNT)
        self.assertIn(f"mode {COUNT}", self.browser.text("#plot-modes"))
        for wrong in ("mode=0", f"mode={COUNT + 1}", "mode=x", "amplitude=-1", "period=0", "phase=2", "color=von_mises",
                      "step=3", "tab=plots", "range=0:1"):
            self.open("#" + wrong)
            self.assertEqual(self.browser.run("return sinew.ignored;"), [wrong])

    def test_sliders_of_the_motion(self):
        self.open("#play=0&mode=7")
        for name, value, key, wanted in (("amplitude", 25, "amplitude", 0.25), ("period", 4, "period", 4)):
            self.browser.run("const s = document.getElementById(arguments[0]); s.value = arguments[1];"
                             "s.dispatchEvent(new Event('input'));", name, value)
            self.assertEqual(self.browser.state()[key], wanted)
        self.assertEqual(self.browser.text("#amplitude-value"), "25 %")
        frequency = float(self.printed[6])
        times = float(re.search(r"(\S+) times slower", self.browser.text("#slowed")).group(1))
        self.assertAlmostEqual(times, 4 * frequency, delta=0.01 * times)
        self.browser.key("]")
        self.assertEqual(self.browser.state()["period"], 2)

    def test_a_click_reads_the_displacement(self):
        self.open("#play=0&mode=7&fit=lower&panel=0&phase=0")
        self.browser.run("""
            const canvas = document.querySelector('#view canvas'), rect = canvas.getBoundingClientRect();
            const place = {clientX: rect.left + rect.width / 2, clientY: rect.top + rect.height / 2, button: 0,
                           bubbles: true, pointerId: 1, isPrimary: true};
            canvas.setPointerCapture = canvas.releasePointerCapture = () => {};
            canvas.dispatchEvent(new PointerEvent('pointerdown', place));
            canvas.dispatchEvent(new PointerEvent('pointerup', place));""")
        self.assertEqual(self.browser.state()["probe"]["object"], 0)
        for text in ("lower", "x at rest", "displacement z"):
            self.assertIn(text, self.browser.text("#probe"))

    def test_dark_summary_and_still_where_motion_disturbs(self):
        self.browser.scheme("dark")
        self.open("#tab=summary")
        self.assertEqual(self.browser.run("return document.documentElement.dataset.theme;"), "dark")
        for part in ("linear modes", "lowest frequency", "rounding"):
            self.assertIn(part, self.browser.text("#page-summary"))
        self.browser.features({"prefers-reduced-motion": "reduce"})
        self.open()
        self.assertFalse(self.browser.state()["playing"])
        self.assertEqual(self.browser.complaints(), [])

    def test_modes_of_frames_have_shares(self):
        content = scene()
        content["time"]["steps"] = 6
        run(self.root / "out", content)
        page = self.root / "pod.html"
        printed = make(page, content, "--kind", "pod", "--frames", str(self.root / "out"), "--count", "3")
        self.open("#tab=modes", page)
        self.assertEqual(self.browser.text("#mode-column"), "share of energy")
        rows = self.browser.run("return [...document.querySelectorAll('#mode-list > div > :last-child')]"
                                ".map((cell) => cell.textContent);")
        for text, share in zip(rows, printed, strict=True):
            self.assertAlmostEqual(float(text), float(share), delta=1e-4)
        self.assertEqual(self.browser.state()["step"], 1)
        self.assertEqual(self.browser.text("#slowed"), "")
        self.assertEqual(self.browser.complaints(), [])

    def test_screenshot_script_makes_the_same_picture_again(self):
        script = pathlib.Path(__file__).resolve().parents[2] / "scripts/screenshot"
        pictures = []
        for name in ("a.png", "b.png"):
            subprocess.run([script, self.page, self.root / name, "--set", "mode=8", "--size=320x200"], check=True,
                           timeout=120)
            pictures.append((self.root / name).read_bytes())
        self.assertEqual(*pictures)
        for wrong, text in ((f"--set=mode={COUNT + 1}", f"cannot show mode={COUNT + 1}; .*, modes 1 to {COUNT}$"),
                            ("--step=3", "the page of modes has no steps; leave step out")):
            refused = subprocess.run([script, self.page, self.root / "c.png", wrong], capture_output=True, text=True,
                                     timeout=120)
            self.assertNotEqual(refused.returncode, 0)
            self.assertRegex(refused.stderr.strip(), text)


if __name__ == "__main__":
    unittest.main()
