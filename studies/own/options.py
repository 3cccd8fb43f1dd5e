"""The page of the papers' options. Its text is options.md.in beside this file, where {METHOD: ROW} stands for a ratio of times of
the study gains."""

import pathlib
import re

from studies.frame.numbers import short
from studies.frame.results import read_kept

from . import gains


def ratio(numbers, name):
    """A ratio, or the smallest and largest of the first guesses."""
    method, row = name.split(": ")
    rows = gains.FIRST_GUESSES if row == "first guesses" else (row,)
    found = sorted(gains.ratio(numbers[method][each], "seconds") for each in rows if each in numbers[method])
    if not found:
        return "-"
    return short(found[0]) if len(found) == 1 else f"{short(found[0])} to {short(found[-1])}"


def page():
    from . import PAPER
    result = read_kept(PAPER, "gains")
    text = (pathlib.Path(__file__).parent / "options.md.in").read_text()
    return re.sub(r"{(\w+: [^}]+)}", lambda match: ratio(result["numbers"], match[1]) if result else "-", text)
