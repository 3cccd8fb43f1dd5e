"""The pages of the documentation, for the tests: their fenced blocks, prose, links and anchors."""

import contextlib
import io
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LEFT_OUT = ("build", "out", "node_modules")


def pages():
    """All Markdown files of the repository."""
    found = [path for path in ROOT.rglob("*.md")
             if path.relative_to(ROOT).parts[0] not in LEFT_OUT and "node_modules" not in path.parts]
    return sorted(path for path in found if not any(part.startswith(".") and part != ".github" for part in path.relative_to(ROOT).parts))


def blocks(page):
    """(language, text, line) of the fenced blocks of a page; blocks of lists lose their indent."""
    found, language, start, indent = [], None, 0, ""
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = re.match(r"( *)```(.*)$", line)
        if language is None and fence:
            indent, language, start, text = fence[1], fence[2].strip(), number, []
        elif language is not None and fence and not fence[2]:
            found.append((language, "".join(text_line + "\n" for text_line in text), start))
            language = None
        elif language is not None:
            text.append(line.removeprefix(indent))
    return found


def prose(page):
    """The text of a page without fenced blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.M | re.S)


def anchors(page):
    """Anchors of the headings, as code hosts and the site make them; a repeated one gets -1, -2, ..."""
    found = set()
    for head in re.findall(r"^#+ (.*)$", prose(page), flags=re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", head)
        name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        copy, k = name, 0
        while copy in found:
            k += 1
            copy = f"{name}-{k}"
        found.add(copy)
    return found


def output_of(page, text, line, names):
    """What a Python block of a page prints, in the namespace `names`. Errors name the lines of the page."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile("\n" * line + text, str(page), "exec"), names)
    return out.getvalue()


def same_output(found, expected):
    """Words are equal, numbers to 0.5 % or to one in the last place that the page shows."""
    if NUMBER.sub("#", found).split() != NUMBER.sub("#", expected).split():
        return False
    for a, b in zip(NUMBER.findall(found), NUMBER.findall(expected)):
        digits = len(b.split(".")[1]) if "." in b and "e" not in b else 0
        if abs(float(a) - float(b)) > max(0.005 * abs(float(b)), 1.01 * 10**-digits if "." in b else 0):
            return False
    return True
