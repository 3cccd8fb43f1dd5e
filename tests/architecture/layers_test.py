"""Each folder of src/sinew may include only itself and folders above it; the version is the same everywhere."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "sinew"

# From the bottom up. A folder that is not listed here has no place yet and fails.
LAYERS = [
    "core", "command", "mesh", "linalg", "material", "model", "contact", "potential", "partition", "subspace", "cubature",
    "reduced", "solver", "dynamics", "scene", "io", "live", "app",
]  # yapf: disable

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](?:sinew/)?([a-z_]+)/[^>"]+[>"]')


def source_files():
    for path in sorted(SOURCES.rglob("*")):
        if path.suffix in {".h", ".cpp", ".inl"}:
            yield path


class Layers(unittest.TestCase):

    def test_includes_point_downwards(self):
        faults = []
        for path in source_files():
            folder = path.relative_to(SOURCES).parts[0]
            name = path.relative_to(ROOT)
            if folder not in LAYERS:
                faults.append(f"{name}: folder '{folder}' is not in the list of layers")
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if not match or match[1] not in LAYERS:
                    continue
                if LAYERS.index(match[1]) > LAYERS.index(folder):
                    faults.append(f"{name}:{number}: '{folder}' may not include '{match[1]}', which is built on it")
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def test_includes_inside_the_project_are_written_in_full(self):
        faults = []
        for path in source_files():
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if re.match(r'^\s*#\s*include\s*"(?!sinew/)', line):
                    faults.append(f"{path.relative_to(ROOT)}:{number}: write \"sinew/FOLDER/FILE.h\": {line.strip()}")
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def test_every_header_is_guarded(self):
        faults = [str(p.relative_to(ROOT)) for p in source_files()
                  if p.suffix == ".h" and "#pragma once" not in p.read_text()]
        self.assertFalse(faults, "no #pragma once in: " + ", ".join(faults))


class Version(unittest.TestCase):

    def test_header_and_build_agree(self):
        build = re.search(r"project\(sinew VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        header = re.search(r'version = "([^"]+)"', (SOURCES / "core" / "version.h").read_text())[1]
        self.assertEqual(header, build)


if __name__ == "__main__":
    sys.exit(unittest.main())
