# The whole developer interface: `make` lists it. Another interpreter: `make test PYTHON=python3.13`.
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo test slow bench docs format clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

demo: .venv/.installed  ## a first session with likely, in a minute
	$(BIN)/likely demo

test: .venv/.installed-test  ## style, types, layers, laws, doctests, documents: all that CI runs
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	@types=$$(mktemp); $(BIN)/mypy >$$types 2>&1 & mypy=$$!; \
	echo '$(BIN)/mypy, and beside it $(BIN)/pytest -n 2 --dist worksteal'; \
	$(BIN)/pytest -n 2 --dist worksteal; failed=$$?; \
	wait $$mypy || failed=1; cat $$types; rm -f $$types; exit $$failed

slow: .venv/.installed-test  ## the tests that take minutes
	$(BIN)/pytest -m slow -o faulthandler_timeout=0

bench: .venv/.installed-test  ## every script of benchmarks/speed
	@set -e; for script in benchmarks/speed/*.py; do echo "== $$script"; $(BIN)/python "$$script"; done

docs: .venv/.installed-test  ## the documentation site, in build/site; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

format: .venv/.installed-test  ## put the code into shape
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:  ## remove the environment, caches and builds
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/pip:  # pip comes last into a new environment: where it is, the environment is whole
	$(PYTHON) -m venv .venv

.venv/.installed: pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/.installed-test: pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch .venv/.installed $@
