"""The page of a live simulation against a server that makes its motion up (live_mock.py).

Usage: live_page_test.py SINEW [unittest arguments]
"""

import time

import numpy as np

from runs import run, scene
from browser import PageTest
from live_mock import HANDLES, Mock


def until(holds, seconds=20, what="it did not happen"):
    end = time.time() + seconds
    while time.time() < end:
        if holds():
            return
        time.sleep(0.03)
    raise AssertionError(what)


class LivePageTest(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        content = scene(time={"step": 0.01, "steps": 1}, output={"formats": ["html"]})
        content["bodies"][0]["mesh"]["box"]["cells"] = [10, 10, 10]
        content["bodies"][1] = {"name": "ball", "mesh": {"sphere": {"radius": 0.04, "edge": 0.008}},
                                "material": "foam", "transform": {"translate": [0, 0.16, 0.01]}}
        run(cls.root / "boxes", content)
        cls.report = cls.root / "boxes/report"
        cls.mock = None

    # The processor draws: small pictures, and none of a view that turns on.
    def setUp(self):
        super().setUp()
        self.browser.size(720, 420)
        self.browser.features({"prefers-color-scheme": "light", "prefers-reduced-motion": "reduce"})

    def live(self, hash="", shared=False, **options):
        """A page with a server of its own. `shared`: one page for all tests that ask so, as it was at first."""
        if shared and self.mock:
            self.renew(hash)
            return self.mock
        mock = Mock(self.report, **{"rate": 15, **options})
        if shared:
            type(self).mock = mock
            self.addClassCleanup(mock.close)
        else:
            self.addCleanup(mock.close)
        self.browser.driver.get("about:blank")
        self.open(hash, mock.url)
        self.until_drawn(1)
        return mock

    def renew(self, hash):
        self.browser.clear_logs()
        self.js("""sinew.release();
                   document.getElementById('tab-live').click();
                   document.getElementById('recorded').hidden = true;
                   sinew.set({colorBy: 'material', probe: null, clip: null, follow: false});
                   const change = location.hash !== arguments[0];
                   if (change) location.hash = arguments[0];""", hash or "#panel=1")
        self.mock.renew()
        until(lambda: not self.status()["paused"] and self.js("return sinew.pulls().length;") == 0)
        self.browser.key("r")
        self.mock.received.clear()

    def js(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def status(self):
        return self.js("return sinew.live();")

    def until_drawn(self, frame):
        until(lambda: self.status()["frame"] >= frame, what=f"frame {frame} was not drawn: {self.status()}")

    def still(self, mock):
        """Pauses, and waits until nothing is on the way any more."""
        mock.change(paused=True)
        until(lambda: self.status()["paused"] and self.status()["step"] == mock.step_number)
        time.sleep(0.3)

    def mouse(self, kind, x, y, **more):
        self.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "button": "left", "buttons": 0 if kind == "mouseReleased" else 1,
            "clickCount": 1, **more})

    def touch(self, kind, *points):
        self.browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]})

    def on_page(self, object):
        """A place well inside of what is seen of a body: (x, y, vertex)."""
        return self.js("""
            const count = sinew.header.objects[arguments[0]].vertices;
            for (let v = 0; v < count; v += 7) {
              const [x, y] = sinew.onPage(arguments[0], v);
              const hits = [[0, 0], [5, 0], [-5, 0], [0, 5], [0, -5]].map(([r, d]) => sinew.pick(x + r, y + d));
              if (hits[0]?.vertex === v && hits.every((hit) => hit?.object === arguments[0])) return [x, y, v];
            }""", object)

    def camera(self):
        return np.array(self.browser.state()["camera"])

    def last(self, mock, kind):
        until(lambda: mock.messages(kind), what=f"no {kind} came")
        return mock.messages(kind)[-1]

    def setting(self, key, part, value, event):
        self.js("""const node = [...document.querySelectorAll('.setting')].find((n) => n.dataset.key === arguments[0]);
                   const input = node.querySelectorAll('input')[arguments[1]];
                   input.value = arguments[2];
                   input.dispatchEvent(new Event(arguments[3]));""", key, part, str(value), event)


