"""What the scripts that run scenes of the gallery share."""

import math
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
SINEW = ROOT / "build/release/bin/sinew"
SCENES = ROOT / "scenes/gallery"
SIZES = ("small", "medium", "large")


class Failure(Exception):
    """What is wrong with a scene, or why it did not run."""


def call(sinew, *words):
    """Runs sinew; its last error is the failure."""
    done = subprocess.run([sinew, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise Failure(f"{words[0]}: {lines[-1]}")
    return done.stderr


def number(value):
    """As a person writes it: 0.01, 300, 4e5, 1.5e-4."""
    if value == 0 or 1e-3 <= abs(value) < 1e4:
        return f"{value:g}"
    digits, exponent = f"{value:e}".split("e")
    return f"{float(digits):g}e{int(exponent)}"


def rounded(count):
    return f"{count / 1000:.1f}k" if count < 1e5 else f"{count / 1000:.0f}k"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in lines)


def slope(points):
    """Of the straight line that fits log y over log x best."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len(logs) < 2:
        return math.nan
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x)**2 for x, _ in logs)
