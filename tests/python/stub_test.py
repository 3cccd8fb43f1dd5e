"""The type stubs name what the module has, with the same arguments, and nothing else."""

import ast
import inspect
import pathlib
import re
import sys
import unittest

import sinew

STUBS = pathlib.Path(__file__).resolve().parents[2] / "python/sinew"


def public(names):
    return {name for name in names if not name.startswith("_") or name in ("__init__", "__version__")}


def stub(name):
    return ast.parse((STUBS / f"{name}.pyi").read_text())


def declared(tree):
    """Functions, classes and annotated names of a stub or class body by name."""
    found = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.AnnAssign):
            found.setdefault(node.target.id, []).append(node)
        elif isinstance(node, ast.ImportFrom) and node.module is None:
            for alias in node.names:
                found.setdefault(alias.asname or alias.name, []).append(node)
    return found


def stub_arguments(function):
    """(name, default) of each argument but self; defaults as text, None without one."""
    arguments = [argument.arg for argument in function.args.args if argument.arg != "self"]
    defaults = [ast.literal_eval(value) for value in function.args.defaults]
    padded = [None] * (len(arguments) - len(defaults)) + [repr(value) for value in defaults]
    result = list(zip(arguments, padded))
    if function.args.kwarg:
        result.append(("**" + function.args.kwarg.arg, None))
    return result


def real_arguments(function):
    """The same from a Python function, or from the signature that pybind11 writes into the first line of a docstring."""
    if inspect.isfunction(function):
        parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
        return [("**" + p.name, None) if p.kind is p.VAR_KEYWORD else
                (p.name, None if p.default is p.empty else repr(p.default)) for p in parameters]
    text = re.match(r"\w+\((.*)\) -> ", inspect.getdoc(function)).group(1)
    result = []
    for part in re.split(r", (?=[\w*]+(?::|$))", text) if text else []:
        match = re.match(r"(\**\w+)(?:: [^=]*?)?(?: = (.*))?$", part)
        if match.group(1) != "self":
            result.append((match.group(1), match.group(2)))
    return result


def decorators(function):
    return {ast.unparse(decorator) for decorator in function.decorator_list}


class Stubs(unittest.TestCase):

    def check_functions(self, module, tree):
        for name, nodes in declared(tree).items():
            if isinstance(nodes[0], ast.FunctionDef):
                self.assertEqual(stub_arguments(nodes[0]), real_arguments(getattr(module, name)), name)

    def test_the_module(self):
        tree = stub("_engine")
        self.assertEqual(public(declared(tree)), public(dir(sinew._engine)))
        self.check_functions(sinew._engine, tree)

    def test_the_submodules(self):
        for name in ("ccd", "modes"):
            with self.subTest(name):
                tree, module = stub(name), getattr(sinew, name)
                own = {key for key, nodes in declared(tree).items() if isinstance(nodes[0], ast.FunctionDef)}
                self.assertEqual(public(own), public(dir(module)))
                self.check_functions(module, tree)

    def test_the_classes(self):
        for name, nodes in declared(stub("_engine")).items():
            cls = getattr(sinew._engine, name, None)
            if not isinstance(nodes[0], ast.ClassDef) or cls is None:
                continue
            if issubclass(cls, Exception):
                self.assertEqual([ast.unparse(base) for base in nodes[0].bases],
                                 [base.__name__ for base in cls.__bases__])
                continue
            with self.subTest(name):
                self.check_class(cls, declared(nodes[0]))

    def check_class(self, cls, members):
        real = public(vars(cls))
        if "__init__" not in members:  # that of a class that others make
            real -= {"__init__"}
        self.assertEqual(public(members), real)
        for name, nodes in members.items():
            member = inspect.getattr_static(cls, name)
            marks = set().union(*map(decorators, nodes))
            self.assertEqual("property" in marks, isinstance(member, property), name)
            if isinstance(member, property):
                self.assertEqual(f"{name}.setter" in marks, member.fset is not None, name)
            else:
                self.assertEqual("staticmethod" in marks, isinstance(member, staticmethod), name)
                self.assertEqual(stub_arguments(nodes[0]), real_arguments(getattr(cls, name)), name)

    def same_text(self, node, thing, name):
        """Compares a stub with the module; no text may be empty."""
        text = " ".join((ast.get_docstring(node) or "").split())
        real = inspect.getdoc(thing) or ""
        if re.match(rf"{node.name}\(.*\) -> ", real):  # the signature that pybind11 writes
            real = real.partition("\n")[2]
        self.assertEqual(text, " ".join(real.split()), name)
        self.assertTrue(text, name)

    def test_stubs_and_module_have_the_same_docstrings(self):
        for module, name in ((sinew._engine, "_engine"), (sinew.ccd, "ccd"), (sinew.modes, "modes")):
            tree = stub(name)
            if name != "_engine":
                self.assertEqual(" ".join(ast.get_docstring(tree).split()), " ".join(inspect.getdoc(module).split()))
            for key, nodes in declared(tree).items():
                if key.startswith("_") or not isinstance(nodes[0], (ast.FunctionDef, ast.ClassDef)):
                    continue
                self.same_text(nodes[0], getattr(module, key), key)
                for inner, members in declared(nodes[0]).items():
                    if not re.match("_[^_]", inner) and isinstance(members[0], ast.FunctionDef):
                        self.same_text(members[0], getattr(getattr(module, key), inner), f"{key}.{inner}")

    def test_energies_and_forces_have_the_keys_of_the_stub(self):
        simulation = sinew.Simulation({"bodies": [{"mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}}}]})
        classes = declared(stub("_engine"))
        self.assertEqual(list(declared(classes["_Energies"][0])), list(simulation.energies()))
        self.assertEqual(list(declared(classes["_Forces"][0])), list(simulation.forces()))

    def test_they_lie_beside_the_module(self):
        folder = pathlib.Path(sinew.__file__).parent
        for file in [*STUBS.glob("*.py"), *STUBS.glob("*.pyi"), STUBS / "py.typed"]:
            name = file.name
            self.assertEqual((folder / name).read_text(), (STUBS / name).read_text())


if __name__ == "__main__":
    sys.exit(unittest.main())
