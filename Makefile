# Everything a newcomer needs: `make demo` to see it work, `make test` to check it.
# Needs only Python 3.11+, make and pip; the lock files pin everything else.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test test-fast check lint types format lock clean

demo: $(VENV)/.base
	@INFORCE_HOME=$$(mktemp -d) BIN=$(BIN) sh examples/demo.sh

test: $(VENV)/.dev
	$(BIN)/pytest

test-fast: $(VENV)/.dev
	$(BIN)/pytest -m "not slow"

check: lint types

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/pyright

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "inforce needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: locks/base.txt pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r locks/base.txt
	$(PIP) install --no-deps --editable .
	@touch $@

$(VENV)/.dev: locks/dev.txt pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r locks/dev.txt
	$(PIP) install --no-deps --editable .
	@touch $@ $(VENV)/.base

# The locks are written by uv (https://docs.astral.sh/uv/) and read by plain pip.
LOCK := uv pip compile pyproject.toml --quiet --python-version 3.11 --universal --generate-hashes --no-header
lock:
	$(LOCK) --output-file locks/base.txt
	$(LOCK) --extra eval --extra benchmarks --group dev --output-file locks/dev.txt

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis
