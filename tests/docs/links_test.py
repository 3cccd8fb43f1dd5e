"""Links of all pages lead somewhere, anchors included; paths and scene keys that pages name exist."""

import json
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pages import ROOT, anchors, pages, prose

# Files that docs/extending.md has a reader write.
EXAMPLES = ("gent", "bowl", "bowl_test", "shift_kinematics", "shift_kinematics_test", "gauss_seidel", "conjugate_direction", "conjugate_direction_test", "csv_frames", "tet_file", "tet_file_test")
DOCS = ROOT / "docs"
SOURCES = ("src", "web/src", "tools", "python", "scripts", "tests")


def in_documents():
    return [page for page in pages() if page == ROOT / "README.md" or page.is_relative_to(DOCS)]


class Links(unittest.TestCase):

    def check(self, page, link):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        with self.subTest(page=str(page.relative_to(ROOT)), link=link):
            self.assertTrue(target.exists())
            if anchor and target.suffix == ".md":
                self.assertIn(anchor, anchors(target))

    def test_links_lead_somewhere(self):
        for page in pages():
            text = prose(page)
            links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)) + re.findall(r'(?:src|href)="([^"]+)"', text)
            for link in links:
                if "://" not in link and not link.startswith("mailto:"):
                    self.check(page, link)

    def test_pages_that_sources_name(self):
        for folder in SOURCES:
            for source in (ROOT / folder).rglob("*"):
                if source.suffix not in (".cpp", ".h", ".ts", ".js", ".py", ".pyi", "") or not source.is_file() or "node_modules" in source.parts:
                    continue
                for path, anchor in re.findall(r"\bdocs/([\w/]+\.md)(?:#([\w-]+))?", source.read_text(errors="ignore")):
                    with self.subTest(source=str(source.relative_to(ROOT)), page=path):
                        self.assertTrue((DOCS / path).exists())
                        if anchor:
                            self.assertIn(anchor, anchors(DOCS / path))


class Names(unittest.TestCase):

    def test_paths_exist(self):
        folders = [ROOT, ROOT / "src/sinew"]
        for page in in_documents():
            for path in re.findall(r"`((?:[a-z_]+/)+[\w.]+\.(?:cpp|h|py|json|txt))`", page.read_text()):
                if path.startswith(("build/", "out/")) or pathlib.PurePath(path).stem in EXAMPLES:
                    continue
                with self.subTest(page=page.name, path=path):
                    self.assertTrue(any((folder / path).exists() for folder in folders))

    def test_keys_are_those_of_the_schema(self):
        schema = json.loads((DOCS / "scene.schema.json").read_text())["properties"]
        for page in in_documents():
            for block, key in re.findall(r"`(time|contact|solver|output|compare)\.(\w+)", page.read_text()):
                with self.subTest(page=page.name, key=f"{block}.{key}"):
                    self.assertIn(key, list(schema[block]["properties"]))

    def test_every_page_is_in_the_navigation(self):
        index = (DOCS / "index.md").read_text()
        for page in DOCS.rglob("*.md"):
            name = str(page.relative_to(DOCS).with_suffix(""))
            if page.name != "README.md" and page != DOCS / "index.md" and page.parent != DOCS / "gallery":
                with self.subTest(page=name):
                    self.assertIn(f"<{name}>", index)

    def test_every_scene_is_in_the_gallery(self):
        index = (DOCS / "gallery/README.md").read_text()
        for page in (DOCS / "gallery").glob("*.md"):
            if page.name != "README.md":
                self.assertIn(f"({page.name})", index)


if __name__ == "__main__":
    sys.exit(unittest.main())
