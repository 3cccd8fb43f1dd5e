"""Scenes, fragments of scenes and overrides against the schema of scenes."""

import copy
import json
import re

import jsonschema

from pages import ROOT

SCHEMA = json.loads((ROOT / "docs/scene.schema.json").read_text())
SMALLEST = {"bodies": [{"mesh": {"sphere": {"radius": 0.1}}}]}


def words(node):
    """All values that enumerations of the schema name."""
    if isinstance(node, dict):
        return set(node.get("enum", [])).union(*map(words, node.values())) if node else set()
    return set().union(*map(words, node)) if isinstance(node, list) else set()


# In the place of a value that a page leaves open, as in time.step=VALUE.
VALUES = (0.01, 1, 1000, True, [0, 0, 0], [1, 1, 1], ["eigenmodes"], *sorted(map(str, words(SCHEMA))))


VALIDATOR = jsonschema.Draft7Validator(SCHEMA)


def errors(scene, validator=VALIDATOR):
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in validator.iter_errors(scene)]


def objects(node):
    """All schemas of objects within the schema."""
    if isinstance(node, dict):
        if "properties" in node:
            yield node
        for value in node.values():
            yield from objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from objects(value)


def fragment_errors(value):
    """A part of a scene: keys of the top level, or an object that some place of a scene takes."""
    if not isinstance(value, dict):
        return ["expected an object"]
    if set(value) <= set(SCHEMA["properties"]):
        return errors({**SMALLEST, **value})
    for node in objects(SCHEMA):
        if set(value) <= set(node["properties"]):
            within = jsonschema.Draft7Validator({**node, "definitions": SCHEMA["definitions"]})
            if within.is_valid(value):
                return []
    return [f"no place of a scene takes an object of {', '.join(value)} with these values"]


def steps_of(path):
    return [int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", path)]


def with_value(scene, path, value):
    scene = copy.deepcopy(scene)
    *before, last = steps_of(path)
    at = scene
    for step in before:
        if isinstance(at, list):
            at = at[step]
        else:
            if not isinstance(at.get(step), (dict, list)):
                at[step] = {}
            at = at[step]
    at[last] = value
    return scene


def override_errors(scene, path, text, open_value):
    """Whether `--set PATH=TEXT` makes a valid scene of a valid one; of an open value, whether any does."""
    try:
        if not open_value:
            values = (json.loads(text),)
        elif re.fullmatch(r"[A-Z][A-Z0-9_]*|\W*", text):
            values = VALUES
        else:  # {"edge": EDGE}
            values = [json.loads(re.sub(r"\b[A-Z][A-Z0-9_]*\b", number, text)) for number in ("0.01", "1")]
    except ValueError:
        values = VALUES if open_value else (text,)
    try:
        if any(VALIDATOR.is_valid(with_value(scene, path, value)) for value in values):
            return []
        return [f"{path}={text}: {line}" for line in errors(with_value(scene, path, values[0]))]
    except (KeyError, IndexError, TypeError):
        return [f"the scene has no {path}"]
