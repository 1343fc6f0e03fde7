"""Benchmarks run on inspect-ai: tasks, solver, scorer, models, logs."""
