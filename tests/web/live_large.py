"""sinew live of half a million tets in the browser: a drag, frames of some hundred bytes, methods, a recording.

Usage: live_large.py SINEW [unittest arguments]
"""

import json

import numpy as np

from live_browser import LiveTest
from live_page_test import until

PATIENCE = 120  # seconds for what takes a basis, or a picture by a processor


class LiveLarge(LiveTest):
    def test_half_a_million_tets(self):
        self.start("--set", "gravity=[0,0,0]", "--set", "bodies.0.acceleration=[0,0,0]", size="large", seconds=PATIENCE)
        self.assertEqual(self.status()["method"], "mixed")
        self.assertGreater(self.js("return sinew.header.objects.reduce((n, o) => n + o.vertices, 0);"), 15_000)
        self.assertLessEqual(self.status()["bytes"], 4096)
        self.drag(0.02, PATIENCE)
        self.js("sinew.send({type: 'record', on: true});")
        steps = self.root / "live_1/steps.jsonl"
        until(steps.exists, PATIENCE)
        recorded = lambda: len(steps.read_text().splitlines())
        for method in ("reduced", "mixed"):
            self.js("sinew.send({type: 'method', name: arguments[0]});", method)
            until(lambda: self.status()["method"] == method, PATIENCE, what=f"method {method}")
            count = recorded()
            until(lambda: recorded() > count + 5, PATIENCE, what=f"steps of {method}")
        self.js("sinew.send({type: 'record', on: false});")
        page = self.root / "live_1/report.html"
        until(lambda: page.exists() and (self.root / "live_1/script.json").exists(), PATIENCE, what="no recording")
        rows = [json.loads(line) for line in steps.read_text().splitlines()]
        self.assertGreater(len(rows), 10)
        solver = 1e3 * np.median([row["seconds"]["steps"] - row["seconds"]["output"] for row in rows])
        print(f"{self.status()['bytes']} bytes a frame, {self.status()['fps']:.2g} pictures a second, {solver:.3g} ms a step")
        self.assertLess(solver, 16)
        self.open(page=page)
        self.assertGreater(self.js("return sinew.header.objects.length;"), 0)


if __name__ == "__main__":
    import unittest

    unittest.main()
