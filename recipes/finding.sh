#!/bin/sh
# Learning to find: the encoder, what was asked, the ranker. Options: see finding.py. PYTHON names
# another interpreter than the one made by `make test`, or, where there is none, the first on the path.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
# One thread: sums of floats in one order, so the same seed gives the same files.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
made=$root/.venv/bin/python
[ -x "$made" ] || made=python
exec "${PYTHON:-$made}" "$root"/recipes/finding.py "$@"
