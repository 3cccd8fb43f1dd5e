"""sinew.modes: frequencies of bars against beam theory, orthogonality, numbering and errors."""

import math
import unittest

import numpy as np

import sinew


def bar(length, thickness, cells):
    """A box of cells along x, y and z, cut into six tets each around a diagonal."""
    counts = np.array(cells)
    size = np.array([length, thickness, thickness])
    grid = np.stack(np.meshgrid(*(np.arange(c + 1) for c in counts), indexing="ij"), -1).reshape(-1, 3)
    vertices = grid * size / counts - size / 2
    number = lambda c: (c[..., 0] * (counts[1] + 1) + c[..., 1]) * (counts[2] + 1) + c[..., 2]
    corner = np.stack(np.meshgrid(*(np.arange(c) for c in counts), indexing="ij"), -1).reshape(-1, 3)
    tets = []
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0)):
        path = [corner]
        for axis in order:
            path.append(path[-1] + np.eye(3, dtype=int)[axis])
        tets.append(np.stack([number(c) for c in path], -1))
    return sinew.TetMesh(vertices, np.concatenate(tets))


def mass(mesh, density):
    """Lumped, of each coordinate."""
    x = np.asarray(mesh.vertices)[np.asarray(mesh.tets)]
    volume = np.abs(np.linalg.det(x[:, 1:] - x[:, :1])) / 6
    lumped = np.zeros(len(mesh.vertices))
    for k in range(4):
        np.add.at(lumped, np.asarray(mesh.tets)[:, k], density * volume / 4)
    return np.repeat(lumped, 3)


E, RHO, LENGTH, THICKNESS = 2e9, 1200.0, 1.0, 0.1
MATERIAL = sinew.Material("neo_hookean", young=E, poisson=0.0)
MESH = bar(LENGTH, THICKNESS, (60, 6, 6))


def bending(beta_length):
    """Frequency of Euler and Bernoulli's beam [Hz]."""
    return beta_length**2 / (2 * math.pi * LENGTH**2) * math.sqrt(E * THICKNESS**2 / 12 / RHO)


