"""Clones in folders with spaces, umlauts and names of our own folders, and behind a symbolic link, configure and build.
One such folder; with --long every one apart, with all of scripts/demo in the last."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG = "--long" in sys.argv
FOLDERS = ["two words/Straße", "new", "changed", "build", "release", "src", "link", "a+b (c)",
           "ein Ordner für alles/build"]


def clone(folder):
    """Copies the tracked files of this checkout, as they are now."""
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    for name in names.split("\0"):
        source, target = ROOT / name, folder / name
        if name and source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


class ClonePaths(unittest.TestCase):

    def run_in(self, folder, *command):
        # PWD as a shell has it after cd: through the link.
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PWD": str(folder)})
        self.assertEqual(done.returncode, 0, f"{command} in {folder}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        return done.stdout

    def test_clones(self):
        for name in FOLDERS if LONG else FOLDERS[-1:]:
            with self.subTest(name), tempfile.TemporaryDirectory() as scratch:
                real = pathlib.Path(scratch) / name
                clone(real)
                folder = real
                if real.name in ("link", "build"):
                    folder = pathlib.Path(scratch) / "symbolic link"
                    folder.symlink_to(real, target_is_directory=True)
                self.run_in(folder, "scripts/build", "release", "--target", "sinew_core")
                self.assertTrue((real / "build/release/src/sinew/libsinew_core.a").is_file())
                self.run_in(folder, "scripts/scene_reference", "--check")
                if LONG and name == FOLDERS[-1]:
                    self.run_in(folder, "scripts/demo", "--no-open", "--steps", "2")
                    self.assertTrue((real / "out/demo/report.html").is_file())


if __name__ == "__main__":
    sys.argv = [argument for argument in sys.argv if argument != "--long"]
    unittest.main()
