"""Wind on bodies: forces by name in all methods, closed cavities, and Newmark beside obstacles that nothing touches."""

import unittest

import numpy as np

import sinew

METHODS = ("newton", "newton-pcg", "newton-multilevel", "multilevel", "adaptive", "quasi_newton", "mixed", "reduced")


def block(method="newton", hollow=False):
    """A block of 3 x 3 x 3 cells in wind from one side, with or without its middle cell."""
    mesh = sinew.box([.3, .3, .3], cells=[3, 3, 3])
    middle = mesh.vertices[mesh.tets].mean(axis=1)
    tets = mesh.tets[np.abs(middle).max(axis=1) > .05] if hollow else mesh.tets
    return {
        "gravity": [0, 0, 0],
        "time": {"step": .01},
        "materials": {"m": {"young": 1e6, "poisson": .4}},
        "bodies": [{"name": "block", "material": "m",
                    "mesh": {"tets": {"vertices": mesh.vertices.tolist(), "tets": tets.tolist()}},
                    "loads": [{"name": "air", "all": True, "wind": {"velocity": [15, 0, 5]}}]}],
        "contact": {"enabled": False},
        "sensors": {"air": {"load": "block", "quantities": ["force"]}},
        "solver": {"method": method, "tolerance": 1e-9},
    }


class Wind(unittest.TestCase):

    def test_forces_are_loads_and_in_balance(self):
        for method in METHODS:
            with self.subTest(method):
                sim = sinew.Simulation(block(method))
                sim.step(3)
                forces = sim.forces()
                loads = forces["loads"].sum(axis=0)
                self.assertGreater(loads[0], 1)
                # The sensor's wind is that of the end of the step, as the forces' is.
                self.assertLess(np.abs(loads - sim.sensors()["air"]["force"]).max(), 1e-6 * loads[0])
                if method.startswith("newton"):
                    rest = np.abs(sum(forces.values())).max()
                    self.assertLess(rest, 1e-5 * max(np.abs(force).max() for force in forces.values()))

    def test_eddies_have_a_size(self):
        scene = block()
        scene["bodies"][0]["loads"][0]["wind"]["turbulence"] = {"intensity": 1, "length": 1e-300}
        with self.assertRaisesRegex(sinew.InputError, "turbulence.length: found 1e-300, expected a finite number of at least 1e-100"):
            sinew.Simulation(scene)

    def test_cavities_are_still(self):
        found = []
        for hollow in (False, True):
            sim = sinew.Simulation(block(hollow=hollow))
            sim.step()
            found.append(sim.sensors()["air"]["force"])
        # The hollow block weighs less, so that it gives way a little faster.
        self.assertLess(np.abs(found[1] - found[0]).max(), 2e-2 * found[0][0])


class NewmarkBesideObstacles(unittest.TestCase):

    def test_a_falling_block_falls(self):
        corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * .1 + [0, -5, 0]
        faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6],
                 [0, 6, 4], [1, 5, 7], [1, 7, 3]]
        for method in ("newton", "reduced", "mixed"):
            for contact in ({"enabled": False}, {"ignore": [["block", "post"]], "self": False}):
                with self.subTest(method=method, contact=contact):
                    scene = block(method)
                    scene["gravity"] = [0, 0, -9.81]
                    scene["time"]["integrator"] = "newmark"
                    scene["bodies"][0].pop("loads")
                    scene.pop("sensors")
                    scene["obstacles"] = [{"name": "post", "mesh": {"triangles": {"vertices": corners.tolist(),
                                                                                  "triangles": faces}}}]
                    scene["contact"] = contact
                    sim = sinew.Simulation(scene)
                    sim.step(15)
                    self.assertLess(np.abs(np.asarray(sim.velocities) - [0, 0, -1.4715]).max(), 1e-6)


if __name__ == "__main__":
    unittest.main()
