"""Modes and modal cubature in numbers: the figures of Yang et al. 2015.

Usage: PYTHONPATH=build/release/python /usr/bin/python3 tests/campaign/mode_figures.py FIGURE [--tets N] [--svg FOLDER]

orthogonality  figures 4, 5 and 7: Gram-Schmidt of --modes inertia modes, full and reduced: seconds, products off the diagonal,
               errors of sampled products, cosines of the modes before
spans          the largest angle between the lowest modes of vibration and the span of inertia modes
poses          figures 9 and 10: the error of weights in the poses that they were fitted to and in others, with and without the
               adjustment of the expectation
reduction      figures 11 and 13: what few modes leave of their candidates, and seconds, by principal components and at random
deformation    figure 14: the error of a large deformation against newton, by kind and number of modes

--svg writes plots, too. All but spans and deformation are timed by bench_modes, which is built beside the module.
"""

import argparse
import os
import pathlib
import tempfile
import time

import numpy as np

import plots
import sinew
from mode_meshes import box_mesh, cells_of, held_end, lumped
from mode_tables import bench, scene_of

MATERIAL = sinew.Material("stvk", young=1e6, poisson=0.4)


VARIANTS = {
    "modified": "modified, all vertices",
    "blocks": "in blocks, all vertices",
    "sampled": "sampled products",
    "reduced": "reduced",
}
DECADES = ("< 1e-15", "1e-12", "1e-9", "1e-6", "1e-4", "1e-3", "1e-2", "0.1", "more")


