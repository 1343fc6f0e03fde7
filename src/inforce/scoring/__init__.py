"""Measures that evaluation and training share: answers, overlap, judges, cases, estimates."""