class Alone(LivePageTest):
    """Pages with a server of their own."""

    def test_frames_are_drawn_without_complaint(self):
        for kind in (0, 1):
            mock = self.live("#bare=1&legend=0", kind=kind)
            first = self.browser.pixels()
            self.until_drawn(self.status()["frame"] + 8)
            second = self.browser.pixels()
            self.assertGreater((np.abs(first - second).max(axis=2) > 20).sum(), 500)
            status = self.status()
            self.assertTrue(status["connected"])
            self.assertEqual(status["method"], "reduced")
            self.assertGreater(status["fps"], 1)
            self.assertEqual(self.js("return sinew.reduced(0);"), kind == 1)
            self.assertEqual(self.browser.complaints(), [])
            self.assertGreater(len(mock.messages("seen")), 5)
            self.assertLessEqual(max(v.most_on_the_way for v in mock.viewers), 2)
            for url in self.browser.requests():
                self.assertRegex(url, rf"^(about:|data:|blob:|(http|ws)://127\.0\.0\.1:{mock.port}/)")
            if kind == 0:
                self.compare_quantised(mock)

    def test_token_is_passed_on(self):
        self.live(token="a&b c")
        self.assertTrue(self.status()["connected"])

    def test_the_gpu_lifts_as_the_formula_says(self):
        for axes in ((0, 0, 0), (0, 1, 0), (2, 1, 0)):
            with self.subTest(axes=axes):
                mock = self.live(axes=axes)
                self.compare_lifted(mock)
                if axes[0] == 0:
                    self.compare_normals(mock)

    def reduced(self, mock, object):
        """Positions of a body by the formula in docs/reference/live_protocol.md."""
        motion = mock.motion
        first = sum(o["vertices"] for o in mock.header["objects"][:object])
        count = mock.header["objects"][object]["vertices"]
        y = np.array(mock.sent_coordinates[self.status()["step"]]).reshape(HANDLES, 4, 3)
        x = np.array(motion.rest)[first:first + count]
        result = x.copy()
        for axis in range(3):
            centers, radius, weights = motion.sets[motion.axes[axis]]
            w = np.array(weights).reshape(-1, HANDLES)[first:first + count]
            local = (x[:, None] - np.array(centers)) / radius  # vertex, handle, axis
            result[:, axis] += (w * (y[:, 0, axis] + np.einsum("vib,ib->vi", local, y[:, 1:, axis]))).sum(axis=1)
        return result

    def compare_lifted(self, mock):
        self.still(mock)
        for object in (0, 1):
            expected = self.reduced(mock, object)
            self.assertGreater(np.abs(expected - mock.motion.shapes[object]).max(), 0.01 * mock.motion.size)
            for source in ("skinned", "places"):
                found = np.array(self.js(f"return sinew.{source}(arguments[0]);", object)).reshape(-1, 3)
                self.assertLess(np.abs(found - expected).max(), 1e-5 * mock.motion.size, source)
            vertex = len(expected) // 2
            place = self.js("return sinew.place(...arguments);", object, vertex)
            self.assertLess(np.abs(place - expected[vertex]).max(), 1e-5 * mock.motion.size)

    def compare_normals(self, mock):
        for object, mean, least in ((0, 0.999, 0.97), (1, 0.995, 0.93)):
            places = np.array(self.js("return sinew.skinned(arguments[0]);", object)).reshape(-1, 3)
            data = self.js("return sinew.skinnedNormals(arguments[0]);", object)
            index, source = np.array(data["index"]).reshape(-1, 3), np.array(data["source"])
            normals = np.array(data["normals"]).reshape(-1, 3)
            corners = places[source[index]]
            faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            sums = np.zeros_like(normals)
            for corner in range(3):
                np.add.at(sums, index[:, corner], faces)
            outside = np.unique(index)
            wanted = sums[outside] / np.linalg.norm(sums[outside], axis=1, keepdims=True)
            self.assertLess(np.abs(np.linalg.norm(normals[outside], axis=1) - 1).max(), 1e-3)
            cosines = (wanted * normals[outside]).sum(axis=1)
            self.assertGreater(cosines.mean(), mean)
            self.assertGreater(cosines.min(), least)
            # The motion turns and stretches: normals at rest would be far off.
            rest = np.array(mock.motion.shapes[object])[source[index]]
            faces = np.cross(rest[:, 1] - rest[:, 0], rest[:, 2] - rest[:, 0])
            self.assertLess((faces * sums[index[:, 0]]).sum(axis=1).min() /
                            (np.linalg.norm(faces, axis=1) * np.linalg.norm(sums[index[:, 0]], axis=1)).max(), 0.9)

    def compare_quantised(self, mock):
        self.still(mock)
        t = mock.step_number * mock.time_step
        for object in (0, 1):
            expected = np.array(mock.motion.wave(mock.motion.shapes[object], t))
            found = np.array(self.js("return sinew.places(arguments[0]);", object)).reshape(-1, 3)
            self.assertLess(np.abs(found - expected).max(), np.ptp(expected, axis=0).max() / 65535)

    def test_a_slow_page_draws_the_newest_frame(self):
        mock = self.live(rate=60)
        mock.flood = True
        before, step = self.status()["frame"], mock.step_number
        self.js("const end = performance.now() + 1500; while (performance.now() < end);")
        until(lambda: self.status()["step"] >= step + 40)
        sent = mock.viewers[0].sent
        drawn = len(mock.messages("seen"))
        self.assertLess(drawn, sent - 20)
        mock.flood = False
        self.still(mock)
        self.assertGreater(self.status()["frame"], before + 40)

    def test_reconnects(self):
        mock = self.live("#color=von_mises")
        self.js("sinew.pull(0, 5, [0.1, 0.2, 0.3]);")
        until(lambda: mock.messages("pull"))
        port = mock.port
        frame = self.status()["frame"]
        mock.close()
        until(lambda: "does not answer; trying again" in self.browser.text("#notice"))
        self.assertFalse(self.status()["connected"])
        self.assertIn("not connected", self.browser.text("#badges"))
        again = Mock(self.report, port=port)
        self.addCleanup(again.close)
        until(lambda: self.status()["connected"])
        until(lambda: again.messages("seen"))
        self.assertFalse(self.js("return document.getElementById('notice').checkVisibility();"))
        self.assertEqual(again.messages("color")[0]["field"], "von_mises")
        self.assertEqual(self.js("return sinew.pulls();"), [])
        self.assertGreater(frame, 0)

    def test_another_simulation_is_loaded_anew(self):
        mock = self.live()
        port = mock.port
        mock.close()
        until(lambda: not self.status()["connected"])
        again = Mock(self.report, port=port)
        self.addCleanup(again.close)
        again.mesh_text = again.mesh_text.replace('"name":"boxes"', '"name":"other boxes"', 1)
        until(lambda: "other boxes" in self.js("return document.title;"))

    def test_fields_come_when_asked_for(self):
        mock = self.live("#color=von_mises")
        self.assertEqual(mock.messages("color")[0]["field"], "von_mises")
        self.still(mock)
        t = mock.step_number * mock.time_step
        y = np.array(mock.motion.rest)[:, 1]
        values = 1000 * (1 + np.sin(9 * y / mock.motion.size + t))
        high = self.js("return Number(document.getElementById('legend').dataset.high);")
        self.assertAlmostEqual(high, values.max(), delta=0.1 * values.max())
        self.assertIn("this frame", self.browser.text("#legend"))
        self.js("sinew.set({colorBy: 'speed'});")
        until(lambda: mock.messages("color")[-1]["field"] == "speed")
        self.js("sinew.set({colorBy: 'body'});")
        until(lambda: mock.messages("color")[-1]["field"] is None)
        self.assertEqual(self.browser.complaints(), [])

    def test_shadow_and_clip_plane_follow_what_the_gpu_moves(self):
        """A picture of reduced coordinates is that of the same positions, to what shading by other normals changes."""
        mock = self.live("#bare=1&legend=0&clip=x:0.6")
        self.still(mock)
        for clip in ("{axis: 0, at: 0.6, flip: false}", "null"):
            self.js(f"sinew.set({{clip: {clip}}});")
            reduced = self.browser.pixels()
            self.js("""for (const k of [0, 1]) {
                           const surface = sinew.surface(k);
                           const points = Float32Array.from(surface.points);
                           surface.setPositions(points);
                       }""")
            plain = self.browser.pixels()
            different = np.abs(reduced - plain).max(axis=2)
            self.assertGreater((plain[..., 3] > 200).sum(), 5000)
            self.assertLess((different > 40).mean(), 2e-3, clip)
            mock.set_kind(1)
            self.js("sinew.socket().send({type: 'step'});")
            until(lambda: self.js("return sinew.reduced(0) && sinew.reduced(1);"))
            self.still(mock)


