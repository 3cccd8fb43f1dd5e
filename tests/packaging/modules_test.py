"""The Python package of a build, and what goes into wheels, have all sources of python/sinew and nothing else.

The build folder is the first argument; without it build/release of this checkout.
"""

import os
import pathlib
import re
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else ROOT / "build/release"
sys.path.insert(0, str(ROOT / "packaging"))
import wheel_backend  # noqa: E402

# One module for each way by which files could get lost: plain, in a folder, a page, stubs, the mark of typed packages.
SOME = {"__init__.py", "_requirements.py", "_threads.py", "batch.py", "scene.py", "_sweep/__main__.py", "_sweep/on_slurm.py",
        "_sweep/page.html", "_engine.pyi", "modes.pyi", "py.typed"}  # yapf: disable


def sources():
    folder = ROOT / "python/sinew"
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


def expected():
    return sources() | {"_built_for.py"}


def files_of(folder):
    """But the compiled module, and what Python leaves."""
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in names if not re.fullmatch(r"_engine\.[^/]*\.so|(.*/)?__pycache__/.*", name)}


class Modules(unittest.TestCase):

    def test_sources(self):
        self.assertLessEqual(SOME, sources())

    def test_the_build(self):
        self.assertEqual(files_of(BUILD / "python/sinew"), expected())
        self.assertEqual(len(list((BUILD / "python/sinew").glob("_engine.*.so"))), 1)

    def test_a_wheel(self):
        with tempfile.TemporaryDirectory() as folder:
            stage = pathlib.Path(folder, "stage")
            parts = {"bin/sinew", "scenes/gallery/stressball.json", "lib/libsinew.so.0.1",
                     "lib/glibc-hwcaps/x86-64-v3/libsinew.so.0.1"}  # yapf: disable
            for name in parts | {"lib/libsinew.so", "lib/libsinew.so.0.1.0"}:
                path = stage / ("share/sinew" if name.startswith("scenes") else "") / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            package = pathlib.Path(folder, "sinew")
            with mock.patch.object(wheel_backend, "BUILD", pathlib.Path(folder)):
                wheel_backend.fill_package(package, BUILD / "python/sinew", mesher=False)
            self.assertEqual(files_of(package), expected() | parts)
            self.assertEqual(len(list(package.glob("_engine.*.so"))), 1)

    def test_the_requirement_of_a_wheel(self):
        for version, requirement in (("2.10.3", "numpy<2"), ("2.12.0", "numpy"), ("3.0.1", "numpy")):
            with self.subTest(version), tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "pybind11ConfigVersion.cmake").write_text(f'set(PACKAGE_VERSION "{version}")\n')
                with mock.patch.dict(os.environ, {"pybind11_DIR": folder}):
                    self.assertRegex(wheel_backend.metadata(True), rf"(?m)^Requires-Dist: {requirement}$")


if __name__ == "__main__":
    unittest.main()
