"""What was changed between steps is in a checkpoint: a loaded simulation goes on with the same bits, and its settings and
pulls are those of the one that was saved."""

import pathlib
import tempfile
import unittest

import numpy as np

import sinew

BAR = 81  # vertices
LEFT = {"halfspace": {"point": [-0.199, 0, 0], "normal": [-1, 0, 0]}}
RIGHT = {"halfspace": {"point": [0.199, 0, 0], "normal": [1, 0, 0]}}
A_CURVE = {"x": [0.5, 1, 2], "dy": [-2e5, 0, 5e4]}
C_CURVE = {"x": [0.5, 1, 2], "dy": [-1e5, 0, 1e5]}


def hollow_box():
    mesh = sinew.box([.06, .06, .06], cells=[3, 3, 3])
    tets = mesh.tets[np.abs(mesh.vertices[mesh.tets].mean(axis=1)).max(axis=1) > .01]
    return {"tets": {"vertices": mesh.vertices.tolist(), "tets": tets.tolist()}}


def scene(method):
    """A bar of which one end is fixed, with a force and springs at the other, under a block of foam, over a floor. Beside them a
    hollow box with gas."""
    return {
        "time": {"step": 0.01, "steps": 100, "integrator": "bdf2"},
        "materials": {"soft": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4,
                               "fiber": {"stiffness": 1e4, "direction": [1, 0, 0], "tension": 2e4}},
                      "rubber": {"young": 1e5, "poisson": 0.4},
                      "foam": {"model": "spline", "a": A_CURVE, "c": C_CURVE}},
        "bodies": [{"name": "bar", "mesh": {"box": {"size": [0.4, 0.1, 0.1], "cells": [8, 2, 2]}}, "material": "soft",
                    "fix": [LEFT], "loads": [dict(RIGHT, force=[0, 0, 1]), dict(RIGHT, pressure=0),
                                             dict(RIGHT, traction=[0, 0, 0]), dict(RIGHT, moment=[0, 0, 0]),
                                             dict(RIGHT, wind={"velocity": [0, 0, 0]})],
                    "springs": [dict(RIGHT, to=[0.3, 0.1, 0], stiffness=5)]},
                   {"name": "block", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}}, "material": "foam",
                    "transform": {"translate": [0, 0.11, 0]}},
                   {"name": "tyre", "mesh": hollow_box(), "material": "rubber", "transform": {"translate": [0.6, 0, 0]},
                    "loads": [{"all": True, "gas": {"pressure": 1e3}}]}],
        "obstacles": [{"name": "floor", "plane": {"point": [0, -0.06, 0], "normal": [0, 1, 0]}},
                      {"name": "wall", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}},
                       "transform": {"translate": [0, 0, 0.16]}}],
        "contact": {"distance": 2e-3, "friction": 0.3},
        "solver": dict({"method": method}, **({"handles": 6} if method in ("reduced", "mixed") else {})),
    }


def bar_where(sim, condition):
    return [int(i) for i in np.flatnonzero(condition(sim.positions[:BAR, 0]))]


def let_go(sim):
    sim.unfix(bar_where(sim, lambda x: x < -0.19))


def hold(sim):
    sim.fix(bar_where(sim, lambda x: x > 0.1))


def in_turn(*changes):
    def change(sim):
        for one in changes:
            one(sim)
            sim.step()
    return change


def stiffer(sim):
    sim.set_material("soft", young=3e5)


def with_fibers(sim):
    sim.set_material("soft", fiber={"stiffness": 2e5, "direction": [1, 1, 0]})


WALL = np.array([[x, y, z] for x in (-0.05, 0.05) for y in (-0.05, 0.05) for z in (0.11, 0.21)])


def shifted(x, y):
    pose = np.eye(4)
    pose[:2, 3] = x, y
    return pose


def bent(sim):
    held = sim.positions[bar_where(sim, lambda x: x < -0.19)].copy()
    held[0, 1] += 0.004
    return held


