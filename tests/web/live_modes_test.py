"""sinew live on dense modes in the browser: a floating body of substructures is pulled, and the page says what moves it.

Usage: live_modes_test.py SINEW [unittest arguments]
"""

import json

import numpy as np

from live_browser import LiveTest
from live_page_test import until
from runs import SINEW  # noqa: F401: takes the binary from the arguments


def floating():
    """Without weight: a bar that floats, in front of a smaller one that is held at an end."""
    bar = lambda size, cells, z: {"mesh": {"box": {"size": size, "cells": cells}}, "material": "rubber",
                                  "transform": {"translate": [0, 0, z]}}
    return {
        "sinew": 1, "name": "floating", "gravity": [0, 0, 0], "time": {"step": 0.01},
        "materials": {"rubber": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000}},
        "bodies": [
            {"name": "free", **bar([0.8, 0.2, 0.2], [12, 3, 3], 0)},
            {"name": "held", **bar([0.6, 0.1, 0.1], [9, 2, 2], -0.4),
             "fix": [{"box": [[-1, -1, -1], [-0.29, 1, 1]]}]}],
        "solver": {"method": "reduced", "subspace": "inertia_derivatives", "handles": 9, "domains": 4,
                   "cubature": "modal_forces"}}


class LiveModes(LiveTest):
    def places(self, body):
        return np.reshape(self.js("return sinew.places(arguments[0]);", body), (-1, 3))

    def test_a_floating_body_of_substructures_follows_a_drag(self):
        path = self.root / "floating.json"
        path.write_text(json.dumps(floating()))
        self.start("--set", "solver.iterations=0", scene=path)
        self.assertEqual(self.js("return document.querySelector('[data-key=\"solver.iterations\"] input').value;"), "0")
        for words in ("inertia_derivatives", "up to 9 in each of 4 domains", "modal_forces"):
            self.assertIn(words, self.browser.text("#live-subspace"))
        self.assertFalse(self.js("return sinew.reduced(0);"))  # frames hold positions
        rest, held = self.places(0), self.places(1)
        self.js("sinew.send({type: 'record', on: true});")
        until(lambda: self.js("return !document.getElementById('live-folder').hidden;"), what="no recording began")
        self.assertEqual(self.drag(0.02), 0)
        self.assertGreater(np.linalg.norm((self.places(0) - rest).mean(axis=0)), 0.005)
        self.assertTrue(np.isfinite(self.places(0)).all())
        self.assertLess(np.abs(self.places(1) - held)[held[:, 0] < -0.29].max(), 1e-4)

        # A method that these modes cannot have is refused, others take over and give back.
        self.js("sinew.send({type: 'method', name: 'mixed'});")
        until(lambda: 'method "mixed" needs' in self.browser.text("#live-method-refused"), what="mixed was not refused")
        self.assertEqual(self.status()["method"], "reduced")
        for method, shown in (("newton", False), ("reduced", True)):
            self.js("sinew.send({type: 'method', name: arguments[0]});", method)
            until(lambda: self.status()["method"] == method, what=f"method {method}")
            self.assertEqual(bool(self.browser.text("#live-subspace")), shown)
        self.assertEqual(self.browser.complaints(), [])

        self.js("sinew.send({type: 'record', on: false});")
        page = self.root / "live_1/report.html"
        until(lambda: page.exists() and (self.root / "live_1/script.json").exists(), what="no recording")
        self.open("#tab=summary", page)
        for words in ("inertia_derivatives", "up to 9 in each of 4 domains", "coordinates of the mesh"):
            self.assertIn(words, self.browser.text("#page-summary"))
        self.assertEqual(self.browser.complaints(), [])


if __name__ == "__main__":
    import unittest

    unittest.main()
