"""A steel wire that is held at both ends is struck by forces of 1 N and 150 N, in 1 ms, at the rate of samples. The modes
are inertia modes and their derivatives, the points those of the rule `energies`. Spectra are of windows of 93 ms. The
pitch is the strongest peak between 0.8 and 2 times the lowest frequency of the soft stroke."""

import json
import struct

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import rounded, short
from studies.frame.paper import Table, Verdict

RATE = 44100
WINDOW = 4096
FORCES = (1, 150)  # [N]
# Cells of the wire, modes, points and steps. The paper's wire has 76,863 tets, 120 modes and 342 points.
SIZES = {"small": ([120, 2, 2], 40, 342, 13230), "medium": ([800, 4, 4], 120, 342, 22050)}
PAPER_SECONDS = 48


def measure(engine):
    cells, modes, points, steps = SIZES.get(engine.size, SIZES["medium"])
    strokes = {}
    for force in FORCES:
        settings = [f"bodies.0.mesh.box.cells={json.dumps(cells)}", f"solver.handles={modes}",
                    f'solver.cubature={{"rule":"energies","points":{points}}}', "solver.multilevel.cache=false",
                    f"bodies.0.loads.0.force.values=[[0,0,0],[0,{-force},0],[0,0,0]]", "output.sound.gain=1"]
        with temporary_folder() as folder:
            rows, summary = engine.keep_run("keyed_wire", "reduced", f"{folder}/wire", settings, steps, formats=("wav",))
            sound = read_wav(f"{folder}/wire/sound.wav")
        times = [0.01, *(0.05 * k for k in range(1, int(steps / RATE / 0.05) - 1))]
        spectra = [(t, *spectrum(sound, t)) for t in times]
        first = spectra[0]
        keep = first[1] <= 4000
        strokes[str(force)] = {
            "peak": float(abs(sound).max()), "tets": summary["tets"], "setup": summary["seconds"]["setup"],
            "ms": 1000 * summary["seconds"]["steps"] / steps, "failed": summary["steps_failed"],
            "energies": [row["energies"]["kinetic"] + row["energies"]["elastic"] for row in rows[100::100]],
            "spectrum": [first[1][keep][::4].tolist(), (first[2] / first[2].max())[keep][::4].tolist()],
            "spectra": [[t, f, s] for t, f, s in spectra]}
    low = lowest(strokes["1"]["spectra"][0][1:])
    for stroke in strokes.values():
        stroke["pitch"] = [[t, strongest(f, s, 0.8 * low, 2 * low)] for t, f, s in stroke.pop("spectra")]
    return {"lowest": low, "strokes": strokes, "modes": modes, "points": points}


def read_wav(path):
    """The left channel of 32-bit floats [Pa], since the gain is 1."""
    data = open(path, "rb").read()
    begin = data.find(b"data")
    count = struct.unpack("<I", data[begin + 4:begin + 8])[0]
    return numpy.frombuffer(data[begin + 8:begin + 8 + count], dtype="<f4").reshape(-1, 2)[:, 0].astype(float)


def spectrum(sound, start):
    """Frequencies and amplitudes of a window."""
    part = sound[int(start * RATE):][:WINDOW]
    return (numpy.fft.rfftfreq(8 * WINDOW, 1 / RATE),
            numpy.abs(numpy.fft.rfft(part * numpy.hanning(len(part)), 8 * WINDOW)))


def lowest(pair):
    """The lowest peak with a tenth of the amplitude of the largest."""
    f, s = pair
    peaks = [k for k in range(1, len(s) - 1) if s[k] > s[k - 1] and s[k] > s[k + 1] and s[k] > 0.1 * s.max()]
    return float(f[peaks[0]])


def strongest(f, s, low, high):
    inside = numpy.flatnonzero((f >= low) & (f <= high))
    return float(f[inside[numpy.argmax(s[inside])]])


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    plots.lines(left, {f"{force} N": stroke["pitch"] for force, stroke in numbers["strokes"].items()}, x="time [s]",
                y="pitch [Hz]")
    plots.lines(right, {f"{force} N": list(zip(*stroke["spectrum"])) for force, stroke in numbers["strokes"].items()},
                x="frequency [Hz]", y="amplitude over the largest", log="y")
    right.set_ylim(1e-3, 1.2)
    return figure


def tables(numbers):
    return [Table("Strokes", ["force [N]", "tets", "pitch at first [Hz]", "at the end [Hz]", "peak [Pa]", "failed steps",
                              "preparation [s]", "ms per step"],
                  [[force, rounded(stroke["tets"]), f"{stroke['pitch'][0][1]:.0f}", f"{stroke['pitch'][-1][1]:.0f}",
                    short(stroke["peak"]), stroke["failed"], short(stroke["setup"]), short(stroke["ms"])]
                   for force, stroke in numbers["strokes"].items()])]


def verdict(numbers):
    soft, hard = numbers["strokes"]["1"], numbers["strokes"]["150"]
    glide = hard["pitch"][0][1] / hard["pitch"][-1][1]
    ours = (f"struck hard the pitch falls from {hard['pitch'][0][1]:.0f} to {hard['pitch'][-1][1]:.0f} Hz, struck "
            f"softly it stays at {soft['pitch'][0][1]:.0f} Hz; preparing {rounded(hard['tets'])} tets and "
            f"{numbers['modes']} modes takes {short(hard['setup'])} s")
    if hard["failed"] or soft["failed"]:
        return Verdict("differs", ours, "steps fail")
    if glide < 1.05 or abs(soft["pitch"][0][1] / soft["pitch"][-1][1] - 1) > 0.02:
        return Verdict("differs", ours, "the pitch does not depend on the stroke as it should")
    if hard["tets"] < 70000:
        return Verdict("same", ours)
    return Verdict("better" if hard["setup"] < PAPER_SECONDS else "same", ours)
