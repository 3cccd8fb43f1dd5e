"""sinew.view(): the live page in a notebook."""

from typing import Dict

from ._engine import InputError, Live, Simulation, live

# Views stay open until close() or the end of the process. By id: a view keeps its simulation alive.
_open: Dict[int, Live] = {}


def view(simulation: Simulation) -> Live:
    """Shows a simulation on a live page, which sim.step() updates. A notebook shows the page inline.

    Elsewhere, open the `url` of the result in a browser. The view stays open until its close(). Called again, it returns
    the open view. sinew.live() has more options.
    """
    shown = _open.get(id(simulation))
    if shown is not None:
        try:
            shown.update()
            return shown
        except InputError:  # it was closed
            del _open[id(simulation)]
    shown = live(simulation)
    _open[id(simulation)] = shown
    return shown
