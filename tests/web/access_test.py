"""The page for everybody: contrast, names, focus, keys, calm, and windows of each size; of reports and live pages.

Usage: access_test.py SINEW [unittest arguments]
"""

import time

from runs import run, scene
from browser import PageTest
from live_mock import Mock

# Texts that can be seen, with their contrast to what lies behind them (WCAG 2.1, 1.4.3): large ones need 3, others 4.5.
CONTRAST = """
const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return [n[0], n[1], n[2], n[3] ?? 1]; };
const over = (top, below) => [0, 1, 2].map((a) => top[a] * top[3] + below[a] * (1 - top[3])).concat(1);
const light = ([r, g, b]) => { const f = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
const behind = (node) => {
  const layers = [];
  for (let n = node; n; n = n.parentElement) {
    const color = parse(getComputedStyle(n).backgroundColor);
    if (color[3] > 0) layers.push(color);
    if (color[3] === 1) break;
  }
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
};
const bad = [];
let count = 0;
for (const node of document.querySelectorAll('body *')) {
  const own = [...node.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  if (!own || !node.checkVisibility({opacityProperty: true, visibilityProperty: true}) || node.closest(':disabled')) continue;
  if (['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(node.tagName)) continue;
  const style = getComputedStyle(node);
  const back = behind(node);
  const color = over(parse(node.ownerSVGElement ? style.fill : style.color), back);
  const [high, low] = [light(color), light(back)].sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  count += 1;
  if (ratio < (large ? 3 : 4.5)) bad.push(`${ratio.toFixed(2)} ${node.tagName} ${node.id || node.className}: ${node.textContent.trim().slice(0, 30)}`);
}
return [count, bad];"""

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1280, 800)}


