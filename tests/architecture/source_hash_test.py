"""The hash of sources by which caches know the code that filled them changes with any of these, and with nothing else."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "SinewSourceHash.cmake"


class SourceHash(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "one.cpp").write_text("int one() { return 1; }\n")
        (self.root / "two.cpp").write_text("int two() { return 2; }\n")

    def source(self, files="one.cpp;two.cpp"):
        output = self.root / "out.cpp"
        subprocess.run(["cmake", f"-DOUTPUT={output}", "-DHEADER=a/b.h", "-DFUNCTION=f", f"-DSOURCES={self.root}",
                        f"-DFILES={files}", "-P", SCRIPT], check=True)
        return output.read_text()

    def test_it_implements_the_function(self):
        self.assertRegex(self.source(), r'#include "a/b.h"\n[^"]*std::string_view f\(\) \{\s*return "[0-9a-f]{64}";')

    def test_it_follows_from_the_files_alone(self):
        first = self.source()
        (self.root / "other.cpp").write_text("")
        self.assertEqual(self.source(), first)
        self.assertNotEqual(self.source("one.cpp"), first)
        (self.root / "two.cpp").write_text("int two() { return 3; }\n")
        changed = self.source()
        self.assertNotEqual(changed, first)
        self.assertNotEqual(re.search("[0-9a-f]{64}", changed)[0], re.search("[0-9a-f]{64}", first)[0])


if __name__ == "__main__":
    sys.exit(unittest.main())
