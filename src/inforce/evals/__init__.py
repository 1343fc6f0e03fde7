"""Evaluation: benchmarks, their metrics, and reports on runs."""
