"""sinew-mesh tets as a program: broken variants of a torus, hostile files and, with --data, the surfaces of the test data."""
import csv
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

MESHER = sys.argv[1]
DATA = "--data" in sys.argv  # the surfaces of the test data instead of those made here
SECONDS = 60  # for a run, on a busy machine; the worst takes 10 on a quiet one
MEGABYTES = 4096

RADIUS, TUBE = 1.0, 0.4
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED:", text, flush=True)


def torus(around=40, across=20):
    vertices = []
    for i in range(around):
        for j in range(across):
            u, v = 2 * math.pi * i / around, 2 * math.pi * j / across
            r = RADIUS + TUBE * math.cos(v)
            vertices.append([r * math.cos(u), r * math.sin(u), TUBE * math.sin(v)])
    faces = []
    at = lambda i, j: (i % around) * across + j % across
    for i in range(around):
        for j in range(across):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            faces += [[a, b, c], [a, c, d]]
    return vertices, faces


def klein_bottle(along=60, around=30):
    """One-sided and crossing itself: a figure of eight that turns over on its way around a circle."""
    vertices = []
    for i in range(along):
        for j in range(around):
            u, v = 2 * math.pi * i / along, 2 * math.pi * j / around
            r = 2 + math.cos(u / 2) * math.sin(v) - math.sin(u / 2) * math.sin(2 * v)
            z = math.sin(u / 2) * math.sin(v) + math.cos(u / 2) * math.sin(2 * v)
            vertices.append([r * math.cos(u), r * math.sin(u), z])
    at = lambda i, j: i * around + j % around if i < along else -j % around
    faces = []
    for i in range(along):
        for j in range(around):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            faces += [[a, b, c], [a, c, d]]
    return vertices, faces


def volume(vertices, faces):
    total = 0
    for a, b, c in faces:
        p, q, r = vertices[a], vertices[b], vertices[c]
        total += (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2])
                  + p[2] * (q[0] * r[1] - q[1] * r[0]))
    return total / 6


def write_obj(path, vertices, faces):
    with open(path, "w") as out:
        for v in vertices:
            out.write("v %r %r %r\n" % tuple(v))
        for f in faces:
            out.write("f %d %d %d\n" % tuple(k + 1 for k in f))


def limited():
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))


def mesh(folder, paths, *options):
    """Exit code, output and errors; no file may be left behind by a failure."""
    out = folder / "out.msh"
    out.unlink(missing_ok=True)
    start = time.time()
    try:
        run = subprocess.run([MESHER, "tets", *map(str, paths), "-o", str(out), *options], capture_output=True,
                             text=True, timeout=SECONDS, preexec_fn=limited)
    except subprocess.TimeoutExpired:
        return -99, "", "timeout", None
    expect(run.returncode in (0, 1, 2), f"{paths} {options}: exit code {run.returncode}, {run.stderr[-300:]}")
    expect(out.exists() == (run.returncode == 0), f"{paths} {options}: file although the code is {run.returncode}")
    expect("CGAL" not in run.stderr, f"{paths} {options}: CGAL's words reach the user: {run.stderr[-300:]}")
    return run.returncode, run.stdout, run.stderr, time.time() - start


def number_after(text, words):
    return float(text.split(words, 1)[1].split()[0].rstrip(",;"))


