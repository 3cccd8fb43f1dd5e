"""docs/architecture.md names every folder of the sources and of the repository, and none that does not exist."""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()


def tables():
    """The first column of each table whose head is "folder"."""
    found = []
    for table in re.findall(r"^\| folder \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE):
        found.append([re.match(r"\| `([^`]+)` \|", row)[1] for row in table.splitlines()])
    return found


def folders(parent):
    """Folders that the repository holds; of an unpacked archive all but hidden ones and those that .gitignore names."""
    listed = subprocess.run(["git", "ls-files", "-z", "."], cwd=parent, capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return {path.split("/")[0] for path in listed.stdout.split("\0") if "/" in path and path[0] != "."}
    ignored = {line.strip("/\n") for line in (ROOT / ".gitignore").read_text().splitlines()}
    names = {path.name for path in parent.iterdir() if path.is_dir()}
    return {name for name in names - ignored if not name.startswith((".", "__"))}


class Folders(unittest.TestCase):

    def test_libraries(self):
        self.assertEqual(set(tables()[0]), folders(ROOT / "src" / "sinew"))

    def test_libraries_are_in_the_order_of_the_layers(self):
        layers = re.findall(r"^sinew_library\((\w+)", (ROOT / "src/sinew/CMakeLists.txt").read_text(), re.MULTILINE)
        self.assertEqual(tables()[0], layers)

    def test_repository(self):
        self.assertEqual(set(tables()[1]), folders(ROOT))


if __name__ == "__main__":
    sys.exit(unittest.main())
