"""The verdicts as text, Markdown and a page."""

import html

from verdicts import VERDICTS, number

MARKS = {"right": "right", "stated": "*stated*", "refused": "refused", "wrong": "**wrong**"}


def by_case(pairs):
    cases = {}
    for pair in pairs:
        cases.setdefault(pair.case.name, {})[pair.method] = pair
    return cases


def counts(pairs, methods):
    return {m: {v: sum(1 for p in pairs if p.method == m and p.verdict == v) for v in VERDICTS} for m in methods}


def text_table(pairs, methods):
    lines = []
    width = max([len(p.case.name) for p in pairs] + [10])
    heads = {m: max(len(m), 7) for m in methods}
    lines.append(" " * width + "  " + "  ".join(m.ljust(heads[m]) for m in methods))
    for name, row in by_case(pairs).items():
        cells = []
        for m in methods:
            verdict = row[m].verdict if m in row else "-"
            cells.append((verdict.upper() if verdict == "wrong" else verdict).ljust(heads[m]))
        lines.append(name.ljust(width) + "  " + "  ".join(cells))
    total = counts(pairs, methods)
    for v in VERDICTS:
        lines.append(v.ljust(width) + "  " + "  ".join(str(total[m][v]).ljust(heads[m]) for m in methods))
    return "\n".join(line.rstrip() for line in lines)


def markdown_table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |" for cells in lines)


def measured(measure, pair):
    value = pair.values.get(measure.name)
    if pair.verdict == "refused":
        return "refused"
    if value is None:
        return "none"
    text = number(value)
    inside = measure.right is not None and (measure.within(value, pair.method) or pair.answer["spoken"].get(measure.name))
    return text if inside else f"*{text}*" if pair.verdict == "stated" else f"**{text}**"


def right_text(measure):
    sign = {"equal": "", "at_most": "≤ ", "at_least": "≥ "}[measure.sense]
    return sign + number(measure.right) if measure.right is not None else "none"


def tolerance_text(measure):
    if measure.relative and abs(measure.relative * (measure.right or 0)) >= measure.absolute:
        return f"± {100 * measure.relative:g} %"
    return f"± {number(measure.absolute, 3)} {measure.unit}".rstrip()


def markdown(pairs, methods):
    """All of docs/validation.md below its introduction."""
    parts = ["## Verdicts", ""]
    rows = []
    for name, row in by_case(pairs).items():
        rows.append([f"[{name}](#{name})", *(MARKS[row[m].verdict] if m in row else "" for m in methods)])
    total = counts(pairs, methods)
    rows += [[f"*{v}*", *(total[m][v] for m in methods)] for v in VERDICTS]
    parts += [markdown_table(["case", *(f"`{m}`" for m in methods)], rows), "", "## Cases", ""]
    for name, row in by_case(pairs).items():
        case = next(iter(row.values())).case
        parts += [f"### {name}", "", f"{case.title}. {case.about}".strip(), ""]
        used = [m for m in methods if m in row]
        rows = []
        for m in case.measures:
            unit = f" [{m.unit}]" if m.unit else ""
            rows.append([m.name + unit, right_text(m), tolerance_text(m), *(measured(m, row[k]) for k in used)])
        parts += [markdown_table(["measured", "right", "tolerance", *(f"`{k}`" for k in used)], rows), ""]
        for m in case.measures:
            line = f"- {m.name}: {m.origin}"
            if m.formula:
                line += f", `{m.formula}`"
            if m.beside:
                line += f"; beside it {number(m.beside[0])} ({m.beside[1]})"
            parts.append(line + f". Tolerance: {m.because}.")
        for method, note in case.notes.items():
            parts.append(f"- `{method}`: {note}")
        for k in used:
            pair = row[k]
            if pair.verdict in ("refused", "wrong", "stated"):
                parts.append(f"- `{k}` {MARKS[pair.verdict]}: {shortened(pair.why)}")
        parts.append("")
    return "\n".join(parts)


def shortened(text, limit=300):
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit - 1] + "…"


STYLE = """body{font:14px sans-serif;margin:2em;max-width:1400px} table{border-collapse:collapse;margin:1em 0}
td,th{padding:3px 8px;border:1px solid #ccc;text-align:left} .right{background:#cfe8cf} .stated{background:#f6ecc0}
.refused{background:#dde4f0} .wrong{background:#f0b9b0;font-weight:bold}"""


def page(pairs, methods, title="Validation"):
    """A page that stands alone."""
    esc = html.escape
    out = [f"<!doctype html><meta charset=utf-8><title>{esc(title)}</title><style>{STYLE}</style><h1>{esc(title)}</h1>"]
    total = counts(pairs, methods)
    out.append("<table><tr><th>case</th>" + "".join(f"<th>{esc(m)}</th>" for m in methods) + "</tr>")
    for name, row in by_case(pairs).items():
        cells = []
        for m in methods:
            pair = row.get(m)
            cells.append(f'<td class="{pair.verdict}" title="{esc(shortened(pair.why, 1000))}">{pair.verdict}</td>' if pair
                         else "<td></td>")
        out.append(f'<tr><td><a href="#{esc(name)}">{esc(name)}</a></td>{"".join(cells)}</tr>')
    for v in VERDICTS:
        out.append(f"<tr><th>{v}</th>" + "".join(f"<td>{total[m][v]}</td>" for m in methods) + "</tr>")
    out.append("</table>")
    for name, row in by_case(pairs).items():
        case = next(iter(row.values())).case
        out.append(f'<h2 id="{esc(name)}">{esc(name)}</h2><p>{esc(case.title)}. {esc(case.about)}</p>')
        used = [m for m in methods if m in row]
        out.append("<table><tr><th>measured</th><th>right</th><th>tolerance</th>" + "".join(f"<th>{esc(m)}</th>" for m in used)
                   + "</tr>")
        for m in case.measures:
            cells = "".join(f'<td class="{row[k].verdict}">{esc(measured(m, row[k]).strip("*"))}</td>' for k in used)
            out.append(f"<tr><td>{esc(m.name)} {esc(m.unit)}</td><td>{esc(right_text(m))}</td><td>{esc(tolerance_text(m))}</td>"
                       f"{cells}</tr>")
        out.append("</table><ul>")
        for m in case.measures:
            out.append(f"<li>{esc(m.name)}: {esc(m.origin)} {esc(m.formula or '')}. Tolerance: {esc(m.because)}.</li>")
        for k in used:
            if row[k].why:
                out.append(f"<li><b>{esc(k)}</b> {row[k].verdict}: {esc(shortened(row[k].why, 1000))}</li>")
        out.append("</ul>")
    return "\n".join(out)
