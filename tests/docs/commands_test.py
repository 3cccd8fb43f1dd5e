"""Commands and scenes in documents are ones that the programs take.

    commands_test.py SINEW [SINEW_MESH] [TEST...]

Options of every command of README, docs, studies and the usage of scripts exist; keys that --set and --methods name are
those of the scene format; every JSON fragment belongs to a scene. The commands of the start pages, recipes and methods
are run, in the order of the page, in a folder that looks like the root of a clone (test Pages, which needs the Python
module beside the programs). There a JSON block is the file that the text or the next command names.
"""

import contextlib
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import scene_keys
from pages import ROOT, blocks, output_of, pages, prose, same_output

SINEW, MESHER = None, None
PROGRAMS = {"sinew": lambda: SINEW, "sinew-mesh": lambda: MESHER}
RUN = ("docs/start", "docs/howto", "docs/methods")
SHELLS = ("", "sh", "bash", "console")
# Blocks of JSON that are no part of a scene, by their first key.
OTHER_JSON = ("type",)  # a message of the protocol of live simulations
EXTENDED = ("docs/extending.md",)  # names methods, materials and formats that the reader adds; tests/extending builds them
WRONG = ("docs/errors.md",)  # commands that fail, each with its error
WAITS = ("live", "view")  # until somebody stops them
USAGES = [path for folder in ("scripts", "tests/campaign", "tools") for path in sorted((ROOT / folder).rglob("*"))
          if path.is_file() and path.suffix in ("", ".py", ".md", ".txt")]
OPEN = re.compile(r"^[A-Z][A-Z0-9_]*$|\.\.\.|…|\$")  # NAME, VALUE, ..., $PWD: for the reader to fill in


def is_open(word):
    return any(OPEN.search(part) for part in re.split(r"[=:,/.\[\]{}]", word)) or "..." in word


def words_of(line):
    """The words of a command line, without its comment, prompt and variables before it."""
    words = shlex.split(line.removeprefix("$ "), comments=True)
    while words and re.match(r"[A-Z_]+=", words[0]):
        words.pop(0)
    return words


def program_of(words):
    """The name of one of our programs or scripts, else None."""
    if words and words[0] in ("python3", "/usr/bin/python3"):
        words = words[1:]
    if not words:
        return None, []
    first = words[0].removeprefix("./").removeprefix("build/release/bin/")
    if first in PROGRAMS or re.fullmatch(r"scripts/[\w.]+", first):
        return first, words[1:]
    return None, []


def joined(text):
    """Lines of a block; one that ends with a backslash continues."""
    return re.sub(r"\\\n\s*", " ", text).splitlines()


def inline_commands(page):
    for match in re.finditer(r"`((?:build/release/bin/)?sinew(?:-mesh)? [a-z][^`]*)`", prose(page)):
        line = prose(page)[:match.start()].count("\n") + 1
        yield " ".join(match[1].split()), line


def commands(page):
    """(words, line) of the commands of a page."""
    for language, text, line in blocks(page):
        if language in SHELLS:
            for command in joined(text):
                try:
                    words = words_of(command.strip())
                except ValueError:
                    continue  # output
                if program_of(words)[0]:
                    yield words, line
    for command, line in inline_commands(page):
        yield words_of(command), line


@functools.lru_cache(None)
def help_of(name, command=None):
    program = PROGRAMS[name]()
    return subprocess.run([program, *([command] if command else []), "--help"], capture_output=True, text=True, check=True).stdout


@functools.lru_cache(None)
def subcommands(name):
    return re.findall(r"^  ([a-z]+) ", help_of(name).split("ubcommands:")[-1], re.M)


@functools.lru_cache(None)
def options(name, command):
    return set(re.findall(r"(?<![\w-])(--?[a-z][\w-]*)", help_of(name, command).split("Options:")[-1]))


def option_faults(name, words):
    if name.startswith("scripts/"):
        script = ROOT / name
        if not script.exists():
            return [f"there is no {name}"]
        text = script.read_text()
        if text.startswith("#!/usr/bin/env bash") and '"$@"' in text:
            return []  # hands options on
        return [f"{name} has no {word}" for word in words if word.startswith("--") and word.split("=")[0] not in text]
    if PROGRAMS[name]() is None or not words or words[0].startswith("-") or is_open(words[0]):
        return []
    command = words[0]
    if command not in subcommands(name):
        return [f"{name} has no command {command}"]
    given = [word.strip("[]").split("=")[0] for word in words[1:]]  # [--ascii | --binary]: of a usage
    return [f"{name} {command} has no {word}" for word in given
            if re.match(r"--?[a-z]", word) and word not in options(name, command)]


def scene_of(words):
    """The scene that a command names; the smallest one where it is for the reader to name."""
    for word in words[1:]:
        if word.endswith(".json") and not word.startswith("-") and not is_open(word) and (ROOT / word).exists():
            return json.loads((ROOT / word).read_text())
        if re.fullmatch(r"scenes/(gallery/)?SCENE\.json", word):
            return json.loads((ROOT / "scenes/ball_drop.json").read_text())
    return None


