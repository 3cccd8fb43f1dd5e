"""Bundles the shared libraries that a wheel needs, so that it runs on machines without them.

They are copied under names with a hash, for other packages in the process may have brought another version of the same
library. Debian's HDF5 and libzip can also read from the network and encrypted archives, for which they need curl and
OpenSSL and through them 25 libraries more. sinew does neither: in place of curl and OpenSSL a library is bundled whose
functions all report failure.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

# What every Linux of the tag has (PEP 600), by the newest versions of symbols in it.
PLATFORM = "manylinux_2_36_x86_64"
NEWEST = {"GLIBC": (2, 36), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}
PROVIDED = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "ld-linux-x86-64.so.2",
            "libstdc++.so.6", "libgcc_s.so.1"}
UNUSED = {"libcurl.so.4", "libcrypto.so.3"}


def bundle(folder, files):
    """Copies what the ELF files need into folder and points them at it. Returns the wheel's platform tag, and the Debian
    packages of what was copied."""
    found = closure(files)
    names = {}  # by which a library is needed -> by which it is bundled
    for name, path in found.items():
        stem, _, rest = name.partition(".so")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        names[name] = f"{stem}-{digest}.so{rest}"
        shutil.copy(path, folder / names[name])
        (folder / names[name]).chmod(0o755)
    copies = [folder / name for name in names.values()]
    for name in sorted(UNUSED):
        needing = [path for path in copies if name in needed(path)]
        if needing:
            names[name] = name.replace(".so", "-unused.so")
            write_unused(folder / names[name], name, needing)
    for path in [*files, *copies]:  # a kind of change a call: patchelf 0.14 loses some of several
        replaced = [(name, names[name]) for name in needed(path) if name in names]
        if replaced:  # all in one call, since each call adds a table of all names to the file
            run("patchelf", *(word for pair in replaced for word in ("--replace-needed", *pair)), path)
        if path in copies:
            run("patchelf", "--set-soname", path.name, path)
        run("patchelf", "--set-rpath", "/".join(["$ORIGIN", os.path.relpath(folder, path.parent)]), path)
        left = sorted(names.keys() & set(needed(path)))
        if left:
            raise RuntimeError(f"{path.name} still needs {', '.join(left)} after patchelf")
    newer = sorted({symbol for path in [*files, *copies] for symbol in newer_symbols(path)})
    if newer:
        print(f"The wheel is for this machine, not {PLATFORM}: it needs {', '.join(newer)}")
    return "linux_x86_64" if newer else PLATFORM, sorted({package_of(path) for path in found.values()})


def closure(files):
    """name -> path of all libraries that the files need, directly or through others, and do not bring."""
    skip = PROVIDED | UNUSED | {path.name for path in files}
    found, todo = {}, list(files)
    while todo:
        path = todo.pop()
        located = dict(re.findall(r"(\S+) => (\S+) \(", run("ldd", path)))
        for name in needed(path):
            if name in skip or name in found:
                continue
            if name not in located:
                raise RuntimeError(f"{path.name} needs {name}, which is not installed")
            found[name] = pathlib.Path(os.path.realpath(located[name]))
            todo.append(found[name])
    return dict(sorted(found.items()))


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-dW", path))


def needed_versions(path):
    """library -> versions of its symbols that the file needs, as GLIBC_2.36."""
    text = run("readelf", "-VW", path).partition(".gnu.version_r")[2]
    return {block.split()[0]: re.findall(r"Name: (\S+)", block) for block in text.split("File: ")[1:]}


def newer_symbols(path):
    """Versions of symbols that the platform's libraries may not have."""
    for version in sum(needed_versions(path).values(), []):
        library, _, number = version.partition("_")
        if library in NEWEST and tuple(map(int, number.split("."))) > NEWEST[library]:
            yield version


def write_unused(target, library, needing):
    """A library with the functions that these files take from `library`, each returning 0."""
    symbols = {}  # by their versions
    for path in needing:
        versions = needed_versions(path)[library]
        for symbol, version in re.findall(r" UND (\w+)@(\S+)", run("readelf", "--dyn-syms", "-W", path)):
            if version in versions:
                symbols.setdefault(version, set()).add(symbol)
    with tempfile.TemporaryDirectory() as folder:
        source, script = pathlib.Path(folder) / "unused.c", pathlib.Path(folder) / "unused.map"
        source.write_text("".join(f"long {name}(void) {{ return 0; }}\n" for name in sorted(set().union(*symbols.values()))))
        script.write_text("".join(f"{version} {{ {'; '.join(sorted(names))}; }};\n"
                                  for version, names in sorted(symbols.items())))
        run("cc", "-shared", "-fPIC", "-fno-builtin", f"-Wl,--version-script={script}", f"-Wl,-soname={target.name}",
            "-o", target, source)


def package_of(path):
    for name in (str(path), str(path).removeprefix("/usr")):
        answer = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if answer.returncode == 0:
            return answer.stdout.partition(":")[0]
    raise RuntimeError(f"{path}: of no Debian package, so its licence is unknown")


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
