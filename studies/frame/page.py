"""The page of a paper: a table of all figures and tables, then plots and numbers of those that were measured."""

import importlib

from .numbers import table
from .paper import VERDICTS, Verdict
from .results import read_kept


def cell(text):
    """Text of a table; each part after a semicolon stands on a line of its own."""
    return text.replace("|", "\\|").replace("\n", " ").replace("; ", "<br>")


def anchor(text):
    return "".join(c for c in text.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def command(paper, item, result):
    size = result["size"]
    return f"scripts/study {paper.key} {item.key}" + ("" if size == "small" else f" --size {size}")


def row(paper, item):
    if item.verdict:
        verdict, run, name = item.verdict, "-", item.name
    else:
        result = read_kept(paper, item.key)
        if result is None:
            return [item.name, "-", cell(item.theirs), "-", "not done because it has not been run yet"]
        verdict, run = judged(paper, item, result), f"`{command(paper, item, result)}`"
        name = f"[{item.name}](#{anchor(heading(paper, item))})"
    word = f"**{verdict.word}**" + (f" because {verdict.because}" if verdict.because else "")
    return [name, run, cell(item.theirs), cell(verdict.ours) or "-", cell(word)]


def judged(paper, item, result):
    """The verdict on a kept result. A result of an older module may lack what the verdict reads."""
    try:
        return paper.module(item).verdict(result["numbers"])
    except (KeyError, IndexError, TypeError):
        return Verdict("not done", "", "its result is of an older version of the study")


def heading(paper, item):
    """One section for all items of a module."""
    names = [other.name for other in paper.items if other.verdict is None and other.key == item.key]
    return ", ".join(names)


def threads(result):
    return "1 thread" if result["threads"] == 1 else f"{result['threads']} threads"


def section(paper, item):
    result = read_kept(paper, item.key)
    if result is None:
        return []
    module = paper.module(item)
    lines = [f"## {heading(paper, item)}", ""]
    text = (module.__doc__ or "").strip()
    if text:
        lines += [text, ""]
    source = f"[its result](../../studies/{paper.key}/results/{item.key}.json)"
    lines += [f"Size {result['size']}, {threads(result)}. The {len(result['commands'])} calls of sinew stand in "
              f"{source}."
              if result["commands"] else f"Size {result['size']}, {threads(result)}; {source}.", ""]
    for name in result["pictures"]:
        lines += [f"![{heading(paper, item)}](images/{paper.key}_{name})", ""]
    if hasattr(module, "tables"):
        for part in module.tables(result["numbers"]):
            lines += [f"**{part.title}**" + (f" {part.note}" if part.note else ""), "",
                      table(part.heads, [[cell(str(value)) for value in values] for values in part.rows]), ""]
    return lines


def counts(paper):
    """How many items have which verdict."""
    total = {}
    for item in paper.items:
        if item.verdict:
            word = item.verdict.word
        else:
            result = read_kept(paper, item.key)
            word = judged(paper, item, result).word if result else "not done"
        total[word] = total.get(word, 0) + 1
    return total


def page(paper):
    total = counts(paper)
    summary = ", ".join(f"{total[word]} {word}" for word in VERDICTS if word in total)
    lines = [f"# {paper.title}", "", f"{paper.cite} Short name: **{paper.short}**.", "", paper.about.strip(), "",
             f"Verdicts: {summary}. The [studies](../studies.md) page explains the words.", "",
             table(["figure or table", "command", "theirs", "ours", "verdict"], [row(paper, item) for item in paper.items]), ""]
    for item in paper.measured():
        lines += section(paper, item)
    return "\n".join(lines).rstrip() + "\n"


def pages(paper):
    """Names and texts of the pages of a paper."""
    texts = {paper.key: page(paper)}
    for name in paper.more:
        texts[name] = importlib.import_module(f"studies.{paper.key}.{name}").page()
    return texts