@functools.lru_cache(None)
def override_faults(scene, key, text, open_value):
    return scene_keys.override_errors(json.loads(scene), key, text, open_value)


def method_faults(scene, text):
    faults = []
    for variant in text.split(","):
        method, *settings = variant.split(":")
        if not is_open(method):
            faults += override_faults(json.dumps(scene), "solver.method", method, False)
        for setting in settings:
            key, equals, value = setting.partition("=")
            if equals and not is_open(key):
                faults += override_faults(json.dumps(scene), f"solver.{key}", value, is_open(value))
    return faults


def setting_faults(name, words):
    if name != "sinew" or not words or words[0] not in ("run", "check", "compare", "live", "modes", "subspace", "sweep"):
        return []
    scene = scene_of(words)
    if scene is None:
        scene = scene_keys.SMALLEST
    faults = []
    for option, value in zip(words, words[1:]):
        if option == "--set":
            key, equals, text = value.partition("=")
            whole = [scene_keys.SCHEMA] if is_open(key) else []
            if not whole and scene is scene_keys.SMALLEST and key.split(".")[0] in ("materials", "bodies", "obstacles"):
                continue  # of a scene of the reader's
            if not whole:
                for one in re.split(r",(?![^\[]*\])", text) if words[0] == "sweep" else [text]:
                    faults += override_faults(json.dumps(scene), key, one, not equals or is_open(text))
        elif option == "--method" and not is_open(value):
            faults += override_faults(json.dumps(scene), "solver.method", value, False)
        elif option in ("--methods", "--reach") and not is_open(value.split(",")[0]):
            faults += method_faults(scene, value)
    return faults


class Commands(unittest.TestCase):

    def check(self, where, words):
        name, rest = program_of(words)
        faults = option_faults(name, rest)
        if not where.startswith(EXTENDED):
            faults += setting_faults(name, rest)
        if faults:
            with self.subTest(where=where):
                self.fail("\n".join([shlex.join(words)[:200], *sorted(set(faults))]))

    def test_options_and_keys_exist(self):
        for page in pages():
            if str(page.relative_to(ROOT)) in WRONG:
                continue
            for words, line in commands(page):
                self.check(f"{page.relative_to(ROOT)}:{line}", words)

    def test_options_and_keys_in_usages_exist(self):
        for path in USAGES:
            for number, line in enumerate(path.read_text(errors="ignore").splitlines(), 1):
                for found in re.findall(r"^\s*#?\s*((?:PYTHONPATH=\S+ )?(?:/usr/bin/python3 )?(?:sinew(?:-mesh)?|scripts/\w+(?:\.py)?) [a-z-].*)$", line):
                    try:
                        words = words_of(found)
                    except ValueError:
                        continue
                    name, rest = program_of(words)
                    if name and not (name in PROGRAMS and rest and PROGRAMS[name]() and rest[0] not in subcommands(name)):
                        self.check(f"{path.relative_to(ROOT)}:{number}", words)


class Fragments(unittest.TestCase):

    def test_json_belongs_to_scenes(self):
        for page in pages():
            for language, text, line in blocks(page):
                if language != "json":
                    continue
                with self.subTest(page=str(page.relative_to(ROOT)), line=line):
                    value = json.loads(text)
                    if next(iter(value)) not in OTHER_JSON:
                        self.assertEqual(scene_keys.fragment_errors(value), [])

    def test_scenes_of_the_repository(self):
        for path in sorted((ROOT / "scenes").rglob("*.json")):
            with self.subTest(scene=path.name):
                self.assertEqual(scene_keys.errors(json.loads(path.read_text())), [])


