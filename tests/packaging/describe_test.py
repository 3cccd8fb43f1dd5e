"""What programs print about themselves: completion for bash, zsh and fish, and the manual page.

    describe_test.py PROGRAM...       shells that are not installed are skipped, bash is not
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = []


def printed(*command, text=None):
    done = subprocess.run(command, capture_output=True, text=True, input=text)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def commands_of(program):
    lines = printed(program, "--help").split("Subcommands:")[1].splitlines()
    return [line.split()[0] for line in lines if re.match(r"  \S", line)]


def options_of(program, command):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", printed(program, command, "--help").split("Example:")[0]))


def bash_offers(program, *words):
    """What bash offers for the last of `words`, the first of which is the program's name."""
    script = printed(program, "--completion", "bash")
    function = re.search(r"complete -o filenames -F (\S+)", script).group(1)
    quoted = " ".join(f"'{word}'" for word in words)
    return printed("bash", "-c", f'{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; {function}; '
                                 'printf "%s\\n" "${COMPREPLY[@]}"').split()


class Described(unittest.TestCase):
    def test_bash_offers_commands_and_options(self):
        for program in PROGRAMS:
            name = program.rsplit("/", 1)[-1]
            self.assertLessEqual(set(commands_of(program)), set(bash_offers(program, name, "")))
            for command in commands_of(program):
                self.assertLessEqual(options_of(program, command), set(bash_offers(program, name, command, "--")))

    def test_bash_offers_values_and_files(self):
        program = PROGRAMS[0]
        self.assertIn("newton-pcg", bash_offers(program, "sinew", "run", "scene.json", "--method", "newton"))
        with tempfile.NamedTemporaryFile(suffix=".json") as scene:
            self.assertEqual(bash_offers(program, "sinew", "run", scene.name[:-2]), [scene.name])

    def test_zsh_and_fish_read_their_scripts(self):
        for shell in ("zsh", "fish"):
            for program in PROGRAMS:
                script = printed(program, "--completion", shell)
                for command in commands_of(program):
                    self.assertIn(command, script)
                    for option in options_of(program, command):
                        self.assertIn(option[2:], script)
                if shutil.which(shell):
                    with tempfile.NamedTemporaryFile("w", suffix="." + shell) as file:
                        file.write(script)
                        file.flush()
                        printed(shell, "-n", file.name)

    def test_manual_page_names_all_options(self):
        for program in PROGRAMS:
            page = printed(program, "--manual")
            for command in commands_of(program):
                self.assertIn(f".SS {command}", page)
                for option in options_of(program, command):
                    self.assertIn(option.replace("-", "\\-"), page)
            if shutil.which("groff"):
                checked = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z"], input=page, capture_output=True, text=True)
                self.assertEqual((checked.returncode, checked.stderr), (0, ""))

    def test_unknown_shell_is_refused(self):
        done = subprocess.run([PROGRAMS[0], "--completion", "zhs"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn('found "zhs", expected one of "bash", "zsh", "fish"', done.stderr)


if __name__ == "__main__":
    PROGRAMS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
