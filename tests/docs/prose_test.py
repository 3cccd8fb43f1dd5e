"""Prose that is read once: README, docs, schema texts, docstrings and the first comments of headers, sentence by sentence.

    prose_test.py                 all that is checked; exit code 1 if anything is found
    prose_test.py FILE...         these files: Markdown, JSON schema, Python, C++ or JavaScript (strings that users see)
    prose_test.py --words         words of prose in each Markdown file (tables and text, no code, no links' targets)

A sentence is found if it
- has more than 30 words,
- begins with a word that sends the reader back ("Of ...", "That of ...", "The same", "Those", "What ..." that is no question),
- contains a term that nobody outside this project uses (TERMS),
- has three passive verbs or more, or two semicolons or more.
Exceptions are named in prose_exceptions.txt, each by the sentence's first words and a reason.
"""

import argparse
import ast
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_WORDS = 30
MOST_PASSIVES = 2
MOST_SEMICOLONS = 1

BEGINNINGS = re.compile(r"(Of|That of|Those of|The same|That|Those|This is|Whoever|Who|What|Where|Whose)\b(?!.*\?$)")

# Word -> what to write.
TERMS = {
    r"what is left\b": "the remaining ...",
    r"what (?:it|they|there) (?:is|are|was|were)\b": "name the thing",
    r"\b(?:is|are) taken for\b": "counts as",
    r"\bin the eyes of\b": "for",
    r"\bgoes? its own way\b": "evolves independently",
    r"\bhangs? together\b": "is connected",
    r"\bby itself alone\b": "alone",
    r"\bown place\b": "target position",
    r"\bheld vert(?:ex|ices)\b": "prescribed vertices",
    r"\bdriven (?:vert(?:ex|ices)|bod(?:y|ies))\b": "prescribed",
    r"\bseams?\b": "interface",
    r"\bmisfit\b": "model error",
    r"\bexact trials?\b": "Hessian policy",
    r"\bdowndates?\b": "drop rate",
    r"\bas of\b": "like, since",
    r"\bbeyond its needs\b": "needlessly",
    r"\b(?:is|are) worth (?:going|it)\b": "pays off",
    r"\ba room of\b": "a part of",
    r"\bthe house\b": "the architecture",
    r"\bin (?:full|print)\b(?= the)": "completely",
    r"\bsays? how (?:far|near)\b": "gives the distance",
    r"\bthat is all\b": "",
    r"\bis there(?: for)?\b(?=[.,;]|$)": "exists",
    r"\bby the way\b": "",
    r"\bwhat (?:takes|costs|counts|acts|moves|holds|stops|follows) \w+": "name the thing",
    r"\ball that\b": "everything",
    r"\b(?:comes?|came) (?:of|out of)\b": "results from",
    r"\bgo(?:es|ing)? on from\b": "continue from",
    r"\bof (?:which|whom) (?:there|it|they)\b": "",
    r"\bnone does\b": "no ...",
    r"\band no others?\b": "only",
    r"\bbut for\b": "except for",
    r"\ba number of its own\b": "its own number",
    r"\b(?:stands?|stood) for itself\b": "",
}
TERMS = {re.compile(pattern, re.IGNORECASE): instead for pattern, instead in TERMS.items()}

PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:not\s+|also\s+|only\s+|\w+ly\s+)?"
    r"(?:\w{2,}ed|made|known|given|taken|written|read|held|kept|found|built|drawn|sent|set|put|told|seen|shown|cut|lost|left"
    r"|chosen|driven|done|begun|meant|bound|hit|run)\b", re.IGNORECASE)
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|cf|vs|Fig|Figs|Eq|Eqs|Sec|Sect|No|approx|al|etc|resp|incl|max|min)\.(?=\s)")


def words(sentence):
    return [word for word in sentence.split() if re.search(r"[A-Za-z0-9]", word)]


def sentences(text):
    text = ABBREVIATIONS.sub(lambda m: m.group(1), " ".join(text.split()))
    return [part.strip() for part in re.split(r"(?<=[.!?])[)*\"'\]]*\s+(?=[\"'(*\[A-Z0-9`]|\w+(?:\[\w+\])?: )", text) if part.strip()]