class Pages(unittest.TestCase):
    """The pages of RUN, run as a reader would."""

    def setUp(self):
        if SINEW is None:
            self.skipTest("no SINEW")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path in ROOT.iterdir():
            if path.name not in ("out", "build", "scenes"):
                (self.root / path.name).symlink_to(path)
        shutil.copytree(ROOT / "scenes", self.root / "scenes")  # scenes name files relative to themselves
        binaries = self.root / "build/release/bin"
        binaries.mkdir(parents=True)
        for name, program in PROGRAMS.items():
            if program():
                (binaries / name).symlink_to(program())
        modules = self.root / "build/release/python"
        modules.symlink_to(pathlib.Path(SINEW).parents[1] / "python")
        (self.root / "out").mkdir()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.root)
        sys.path.insert(0, str(modules.resolve()))
        self.environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "SINEW_MESH": str(MESHER or ""),
                            "PYTHONPATH": str(modules)}

    def execute(self, text, where):
        done = subprocess.run(["bash", "-ec", text], cwd=self.root, env=self.environment, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, f"{where}: {text}\n{done.stdout[-500:]}{done.stderr[-2000:]}")

    @contextlib.contextmanager
    def served(self, words, where):
        """The address of the page that a program serves; ends the program as Ctrl-C does."""
        words = [word for word in words if word not in ("--open", "--no-open")]
        words += ["--no-open"] * (words[1] == "view")
        with subprocess.Popen(words, cwd=self.root, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            line = process.stdout.readline()
            address = re.search(r"http://\S+", line)
            self.assertTrue(address, f"{where}: {words}\n{line}{'' if address else process.stderr.read()}")
            try:
                yield address[0]
            finally:
                process.send_signal(signal.SIGINT)
                errors = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 0, f"{where}: {words}\n{errors}")

    def command(self, line, where):
        words = words_of(line)
        name, rest = program_of(words)
        if name and any(is_open(word) for word in words):
            return
        if name == "sinew-mesh" and MESHER is None:
            return
        if name is None and words[:1] != ["cmp"] and "python3" not in line:
            return
        if name and name.startswith("scripts/") and "press_fit" not in name:
            return  # installs and builds
        if any(word.endswith("script.json") for word in words):
            return  # a recording that a reader makes
        if name in PROGRAMS and rest[0] in WAITS:
            with self.served(words, where):
                pass
        else:
            self.execute(line, where)

    def run_page(self, page):
        listed = blocks(page)
        names = {"__name__": "__main__"}  # Python blocks of a page continue each other
        for k, (language, text, line) in enumerate(listed):
            where = f"{page.relative_to(ROOT)}:{line}"
            if language == "json":
                files = self.file_names(page, line, listed[k + 1:k + 2], ".json")
                if files:
                    (self.root / files[0]).write_text(text)
                elif "bodies" in text:
                    self.fail(f"{where}: no command names the file of this scene")
            elif language == "python":
                out = output_of(page, text, line, names)
                if listed[k + 1:] and listed[k + 1][0] == "text":
                    self.assertTrue(same_output(out, listed[k + 1][1]), f"{where}: prints\n{out}but the page says\n{listed[k + 1][1]}")
            elif language == "sh":
                self.execute(text, where)
            elif language in SHELLS:
                for command in joined(text):
                    self.command(command, where)

    def file_names(self, page, line, following, suffix):
        """Files that the text just before a block or the block of commands behind it names, and that are not there."""
        before = page.read_text().splitlines()[max(0, line - 4):line]
        text = " ".join(before) + " " + " ".join(block for language, block, _ in following if language in SHELLS)
        names = re.findall(rf"(?<![\w/.])([\w-]+{re.escape(suffix)})\b", text)
        return [name for name in names if not (ROOT / name).exists()]

    def test_pages_run(self):
        for folder in RUN:
            for page in sorted((ROOT / folder).glob("*.md")):
                with self.subTest(page=str(page.relative_to(ROOT))):
                    self.run_page(page)

    def test_the_viewer_in_python(self):
        page = ROOT / "docs/reference/live_protocol.md"
        programs = [text for language, text, _ in blocks(page) if language == "python"]
        with self.served(["sinew", "live", "scenes/ball_drop.json"], page.name) as address:
            port = re.search(r":(\d+)/", address)[1]
            seen = subprocess.run(["/usr/bin/python3", "-c", programs[0], port], capture_output=True, text=True, timeout=60)
        self.assertEqual(seen.returncode, 0, seen.stderr)
        self.assertIn("[('ball', ", seen.stdout)
        self.assertRegex(seen.stdout, r"\nframe 2: step \d")

    def keys(self, section):
        """Keys that the tables of a section of the output folder's page describe, a set for each table."""
        text = (ROOT / "docs/reference/output_folder.md").read_text().split(f"# {section}\n")[1].split("\n#")[0]
        tables = text.split("| key | value |\n")[1:]
        return [set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", table, re.M)))) for table in tables]

    def test_the_keys_of_the_output_folder(self):
        scene = "scenes/ball_drop.json --set time.step=1"
        self.execute(f"sinew run {scene} -o out/keys --steps 3 --set solver.max_iterations=1 --set 'output.formats=[]'", "")
        self.execute(f"sinew check {scene} --json check.json", "")
        rows = [json.loads(line) for line in (self.root / "out/keys/steps.jsonl").read_text().splitlines()]
        summary, check = (json.loads((self.root / file).read_text()) for file in ("out/keys/summary.json", "check.json"))
        always, sometimes = self.keys("Rows of steps.jsonl")
        self.assertLessEqual(always, set(rows[0]))
        self.assertLessEqual(set(rows[0]), always | sometimes)
        self.assertEqual(set().union(*(row["diagnosis"] for row in rows if "diagnosis" in row)), self.keys("Diagnosis of a failed step")[0])
        self.assertEqual(set(summary), self.keys("summary.json")[0])
        described, of_check = self.keys("Findings")
        self.assertEqual(set(summary["findings"][0]), described - {"primitives"})
        self.assertEqual(set(check["findings"][0]), described)
        self.assertEqual(set(check), of_check | {"findings"})


if __name__ == "__main__":
    given = [os.path.abspath(word) for word in sys.argv[1:] if not word.startswith("-") and os.path.exists(word)]
    SINEW = given[0] if given else None
    MESHER = given[1] if len(given) > 1 else None
    sys.exit(unittest.main(argv=[sys.argv[0], *(word for word in sys.argv[1:] if os.path.abspath(word) not in given)]))
