"""The page of a run in a browser: what it shows is what the run wrote, and every control does what it says.

Usage: report_test.py SINEW [unittest arguments]
"""

import json
import pathlib
import re
import struct
import subprocess
import time
import unittest

import numpy as np

from runs import rows, run, run_and_kill, scene
from browser import PageTest
from vtu import read_vtu

FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])


def surface_vertices(frame, body):
    tets = frame["connectivity"].reshape(-1, 4)[frame["body_id"] == body]
    faces = np.sort(tets[:, FACES].reshape(-1, 3), axis=1)
    unique, counts = np.unique(faces, axis=0, return_counts=True)
    return np.unique(unique[counts == 1])


def vertex_fields(frame):
    tets = frame["connectivity"].reshape(-1, 4)
    count = len(frame["Points"])
    tets_at = np.maximum(np.bincount(tets.ravel(), minlength=count), 1)
    mises = np.bincount(tets.ravel(), np.repeat(frame["von_mises"], 4), count) / tets_at
    x = frame["Points"].astype(float)
    edges = [(p[tets[:, 1:]] - p[tets[:, :1]]).transpose(0, 2, 1) for p in (x, x - frame["displacement"])]
    gradient = edges[0] @ np.linalg.inv(edges[1])
    green = 0.5 * (gradient.transpose(0, 2, 1) @ gradient - np.eye(3))
    green -= np.trace(green, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
    strain = np.sqrt(2 / 3 * (green**2).sum(axis=(1, 2)))
    strain = np.bincount(tets.ravel(), np.repeat(strain, 4), count) / tets_at
    lengths = [np.linalg.norm(frame[name], axis=1) for name in ("displacement", "velocity", "contact_force")]
    return [mises, *lengths, strain]


def near(pixels, color, tolerance=60):
    """How many pixels have the hue of a body: close to its colour in any shade."""
    rgb = pixels[..., :3] / np.maximum(pixels[..., :3].max(axis=2, keepdims=True), 1)
    wanted = np.array(color) / max(color)
    return int(((np.abs(rgb - wanted).max(axis=2) < tolerance / 255) & (pixels[..., 3] > 200)).sum())


BLUE, ORANGE = (0x2D, 0x75, 0xC2), (0xFB, 0x91, 0x31)


def write_nested_cube(path, n=6):
    """A cube of 0.1 m whose middle is of region 2, the rest of region 1."""
    number = np.arange((n + 1)**3).reshape(n + 1, n + 1, n + 1)
    points = (np.indices(number.shape).reshape(3, -1).T / n - 0.5) * 0.1
    corners = np.array([[0, 1, 3, 7], [0, 5, 1, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 6, 4, 7]])
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(points))]
    lines += [f"{v + 1} {p[0]:.17g} {p[1]:.17g} {p[2]:.17g}" for v, p in enumerate(points)]
    tets = []
    for cell in np.ndindex(n, n, n):
        cube = number[tuple(np.array(cell)[:, None] + np.array(np.unravel_index(range(8), (2, 2, 2))))]
        region = 2 if all(n // 3 <= c < n - n // 3 for c in cell) else 1
        tets += [(region, *(v + 1 for v in cube[tet])) for tet in corners]
    lines += ["$EndNodes", "$Elements", str(len(tets))]
    lines += [f"{t + 1} 4 2 {r} {r} {' '.join(map(str, tet))}" for t, (r, *tet) in enumerate(tets)]
    path.write_text("\n".join(lines) + "\n$EndElements\n")


class Report(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_folder = cls.root / "boxes"
        run(cls.run_folder, scene())
        cls.page = cls.run_folder / "report.html"

    def setUp(self):
        super().setUp()
        self.browser.features({"prefers-color-scheme": "light", "prefers-reduced-motion": "reduce"})  # pages rest

    def frame(self, step):
        return read_vtu(self.run_folder / f"frames/boxes_{step:06}.vtu")

    def test_opens_from_disk_without_complaint_or_network(self):
        self.open()
        self.assertEqual(self.browser.run("return document.title;"), "boxes – sinew")
        self.browser.goto(20)
        self.assertEqual(self.browser.complaints(), [])
        for url in self.browser.requests():
            self.assertRegex(url, r"^(file|data|about|blob):")
        self.assertLess(self.page.stat().st_size, 20e6)

    def test_positions_and_fields_are_those_of_the_frames(self):
        self.open()
        for step in (0, 7, 20):
            self.browser.goto(step)
            data = self.browser.run("""
                const f = sinew.frame();
                return {quantum: f.quantum, origin: sinew.origin, time: f.time,
                        positions: f.positions.map((p) => p && [...p]),
                        fields: f.fields.map((b) => b.map((v) => [...v]))};""")
            frame = self.frame(step)
            fields = vertex_fields(frame)
            for body in (0, 1):
                vertices = surface_vertices(frame, body)
                shown = np.array(data["positions"][body]).reshape(-1, 3) + data["origin"]
                error = np.abs(shown - frame["Points"][vertices]).max()
                self.assertLess(error, 0.51 * data["quantum"] + 1e-7, f"step {step}, body {body}")
                for f, values in enumerate(fields):
                    values = values[vertices]
                    error = np.abs(np.array(data["fields"][f][body]) - values).max()
                    tolerance = 0.51 / 4095 * np.ptp(values) + 1e-6 * np.abs(values).max() + 1e-14
                    self.assertLessEqual(error, tolerance)
            self.assertLess(data["quantum"], 0.21 / 65535)
            wall = np.array(data["positions"][2]).reshape(-1, 3) + data["origin"]
            points = read_vtu(self.run_folder / f"frames/boxes_obstacles_{step:06}.vtu")["Points"]
            self.assertLess(np.abs(np.sort(wall, axis=0) - np.sort(points[:len(wall)], axis=0)).max(), 1e-5)

    def test_obstacles_that_a_script_moves(self):
        """They are drawn where they are in frames that hold them, and at their place in the scene in others."""
        content = scene(time={"step": 0.01, "steps": 4})
        content["obstacles"][1].pop("motion")
        pose = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.05, 0, 0]]  # by columns
        still = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
        numbers = lambda *rows: {"numbers": [float(c) for row in rows for c in np.ravel(row)]}  # noqa: E731

        def target(step, *maps):
            own = "targets/1/"
            return {"step": step, "type": "edit", "edit": {
                "targets/places": {"integers": [1]}, own + "ended": {"integers": [0]}, own + "turns": {"integers": [0]},
                own + "goes_on": {"integers": [0]}, own + "maps": numbers(*maps),
                own + "times": numbers([0.01 * step, 0.01 * (step + 1)])}}  # yapf: disable

        (self.root / "script.json").write_text(json.dumps(
            {"sinew_script": 1, "scene": "boxes", "steps": 4, "events": [target(1, still, pose), target(3, pose, still)]}))
        run(self.root / "moves", content, "--script", str(self.root / "script.json"))
        self.open(page=self.root / "moves/report.html")
        for step, shift in enumerate((None, None, 0.05, 0.05, None)):
            self.browser.goto(step)
            shown = self.browser.run("""const p = sinew.frame().positions[2];
                return p && [...p].map((c, i) => c + sinew.origin[i % 3]);""")
            self.assertEqual(shown is None, shift is None, step)
            if shift is not None:
                self.assertAlmostEqual(max(shown[::3]), 0.21 + shift, places=5)
            name = self.root / f"moves/frames/boxes_obstacles_{step:06}.vtu"
            self.assertEqual(name.exists(), step in (0, 2, 3, 4))

    def legend_range(self):
        return self.browser.run("const d = document.getElementById('legend').dataset; return [+d.low, +d.high];")

    def choose(self, control, value):
        self.browser.run("const s = document.getElementById(arguments[0]); s.value = arguments[1];"
                         "s.dispatchEvent(new Event('change'));", control, value)

    def test_legend_tells_the_range(self):
        self.open("#color=von_mises&range=usual")
        frames = [self.frame(step) for step in range(21)]
        values = np.array([vertex_fields(frame)[0] for frame in frames])  # also inside
        low, high = self.legend_range()
        self.assertEqual(low, 0)
        counted = values[values > 1e-6 * values.max(axis=1, keepdims=True)]
        self.assertAlmostEqual((counted > high).mean(), 0.02, delta=0.005)
        text = self.browser.text("#legend")
        self.assertRegex(text, r"von Mises stress \[kPa\]")
        self.assertIn("98 %", text)
        self.assertIn(f"largest {values.max() / 1000:.3g} kPa", text)
        self.choose("range-mode", "run")
        low, high = self.legend_range()
        self.assertAlmostEqual(low, values.min(), delta=1e-6 * values.max())
        self.assertAlmostEqual(high, values.max(), delta=1e-6 * values.max())
        text = self.browser.text("#legend")
        self.assertIn(f"{values.max() / 1000:.3g}", text)
        self.assertIn("the whole run", text)
        self.choose("range-mode", "frame")
        self.browser.goto(9)
        self.assertAlmostEqual(self.legend_range()[1], values[9].max(), delta=1e-6 * values.max())
        self.assertIn("this frame", self.browser.text("#legend"))

    def test_contact_force_has_a_range_though_few_vertices_touch(self):
        self.open("#color=contact_force")
        values = np.concatenate([np.linalg.norm(self.frame(step)["contact_force"], axis=1) for step in range(21)])
        values = values[values > 0]
        self.assertLess(len(values), 0.5 * 21 * len(self.frame(0)["Points"]))
        self.assertAlmostEqual((values > self.legend_range()[1]).mean(), 0.02, delta=0.02)

    def test_materials_have_colours_and_names(self):
        self.open()
        self.assertEqual(self.browser.state()["colorBy"], "material")
        self.assertEqual(sorted(self.browser.text("#legend .names").split()), ["foam", "rubber"])
        swatches = self.browser.run("return [...document.querySelectorAll('#legend .swatch')]"
                                    ".map((s) => getComputedStyle(s).backgroundColor);")
        self.assertEqual(len(set(swatches)), 2)
        folder = self.root / "single"
        content = scene(time={"step": 0.01, "steps": 1})
        content["bodies"][1]["material"] = "rubber"
        run(folder, content)
        self.open("", folder / "report.html")
        self.assertEqual(self.browser.state()["colorBy"], "body")
        self.browser.key("m")
        self.assertEqual(self.browser.text("#legend .names"), "rubber")

    def test_a_cut_shows_the_material_inside(self):
        folder = self.root / "nested"
        write_nested_cube(self.root / "nested.msh")
        content = scene(time={"step": 0.01, "steps": 2}, obstacles=[])
        content["bodies"] = [{"name": "cube", "mesh": "nested.msh",
                              "material": {"regions": {"1": "rubber", "2": "foam"}}}]
        run(folder, content)
        page = folder / "report.html"
        names = ["rubber", "foam"]
        self.open("#bare=1&step=2", page)
        order = [names.index(name) for name in self.browser.text("#legend .names").split()]
        outer, inner = [(BLUE, ORANGE)[order.index(k)] for k in (0, 1)]
        whole = self.browser.pixels()
        self.assertGreater(near(whole, outer), 5000)
        self.assertLess(near(whole, inner), 20)
        for place in ("z:0.4", "z:0.6", "x:0.4", "y:0.6"):
            self.open(f"#bare=1&clip={place}", page)
            cut = self.browser.pixels()
            self.assertGreater(near(cut, inner), 2000, place)
            self.assertGreater(near(cut, outer), 2000, place)
        self.assertEqual(self.browser.complaints(), [])

    def test_chosen_range_and_logarithm(self):
        self.open("#color=speed&range=0.25:1.5&log=1")
        self.assertIn("1.5 m/s", self.browser.text("#legend"))
        self.assertIn("250 mm/s", self.browser.text("#legend"))
        before = self.browser.pixels()
        self.browser.run("""
            const low = document.getElementById('range-low'); low.value = '1.2'; low.dispatchEvent(new Event('change'));
            document.getElementById('log').click();""")
        self.assertEqual(self.browser.state()["customRange"], [1.2, 1.5])
        self.assertFalse(self.browser.state()["log"])
        self.assertGreater((self.browser.pixels() != before).any(axis=2).sum(), 500)
        self.browser.run("const low = document.getElementById('range-low'); low.value = '7';"
                         "low.dispatchEvent(new Event('change'));")
        self.assertEqual(self.browser.run("return document.getElementById('range-low').ariaInvalid;"), "true")
        self.assertEqual(self.browser.state()["customRange"], [1.2, 1.5])

    def test_plays_and_scrubs(self):
        self.open()
        self.assertEqual(self.browser.state()["step"], 0)
        self.browser.run("document.getElementById('loop').click(); document.getElementById('speed').value = '0.05';"
                         "document.getElementById('speed').dispatchEvent(new Event('change'));"
                         "document.getElementById('play').click();")
        self.assertTrue(self.browser.state()["playing"])
        steps = []
        for _ in range(100):
            time.sleep(0.1)
            state = self.browser.state()  # once: it goes on between two looks
            steps.append(state["step"])
            if not state["playing"]:
                break
        self.assertEqual(steps[-1], 20, steps)
        self.assertEqual(steps, sorted(steps))
        self.assertGreater(len(set(steps)), 4, steps)
        self.browser.run("const s = document.getElementById('slider'); s.value = 13;"
                         "s.dispatchEvent(new Event('input'));")
        self.browser.wait("sinew.goto(13).then(() => done());")
        state = self.browser.state()
        self.assertEqual((state["step"], state["shown"]), (13, 13))
        self.assertIn("0.13 s", self.browser.text("#clock"))

    def test_plays_from_the_start_unless_a_step_is_asked_for(self):
        self.browser.features({"prefers-color-scheme": "light"})
        self.open()
        self.assertTrue(self.browser.state()["playing"])
        self.open("#step=3")
        self.assertFalse(self.browser.state()["playing"])
        self.open("#play=0")
        self.assertFalse(self.browser.state()["playing"])

    def test_materials_far_apart_have_ranges_of_their_own(self):
        folder = self.root / "far"
        content = scene(time={"step": 0.01, "steps": 12})
        content["materials"]["foam"].update(young=1e3, density=10)
        run(folder, content)
        self.open("#color=von_mises&step=12", folder / "report.html")
        ranges = self.browser.run("return sinew.usual().byMaterial[0];")
        self.assertGreater(max(high for _, high in ranges), 5 * min(high for _, high in ranges))
        legend = self.browser.text("#legend")
        self.assertIn("98 % of each material", legend)
        for name in ("foam", "rubber"):
            self.assertIn(name, legend)
        own = self.browser.pixels()
        self.choose("range-mode", "usual")
        self.assertNotIn("foam", self.browser.text("#legend"))
        self.assertGreater((np.abs(self.browser.pixels() - own).max(axis=2) > 24).sum(), 500)

    def test_colour_maps(self):
        pictures = {}
        for name in ("viridis", "cividis", "coolwarm"):
            self.open(f"#color=speed&step=9&map={name}")
            pictures[name] = self.browser.pixels()
            self.assertEqual(self.browser.run("return document.getElementById('color-map').value;"), name)
        self.assertGreater((np.abs(pictures["viridis"] - pictures["cividis"]).max(axis=2) > 24).sum(), 1000)
        self.assertGreater((np.abs(pictures["viridis"] - pictures["coolwarm"]).max(axis=2) > 24).sum(), 1000)

    def test_the_best_picture_darkens_corners(self):
        self.open("#step=20&bare=1&quality=fast")
        fast = self.browser.pixels()
        self.open("#step=20&bare=1&quality=best")
        best = self.browser.pixels()
        self.assertGreater((fast.sum(axis=2) - best.sum(axis=2) > 60).sum(), 300)
        self.assertEqual(self.browser.complaints(), [])

    def test_the_panel_folds(self):
        self.open()
        width = "return document.getElementById('view').clientWidth;"
        before = self.browser.run(width)
        self.browser.key("d")
        self.assertGreater(self.browser.run(width), before + 300)
        self.browser.key("d")
        self.assertEqual(self.browser.run(width), before)

    def test_picture_shows_bodies_and_motion(self):
        self.open()
        first = self.browser.pixels()
        self.assertGreater(near(first, BLUE), 2000)
        self.assertGreater(near(first, ORANGE), 700)
        self.browser.goto(12)
        later = self.browser.pixels()
        self.assertGreater((np.abs(later - first).max(axis=2) > 30).sum(), 2000)
        self.browser.run("document.querySelector('#objects input[data-name=upper]').click();")
        without = self.browser.pixels()
        self.assertLess(near(without, ORANGE), 20)
        self.assertGreater(near(without, BLUE), 2000)
        self.browser.run("document.getElementById('show-all').click();")
        self.assertTrue((self.browser.pixels() == later).all())

    def test_edges_clip_and_flat_change_the_picture(self):
        self.open("#step=4")
        pictures = {"plain": self.browser.pixels()}
        blue = near(pictures["plain"], BLUE)
        for name, changes in (("over", {"edges": "over"}), ("only", {"edges": "only"}),
                              ("clip", {"edges": "none", "clip": {"axis": 0, "at": 0.3, "flip": False}}),
                              ("flip", {"clip": {"axis": 0, "at": 0.3, "flip": True}}),
                              ("flat", {"clip": None, "flat": True})):
            self.browser.run("sinew.set(arguments[0]);", changes)
            pictures[name] = self.browser.pixels()
        names = list(pictures)
        for a in range(len(names) - 1):
            for b in range(a + 1, len(names) - 1):
                different = (np.abs(pictures[names[a]] - pictures[names[b]]).max(axis=2) > 24).sum()
                self.assertGreater(different, 1000, f"{names[a]} and {names[b]}")
        self.assertLess(near(pictures["only"], BLUE), 0.7 * blue)
        self.assertIn("x =", self.browser.run("sinew.set({clip: {axis: 0, at: 0.5, flip: false}});"
                                              "return document.getElementById('clip-value').textContent;"))

    def test_probe_reads_the_values_under_the_pointer(self):
        self.open("#step=6")
        spot = self.browser.pixels()
        rgb = spot[..., :3] / np.maximum(spot[..., :3].max(axis=2, keepdims=True), 1)
        wanted = np.array(BLUE) / max(BLUE)
        ys, xs = np.nonzero((np.abs(rgb - wanted).max(axis=2) < 0.15) & (spot[..., 3] > 250))
        x, y = int(np.median(xs)), int(np.median(ys[np.abs(xs - np.median(xs)) < 3]))
        self.browser.run("""
            const canvas = document.querySelector('#view canvas'), r = canvas.getBoundingClientRect();
            const at = {clientX: r.left + arguments[0], clientY: r.top + arguments[1]};
            for (const type of ['pointerdown', 'pointerup'])
              canvas.dispatchEvent(new PointerEvent(type, {...at, button: 0, pointerId: 1, bubbles: true}));""", x, y)
        text = self.browser.text("#probe")
        self.assertIn("lower", text)
        self.assertRegex(text, r"von Mises stress\s+[\d.]+ k?Pa")
        self.assertIn("contact force", text)

    def test_keyboard(self):
        self.open()
        key = self.browser.key
        key("ArrowRight"), key("ArrowRight")
        self.assertEqual(self.browser.state()["step"], 2)
        key("ArrowLeft")
        self.assertEqual(self.browser.state()["step"], 1)
        key("End")
        self.assertEqual(self.browser.state()["step"], 20)
        key("PageUp")
        self.assertEqual(self.browser.state()["step"], 10)
        key("Home")
        self.assertEqual(self.browser.state()["step"], 0)
        key(" ")
        self.assertTrue(self.browser.state()["playing"])
        key(" ")
        self.assertFalse(self.browser.state()["playing"])
        key("1")
        self.assertEqual(self.browser.state()["colorBy"], "von_mises")
        key("0")
        self.assertEqual(self.browser.state()["colorBy"], "body")
        key("w")
        self.assertEqual(self.browser.state()["edges"], "over")
        key("c")
        self.assertIsNotNone(self.browser.state()["clip"])
        camera = self.browser.state()["camera"]
        key("ArrowRight", shiftKey=True)
        self.assertNotEqual(self.browser.state()["camera"], camera)
        key("r")
        np.testing.assert_allclose(self.browser.state()["camera"], camera, atol=1e-9)
        key("?")
        self.assertTrue(self.browser.run("return document.getElementById('help').open;"))

    def test_every_control_has_a_name(self):
        self.open()
        nameless = self.browser.run("""
            return [...document.querySelectorAll('button, input, select')].filter((e) => !(e.getAttribute('aria-label')
              || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML);""")
        self.assertEqual(nameless, [])

    def test_plots_follow_the_steps(self):
        self.open("#tab=plots&step=5")
        row = rows(self.run_folder)[4]
        energies = self.browser.text("#plot-energies .series")
        self.assertIn("step 5", energies)
        kinetic = row["energies"]["kinetic"]
        self.assertRegex(energies.replace("\n", " "), rf"kinetic {kinetic * 1000:.3g} mJ|kinetic {kinetic:.3g} J")
        iterations = self.browser.text("#plot-newton .series").replace("\n", " ")
        self.assertIn(f"iterations {row['newton_iterations']}", iterations)
        for plot in ("residual", "distance", "seconds", "contacts"):
            count = "return document.querySelectorAll(`#plot-${arguments[0]} path`).length;"
            self.assertGreater(self.browser.run(count, plot), 0)
        for plot, line in (("residual", "tolerance"), ("distance", "contact distance")):
            text = self.browser.run("return document.getElementById(`plot-${arguments[0]}`).textContent;", plot)
            self.assertIn(line, text)
        self.browser.run("""
            const svg = document.querySelector('#plot-newton svg'), r = svg.getBoundingClientRect();
            svg.dispatchEvent(new MouseEvent('click', {clientX: r.right - 9, clientY: r.top + 50, bubbles: true}));""")
        self.assertEqual(self.browser.state()["step"], 20)

    def test_levels_of_a_multilevel_run(self):
        folder = self.root / "levels"
        content = scene(solver={"method": "multilevel", "handles": 6,
                                "multilevel": {"printed": {}, "cache": False}})
        run(folder, content)
        self.open("#tab=plots&step=8", folder / "report.html")
        row = rows(folder)[7]
        levels = row["levels"]
        text = {name: self.browser.text(f"#plots-levels #plot-level-{name} .series").replace("\n", " ")
                for name in ("iterations", "seconds", "work", "lengths")}
        for level in ("affine", "subspace", "refinement"):
            self.assertIn(f"{level} {levels[f'{level}_iterations']}", text["iterations"])
            milliseconds = re.search(rf"\b{level} ([\d.]+) (ms|µs|s)\b", text["seconds"])
            unit = {"s": 1, "ms": 1e-3, "µs": 1e-6}[milliseconds[2]]
            self.assertAlmostEqual(float(milliseconds[1]) * unit / levels["seconds"][level], 1, delta=6e-3)
        self.assertIn("reduced matrices", text["seconds"])
        self.assertIn(f"line-search steps {row['line_search_steps']}", text["work"])
        self.assertIn(f"updates of the Hessian {levels['hessian_updates']}", text["work"])
        self.assertGreater(levels["reduced_updates"], 0)
        self.assertIn(f"updates of reduced matrices {levels['reduced_updates']}", text["work"])
        self.assertEqual(text["lengths"].count("m/s"), 3)
        parts = sum(levels["seconds"][part] for part in ("affine", "subspace", "refinement", "rejected", "other"))
        self.assertAlmostEqual(parts, row["seconds"]["linear_solve"], delta=1e-9)
        self.assertEqual(self.browser.complaints(), [])

    def test_estimated_errors_of_a_method_in_a_subspace(self):
        self.open("#tab=plots")
        self.assertFalse(self.browser.run("return Boolean(document.querySelector('#plot-error-estimate'));"))
        folder = self.root / "estimates"
        run(folder, scene(solver={"method": "reduced", "handles": 4, "error_every": 2}))
        steps = rows(folder)
        told = [row["step"] for row in steps if "error_estimate" in row]
        self.assertEqual(told, [row["step"] for row in steps if row["step"] == 1 or row["step"] % 2 == 0])
        self.open("#tab=plots", folder / "report.html")
        text = self.browser.run("return document.querySelector('#plot-error-estimate svg').getAttribute('aria-label');")
        self.assertIn("Estimated error of a step", text)
        dots = self.browser.run(
            "return [...document.querySelectorAll('#plot-error-estimate path.line')].at(-1).getAttribute('d');")
        self.assertEqual(dots.count("M"), len(told))

    def test_sensors_and_requested_fields(self):
        folder = self.root / "sensors"
        run(folder, scene(sensors={"ground": {"obstacle": "ground", "quantities": ["force", "area"]},
                                   "pair": {"contact": ["upper", "lower"], "quantities": ["gap"]}},
                          output={"formats": ["vtu", "html"], "fields": ["pressure", "contact_pressure"]}))
        row = rows(folder)[9]["sensors"]
        self.open("#tab=plots&step=10&color=pressure", folder / "report.html")
        titles = self.browser.run("return [...document.querySelectorAll('[id^=plot-sensor-] h3')].map((h) => h.textContent);")
        self.assertEqual([title.split(" [")[0] for title in titles], ["ground.force", "ground.area", "pair.gap"])
        force = self.browser.text("#plot-sensor-0 .series").replace("\n", " ")
        self.assertRegex(force, rf"y {row['ground']['force'][1]:.3g} N")
        gap = self.browser.text("#plot-sensor-2 .series").replace("\n", " ")
        self.assertIn(f"{1e6 * row['pair']['gap']:.3g} µm", gap)
        area = self.browser.text("#plot-sensor-1 .series").replace("\n", " ")
        self.assertTrue(area.endswith("m^2") and "mm^2" not in area, area)  # no prefix of a square
        self.assertIn("pressure", self.browser.text("#legend"))
        self.assertEqual(self.browser.complaints(), [])

    def test_no_levels_without_multilevel(self):
        self.open("#tab=plots")
        self.assertEqual(self.browser.run("return document.querySelectorAll('#plots-levels').length;"), 0)

    def test_summary(self):
        self.open("#tab=summary")
        text = self.browser.text("#page-summary")
        for pattern in (r"method\s+newton", r"steps\s+20\b", r"contact distance\s+1 mm",
                        r"rounding error of positions\s+± \d"):
            self.assertRegex(text, pattern)
        self.assertIn("all steps converged", self.browser.text("#badges"))

    def test_steps_that_did_not_converge_are_marked(self):
        folder = self.root / "hard"
        run(folder, scene(solver={"max_iterations": 1}, time={"step": 0.01, "steps": 6}))
        bad = [row for row in rows(folder) if not row["converged"]]
        self.assertGreater(len(bad), 1)
        self.open("#tab=warnings", folder / "report.html")
        self.assertEqual(self.browser.run("return document.querySelectorAll('#marks i').length;"), len(bad))
        self.assertIn(f"{len(bad)} not converged", self.browser.text("#badges"))
        warnings = self.browser.text("#page-warnings")
        for row in bad:
            self.assertIn(row["reason"], warnings)
            self.assertIn(row["diagnosis"]["advice"], warnings)
        self.assertEqual(self.browser.text("#tab-warnings .count"), str(len(bad)))  # each once
        tip = self.browser.run("""
            const slider = document.getElementById('slider'), r = slider.getBoundingClientRect();
            const x = r.left + 8 + (r.width - 16) * arguments[0] / 6;
            slider.dispatchEvent(new PointerEvent('pointermove', {clientX: x, clientY: r.top + 5, bubbles: true}));
            return document.getElementById('tip').innerText;""", bad[-1]["step"])
        self.assertIn(f"step {bad[-1]['step']}", tip)
        self.assertIn(bad[-1]["reason"], tip)
        self.browser.run("document.querySelector('#page-warnings button').click();")
        self.assertEqual(self.browser.state()["step"], bad[0]["step"])

    def test_warnings_of_the_scene(self):
        folder = self.root / "warned"
        content = scene(time={"step": 0.01, "steps": 1})
        content["contact"]["friction_iterations"] = 1
        content["materials"]["unused"] = content["materials"]["foam"]
        content["materials"]["foam"]["poisson"] = 0.49
        run(folder, content)
        self.open("#tab=warnings", folder / "report.html")
        warnings = self.browser.text("#page-warnings")
        self.assertIn("remark: unused material: no body uses material 'unused'", warnings)
        self.assertIn("locking: body ", warnings)
        self.assertIn("In 1 of 1 steps friction was approximate", warnings)
        self.assertIn("friction approximate (1 steps)", self.browser.text("#badges"))
        self.assertEqual(self.browser.text("#tab-warnings .count"), "3")

    def test_warnings_keep_their_lines(self):
        page = self.root / "lines.html"
        text = self.page.read_text()
        self.assertEqual(text.count('"warnings":[]'), 1)
        page.write_text(text.replace('"warnings":[]', '"warnings":["first:\\n  second\\n  third"]'))
        self.open("#tab=warnings", page)
        self.assertEqual(self.browser.text("#page-warnings .warning").splitlines(), ["first:", "second", "third"])

    def test_addresses_tell_where_to_look_from(self):
        def offset(hash):
            self.open(hash)
            camera = np.array(self.browser.state()["camera"])
            return camera[:3] - camera[3:]

        directions = {"0:0": (0, 0, 1), "90:0": (1, 0, 0), "180:30": (0, 0.5, -0.75**0.5)}
        for view, direction in directions.items():
            seen = offset(f"#fit=frame&view={view}")
            np.testing.assert_allclose(seen / np.linalg.norm(seen), direction, atol=1e-6)
        near, far = offset("#view=0:0:2"), offset("#view=0:0:1")
        np.testing.assert_allclose(2 * near, far, rtol=1e-6, atol=1e-12)
        self.open("#fit=upper&step=3")
        points = self.frame(3)["Points"][surface_vertices(self.frame(3), 1)]
        np.testing.assert_allclose(self.browser.state()["camera"][3:], (points.min(0) + points.max(0)) / 2, atol=1e-4)
        self.open("#step=last")
        self.assertEqual(self.browser.state()["step"], 20)

    def test_addresses_that_make_no_sense_are_told(self):
        wrong = ["step=x", "color=foo", "range=3:1", "log=2", "hide=nobody", "edges=all", "clip=w:0.5", "clip=x:2",
                 "theme=red", "view=1", "view=0:95", "fit=floor", "camera=1:2:3", "tab=no", "foo=1", "speed=-1"]
        self.open("#" + "&".join(wrong))
        self.assertEqual(self.browser.run("return sinew.ignored;"), wrong)
        notice = self.browser.text("#link-notice")
        self.assertIn("keys or values that this page does not know: step=x, color=foo, range=3:1,", notice)
        self.assertIn(f" and {len(wrong) - 8} more. Known keys: step, color,", notice)
        self.assertGreater(self.browser.run("return document.getElementById('link-notice').offsetHeight;"), 20)
        self.browser.run("document.getElementById('link-notice-close').click();")
        self.assertEqual(self.browser.run("return document.getElementById('link-notice').offsetHeight;"), 0)
        self.open("#bare=1&colour=red&" + "x" * 1000 + "=1")
        notice = self.browser.text("#link-notice")
        self.assertIn("colour=red, xxx", notice)
        self.assertLess(len(notice), 500)
        right = ["step=3", "color=speed", "range=frame", "hide=ground,upper", "fit=upper,wall"]
        self.open("#" + "&".join(right))
        self.assertEqual(self.browser.run("return sinew.ignored;"), [])
        self.assertEqual(self.browser.run("return document.getElementById('link-notice').offsetHeight;"), 0)
        change = "addEventListener('hashchange', () => done(0), {once: true}); location.hash = arguments[0];"
        self.browser.wait(change, "#step=x")  # of a page that is open
        self.assertIn("keys or values that this page does not know: step=x.", self.browser.text("#link-notice"))
        self.browser.wait(change, "#step=2")
        self.assertEqual(self.browser.run("return document.getElementById('link-notice').offsetHeight;"), 0)

    def test_small_window(self):
        self.browser.size(390, 700)
        self.open()
        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth;"), 390)
        self.assertGreater(near(self.browser.pixels(), BLUE), 300)
        shown = "return getComputedStyle(document.getElementById('panel')).display;"
        self.assertEqual(self.browser.run(shown), "none")
        self.browser.run("document.getElementById('drawer').click();")
        self.assertEqual(self.browser.run(shown), "flex")
        self.assertGreater(self.browser.run("return document.getElementById('view').clientHeight;"), 150)
        self.browser.key("Escape")
        self.assertEqual(self.browser.run(shown), "none")
        outside = self.browser.run("""
            const all = [...document.querySelectorAll('.transport *, .top *')];
            const outside = (e) => e.getBoundingClientRect().right > 391 && e.offsetParent;
            return all.filter(outside).map((e) => e.outerHTML);""")
        self.assertEqual(outside, [])

    def test_dark(self):
        self.browser.scheme("dark")
        self.open()
        color = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);"
        self.assertLess(max(self.browser.run(color)[:3]), 60)
        self.browser.run("document.getElementById('theme').click();")
        self.assertGreater(min(self.browser.run(color)[:3]), 200)

    def test_names_are_not_markup(self):
        folder = self.root / "names"
        evil = "</script><img src=x onerror=\"window.broken=1\">"
        content = scene(name=evil, time={"step": 0.01, "steps": 1})
        content["bodies"][0]["name"] = evil
        run(folder, content)
        self.open("#tab=scene", folder / "report.html")
        self.assertEqual(self.browser.text("#title"), evil)
        self.assertIsNone(self.browser.run("return window.broken;"))
        self.assertEqual(self.browser.complaints(), [])

    def test_without_webgl_the_plots_remain(self):
        script = self.browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "HTMLCanvasElement.prototype.getContext = () => null;"})
        try:
            self.open("#tab=plots&color=von_mises")
            self.assertIn("WebGL", self.browser.text("#notice"))
            self.browser.goto(8)
            self.assertIn("step 8", self.browser.text("#plot-energies .series"))
            self.browser.key("c"), self.browser.key("f"), self.browser.key("w")
            self.assertIn("Mises", self.browser.text("#legend"))
        finally:
            self.browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

    def test_screenshot_script(self):
        script = pathlib.Path(__file__).resolve().parents[2] / "scripts/screenshot"
        picture = self.root / "picture.png"
        subprocess.run([script, self.run_folder, picture, "--step", "5", "--set", "color=speed", "--size", "640x480"],
                       check=True, timeout=120)
        bytes = picture.read_bytes()
        self.assertEqual(bytes[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", bytes[16:24]), (640, 480))
        self.assertGreater(len(bytes), 20000)
        options = ("--bare --no-legend --step last --view=-40:20:1.2 --fit frame --clip z:0.5 --color material "
                   "--theme dark --size 320x200 --scale 2")
        subprocess.run([script, self.run_folder, picture, *options.split()], check=True, timeout=120)
        self.assertEqual(struct.unpack(">II", picture.read_bytes()[16:24]), (640, 400))
        before = picture.read_bytes()
        for wrong, text in (("--color=foo", r'cannot show color=foo.*"von_mises"'), ("--size=5", "WIDTHxHEIGHT")):
            refused = subprocess.run([script, self.run_folder, picture, wrong], capture_output=True, text=True)
            self.assertNotEqual(refused.returncode, 0)
            self.assertRegex(refused.stderr, text)
            self.assertEqual(picture.read_bytes(), before)
        refused = subprocess.run([script, self.root / "nothing", picture], capture_output=True, text=True)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("no such file", refused.stderr)

    def test_statics(self):
        folder = self.root / "statics"
        content = scene(time={"mode": "static", "steps": 3}, obstacles=[])
        content["bodies"] = [{"name": "bar", "mesh": {"box": {"size": [0.3, 0.05, 0.05], "cells": [6, 1, 1]}},
                              "material": "rubber", "fix": [{"box": [[-1, -1, -1], [-0.149, 1, 1]]}]}]
        run(folder, content)
        self.open("#step=3&tab=plots&color=displacement", folder / "report.html")
        self.assertIn("load 1", self.browser.text("#clock"))
        self.assertIn("Residual [m]", self.browser.text("#plot-residual h3"))

    def test_a_killed_run_has_a_page_with_its_data_beside(self):
        folder = self.root / "killed"
        content = scene(time={"step": 0.0005, "steps": 5000}, obstacles=[], contact={"enabled": False},
                        output={"formats": ["html"], "checkpoint": 0})
        content["bodies"] = content["bodies"][:1]
        content["bodies"][0]["mesh"]["box"]["cells"] = [45, 1, 45]
        run_and_kill(folder, content, lambda f: (f / "report/frames_000001.js").exists() and len(rows(f)) > 5)
        page = folder / "report.html"
        self.open("", page)
        self.assertLess(page.stat().st_size, 1e6)
        self.assertIn("of 5000 steps", self.browser.text("#badges"))
        self.browser.goto(5000)
        state = self.browser.state()
        self.assertGreater(state["step"], 3)
        self.assertEqual(state["shown"], state["frame"])
        self.assertGreater(near(self.browser.pixels(), BLUE), 2000)
        loaded = {pathlib.Path(url).name for url in self.browser.requests()}
        self.assertTrue({"mesh.js", "run.js", "frames_000000.js"} <= loaded, loaded)
        (folder / "report/frames_000000.js").unlink()
        self.open("#step=5000", page)
        self.browser.goto(0)
        self.assertRegex(self.browser.text("#notice"), r"report/frames_000000.js is missing")


if __name__ == "__main__":
    unittest.main()
