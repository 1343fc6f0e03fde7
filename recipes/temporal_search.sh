#!/bin/sh
# Temporal search from nothing: tokenizer, model, warm start, GRPO, examination, report.
# Options: see temporal_search.py. PYTHON names another interpreter.
set -eu
cd "$(dirname "$0")/.."
# Two threads on two busy cores wait for each other longer than they work.
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
exec "${PYTHON:-.venv-train/bin/python}" recipes/temporal_search.py "$@"
