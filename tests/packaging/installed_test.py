"""What `cmake --install` leaves is complete: the programs run, and examples/cpp builds against it.

The build folder is the first argument; without it build/portable of this checkout is tested, if it is built.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else ROOT / "build/portable"
LOADER = "/lib64/ld-linux-x86-64.so.2"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


@unittest.skipUnless((BUILD / "bin/sinew").exists(), f"{BUILD} is not built: scripts/build portable")
class Installed(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = pathlib.Path(cls.folder.name) / "a prefix"
        for component in ("runtime", "development"):
            run("cmake", "--install", BUILD, "--prefix", cls.prefix, "--component", component)

    def level(self, *loader):
        answer = run(*loader, self.prefix / "bin/sinew", "--version")
        return re.fullmatch(r"sinew \S+ \((.+)\)\n", answer)[1]

    def test_the_loader_takes_the_level_that_is_named(self):
        runs = run(LOADER, "--help")
        for level in ("x86-64-v2", "x86-64-v3", "x86-64-v4"):
            here = (self.prefix / "lib/glibc-hwcaps" / level).exists() and re.search(f"{level} .*supported", runs)
            expected = level if here else "x86-64-v2"
            self.assertEqual(self.level(LOADER, "--glibc-hwcaps-mask", level), expected)

    def test_no_program_has_instructions_that_old_processors_lack(self):
        """Instructions of AVX are in registers ymm and zmm, or begin with v and name xmm."""
        files = [*(self.prefix / "bin").iterdir(), next((self.prefix / "lib").glob("libsinew.so.*.*.*"))]
        for file in files:
            process = subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", str(file)], stdout=subprocess.PIPE, text=True)
            found = next((line for line in process.stdout if re.search(r"%[yz]mm|\tv\w+ .*%xmm", line)), None)
            process.stdout.close()
            process.kill()
            process.wait()
            self.assertIsNone(found, file.name)

    def test_the_python_package(self):
        """As in the Debian package: lib/python3/dist-packages beside the library, programs and scenes."""
        if not list((BUILD / "python/sinew").glob("_engine.*.so")):
            self.skipTest("built without the module")
        run("cmake", "--install", BUILD, "--prefix", self.prefix, "--component", "python")
        packages = self.prefix / "lib/python3/dist-packages"
        sources, package = ROOT / "python/sinew", packages / "sinew"
        wanted = {path.relative_to(sources) for path in sources.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
        found = {path.relative_to(package) for path in package.rglob("*") if path.is_file() and path.suffix != ".so"}
        self.assertEqual(found, wanted | {pathlib.Path("_built_for.py")})
        environment = {"PATH": f"{self.prefix}/bin:/usr/bin:/bin", "PYTHONPATH": str(packages)}
        program = ("import sinew; sim = sinew.Simulation(sinew.gallery('stressball')); print(sinew.build_info()['version'], "
                   "len(sim.positions) > 100)")
        self.assertRegex(run("/usr/bin/python3", "-B", "-c", program, cwd="/", env=environment), r"^[\d.]+ True\n$")
        out = pathlib.Path(self.folder.name) / "sweep"
        run("sinew", "sweep", ROOT / "scenes/ball_drop.json", "--steps", 2, "--set", "time.step=0.01,0.02", "-o", out, cwd="/",
            env=environment)
        self.assertEqual(len((out / "sweep.csv").read_text().splitlines()), 3)

    def test_the_example_builds_and_runs(self):
        build = pathlib.Path(self.folder.name) / "example"
        run("cmake", "-S", ROOT / "examples/cpp", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", build)
        lines = run(build / "drop").splitlines()
        self.assertEqual(len(lines), 20)
        lowest = [float(re.search(r"point (\S+) m", line)[1]) for line in lines]
        self.assertGreater(min(lowest), 0)
        self.assertLess(min(lowest), 0.01)
        self.assertGreater(max(int(re.search(r"(\d+) contacts", line)[1]) for line in lines), 0)


if __name__ == "__main__":
    unittest.main()
