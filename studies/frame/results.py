"""Results of studies: where they are written, and which of them the pages show."""

import json
import os
import shutil

from .engine import ROOT

KEPT_PICTURES = ROOT / "docs/papers/images"


def kept_file(paper, key):
    """The result that the page of a paper shows."""
    return ROOT / "studies" / paper.key / "results" / f"{key}.json"


def read_kept(paper, key):
    path = kept_file(paper, key)
    return json.loads(path.read_text()) if path.is_file() else None


def write(path, result):
    """Written whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(result, indent=1) + "\n")
    os.replace(part, path)


def keep(paper, key, folder):
    """Takes a result and its pictures from `folder` to where the page finds them."""
    result = json.loads((folder / f"{key}.json").read_text())
    write(kept_file(paper, key), result)
    KEPT_PICTURES.mkdir(parents=True, exist_ok=True)
    for old in KEPT_PICTURES.glob(f"{paper.key}_{key}*.png"):
        if old.name[len(f"{paper.key}_{key}"):][:1] in (".", "_"):
            old.unlink()
    for name in result["pictures"]:
        shutil.copyfile(folder / name, KEPT_PICTURES / f"{paper.key}_{name}")


def rounded_numbers(value):
    """Six digits are more than any table shows; the files stay small."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {str(key): rounded_numbers(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded_numbers(part) for part in value]
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return rounded_numbers(value.item())
    if hasattr(value, "tolist"):
        return rounded_numbers(value.tolist())
    return value


