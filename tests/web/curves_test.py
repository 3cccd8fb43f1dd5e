"""Curves of materials drawn by hand in the page of sinew live, and fits in the page of a run.

Usage: curves_test.py SINEW [unittest arguments]
"""

import json
import re
import subprocess
import time

import numpy as np

from runs import SINEW, run
from live_browser import LiveTest, SCENES
from live_page_test import until

A = {"x": [0.5, 0.8, 1, 1.25, 2], "dy": [-4e5, -1.4e5, 0, 1.5e5, 5e5]}


def bar(**material):
    """A bar that hangs from a wall."""
    return {
        "name": "bar", "time": {"step": 0.02, "steps": 1000},
        "materials": {"drawn": material or {
            "model": "spline", "a": A, "c": {"x": [0.5, 1, 2], "dy": [-1e5, 0, 2e5]}}},
        "bodies": [{"name": "bar", "mesh": {"box": {"size": [0.2, 0.05, 0.05], "cells": [8, 2, 2]}}, "material": "drawn",
                    "fix": [{"halfspace": {"point": [-0.0999, 0, 0], "normal": [-1, 0, 0]}}]}],
        "solver": {"method": "newton"}, "output": {"formats": ["html"]},
    }


def monotone(x, y, at):
    """Cubics with the slopes of Fritsch and Butland (1984) inside and three-point ones at the ends; linear beyond."""
    x, y = np.array(x, float), np.array(y, float)
    h, s = np.diff(x), np.diff(y) / np.diff(x)
    m = np.zeros(len(x))
    for i in range(1, len(x) - 1):
        if s[i - 1] * s[i] > 0:
            w1, w2 = h[i - 1] + 2 * h[i], 2 * h[i - 1] + h[i]
            m[i] = (w1 + w2) / (w1 / s[i - 1] + w2 / s[i])
    for i, (n, f) in ((0, (0, 1)), (-1, (-1, -2))):
        v = ((2 * h[n] + h[f]) * s[n] - h[n] * s[f]) / (h[n] + h[f])
        m[i] = 0 if v * s[n] <= 0 else 3 * s[n] if s[n] * s[f] <= 0 and abs(v) > 3 * abs(s[n]) else v
    result = []
    for a in np.atleast_1d(at):
        if a <= x[0] or a >= x[-1]:
            i = 0 if a <= x[0] else -1
            result.append(y[i] + m[i] * (a - x[i]))
            continue
        i = np.searchsorted(x, a, side="right") - 1
        t = a - x[i]
        q, r = (3 * s[i] - 2 * m[i] - m[i + 1]) / h[i], (m[i] + m[i + 1] - 2 * s[i]) / h[i]**2
        result.append(y[i] + t * (m[i] + t * (q + t * r)))
    return np.array(result)


