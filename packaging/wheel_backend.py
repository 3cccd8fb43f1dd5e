"""The build backend of pyproject.toml (PEP 517): wheels with the engine for every x86-64 processor, and source archives.

    python3 -m pip wheel --no-deps .                          one wheel, for this Python
    SINEW_MESHER=OFF python3 -m pip wheel --no-deps .         without sinew-mesh, the part under the GPL
    pybind11_DIR=FOLDER python3 -m pip wheel --no-deps .      with another pybind11 than Debian's

The engine is built once, by the preset `portable`, in build/portable; each Python adds its own module. The setting
cmake.define.SINEW_MESHER=OFF does the same as the variable.
"""

import base64
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

import shared_libraries

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGING = ROOT / "packaging"
BUILD = ROOT / "build/portable"
VERSION = re.search(r"project\(sinew VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
NAME = f"sinew_sim-{VERSION}"
EARLIEST = (1980, 1, 1, 0, 0, 0)  # the time of every file in a wheel: the same sources give the same bytes
# Debian packages whose headers are compiled into the engine; those of the mesher come with it. Boost's has its version in
# its name.
HEADERS = ["libeigen3-dev", "nlohmann-json3-dev", "libcli11-dev", "libspdlog-dev", "libfmt-dev", "libgl-dev", "pybind11-dev"]
BOOST_HEADER = pathlib.Path("/usr/include/boost/version.hpp")
MESHER_HEADERS = ["libcgal-dev"]


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory) / f"{NAME}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(with_mesher(config_settings)))
    (folder / "WHEEL").write_text(wheel_text("linux_x86_64"))
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    mesher = with_mesher(config_settings)
    build_engine(mesher)
    module = build_module()
    tree = fresh_folder(BUILD / f"wheel-{python_tag()}")
    fill_package(tree / "sinew", module, mesher)
    files = elf_files(tree / "sinew")
    run("strip", "--strip-unneeded", *files)  # before patchelf, whose layout strip would break
    platform, packages = shared_libraries.bundle(tree / "sinew/lib", files)
    scripts = tree / f"{NAME}.data/scripts"
    scripts.mkdir(parents=True)
    for program in programs(mesher):
        script = scripts / program
        script.write_text((PACKAGING / "program.py.in").read_text().replace("@PROGRAM@", program))
        script.chmod(0o755)
    info = tree / f"{NAME}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(metadata(mesher))
    (info / "WHEEL").write_text(wheel_text(platform))
    headers = [*HEADERS, shared_libraries.package_of(BOOST_HEADER)]
    write_licenses(info / "licenses", [*headers, *(MESHER_HEADERS if mesher else []), *packages])
    name = f"{NAME}-{python_tag()}-{python_tag()}-{platform}.whl"
    write_wheel(pathlib.Path(wheel_directory) / name, tree)
    return name


def build_sdist(sdist_directory, config_settings=None):
    with_mesher(config_settings)
    path = pathlib.Path(sdist_directory) / f"{NAME}.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        text = metadata(True).encode()
        entry = tarfile.TarInfo(f"{NAME}/PKG-INFO")
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))
        for name in source_files():
            archive.add(ROOT / name, f"{NAME}/{name}", recursive=False, filter=anonymous)
    return path.name


# What is built

def build_engine(mesher):
    """Programs and library as installed, in build/portable/stage."""
    run("cmake", "--preset", "portable", "-DSINEW_PYTHON=OFF", f"-DSINEW_MESHER={'ON' if mesher else 'OFF'}")
    run("cmake", "--build", BUILD)
    stage = fresh_folder(BUILD / "stage")
    for component in ("runtime", "development"):
        run("cmake", "--install", BUILD, "--prefix", stage, "--component", component)


def build_module():
    """The package of the Python that runs this, in build/portable/python-TAG/python/sinew."""
    folder = BUILD / f"python-{python_tag()}"
    run("cmake", "-S", ROOT / "python", "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        f"-DPython_EXECUTABLE={sys.executable}", f"-Dsinew_DIR={BUILD / 'stage/lib/cmake/sinew'}",
        f"-Dpybind11_DIR={pybind11_folder()}")
    run("cmake", "--build", folder)
    return folder / "python/sinew"


