"""Held shapes of the gallery, and calls that the studies of EP share."""

import json
import pathlib
import subprocess
import tempfile
import time

import numpy

from studies.frame.engine import ROOT, Failure, call, temporary_folder

SCENES = ROOT / "studies/precomputation/scenes"
MODELS = ("hand", "octobot", "gator", "head")
# As in the paper's figures; the engine keeps preparations of large bodies otherwise.
NO_CACHE = {"multilevel": {"cache": False}}


def held(engine, model, size=None, **solver):
    """The scene of a model as a dictionary; `solver` adds keys to its solver and replaces others."""
    scene = json.loads((SCENES / f"{model}.json").read_text())
    scene["size"] = size or engine.size
    scene["solver"].update(NO_CACHE, **solver)
    return scene


def written(engine, scene, name):
    """A scene as a file that a reader can use again."""
    folder = pathlib.Path(engine.folder or tempfile.gettempdir()) / "scenes"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{engine.item}_{name}.json"
    path.write_text(json.dumps(scene, indent=1) + "\n")
    return path


def bench(engine, part, scene, name, *numbers):
    """The rows that bench_modes prints about a scene."""
    program = engine.sinew.parent / "bench_modes"
    path = written(engine, scene, name)
    engine.note(part, path, *numbers, program="build/release/bin/bench_modes")
    done = subprocess.run([program, part, path, *map(str, numbers)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"bench_modes {part}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def timed_modes(engine, scene, *more, settings=(), output=None):
    """The numbers of `sinew modes`: among them modes, vertices, seconds without reading the mesh."""
    words = engine.words("modes", scene, settings, *more)
    with temporary_folder() as folder:
        report = pathlib.Path(folder) / "modes.json"
        call(engine.sinew, *words, *(["-o", output] if output else []), "--json", report)
        return json.loads(report.read_text())


def built(engine, scene):
    """A Python simulation of a scene, and the seconds to make it. Its meshes are made before."""
    module = engine.python()
    module.Simulation({**scene, "solver": {"method": "newton"}}, base_dir=str(SCENES))
    started = time.perf_counter()
    simulation = module.Simulation(scene, base_dir=str(SCENES))
    return simulation, time.perf_counter() - started


def facts(engine, model, size=None):
    """What `sinew check` says of a model: vertices, tets, bodies, shapes."""
    return engine.check(SCENES / f"{model}.json", [f"size={size or engine.size}"])[0]


def mesh_and_fixed(engine, model):
    """The mesh of a held model and its fixed vertices."""
    mesh = engine.python().read_mesh(facts(engine, model)["shapes"][0]["file"])
    half = held(engine, model)["bodies"][0]["fix"][0]["halfspace"]
    x = numpy.asarray(mesh.vertices)
    return mesh, numpy.flatnonzero((x - half["point"]) @ numpy.array(half["normal"]) >= 0)


def lumped_mass(mesh, density=1000.0):
    """Mass of each coordinate [kg]."""
    x, tets = numpy.asarray(mesh.vertices), numpy.asarray(mesh.tets)
    corners = x[tets]
    volume = numpy.abs(numpy.linalg.det(corners[:, 1:] - corners[:, :1])) / 6
    mass = numpy.zeros(len(x))
    for k in range(4):
        numpy.add.at(mass, tets[:, k], density * volume / 4)
    return numpy.repeat(mass, 3)
