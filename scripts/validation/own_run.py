"""Runs a case's observe.py, which drives a simulation through the Python module: own_run.py CASE METHOD [--tight].

observe.py has `observe(run)`, which returns values by the names of the measures. `run.simulation(scene)` makes a simulation
by the method, `run.step(simulation)` steps it and keeps its row.
"""

import json
import runpy
import sys

sys.dont_write_bytecode = True
import sinew
from cases import Case
from worker import prepared


class Run:
    """What observe.py gets."""

    def __init__(self, case, method, tight):
        self.case, self.method, self.tight = case, method, tight
        self.rows = []

    def scene(self):
        return self.case.scene()

    def simulation(self, scene):
        return sinew.Simulation(prepared(self.case, scene, self.method, self.tight), str(self.case.folder))

    def step(self, simulation):
        row = simulation.step()
        self.rows.append(row)
        return row


def main():
    tight = "--tight" in sys.argv
    folder, method = [a for a in sys.argv[1:] if not a.startswith("--")]
    case = Case(folder)
    run, answer = Run(case, method, tight), {"values": {}}
    try:
        answer["values"] = {k: float(v) for k, v in runpy.run_path(str(case.folder / "observe.py"))["observe"](run).items()}
    except sinew.InputError as error:
        answer["refused" if not run.rows else "ended"] = str(error)
    except sinew.SimulationError as error:
        answer["ended"] = str(error)
    print(json.dumps(dict(answer, rows=run.rows)))


if __name__ == "__main__":
    main()
