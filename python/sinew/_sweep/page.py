"""sweep.html: a page that compares the runs of a sweep, in one file without others."""

from __future__ import annotations

import html
import json
import pathlib
from typing import Any

from .files import write_atomically
from .plan import Plan
from .table import Table

_TEMPLATE = pathlib.Path(__file__).with_name("page.html")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def page(plan: Plan, table: Table) -> str:
    columns = table.columns
    numbers = [column for column in columns if column not in ("run", *plan.keys) and any(
        _is_number(row.get(column)) for row in table.rows)]  # yapf: disable
    pages = [plan.run_folder(number).relative_to(plan.folder).as_posix() + "/report.html"
             if (plan.run_folder(number) / "report.html").exists() else "" for number in range(len(plan.points))]
    data = {"columns": columns, "headers": [table.header(column) for column in columns], "swept": plan.swept,
            "numbers": numbers, "pages": pages, "rows": [[row.get(column) for column in columns] for row in table.rows]}
    title = html.escape(f"{plan.scene.stem}: {len(plan.points)} runs")
    text = json.dumps(data).replace("<", "\\u003c")
    return _TEMPLATE.read_text(encoding="utf-8").replace("@TITLE@", title).replace("@DATA@", text)


def write_page(plan: Plan, table: Table) -> None:
    write_atomically(plan.folder / "sweep.html", page(plan, table).encode())
