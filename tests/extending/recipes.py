"""Makes files of the blocks of docs/extending.md, so that the test `extending` compiles and runs what the page says.

recipes.py OUT writes them; recipes.py alone lists them. A block "cpp PATH" is a new file, OUT/new/PATH; blocks "diff PATH"
change a copy of a file of the repository, OUT/changed/PATH. A block "diff PATH again" changes that copy further, into
OUT/again/PATH: what comes with a later step of a recipe, which the tests of the page are not linked with.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "extending.md"


def where(path):
    """A path of the page below the folder that includes start from: src for sources, the root for tests."""
    return path if path.startswith("tests/") else f"sinew/{path}"


def changed(text, change, path):
    """`text` after hunks, parted by lines "@@", of lines that stay (" "), go ("-") or come ("+")."""
    lines = text.splitlines()
    for hunk in re.split(r"^@@\n", change, flags=re.MULTILINE):
        rows = [(row[:1], row[1:]) for row in hunk.splitlines()]
        old = [line for mark, line in rows if mark != "+"]
        new = [line for mark, line in rows if mark != "-"]
        places = [k for k in range(len(lines)) if lines[k:k + len(old)] == old]
        if len(places) != 1:
            found = "not" if not places else f"{len(places)} times"
            sys.exit(f"docs/extending.md: expected these lines once in {path}, where they are {found}:\n" + "\n".join(old))
        lines[places[0]:places[0] + len(old)] = new
    return "\n".join(lines) + "\n"


def blocks():
    """(language, path, text) of the page's blocks of C++ and of changes."""
    found = re.findall(r"^```(cpp|diff)(.*)\n((?:(?!```).*\n)*)```$", PAGE.read_text(), re.MULTILINE)
    return [(language, path.strip(), text) for language, path, text in found]


def output(language, path):
    """Where a block goes, below OUT."""
    if language == "cpp":
        return "new/" + where(path)
    return "again/" + where(path.removesuffix(" again")) if path.endswith(" again") else "changed/" + where(path)


def names():
    """Paths below OUT, in the page's order."""
    return list(dict.fromkeys(output(language, path) for language, path, _ in blocks()))


def files():
    """Text by path below OUT."""
    made = {}
    for language, path, text in blocks():
        if not path:
            sys.exit(f"docs/extending.md: expected the name of a file behind ```{language}, above:\n{text}")
        name = output(language, path)
        if language == "cpp":
            made[name] = text
            continue
        path = path.removesuffix(" again")
        source = ROOT / path if path.startswith("tests/") else ROOT / "src" / "sinew" / path
        before = made.get(name, made.get(f"changed/{where(path)}"))
        made[name] = changed(before if before is not None else source.read_text(), text, path)
    return made


def main():
    if len(sys.argv) < 2:
        print("\n".join(names()))
        return
    for name, text in files().items():
        path = pathlib.Path(sys.argv[1]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()