def variants():
    """name -> (vertices, faces, plain path works, volume of the robust one or None to skip the comparison)"""
    rng = random.Random(1)
    v, f = torus()
    whole = volume(v, f)
    jitter = lambda s: [[x + rng.uniform(-s, s) for x in p] for p in v]
    soup = ([list(v[k]) for t in f for k in t], [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(len(f))])
    loose = ([[x + rng.uniform(-1e-3, 1e-3) for x in p] for p in soup[0]], soup[1])
    flipped = [t[::-1] if rng.random() < 0.2 else t for t in f]
    moved = [[p[0] + 0.3, p[1] + 0.2, p[2] + 0.1] for p in v]
    nan = [list(p) for p in v]
    nan[17] = [math.nan, 0, 0]
    crossing = [list(p) for p in v]
    crossing[5] = [-p for p in crossing[5]]
    middle = [(v[f[0][0]][k] + v[f[0][1]][k]) / 2 for k in range(3)]
    t_junction = (v + [middle], [[f[0][0], len(v), f[0][2]], [len(v), f[0][1], f[0][2]]] + f[1:])
    scaled = lambda s: [[s * x for x in p] for p in v]
    shifted = lambda s: [[x + s for x in p] for p in v]
    return {
        "as_it_is": (v, f, True, whole),
        "inwards": (v, [t[::-1] for t in f], True, whole),
        "one_face_removed": (v, f[1:], False, whole),
        "faces_removed": (v, [t for t in f if rng.random() > 0.05], False, whole),
        "patch_removed": (v, f[40:], False, whole),
        "jittered": (jitter(0.01), f, True, whole),
        "jittered_much": (jitter(0.08), f, None, None),
        "faces_flipped": (v, flipped, False, whole),
        "flipped_and_open": (v, flipped[3:], False, whole),
        "duplicated_faces": (v, f + f[:50], True, whole),
        "duplicated_backwards": (v, f + [t[::-1] for t in f[:5]], False, None),
        "two_copies_overlapping": (v + moved, f + [[k + len(v) for k in t] for t in f], False, None),
        "t_junction": (*t_junction, False, whole),
        "degenerate_faces": (v, f + [[0, 0, 1], [5, 5, 5]], True, whole),
        "needle": (v + [middle], f + [[f[0][0], len(v), f[0][1]]], False, None),
        "nan_vertex": (nan, f, False, whole),
        "unwelded": (*soup, True, whole),
        "loose_soup": (*loose, False, whole),
        "spike_through": (crossing, f, False, None),
        "huge": (scaled(1e6), f, True, whole * 1e18),
        "tiny": (scaled(1e-6), f, True, whole * 1e-18),
        "far_away": (shifted(1e4), f, True, whole),
        "inner_wall": (v, f + [[0, 40, 80]], False, None),
        "klein_bottle": (*klein_bottle(), False, None),
    }


def check_variants(folder):
    for name, (vertices, faces, plain, expected) in variants().items():
        path = folder / f"{name}.obj"
        write_obj(path, vertices, faces)
        code, out, err, seconds = mesh(folder, [path])
        if plain is not None:
            expect((code == 0) == plain, f"{name}: plain path gave {code}: {err[-300:]}")
        if code == 2:
            expect("--robust" in err, f"{name}: the error does not suggest --robust: {err[-300:]}")
        if code == 0 and expected:
            found = number_after(out, "\nvolume: ")
            expect(abs(found / expected - 1) < 0.01, f"{name}: plain volume {found}, expected {expected}")
        size = ["--size", repr(0.12 * (1e6 if name == "huge" else 1e-6 if name == "tiny" else 1))]
        code, out, err, robust_seconds = mesh(folder, [path], "--robust", *size)
        expect(code == 0, f"{name}: --robust gave {code}: {err[-300:]}")
        if code == 0 and expected:
            found = number_after(out, "\nvolume: ")
            expect(abs(found / expected - 1) < 0.02, f"{name}: robust volume {found}, expected {expected}")
        print(f"{name}: plain {seconds and round(seconds, 1)} s, robust {robust_seconds and round(robust_seconds, 1)} s",
              flush=True)


