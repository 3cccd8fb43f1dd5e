"""Inertia modes by exact and by reduced Gram-Schmidt: seconds, and how far the modes are from orthonormal in the mass.

Usage: PYTHONPATH=build/release/python /usr/bin/python3 tests/campaign/gram_schmidt.py MESH... [--counts 30,60,120]
"""

import argparse
import time

import numpy as np

import sinew
from mode_meshes import lumped

DENSITY = 1200.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("meshes", nargs="+", metavar="MESH")
    parser.add_argument("--counts", default="30,60,120")
    arguments = parser.parse_args()
    material = sinew.Material("neo_hookean", young=1e6, poisson=0.4)
    print("| mesh | vertices | modes | exact [s] | reduced [s] | condition, reduced | largest product | mean |\n"
          "|---|---|---|---|---|---|---|---|")
    for path in arguments.meshes:
        mesh = sinew.read_mesh(path)
        mass = lumped(mesh, DENSITY)
        for count in map(int, arguments.counts.split(",")):
            seconds = []
            for reduced in (False, True):
                start = time.perf_counter()
                _, modes = sinew.modes.inertia(mesh, material, count, density=DENSITY, reduced=reduced)
                seconds.append(time.perf_counter() - start)
            gram = modes.T @ (mass[:, None] * modes)
            off = abs(gram[np.triu_indices(len(gram), 1)])
            print(f"| {path} | {len(mesh.vertices)} | {count} | {seconds[0]:.2f} | {seconds[1]:.2f} "
                  f"| {np.linalg.cond(gram):.3g} | {off.max():.2g} | {off.mean():.2g} |", flush=True)


if __name__ == "__main__":
    main()
