"""The pendulum swings for 1,000 steps with mixed and standard elements, 16 handles and 400 points. Implicit Euler
loses energy, so that converged steps fall from the energy of the start to that at rest. "Lag" compares the elastic
energy of the stretches with that of the positions: their difference over the energy at the start. It is zero where
the constraint holds."""

from studies.frame.numbers import error
from studies.frame.paper import Table, Verdict

from .motion import BUDGETS, METHODS, label, solver

STEPS, WINDING = 1000, 60


def released(text):
    text["bodies"][0]["fix"].pop()


def total(energies):
    return energies["kinetic"] + energies["elastic"] + energies["gravity"]


def measure(engine):
    wound = engine.simulation("pendulum", solver())
    for _ in range(WINDING):
        wound.step()
    paths, lags = {kind: {} for kind in METHODS}, {}
    probe = engine.simulation("pendulum", solver("standard"), released)
    for kind in METHODS:
        for budget in BUDGETS:
            sim = engine.simulation("pendulum", solver(kind, iterations=budget), released)
            sim.positions = wound.positions
            path, lag = [total(sim.energies())], []
            for step in range(STEPS):
                energies = sim.step()["energies"]
                path.append(total(energies))
                if kind == "mixed" and step % 5 == 0:
                    probe.reduced_coordinates = sim.reduced_coordinates
                    lag.append(abs(energies["elastic"] - probe.energies()["elastic"]))
            paths[kind][budget] = path
            if kind == "mixed":
                lags[budget] = lag
    return {"total": paths, "lag": lags, "start": wound.energies()["elastic"]}


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    plots.lines(left, {f"{kind}, {label(int(budget))}": list(enumerate(numbers["total"][kind][budget]))
                       for kind in METHODS for budget in ("0", "1", "2") if (kind, budget) != ("standard", "0")},
                x="step", y="total energy [J]")
    plots.lines(right, {label(int(budget)): [(5 * i + 1, max(value / numbers["start"], 1e-16)) for i, value in enumerate(lag)]
                        for budget, lag in numbers["lag"].items()}, x="step", y="lag", log="y")
    return figure


def largest_gain(path):
    """Over the energy at the start, as a share of what is there to lose."""
    return (max(path) - path[0]) / (path[0] - min(path)) if path[0] > min(path) else 0.0


def tables(numbers):
    return [Table("1,000 steps", ["elements", "iterations a step", "energy at the start [J]", "largest [J]", "at the end [J]",
                                  "largest lag", "mean lag"],
                  [[kind, label(int(budget)), f"{path[0]:.1f}", f"{max(path):.1f}", f"{path[-1]:.1f}",
                    *([error(max(lag) / numbers["start"]), error(sum(lag) / len(lag) / numbers["start"])]
                      if (lag := numbers["lag"].get(budget)) and kind == "mixed" else ["-", "-"])]
                   for kind, paths in numbers["total"].items() for budget, path in paths.items()])]


def verdict(numbers):
    start = numbers["start"]
    lag = {budget: max(values) / start for budget, values in numbers["lag"].items()}
    gain = {budget: (max(path) - path[0]) / start for budget, path in numbers["total"]["mixed"].items()}
    ours = ("largest lag over the elastic energy at the start: " + ", ".join(f"{error(value)} ({label(int(b))})" for b, value in lag.items()) +
            ". Largest gain of energy: " + ", ".join(f"{error(max(0, value))} ({label(int(b))})" for b, value in gain.items()))
    if lag["0"] < 1e-2 and gain["0"] < 1e-2 and lag["2"] < 0.05:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the constraint does not hold in converged steps" if lag["0"] >= 1e-2 else
                   "few iterations gain energy or leave a lag")
