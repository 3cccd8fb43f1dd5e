import numpy as np


def observe(run):
    simulation = run.simulation(run.scene())
    for _ in range(6):
        run.step(simulation)
    simulation.positions = simulation.positions + [0, 1, 0]
    return {"friction": np.abs(simulation.forces()["friction"]).sum()}
