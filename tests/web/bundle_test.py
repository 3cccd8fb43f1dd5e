"""The built page in web/dist belongs to its sources, and needs nothing from elsewhere."""

import hashlib
import json
import pathlib
import re
import sys
import unittest

sys.argv[1:2] = []  # the binary is not needed
WEB = pathlib.Path(__file__).resolve().parents[2] / "web"


def source_hash():
    names = [f"src/{path.name}" for path in (WEB / "src").iterdir()]
    names += ["build.mjs", "package-lock.json", "package.json"]
    total = hashlib.sha256()
    for name in sorted(names):
        total.update(f"{name}\n".encode())
        total.update((WEB / name).read_bytes())
    return total.hexdigest()


class Bundle(unittest.TestCase):
    def setUp(self):
        self.page = (WEB / "dist/report.html").read_text()

    def test_is_built_from_the_sources(self):
        found = re.search(r"sources ([0-9a-f]{64})", self.page).group(1)
        self.assertEqual(found, source_hash(), "web/dist is stale; rebuild it: cd web && npm ci && npm run build")

    def test_has_one_place_for_the_data(self):
        self.assertEqual(self.page.count("<!--sinew-data-->"), 1)

    def test_loads_nothing(self):
        markup = re.sub(r"<script>.*?</script>", "", self.page, flags=re.S)
        self.assertEqual(re.findall(r'(?:src|href)="(?!data:)[^"]*"', markup), [])
        self.assertNotIn("@import", self.page)
        self.assertNotIn("url(http", self.page)

    def test_carries_the_licence_of_three(self):
        version = json.loads((WEB / "package.json").read_text())["dependencies"]["three"]
        for text in (self.page, (WEB / "dist/LICENSES.txt").read_text()):
            self.assertIn(f"three.js {version}", text)
            self.assertIn("Permission is hereby granted, free of charge", text)

    def test_lockfile_names_no_host(self):
        self.assertNotIn('"resolved"', (WEB / "package-lock.json").read_text())


if __name__ == "__main__":
    unittest.main()
