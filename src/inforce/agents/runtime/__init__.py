"""The runtime that all methods share: runs, traces, answers, support, and tag protocols."""