def check_hostile(folder):
    v, f = torus(8, 6)
    whole = folder / "whole.obj"
    write_obj(whole, v, f)
    files = {
        "empty.obj": b"",
        "truncated.obj": whole.read_bytes()[:-40] + b"f 1 2",
        "noise.stl": bytes(random.Random(2).randrange(256) for _ in range(4000)),
        "huge_count.off": b"OFF\n2000000000 2000000000 0\n0 0 0\n",
        "huge_count.stl": b"\0" * 80 + b"\xff\xff\xff\xff" + b"\0" * 100,
        "huge_count.ply": b"ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
                          b"property float z\nend_header\n0 0 0\n",
        "one_triangle.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "two_sided.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n",
        "flat.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.3 0.3 0\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
        "point.obj": b"v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n",
        "line.obj": b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 3 2\n",
        "out_of_range.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n",
        "infinite.obj": b"v 0 0 0\nv inf 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
        "overflow.obj": b"v 0 0 0\nv 1e300 0 0\nv 0 1e300 0\nv 0 0 1e300\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
        "name.xyz": b"1 2 3\n",
    }
    for name, data in files.items():
        path = folder / name
        path.write_bytes(data)
        for options in ([], ["--robust"]):
            code, _, err, _ = mesh(folder, [path], *options)
            expect(code == 2 and err.startswith("error: ") or "\nerror: " in err and code == 2,
                   f"{name} {options}: code {code}, {err[-300:]}")
    for options in (["--size", "-1"], ["--size", "0"], ["--size", "small"], ["--size", "nan"], ["--size", "1e-9"],
                    ["--size", "1e9"], ["--feature-angle", "400"], ["--distance", "-3"], ["--distance", "1e-9"], ["--distance", "0"]):
        code, _, err, _ = mesh(folder, [whole], *options)
        expect(code == 2 and options[0] in err, f"{options}: code {code}, {err[-300:]}")
    code, _, err, _ = mesh(folder, [folder / "absent.obj"])
    expect(code == 2, f"absent file: {code} {err}")
    code, _, err, _ = mesh(folder, [whole, whole])
    expect(code == 2 and "replace all of" in err, f"the same surface twice: {code} {err}")
    own = folder / "own.msh"
    own.write_bytes(b"a surface")
    run = subprocess.run([MESHER, "tets", own, "-o", folder / "." / "own.msh"], capture_output=True, text=True)
    expect(run.returncode == 2 and "-o: found" in run.stderr and own.read_bytes() == b"a surface",
           f"a surface as its own output: {run.returncode} {run.stderr}")


def check_data(folder):
    beside = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
    data = pathlib.Path(os.environ.get("SINEW_TEST_DATA") or beside)
    if not (data / "inventory_surfaces.csv").exists():
        print(f"skipped: no test data in {data}; set SINEW_TEST_DATA")
        return
    with open(data / "inventory_surfaces.csv") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        path = data / row["file"]
        if "/open/" in row["file"]:
            for options in ([], ["--robust"]):
                code, _, err, _ = mesh(folder, [path], *options)
                expect(code == 2 and "open sheet" in err, f"{path} {options}: {code} {err[-300:]}")
            continue
        defective = "/defective/" in row["file"]
        code, out, err, seconds = mesh(folder, [path], *(["--robust"] if defective else []))
        expect(code == 0, f"{path}: {code} {err[-300:]}")
        if code != 0:
            continue
        found, expected = number_after(out, "\nvolume: "), float(row["signed_volume"])
        angle = number_after(out, "\ndihedral angles: ")
        print(f"{row['file']}: volume {found / expected - 1:+.3%}, smallest angle {angle:.1f}, {seconds:.1f} s", flush=True)
        # The screw has sharp lines within 7e-5 of each other.
        expect(angle >= (6 if "screw" in row["file"] else 8), f"{path}: smallest dihedral angle {angle}")
        # Overlaps count twice in the surface's own volume.
        expect(abs(found / expected - 1) < (0.1 if "two-cubes" in row["file"] else 0.02), f"{path}: volume {found}")
        if defective:
            code, _, err, _ = mesh(folder, [path])
            expect(code == 2 and "intersects itself" in err, f"{path}: {code} {err[-300:]}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    if DATA:
        check_data(folder)
    else:
        check_hostile(folder)
        check_variants(folder)
print("failures:", len(failures))
sys.exit(1 if failures else 0)
