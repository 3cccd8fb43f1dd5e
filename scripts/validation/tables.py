"""The verdicts as text, Markdown and a page."""

import html
import re

from verdicts import VERDICTS, number

# The columns of the tables of cases, each with the methods that share it.
COLUMNS = {"full space": ("newton", "newton-pcg", "newton-multilevel", "multilevel", "adaptive", "auto"),
           "`quasi_newton`": ("quasi_newton",), "subspace": ("mixed", "reduced")}
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


def span(measure, pairs):
    """The values of methods that share a column: the first one's, or the smallest and the largest if they differ."""
    texts = [measured(measure, pair) for pair in pairs]
    values = [pair.values.get(measure.name) for pair in pairs]
    alike = None not in (measure.right, *values) and max(values) - min(values) <= measure.allowed() / 10
    if alike and len({text.count("*") for text in texts}) == 1:
        return texts[0]
    ends = [text for _, text in sorted(zip((value or 0 for value in values), texts))]
    return ends[0] if ends[0] == ends[-1] else (", " if None in values else " to ").join((ends[0], ends[-1]))


def reason_text(pair):
    """Why a pair is not right, without files, keys, names of methods and remedies."""
    text = re.sub(r"^(?:error: )?(?:scene[\w.]*: )?(?:solver\.method: \"\w+\" )?", "", shortened(pair.reason))
    text = text.replace("ended: error: ", "ended: ").replace("error estimate", "estimate")
    text = re.sub(r"^(\d+) of \1 steps budget$", "budget", text)
    text = re.sub(r"(\d+ of \d+ steps) (budget|failed)", r"\2 in \1", text)
    if pair.verdict == "refused":
        return re.split(r"[,;:] ", text)[0]
    return re.split(r"; |: fix |: the residual|: the line search|: prescribed", text)[0]


def verdict_lines(row, known):
    """One line for each verdict but "right": its methods, and why."""
    lines = []
    for verdict in VERDICTS[1:]:
        reasons = {}
        for method, pair in row.items():
            if pair.verdict == verdict:
                reason = known.get(pair.name, "") if verdict == "wrong" else ""
                reasons.setdefault(reason or reason_text(pair), []).append(method)
        if reasons:
            texts = [names(found, row) + (f" ({reason})" if reason else "") for reason, found in reasons.items()]
            lines.append(f"- {MARKS[verdict]}: {', '.join(texts)}.")
    return lines


def names(methods, row):
    """The methods, those of a whole column by its head."""
    texts = []
    for head, shared in COLUMNS.items():
        found = [m for m in shared if m in methods]
        texts += [head] if found and found == [m for m in shared if m in row] else [f"`{m}`" for m in found]
    return ", ".join(texts)


def verdict_table(pairs, methods):
    """How often each method is right or stated, and in which cases it is refused or wrong; many are only counted."""
    most_named = 25
    rows = {}
    for m in methods:
        cells = [str(counts(pairs, [m])[m]["right"])]
        for verdict in VERDICTS[1:]:
            found = [pair.case.name for pair in pairs if pair.method == m and pair.verdict == verdict]
            counted = verdict == "stated" or len(found) > most_named
            cells.append(str(len(found) or "-") if counted else
                         ", ".join(f"[{name}](#{name})" for name in found) or "-")
        rows.setdefault(tuple(cells), []).append(f"`{m}`")
    return markdown_table(["method", *VERDICTS], [[", ".join(same), *cells] for cells, same in rows.items()])


def markdown(pairs, methods, known):
    """All of docs/validation.md below its introduction; `known`: causes of wrong verdicts by the names of their pairs."""
    parts = ["## Verdicts", "", verdict_table(pairs, methods), "", "## Cases", ""]
    for name, row in by_case(pairs).items():
        case = next(iter(row.values())).case
        parts += [f"### {name}", "", f"{case.title}. {case.about}".strip(), ""]
        columns = {}  # a group of which only some methods ran is headed by their names
        for group, methods_of_group in COLUMNS.items():
            ran = [m for m in methods_of_group if m in row]
            if ran:
                head = group if len(ran) == len(methods_of_group) else ", ".join(f"`{m}`" for m in ran)
                columns[head] = [row[m] for m in ran]
        rows = []
        for m in case.measures:
            unit = f" [{m.unit}]" if m.unit else ""
            rows.append([m.name + unit, f"{right_text(m)} {tolerance_text(m)}", *(span(m, shared) for shared in columns.values())])
        parts += [markdown_table(["", "right", *columns], rows), ""]
        for m in case.measures:
            line = m.origin
            if m.formula:
                line += f", `{m.formula}`"
            if m.beside:
                line += f"; {m.beside[1]}: {number(m.beside[0])}"
            label = f"{m.name}: " if len(case.measures) > 1 else ""
            parts.append(f"- {capital(label + line)}. Tolerance: {m.because}.")
        for method, note in case.notes.items():
            parts.append(f"- `{method}`: {note}")
        parts += [*verdict_lines(row, known), ""]
    return "\n".join(parts)


def capital(text):
    """With a capital first letter, unless a formula begins it."""
    return text[0].upper() + text[1:] if text[1].isalpha() else text


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
