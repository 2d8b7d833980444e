# mlnotes: `make` builds everything, `make help` lists the targets.
# `make -B figures` redraws all figures, `make -j2 lectures` executes two lectures at a time,
# `make PYTHON=python3.12` chooses the Python of a new environment.

SHELL := bash
.SHELLFLAGS := -eo pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
export TIMEFORMAT := -- took %1R s
export PIP_DISABLE_PIP_VERSION_CHECK := 1

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SOURCES := $(wildcard mlnotes/*.py mlnotes/*/*.py mlnotes/data/*)
LECTURES := $(patsubst %,build/%,$(wildcard lectures/*.ipynb))
FORCED := $(findstring B,$(firstword -$(MAKEFLAGS)))
INSTALL := $(if $(shell command -v uv),uv pip install --python $(BIN)/python,$(BIN)/python -m pip install)
OFFLINE := $(if $(wildcard wheels/*),--no-index --find-links wheels)
EXECUTE := $(BIN)/jupyter nbconvert --to notebook --execute --log-level WARN \
	--KernelManager.transport_encryption=auto
SUDO = $(if $(shell command -v sudo),sudo )
PYTHON_INSTALL = $(if $(shell command -v brew),brew install python3,$(if $(shell \
	command -v dnf),$(SUDO)dnf install python3,$(SUDO)apt-get install python3-venv))
LOCK = uv pip compile pyproject.toml --universal --python-version 3.10 --upgrade --quiet \
	--generate-hashes --no-emit-index-url --annotation-style line --custom-compile-command 'make lock'

.PHONY: all help test verify lectures figures grade bench book slides lab lint format wheels lock clean

all: verify lectures figures grade ## everything: verify, lectures, figures and the sample grades

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

test: $(READY) ## ruff and the whole test suite
	@echo "== Style: ruff check, ruff format --check"
	@time { $(BIN)/ruff check --quiet . && $(BIN)/ruff format --check --quiet .; }
	@echo "== Tests: pytest in two processes"
	@$(BIN)/python -m pytest -n 2

verify: $(READY) ## check every claim against the library
	@echo "== Verifying every claim"
	@time $(BIN)/mlnotes verify

lectures: $(LECTURES) ## execute the lectures into build/lectures

build/lectures/%.ipynb: lectures/%.ipynb $(SOURCES) | $(READY)
	@echo "== Executing $<"
	@time $(EXECUTE) --output-dir $(@D) $<

figures: $(READY) ## redraw the figures that are out of date into figures/gallery; FORMAT=pdf writes them for LaTeX
	@echo "== Drawing the figures"
	@time $(BIN)/mlnotes figures $(if $(FORCED),--all) $(if $(FORMAT),--format $(FORMAT))

grade: $(READY) ## grade the sample submissions into build/grades
	@echo "== Grading the sample submissions"
	@level=auto; $(BIN)/mlnotes doctor || { level=limits; \
		echo "No sandbox works here: the samples, which are our own, run with limits only."; }; \
	time $(BIN)/mlnotes grade hw01 tests/submissions --out build/grades --sandbox $$level

bench: $(READY) ## compare speed with scikit-learn, write benchmarks/results.json
	@echo "== Comparing speed with scikit-learn"
	@time $(BIN)/python -m benchmarks

book: $(VENV)/.book $(LECTURES) build/claims.json ## write the course as a site into build/book (Python 3.11 or newer)
	@echo "== Building the book"
	@time $(BIN)/python -m book

slides: book ## the lectures as slides, in build/book/lectures/*.slides.html
	@ls build/book/lectures/*.slides.html

build/claims.json: $(SOURCES) | $(READY)
	@echo "== Verifying every claim for the book"
	@mkdir -p $(@D); time $(BIN)/mlnotes verify --json >$@

lab: $(VENV)/.lab ## open the lectures in JupyterLab
	$(BIN)/jupyter lab lectures

lint: $(READY) ## ruff and mypy
	@echo "== Style and types: ruff, mypy"
	@time { $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy; }

format: $(READY) ## put code and notebooks in their stored form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/nbstripout --keep-id lectures/*.ipynb lectures/homework/*.ipynb

wheels: | $(BIN)/python ## keep the locked packages in ./wheels; a machine without a network installs from there
	@echo "== Downloading the locked requirements into wheels/"
	@time $(BIN)/python -m pip download --quiet --require-hashes --requirement requirements/dev.txt --dest wheels

lock: ## move the locked requirements to today's newest versions (needs uv)
	@echo "== Locking requirements"
	$(LOCK) --extra dev --output-file requirements/dev.txt
	$(LOCK) --extra lab --constraint requirements/dev.txt --output-file requirements/lab.txt
	$(LOCK:3.10=3.11) --extra book --constraint requirements/dev.txt --output-file requirements/book.txt

clean: ## remove what was built and cached; the environment stays
	rm -rf build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis

$(BIN)/python:
	@echo "== Making $(VENV)"
	@test ! -x $@ || exit 0; for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python3.10; do \
		"$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || continue; \
		time "$$python" -m venv $(VENV); exit; \
	done; \
	echo "mlnotes needs Python 3.10 or newer with venv. This installs it: $(PYTHON_INSTALL)" >&2; exit 1

$(VENV)/.requirements: requirements/dev.txt | $(BIN)/python
	@echo "== Installing the locked requirements (130 MB, downloaded once)"
	@time $(INSTALL) --quiet $(OFFLINE) --require-hashes --requirement $<
	@touch $@

$(READY): pyproject.toml $(VENV)/.requirements
	@echo "== Installing mlnotes from this folder"
	@time $(INSTALL) --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.lab: requirements/lab.txt $(READY)
	@echo "== Installing JupyterLab"
	@time $(INSTALL) --quiet $(OFFLINE) --require-hashes --requirement $<
	@touch $@

$(VENV)/.book: requirements/book.txt $(READY)
	@echo "== Installing Sphinx"
	@time $(INSTALL) --quiet $(OFFLINE) --require-hashes --requirement $<
	@touch $@
