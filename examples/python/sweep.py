"""A parameter study: how far a beam bends, over its stiffness and its length. Each run is a process of its own.

Interrupt it and start it again: runs that are done are not repeated. The folder has a table (sweep.csv) and a page
(sweep.html).
"""

import sys
import tempfile

import sinew

folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp() + "/sweep"
scene = {
    "time": {"mode": "static", "steps": 1},
    "gravity": [0, -9.81, 0],
    "materials": {"rubber": {"young": 1e6, "poisson": 0.4}},
    "bodies": [{"name": "beam", "material": "rubber", "mesh": {"box": {"size": [0.2, 0.02, 0.02], "cells": [10, 2, 2]}},
                "fix": [{"halfspace": {"point": [-0.0999, 0, 0], "normal": [-1, 0, 0]}}]}],
    "contact": {"enabled": False},
    "sensors": {"tip": {"body": "beam", "select": {"nearest": [0.1, 0, 0]}, "quantities": ["displacement.y"]}},
}  # yapf: disable

rows = sinew.sweep(scene, {"materials.rubber.young": [1e6, 2e6, 4e6], "gravity": [[0, -9.81, 0], [0, -19.62, 0]]},
                   output=folder, progress=False)  # yapf: disable
for row in rows:
    print(f"{row['materials.rubber.young']:.0f} Pa, g = {-row['gravity'][1]:5.2f}: the tip sinks by "
          f"{-1000 * row['tip.displacement.y']:.2f} mm")
