"""Exported files in headless Blender: `exports_test.py SINEW` runs a scene and opens its files by inside_exports.py. Exit
code 77 where Blender is not installed.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
sys.path.insert(0, str(HERE.parent / "support"))


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    blender = shutil.which("blender")
    if blender is None:
        print("skipped: blender is not installed")
        return SKIPPED
    import export_scene

    with tempfile.TemporaryDirectory() as folder:
        for up in (1, 2):
            base = pathlib.Path(folder, str(up))
            base.mkdir()
            scene = export_scene.write_scene(base, up=up, formats=("pc2", "gltf", "mdd", "obj", "ply"))
            subprocess.run([os.path.abspath(sys.argv[1]), "run", scene, "-o", base / "out", "--quiet"], check=True)
        base = pathlib.Path(folder, "textured")
        base.mkdir()
        scene = export_scene.write_textured_scene(base, formats=("gltf", "mdd", "obj"))
        subprocess.run([os.path.abspath(sys.argv[1]), "run", scene, "-o", base / "out", "--quiet"], check=True)
        environment = {**os.environ, "BLENDER_USER_RESOURCES": str(pathlib.Path(folder, "user")), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python", HERE / "inside_exports.py", "--",
                   folder]  # yapf: disable
        return subprocess.run(command, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
