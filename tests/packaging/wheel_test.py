"""A wheel from a clean tree works where the build's packages are not installed.

It is built from what git has, by pip without a network, and installed into a fresh virtual environment. This is moved into
a minimal Debian with Python and NumPy (mmdebstrap makes it; SINEW_TEST_ROOT names one that is there). Needs root rights.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"
MOST_BYTES = 40e6  # of the wheel
# Runs a script whose folder holds the modules that it imports, with -I: nothing else of this checkout is on the path.
RUN_ALONE = """
import pathlib, runpy, sys
import sinew
assert pathlib.Path(sinew.__file__).is_relative_to(sys.prefix), sinew.__file__
script = sys.argv.pop(1)
sys.path.insert(0, str(pathlib.Path(script).parent))
runpy.run_path(script, run_name="__main__")
"""


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("patchelf") and shutil.which("mmdebstrap"),
                     "needs root rights, patchelf and mmdebstrap")
class Wheel(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="sinew-wheel-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.source, cls.wheels, cls.venv = cls.folder / "source", cls.folder / "wheels", cls.folder / "venv"
        cls.source.mkdir()
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "-x", "-C", cls.source], input=archive, check=True)
        run(PYTHON, "-m", "pip", "wheel", "--no-index", "--no-deps", "-w", cls.wheels, cls.source)
        cls.wheel, = cls.wheels.glob("*.whl")
        run(PYTHON, "-m", "venv", "--system-site-packages", cls.venv)
        run(cls.venv / "bin/pip", "install", "--no-index", cls.wheel)

    def test_its_name_and_size(self):
        tag = f"cp{sys.version_info[0]}{sys.version_info[1]}" if sys.executable == PYTHON else r"cp\d+"
        self.assertRegex(self.wheel.name, rf"^sinew_sim-[\d.]+-{tag}-{tag}-manylinux_2_36_x86_64\.whl$")
        self.assertLess(self.wheel.stat().st_size, MOST_BYTES)

    def test_its_contents(self):
        names = zipfile.ZipFile(self.wheel).namelist()
        for wanted in (r"sinew/_engine\.cpython-\d+-x86_64-linux-gnu\.so", r"sinew/_engine\.pyi", r"sinew/py\.typed",
                       r"sinew/lib/libsinew\.so\.[\d.]+", r"sinew/lib/glibc-hwcaps/x86-64-v3/libsinew\.so\.[\d.]+",
                       r"sinew/lib/glibc-hwcaps/x86-64-v4/libsinew\.so\.[\d.]+", r"sinew/bin/sinew", r"sinew/bin/sinew-mesh",
                       r"sinew/scenes/ball_drop\.json", r"sinew/_sweep/page\.html", r".*\.dist-info/licenses/LICENSE"):
            self.assertTrue(any(re.fullmatch(wanted, name) for name in names), wanted)
        sources = ROOT / "python/sinew"
        modules = {f"sinew/{path.relative_to(sources).as_posix()}" for path in sources.rglob("*")
                   if path.is_file() and "__pycache__" not in path.parts}  # yapf: disable
        self.assertLessEqual(modules | {"sinew/_built_for.py"}, set(names))

    def test_the_examples_run_from_it(self):
        for example in sorted((ROOT / "examples/python").glob("*.py")):
            with self.subTest(example.name), tempfile.TemporaryDirectory() as folder:
                run(self.venv / "bin/python", "-I", "-c", RUN_ALONE, example, cwd=folder)

    def test_what_cmake_installs(self):
        """The build of the wheel is a portable one: installed_test.py has its levels and examples/cpp."""
        run(PYTHON, "-B", ROOT / "tests/packaging/installed_test.py", self.source / "build/portable")

    def test_it_runs_where_the_packages_are_not(self):
        root = os.environ.get("SINEW_TEST_ROOT")
        if not root:
            root = self.folder / "root"
            run("mmdebstrap", "--mode=root", "--variant=minbase", "--include=python3,python3-numpy", "bookworm", root)
        inside = pathlib.Path(str(root) + str(self.folder))
        shutil.copytree(self.venv, pathlib.Path(str(root) + str(self.venv)), symlinks=True)
        self.addCleanup(shutil.rmtree, inside)
        shutil.copytree(self.source, pathlib.Path(str(root) + str(self.source)))
        for command in (["tests/packaging/in_empty_root.py"], ["tests/python/docs_test.py", "Code.test_the_tutorial"]):
            out = run("unshare", "--mount", "--pid", "--fork", f"--mount-proc={root}/proc", "chroot", root, "/usr/bin/env", "-i",
                      "PATH=/usr/bin:/bin", "HOME=/tmp", self.venv / "bin/python", "-B", self.source / command[0], *command[1:])
            print(out)


if __name__ == "__main__":
    unittest.main()
