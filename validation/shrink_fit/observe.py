import copy
import os
import tempfile

import numpy as np
import sinew


def observe(run):
    scene = run.scene()
    small = copy.deepcopy(scene)
    small["contact"], small["time"]["steps"] = {"enabled": False}, 1
    small["bodies"][0]["fix"] = [{"all": True, "motion": {"scale": {"times": [0, 1], "values": [1, [0.995, 0.995, 1]]}}}]
    start = sinew.Simulation(small, str(run.case.folder))
    start.step()
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "start.h5")
        start.save(file)
        scene["initial"] = {"file": file, "time": "reset"}
        simulation = run.simulation(scene)
    for _ in range(2):
        run.step(simulation)
    x, force = simulation.positions, simulation.forces()["contact"]
    r = np.hypot(x[:, 0], x[:, 1])
    hub = np.arange(len(x)) >= np.flatnonzero(np.abs(r - 0.01001) < 2e-4).min()
    radial = (force[:, :2] * x[:, :2]).sum(1) / np.maximum(r, 1e-9)
    return {"radial force on the quarter": radial[radial > 0].sum()}