class Modes(unittest.TestCase):

    def test_a_free_bar_sounds_as_theory_says(self):
        values, modes = sinew.modes.linear(MESH, MATERIAL, 16, density=RHO)
        self.assertEqual(modes.shape, (3 * len(MESH.vertices), 16))
        self.assertEqual(list(values[:6]), [0] * 6)
        self.assertGreater(values[6], 0)
        frequencies = np.sqrt(values[6:]) / (2 * math.pi)
        # Shear and rotary inertia lower the first by 1.5 %, linear tets raise it by a few. After rewinding the tets' diagonals
        # are not alike in both directions.
        self.assertAlmostEqual(frequencies[0] / bending(4.730041), 1, delta=0.04)
        self.assertAlmostEqual(frequencies[1] / frequencies[0], 1, delta=0.04)
        # With Poisson's ratio zero the bar's own stretching is that of a rod.
        rod = math.sqrt(E / RHO) / (2 * LENGTH)
        self.assertLess(min(abs(frequencies / rod - 1)), 0.002)
        gram = modes.T @ (mass(MESH, RHO)[:, None] * modes)
        self.assertLess(abs(gram - np.eye(16)).max(), 1e-9)

    def test_a_clamped_bar_sounds_as_theory_says(self):
        fixed = np.flatnonzero(np.asarray(MESH.vertices)[:, 0] < -0.4999 * LENGTH)
        values, modes = sinew.modes.linear(MESH, MATERIAL, 4, fixed, RHO)
        self.assertAlmostEqual(math.sqrt(values[0]) / (2 * math.pi) / bending(1.875104), 1, delta=0.04)
        self.assertEqual(abs(modes.reshape(-1, 3, 4)[fixed]).max(), 0)

    def test_two_orders_of_inertia_modes_hold_the_lowest_six(self):
        _, modes = sinew.modes.inertia(MESH, MATERIAL, 54, density=RHO)
        gram = modes.T @ (mass(MESH, RHO)[:, None] * modes)
        self.assertLess(abs(gram - np.eye(54)).max(), 1e-9)
        # Cosines of the angles between the two spans.
        _, lowest = sinew.modes.linear(MESH, MATERIAL, 12, density=RHO)
        cosines = np.linalg.svd(modes.T @ (mass(MESH, RHO)[:, None] * lowest[:, 6:]), compute_uv=False)
        self.assertGreater(cosines.min(), 0.99)

    def test_reduced_products_leave_modes_nearly_orthogonal(self):
        for count in (30, 60):
            _, modes = sinew.modes.inertia(MESH, MATERIAL, count, density=RHO, reduced=True)
            gram = modes.T @ (mass(MESH, RHO)[:, None] * modes)
            self.assertLess(abs(np.diag(gram) - 1).max(), 1e-9)
            self.assertLess(np.linalg.cond(gram), 10)  # 8e5 of 60 without exact products where much cancels

    def test_modes_of_large_motions(self):
        fixed = np.flatnonzero(np.asarray(MESH.vertices)[:, 0] < -0.4999)
        M = mass(MESH, RHO)[:, None]
        for make in (sinew.modes.derivatives, sinew.modes.inertia_derivatives):
            for reduce in ("pca", "random"):
                values, modes = make(MESH, MATERIAL, 12, fixed=fixed, density=RHO, linear=4, reduce=reduce)
                self.assertEqual(modes.shape, (3 * len(MESH.vertices), 12))
                self.assertLess(abs(modes.T @ (M * modes) - np.eye(12)).max(), 1e-9)
                self.assertTrue((np.diff(values) >= 0).all() and values[0] > 0)
            # The softest is about the first bending of the bar.
            first = sinew.modes.linear(MESH, MATERIAL, 1, fixed=fixed, density=RHO)[0][0]
            values, _ = make(MESH, MATERIAL, 12, fixed=fixed, density=RHO, linear=4)
            self.assertAlmostEqual(values[0] / first, 1, delta=0.01)
        self.assertEqual(sinew.modes.quadratic(MESH, MATERIAL, 100)[1].shape[1], 24)

    def test_errors_of_large_motions(self):
        for arguments, text in ((dict(linear=-1), "linear: found -1"), (dict(order=0), "order: found 0"),
                                (dict(linear=10000), "modes.derivatives: linear: found 10000 linear modes"),
                                (dict(reduce="pcb"), 'did you mean "pca"'), (dict(order=9, linear=30), "fewer linear modes or a")):
            with self.subTest(text), self.assertRaisesRegex(sinew.InputError, text):
                sinew.modes.derivatives(MESH, MATERIAL, 3, **arguments)

    def test_a_reduced_model_of_modes(self):
        scene = {
            "sinew": 1,
            "materials": {"rubber": {"model": "stvk", "young": 1e6, "poisson": 0.4, "density": 1000}},
            "bodies": [{
                "mesh": {"box": {"size": [1, 0.3, 0.3], "cells": [8, 3, 3]}},
                "material": "rubber",
                "fix": [{"box": [[-1, -1, -1], [-0.4999, 1, 1]]}]
            }],
            "time": {"step": 0.01, "steps": 10},
            "solver": {"method": "reduced", "subspace": "inertia_derivatives", "handles": 12,
                       "cubature": "modal_forces"},
            "contact": {"enabled": False},
        }
        simulation = sinew.Simulation(scene)
        for _ in range(5):
            self.assertTrue(simulation.step()["converged"])
        subspace = simulation.subspace
        n = len(simulation.positions)
        self.assertEqual(subspace["modes"].shape, (3 * n, 12))
        self.assertEqual(subspace["mode_weights"].shape, (len(subspace["tets"]), 12))
        self.assertEqual(subspace["forces"].shape, subspace["poses"].shape)
        self.assertLess(subspace["training_error"], 0.2)
        q = simulation.reduced_coordinates
        self.assertEqual(q.shape, (12,))
        rest = sinew.Simulation(scene).positions
        self.assertLess(abs((simulation.positions - rest).ravel() - subspace["modes"] @ q).max(), 1e-12)
        simulation.reduced_coordinates = 0.5 * q
        self.assertLess(abs((simulation.positions - rest).ravel() - 0.5 * subspace["modes"] @ q).max(), 1e-12)
        for solver, text in ((dict(cubature="stiffness"), "which is not for solver.subspace"),
                             (dict(subspace="eigenmodes", cubature="modal_forces"), "which is not for solver.subspace"),
                             (dict(cubature={"rule": "all", "jacobian": "exact"}), "have a symmetric derivative"),
                             (dict(handles=100000), 'solver.handles: found 100000 modes of kind "inertia_derivatives"'),
                             (dict(subspace=["linear", "eigenmodes"]), r"solver.subspace\[1\]: found"), (dict(subspace="none.npz"), "none.npz")):
            with self.subTest(text), self.assertRaisesRegex(sinew.InputError, text):
                sinew.Simulation({**scene, "solver": {**scene["solver"], **solver}})

    def test_more_modes_than_there_are(self):
        box = bar(1.0, 1.0, (2, 2, 2))
        most = 3 * len(box.vertices)
        for kind in ("linear", "derivatives", "inertia", "inertia_derivatives", "quadratic"):
            text = f'modes.{kind}: k: found {most + 1} modes of kind "{kind}", expected at most {most - 6 * (kind != "linear")}'
            with self.subTest(kind), self.assertRaisesRegex(sinew.InputError, text):
                getattr(sinew.modes, kind)(box, MATERIAL, most + 1)

    def test_errors(self):
        for arguments, text in (((MESH, MATERIAL, 0), "k: found 0"), ((MESH, MATERIAL, 10**6), 'modes.linear: k: found 1000000 modes of kind "linear"'),
                                ((MESH, MATERIAL, 3, [len(MESH.vertices)]), "fixed: found vertex"),
                                ((MESH, MATERIAL, 3, None, -1.0), "density: found -1"), ((MESH, MATERIAL, 3, [0.5]), "of type float64, expected an array of integers"),
                                ((MESH, sinew.Material("polynomial", mu=1e5), 3), "expected more than 0")):
            with self.subTest(text), self.assertRaisesRegex(sinew.InputError, text):
                sinew.modes.linear(*arguments)


if __name__ == "__main__":
    unittest.main()
