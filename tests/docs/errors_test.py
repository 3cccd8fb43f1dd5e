"""The page of errors, docs/errors.md, against the program.

    errors_test.py PROGRAM            checks the page with the program sinew
    errors_test.py PROGRAM --update   writes what the page's commands print, then checks

- Sections and codes of the source are the same set: src/sinew/core/error_code.h, causes of unconverged steps, kinds of
  findings.
- A block ```console holds a command and the last line that it prints.
- A block ```text holds a message: the source must have a message with this code and these words.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "errors.md"
FOREIGN = {"E-system", "E-internal"}  # their messages are those of the system or of a library
LITERAL = r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*'


def sections(text):
    """Code -> text of its section."""
    parts = re.split(r"^### (.+)$", text, flags=re.MULTILINE)
    return {code.strip(): re.split(r"^## ", body, flags=re.MULTILINE)[0] for code, body in zip(parts[1::2], parts[2::2])}


def source_files():
    for folder in ("src", "tools", "python"):
        for suffix in ("*.cpp", "*.h"):
            yield from sorted((ROOT / folder).rglob(suffix))


def error_codes():
    """Name in the source -> code."""
    text = (ROOT / "src/sinew/core/error_code.h").read_text()
    return dict(re.findall(r'inline constexpr ErrorCode (\w+)\{"([\w-]+)"\};', text))


def cause_codes():
    text = (ROOT / "src/sinew/solver/diagnosis.cpp").read_text()
    names = re.findall(r'case Cause::\w+:\s*return "(\w+)";', text)
    return {"W-" + name.replace("_", "-") for name in names}


def finding_codes():
    patterns = (r'\bkind = "([a-z ]+)";', r'\badd\(\s*\{\s*"([a-z ]+)"', r'\badd\((?:findings, )?"([a-z ]+)"',
                r'\bnote = "([a-z ]+)"')
    kinds = set()
    for path in (ROOT / "src/sinew/lint").glob("*.cpp"):
        for pattern in patterns:
            kinds.update(re.findall(pattern, path.read_text()))
    return {"C-" + kind.replace(" ", "-") for kind in kinds}


def unquoted(literal):
    return "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', literal)).replace('\\"', '"').replace("\\n", "\n")


def message_patterns():
    """Code -> regular expressions of its messages, from the format strings in the source."""
    codes = error_codes()
    found = {code: [] for code in codes.values()}
    for path in source_files():
        text = path.read_text()
        calls = [(codes[name], text[at:]) for name, at in
                 ((m.group(1), m.end()) for m in re.finditer(r"\bcode::(\w+),\s*", text)) if name in codes]
        if path.parent.name == "formats":
            calls += [("E-file-format", text[m.end():]) for m in re.finditer(r"\bfail\(\s*(?:\w+, )?(?=\")", text)]
        for code, rest in calls:
            literal = re.match(r'[^";]*?(' + LITERAL + ")", rest)
            if literal:
                first_line = unquoted(literal.group(1)).split("\n")[0].strip()
                words = [re.escape(part) for part in re.split(r"\{[^{}]*\}", first_line.replace("{{", "(").replace("}}", ")"))]
                if len("".join(words)) > 12:
                    found[code].append(re.compile(".*".join(words)))
    return found


def printed(program, command):
    """The last line that a command of the page prints."""
    words = re.sub(r"^sinew ", f"'{program}' ", command)
    with tempfile.TemporaryDirectory() as home:
        run = subprocess.run(["bash", "-c", words], cwd=ROOT, text=True, capture_output=True, timeout=120,
                             env={"PATH": "/usr/bin:/bin", "HOME": home, "XDG_CACHE_HOME": home})
    lines = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith("error: ")] or lines
    return marked[-1] if marked else ""


def updated(text, program):
    return re.sub(r"(```console\n\$ ([^\n]+)\n)[^`]*(```)",
                  lambda m: f"{m.group(1)}{printed(program, m.group(2))}\n{m.group(3)}", text)


class Errors(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        cls.sections = sections(PAGE.read_text())

    def test_sections_are_the_codes_of_the_source(self):
        codes = set(error_codes().values()) | cause_codes() | finding_codes()
        self.assertEqual(set(self.sections), codes)

    def test_every_code_is_used(self):
        text = "\n".join(path.read_text() for path in source_files())
        for name in error_codes():
            with self.subTest(name):
                self.assertGreater(len(re.findall(rf"\bcode::{name}\b", text)), 0)

    def test_sections_are_short(self):
        for code, text in self.sections.items():
            with self.subTest(code):
                prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
                self.assertLessEqual(len(prose.split()), 60)
                if code.startswith("E-") and code not in FOREIGN:
                    self.assertIn("```", text, "expected an example")

    def test_commands_print_what_the_page_shows(self):
        for code, text in self.sections.items():
            for command, shown in re.findall(r"```console\n\$ ([^\n]+)\n([^`]*)```", text):
                with self.subTest(code):
                    self.assertEqual(printed(self.program, command), shown.strip())
                    self.assertTrue(shown.strip().endswith(f"[{code}]"), shown)

    def test_messages_are_those_of_the_source(self):
        patterns = message_patterns()
        for code, text in self.sections.items():
            for message in re.findall(r"```text\n([^\n]+)\n```", text):
                with self.subTest(code):
                    self.assertTrue(any(p.search(message) for p in patterns[code]), message)

    def test_explain_prints_the_section(self):
        for code in ("E-scene-key", "w-singular", "[C-thin-gap]"):
            with self.subTest(code):
                run = subprocess.run([self.program, "explain", code], text=True, capture_output=True)
                name = next(key for key in self.sections if key.lower() == code.strip("[]").lower())
                self.assertEqual(run.stdout, f"{name}\n\n{self.sections[name].strip()}\n")
        listed = subprocess.run([self.program, "explain"], text=True, capture_output=True).stdout
        self.assertEqual([line.split()[0] for line in listed.splitlines()], list(self.sections))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    Errors.program = str(pathlib.Path(arguments.program).resolve())
    if arguments.update:
        PAGE.write_text(updated(PAGE.read_text(), Errors.program))
    unittest.main(argv=[sys.argv[0]])