def orthogonality(arguments):
    rows = []
    for tets in (arguments.tets // 4, arguments.tets):
        rows += bench("orthogonality", scene_of(cells_of(tets), subspace="inertia"), *arguments.modes)
    of = lambda part: [row for row in rows if row["part"] == part]
    print("| vertices | modes | Gram-Schmidt | seconds | largest product | mean | condition |\n|---|---|---|---|---|---|---|")
    for row in of("gram_schmidt"):
        print(f"| {row['vertices']} | {row['modes']} | {VARIANTS[row['variant']]} | {row['seconds']:.3f} | {row['largest']:.1e} "
              f"| {row['mean']:.1e} | {row['condition']:.3g} |")
    print(f"\nProducts off the diagonal\n\n| vertices | modes | Gram-Schmidt | {' | '.join(DECADES)} |\n" + "|---" * 12 + "|")
    for row in of("gram_schmidt"):
        print(f"| {row['vertices']} | {row['modes']} | {VARIANTS[row['variant']]} | {' | '.join(map(str, row['counts']))} |")
    print("\n| vertices | modes | sample | mean error of a cosine | largest |\n|---|---|---|---|---|")
    for row in of("products"):
        print(f"| {row['vertices']} | {row['count']} | {row['sample']} | {row['mean']:.1e} | {row['largest']:.1e} |")
    print("\nCosines of what the iteration gives, in bins of 0.1 from -1 to 1\n")
    for row in of("cosines"):
        print(f"{row['vertices']} vertices, {row['count']} modes, {100 * row['below_1e-3']:.1f} % below 0.001: {row['counts']}")
    if not arguments.svg:
        return
    most = of("gram_schmidt")[-1]["vertices"]
    large = lambda part: [row for row in of(part) if row["vertices"] == most]
    plots.lines(arguments.svg / "modes_gram_schmidt.svg", f"Gram-Schmidt of inertia modes, {most} vertices", "modes", "seconds", {
        name: [(row["count"], row["seconds"]) for row in large("gram_schmidt") if row["variant"] == variant]
        for variant, name in VARIANTS.items()
    }, log_y=True, legend_at_left=True)
    counts = arguments.modes[-1]
    plots.lines(arguments.svg / "modes_products.svg", f"Sampled products of {counts} inertia modes", "vertices of the sample",
                "mean error of a cosine", {
                    f"{n} vertices": [(row["sample"], row["mean"]) for row in of("products")
                                      if row["count"] == counts and row["vertices"] == n and row["sample"] < n]
                    for n in sorted({row["vertices"] for row in rows})
                }, log_x=True, log_y=True)
    row = large("cosines")[-1]
    plots.bars(arguments.svg / "modes_cosines.svg", f"Cosines of {row['pairs']} pairs before Gram-Schmidt", "cosine", "pairs",
               [f"{-0.95 + 0.1 * k:.2f}" for k in range(20)], {"pairs": row["counts"]})


def spans(arguments):
    mesh = box_mesh(cells_of(arguments.tets))
    fixed = held_end(mesh)
    root = np.sqrt(lumped(mesh, 1000.0))[:, None]
    lowest = root * sinew.modes.linear(mesh, MATERIAL, 12, fixed=fixed)[1]
    print("| inertia modes | largest angle to the 6 lowest modes [degrees] | to the 12 lowest |\n|---|---|---|")
    for count in (6, 12, 18, 24, 36, 48, 60):
        basis = np.linalg.qr(root * sinew.modes.inertia(mesh, MATERIAL, count, fixed=fixed)[1])[0]
        angles = [np.degrees(np.arcsin(min(1.0, np.linalg.norm(low - basis @ (basis.T @ low), 2))))
                  for low in (lowest[:, :6], lowest)]
        print(f"| {count} | {angles[0]:.3g} | {angles[1]:.3g} |", flush=True)


def poses(arguments):
    scene = scene_of(cells_of(arguments.tets), subspace="inertia_derivatives", handles=arguments.modes[0],
                     cubature={"rule": "modal_forces", "poses": 1})
    rows = list(bench("training", scene, arguments.others))
    adjusted, plain = ([row for row in rows if row["adjusted"] == a] for a in (True, False))
    print(f"{plain[0]['points']} points, {arguments.others} other poses\n")
    print("| poses | adjusted: equation 12 | fit | other poses | 95 % of them | not adjusted: equation 12 | fit | other poses | 95 % |")
    print("|---" * 9 + "|")
    by_count = {row["poses"]: row for row in adjusted}
    before, ended = None, False
    for row in plain:
        of = lambda r: " | ".join(f"{r[key]:.4f}" if key in r else "-" for key in ("error_12", "fit", "other", "other_95"))
        other = by_count.get(row["poses"])
        ends = not ended and other and before and abs(other["error_12"] - before["error_12"]) < 0.005
        before, ended = other or before, ended or ends
        print(f"| {row['poses']}{' (ends)' if ends else ''} | {of(other) if other else '- | - | - | -'} | {of(row)} |")
    labels = [f"< {100 * e:g} %" for e in adjusted[-1]["ends"]] + ["more"]
    print(f"\nPoses by their error after {adjusted[-1]['poses']} poses\n\n| | {' | '.join(labels)} |\n" + "|---" * (len(labels) + 1) + "|")
    for row, name in ((adjusted[-1], "adjusted"), (plain[-1], "not adjusted")):
        print(f"| {name}, of the fit | {' | '.join(map(str, row['fit_counts']))} |")
        print(f"| {name}, others | {' | '.join(map(str, row['other_counts']))} |")
    if arguments.svg:
        plots.lines(arguments.svg / "modes_training.svg", "Modal cubature: error by training poses", "poses", "error", {
            "fit": [(r["poses"], r["fit"]) for r in plain],
            "other poses": [(r["poses"], r["other"]) for r in plain],
        }, log_x=True)
        plots.lines(arguments.svg / "modes_adjustment.svg", "Error in other poses, by the rounds of training", "poses", "mean error", {
            "adjusted": [(r["poses"], r["other"]) for r in adjusted],
            "not adjusted": [(r["poses"], r["other"]) for r in plain if "ends" in r],
        })


METHODS = {"pca": "principal components", "random": "at random"}


def reduction(arguments):
    counts = (2, 5, 10, 15, 20, 30, 40, 60, 80, 120)
    rows = list(bench("reduction", scene_of(cells_of(arguments.tets), subspace="inertia_derivatives"), 24, *counts))
    print(f"{rows[0]['candidates']} candidates, {rows[0]['tets']} tets\n\n| modes | left of a candidate: principal components "
          "| at random | of all together: principal components | at random |\n|---|---|---|---|---|")
    for count in counts:
        pair = [next(r for r in rows if r["modes"] == count and r["method"] == method) for method in METHODS]
        print(f"| {count} | {' | '.join(f'{r[key]:.2e}' for key in ('mean', 'together') for r in pair)} |")
    times = []
    for tets in (arguments.tets // 5, arguments.tets // 2, arguments.tets, 2 * arguments.tets):
        times += bench("reduction", scene_of(cells_of(tets), subspace="inertia_derivatives"), 18, 30)
    print(f"\n30 modes of {times[0]['candidates']}\n\n| tets | principal components [s] | at random [s] |\n|---|---|---|")
    for a, b in zip(times[::2], times[1::2]):
        print(f"| {a['tets']} | {a['seconds']:.3f} | {b['seconds']:.3f} |")
    if arguments.svg:
        plots.lines(arguments.svg / "modes_reduction.svg", f"What few modes leave of {rows[0]['candidates']} candidates", "modes",
                    "of all together", {
                        name: [(r["modes"], r["together"]) for r in rows if r["method"] == method] for method, name in METHODS.items()
                    }, log_y=True)
        plots.lines(arguments.svg / "modes_reduction_time.svg", f"30 modes of {times[0]['candidates']} candidates", "tets", "seconds", {
            name: [(r["tets"], r["seconds"]) for r in times if r["method"] == method] for method, name in METHODS.items()
        }, legend_at_left=True)


def deformation(arguments):
    """A bar that bends by its weight, 40 steps of 0.02 s: the largest error over time, over its largest motion."""
    def run(**solver):
        scene = scene_of(cells_of(arguments.tets), **solver)
        scene["gravity"] = [0, -25, 0]
        scene["time"] = {"step": 0.02, "steps": 40, "integrator": "bdf2"}
        simulation = sinew.Simulation(scene)
        positions = [np.array(simulation.positions)]
        start = time.perf_counter()
        unconverged = 0
        for _ in range(40):
            unconverged += not simulation.step()["converged"]
            positions.append(np.array(simulation.positions))
        return np.array(positions), (time.perf_counter() - start) / 40, unconverged

    exact, seconds, _ = run(method="newton")
    moved = np.linalg.norm(exact - exact[0], axis=2).max()
    print(f"newton: {seconds:.3f} s a step, moves by {moved:.3f} m\n")
    print("| modes | kind | cubature | largest error | ms a step | not converged |\n|---|---|---|---|---|---|")
    tip = np.argmax(np.linalg.norm(exact - exact[0], axis=2).max(0))
    series = {"newton": exact}
    for count in (10, 30, 60):
        for kind in ("linear", "derivatives", "inertia_derivatives"):
            for rule in ("all", "modal_forces"):
                x, seconds, unconverged = run(subspace=kind, handles=count, cubature=rule)
                error = np.linalg.norm(x - exact, axis=2).max() / moved
                if count == 30 and rule == "modal_forces":
                    series[kind] = x
                print(f"| {count} | {kind} | {rule} | {error:.4f} | {1000 * seconds:.2f} | {unconverged} |", flush=True)


    if arguments.svg:
        plots.lines(arguments.svg / "modes_deformation.svg", "The vertex that moves most, 30 modes, modal cubature", "time [s]",
                    "displacement [m]", {
                        name: [(0.02 * k, d) for k, d in enumerate(np.linalg.norm(x[:, tip] - x[0, tip], axis=1))]
                        for name, x in series.items()
                    }, markers=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("figure", choices=["orthogonality", "spans", "poses", "reduction", "deformation"])
    parser.add_argument("--tets", type=int, default=20000)
    parser.add_argument("--modes", type=lambda text: [int(t) for t in text.split(",")], default=[30, 90, 180, 240],
                        help="of orthogonality, and the first of them of poses")
    parser.add_argument("--others", type=int, default=5000, help="poses that weights are tried in")
    parser.add_argument("--svg", type=pathlib.Path, metavar="FOLDER")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache  # nothing is read from earlier runs
        globals()[arguments.figure](arguments)


if __name__ == "__main__":
    main()
