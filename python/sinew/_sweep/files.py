"""Files of a sweep, written completely or not at all."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Optional


def write_atomically(path: pathlib.Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    """The mask of this process, read from Linux: to ask os.umask would change it for other threads."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1], 8) for line in status if line.startswith("Umask:"))
    except (OSError, StopIteration):
        return 0o022


def write_json(path: pathlib.Path, value: Any) -> None:
    write_atomically(path, (json.dumps(value, indent=1) + "\n").encode())


def read_json(path: pathlib.Path) -> Optional[Any]:
    """Returns None if there is no such file, or not yet."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None
