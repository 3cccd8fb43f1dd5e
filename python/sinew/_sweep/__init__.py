"""Sweeps: one scene with many settings, each a run of `sinew run` in a process of its own."""

from .sweep import sweep as sweep
