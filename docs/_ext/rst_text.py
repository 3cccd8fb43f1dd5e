"""Plain text as reStructuredText."""

import re

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.nodes import nested_parse_with_titles


def escaped(text):
    """Names between backticks become code; all other characters stand for themselves."""
    parts = re.split(r"`([^`]+)`", text)
    return "".join(f"``{part}``" if k % 2 else re.sub(r"([\\*_|`])", r"\\\1", part) for k, part in enumerate(parts))


def parsed(directive, lines, source):
    """The nodes of reStructuredText lines in the place of a directive of a Markdown page."""
    directive.state.document.settings.env.note_dependency(str(source))
    parent = nodes.section()
    parent.document = directive.state.document
    nested_parse_with_titles(directive.state, StringList(["````{eval-rst}", *lines, "````"], source=str(source)), parent)
    return parent.children