class Curves(LiveTest):
    def setUp(self):
        super().setUp()
        self.browser.size(1100, 1300)

    def live(self, content, *options):
        path = self.root / "bar.json"
        path.write_text(json.dumps(content))
        self.start(*options, scene=path)
        until(lambda: self.editor()["material"] is not None, what="no curves were told")
        return path

    def editor(self):
        return self.js("return sinew.curves();")

    def points(self, curve="a"):
        """As the server told them last."""
        curves = self.editor()["materials"]["drawn"]["curves"]
        found = next(c for c in curves if c["name"] == curve)
        return list(zip(found["x"]["values"], found["dy"]["values"])) if "values" in found["x"] else None

    def settled(self):
        until(lambda: not self.editor()["waiting"], what="an edit was not answered")

    def problem(self):
        return self.js("const p = document.querySelector('.editor .warning'); return p.hidden ? '' : p.innerText;")

    def on_screen(self):
        self.js("document.querySelector('.editor').scrollIntoView({block: 'center'});")

    def where(self, point):
        self.on_screen()
        return self.js("return sinew.curvePlace(arguments[0]);", point)

    def mouse(self, kind, x, y, clicks=1):
        self.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "button": "left", "buttons": 0 if kind == "mouseReleased" else 1,
            "clickCount": clicks})

    def drag_point(self, point, dx, dy, touch=False):
        x, y = self.where(point)
        if touch:
            send = lambda kind, *at: self.browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": a, "y": b} for a, b in at]})
            send("touchStart", (x, y))
            for k in range(1, 9):
                send("touchMove", (x + dx * k / 8, y + dy * k / 8))
            send("touchEnd")
        else:
            self.mouse("mousePressed", x, y)
            for k in range(1, 9):
                self.mouse("mouseMoved", x + dx * k / 8, y + dy * k / 8)
                time.sleep(0.02)
            self.mouse("mouseReleased", x + dx, y + dy)
        self.settled()

    def tip(self):
        count = self.js("return sinew.header.objects[0].vertices;")
        places = np.array(self.js("return sinew.places(0);")).reshape(count, 3)
        return places[places[:, 0].argmax(), 1]

    def still(self):
        last = [self.tip()]

        def holds():
            time.sleep(0.3)
            last.append(self.tip())
            return abs(last[-1] - last[-2]) < 5e-5
        until(holds, 40, what="the bar did not come to rest")
        return last[-1]

    def test_a_dragged_point_changes_the_body(self):
        self.live(bar())
        before, drawn = self.still(), self.points()
        x, y = self.where(3)
        self.drag_point(3, 0, self.where(2)[1] - y - 8)  # almost down to zero: a soft bar
        after = self.points()
        self.assertEqual([p for k, p in enumerate(after) if k != 3], [p for k, p in enumerate(drawn) if k != 3])
        self.assertLess(after[3][1], 0.3 * drawn[3][1])
        self.assertGreater(after[3][1], 0)
        until(lambda: self.tip() < before - 0.004, 30, what="the bar did not sag")
        self.js("document.querySelector('.editor button[title^=\"Undo\"]').click();")
        until(lambda: self.points() == drawn, what="the edit was not taken back")
        until(lambda: abs(self.tip() - before) < 1e-3, 30, what="the bar did not rise again")
        self.assertEqual(self.browser.complaints(), [])

    def test_fingers_keys_and_numbers(self):
        self.live(bar(), "--paused")
        drawn = self.points()
        self.browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        self.drag_point(4, 0, -30, touch=True)
        self.browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        self.assertGreater(self.points()[4][1], drawn[4][1])
        key = lambda name, **more: (self.browser.key(name, **more), self.settled())
        self.js("document.querySelectorAll('.editor .handle')[1].focus();")
        before = self.points()[1]
        key("ArrowUp")
        one = self.points()[1]
        self.assertGreater(one[1], before[1])
        self.assertEqual(one[0], before[0])
        key("ArrowLeft", shiftKey=True)
        self.assertLess(self.points()[1][0], before[0])
        self.assertEqual(self.js("return [...document.querySelectorAll('.editor .handle')].indexOf(document.activeElement);"), 1)
        key("Delete")
        self.assertEqual(len(self.points()), 4)
        key("Insert")
        self.assertEqual(len(self.points()), 5)
        # A double-click on the picture adds a point there.
        (x0, y0), (x1, y1) = self.where(3), self.where(4)
        x, y = x0 + 0.4 * (x1 - x0), y0 + 0.5 * (y1 - y0)
        for clicks in (1, 2):
            self.mouse("mousePressed", x, y, clicks)
            self.mouse("mouseReleased", x, y, clicks)
        self.settled()
        points = self.points()
        self.assertEqual(len(points), 6)
        self.assertTrue(points[3][0] < points[4][0] < points[5][0] and points[3][1] < points[4][1] < points[5][1])
        # Numbers as typed, in the unit that is shown.
        self.js("""const [x, y] = document.querySelectorAll('.editor .point input');
                   x.focus(); x.value = '1.5'; x.dispatchEvent(new Event('change'));""")
        self.settled()
        self.assertEqual(self.points()[4][0], 1.5)
        self.assertEqual(self.problem(), "")
        self.assertEqual(self.browser.complaints(), [])

    def test_refused_edits_snap_back_unless_they_are_mended(self):
        self.live(bar(), "--paused")
        drawn = self.points()
        self.drag_point(2, 0, -40)  # stress at rest
        self.assertRegex(self.problem(), r"a'\(1\) \+ 2 b'\(1\) \+ c'\(1\) is .* Pa, but it must be 0")
        self.assertEqual(self.points(), drawn)
        self.assertEqual([[p["x"], p["y"]] for p in self.editor()["points"]], [list(p) for p in drawn])
        self.js("""const x = document.querySelector('.editor .point input');
                   x.focus(); x.value = '1.9'; x.dispatchEvent(new Event('change'));""")
        self.settled()
        self.assertIn("the stretches must ascend", self.problem())
        self.assertEqual(self.points(), drawn)
        self.js("document.getElementById('curves-mend').click();")
        self.settled()
        self.drag_point(2, 0, -10)
        self.assertEqual(self.problem(), "")
        rest = dict(self.points())[1]
        self.assertGreater(rest, 0)
        self.assertAlmostEqual(dict(self.points("c"))[1], -rest, delta=1e-9 * rest)
        self.assertEqual(self.browser.complaints(), [])

    def test_the_picture_is_what_the_engine_computes(self):
        self.live(bar(), "--paused")
        places = np.array([self.where(k) for k in range(len(A["x"]))])
        path = self.js("""const paths = [...document.querySelectorAll('.editor path.line')];
                          const rect = document.querySelector('.editor svg').getBoundingClientRect();
                          return [rect.left, rect.top, ...paths.map((p) => p.getAttribute('d'))];""")
        shift, pieces = np.array(path[:2]), path[2:]
        self.assertEqual(len(pieces), 3)
        across = np.polyfit(places[:, 0], A["x"], 1)
        up = np.polyfit(places[:, 1], A["dy"], 1)
        for piece in pieces:
            drawn = np.array([list(map(float, p.split(","))) for p in re.findall(r"[\d.-]+,[\d.-]+", piece)]) + shift
            expected = monotone(**{"x": A["x"], "y": A["dy"]}, at=np.polyval(across, drawn[:, 0]))
            found = np.polyval(up, drawn[:, 1])
            self.assertLess(abs(found - expected).max(), 0.012 * 5e5)  # a pixel
        for curve in self.editor()["materials"]["drawn"]["response"]:
            l, stress = np.array(curve["stretch"]), np.array(curve["stress"])
            free = {"uniaxial": l**-0.5, "biaxial": l**-2, "shear": 1 / l}[curve["experiment"]]
            a = lambda s: monotone(A["x"], A["dy"], s)
            np.testing.assert_allclose(stress, a(l) - a(free) * free / l, rtol=1e-4, atol=5)

    def test_curves_come_and_go(self):
        self.live(bar(), "--paused")
        click = lambda text: self.js("""[...document.querySelectorAll('.editor .kinds button')]
                                            .find((b) => b.innerText === arguments[0]).click();""", text)
        self.assertIsNone(self.points("b"))
        click("+ b′")
        self.settled()
        self.assertEqual(self.points("b"), [(0.5, 0), (1, 0), (2, 0)])
        self.assertEqual(self.editor()["curve"], "b")
        click("− b′")
        self.settled()
        self.assertIsNone(self.points("b"))
        self.assertEqual(self.editor()["curve"], "a")
        click("c′")
        self.assertEqual(len(self.editor()["points"]), 3)
        self.assertEqual(self.browser.complaints(), [])

    def test_recordings_of_edits_replay(self):
        scene = self.live(bar())
        self.js("sinew.send({type: 'record', on: true});")
        until(lambda: (self.root / "live_1/steps.jsonl").exists())
        self.drag_point(3, 0, 30)
        self.drag_point(4, -10, 20)
        step = self.status()["step"]
        until(lambda: self.status()["step"] > step + 5)
        self.js("sinew.send({type: 'record', on: false});")
        script = self.root / "live_1/script.json"
        until(script.exists, what="no recording")
        events = json.loads(script.read_text())["events"]
        self.assertGreaterEqual(sum(event["type"] == "curves" for event in events), 2)
        out = self.root / "again"
        subprocess.run([SINEW, "run", scene, "--script", script, "-o", out], check=True, capture_output=True, timeout=120)
        rows = lambda folder: [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]
        first, second = rows(self.root / "live_1"), rows(out)
        self.assertEqual(len(first), len(second))
        self.assertEqual([row["energies"] for row in first], [row["energies"] for row in second])

    def test_fits_are_shown_beside_what_was_measured(self):
        name = "rubber_uniaxial.csv"
        (self.root / name).write_text((SCENES / "data" / name).read_text())
        content = bar(model="neo_hookean", from_data={"file": "rubber_uniaxial.csv", "poisson": 0.45})
        self.live(content, "--paused")
        text = lambda: self.browser.text("#live-curves .residuals")
        self.assertRegex(text(), r"uniaxial: residual 788 kPa, 13 % \(25 points of rubber_uniaxial.csv\)")
        self.assertEqual(self.js("return document.querySelectorAll('#live-curves circle.measured').length;"), 25)
        self.assertTrue(self.js("return document.querySelector('.editor').hidden;"))
        before = text()
        self.js("sinew.send({type: 'set', key: 'materials.drawn.mu', value: 1e6});")
        until(lambda: text() != before, what="the residual did not follow the slider")
        content["time"]["steps"] = 1
        run(self.root / "fit", content)
        self.open("#tab=plots", page=self.root / "fit/report.html")
        self.assertIn("residual 788 kPa, 13 %", self.browser.text("#plots-fits"))
        self.assertEqual(self.js("return document.querySelectorAll('#plots-fits circle.measured').length;"), 25)
        self.assertEqual(self.browser.complaints(), [])


if __name__ == "__main__":
    import unittest

    unittest.main()
