"""A run of sinew in other processes, which Blender asks from time to time how far it is."""

import json
import os
import pathlib
import signal
import subprocess
import time

from . import scene_file
from .errors import EngineError

TAIL = 65536  # bytes at the end of steps.jsonl that hold a whole row


class Job:
    """Meshes the bodies of a plan, then runs its scene. Call poll() until it returns False.

    `state`: "meshing", "running", then "done" or "cancelled". poll() raises EngineError if a program fails. A cancelled
    run keeps its frames, and `resume` continues it.
    """

    def __init__(self, plan, folder, stage, programs, with_looks, threads=0, resume=False):
        """`folder`: of everything. `stage`: name of the run in it. `programs`: paths of sinew and sinew-mesh."""
        self.plan, self.folder, self.stage = plan, pathlib.Path(folder), stage
        self.sinew, self.sinew_mesh = programs
        self.with_looks, self.threads, self.resume = with_looks, threads, resume
        self.state, self.warnings, self._process, self._cancelled = "meshing", list(plan.warnings), None, False
        self._started = None  # when sinew run began
        if resume:
            scene_file.check_resume(plan, self.folder / scene_file.OBJECTS.format(stage))
        scene_file.write_surfaces(plan, self.folder)
        files = scene_file.Files()
        self._to_mesh = [
            body for body in plan.bodies if not body.cloth and not (self.folder / files.mesh(body)).exists()
        ]
        self._meshes = len(self._to_mesh)

    @property
    def run_folder(self):
        return self.folder / self.stage

    @property
    def log(self):
        return self.folder / f"{self.stage}.log"

    def message(self):
        if self.state == "meshing":
            return f"meshing body {max(1, self._meshes - len(self._to_mesh))} of {self._meshes}" if self._meshes else "meshing"
        if self.state == "running":
            frame = self.plan.first_frame + self.step() // self.plan.substeps
            return f"frame {frame} of {self.plan.first_frame + self.plan.frames}"
        return self.state

    def progress(self):
        """Share of the steps that are done."""
        return self.step() / self.plan.steps() if self.has_run() else 0.0

    def has_run(self):
        """Whether there may be frames of this run."""
        return self._started is not None

    def step(self):
        """The last step in steps.jsonl."""
        if not self.has_run():
            return 0
        rows = self.run_folder / "steps.jsonl"
        try:
            if not self.resume and rows.stat().st_mtime < self._started:  # of the run before
                return 0
            with open(rows, "rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - TAIL))
                rows = file.read().split(b"\n")[:-1]
            return json.loads(rows[-1])["step"] if rows else 0
        except (OSError, ValueError, KeyError):
            return 0

    def cancel(self):
        """Ends the run after the current step."""
        if self._process and self._process.poll() is None:
            self._cancelled = True
            self._process.send_signal(signal.SIGINT)

    def poll(self):
        """Goes on with the next program when one has ended. Whether there is more to wait for."""
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return True
            self._process = None
            if self._cancelled:
                self.state = "cancelled"
                return False
            self._read_log(code)
            if self.state == "running":
                self.state = "done"
                return False
        if self._to_mesh:
            self._mesh(self._to_mesh.pop(0))
        else:
            self._run()
        return True

    def _mesh(self, body):
        files = scene_file.Files()
        command = [self.sinew_mesh, "tets", files.surface(body), "-o", files.mesh(body), "--size", repr(body.size), "--quiet"]
        self._start(command + (["--robust"] if body.robust else []))

    def _run(self):
        self.state = "running"
        scene = scene_file.build(self.plan, self.folder, self.with_looks)
        path = self.folder / f"{self.stage}.json"
        path.write_text(json.dumps(scene, indent=1))
        scene_file.write_objects(self.plan, self.folder / scene_file.OBJECTS.format(self.stage))
        scene_file.remove_unused(self.folder)
        command = [self.sinew, "run", path.name, "-o", self.stage, "--resume" if self.resume else "--overwrite"]
        self._started = time.time()
        self._start(command + (["--threads", str(self.threads)] if self.threads else []))

    def _start(self, command):
        with open(self.log, "w") as log:
            self._process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def _read_log(self, code):
        lines = self.log.read_text(errors="replace").splitlines()
        self.warnings += [line[len("warning: "):] for line in lines if line.startswith("warning: ")]
        if code != 0:
            errors = [line[len("error: "):] for line in lines if line.startswith("error: ")]
            raise EngineError("\n".join(errors or lines[-5:]) or f"sinew ended with the exit code {code} and no message")
