"""Many runs at once: copies of a simulation that step over threads."""

import operator
import os
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._engine import Simulation, State
from ._threads import Threads
from .objects import _wrong
from .scene import Scene

Result = TypeVar("Result")
SceneLike = Union[Simulation, Scene, Mapping[str, Any], str, "os.PathLike[str]"]
Controls = Union[ArrayLike, Mapping[str, ArrayLike]]


def _count(value: Any, what: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise _wrong(f"{what}: found {value!r}, expected a whole number") from None
    if number < 1:
        raise _wrong(f"{what}: found {number}, expected at least 1")
    return number


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
        n = _count(n, "Batch: n")
        try:
            seeds = np.random.SeedSequence(seed).spawn(n)
        except (TypeError, ValueError):
            raise _wrong(f"Batch: seed: found {seed!r}, expected a whole number of at least 0") from None
        first = scene.copy() if isinstance(scene, Simulation) else Simulation(scene)
        self._simulations = [first, *(first.copy() for _ in range(n - 1))]
        self._rngs = [np.random.default_rng(child) for child in seeds]
        self._threads = Threads(threads, "sinew-batch")

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

        An error in one of them is raised when all have ended. Ctrl-C ends the steps of all copies. Raises InputError for
        another number of values.
        """
        each = [list(values) for values in arguments]
        for values in each:
            if len(values) != len(self):
                raise _wrong(f"map: found {len(values)} values, expected {len(self)}: one for each copy")
        return self._threads.map(function, self._simulations, *each)

    def step(self, count: int = 1) -> List[Dict[str, Any]]:
        """Takes steps with all copies. Returns the row of steps.jsonl of the last step of each.

        An error of one copy is raised when the others have taken their steps. After Ctrl-C some have taken fewer steps.
        """
        count = _count(count, "step: count")

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
        """Resets all copies, or those in `which`: numbers, or a mask with an entry for each copy."""
        chosen = range(len(self)) if which is None else self._numbers(which)
        self._threads.map(Simulation.reset, [self._simulations[k] for k in chosen])

    def _numbers(self, which: Iterable[int]) -> Sequence[int]:
        numbers = np.asarray(which if isinstance(which, np.ndarray) else list(which))
        if numbers.dtype == bool and numbers.shape == (len(self),):
            numbers = np.flatnonzero(numbers)
        good = numbers.ndim == 1 and (numbers.dtype.kind in "iu" or numbers.size == 0)
        if not good or not all(-len(self) <= k < len(self) for k in numbers):
            raise _wrong(f"reset: found {which!r}, expected numbers of copies below {len(self)}, or a mask ({len(self)},)")
        return [int(k) for k in numbers]

    def close(self) -> None:
        """Ends the threads. Later calls start new ones."""
        self._threads.close()

    def __repr__(self) -> str:
        return f"<sinew.Batch of {len(self)} simulations>"

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _apply_settings(simulation: Simulation, values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        simulation.set(key, value)


def _length(controls: Controls) -> int:
    values = list(controls.values()) if isinstance(controls, Mapping) else [controls]
    lengths = set()
    for each in values:
        shape = np.shape(each)
        if not shape:
            raise _wrong(f"rollout: found controls {each!r}, expected an array (T, ...), one value for each step")
        lengths.add(shape[0])
    if len(lengths) != 1:
        raise _wrong(f"rollout: found controls of {sorted(lengths)} steps, expected the same number for each")
    return int(lengths.pop())


def _at(controls: Controls, step: int) -> Any:
    if isinstance(controls, Mapping):
        return {key: np.asarray(values)[step] for key, values in controls.items()}
    return np.asarray(controls)[step]


class _Lent:
    """A copy of a simulation for a run, which is there as long as the run."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._copy: Optional[Simulation] = None
        self._stopped = False

    def __enter__(self) -> Simulation:
        copy = self._copy = self._simulation.copy()
        if self._stopped:
            copy._set_stopped(True)
        return copy

    def __exit__(self, *error: object) -> None:
        self._copy = None

    def _set_stopped(self, stopped: bool) -> None:
        self._stopped = stopped  # first: __enter__() may be under way
        copy = self._copy
        if copy is not None:
            copy._set_stopped(stopped)


def _runs(controls: Union[Controls, List[Controls]], states: Union[None, State, Sequence[State]],
          apply: Any) -> Tuple[List[Controls], Optional[List[State]]]:
    """The controls and the state of each run."""
    if apply is not None and not callable(apply):
        raise _wrong(f"rollout: apply: found {apply!r}, expected a function apply(copy, control)")
    starts = [states] if isinstance(states, State) else None if states is None else list(states)
    each = list(controls) if isinstance(controls, list) else [controls] * (1 if starts is None else len(starts))
    if isinstance(states, State):
        starts = [states] * len(each)
    if starts is not None and len(starts) != len(each):
        raise _wrong(f"rollout: found {len(starts)} states and controls of {len(each)} runs, expected as many")
    if apply is None and not all(isinstance(one, Mapping) for one in each):
        raise _wrong("rollout: found an array of controls without apply; give apply(copy, control), or a dict of controls")
    lengths = {_length(one) for one in each}
    if len(lengths) > 1:
        raise _wrong(f"rollout: found controls of {sorted(lengths)} steps, expected the same number for each run")
    return each, starts


def _seen(value: ArrayLike) -> NDArray[np.float64]:
    try:
        if value is not None:
            return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise _wrong(f"rollout: observe returned {type(value).__name__}, expected numbers, or an array of them")


def rollout(simulation: Simulation, controls: Union[Controls, List[Controls]],
            apply: Optional[Callable[[Simulation, Any], None]] = None,
            states: Union[None, State, Sequence[State]] = None,
            observe: Optional[Callable[[Simulation], ArrayLike]] = None,
            threads: Optional[int] = None) -> NDArray[np.float64]:
    """Returns what copies of a simulation do under controls, (runs, T, ...). The simulation itself does not change.

    - controls (T, ...): one value for each step; or a list of such arrays, one for each run: list(array) of an array
      (runs, T, ...). A dict maps keys of settings() to values of their own, (T,) or (T, 3).
    - apply(copy, control): applies the control of a step before it. Not needed with a dict.
    - states: the state from which each run starts, or one for all; without them all start from the present one
    - observe(copy): what is returned of each step, always of the same shape; positions (vertices, 3) if missing
    - threads: runs at a time; None: as many as there are cores

    After Ctrl-C, or an error in one run, the others stop after their present step.
    """
    if not isinstance(simulation, Simulation):
        raise _wrong(f"rollout: found a value of type {type(simulation).__name__}, expected a Simulation")
    each, starts = _runs(controls, states, apply)
    act = apply or _apply_settings
    look = observe or (lambda copy: copy.positions)
    def run(lent: _Lent, number: int) -> List[NDArray[np.float64]]:
        with lent as copy:
            if starts is not None:
                copy.set_state(starts[number])
            seen: List[NDArray[np.float64]] = []
            for step in range(_length(each[number])):
                act(copy, _at(each[number], step))
                copy.step()
                seen.append(_seen(look(copy)))
            return seen

    pool = Threads(threads, "sinew-rollout")
    try:
        results = pool.map(run, [_Lent(simulation) for _ in each], range(len(each)), despite_errors=False)
    finally:
        pool.close(wait=False)
    shapes = {array.shape for run_of in results for array in run_of}
    if len(shapes) > 1:
        raise _wrong(f"rollout: observe returned arrays of shapes {sorted(shapes)}, expected one shape")
    return np.array(results)