def plain(text):
    """Markdown without code, formulas, link targets and emphasis: each code span or formula counts as one word."""
    text = re.sub(r"<!--.*?-->", " ", text, flags=re.DOTALL)
    text = re.sub(r"``.*?``|`[^`]*`", "X", text)
    text = re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$", "X", text, flags=re.DOTALL)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\{[a-z:-]+\}X", "X", text)
    text = re.sub(r"<[^>]+>", " ", text)
    return re.sub(r"[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}", "", text)


def markdown_units(text):
    """(line, text) of paragraphs, list items, table cells and headings, code blocks left out."""
    found = []
    block, start, fence = [], 0, None

    def close():
        if block:
            found.append((start, " ".join(block)))
            block.clear()

    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        mark = re.match(r"(```+|~~~+|:::+|\$\$)", stripped)
        if fence:
            if stripped.startswith(fence):
                fence = None
            continue
        if mark:
            close()
            if not (mark.group(1) == "$$" and stripped.count("$$") == 2) and not mark.group(1).startswith(":::"):
                fence = mark.group(1)
            continue
        if not stripped or re.fullmatch(r"\(.*\)=", stripped):
            close()
        elif stripped.startswith("|"):
            close()
            if not re.fullmatch(r"[|:\- ]+", stripped):
                found += [(number, cell) for cell in re.split(r"(?<!\\)\|", stripped) if cell.strip()]
        elif re.match(r"(#+|[-*+]|\d+\.)\s", stripped):
            close()
            start = number
            block.append(re.sub(r"^(#+|[-*+]|\d+\.)\s+", "", stripped))
            if stripped.startswith("#"):
                close()
        elif not block:
            start = number
            block.append(stripped)
        else:
            block.append(stripped)
    close()
    return [(line, plain(unit)) for line, unit in found]


def schema_units(text):
    """Titles and descriptions of a JSON schema."""
    def walk(value):
        if isinstance(value, dict):
            for key, item in value.items():
                if key in ("description", "title") and isinstance(item, str):
                    yield item
                yield from walk(item)
        elif isinstance(value, list):
            for item in value:
                yield from walk(item)

    lines = text.splitlines()
    for item in walk(json.loads(text)):
        line = next((i for i, line in enumerate(lines, 1) if json.dumps(item)[1:-1] in line), 0)
        yield line, plain(item)


