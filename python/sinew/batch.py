"""Many runs at once: copies of a simulation that step over threads."""

import os
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._engine import Simulation, State
from .objects import _wrong
from .scene import Scene

Result = TypeVar("Result")
SceneLike = Union[Simulation, Scene, Mapping[str, Any], str, "os.PathLike[str]"]
Controls = Union[ArrayLike, Mapping[str, ArrayLike]]


def _workers(threads: Optional[int]) -> int:
    if threads is not None and threads < 1:
        raise _wrong(f"threads: found {threads}, expected at least 1, or None for all cores")
    return threads or len(os.sched_getaffinity(0))


class Batch:
    """Copies of a simulation that step at the same time, each in one thread at a time.

    They share the model and what the method has computed before the first step, until one of them is changed. Results do
    not depend on the number of threads.
    """

    def __init__(self, scene: SceneLike, n: int, seed: int = 0, threads: Optional[int] = None) -> None:
        """Makes n copies of a simulation, or of the simulation of a scene.

        Copy k has the random numbers rngs[k], of which `seed` is the seed. threads: the most that step at a time; None:
        as many as there are cores.
        """
        if n < 1:
            raise _wrong(f"Batch: found n={n}, expected at least 1")
        first = scene.copy() if isinstance(scene, Simulation) else Simulation(scene)
        self._simulations = [first, *(first.copy() for _ in range(n - 1))]
        self._rngs = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(n)]
        self._pool = ThreadPoolExecutor(_workers(threads), thread_name_prefix="sinew-batch")

    def __len__(self) -> int:
        return len(self._simulations)

    def __getitem__(self, number: int) -> Simulation:
        return self._simulations[number]

    def __iter__(self) -> Iterator[Simulation]:
        return iter(self._simulations)

    @property
    def rngs(self) -> List[np.random.Generator]:
        """A generator of random numbers for each copy. They are independent of each other."""
        return self._rngs

    def map(self, function: Callable[..., Result], *arguments: Iterable[Any]) -> List[Result]:
        """Returns function(simulation, ...) of all copies, over threads. Each of `arguments` has a value for each copy.

        An error in a call does not end the others: it is raised after all of them, the first one if there are several.
        """
        calls = list(zip(self._simulations, *arguments))
        if len(calls) < len(self):
            raise _wrong(f"map: found {len(calls)} values of an argument, expected {len(self)}")
        return self._run(function, calls)

    def _run(self, function: Callable[..., Result], calls: Iterable[Tuple[Any, ...]]) -> List[Result]:
        futures = [self._pool.submit(function, *call) for call in calls]
        try:
            wait(futures)
        finally:  # Ctrl-C: the rest does not begin
            for future in futures:
                future.cancel()
        return [future.result() for future in futures]

    def step(self, count: int = 1) -> List[Dict[str, Any]]:
        """Takes steps with all copies. Returns the row of steps.jsonl of the last step of each. For errors see map()."""

        def steps(simulation: Simulation) -> Dict[str, Any]:
            return simulation.step(count)

        return self.map(steps)

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions of all copies (n, vertices, 3) [m]."""
        return np.stack([simulation.positions for simulation in self._simulations])

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities of all copies (n, vertices, 3) [m/s]."""
        return np.stack([simulation.velocities for simulation in self._simulations])

    def states(self) -> List[State]:
        """Returns the states of all copies."""
        return self.map(Simulation.state)

    def set_states(self, states: Union[State, Sequence[State]]) -> None:
        """Sets the states of all copies: one for each, or one for all."""
        each = [states] * len(self) if isinstance(states, State) else list(states)
        if len(each) != len(self):
            raise _wrong(f"set_states: found {len(each)} states, expected {len(self)}")
        self.map(Simulation.set_state, each)

    def reset(self, which: Optional[Iterable[int]] = None) -> None:
        """Resets all copies, or those whose numbers are in `which`."""
        chosen = self._simulations if which is None else [self._simulations[k] for k in which]
        self._run(Simulation.reset, [(one,) for one in chosen])

    def close(self) -> None:
        """Ends the threads."""
        self._pool.shutdown()

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _apply_settings(simulation: Simulation, values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        simulation.set(key, value)


def _length(controls: Controls) -> int:
    if isinstance(controls, Mapping):
        lengths = {len(np.asarray(values)) for values in controls.values()}
        if len(lengths) != 1:
            raise _wrong(f"rollout: found controls of {sorted(lengths)} steps, expected the same number for each")
        return lengths.pop()
    return len(np.asarray(controls))


def _at(controls: Controls, step: int) -> Any:
    if isinstance(controls, Mapping):
        return {key: np.asarray(values)[step] for key, values in controls.items()}
    return np.asarray(controls)[step]


def rollout(simulation: Simulation, controls: Union[Controls, List[Controls]],
            apply: Optional[Callable[[Simulation, Any], None]] = None, states: Optional[Sequence[State]] = None,
            observe: Optional[Callable[[Simulation], ArrayLike]] = None,
            threads: Optional[int] = None) -> NDArray[np.float64]:
    """Returns what copies of a simulation do under controls, (runs, T, ...). The simulation itself does not change.

    - controls (T, ...): one value for each step; or a list of such arrays, one for each run. A dict maps keys of
      settings() to values of their own, (T,) or (T, 3).
    - apply(copy, control): applies the control of a step before it. Not needed with a dict.
    - states: the state from which each run starts; without them all start from the present one
    - observe(copy): what is returned of each step; positions (vertices, 3) if missing
    - threads: runs at a time; None: as many as there are cores
    """
    each = list(controls) if isinstance(controls, list) else [controls] * (len(states) if states is not None else 1)
    if states is not None and len(states) != len(each):
        raise _wrong(f"rollout: found {len(states)} states and controls of {len(each)} runs, expected as many")
    if apply is None and not all(isinstance(one, Mapping) for one in each):
        raise _wrong("rollout: found an array of controls without apply; give apply(copy, control), or a dict of controls")
    act = apply or _apply_settings
    look = observe or (lambda copy: copy.positions)
    lengths = {_length(one) for one in each}
    if len(lengths) > 1:
        raise _wrong(f"rollout: found controls of {sorted(lengths)} steps, expected the same number for each run")

    def run(number: int) -> List[NDArray[np.float64]]:
        copy = simulation.copy()
        if states is not None:
            copy.set_state(states[number])
        seen = []
        for step in range(_length(each[number])):
            act(copy, _at(each[number], step))
            copy.step()
            seen.append(np.asarray(look(copy), dtype=np.float64))
        return seen

    with ThreadPoolExecutor(min(_workers(threads), max(1, len(each)))) as pool:
        return np.array(list(pool.map(run, range(len(each)))))
