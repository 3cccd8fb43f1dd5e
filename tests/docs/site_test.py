"""scripts/docs builds the site without warnings; its pages need no network, fit a phone, and have what they promise.

Exit code 77 where a program that builds the site is not installed. The checks in a browser are skipped where there is
none. site_test.py --screenshots DIR also writes pictures of some pages at both widths.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "web")]
from browser import Browser
from pages import ROOT

SITE = ROOT / "build/docs/html"
SKIPPED = 77
WIDTHS = {"desktop": (1440, 900), "phone": (390, 844)}
PICTURED = ("index", "start/first_scene", "howto/bodies", "gallery/README", "gallery/gears", "scene", "errors", "reference/python", "reference/cpp",
            "theory", "methods/index", "performance")
NEEDED = ("sphinx", "furo", "myst_parser", "sphinx_copybutton")
screenshots = None


def missing():
    found = subprocess.run(["/usr/bin/python3", "-c", f"import {', '.join(NEEDED)}"], capture_output=True)
    if found.returncode:
        return "Sphinx, MyST and Furo are not installed (scripts/setup --docs)"
    if not shutil.which("doxygen"):
        return "doxygen is not installed (scripts/setup --docs)"
    return None


def documents():
    """The pages that were written, without indices and the search."""
    return sorted(page for page in SITE.rglob("*.html") if page.stem not in ("genindex", "search", "py-modindex"))


class Site(unittest.TestCase):

    def test_pages_load_nothing_from_the_network(self):
        for page in documents():
            with self.subTest(page=page.stem):
                text = page.read_text()
                loaded = re.findall(r'<(?:script|img|iframe)\b[^>]*\bsrc="([^"]+)"', text)
                loaded += re.findall(r'<link\b[^>]*\bhref="([^"]+)"', text)
                self.assertEqual([url for url in loaded if "//" in url], [])

    def test_links_between_pages_exist(self):
        for page in documents():
            for link in re.findall(r'<a\b[^>]*\bhref="([^"#]+)', page.read_text()):
                if "://" not in link and not link.startswith("mailto:"):
                    with self.subTest(page=page.stem, link=link):
                        self.assertTrue((page.parent / link).resolve().exists())

    def test_references(self):
        python, cpp = ((SITE / f"reference/{name}.html").read_text() for name in ("python", "cpp"))
        for name in ("sinew.Simulation.step", "sinew.TetMesh.tets", "sinew.modes.linear", "sinew.ccd.edge_edge"):
            self.assertIn(f'id="{name}"', python)
        for name in ("Simulation", "TetMesh", "Energy", "read_scene"):
            self.assertIn(f'<span class="pre">{name}</span>', cpp)
        self.assertNotIn(".. cpp:", cpp)

    def test_gallery(self):
        text = (SITE / "gallery/README.html").read_text()
        cards = re.findall(r'class="card"><a href="([^"]+)"><img src="([^"]+)"', text)
        self.assertEqual(len(cards), len(list((ROOT / "docs/gallery").glob("*.md"))) - 1)
        for page, picture in cards:
            self.assertTrue((SITE / "gallery" / page).exists())
            self.assertTrue((SITE / "gallery" / picture).resolve().exists())
        for loop in re.findall('data-loop="([^"]+)"', text):
            self.assertTrue((SITE / "gallery" / loop).resolve().exists())

    def test_search_knows_the_keys(self):
        index = (SITE / "searchindex.js").read_text()
        for word in ("friction", "multilevel", "gripper"):
            self.assertIn(word, index)


class InABrowser(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.driver = cls.browser.driver
        cls.driver.execute_cdp_cmd("Network.enable", {})
        cls.driver.execute_cdp_cmd("Network.emulateNetworkConditions",
                                   {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})

    def open(self, page, size):
        self.browser.size(*size)
        self.driver.get(f"file://{page}")

    def typeset(self):
        self.driver.set_script_timeout(60)
        self.driver.execute_async_script("const done = arguments[0]; window.MathJax && MathJax.Hub ? MathJax.Hub.Queue(done) : done()")

    def test_pages_fit_and_pictures_load(self):
        for name, size in WIDTHS.items():
            for page in documents():
                if name == "desktop" and page.parent.name == "gallery" and page.stem != "README":
                    continue  # of one kind
                with self.subTest(page=page.stem, width=name):
                    self.open(page, size)
                    self.assertEqual(self.driver.execute_script(
                        "return [...document.images].filter(i => i.loading != 'lazy' && !i.naturalWidth).map(i => i.src)"), [])
                    wide = self.driver.execute_script("""
                        const page = document.documentElement, width = page.clientWidth
                        if (page.scrollWidth <= width) return []
                        return [...document.querySelectorAll('article *')].filter(e => e.getBoundingClientRect().right > width + 1)
                          .slice(0, 3).map(e => e.outerHTML.slice(0, 120))""")
                    self.assertEqual(wide, [])

    def test_formulas_are_typeset(self):
        self.open(SITE / "theory.html", WIDTHS["desktop"])
        self.typeset()
        self.assertGreater(self.driver.execute_script("return document.querySelectorAll('.mjx-chtml').length"), 100)
        self.assertEqual(self.driver.execute_script("return [...document.querySelectorAll('.mjx-merror, .merror')].map(e => e.textContent)"), [])

    def test_search_finds(self):
        self.open(SITE / "search.html", WIDTHS["desktop"])
        self.driver.get(f"file://{SITE}/search.html?q=cubature")
        self.driver.set_script_timeout(20)
        found = self.driver.execute_async_script("""const done = arguments[0], begin = Date.now()
            const look = () => { const n = document.querySelectorAll('#search-results li').length
                                 n > 2 || Date.now() - begin > 15000 ? done(n) : setTimeout(look, 100) }; look()""")
        self.assertGreater(found, 2)

    def test_cards_of_the_gallery_copy_their_command(self):
        self.open(SITE / "gallery/README.html", WIDTHS["desktop"])
        copied = self.driver.execute_script("""
            const copied = []
            document.execCommand = () => copied.push(document.activeElement.value)
            for (const button of [...document.querySelectorAll('.gallery button')].slice(0, 2)) button.click()
            return [...copied, document.querySelector('.gallery button').textContent]""")
        self.assertRegex(copied[0], r"^sinew run scenes/gallery/\w+\.json -o out/\w+$")
        self.assertNotEqual(copied[0], copied[1])
        self.assertEqual(copied[2], "Copied")

    def test_the_first_page_simulates(self):
        self.open(SITE / "index.html", WIDTHS["desktop"])
        frames = self.driver.find_elements("css selector", "iframe.simulating")
        if not frames:
            self.skipTest("built without the program")
        self.driver.get(frames[0].get_attribute("src"))
        self.driver.set_script_timeout(60)
        self.assertTrue(self.driver.execute_async_script("""
            const done = arguments[0], step = () => Number(document.body.innerText.match(/step (\\d+)/)?.[1] || 0)
            const begin = Date.now(), first = step()
            const look = () => step() > first + 3 ? done(true) : Date.now() - begin > 50000 ? done(false) : setTimeout(look, 200)
            look()"""))

    def test_screenshots(self):
        if not screenshots:
            self.skipTest("no --screenshots DIR")
        for name, size in WIDTHS.items():
            for page in PICTURED:
                self.open(SITE / f"{page}.html", size)
                self.typeset()
                self.driver.save_screenshot(f"{screenshots}/{page.replace('/', '_')}_{name}.png")


if __name__ == "__main__":
    if "--screenshots" in sys.argv:
        at = sys.argv.index("--screenshots")
        screenshots = sys.argv[at + 1]
        del sys.argv[at:at + 2]
    if reason := missing():
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    built = subprocess.run([ROOT / "scripts/docs"], capture_output=True, text=True)
    if built.returncode:
        sys.exit(f"scripts/docs: {built.stdout}{built.stderr}")
    sys.exit(unittest.main())
