"""The points of a sweep: which keys of the scene take which values in which run."""

from __future__ import annotations

import csv
import itertools
import json
import math
import os
from typing import Any, Iterable, List, Mapping, Sequence, Union

from .errors import wrong

Point = dict[str, Any]
Values = Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]
_MOST_POINTS = 100_000


def _no_number(text: str) -> Any:
    raise ValueError(text)


def parse_value(text: str) -> Any:
    """Returns a value as `sinew run --set` reads it: JSON, else a string."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except ValueError:
        return text


def split_values(text: str) -> list[str]:
    """Splits a text at its commas, except those within brackets, braces or quotes."""
    parts, depth, quoted, escaped = [""], 0, False, False
    for letter in text:
        if letter == "," and depth == 0 and not quoted:
            parts.append("")
            continue
        parts[-1] += letter
        if quoted:
            quoted = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            quoted = True
        else:
            depth += (letter in "[{") - (letter in "]}")
    return parts


def parse_set(option: str) -> tuple[str, list[Any]]:
    """Returns the key and the values of an option --set key=a,b,c."""
    key, equals, text = option.partition("=")
    if not key or not equals:
        raise wrong(f"--set {option}: expected path.to.key=VALUE,VALUE,..., for example "
                    "--set materials.rubber.young=1e5,2e5", "E-set")
    parts = [part.strip() for part in split_values(text)]
    if "" in parts:
        raise wrong(f"--set {option}: found an empty value, expected VALUE,VALUE,...", "E-set")
    return key, [parse_value(part) for part in parts]


def read_points(path: Union[str, "os.PathLike[str]"]) -> list[Point]:
    """Reads points from a CSV: a column for each key, a line for each run."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            lines = [line for line in csv.reader(file) if any(cell.strip() for cell in line)]
    except (OSError, UnicodeDecodeError) as error:
        raise wrong(f"--points: cannot read {os.fspath(path)}: {error}", "E-file-read") from None
    if len(lines) < 2:
        raise wrong(f"{os.fspath(path)}: expected a line of keys and a line for each run, found {len(lines)} lines",
                    "E-file-format")  # yapf: disable
    keys = [cell.strip() for cell in lines[0]]
    if "" in keys or len(set(keys)) != len(keys):
        raise wrong(f"{os.fspath(path)}: expected a different key in each column, found {', '.join(keys)}", "E-file-format")
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(keys) or not all(cell.strip() for cell in line):
            raise wrong(f"{os.fspath(path)}:{number}: expected {len(keys)} values, one for each key", "E-file-format")
    return [{key: parse_value(cell.strip()) for key, cell in zip(keys, line)} for line in lines[1:]]


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy as those of Python."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise wrong(f"sweep: found the value {value!r}, expected finite numbers, text, true or false, or lists and dicts of them")


def _listed(values: Any) -> list[Any]:
    plain = _plain(values)
    return plain if isinstance(plain, list) else [plain]


def factors_of(values: Values) -> list[list[Point]]:
    """Returns a list of points for each key of a dict. A list of points is one factor."""
    if isinstance(values, Mapping):
        return [[{str(key): value} for value in _listed(given)] for key, given in values.items()]
    if not isinstance(values, Sequence) or not all(isinstance(point, Mapping) for point in values):
        raise wrong("sweep: expected a dict of keys and their values, or a list of such dicts, one for each run")
    return [[{str(key): _plain(value) for key, value in point.items()} for point in values]]


def _joined(parts: Iterable[Point]) -> Point:
    point: Point = {}
    for part in parts:
        for key in part:
            if key in point:
                raise wrong(f"sweep: found the key {key} twice, expected it once")
        point.update(part)
    return point


def points_of(factors: Sequence[List[Point]], paired: bool) -> list[Point]:
    """Returns the product of the factors or, if paired, their first points, their second points and so on."""
    lengths = [len(factor) for factor in factors]
    if not factors or 0 in lengths:
        raise wrong("sweep: found no values, expected at least one key with at least one value")
    if paired:
        count = max(lengths)
        uneven = [length for length in lengths if length not in (1, count)]
        if uneven:
            raise wrong(f"sweep: found lists of {uneven[0]} and {count} values, expected the same length for --zip")
        return [_joined(factor[k if len(factor) > 1 else 0] for factor in factors) for k in range(count)]
    if math.prod(lengths) > _MOST_POINTS:
        raise wrong(f"sweep: found {math.prod(lengths)} runs, expected at most {_MOST_POINTS}")
    return [_joined(parts) for parts in itertools.product(*factors)]


def override(key: str, value: Any) -> str:
    """Returns the text of `sinew run --set` that sets a key."""
    return f"{key}={json.dumps(value)}"


def words_of(point: Point) -> str:
    """Returns a point for people: key=value, key=value."""

    def text(value: Any) -> str:
        if isinstance(value, str):
            return value
        return f"{value:.6g}" if isinstance(value, float) else json.dumps(value)

    return ", ".join(f"{key}={text(value)}" for key, value in point.items())
