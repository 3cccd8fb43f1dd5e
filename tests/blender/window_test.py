"""The Blender add-on in a window: `window_test.py SINEW [PICTURE.png]` presses its buttons in Blender on a virtual display.
Exit code 77 where Blender or Xvfb is not installed. PICTURE: a screenshot during the run.
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
    for program in ("blender", "xvfb-run"):
        if shutil.which(program) is None:
            print(f"skipped: {program} is not installed")
            return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        packed = pathlib.Path(folder, "sinew_blender.zip")
        subprocess.run([sys.executable, "-B", HERE.parents[1] / "scripts" / "blender_addon", packed], check=True)
        user = str(pathlib.Path(folder, "user"))
        environment = {**os.environ, "BLENDER_USER_RESOURCES": user, "LIBGL_ALWAYS_SOFTWARE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", "blender", "--factory-startup", "--enable-event-simulate",
                   "-p", "0", "0", "1280", "800", "--python-exit-code", "1", "--python", HERE / "inside_window.py", "--", packed,
                   os.path.abspath(sys.argv[1]), folder, *sys.argv[2:]]  # yapf: disable
        ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    print(ended.stdout[-4000:], ended.stderr[-4000:], sep="\n")
    # Blender prints errors in the code of a panel and goes on.
    return 1 if "Traceback" in ended.stdout + ended.stderr else ended.returncode


if __name__ == "__main__":
    sys.exit(main())
