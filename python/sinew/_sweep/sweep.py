"""sinew.sweep(): runs a scene with many settings."""

from __future__ import annotations

from typing import Optional, Sequence

from .._scene_parts import Path
from .points import Values, factors_of, points_of
from .session import SceneLike, run_sweep
from .table import Row


def sweep(scene: SceneLike, values: Values, output: Optional[Path] = None, *, base_dir: Path = ".", jobs: Optional[int] = None,
          scheduler: Optional[str] = None, zip: bool = False, threads: int = 1, steps: Optional[int] = None,
          method: Optional[str] = None, overwrite: bool = False, progress: bool = True, sinew: Optional[str] = None,
          sbatch: Sequence[str] = ()) -> list[Row]:  # yapf: disable
    """Runs a scene with many settings, each in a process of its own. Returns a row for each run.

    Rows have the run's number, its values, "outcome" ("done", "failed", or "waiting" if a cluster lost it), the totals of
    summary.json, the last values of sensors and, if it failed, "error". The folder has them as sweep.csv, with units, and
    as sweep.html. Repeat the call to continue a sweep that was interrupted: it keeps complete runs and tries failed ones
    again.

    - scene: path of a scene file, a Scene, or a dict with the same keys. Relative paths in a dict start at base_dir
    - values: {key: values}, keys as of `sinew run --set`; or a list of dicts, one for each run
    - output: folder of the sweep; None: out/, the name of the scene and _sweep
    - jobs: the most runs at a time; None: cores divided by threads, or as many as a cluster takes
    - scheduler: None: this machine; "dask://HOST:PORT"; "slurm". Clusters need a file system that all nodes share
    - zip: the first values of all keys make the first run, the second ones the second run; otherwise all combinations
    - threads: of each run
    - steps, method: in place of the scene's
    - overwrite: replaces an earlier sweep in the folder
    - progress: prints a line for each run
    - sinew: path of the program; None: the one beside this package, else that on the PATH
    - sbatch: options for Slurm, such as "--partition=long"
    """
    return run_sweep(scene, points_of(factors_of(values), zip), output, base_dir=base_dir, jobs=jobs,
                     scheduler=scheduler, threads=threads, steps=steps, method=method, overwrite=overwrite,
                     progress=progress, sinew=sinew, sbatch=sbatch)
