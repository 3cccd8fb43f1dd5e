import pathlib
import runpy

# The ring of the case oring.
meshes = runpy.run_path(str(pathlib.Path(__file__).resolve().parent.parent / "oring/mesh.py"))["meshes"]
