"""Sources are compiled in batches of several, so a name in the unnamed namespace of one must be its own: no other source of
its folder declares it so, and no header of its folder or of a folder below declares it for all."""

import collections
import re
import sys
import unittest

from layers_test import LAYERS, ROOT, SOURCES, source_files

COMMENT_OR_TEXT = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
OPENED = re.compile(r"^(?:inline )?namespace ?(\w*)[\w:]* \{$")
CLOSED = re.compile(r"^\}\s*$")
# Constants and types, which start in the first column. (Functions may be overloaded, and aliases repeated.)
DECLARED = (
    re.compile(r"^(?:inline |static |thread_local )*(?:constexpr|const)\s[\w:<>,*&\s]*?\b(\w+)(?:\[\w*\])*\s*(?:=|\{)"),
    re.compile(r"^(?:class|struct|enum class|enum|union)\s+(\w+)\s*(?:final)?\s*(?:[:{;]|$)"),
)


def declared(path, unnamed):
    """Names that `path` declares directly in namespace sinew, or in the unnamed namespace there."""
    open_namespaces = []
    for line in COMMENT_OR_TEXT.sub("", path.read_text()).splitlines():
        if match := OPENED.match(line):
            open_namespaces.append(match[1])
        elif CLOSED.match(line) and open_namespaces:
            open_namespaces.pop()
        elif open_namespaces == (["sinew", ""] if unnamed else ["sinew"]):
            for pattern in DECLARED:
                if match := pattern.match(line):
                    yield match[1]


class Names(unittest.TestCase):

    def test_names_of_one_source_are_its_own(self):
        of_headers = collections.defaultdict(list)
        for path in source_files():
            if path.suffix == ".h":
                for name in declared(path, unnamed=False):
                    of_headers[name].append(path)
        faults, seen, count = [], {}, 0
        for path in source_files():
            folder = path.relative_to(SOURCES).parts[0]
            if path.suffix != ".cpp":
                continue
            for name in set(declared(path, unnamed=True)):
                count += 1
                others = [header for header in of_headers[name]
                          if LAYERS.index(header.relative_to(SOURCES).parts[0]) <= LAYERS.index(folder)]
                if (folder, name) in seen:
                    others.append(seen[folder, name])
                seen[folder, name] = path
                faults += [f"{path.relative_to(ROOT)}: '{name}' is also declared by {other.relative_to(ROOT)}"
                           for other in others]
        self.assertFalse(faults, "\n" + "\n".join(faults))
        self.assertGreater(count, 100)  # or the patterns no longer fit how the sources are written


if __name__ == "__main__":
    sys.exit(unittest.main())
