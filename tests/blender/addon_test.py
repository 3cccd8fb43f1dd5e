"""The Blender add-on in headless Blender: `addon_test.py SINEW [NAMES]` packs it, installs it in a folder of its own and runs
inside_blender.py there. Exit code 77 where Blender is not installed.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    blender = shutil.which("blender")
    if blender is None:
        print("skipped: blender is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        packed = [pathlib.Path(folder, name) for name in ("sinew_blender.zip", "again.zip")]
        for path in packed:
            subprocess.run([sys.executable, "-B", HERE.parents[1] / "scripts" / "blender_addon", path], check=True)
        if packed[0].read_bytes() != packed[1].read_bytes():
            print("scripts/blender_addon: two archives of the same sources differ")
            return 1
        user = str(pathlib.Path(folder, "user"))
        environment = {**os.environ, "BLENDER_USER_RESOURCES": user, "PYTHONDONTWRITEBYTECODE": "1"}
        program = os.path.abspath(sys.argv[1])
        command = [blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python", HERE / "inside_blender.py", "--",
                   packed[0], program, folder, *sys.argv[2:]]  # yapf: disable
        return subprocess.run(command, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
