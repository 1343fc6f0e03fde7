# Everything a newcomer needs: `make demo` to see it work, `make test` to check it.
# `make test-slow` is what takes longer than a change should wait for: run it before an issue closes.
# Needs only Python 3.11+, make and pip; the lock files pin everything else, a newer pip too: it finds
# two hundred packages in a third of the time.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
TRAIN  := .venv-train
TRL    := .venv-trl
VERL   := .venv-verl
PIP    := -m pip --disable-pip-version-check --quiet install

# A module is compiled once, by whoever imports it first. Not by pip, which compiles every module of
# every library, most of them for nothing; nor anew by every process, which some images ask for.
PIP += --no-compile
unexport PYTHONDONTWRITEBYTECODE

# Files are shared out over the processors, so each computes in one thread; the slowest tests are
# named at the end.
PYTEST := -m pytest -n auto --dist loadfile --durations=25 --durations-min=1
export OMP_NUM_THREADS := 1

# Only the files with a test that needs torch, since to read them all takes longer than to run these.
TORCH = $(shell grep -rl --include='test_*.py' 'mark\.torch' tests)

.PHONY: demo test test-slow test-train test-train-slow test-trl test-verl check lint types types-train types-trl types-verl format lock clean

demo: $(VENV)/.base
	@INFORCE_HOME=$$(mktemp -d) BIN=$(BIN) sh examples/demo.sh

test: $(VENV)/.dev
	$(BIN)/python $(PYTEST) -m "not slow"

test-slow: $(VENV)/.dev test-train-slow
	INFORCE_FUZZ=10000 $(BIN)/python $(PYTEST) -m "slow or fuzz"

test-train: $(TRAIN)/.train
	$(TRAIN)/bin/python $(PYTEST) -m "torch and not slow" $(TORCH)

test-train-slow: $(TRAIN)/.train
	$(TRAIN)/bin/python $(PYTEST) -m "torch and slow" $(TORCH)

test-trl: $(TRL)/.trl
	$(TRL)/bin/python -m pytest -m trl tests/train_trl

test-verl: $(VERL)/.verl
	$(VERL)/bin/python -m pytest tests/train_verl

check: lint types

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/pyright

types-train: $(TRAIN)/.train
	$(BIN)/pyright -p tests/train

types-trl: $(TRL)/.trl
	$(BIN)/pyright -p tests/train_trl

types-verl: $(VERL)/.verl
	$(BIN)/pyright -p tests/train_verl

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "inforce needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) --require-hashes -r locks/pip.txt

$(VENV)/.base: locks/base.txt pyproject.toml | $(BIN)/python
	$(BIN)/python $(PIP) --require-hashes -r locks/base.txt
	$(BIN)/python $(PIP) --no-deps --editable .
	@touch $@

$(VENV)/.dev: locks/dev.txt pyproject.toml | $(BIN)/python
	$(BIN)/python $(PIP) --require-hashes -r locks/dev.txt
	$(BIN)/python $(PIP) --no-deps --editable .
	@touch $@ $(VENV)/.base

# torch lives in a second environment, which sees the first one's libraries, pip among them. It has no
# hashes: a lock for every platform would name gigabytes of CUDA libraries.
LIBRARIES := -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
define environment
	$(BIN)/python -m venv --without-pip $(1)
	$(BIN)/python $(LIBRARIES) > "$$($(1)/bin/python $(LIBRARIES))/dev.pth"
	$(1)/bin/python $(PIP) $(2)
	$(1)/bin/python $(PIP) --no-deps --editable .
	@touch $@
endef

$(TRAIN)/.train: $(VENV)/.dev locks/train.txt
	$(call environment,$(TRAIN),-r locks/train.txt)

$(TRL)/.trl: $(VENV)/.dev locks/train.txt locks/trl.txt
	$(call environment,$(TRL),-r locks/trl.txt)

$(VERL)/.verl: $(VENV)/.dev locks/verl.txt
	$(call environment,$(VERL),-r locks/verl.txt)

# The locks are written by uv (https://docs.astral.sh/uv/) and read by plain pip.
LOCK := uv pip compile pyproject.toml --quiet --python-version 3.11 --universal --generate-hashes --no-header
lock:
	$(LOCK) --output-file locks/base.txt
	$(LOCK) --extra eval --extra benchmarks --group dev --output-file locks/dev.txt
	echo pip | uv pip compile - --quiet --generate-hashes --no-header --output-file locks/pip.txt

clean:
	rm -rf $(VENV) $(TRAIN) $(TRL) $(VERL) .pytest_cache .ruff_cache .hypothesis