def python_units(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            docstring = ast.get_docstring(node)
            if docstring:
                body = re.sub(r"\n((?:    .*\n?|\n)+)", lambda m: m.group(0) if ":" not in m.group(0) else "\n\n", docstring)
                for part in re.split(r"\n\s*\n|\n(?=- )", body):
                    if not part.startswith("    "):
                        yield node.body[0].lineno, plain(part)


def header_units(text):
    """Comment blocks of a C++ header. An indented line is a formula or code, which counts as one word, but in a list."""
    block, start, in_list = [], 0, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        comment = re.match(r"\s*//+ ?(.*)", line)
        if comment and re.match(r" {8,}|  +\S.*\S {2,}\S", comment.group(1)):
            block.append("")  # a table
        elif comment and not re.match(r"(NOLINT|clang-format|namespace)", comment.group(1)):
            start = start if block else number
            body = re.sub(r"^-{4}.*", "", comment.group(1))  # a heading
            if re.match(r"\s*(\d+\.|-)\s", body):
                in_list = True
                block.append("")
            elif not body.startswith(" "):
                in_list = False
            formula = body.startswith("  ") and body.strip() and not in_list
            block.append("X" + body[-1] * (body[-1] in ".,") if formula else body)
        elif block:
            for part in re.split(r"\n\s*\n", "\n".join(block)):
                yield start, plain(part)
            block, in_list = [], False


LITERALS = {
    ".cpp": re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|#include[^\n]*|"((?:[^"\\\n]|\\.)*)"', re.DOTALL),
    ".js": re.compile(r"//[^\n]*|/\*.*?\*/|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`", re.DOTALL),
}
CODE = re.compile(r"#ifdef|;;|\$\(|uniform |varying |vFieldValue|[{;]\s*$|</|^ply|gl_|=> ")  # GLSL, HTML and headers of files, which are no prose


def literal_units(text, suffix):
    """The strings of a source that a user may see: messages, help, labels. Strings that follow each other are one."""
    found, end = [], -1
    for match in LITERALS[suffix].finditer(text):
        literal = next((group for group in match.groups() if group is not None), None) if match.lastindex else None
        if literal is None or match.group(0).startswith("R\""):
            continue
        if found and not text[end:match.start()].strip(" \n+"):
            found[-1][1] += literal
        else:
            found.append([text.count("\n", 0, match.start()) + 1, literal])
        end = match.end()
    for line, literal in found:
        if len(words(literal)) > 2 and not CODE.search(literal):
            for part in re.sub(r"\\([\"'])", r"\1", literal).split("\\n"):
                yield line, re.sub(r"\$?\{[^{}]*\}", "_", part)


UNITS = {".cpp": lambda text: literal_units(text, ".cpp"), ".js": lambda text: literal_units(text, ".js"), ".md": markdown_units, ".json": schema_units, ".py": python_units, ".pyi": python_units, ".h": header_units}


def checked_files():
    yield ROOT / "README.md"
    for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"):
        if (ROOT / name).exists():
            yield ROOT / name
    yield from sorted((ROOT / "docs").rglob("*.md"))
    yield ROOT / "docs" / "scene.schema.json"
    yield from sorted((ROOT / "python").rglob("*.pyi"))
    yield from sorted((ROOT / "src" / "sinew").rglob("*.h"))
    for folder in ("src", "tools", "python"):
        # The texts of the schema are those of docs/scene.schema.json.
        yield from (path for path in sorted((ROOT / folder).rglob("*.cpp"))
                    if path.name not in ("schema_text.cpp", "schema.cpp", "live_scalars.cpp"))
    yield from sorted((ROOT / "web" / "src").glob("*.js"))


def faults(sentence):
    count = len(words(sentence))
    if count > MOST_WORDS:
        yield f"{count} words, at most {MOST_WORDS}"
    beginning = BEGINNINGS.match(sentence)
    if beginning and count > 3:
        yield f'begins with "{beginning.group(1)}"'
    for term, instead in TERMS.items():
        match = term.search(sentence)
        if match:
            yield f'"{match.group(0)}"' + (f' (write: {instead})' if instead else "")
    if len(PASSIVE.findall(sentence)) > MOST_PASSIVES:
        yield f"{len(PASSIVE.findall(sentence))} passive verbs, at most {MOST_PASSIVES}"
    if sentence.count(";") > MOST_SEMICOLONS:
        yield f"{sentence.count(';')} semicolons, at most {MOST_SEMICOLONS}"


def read_exceptions():
    file = pathlib.Path(__file__).with_name("prose_exceptions.txt")
    lines = file.read_text().splitlines() if file.exists() else []
    return [line.split(" | ")[0].strip() for line in lines if line.strip() and not line.startswith("#")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--words", action="store_true", help="count words instead")
    parser.add_argument("--brief", action="store_true", help="one line a file: how many sentences are found, of how many")
    arguments = parser.parse_args()
    files = [path.resolve() for path in arguments.files] or list(checked_files())
    if arguments.words:
        total = 0
        for path in files:
            if path.suffix == ".md":
                count = sum(len(words(unit)) for _, unit in markdown_units(path.read_text()))
                total += count
                print(f"{count:7} {path.relative_to(ROOT)}")
        print(f"{total:7} in all")
        return 0
    exceptions = read_exceptions()
    found = read = 0
    for path in files:
        here = of_file = 0
        for line, unit in UNITS[path.suffix](path.read_text()):
            for sentence in sentences(unit):
                of_file += 1
                if any(sentence.startswith(exception) for exception in exceptions):
                    continue
                reasons = list(faults(sentence))
                if reasons:
                    here += 1
                    if not arguments.brief:
                        print(f"{path.relative_to(ROOT)}:{line}: {'; '.join(reasons)}\n    {sentence}")
        if arguments.brief and here:
            print(f"{here:5} of {of_file:5} {path.relative_to(ROOT)}")
        found += here
        read += of_file
    print(f"{found} of {read} sentences are to be rewritten (the rules: {pathlib.Path(__file__).name}, --help)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
