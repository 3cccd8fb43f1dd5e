"""The page of a subspace in a browser: clusters, functions, blends and dots are those that were written.

Usage: subspace_test.py SINEW [unittest arguments]
"""

import json
import os
import pathlib
import subprocess
import unittest

import numpy as np

from browser import PageTest
from runs import SINEW, scene

HANDLES = 12


def make(page, content, *options):
    path = page.with_suffix(".json")
    path.write_text(json.dumps(content))
    done = subprocess.run([SINEW, "subspace", str(path), "--html", str(page), *options], capture_output=True,
                          text=True, timeout=300, env={**os.environ, "XDG_CACHE_HOME": str(page.parent / "cache")})
    if done.returncode != 0:
        raise AssertionError(f"sinew ended with {done.returncode}: {done.stderr}")


def linear(rgb):
    c = rgb / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055)**2.4)


class Subspace(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        content = scene()
        content["bodies"][0]["mesh"]["box"]["cells"] = [8, 8, 8]
        content["bodies"][1]["fix"] = [{"halfspace": {"point": [0, 0.165, 0], "normal": [0, 1, 0]}}]
        cls.page = cls.root / "subspace.html"
        make(cls.page, content, "--handles", str(HANDLES), "--cubature")

    def bodies(self):
        """Of each body its rows of (handle, weight), and of its triangles the clusters on both sides."""
        return self.browser.run("""
            const surfaces = sinew.subspace.bodies.map((b) => ({begin: [...b.begin], handles: [...b.handles],
                                                                weights: [...b.weights]}));
            return surfaces;""")

    def test_opens_from_disk_without_complaint_or_network(self):
        self.open()
        self.assertEqual(self.browser.run("return document.title;"), "boxes – sinew")
        self.assertEqual(self.browser.complaints(), [])
        requests = [url for url in self.browser.requests() if not url.startswith(("data:", "about:", "blob:"))]
        self.assertEqual(requests, [self.page.resolve().as_uri()])
        state = self.browser.state()
        self.assertEqual((state["colorBy"], state["dots"]), ("cluster", ["handles"]))
        self.assertIn(f"{HANDLES} clusters", self.browser.text("#badges").replace("\n", " "))
        self.assertIn(f"{HANDLES} clusters", self.browser.text("#legend"))

    def test_weights_at_the_surface(self):
        self.open()
        whole, held = self.bodies()
        for body, most_held in ((whole, 0), (held, 1)):
            begin, weights = body["begin"], np.array(body["weights"])
            self.assertTrue((weights > 0).all())
            sums = np.array([weights[a:b].sum() for a, b in zip(begin, begin[1:])])
            counts = np.diff(begin)
            self.assertTrue((sums <= 1 + counts.max() / 4095).all())
            free = sums[counts > 0]
            if most_held == 0:  # inner vertices of faces between clusters are among them
                self.assertTrue((free >= 1 - counts.max() / 4095).all(), free.min())
            else:
                self.assertEqual(sums.min(), 0)

    def test_neighbouring_clusters_differ(self):
        self.open()
        pairs, colors = self.browser.run("""
            const pairs = new Set();
            sinew.shapes.forEach(({regions}) => regions?.own.forEach((own, t) => {
              if (regions.beyond[t] >= 0) pairs.add(`${own} ${regions.beyond[t]}`);
            }));
            return [[...pairs], sinew.subspace.clusterColors];""")
        self.assertGreater(len(pairs), 5)
        for pair in pairs:
            own, beyond = map(int, pair.split())
            self.assertNotEqual(own, beyond)
            first, second = ([int(colors[c][k:k + 2], 16) for k in (1, 3, 5)] for c in (own, beyond))
            self.assertGreater(np.abs(np.subtract(first, second)).max(), 40, pair)

    def test_functions_are_largest_in_their_clusters(self):
        self.open()
        found = self.browser.run("""
            const shapes = sinew.shapes.filter((shape) => shape.regions);
            return sinew.subspace.bodies.map(({begin, handles, weights}, body) => {
              const {triangles, regions} = shapes[body];
              const best = {};
              triangles.forEach((v, corner) => {
                for (let k = begin[v]; k < begin[v + 1]; ++k) {
                  const entry = best[handles[k]] ??= {weight: -1, clusters: []};
                  if (weights[k] > entry.weight) Object.assign(entry, {weight: weights[k], clusters: []});
                  const t = Math.floor(corner / 3);
                  if (weights[k] === entry.weight) entry.clusters.push(regions.own[t], regions.beyond[t]);
                }
              });
              return best;
            });""")
        clusters = self.browser.run("return [...sinew.subspace.clusterOf];")
        self.assertEqual(sorted(clusters), list(range(HANDLES)))
        for body in found:
            for handle, entry in body.items():
                self.assertIn(clusters[int(handle)], entry["clusters"])

    def test_clusters_are_painted(self):
        self.open("#bare=1&legend=0&dots=")
        pixels = self.browser.pixels()
        solid = pixels[pixels[..., 3] > 250][:, :3]
        hues = {tuple((p // 48).tolist()) for p in solid[::7]}
        self.assertGreater(len(hues), 4)

    def test_functions_by_slider_keys_and_address(self):
        self.open("#handle=3")
        state = self.browser.state()
        self.assertEqual((state["handle"], state["colorBy"]), (2, "basis"))
        self.assertIn("function 3", self.browser.text("#handle-name"))
        self.browser.key("ArrowRight")
        self.assertEqual(self.browser.state()["handle"], 3)
        self.browser.key("End")
        self.assertEqual(self.browser.state()["handle"], HANDLES - 1)
        self.browser.key("ArrowRight")
        self.assertEqual(self.browser.state()["handle"], HANDLES - 1)
        self.browser.run("const s = document.getElementById('handle-slider'); s.value = 5;"
                         "s.dispatchEvent(new Event('input'));")
        self.assertEqual(self.browser.state()["handle"], 4)
        self.assertIn("handle 5", self.browser.text("#legend"))
        self.browser.run("document.getElementById('handle-all').click();")
        self.assertEqual(self.browser.state()["colorBy"], "cluster")
        for wrong in ("handle=0", f"handle={HANDLES + 1}", "color=von_mises", "tab=plots", "dots=x"):
            self.open("#" + wrong)
            self.assertEqual(self.browser.run("return sinew.ignored;"), [wrong])
            self.assertIn(wrong, self.browser.text("#link-notice"))

    def test_screenshot_script(self):
        script = pathlib.Path(__file__).resolve().parents[2] / "scripts/screenshot"
        picture = self.root / "picture.png"
        subprocess.run([script, self.page, picture, "--set", "handle=3", "--size=320x200"], check=True, timeout=120)
        picture.unlink()
        for wrong, text in ((f"--set=handle={HANDLES + 1}",
                             f"cannot show handle={HANDLES + 1}; .*, handles 1 to {HANDLES}$"),
                            ("--step=3", "the page of a subspace has no steps; leave step out")):
            refused = subprocess.run([script, self.page, picture, wrong], capture_output=True, text=True, timeout=120)
            self.assertNotEqual(refused.returncode, 0)
            self.assertRegex(refused.stderr.strip(), text)
            self.assertFalse(picture.exists())

    def click(self, x, y):
        self.browser.run("""
            const canvas = document.querySelector('#view canvas'), rect = canvas.getBoundingClientRect();
            const place = {clientX: rect.left + arguments[0], clientY: rect.top + arguments[1], button: 0,
                           bubbles: true, pointerId: 1, isPrimary: true};
            canvas.setPointerCapture = canvas.releasePointerCapture = () => {};
            canvas.dispatchEvent(new PointerEvent('pointerdown', place));
            canvas.dispatchEvent(new PointerEvent('pointerup', place));""", x, y)

    def test_a_click_shows_the_function_of_the_cluster(self):
        self.open("#dots=&fit=lower&panel=0")
        x, y = self.browser.run("const c = document.querySelector('#view canvas');"
                                "return [c.clientWidth / 2, c.clientHeight / 2];")
        self.click(x, y)
        state = self.browser.state()
        self.assertEqual(state["colorBy"], "basis")
        cluster = state["probe"]["cluster"]
        self.assertEqual(self.browser.run("return sinew.subspace.clusterOf[arguments[0]];", state["handle"]), cluster)
        probe = self.browser.text("#probe")
        self.assertIn(f"cluster\t{cluster + 1}", probe)
        self.assertIn("handle", probe)
        self.click(3, 3)
        self.assertIsNone(self.browser.state()["probe"])
        self.assertEqual(self.browser.state()["colorBy"], "basis")

    def test_the_cut_is_filled_with_the_cluster_that_a_click_finds(self):
        for side in ("&view=0:0", ":flip&view=180:0"):
            self.open("#bare=1&legend=0&dots=&fit=lower&hide=upper,wall&clip=z:0.5" + side)
            pixels = self.browser.pixels()
            height, width = pixels.shape[:2]
            colors = self.browser.run("return sinew.subspace.clusterColors;")
            tried = 0
            for x, y in ((width // 2 + 67 * i, height // 2 + 53 * j) for i in (-2, -1, 0, 1, 2) for j in (-2, -1, 1, 2)):
                patch = linear(pixels[y - 5:y + 6, x - 5:x + 6, :3]).reshape(-1, 3)
                if (patch / patch.sum(axis=1, keepdims=True)).std(axis=0).max() > 0.01:
                    continue  # at a border of clusters
                tried += 1
                cluster = self.browser.run("return sinew.pick(...arguments).cluster;", x + 0.5, y + 0.5)
                color = colors[cluster]
                wanted = linear(np.array([int(color[k:k + 2], 16) for k in (1, 3, 5)]))
                found = linear(pixels[y, x, :3])
                # Cuts have 3/4 of the colour, their hatching 13 % less.
                share = np.dot(found, wanted) / np.dot(wanted, wanted)
                self.assertTrue(0.62 < share < 0.78, (share, cluster))
                self.assertLess(np.abs(found - share * wanted).max(), 0.02, (side, x, y, cluster))
            self.assertGreater(tried, 5)

    def test_a_click_on_a_dot_shows_its_function(self):
        self.open("#panel=0")
        for handle in range(HANDLES):
            place = self.browser.run("return sinew.handlePlace(arguments[0]);", handle)
            self.click(*place)
            chosen = self.browser.state()["handle"]
            other = self.browser.run("return sinew.handlePlace(arguments[0]);", chosen)
            self.assertLess(np.hypot(*np.subtract(place, other)), 2)

    def picture(self, hash):
        self.open(hash)
        return self.browser.pixels()

    def test_blend_cut_and_dots_change_the_picture(self):
        base = "#bare=1&legend=0"
        plain = self.picture(base + "&dots=")
        pictures = [plain]
        for wish in ("&dots=handles", "&dots=cubature", "&dots=&color=blend", "&dots=&handle=2", "&dots=&clip=z:0.5",
                     "&dots=&clip=z:0.5&color=blend"):
            picture = self.picture(base + wish)
            for other in pictures:
                self.assertGreater((np.abs(picture - other).max(axis=2) > 30).sum(), 50, wish)
            pictures.append(picture)
        self.assertEqual(self.browser.complaints(), [])

    def test_dark(self):
        self.browser.scheme("dark")
        self.open("#dots=handles,cubature&clip=x:0.5")
        self.assertEqual(self.browser.run("return document.documentElement.dataset.theme;"), "dark")
        self.assertEqual(self.browser.complaints(), [])

    def test_summary_and_tabs(self):
        self.open("#tab=summary")
        text = self.browser.text("#page-summary")
        for part in ("clusters", "weights per vertex", "stiffness", "lower", "upper"):
            self.assertIn(part, text)
        self.assertTrue(self.browser.run("return document.getElementById('tab-plots').hidden;"))

    def test_signed_functions_without_clusters_and_no_cubature(self):
        page = self.root / "modes.html"
        make(page, scene(), "--handles", "8", "--set", "solver.multilevel.basis=eigenmodes")
        self.open("#handle=4", page)
        low, high = self.browser.run("return sinew.subspace.range;")
        self.assertLess(low, 0)
        self.assertGreater(high, 0)
        self.assertTrue(self.browser.run("return document.getElementById('dots-cubature').disabled;"))
        self.assertEqual(self.browser.complaints(), [])

    def test_a_body_that_is_held_altogether(self):
        page = self.root / "held.html"
        content = scene(obstacles=[])
        content["bodies"] = content["bodies"][:1]
        content["bodies"][0].pop("velocity")
        content["bodies"][0]["fix"] = [{"halfspace": {"point": [0, -9, 0], "normal": [0, 1, 0]}}]
        make(page, content, "--cubature")
        self.open("#color=cluster", page)
        self.assertEqual(self.browser.run("return sinew.subspace.handles;"), 0)
        self.assertNotIn("basis", self.browser.run("return sinew.names.colors;"))
        self.browser.key("ArrowRight")
        self.assertEqual(self.browser.state()["colorBy"], "cluster")
        self.assertEqual(self.browser.complaints(), [])


if __name__ == "__main__":
    unittest.main()