class Access(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        content = scene(time={"step": 0.01, "steps": 6})
        content["contact"]["friction_iterations"] = 1
        content["materials"]["unused"] = content["materials"]["foam"]
        run(cls.root / "boxes", content)
        cls.page = cls.root / "boxes/report.html"
        cls.mock = Mock(cls.root / "boxes/report", rate=4)
        cls.addClassCleanup(cls.mock.close)

    def prefers(self, theme="light", motion="reduce"):
        self.browser.features({"prefers-color-scheme": theme, "prefers-reduced-motion": motion})

    def js(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def pages(self):
        yield "report", self.page
        yield "live", self.mock.url

    def tabs(self):
        return self.js("return [...document.querySelectorAll('[role=tab]:not([hidden])')].map((t) => t.id);")

    def test_texts_can_be_read_in_light_and_dark(self):
        for theme in ("light", "dark"):
            self.prefers(theme)
            for name, page in self.pages():
                self.open("#step=3&color=von_mises" if name == "report" else "#color=von_mises", page)
                if name == "live":
                    self.mock.refused = {"time.step"}
                    self.js("sinew.send({type: 'set', key: 'time.step', value: 1});")
                    self.mock.tell({"type": "error", "message": "no"})
                    time.sleep(0.3)
                    self.js("document.getElementById('recorded').hidden = false;")
                for tab in self.tabs():
                    self.js("document.getElementById(arguments[0]).click();", tab)
                    count, bad = self.js(CONTRAST)
                    self.assertGreater(count, 15)
                    self.assertEqual(bad, [], f"{theme}, {name}, {tab}")
                for dialog in ("help", "video"):
                    self.js("document.getElementById(arguments[0]).showModal();", dialog)
                    self.assertEqual(self.js(CONTRAST)[1], [], f"{theme}, {dialog}")
                    self.js("document.getElementById(arguments[0]).close();", dialog)

    def press(self, key, code=None):
        for kind in ("rawKeyDown", "keyUp"):
            self.browser.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {
                "type": kind, "key": key, "windowsVirtualKeyCode": code or 9})

    def test_tab_reaches_every_control_by_its_name_and_shows_where_it_is(self):
        self.prefers()
        for name, page in self.pages():
            self.open("", page)
            wanted = self.js("""
                return [...document.querySelectorAll('button, input, select, canvas, [tabindex="0"]')]
                  .filter((n) => n.checkVisibility() && !n.disabled && n.tabIndex >= 0 && !n.closest('dialog:not([open])')
                    && !(n.type === 'radio' && !n.checked)).length;""")
            self.js("document.activeElement.blur(); window.seen = new Set();")
            order = []
            for _ in range(wanted + 3):
                self.press("Tab")
                found = self.js("""
                    const n = document.activeElement;
                    if (n === document.body || seen.has(n)) return null;
                    seen.add(n);
                    const style = getComputedStyle(n);
                    const name = n.getAttribute('aria-label') || n.textContent.trim() || n.labels?.[0]?.textContent;
                    const at = [...document.querySelectorAll('*')].indexOf(n);
                    return [n.tagName, n.id, name, style.outlineStyle, parseFloat(style.outlineWidth), at];""")
                if found:
                    order.append(found)
            self.assertEqual(len(order), wanted, (name, order))
            for tag, id, label, style, width, _ in order:
                self.assertTrue(label, (name, tag, id))
                self.assertTrue(style != "none" and width >= 1.5, (name, tag, id, style, width))
            self.assertEqual([o[-1] for o in order], sorted(o[-1] for o in order), name)  # as they are read

    def test_the_camera_turns_by_keys(self):
        self.prefers()
        for name, page in self.pages():
            self.open("#step=2" if name == "report" else "", page)
            self.js("document.querySelector('#view canvas').focus();")
            label = self.js("return document.querySelector('#view canvas').getAttribute('aria-label');")
            self.assertIn("arrow keys", label)
            for key, more in (("ArrowLeft", {"shiftKey": True}), ("ArrowUp", {"shiftKey": True}), ("+", {}), ("-", {})):
                before = self.browser.state()["camera"]
                self.browser.key(key, **more)
                self.assertNotEqual(self.browser.state()["camera"], before, (name, key))
            before = self.browser.state()["camera"]
            self.browser.key("ArrowRight")  # of a run: a frame on
            self.assertEqual(self.browser.state()["camera"] == before, name == "report")

    def test_all_keys_are_on_the_sheet(self):
        self.prefers()
        for name, page in self.pages():
            self.open("#step=2" if name == "report" else "", page)
            used = self.js("""
                return [...'abcdefghijklmnoqrstuvwxyz.[]+-?', ' ', 'Home', 'Backspace'].filter((key) => {
                  const event = new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true});
                  document.body.dispatchEvent(event);
                  for (const dialog of document.querySelectorAll('dialog')) dialog.close();
                  return event.defaultPrevented;
                });""")
            shown = self.js("return [...document.querySelectorAll('#keys kbd')].map((k) => k.textContent);")
            names = {" ": "Space", "-": "−"}
            for key in used:
                self.assertIn(names.get(key, key.upper() if len(key) == 1 else key), shown, name)
            self.assertGreater(len(used), 12)
            self.assertIn("P", shown)  # which would draw a picture here, and take long

    def test_calm_where_it_is_asked_for(self):
        self.prefers()
        self.open()
        time.sleep(0.3)
        self.assertFalse(self.browser.state()["playing"])
        moving = "return document.getAnimations().length;"
        self.open("", self.mock.url)
        self.js("document.getElementById('live-method-row').classList.add('pending');")
        self.assertEqual(self.js(moving), 0)
        self.prefers(motion="no-preference")
        self.assertGreater(self.js(moving), 0)
        self.open()
        self.assertTrue(self.browser.state()["playing"])

    def test_windows_of_each_size(self):
        """One line of header, nothing beside the window or over another control."""
        self.prefers()
        for name, page in self.pages():
            self.browser.size(*SIZES["desktop"])
            self.open("#step=3&color=von_mises" if name == "report" else "", page)
            for size, (width, height) in SIZES.items():
                self.browser.size(width, height)
                time.sleep(0.3)
                for drawer in (False, True) if size == "phone" else (True,):
                    if self.js("return document.getElementById('drawer').ariaExpanded;") != str(drawer).lower():
                        self.js("document.getElementById('drawer').click();")
                    facts = self.js("""
                        const seen = (n) => n.checkVisibility() && n.getBoundingClientRect().width > 0;
                        const rect = (n) => n.getBoundingClientRect();
                        const controls = [...document.querySelectorAll('.top button, .view-actions button, .transport *:is(button, select, input)')].filter(seen);
                        const parts = [...controls, ...['legend', 'title'].map((id) => document.getElementById(id)).filter(seen)];
                        const overlap = [];
                        parts.forEach((a, i) => parts.slice(i + 1).forEach((b) => {
                          const [p, q] = [rect(a), rect(b)];
                          const x = Math.min(p.right, q.right) - Math.max(p.left, q.left);
                          const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
                          if (x > 1 && y > 1) overlap.push(`${a.id} ${b.id}`);
                        }));
                        const texts = [...document.querySelectorAll('.transport *, .top *')].filter(seen);
                        const outside = [...parts, ...texts].filter((n) => rect(n).right > innerWidth + 1 || rect(n).left < -1 ||
                          rect(n).bottom > innerHeight + 1);
                        return {wide: document.documentElement.scrollWidth - innerWidth, overlap,
                          outside: outside.map((n) => n.id || n.className), header: rect(document.querySelector('.top')).height,
                          small: controls.filter((n) => n.tagName === 'BUTTON' && rect(n).height < 32).map((n) => n.id),
                          lines: [...document.querySelectorAll('.clock, .pace')].filter(seen).map((n) => rect(n).height)};""")
                    where = f"{name}, {size}, panel {drawer}"
                    self.assertLessEqual(facts["wide"], 0, where)
                    self.assertEqual((facts["overlap"], facts["outside"], facts["small"]), ([], [], []), where)
                    self.assertLess(facts["header"], 48, where)
                    self.assertLess(max(facts["lines"]), 42, where)


if __name__ == "__main__":
    import unittest
    unittest.main()
