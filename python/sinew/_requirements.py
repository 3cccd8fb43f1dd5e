"""What the compiled part needs of Python and numpy, as errors that say what to do. Older Pythons must be able to read it."""

import importlib.util
import os
import sys

from . import _built_for

_FIRST_FOR_NUMPY_2 = (2, 12)  # pybind11: the types of numpy 2 have another layout


def check() -> None:
    """Raises ImportError in another Python, or where numpy is missing or would be read wrongly."""
    if importlib.util.find_spec("sinew._engine") is None:
        raise _other_python()
    try:
        import numpy
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise ImportError("sinew needs numpy, which this Python (%s) does not have; install it with %s -m pip install numpy" %
                          (sys.executable, sys.executable)) from None
    pybind11 = tuple(map(int, _built_for.pybind11.split(".")[:2]))
    if int(numpy.__version__.split(".")[0]) >= 2 and pybind11 < _FIRST_FOR_NUMPY_2:
        raise ImportError("sinew was built with pybind11 %s, which knows numpy 1 alone, but this is numpy %s; install "
                          "\"numpy<2\", or build sinew with pybind11 2.12 or newer" %
                          (_built_for.pybind11, numpy.__version__))


def _other_python() -> ImportError:
    there = _built_for.executable
    advice = "run it with " + there if os.path.exists(there) else "build sinew for " + sys.executable
    return ImportError("sinew was built for Python %s (%s), but this is Python %d.%d (%s); %s" %
                       (_built_for.version, there, sys.version_info[0], sys.version_info[1], sys.executable, advice))