def move_block(sim):
    x = sim.positions.copy()
    x[BAR:, 0] += 1e-4
    sim.positions = x


OTHER_METHOD = {"newton": "reduced", "multilevel": "newton", "reduced": "mixed", "mixed": "newton"}

# By name; a method of the simulation stands for all ways of one kind.
CHANGES = {
    "nothing": lambda sim: None,
    "set_gravity": lambda sim: sim.set_gravity([1, -5, 0]),
    "set_time_step": lambda sim: sim.set_time_step(0.007),
    "set_iterations": lambda sim: sim.set_iterations(2),
    "set_friction": lambda sim: sim.set_friction(0.7),
    "set_material": stiffer,
    "set_material of curves": lambda sim: sim.set_material("foam", rest="mend", a={"x": [0.5, 1, 2], "dy": [-4e5, 0, 5e4]}),
    "set_material of fibers": with_fibers,
    "set_material of tets": lambda sim: sim.set_material("soft", young=np.linspace(1e5, 3e5, 160), poisson=0.3),
    "set_material of fibers, unfix": in_turn(with_fibers, let_go),
    "pull": lambda sim: sim.pull(20, [0, 0.2, 0]),
    "release": lambda sim: (sim.pull(20, [0, 0.2, 0]), sim.pull(40, [0, 0.3, 0]), sim.release(20)),
    "set_load": lambda sim: sim.set_load(0, [0, 2, 0]),
    "set_spring": lambda sim: sim.set_spring(0, [0.4, 0.2, 0], 20),
    "set_fix_target": lambda sim: sim.set_fix_target("bar", 0, transform=shifted(0.01, 0.02)),
    "set_fix_target to positions": lambda sim: sim.set_fix_target("bar", 0, positions=bent(sim)),
    "set_fix_target of velocity": in_turn(*2 * [lambda sim: sim.set_fix_target("bar", 0, velocity=[0.2, 0, 0.1])]),
    "set_fix_target, set_method": in_turn(lambda sim: sim.set_fix_target("bar", 0, velocity=[0.2, 0, 0.1]),
                                          lambda sim: sim.set_method(OTHER_METHOD[sim.start_method])),
    "set_obstacle_pose": lambda sim: sim.set_obstacle_pose("floor", shifted(0, 0.01)),
    "set_obstacle_vertices": lambda sim: sim.set_obstacle_vertices("wall", WALL - [0, 0, 0.02]),
    "set_obstacle_velocity": lambda sim: sim.set_obstacle_velocity("wall", [0, 0, -2]),
    "add_force": lambda sim: sim.add_force([20, 40], [0, 1, 2]),
    "set_spring_length": lambda sim: sim.set_spring_length("bar", 0, 0.02),
    "set_spring_stiffness": lambda sim: sim.set_spring_stiffness("bar", 0, 9),
    "set_spring_point": in_turn(lambda sim: sim.set_spring_length("bar", 0, 0.02),
                                lambda sim: sim.set_spring_point("bar", 0, [0.4, 0.2, 0])),
    "set_pressure": lambda sim: sim.set_pressure("bar", 1, 200),
    "set_gas_amount": lambda sim: sim.set_gas_amount("tyre", 0, 1.1),
    "set_traction": lambda sim: sim.set_traction("bar", 2, [100, 50, 0]),
    "set_force": lambda sim: sim.set_force("bar", 0, [0, 2, 0]),
    "set_wind": lambda sim: sim.set_wind("bar", 4, [0, 9, 5]),
    "set_moment": lambda sim: sim.set_moment("bar", 3, [0.05, 0, 0]),
    "set_activation": lambda sim: sim.set_activation("soft", 0.5),
    "set_activation, set_material": in_turn(lambda sim: sim.set_activation("soft", 0.5), stiffer, with_fibers),
    "set_pair_friction": lambda sim: sim.set_pair_friction("soft", "floor", 0.9),
    "unfix": let_go,
    "fix": hold,
    "set_method": lambda sim: sim.set_method(OTHER_METHOD[sim.start_method]),
    "set_method to auto": lambda sim: sim.set_method("auto"),
    "unfix, set_material": in_turn(let_go, stiffer),
    "set_material, unfix": in_turn(stiffer, let_go),
    "set_material, set_method": in_turn(stiffer, lambda sim: sim.set_method(OTHER_METHOD[sim.start_method]), let_go),
    "fix, unfix": in_turn(hold, let_go),
    "time": lambda sim: setattr(sim, "time", 0.4),
    "positions": move_block,
    "velocities": lambda sim: setattr(sim, "velocities", 0.5 * sim.velocities),
    "reduced_coordinates": lambda sim: setattr(sim, "reduced_coordinates", 1.001 * sim.reduced_coordinates),
}


