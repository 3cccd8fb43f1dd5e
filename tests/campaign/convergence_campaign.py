#!/usr/bin/python3
"""Steps of random scenes that do not converge, and steps that gain energy which nothing feeds them.

Five steps a scene, with default settings but for undivided impacts. Prints a table and the scenes at fault; fails when more than the allowed share
of the steps did not converge, or when an implicit Euler step gained more than a hundredth of its energy.
"""

import argparse
import collections
import math
import sys

sys.dont_write_bytecode = True
import sinew
from random_impacts import random_impact, undivided_impact
from random_scenes import random_scene

STEPS = 5
ENERGY_GAIN = 0.01
KINDS = {"falls": random_scene, "impacts": random_impact, "undivided_impacts": undivided_impact}


def total(energies):
    return sum(value for name, value in energies.items() if name != "friction")


class Counts:
    def __init__(self):
        self.steps = self.unconverged = self.iterations = 0


def run(kind, seed, method, by_size, faults):
    scene, size = KINDS[kind](seed)
    scene["solver"] = {"method": method}
    simulation = sinew.Simulation(scene)
    counts = by_size[math.floor(math.log10(size))]
    solid, time = next(iter(scene["materials"].values())), scene["time"]
    described = (f"seed {seed}: {size:.2g} m, {solid['model']}, E {solid['young']:.2g}, {solid['density']:.0f} kg/m^3, "
                 f"h {time['step']:.2g}, {time['integrator']}, {len(scene['bodies'])} bodies")
    before = simulation.energies()
    for step in range(1, STEPS + 1):
        counts.steps += 1
        try:
            row = simulation.step()
        except sinew.SimulationError as error:
            counts.unconverged += 1
            faults.append(f"{described}; step {step}: {error}")
            return
        counts.iterations += row["newton_iterations"]
        after = row["energies"]
        if not row["converged"]:
            counts.unconverged += 1
            cause = row.get("diagnosis", {}).get("cause")
            faults.append(f"{described}; step {step}: {cause}, {row['newton_iterations']} iterations, "
                          f"residual {row['residual']:.2g}")
        scale = max(before["kinetic"], after["kinetic"]) + before["elastic"] + before["barrier"]
        scale += abs(after["gravity"] - before["gravity"])
        gain = total(after) - total(before)
        if time["integrator"] == "implicit_euler" and gain > ENERGY_GAIN * scale:
            faults.append(f"{described}; step {step}: energy grew by {gain / scale:.2g} of its size"
                          f"{'' if row['converged'] else ' (not converged)'}")
            counts.unconverged += row["converged"]
        before = after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS, default="falls", help="of the random scenes")
    parser.add_argument("--method", default="newton")
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="of the first scene; the others follow")
    parser.add_argument("--allowed", type=float, default=0.01, help="share of steps that may not converge")
    arguments = parser.parse_args()
    by_size, faults = collections.defaultdict(Counts), []
    for seed in range(arguments.seed, arguments.seed + arguments.scenes):
        run(arguments.kind, seed, arguments.method, by_size, faults)
    print("| size | steps | not converged | iterations a step |\n|---|---|---|---|")
    for power in sorted(by_size):
        c = by_size[power]
        print(f"| 1e{power} to 1e{power + 1} m | {c.steps} | {c.unconverged} | {c.iterations / c.steps:.1f} |")
    steps = sum(c.steps for c in by_size.values())
    bad = sum(c.unconverged for c in by_size.values())
    iterations = sum(c.iterations for c in by_size.values())
    print(f"| all, {arguments.method} | {steps} | {bad} ({100 * bad / steps:.1f} %) | {iterations / steps:.1f} |")
    print(*faults, sep="\n")
    return 0 if bad <= arguments.allowed * steps else 1


if __name__ == "__main__":
    sys.exit(main())
