"""Errors that the add-on shows as reports."""


class SetupError(Exception):
    """The Blender scene cannot be simulated as it is. The text names the object, what was expected and what to do."""


class MissingProgram(Exception):
    """A program of sinew was not found."""


class EngineError(Exception):
    """A program of sinew ended with an error, whose text this is."""
