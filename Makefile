# make app: set everything up in .venv and run the app on the sample data.
# make test: set everything up and run lint, types, unit and browser tests.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: app test lint types unit browser bench bench-pages bench-ingest bench-systems screenshots clean

app: .venv/app.done
	$(BIN)/python -m streamlit run app.py

test: lint types unit browser

lint: .venv/test.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/test.done
	$(BIN)/mypy

unit: .venv/test.done
	sh tests/install_html_checker.sh
	sh tests/storage/install_postgresql.sh
	$(BIN)/python -m pytest -m "not browser"

# On a busy machine a browser may miss a click: what failed is tried once more, alone.
browser: .venv/test.done
	sh tests/e2e/install_chromium.sh
	sh tests/storage/install_postgresql.sh
	$(BIN)/python -m pytest -m browser || $(BIN)/python -m pytest -m browser --last-failed

bench: .venv/test.done
	$(BIN)/python -m tests.benchmark

bench-pages: .venv/test.done
	$(BIN)/python -m tests.benchmark_pages

bench-ingest: .venv/test.done
	$(BIN)/python -m tests.benchmark_ingest

bench-systems: .venv/test.done
	$(PIP) -r tests/requirements-benchmark.txt
	$(BIN)/python -m tests.benchmark_systems

screenshots: .venv/test.done
	$(BIN)/python -m tests.screenshots screenshots

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/python.done:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Crosshead needs Python 3.11 or newer; name it with: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	touch $@

.venv/app.done: requirements.txt .venv/python.done
	$(PIP) -r requirements.txt
	touch $@

.venv/test.done: tests/requirements.txt .venv/app.done
	$(PIP) -r tests/requirements.txt
	touch $@
