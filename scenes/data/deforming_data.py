#!/usr/bin/python3
"""Writes the data of two scenes of the gallery into this folder.

- arm.obj, arm.pc2: an upright arm that bends to and fro, as a mesh skinned to a chain of bones does (swinging_arm)
- air_bed.obj: two square sheets that are joined along their border (air_bed)
"""

import math
import pathlib
import struct

FOLDER = pathlib.Path(__file__).resolve().parent
AROUND, ALONG = 12, 16  # of the arm
LENGTH, RADIUS, MOST = 0.8, 0.07, 2.3  # [m], and the largest angle of its end
FRAMES, RATE = 51, 25  # samples, a second
CELLS, SIDE, GAP = 20, 1.0, 0.02  # of the bed


def arm_place(ring, angle, time):
    """A point of the arm at a time: its middle line is an arc of a circle, whose curvature swings."""
    share = ring / (ALONG - 1)
    radius = RADIUS * (1 - 0.4 * share)
    whole = MOST * math.sin(math.pi * time)  # angle of the end of the arm
    bend = whole * share
    arc = LENGTH * share
    x, y = (arc * (1 - math.cos(bend)) / bend, arc * math.sin(bend) / bend) if bend else (0, arc)
    across = radius * math.cos(angle)
    return (x + across * math.cos(bend), y - across * math.sin(bend), radius * math.sin(angle))


def arm(time):
    points = [arm_place(ring, 2 * math.pi * k / AROUND, time) for ring in range(ALONG) for k in range(AROUND)]
    ends = [points[first:first + AROUND] for first in (0, (ALONG - 1) * AROUND)]
    return points + [tuple(sum(p[i] for p in end) / AROUND for i in range(3)) for end in ends]


def arm_faces():
    faces = []
    for ring in range(ALONG - 1):
        for k in range(AROUND):
            a, b = ring * AROUND + k, ring * AROUND + (k + 1) % AROUND
            c, d = a + AROUND, b + AROUND
            faces += [(a, c, b), (b, c, d)]
    bottom, top, last = ALONG * AROUND, ALONG * AROUND + 1, (ALONG - 1) * AROUND
    for k in range(AROUND):
        faces += [(bottom, k, (k + 1) % AROUND), (top, last + (k + 1) % AROUND, last + k)]
    return faces


def bed():
    """Two grids whose border vertices are one; the inner ones are apart by the gap."""
    points, upper, lower = [], {}, {}
    for i in range(CELLS + 1):
        for j in range(CELLS + 1):
            border = i in (0, CELLS) or j in (0, CELLS)
            x, z = SIDE * (i / CELLS - 0.5), SIDE * (j / CELLS - 0.5)
            upper[i, j] = len(points)
            points.append((x, 0 if border else GAP / 2, z))
            lower[i, j] = upper[i, j]
            if not border:
                lower[i, j] = len(points)
                points.append((x, -GAP / 2, z))
    faces = []
    for i in range(CELLS):
        for j in range(CELLS):
            corners = (i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)
            if (i in (0, CELLS - 1)) and (j in (0, CELLS - 1)):  # each triangle of a corner has an inner vertex
                split = 0 if (i == 0) == (j == 0) else 1
            else:
                split = (i + j) % 2
            for side, turned in ((upper, True), (lower, False)):
                a, b, c, d = (side[corner] for corner in corners)
                cut = [(a, b, c), (a, c, d)] if split == 0 else [(a, b, d), (b, c, d)]
                faces += [face[::-1] if turned else face for face in cut]
    return points, faces


def write_obj(name, points, faces):
    lines = ["v " + " ".join(f"{round(x, 6) + 0.0:g}" for x in point) for point in points]
    lines += ["f " + " ".join(str(v + 1) for v in face) for face in faces]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def main():
    write_obj("arm.obj", arm(0), arm_faces())
    samples = [arm(k / RATE) for k in range(FRAMES)]
    with open(FOLDER / "arm.pc2", "wb") as file:
        file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(samples[0]), 0, 1, len(samples)))
        for sample in samples:
            for point in sample:
                file.write(struct.pack("<3f", *point))
    write_obj("air_bed.obj", *bed())


if __name__ == "__main__":
    main()
