"""Errors of sweeps, with the codes of docs/errors.md."""

from __future__ import annotations

import re

from .._engine import InputError, SimulationError


def wrong(text: str, code: str = "E-argument") -> InputError:
    error = InputError(text)
    error.code = code
    return error


def failed(text: str, code: str) -> SimulationError:
    error = SimulationError(text)
    error.code = code
    return error


def error_line(text: str) -> str:
    """Returns the last error that a program printed, else its last line."""
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    return (errors or lines or [""])[-1].strip()


def code_of(text: str) -> str:
    """Returns the code at the end of an error, "" if it has none."""
    found = re.search(r"\[([EWC]-[\w-]+)\]$", text.strip())
    return found[1] if found else ""
