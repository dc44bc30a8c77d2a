# Everything sets up what it needs: Python 3.11 and make are enough.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: help run test lint types imports check fix bench bench-peers soak broken lock vendor licences clean

help: ## what there is to make
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

run: $(VENV)/run.stamp ## start the server on http://127.0.0.1:8000
	$(BIN)/softrail serve

test: $(VENV)/dev.stamp ## run every test
	$(BIN)/python -m pytest -n 3 --dist worksteal

lint: $(VENV)/dev.stamp ## style, types and import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test ## exactly what continuous integration runs

fix: $(VENV)/dev.stamp ## repair what can be repaired by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev.stamp ## print the benchmark table (minutes)
	$(BIN)/python -m benchmarks

bench-peers: $(VENV)/dev.stamp $(VENV)/peers.stamp ## the same turns on other frameworks, installed beside the tree (minutes)
	$(BIN)/python -m benchmarks.peers.pace --pythons $(VENV)/peers/bin/python

soak: $(VENV)/dev.stamp ## long fault tests: kills, races, a dying database (an hour or so)
	$(BIN)/python -m tests.faults.soak

broken: $(VENV)/dev.stamp ## break each guarantee on purpose and see which tests notice (minutes)
	$(BIN)/python -m tests.faults.broken

lock: $(VENV)/bin/python ## pin every dependency with its hashes again, after a change of versions
	$(PIP) install --quiet uv
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python .ci/lock.py

vendor: ## write the pages' two libraries again, after a change of versions; the one thing that needs Node
	cd .ci/vendor && npm ci --no-audit --no-fund && node vendor.mjs

licences: $(VENV)/run.stamp ## list what is installed: names, versions, licences
	@$(BIN)/python .ci/licences.py

clean: ## remove the environment and every cache
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --upgrade "pip>=25.1"

$(VENV)/run.stamp: $(VENV)/bin/python pyproject.toml requirements.txt
	$(PIP) install --quiet --require-hashes --requirement requirements.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/bin/python pyproject.toml requirements-dev.txt
	$(PIP) install --quiet --require-hashes --requirement requirements-dev.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $(VENV)/run.stamp $@

$(VENV)/peers.stamp: $(VENV)/bin/python benchmarks/peers/pace/requirements.txt
	$(PYTHON) -m venv $(VENV)/peers
	$(VENV)/peers/bin/python -m pip install --quiet --requirement benchmarks/peers/pace/requirements.txt
	@touch $@
