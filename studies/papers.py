"""The papers in the order of the pages. A new one is a folder with PAPER and one line here."""

import importlib

NAMES = ("sms", "adaptive", "mixed", "quasi_newton", "precomputation", "own")


def load(name):
    return importlib.import_module(f"studies.{name}").PAPER


def load_all():
    return [load(name) for name in NAMES]
