"""Mooney-Rivlin's parameters for treloar.csv by least squares, stable: c10, c01 >= 0. Prints the force on 1 cm^2 at a stretch
of 1.5."""

import pathlib

import numpy as np

stretch, stress = np.loadtxt(pathlib.Path(__file__).parent / "treloar.csv", delimiter=",").T
columns = np.stack([2 * (stretch - stretch**-2), 2 * (stretch - stretch**-2) / stretch], axis=1)
best = None
for kept in ([0, 1], [0], [1]):  # of two bounds: what is not kept is zero
    c = np.zeros(2)
    c[kept] = np.linalg.lstsq(columns[:, kept], stress, rcond=None)[0]
    misfit = ((columns @ c - stress)**2).sum()
    if c.min() >= 0 and (best is None or misfit < best[0]):
        best = misfit, c
c10, c01 = best[1]
print(f"c10 {c10:.6g} Pa, c01 {c01:.6g} Pa, {2 * (c10 + c01 / 1.5) * (1.5 - 1.5**-2) * 1e-4:.2f} N")
