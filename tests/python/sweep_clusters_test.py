"""Sweeps on a local Dask cluster and a local Slurm, of which a worker is killed: no run is lost, none is done twice."""

import contextlib
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import sinew

SCENE = {"time": {"step": 0.01, "steps": 300}, "gravity": [0, -9.81, 0],
         "materials": {"rubber": {"young": 2e5, "poisson": 0.4, "density": 1000}},
         "bodies": [{"name": "bar", "mesh": {"box": {"size": [0.4, 0.1, 0.1], "cells": [6, 2, 2]}}, "material": "rubber",
                     "fix": [{"halfspace": {"point": [-0.19, 0, 0], "normal": [-1, 0, 0]}}]}],
         "output": {"formats": []}}  # yapf: disable
STEPS = SCENE["time"]["steps"]
KEY = "materials.rubber.young"
VALUES = [1e5, 2e5, 3e5, 4e5, 5e5]
PROGRAM = os.environ.get("SINEW", "")  # for a package without a program beside it
PATIENCE = 120  # for anything [s]


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what}: waited {PATIENCE} s in vain")


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def parent(process):
    """The parent of a process, None if it has ended."""
    try:
        return int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except (OSError, ProcessLookupError):
        return None


def processes(*words):
    """Ids of the processes whose command lines contain all of the words."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if all(word.encode() in line for word in words):
            found.append(int(path.parent.name))
    return found


class Cluster(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"
        (self.folder / "bar.json").write_text(json.dumps(SCENE))
        self.started = []

    def start(self, *command, environment=None):
        log = (self.folder / f"{pathlib.Path(command[0]).name}.log").open("a")
        self.addCleanup(log.close)
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def sweep(self, *words):
        more = ["--sinew", PROGRAM] if PROGRAM else []
        process = subprocess.Popen(
            ["/usr/bin/python3", "-B", "-m", "sinew._sweep", str(self.folder / "bar.json"), "--set",
             f"{KEY}=" + ",".join(map(str, VALUES)), "-o", str(self.out), *more, *words],
            stderr=subprocess.PIPE, text=True)  # yapf: disable
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def running(self, number):
        """The process of a run once it has taken some steps; None before."""
        log = self.out / f"runs/{number:04}/steps.jsonl"
        if not log.exists() or not 5 < len(log.read_text().splitlines()) < STEPS - 20:
            return None
        return next(iter(processes("run", str(log.parent))), None)

    def check(self, process):
        errors = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 0, errors)
        self.assertIn("5 runs, 0 failed", errors)
        self.assertEqual([line.split("]")[0] for line in errors.splitlines() if line.startswith("[")],
                         [f"[{k}/5" for k in range(1, 6)])
        self.assertEqual(len(list((self.out / "runs").iterdir())), len(VALUES))
        for number in range(len(VALUES)):
            lines = (self.out / f"runs/{number:04}/steps.jsonl").read_text().splitlines()
            self.assertEqual([json.loads(line)["step"] for line in lines], list(range(1, STEPS + 1)))
            self.assertNotIn("E-output-busy", (self.out / f"state/{number:04}.log").read_text())  # never two in a folder
        return errors

    def check_rows(self):
        """The rows are those of a sweep on this machine, but for times."""
        here = sinew.sweep(self.folder / "bar.json", {KEY: VALUES}, self.folder / "here", progress=False,
                           sinew=PROGRAM or None)  # yapf: disable
        there = sinew.sweep(self.folder / "bar.json", {KEY: VALUES}, self.out, progress=False, sinew=PROGRAM or None)
        for one, other in zip(here, there):
            self.assertEqual({**one, "seconds": 0}, {**other, "seconds": 0})


@unittest.skipUnless(importlib.util.find_spec("distributed"), "python3-distributed is not installed")
class Dask(Cluster):

    def cluster(self):
        """Starts a scheduler and two workers, whose Python does not know sinew. Returns the address and the workers."""
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        port = free_ports(1)[0]
        dask = ["/usr/bin/python3", "-m", "distributed.cli.dask_scheduler"]
        self.start(*dask, "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", environment=environment)
        worker = ["/usr/bin/python3", "-m", "distributed.cli.dask_worker", f"127.0.0.1:{port}", "--no-nanny", "--nthreads", "1",
                  "--no-dashboard", "--host", "127.0.0.1", "--local-directory", str(self.folder)]  # yapf: disable
        workers = [self.start(*worker, environment=environment) for _ in range(2)]

        def answers():
            with socket.socket() as tried:
                return tried.connect_ex(("127.0.0.1", port)) == 0

        until(answers, "the scheduler")
        return f"dask://127.0.0.1:{port}", workers

    def test_a_killed_worker_loses_nothing(self):
        address, workers = self.cluster()
        process = self.sweep("--scheduler", address)
        child = until(lambda: self.running(0) or self.running(1) or self.running(2), "a run")
        lineage = [child]
        while lineage[-1] and lineage[-1] > 1:
            lineage.append(parent(lineage[-1]))
        victim = next(worker for worker in workers if worker.pid in lineage)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        until(lambda: parent(child) is None or not pathlib.Path(f"/proc/{child}").exists(), "the end of the worker's run")
        self.check(process)
        self.check_rows()

    def test_no_scheduler(self):
        process = self.sweep("--scheduler", f"dask://127.0.0.1:{free_ports(1)[0]}")
        errors = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 1)
        self.assertIn("cannot reach the Dask scheduler", errors)
        self.assertTrue((self.out / "sweep.csv").exists())


DAEMONS = {name: shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin") for name in ("munged", "slurmctld", "slurmd")}
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/slurmctld
SlurmdSpoolDir={folder}/slurmd
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MinJobAge=10
KillWait=5
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
"""


