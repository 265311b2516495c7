# make run    start the assistant on http://localhost:7860
# make test   every check and test
# Needs Python 3.11 or newer as python3; otherwise say which: make run PYTHON=python3.12

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.installed-run
DEV := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# The browser of the end-to-end tests: this one, else one that is installed, else Playwright's own.
CHROMIUM_PATH ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome || command -v google-chrome-stable)

# One thread for numpy in tests: figures and times do not depend on the number of cores.
TEST_ENV := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 GRADIO_ANALYTICS_ENABLED=False

# So many test files at once; each test has folders, ports and servers of its own.
WORKERS ?= auto
AT_ONCE := -n $(WORKERS) --dist loadfile

.PHONY: help run test check unit e2e chromium lint format evals clean

help:
	@echo "make run               start the assistant on http://localhost:7860 (HOST, PORT and DATA_DIR are respected)"
	@echo "make test              every check and every test"
	@echo "make check             ruff, mypy and the import contracts only"
	@echo "make unit              the quick tests only"
	@echo "make format            format the code and apply safe fixes"
	@echo "make evals DATA=DIR    the evals whose data lies in DIR (xquad/, financebench/, odd_pdfs/)"
	@echo "make clean             remove the environment and all caches; never the data folder"

run: $(RUN)
	$(BIN)/python app.py

test: check chromium
	$(TEST_ENV) $(BIN)/python -m pytest $(AT_ONCE) -m "not alone" tests/unit tests/contracts tests/integration tests/evals
	$(TEST_ENV) $(BIN)/python -m pytest -m alone tests/unit tests/contracts tests/integration tests/evals
	$(TEST_ENV) CHROMIUM_PATH="$(CHROMIUM_PATH)" $(BIN)/python -m pytest $(AT_ONCE) tests/e2e

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy core app
	$(BIN)/mypy app.py
	$(BIN)/lint-imports

lint: check

unit: $(DEV)
	$(TEST_ENV) $(BIN)/python -m pytest $(AT_ONCE) tests/unit tests/contracts

e2e: $(DEV) chromium
	$(TEST_ENV) CHROMIUM_PATH="$(CHROMIUM_PATH)" $(BIN)/python -m pytest $(AT_ONCE) tests/e2e

chromium: $(DEV)
	@if [ -n "$(CHROMIUM_PATH)" ]; then echo "Browser for the tests: $(CHROMIUM_PATH)"; \
	elif $(BIN)/python -m playwright install chromium; then echo "Browser for the tests: Playwright's Chromium"; \
	else echo "No Chromium was found and none could be downloaded. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH."; exit 1; fi

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

evals: $(DEV)
	@if [ -z "$(DATA)" ]; then echo "Say where the data is: make evals DATA=DIR"; exit 1; fi
	@status=0; \
	if [ -d "$(DATA)/xquad" ]; then $(BIN)/python -m tests.evals.xquad --data "$(DATA)/xquad" --json eval-results/xquad.json || status=1; fi; \
	if [ -d "$(DATA)/xquad" ]; then $(BIN)/python -m tests.evals.embedders --data "$(DATA)/xquad" --json eval-results/embedders.json || status=1; fi; \
	if [ -d "$(DATA)/xquad" ]; then $(BIN)/python -m tests.evals.chunking --data "$(DATA)/xquad" --json eval-results/chunking.json || status=1; fi; \
	if [ -d "$(DATA)/financebench" ]; then $(BIN)/python -m tests.evals.financebench --data "$(DATA)/financebench" --json eval-results/financebench.json || status=1; fi; \
	if [ -d "$(DATA)/xquad" ] && [ -d "$(DATA)/financebench" ]; then $(BIN)/python -m tests.evals.answerability --data "$(DATA)" --json eval-results/answerability.json || status=1; fi; \
	if [ -d "$(DATA)/xquad" ] && [ -d "$(DATA)/financebench" ]; then $(BIN)/python -m tests.evals.latency --data "$(DATA)" --json eval-results/latency.json || status=1; fi; \
	$(BIN)/python -m tests.evals.routing --data "$(DATA)" || status=1; \
	if [ -d "$(DATA)/financebench" ]; then $(BIN)/python -m tests.evals.loading --data "$(DATA)/financebench" --json eval-results/loading.json || status=1; fi; \
	if [ -d "$(DATA)/financebench" ]; then $(BIN)/python -m tests.evals.growth --data "$(DATA)/financebench" --json eval-results/growth.json || status=1; fi; \
	if [ -d "$(DATA)/odd_pdfs" ]; then $(BIN)/python -m tests.evals.odd_pdfs --data "$(DATA)/odd_pdfs" --json eval-results/odd_pdfs.json || status=1; fi; \
	$(BIN)/python -m tests.data.make_reading --out eval-results/reading && $(BIN)/python -m tests.evals.reading --data eval-results/reading --json eval-results/reading.json || status=1; \
	$(BIN)/python -m tests.data.make_hostile --out eval-results/hostile && $(BIN)/python -m tests.evals.hostile --data eval-results/hostile --json eval-results/hostile.json || status=1; \
	exit $$status

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .gradio test-results eval-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; choose one with: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(RUN): requirements.txt | $(BIN)/python
	@echo "Installing the packages into $(VENV); the first time this takes a minute or two."
	$(PIP) install -r requirements.txt
	@touch $@

$(DEV): requirements-dev.txt requirements.txt | $(BIN)/python
	@echo "Installing the packages into $(VENV); the first time this takes a minute or two."
	$(PIP) install -r requirements-dev.txt
	@touch $(RUN) $@
