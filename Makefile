# Two commands do everything on a fresh machine: make edition, make test.

PYTHON ?= python3
BIN := .venv/bin
# WeasyPrint opens Pango by name; Homebrew's folder is not on macOS's default path.
export DYLD_FALLBACK_LIBRARY_PATH := /opt/homebrew/lib:/usr/local/lib:$(DYLD_FALLBACK_LIBRARY_PATH)

.DEFAULT_GOAL := edition
.PHONY: edition test lint types tests lock clean system system-test

## Set up whatever is missing and export the bundled issue into out/.
edition: system .venv/edition.ready
	@$(BIN)/exporter all issues/2026-08-27 -o out

## Set up whatever is missing and run every check and every test.
test: system system-test .venv/test.ready tests/npm/node_modules/.package-lock.json lint types tests

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	$(BIN)/mypy

tests:
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest
	@$(BIN)/coverage combine -q
	@$(BIN)/coverage report --skip-covered --skip-empty

system:
	@.ci/system edition

system-test:
	@.ci/system test

.venv/bin/python:
	$(PYTHON) -m venv .venv

# --no-build-isolation: the build back end comes from the lock too.
.venv/edition.ready: requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing the locked requirements …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@touch $@

.venv/test.ready: requirements-dev.lock .venv/edition.ready
	@echo "Installing the locked test requirements …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

# Absent npm is said here and by the tests that need it; a lock without addresses asks npm's own registry.
tests/npm/node_modules/.package-lock.json: tests/npm/package-lock.json
	@if command -v npm >/dev/null; then echo "Installing the locked npm parts of the tests …"; \
	  npm ci --prefix tests/npm --ignore-scripts --no-audit --no-fund --loglevel=error >&2 && touch $@; \
	else echo "npm is missing: the tests of tests/npm are skipped, or fail under CI" >&2; fi

## Renew both locks (needs uv): versions and hashes, no address.
lock:
	uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-header \
	  pyproject.toml --group build -o requirements.lock
	uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-header \
	  pyproject.toml --extra dask --extra preview --group build --group dev -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf out .venv tests/npm/node_modules .coverage* .mypy_cache .ruff_cache .pytest_cache
