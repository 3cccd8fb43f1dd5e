"""One case by one method: runs it by `sinew run`, or by the case's observe.py, and measures it."""

import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

from cases import ROOT
from frames import read_frame
from observables import Observer, only_at_end, over_steps

SINEW = os.environ.get("SINEW", str(ROOT / "build/release/bin/sinew"))
MODULE = os.environ.get("SINEW_PYTHON", str(ROOT / "build/release/python"))
TIGHTER = 1e3
STATICS = ("static", "continuation")  # time.mode without inertia
WALL = 10  # times the limit of processor time, for machines that others use too


class Cut(Exception):
    """A run that does not end."""


def outcome(row):
    """Of a row: "converged", "budget" or "failed"."""
    if "outcome" in row:
        return row["outcome"]
    if row.get("budget"):
        return "budget"
    return "converged" if row["converged"] else "failed"


def call(words, cpu_seconds, folder, environment=None):
    """Runs a program with a limit of processor time: exit code, its two texts, and the seconds that it took."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_seconds) + 1, int(cpu_seconds) + 6))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(words, stdout=out, stderr=err, stdin=subprocess.DEVNULL, preexec_fn=limit, cwd=folder,
                                   env=environment)
        began = time.monotonic()
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - began > WALL * cpu_seconds:
                os.kill(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.02)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        raise Cut(f"{cpu_seconds:g} s of processor time")
    return code, texts[0], texts[1], usage.ru_utime + usage.ru_stime


def check(path):
    """The report of `sinew check`, and what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "check.json"
        done = subprocess.run([SINEW, "check", str(path), "--brief", "--json", str(report)], capture_output=True, text=True)
        data = json.loads(report.read_text()) if report.exists() else {}
        return data, done.stdout + done.stderr


def tightened(scene, path):
    """The scene with its tolerances 1e3 times smaller and friction iterated as far."""
    data, text = check(path)
    if "run" not in data:
        raise RuntimeError(text)
    scene = json.loads(json.dumps(scene))
    solver = scene.setdefault("solver", {})
    solver.update(tolerance=data["run"]["tolerance"] / TIGHTER, max_iterations=2000)
    if "force_tolerance" in data["scene"]["solver"] and scene.get("time", {}).get("mode") in STATICS:
        solver["force_tolerance"] = 1e-3 / TIGHTER
    if scene.get("contact", {}).get("friction"):
        scene["contact"].update(friction_iterations=1000, friction_tolerance=1e-5)
    return scene


def prepared(case, scene, method, tight):
    """The scene by a method, with the case's settings for it."""
    scene = json.loads(json.dumps(scene))
    solver = scene.setdefault("solver", {})
    solver.update(case.settings.get(method, {}))
    solver["method"] = method
    return tightened(scene, case.folder / "scene.json") if tight else scene


def run_scene(case, method, tight):
    """What `sinew run` makes of the case's scene: its answer, with values of all measures that look at states."""
    scene = prepared(case, case.scene(), method, tight)
    steps = case.steps or scene.get("time", {}).get("steps", 100)
    watched = [m for m in case.measures if m.observe and not ({"said", "finding"} & set(m.observe))]
    reference = tight and case.kind == "random"
    every = steps if all(only_at_end(m.over) for m in watched) and not reference else 1
    scene["output"] = {"formats": ["vtu"], "every": every, "checkpoint": 0}
    with tempfile.TemporaryDirectory(prefix="sinew-validate-") as folder:
        out = pathlib.Path(folder) / "out"
        path = case.folder / f".{method}.{os.getpid()}.{'tight' if tight else 'run'}.json"  # beside its meshes
        path.write_text(json.dumps(scene))
        try:
            words = [SINEW, "run", path.name, "-o", str(out), "--threads", "1", "--steps", str(steps)]
            code, _, text, seconds = call(words, case.cpu_seconds * (4 if tight else 1), case.folder)
        finally:
            path.unlink()
        log = out / "steps.jsonl"
        rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        answer = {"rows": rows, "text": text, "cpu": seconds, "values": {}}
        text = answer["text"] = text.replace(path.name, "scene.json")
        if code in (1, 2) and not rows:
            answer["refused"] = last_error(text)
        elif code not in (0, 1, 2):
            answer["crash"] = f"exit code {code}: {last_error(text)}"
        elif code != 0:
            answer["ended"] = last_error(text)
        frames = sorted(path for path in (out / "frames").glob("*.vtu") if "_obstacles_" not in path.name) \
            if (out / "frames").exists() else []
        if "refused" in answer or "crash" in answer or not watched or not frames:
            return answer
        kept = case.folder / "reference.npz"  # of random cases
        if reference:
            statics = scene["time"].get("mode") in STATICS
            allowed = TIGHTER * scene["solver"]["tolerance"] * (1 if statics else steps * scene["time"]["step"])
            places = [read_frame(path, ("Points",))["Points"] for path in frames]
            motion = max(np.linalg.norm(place - places[0], axis=1).mean() for place in places)
            np.savez(kept, positions=places[-1], allowed=allowed, motion=motion)
        observer = Observer(scene, read_frame(frames[0]), dict(np.load(kept)) if kept.exists() else None)
        numbers = [int(re.search(r"_(\d+)\.vtu$", path.name)[1]) for path in frames]
        times, series = [], {m.name: [] for m in watched}
        for path, number in zip(frames, numbers):
            if number > len(rows):
                break
            observer.show(read_frame(path, Observer.FIELDS), rows[number - 1] if number else None)
            times.append(rows[number - 1]["time"] if number else 0.0)
            for m in watched:
                if number == numbers[-1] or not only_at_end(m.over):
                    series[m.name].append(observer.value(m.observe))
        for m in watched:
            # Those of a run that ended before stay unknown, unless that is the end of a path of equilibria.
            if numbers[-1] == steps or rows and rows[-1].get("path", {}).get("ended"):
                answer["values"][m.name] = over_steps(times, series[m.name], m.over)
    return answer