class Simulation(sinew.Simulation):
    start_method = ""


class SavedChanges(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "state.h5"

    def loaded(self, sim):
        sim.save(self.path)
        return sinew.Simulation.load(self.path)

    def test_every_change_is_tried(self):
        known = {word for name in CHANGES for word in name.replace(",", "").split()}
        for name in dir(sinew.Simulation):
            if name == "set_state":  # no change of the model
                continue
            changes = name.startswith("set_") or isinstance(getattr(sinew.Simulation, name), property) and getattr(
                sinew.Simulation, name).fset
            if changes or name in ("pull", "release", "fix", "unfix", "add_force"):
                self.assertIn(name, known)

    def check(self, method):
        refused = []
        for name, change in CHANGES.items():
            sim = Simulation(scene(method))
            sim.start_method = method
            for _ in range(3):
                sim.step()
            try:
                change(sim)
            except sinew.InputError as error:
                self.assertRegex(str(error), "reduced coordinates|cannot do exactly|affine maps alone")
                refused.append(name)
                continue
            for when in ("at once", "a step later"):
                copies = [self.loaded(sim)]
                copies.append(self.loaded(copies[0]))
                copies += [sim.copy(), copies[0].copy()]
                for _ in range(2):
                    for one in (sim, *copies):
                        one.step()
                for copy in copies:
                    with self.subTest(change=name, saved=when):
                        np.testing.assert_array_equal(copy.positions, sim.positions)
                        np.testing.assert_array_equal(copy.velocities, sim.velocities)
                        self.assertEqual(copy.time, sim.time)
        return refused

    def test_newton(self):
        self.assertEqual(self.check("newton"), ["reduced_coordinates"])

    def test_multilevel(self):
        self.assertEqual(self.check("multilevel"), ["reduced_coordinates"])

    def test_reduced(self):
        self.assertEqual(self.check("reduced"), ["set_fix_target to positions", "fix", "fix, unfix"])

    def test_mixed(self):
        self.assertEqual(self.check("mixed"), ["set_fix_target to positions", "fix", "fix, unfix"])

    def test_settings_and_pulls_of_a_loaded_simulation_go_on(self):
        sim = sinew.Simulation(scene("newton"))
        sim.step()
        sim.set_material("soft", young=3e5)
        sim.set_material("foam", rest="mend", a={"x": [0.5, 1, 2], "dy": [-4e5, 0, 5e4]})
        sim.pull(20, [0, 0.2, 0])
        sim.pull(40, [0, 0.3, 0])
        copy = self.loaded(sim)
        for one in (sim, copy):  # what is not named stays as it was changed
            one.set_material("soft", poisson=0.3)
            one.set_material("foam", b={"x": [0.5, 1, 2], "dy": [-1e3, 0, 1e3]})
            one.release(20)
            one.pull(40, [0, 0.4, 0])
            for _ in range(2):
                one.step()
        np.testing.assert_array_equal(copy.positions, sim.positions)

    def test_the_budget_of_iterations_may_be_set_where_the_method_has_none(self):
        sim = sinew.Simulation(scene("newton"))
        sim.set_iterations(2)
        self.assertTrue(sim.step()["converged"])


if __name__ == "__main__":
    unittest.main()
