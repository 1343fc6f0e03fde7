#!/bin/sh
# Temporal search from nothing: tokenizer, model, warm start, GRPO, examination, report.
# Options: see temporal_search.py. PYTHON names another interpreter than the one made by `make test-train`, or,
# where there is none, the first on the path.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
# Two threads on two busy cores wait for each other longer than they work.
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
made=$root/.venv-train/bin/python
[ -x "$made" ] || made=python
exec "${PYTHON:-$made}" "$root"/recipes/temporal_search.py "$@"