def last_error(text):
    lines = [line for line in text.strip().splitlines() if line]
    errors = [line for line in lines if line.startswith("error")]
    return (errors or lines or ["no word"])[-1]


def run_own(case, method, tight):
    """What the case's observe.py says, in a process that has the Python module."""
    if not any(pathlib.Path(MODULE).glob("sinew/_engine.*.so")):
        raise RuntimeError(f"{MODULE}: no Python module there; build the target sinew_python or set SINEW_PYTHON")
    words = ["/usr/bin/python3", "-B", str(pathlib.Path(__file__).parent / "own_run.py"), str(case.folder), method]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([MODULE, str(pathlib.Path(__file__).parent)]))
    code, out, text, seconds = call(words + ["--tight"] * tight, case.cpu_seconds * (4 if tight else 1), case.folder, environment)
    lines = out.strip().splitlines()
    if code != 0 or not lines:
        return {"rows": [], "text": text, "cpu": seconds, "values": {}, "crash": f"exit code {code}: {last_error(text)}"}
    return dict(json.loads(lines[-1]), text=text, cpu=seconds)


def estimates(rows, statics):
    """The error at the end that the rows speak of [m], and over the motion.

    In time a row's estimate e is of its step alone. The error of the position stays, and that of the velocity, e / h, goes
    on with it: after k further steps (1 + k) e.
    """
    known = [(i, row["error_estimate"], row.get("motion") or math.nan) for i, row in enumerate(rows)
             if row.get("error_estimate") is not None]
    if not known:
        return None, None
    if statics:
        _, error, motion = known[-1]
    else:  # a row without one counts like the others
        share = len(rows) / len(known)
        error, motion = share * sum((len(rows) - i) * e for i, e, _ in known), share * sum(m for _, _, m in known)
    return error, error / motion if motion else math.inf


def answer_of(case, method, tight=False):
    """All that verdicts need."""
    began = time.monotonic()
    try:
        answer = run_own(case, method, tight) if case.has_own_run() else run_scene(case, method, tight)
    except Cut as cut:
        return {"timeout": str(cut), "method": method, "wall": time.monotonic() - began}
    except (RuntimeError, ValueError, KeyError) as error:
        return {"fault": f"{type(error).__name__}: {error}", "method": method}
    rows, text = answer.pop("rows"), answer.pop("text")
    keys = ("reason", "diagnosis", "outcome", "note", "notes", "advice", "warnings", "instability")
    said = text + "\n" + "\n".join(json.dumps({k: row[k] for k in keys if k in row}) for row in rows)
    for m in case.measures:
        if m.observe and "said" in m.observe:
            answer["values"][m.name] = float(bool(re.search(m.observe["said"], said, re.IGNORECASE)))
        if m.observe and "finding" in m.observe:
            answer["values"][m.name] = float(bool(re.search(m.observe["finding"], check(case.folder / "scene.json")[1],
                                                            re.IGNORECASE)))
    statics = case.has_scene() and case.scene().get("time", {}).get("mode") in STATICS
    error, share = estimates(rows, statics)
    # A measure of one step is told by the rows up to that step.
    answer["told"] = {m.name: estimates(rows[:m.observed_step()], statics)[1] for m in case.measures
                      if m.observed_step() is not None}
    outcomes = {}
    for row in rows:
        outcomes[outcome(row)] = outcomes.get(outcome(row), 0) + 1
    answer.update(method=method, outcomes=outcomes, steps=len(rows), error_estimate=error, relative_estimate=share,
                  spoken={m.name: bool(m.said and re.search(m.said, said, re.IGNORECASE)) for m in case.measures},
                  iterations=sum(row["newton_iterations"] for row in rows), wall=time.monotonic() - began,
                  first_reason=next((row.get("reason") for row in rows if outcome(row) == "failed"), None))
    answer["values"] = {k: (v if v is not None and math.isfinite(v) else None) for k, v in answer["values"].items()}
    return answer
