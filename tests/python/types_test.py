"""mypy finds no fault in the package, nor in what users' scripts say about it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import sinew

PACKAGE = pathlib.Path(sinew.__file__).parent


class Types(unittest.TestCase):

    def mypy(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run(["/usr/bin/python3", "-m", "mypy", "--strict", "--cache-dir", folder, *map(str, arguments)],
                                  capture_output=True, text=True)  # yapf: disable

    def test_the_package(self):
        result = self.mypy(PACKAGE)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_wrong_argument_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "script.py")
            script.write_text("import sinew\nsim = sinew.Simulation({})\nsim.pull('a', [0, 0, 0])\n")
            result = self.mypy(script)
        self.assertIn('Argument 1 to "pull" of "Simulation" has incompatible type "str"', result.stdout)


if __name__ == "__main__":
    sys.exit(unittest.main())
