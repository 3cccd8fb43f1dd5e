"""The directive `python-stub FILE...`: the reference of a module, made from the docstrings of its files in python/sinew."""

import ast
import pathlib
import re

from docutils.parsers.rst import Directive

from rst_text import escaped, parsed

STUBS = pathlib.Path(__file__).resolve().parents[2] / "python/sinew"


def described(node, indent):
    text = ast.get_docstring(node) or ""
    lines = []
    for paragraph in re.split(r"\n\s*\n", text):
        lines += [indent + escaped(line.rstrip()) for line in paragraph.splitlines()] + [""]
    return lines


def signature(function, method):
    arguments = ast.parse(ast.unparse(function)).body[0].args
    if method and arguments.args:
        arguments.args.pop(0)
    text = f"({ast.unparse(arguments)})"
    return text + (f" -> {ast.unparse(function.returns)}" if function.returns is not None and function.name != "__init__" else "")


def decorators(function):
    return {ast.unparse(decorator) for decorator in function.decorator_list}


def members(owner, indent):
    lines = []
    for node in owner.body:
        if isinstance(node, ast.FunctionDef):
            names = decorators(node)
            if any(name.endswith(".setter") for name in names) or node.name.startswith("_"):
                continue
            if "property" in names:
                lines += [f"{indent}.. py:property:: {node.name}", f"{indent}   :type: {ast.unparse(node.returns)}", ""]
            else:
                static = names & {"staticmethod", "classmethod"}
                lines += [f"{indent}.. py:method:: {node.name}{signature(node, 'staticmethod' not in names)}"]
                lines += [f"{indent}   :{name}:" for name in sorted(static)] + [""]
            lines += described(node, indent + "   ")
        elif isinstance(node, ast.AnnAssign) and not node.target.id.startswith("_"):
            lines += [f"{indent}.. py:attribute:: {node.target.id}", f"{indent}   :type: {ast.unparse(node.annotation)}", ""]
    return lines


def class_lines(node, hidden):
    """hidden: classes by name that the page leaves out, whose members are shown with the classes that have them."""
    init = next((f for f in node.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"), None)
    kind = "exception" if any("Error" in ast.unparse(b) or "Exception" in ast.unparse(b) or "Warning" in ast.unparse(b)
                              for b in node.bases) else "class"
    lines = [f".. py:{kind}:: {node.name}{signature(init, True) if init else ''}", "", *described(node, "   ")]
    if init:
        lines += described(init, "   ")
    chain = [outer for base in node.bases for outer in inherited(hidden.get(ast.unparse(base)), hidden)]
    for number, outer in enumerate(chain):
        later = {getattr(inner, "name", None) for one in (*chain[number + 1:], node) for inner in one.body}
        outer.body = [inner for inner in outer.body if getattr(inner, "name", "") not in later]
        lines += members(outer, "   ")
    return lines + members(node, "   ")


def inherited(node, hidden):
    """A copy of a hidden class, after those of its own bases."""
    if node is None:
        return []
    before = [one for base in node.bases for one in inherited(hidden.get(ast.unparse(base)), hidden)]
    return [*before, ast.parse(ast.unparse(node)).body[0]]


def file_lines(tree):
    lines = []
    hidden = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef) and node.name.startswith("_")}
    for node in tree.body:
        if getattr(node, "name", "_").startswith("_"):
            continue
        if isinstance(node, ast.ClassDef):
            lines += class_lines(node, hidden)
        elif isinstance(node, ast.FunctionDef):
            lines += [f".. py:function:: {node.name}{signature(node, False)}", "", *described(node, "   ")]
    return lines


def module_lines(files):
    """The first file names the module and describes it."""
    trees = [ast.parse(file.read_text()) for file in files]
    name = "sinew" if files[0].stem == "__init__" else f"sinew.{files[0].stem}"
    lines = [f".. py:module:: {name}", "", *described(trees[0], "")]
    for tree in trees:
        lines += file_lines(tree)
    return lines


class PythonStub(Directive):
    required_arguments = 1
    optional_arguments = 100

    def run(self):
        files = [STUBS / name for name in self.arguments]
        return parsed(self, module_lines(files), files[0])


def setup(app):
    app.add_directive("python-stub", PythonStub)
    return {"parallel_read_safe": True}
