"""The table of a sweep: a row for each run."""

from __future__ import annotations

import csv
import importlib
import io
import json
import pathlib
import re
from typing import Any

from .files import read_json, write_atomically
from .plan import DONE, Plan

Row = dict[str, Any]
WAITING = "waiting"
_SUMMARY = {"steps": "", "steps_failed": "", "newton_iterations": "", "time": "s", "seconds": "s", "min_distance": "m",
            "min_jacobian": ""}  # yapf: disable
_TEXTS = ("outcome", "error")


class Table:
    """Rows in the order of the points. `units` has those of columns that have one."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.units: dict[str, str] = {key: unit for key, unit in _SUMMARY.items() if unit}
        self.rows = [self._row(number) for number in range(len(plan.points))]

    def update(self, number: int) -> Row:
        self.rows[number] = self._row(number)
        return self.rows[number]

    @property
    def columns(self) -> list[str]:
        named = ["run", *self._plan.keys, "outcome"]
        found = dict.fromkeys(key for row in self.rows for key in row)
        return [*named, *(key for key in found if key not in (*named, "error")), "error"]

    def _row(self, number: int) -> Row:
        ending = self._plan.ending(number)
        row: Row = {"run": number, **self._plan.points[number], "outcome": WAITING}
        if ending is not None:
            row["outcome"] = ending["outcome"]
            row.update(_numbers(self._plan.run_folder(number), self.units))
            if ending["outcome"] != DONE:
                row["error"] = ending["error"]
        return row

    def write(self) -> None:
        """Writes sweep.csv, and sweep.parquet where pyarrow is installed."""
        write_atomically(self._plan.folder / "sweep.csv", self.csv().encode())
        try:
            arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
        except ImportError:
            return
        sink = io.BytesIO()
        columns = {self.header(column): _uniform([row.get(column) for row in self.rows]) for column in self.columns}
        parquet.write_table(arrow.table(columns), sink)
        write_atomically(self._plan.folder / "sweep.parquet", sink.getvalue())

    def header(self, column: str) -> str:
        return f"{column} [{self.units[column]}]" if column in self.units else column

    def csv(self) -> str:
        text, columns = io.StringIO(), self.columns
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([self.header(column) for column in columns])
        writer.writerows([_cell(row.get(column)) for column in columns] for row in self.rows)
        return text.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _uniform(values: list[Any]) -> list[Any]:
    """Values of one type, as Parquet has them: numbers, else text."""
    numbers = all(value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)) for value in values)
    whole = numbers and all(value is None or isinstance(value, int) for value in values)
    if numbers:
        return [value if value is None or whole else float(value) for value in values]
    return [None if value is None else _cell(value) for value in values]


def _numbers(run: pathlib.Path, units: dict[str, str]) -> Row:
    """The numbers of a run from its summary and the last line of its sensors. Adds the units of sensors."""
    summary = read_json(run / "summary.json")
    if not isinstance(summary, dict):
        return {}
    row: Row = {key: summary.get(key) for key in _SUMMARY if key != "seconds"}
    row["seconds"] = summary.get("seconds", {}).get("total")
    for kind, value in summary.get("energies", {}).items():
        row[f"energies.{kind}"] = value
        units[f"energies.{kind}"] = "J"
    for header, text in _last_sensors(run):
        name, unit = _name_and_unit(header)
        if unit:
            units[name] = unit
        row[name] = _number(text)
    return row


def _last_sensors(run: pathlib.Path) -> list[tuple[str, str]]:
    try:
        with open(run / "sensors.csv", newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))
    except OSError:
        return []
    return list(zip(lines[0], lines[-1]))[2:] if len(lines) > 1 else []  # after step and time


def _name_and_unit(header: str) -> tuple[str, str]:
    found = re.fullmatch(r"(.*) \[(.*)\]", header)
    return (found[1], found[2]) if found else (header, "")


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text or None
