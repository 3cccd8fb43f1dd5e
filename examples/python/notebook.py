"""Shows a simulation in the browser while the script steps it. In a notebook the page appears below the cell.

Usage: notebook.py [SECONDS]
"""

import sys
import tempfile

import sinew
from gripper import make_scene

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.5
sim = sinew.Simulation(make_scene("mixed"))
with tempfile.TemporaryDirectory() as folder, sinew.live(sim, output=folder + "/live") as view:
    print(view.url.partition("?")[0].partition("#")[0])
    view.run(seconds)
print(f"simulated {sim.time:.2f} s")
