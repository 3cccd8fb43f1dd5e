"""The sources look as clang-format lays them out (.clang-format: the order of includes, too), and clang-tidy finds none of
what .clang-tidy lists. Exit code 77 where a tool is not installed.

    style_test.py format            all sources, seconds
    style_test.py tidy              all sources, half an hour on one core
    style_test.py tidy --since REF  those that differ from the merge base with REF
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["src", "tests", "tools", "python", "bench", "fuzz"]
SKIPPED = 77
FORMAT_VERSION = "14."  # other versions lay out some lines differently
BATCH = 8  # sources that are compiled together, as in cmake/SinewCompiler.cmake
INCLUDES = ["/usr/include/eigen3", "/usr/include/hdf5/serial", "/usr/include/suitesparse"]


def sources(suffixes):
    for folder in FOLDERS:
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)


def skip(reason):
    print(f"skipped: {reason}")
    return SKIPPED


def check_format():
    tool = shutil.which("clang-format-14") or shutil.which("clang-format")
    if not tool:
        return skip("clang-format is not installed")
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    if f"version {FORMAT_VERSION}" not in version:
        return skip(f"{version.strip()}, expected version {FORMAT_VERSION}x")
    files = [str(path.relative_to(ROOT)) for path in sources({".cpp", ".h"})]
    found = subprocess.run([tool, "--dry-run", "--Werror", *files], cwd=ROOT, capture_output=True, text=True)
    places = [line for line in found.stderr.splitlines() if "error:" in line]
    if places:
        print("\n".join(places), f"\n{len(places)} places differ; run clang-format -i on these files")
    return found.returncode


def changed_since(ref):
    base = subprocess.run(["git", "merge-base", "HEAD", ref], cwd=ROOT, capture_output=True, text=True, check=True)
    names = subprocess.run(["git", "diff", "--name-only", base.stdout.strip()],
                           cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return {ROOT / name for name in names}


# Files of one folder together, which share the time that headers take; names in their anonymous namespaces differ, but
# for those of the mesher, whose files stand alone.
def batches(files):
    by_folder = {}
    for path in files:
        by_folder.setdefault(path.parent, []).append(path)
    for folder, paths in by_folder.items():
        size = 1 if folder.is_relative_to(ROOT / "tools") else BATCH
        for begin in range(0, len(paths), size):
            yield paths[begin:begin + size]


def check_tidy(since):
    tool = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
    if not tool:
        return skip("clang-tidy is not installed")
    files = list(sources({".cpp"}))
    if since:
        changed = changed_since(since)
        files = [path for path in files if path in changed]
    python = subprocess.run(["python3-config", "--includes"], capture_output=True, text=True).stdout.split()
    flags = ["-std=c++20", "-DEIGEN_DONT_PARALLELIZE", "-DFMT_SHARED", f"-I{ROOT}/src", f"-I{ROOT}/tests",
             f"-I{ROOT}/tools/mesher", f"-I{ROOT}/fuzz", f'-DSINEW_SOURCE_DIR="{ROOT}"',
             '-DSINEW_DEFAULT_TEST_DATA=""', *python]
    for folder in INCLUDES:
        flags += ["-isystem", folder]
    failed = 0
    for paths in batches(files):
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as batch:
            batch.writelines(f'#include "{path}"\n' for path in paths)
            batch.flush()
            found = subprocess.run([tool, "--quiet", f"--config-file={ROOT}/.clang-tidy",
                                    f"--header-filter={ROOT}/({'|'.join(FOLDERS)})/.*", batch.name, "--", *flags],
                                   cwd=ROOT, capture_output=True, text=True)
        if found.returncode:
            failed += 1
            print(found.stdout, *(line for line in found.stderr.splitlines() if "error:" in line), sep="\n", flush=True)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=["format", "tidy"])
    parser.add_argument("--since", metavar="REF")
    arguments = parser.parse_args()
    return check_format() if arguments.check == "format" else check_tidy(arguments.since)


if __name__ == "__main__":
    sys.exit(main())