@unittest.skipUnless(os.geteuid() == 0, "only root can start a Slurm of its own")
@unittest.skipUnless(all(DAEMONS.values()), "slurm-wlm and munge are not installed")
class Slurm(Cluster):

    def cluster(self):
        """Starts Slurm with this machine as its only node; skips the test where it cannot start."""
        self.folder.chmod(0o755)  # munged wants others to reach its socket
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        munge = [f"--{name}-file={self.folder}/munge.{name}" for name in ("pid", "log", "seed")]
        self.start(DAEMONS["munged"], "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket", *munge)
        until((self.folder / "munge.socket").exists, "munged")
        for name in ("slurmctld", "slurmd"):
            (self.folder / name).mkdir()
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(host=socket.gethostname().split(".")[0], folder=self.folder, ports=free_ports(2)))
        os.environ["SLURM_CONF"] = str(configuration)
        self.addCleanup(os.environ.pop, "SLURM_CONF")
        daemons = [self.start(DAEMONS[name], "-D", "-f", str(configuration)) for name in ("slurmctld", "slurmd")]

        def ready():
            if any(daemon.poll() is not None for daemon in daemons):
                raise AssertionError("a daemon has ended")
            nodes = subprocess.run(["sinfo", "--noheader", "--format", "%T"], capture_output=True, text=True)
            return nodes.stdout.strip() == "idle"

        try:
            until(ready, "an idle node")
        except AssertionError as error:
            logs = "".join(path.read_text()[-500:] for path in sorted(self.folder.glob("slurm*.log")))
            self.skipTest(f"Slurm does not start here: {error}\n{logs}")

    def jobs(self):
        return subprocess.run(["squeue", "--noheader", "--array", "--format", "%i %T"], capture_output=True, text=True).stdout

    def test_a_killed_task_loses_nothing(self):
        self.cluster()
        process = self.sweep("--scheduler", "slurm", "--jobs", "2", "--sbatch=--time=10")
        child = until(lambda: self.running(0), "a run")
        os.kill(parent(child), signal.SIGKILL)  # the task; its run ends with it
        until(lambda: not pathlib.Path(f"/proc/{child}").exists(), "the end of the task's run")
        self.check(process)
        self.assertEqual(len(list((self.out / "state").glob("slurm-*.json"))), 2)  # submitted again, alone
        self.assertEqual(json.loads((self.out / "state/slurm-1.json").read_text()), [[0]])
        script = (self.out / "sweep.sbatch").read_text()
        self.assertIn("#SBATCH --array=0-0%2\n", script)
        self.assertIn("#SBATCH --time=10\n", script)
        self.check_rows()

    def test_a_killed_step_daemon_loses_nothing(self):
        self.cluster()
        process = self.sweep("--scheduler", "slurm", "--jobs", "2")
        child = until(lambda: self.running(1), "a run")
        daemon = parent(parent(child))
        self.assertIn("slurmstepd", pathlib.Path(f"/proc/{daemon}/cmdline").read_text())
        os.kill(daemon, signal.SIGKILL)
        self.check(process)

    def test_ctrl_c_cancels_the_array(self):
        self.cluster()
        process = self.sweep("--scheduler", "slurm", "--jobs", "1")
        until(lambda: self.running(0), "a run")
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("repeat the command to continue the sweep", errors)
        until(lambda: not self.jobs().strip(), "the end of the array")
        self.check(self.sweep("--scheduler", "slurm"))


if __name__ == "__main__":
    sys.exit(unittest.main())