def fill_package(package, module, mesher):
    """sinew/: the module, programs in bin/, libraries in lib/, scenes."""
    stage = BUILD / "stage"
    shutil.copytree(module, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "bin").mkdir()
    for program in programs(mesher):
        shutil.copy(stage / "bin" / program, package / "bin")
    shutil.copytree(stage / "share/sinew/scenes", package / "scenes")
    for library in sorted((stage / "lib").rglob("libsinew.so.*")):
        if library.name.count(".") == 3:  # the name by which others need it: a wheel has no symbolic links
            target = package / library.relative_to(stage)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, target)


def write_licenses(folder, packages):
    folder.mkdir()
    shutil.copy(ROOT / "LICENSE", folder)
    for package in packages:
        shutil.copy(f"/usr/share/doc/{package}/copyright", folder / f"{package}.txt")


def metadata(mesher):
    license = "Apache-2.0" + (" (sinew-mesh: GPL-3.0-or-later)" if mesher else "")
    values = {"VERSION": VERSION, "LICENSE": license, "NUMPY": numpy_requirement()}
    text = (PACKAGING / "METADATA.in").read_text()
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text + "\n" + (ROOT / "README.md").read_text()


def wheel_text(platform):
    return ("Wheel-Version: 1.0\nGenerator: sinew\nRoot-Is-Purelib: false\n"
            f"Tag: {python_tag()}-{python_tag()}-{platform}\n")


def write_wheel(path, tree):
    record = f"{NAME}.dist-info/RECORD"
    rows = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(name, data, mode):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)

        for file in sorted(p for p in tree.rglob("*") if p.is_file()):
            data, name = file.read_bytes(), file.relative_to(tree).as_posix()
            add(name, data, 0o755 if os.access(file, os.X_OK) else 0o644)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={digest},{len(data)}\n")
        add(record, "".join(rows) + f"{record},,\n", 0o644)


# Settings and names

def with_mesher(config_settings):
    """Whether sinew-mesh is wanted: the setting cmake.define.SINEW_MESHER, else the variable, else yes."""
    value = os.environ.get("SINEW_MESHER", "ON")
    for key, given in (config_settings or {}).items():
        if key != "cmake.define.SINEW_MESHER":
            raise ValueError(f"setting {key}: unknown; the only one is cmake.define.SINEW_MESHER=ON or OFF")
        value = given
    if value not in ("ON", "OFF"):
        raise ValueError(f"SINEW_MESHER: found {value!r}, expected ON or OFF")
    return value == "ON"


def pybind11_folder():
    """That with pybind11Config.cmake."""
    return pathlib.Path(os.environ.get("pybind11_DIR", "/usr/lib/cmake/pybind11"))


def numpy_requirement():
    """sinew/_requirements.py says the same at import."""
    text = (pybind11_folder() / "pybind11ConfigVersion.cmake").read_text()
    version = re.search(r'set\(PACKAGE_VERSION "(\d+)\.(\d+)', text)
    return "numpy" if tuple(map(int, version.groups())) >= (2, 12) else "numpy<2"


def programs(mesher):
    return ["sinew", *(["sinew-mesh"] if mesher else [])]


def python_tag():
    return f"cp{sys.version_info[0]}{sys.version_info[1]}"


def elf_files(folder):
    return [path for path in sorted(folder.rglob("*"))
            if path.is_file() and path.open("rb").read(4) == b"\x7fELF"]


def source_files():
    """Of a checkout what git knows, of an unpacked source archive all but what builds leave."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        return sorted(name for name in listed.split("\0") if name)
    paths = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
    return sorted(str(path) for path in paths
                  if path.parts[0] not in ("build", "out", "PKG-INFO") and "__pycache__" not in path.parts)


def anonymous(entry):
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def fresh_folder(path):
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def run(*command):
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True)