class Shared(LivePageTest):
    """One page for all, as it was at first for each."""

    def test_method_changes_between_kinds_of_frames(self):
        mock = self.live(shared=True)
        mock.set_kind(0)
        until(lambda: not self.js("return sinew.reduced(0);"))
        mock.set_kind(1)
        until(lambda: self.js("return sinew.reduced(0);"))
        mock.change(weights=2)
        self.until_drawn(self.status()["frame"] + 5)
        self.assertTrue(self.js("return sinew.reduced(1);"))
        self.assertEqual(self.browser.complaints(), [])

    def test_dragging_a_body_pulls_it(self):
        mock = self.live("#panel=0", shared=True)
        self.still(mock)
        x, y, vertex = self.on_page(1)
        camera = self.camera()
        self.mouse("mousePressed", x, y)
        for k in (2, 6, 10):
            self.mouse("mouseMoved", x + 6 * k, y - 3 * k)
        until(lambda: len(mock.messages("pull")) > 1)
        pulls = self.js("return sinew.pulls();")
        self.assertEqual([(p["object"], p["vertex"], p["own"], p["pin"]) for p in pulls], [(1, vertex, True, False)])
        self.assertEqual(self.js("return document.querySelectorAll('.pulls .own').length;"), 1)
        time.sleep(0.2)
        pull = mock.messages("pull")[-1]
        self.assertEqual((pull["object"], pull["vertex"]), (1, vertex))
        # The place lies under the pointer, in the plane parallel to the screen.
        start = np.array(self.js("return sinew.place(1, arguments[0]);", vertex))
        direction = camera[3:] - camera[:3]
        moved = np.array(pull["target"]) - start
        self.assertLess(abs(moved @ direction) / np.linalg.norm(direction), 1e-3 * np.linalg.norm(moved))
        place = self.js("return sinew.pixelOf(arguments[0]);", pull["target"])
        self.assertLess(np.hypot(place[0] - x - 60, place[1] - y + 30), 1.5)
        self.mouse("mouseReleased", x + 60, y - 30)
        until(lambda: mock.messages("release"))
        self.assertEqual(mock.messages("release")[-1]["id"], pull["id"])
        self.assertEqual(self.js("return sinew.pulls().length;"), 0)
        np.testing.assert_allclose(self.camera(), camera)
        # One message a picture at most.
        self.assertLess(len(mock.messages("pull")), 14)

    def test_elsewhere_and_with_shift_the_view_turns(self):
        mock = self.live("#panel=0", shared=True)
        self.still(mock)
        x, y, _ = self.on_page(1)
        for at, more in (((40, 350), {}), ((x, y), {"modifiers": 8})):
            camera = self.camera()
            self.mouse("mousePressed", *at, **more)
            for k in (2, 5):
                self.mouse("mouseMoved", at[0] + 10 * k, at[1], **more)
            self.mouse("mouseReleased", at[0] + 50, at[1], **more)
            time.sleep(0.2)
            change = np.abs(self.camera() - camera)
            self.assertGreater(change[:3].max(), 0.01, more)
            self.assertLess(change[3:].max(), 1e-9, more)  # it turns about its target
        self.assertEqual(mock.messages("pull"), [])

    def test_a_click_reads_a_vertex(self):
        mock = self.live("#panel=0", shared=True)
        self.still(mock)
        x, y, vertex = self.on_page(0)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)
        until(lambda: self.browser.state()["probe"] == {"object": 0, "vertex": vertex})
        self.assertIn("lower", self.browser.text("#probe"))
        self.mouse("mousePressed", 30, 350)
        self.mouse("mouseReleased", 30, 350)
        until(lambda: self.browser.state()["probe"] is None)

    def without_timer(self, milliseconds):
        self.js("window.later = setTimeout;"
                f"window.setTimeout = (f, t) => (t === {milliseconds} ? 0 : later(f, t));")
        self.addCleanup(self.js, "window.setTimeout = later;")

    def test_fingers(self):
        mock = self.live("#panel=0", shared=True)
        self.still(mock)
        self.without_timer(550)  # on a busy machine a finger may seem to press long before it moves
        first, second = self.on_page(0)[:2], self.on_page(1)[:2]
        moved = [(x + 30, y) for x, y in (first, second)]
        # One after the other: each pulls.
        self.touch("touchStart", first)
        self.touch("touchMove", (first[0] + 10, first[1]))
        time.sleep(0.2)
        self.touch("touchStart", first, second)
        self.touch("touchMove", *moved)
        until(lambda: len({pull["id"] for pull in mock.messages("pull")}) == 2)
        self.assertEqual({pull["object"] for pull in self.js("return sinew.pulls();")}, {0, 1})
        self.touch("touchEnd")
        until(lambda: len(mock.messages("release")) == 2)
        # Both together: the view turns.
        mock.received.clear()
        camera = self.camera()
        self.touch("touchStart", first, second)
        for k in (3, 7):
            self.touch("touchMove", *[(x + 8 * k, y) for x, y in (first, second)])
        self.touch("touchEnd")
        time.sleep(0.3)
        self.assertGreater(np.abs(self.camera() - camera).max(), 0.005)
        self.assertEqual(self.js("return sinew.pulls();"), [])

    def test_losing_focus_releases(self):
        mock = self.live(shared=True)
        self.js("sinew.pull(0, 5, [0.1, 0.2, 0.3]);")
        until(lambda: mock.messages("pull"))
        self.assertEqual(mock.messages("pull")[0]["vertex"], 5)
        np.testing.assert_allclose(mock.messages("pull")[0]["target"], [0.1, 0.2, 0.3], atol=1e-12)
        self.js("window.dispatchEvent(new Event('blur'));")
        until(lambda: mock.messages("release"))

    def test_pulls_of_others_are_drawn(self):
        mock = self.live(shared=True)

        class Other:
            client, pulls, sent, seen = 77, {1: (1, 0, 3, [0.1, 0.1, 0.1])}, 0, 0
            text = frame = on_the_way = lambda self, *arguments: 9

            def end(self):
                pass

        mock.viewers.append(Other())
        until(lambda: [(p["vertex"], p["own"]) for p in self.js("return sinew.pulls();")] == [(3, False)])
        until(lambda: self.js("return document.querySelectorAll('.pulls .other').length;") == 1)
        mock.viewers.pop()
        until(lambda: self.js("return sinew.pulls();") == [])

    def test_controls_say_what_they_should(self):
        mock = self.live(shared=True)
        click = "document.getElementById(arguments[0]).click();"
        self.js(click, "live-play")
        self.assertEqual(self.last(mock, "pause")["on"], True)
        until(lambda: "paused" in self.browser.text("#badges"))
        self.assertIn("(paused)", self.js("return document.title;"))
        self.js(click, "live-step")
        self.last(mock, "step")
        self.js(click, "live-reset")
        self.last(mock, "reset")
        self.js(click, "live-record")
        self.assertEqual(self.last(mock, "record")["on"], True)
        until(lambda: "out/live_0001" in self.browser.text("#live-folder"))
        self.js(click, "live-record")
        until(lambda: mock.messages("record")[-1]["on"] is False)
        self.choose_method("newton")
        self.assertEqual(self.last(mock, "method")["name"], "newton")
        until(lambda: "lost the velocities" in self.browser.text("#live-loss"))
        self.assertIn("newton", self.browser.text("#badges"))
        self.browser.key(" ")
        until(lambda: mock.messages("pause")[-1]["on"] is False)
        self.browser.key(".")
        until(lambda: len(mock.messages("step")) == 2)
        self.browser.key("Backspace")
        until(lambda: len(mock.messages("reset")) == 2)
        self.browser.key("o")
        until(lambda: mock.messages("record")[-1]["on"] is True)
        self.assertTrue(self.js("return document.getElementById('slider').checkVisibility();") is False)

    def test_settings(self):
        mock = self.live(shared=True)
        labels = self.browser.text("#live-settings")
        for text in ("Gravity", "Time step", "soft one", "Young’s modulus", "m/s²"):
            self.assertIn(text, labels)
        self.setting("gravity", 0, "3", "change")
        self.assertEqual(self.last(mock, "set"), {"type": "set", "key": "gravity", "value": [3, -9.81, 0]})
        until(lambda: mock.state["settings"]["gravity"]["value"] == [3, -9.81, 0])
        self.setting("gravity", 3, 500, "input")
        until(lambda: abs(np.linalg.norm(mock.messages("set")[-1]["value"]) - 15) < 0.01)
        self.assertAlmostEqual(mock.messages("set")[-1]["value"][1] / mock.messages("set")[-1]["value"][0], -3.27, 2)
        # Half of a logarithmic slider is the geometric mean.
        self.setting("materials.soft one.young", 1, 500, "input")
        until(lambda: mock.messages("set")[-1]["key"] == "materials.soft one.young")
        self.assertAlmostEqual(mock.messages("set")[-1]["value"] / 10**5.5, 1, 2)
        self.setting("materials.soft one.poisson", 0, "nonsense", "change")
        self.setting("solver.iterations", 1, 333, "input")
        until(lambda: mock.messages("set")[-1]["key"] == "solver.iterations")
        self.assertEqual(mock.messages("set")[-1]["value"], 17)
        self.assertNotIn("materials.soft one.poisson", [m["key"] for m in mock.messages("set")])
        mock.state["settings"]["time.step"]["value"] = 0.02
        mock.change()
        until(lambda: "0.02" in self.js("""
            return [...document.querySelectorAll('.setting')].map((n) => n.querySelector('input').value);"""))

    def test_errors_are_told(self):
        mock = self.live(shared=True)
        mock.tell({"type": "error", "message": "the vertex 99 <b>does not exist</b>"})
        until(lambda: self.browser.text("#notice") == "the vertex 99 <b>does not exist</b>")
        mock.change(busy="factoring 10,000 unknowns")
        until(lambda: "factoring" in self.browser.text("#busy"))
        mock.change(busy=None)
        until(lambda: self.js("return document.querySelector('#busy').hidden;"))
        mock.tell({"type": "waiting", "message": "a step takes long"})
        until(lambda: self.browser.text("#busy") == "a step takes long")
        mock.tell({"type": "waiting", "message": None})
        until(lambda: self.js("return document.querySelector('#busy').hidden;"))

    def setting_of(self, key, script):
        return self.js("const node = [...document.querySelectorAll('.setting')]"
                       f".find((n) => n.dataset.key === arguments[0]); return {script};", key)

    def test_a_refused_value_goes_back_and_its_control_says_why(self):
        mock = self.live(shared=True)
        value = "node.querySelector('input').value"
        before = self.setting_of("time.step", value)
        mock.refused = {"time.step", "method"}
        self.setting("time.step", 0, "123", "change")
        until(lambda: self.setting_of("time.step", "node.querySelector('.refused').innerText") == "time.step: refused")
        self.assertEqual(self.setting_of("time.step", value), before)
        self.assertFalse(self.js("return document.getElementById('notice').checkVisibility();"))
        mock.refused.remove("time.step")
        self.setting("time.step", 0, "0.02", "change")  # a new value takes the reason away
        self.assertFalse(self.setting_of("time.step", "node.querySelector('.refused').checkVisibility()"))
        self.choose_method("newton")
        until(lambda: self.browser.text("#live-method-refused") == "method: refused")
        self.assertEqual(self.js("return document.getElementById('live-method').value;"), "reduced")
        mock.refused.add("time.step")
        self.js("document.getElementById('tab-plots').click();")  # where the control is not seen, the picture says it
        self.setting("time.step", 0, "123", "change")
        until(lambda: self.browser.text("#notice") == "time.step: refused")

    def choose_method(self, name):
        self.js("const s = document.getElementById('live-method'); s.value = arguments[0];"
                "s.dispatchEvent(new Event('change'));", name)

    def test_values_that_wait_are_marked(self):
        mock = self.live(shared=True)
        pending = "node.classList.contains('pending') && node.getAttribute('aria-busy') === 'true'"
        mock.holds = True
        self.setting("time.step", 0, "0.02", "change")
        self.last(mock, "set")
        self.assertTrue(self.setting_of("time.step", pending))
        self.assertFalse(self.setting_of("gravity", pending))
        self.choose_method("newton")
        row = "return document.getElementById('live-method-row').classList.contains('pending');"
        self.assertTrue(self.js(row))
        mock.state["settings"]["time.step"]["value"] = 0.02
        mock.change(method="newton")
        until(lambda: not self.setting_of("time.step", pending) and not self.js(row))

    def test_a_recording_that_ends_tells_its_folder(self):
        mock = self.live(shared=True)
        seen = "return document.getElementById('recorded').checkVisibility();"
        mock.change(recording="out/a b_1")
        until(lambda: "out/a b_1" in self.browser.text("#live-folder"))
        self.assertFalse(self.js(seen))
        mock.change(recording=None)
        until(lambda: self.js(seen))
        self.assertEqual(self.browser.text("#recorded-folder"), "out/a b_1")
        self.without_timer(1500)  # the label stays
        self.js("navigator.clipboard.writeText = async (text) => { window.written = text; };")
        for button, text in (("recorded-path", "out/a b_1"), ("recorded-command", "sinew view 'out/a b_1'")):
            self.js("document.getElementById(arguments[0]).click();", button)
            until(lambda: self.js("return window.written;") == text)
            self.assertEqual(self.browser.text("#" + button), "Copied")
        self.js("document.getElementById('recorded-close').click();")
        self.assertFalse(self.js(seen))

    # ---- pins and camera

    def pins(self):
        return [(p["object"], p["vertex"]) for p in self.js("return sinew.pulls();") if p["pin"]]

    def test_a_right_click_pins_and_unpins(self):
        mock = self.live("#panel=0", shared=True)
        self.still(mock)
        x, y, vertex = self.on_page(1)
        camera = self.camera()
        right = lambda kind: self.mouse(kind, x, y, button="right", buttons=0 if kind == "mouseReleased" else 2)
        right("mousePressed"), right("mouseReleased")
        pull = self.last(mock, "pull")
        self.assertEqual((pull["object"], pull["vertex"], pull["pin"]), (1, vertex, True))
        np.testing.assert_allclose(pull["target"], self.js("return sinew.place(1, arguments[0]);", vertex), atol=1e-6)
        self.assertEqual(self.pins(), [(1, vertex)])
        self.js("window.dispatchEvent(new Event('blur'));")  # releases pulls, but no pins
        self.assertEqual(self.pins(), [(1, vertex)])
        until(lambda: self.js("return document.querySelectorAll('.pulls .own.pinned').length;") == 1)
        self.assertIn("1 point is pinned", self.js("return document.getElementById('live-pins').textContent;"))
        right("mousePressed"), right("mouseReleased")
        self.assertEqual(self.last(mock, "release")["id"], pull["id"])
        self.assertEqual(self.pins(), [])
        np.testing.assert_allclose(self.camera(), camera)

    def test_pins_by_key_and_by_a_long_press(self):
        mock = self.live("#panel=0", shared=True)
        self.still(mock)
        x, y, vertex = self.on_page(1)
        self.js("document.querySelector('#view canvas').dispatchEvent(new PointerEvent('pointerleave'));"
                "sinew.set({probe: {object: 0, vertex: 3}});")
        self.browser.key("n")
        self.assertEqual(self.pins(), [(0, 3)])
        self.touch("touchStart", (x, y))
        until(lambda: (1, vertex) in self.pins())
        self.touch("touchEnd")
        self.assertEqual(len(self.pins()), 2)
        self.js("document.getElementById('unpin').click();")
        self.assertEqual(self.pins(), [])
        until(lambda: len(mock.messages("release")) >= 2)
        self.browser.key("n")
        until(lambda: mock.viewers[0].pulls)
        until(lambda: self.js("return sinew.pulls()[0]?.seen;"))
        mock.follow(mock.viewers[0], {"type": "reset"})  # the server lets go: so does the page
        until(lambda: self.pins() == [])

    def test_the_camera_follows(self):
        mock = self.live("#panel=0", shared=True)
        self.js("sinew.set({probe: {object: 1, vertex: 5}});")
        self.browser.key("v")
        self.assertTrue(self.browser.state()["follow"])
        before = self.camera()
        middle = lambda: self.js("""
            const places = [...Array(sinew.header.objects[1].vertices).keys()].map((v) => sinew.onPage(1, v));
            const r = sinew.canvas().getBoundingClientRect();
            return [0, 1].map((a) => places.reduce((sum, p) => sum + p[a], 0) / places.length)
                .map((c, a) => c - (a ? r.top + r.height / 2 : r.left + r.width / 2));""")
        for _ in range(2):
            step = self.status()["step"]
            until(lambda: self.status()["step"] > step + 9)
            self.assertLess(np.abs(middle()).max(), 8)
        after = self.camera()
        self.assertGreater(np.abs(after - before).max(), 0.001)
        np.testing.assert_allclose(after[:3] - after[3:], before[:3] - before[3:], atol=1e-9)  # as it looked before
        self.browser.key("v")
        self.still(mock)
        self.assertFalse(self.browser.state()["follow"])

    # ---- plots

    def curves(self):
        return self.js("return [...document.querySelectorAll('#page-plots path')].map((p) => p.getAttribute('d'));")

    def test_plots_move_while_they_are_seen(self):
        mock = self.live("#tab=plots", shared=True)
        until(lambda: len(self.curves()) >= 7 and all(len(d) > 30 for d in self.curves()))
        first = self.curves()
        nodes = self.js("window.paths = [...document.querySelectorAll('#page-plots path')]; return paths.length;")
        until(lambda: all(a != b for a, b in zip(first, self.curves())))
        kept = self.js("return [...document.querySelectorAll('#page-plots path')]"
                       ".filter((p) => paths.includes(p)).length;")
        self.assertEqual(kept, nodes)  # moved, not made anew
        mock.tell({"type": "rows", "rate": 100, "rows": [
            {"step": mock.step_number + 1 + k, "energies": {"kinetic": 1}, "seconds": {"steps": 0.01}}
            for k in range(5000)]})
        mock.step_number += 5001
        until(lambda: min(self.js("return [...document.querySelectorAll('#plot-rate text')].map((t) => +t.textContent)"
                                  ".filter((n) => n > 1000);") or [0]) > 4000)
        self.assertNotIn("springs", self.browser.text("#plot-energies"))
        self.js("document.getElementById('tab-live').click();")
        time.sleep(0.3)
        hidden = self.curves()
        time.sleep(0.7)
        self.assertEqual(self.curves(), hidden)

    def test_dark_light_and_small(self):
        for look in ("light", "dark"):
            self.browser.scheme(look)
            self.live(shared=True)
            until(lambda: self.js("return document.documentElement.dataset.theme;") == look)
            self.assertEqual(self.browser.complaints(), [])
        self.browser.size(340, 560)
        closed = "return document.getElementById('drawer').ariaExpanded === 'false';"
        until(lambda: self.js(closed))  # as it is in small windows, until the tab is asked for
        self.live("#tab=live", shared=True)
        wide = self.js("return document.documentElement.scrollWidth;")
        self.assertLessEqual(wide, 340)
        for name in ("live-play", "live-step", "live-reset", "live-record", "live-method"):
            left, right, top, bottom = self.js("""
                const r = document.getElementById(arguments[0]).getBoundingClientRect();
                return [r.left, r.right, r.top, r.bottom];""", name)
            self.assertTrue(0 <= left < right <= 340 and 0 <= top < bottom <= 560, name)
        over = self.js("""return [...document.querySelectorAll('.setting input')]
                             .filter((i) => i.getBoundingClientRect().right > innerWidth).length;""")
        self.assertEqual(over, 0)

    def test_keys_are_listed(self):
        self.live(shared=True)
        text = self.js("return document.getElementById('keys').textContent;")
        for part in ("pause, continue", "one step", "back to the start", "record"):
            self.assertIn(part, text)
        self.assertNotIn("last frame", text)


if __name__ == "__main__":
    import unittest
    unittest.main()
