"""Each folder of src/sinew may include only itself and folders above it, and links exactly those that it includes."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "sinew"

# The libraries from the bottom up, with what they link. A folder that is not listed there has no place yet and fails.
LINKS = {}
for call in re.findall(r"^sinew_library\(([^)]*)\)", (SOURCES / "CMakeLists.txt").read_text(), re.MULTILINE):
    words = call.partition("DEPENDS")[0].split()
    LINKS[words[0]] = words[words.index("USES") + 1:] if "USES" in words else []
LAYERS = list(LINKS)

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

    def test_links_are_the_includes(self):
        included = {folder: set() for folder in LAYERS}
        for path in source_files():
            for line in path.read_text().splitlines():
                match = INCLUDE.match(line)
                if match and match[1] in LAYERS:
                    included[path.relative_to(SOURCES).parts[0]].add(match[1])
        faults = []
        for folder, linked in LINKS.items():
            needed = [name for name in LAYERS if name in included[folder] - {folder}]
            if linked != needed:
                faults.append(f"src/sinew/CMakeLists.txt: '{folder}' links {linked}, but includes {needed}")
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def test_includes_inside_the_project_are_written_in_full(self):
        faults = []
        for path in source_files():
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if re.match(r'^\s*#\s*include\s*"(?!sinew/)', line):
                    faults.append(f"{path.relative_to(ROOT)}:{number}: write \"sinew/FOLDER/FILE.h\": {line.strip()}")
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def test_names_of_a_folder_are_distinct(self):
        """Sources of a folder are compiled several to a file (cmake/SinewCompiler.cmake), the numerical ones too where a
        sanitizer watches: constants and types at the top level must not have the same name in two of them."""
        declared = re.compile(r"^(?:(?:constexpr|const) [^=({;\n]*?(\w+)(?:\[\w*\])?(?: =|\{)"
                              r"|(?:struct|class|enum class) (\w+)[^;:\n]*\{)", re.MULTILINE)
        names = {}
        for path in source_files():
            if path.suffix == ".cpp":
                text = path.read_text()
                space = re.search(r"^namespace (\S+) \{", text, re.MULTILINE)
                for match in declared.finditer(text):
                    key = path.parent.name, space and space[1], match[1] or match[2]
                    names.setdefault(key, set()).add(path.name)
        faults = [f"{folder}: '{name}' is declared in {', '.join(sorted(files))}"
                  for (folder, _, name), files in names.items() if len(files) > 1]
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def test_every_header_is_guarded(self):
        faults = [str(p.relative_to(ROOT)) for p in source_files()
                  if p.suffix == ".h" and "#pragma once" not in p.read_text()]
        self.assertFalse(faults, "no #pragma once in: " + ", ".join(faults))


class Tests(unittest.TestCase):

    def test_what_is_named_as_a_source_lies_in_its_folder(self):
        faults = []
        for path in sorted((ROOT / "tests").glob("*/*_test.cpp")):
            folder, name = path.parent.name, path.name.removesuffix("_test.cpp")
            homes = {home.parent.name for home in source_files() if home.stem == name}
            if folder in LAYERS and homes and folder not in homes:
                faults.append(f"{path.relative_to(ROOT)}: sources of this name lie in {', '.join(sorted(homes))}")
        self.assertFalse(faults, "\n" + "\n".join(faults))


if __name__ == "__main__":
    sys.exit(unittest.main())
