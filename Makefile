# mlnotes: `make` builds everything, `make help` lists the targets.
# `make -B figures` redraws all figures, `make PYTHON=python3.12` chooses the Python of a new environment,
# `make book LECTURES="01 05 07"` the lectures.

SHELL := bash
.SHELLFLAGS := -eo pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
export TIMEFORMAT := -- took %1R s
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONDONTWRITEBYTECODE # each of many processes would compile the package, and pytest all tests, again

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SOURCES := $(wildcard mlnotes/*.py mlnotes/*/*.py mlnotes/datasets/data/*)
PYTHONS := 3.10 3.11 3.12 3.13 3.14
LECTURES :=
NOTEBOOKS = $(if $(LECTURES),$(foreach n,$(LECTURES),$(or $(call lectures,$(n)),$(error \
	LECTURES: there is no lecture $(n); an example: LECTURES="01 05"))),$(call lectures,*))
lectures = $(wildcard lectures/$(1)_*.ipynb lectures/deeper/$(1)_*.ipynb)
EXECUTED = $(patsubst %,build/%,$(NOTEBOOKS))
CORES := $(shell getconf _NPROCESSORS_ONLN)
FORCED := $(findstring B,$(firstword -$(MAKEFLAGS)))
INSTALL := $(BIN)/python -m pip install
OFFLINE := $(if $(wildcard wheels/*),--no-index --find-links wheels)
EXECUTE := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 \
	$(BIN)/jupyter nbconvert --to notebook --execute --log-level WARN \
	--KernelManager.transport_encryption=auto
WORDS := git ls-files -z | xargs -0 $(BIN)/codespell && $(BIN)/python scripts/words.py
SUDO = $(if $(shell command -v sudo),sudo )
PYTHON_INSTALL = $(if $(shell command -v brew),brew install python3,$(if $(shell \
	command -v dnf),$(SUDO)dnf install python3,$(SUDO)apt-get install python3-venv))
UPGRADE := --upgrade
LOCK = uv pip compile pyproject.toml --universal --python-version 3.10 $(UPGRADE) --quiet \
	--generate-hashes --no-emit-index-url --annotation-style line --custom-compile-command 'make lock'

.PHONY: all help test verify lectures figures grade mutants bench book slides pdf lite test-lite site lab lint format dist matrix wheels lock clean

all: verify lectures figures grade ## everything: verify, lectures, figures and the sample grades

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

test: $(READY) ## style and the whole test suite
	@echo "== Style: ruff check, ruff format --check, spelling, words"
	@time { $(BIN)/ruff check --quiet . && $(BIN)/ruff format --check --quiet . && $(WORDS); }
	@echo "== Tests: pytest in three processes: browsers and sandboxes wait"
	@$(BIN)/python -m pytest -n 3 --dist worksteal

verify: $(READY) ## check every claim against the library
	@echo "== Verifying every claim"
	@time $(BIN)/mlnotes verify

lectures: ## execute the lectures into build/lectures, one a core
	@$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(CORES)) $(EXECUTED)

build/lectures/%.ipynb: lectures/%.ipynb $(SOURCES) | $(READY)
	@echo "== Executing $<"
	@time $(EXECUTE) --output-dir $(@D) $<

figures: $(READY) ## redraw the figures that are out of date; FORMAT=pdf or svg writes vector graphics
	@echo "== Drawing the figures"
	@time $(BIN)/mlnotes figures $(if $(FORCED),--all) $(if $(FORMAT),--format $(FORMAT))

grade: $(READY) ## grade the sample submissions into build/grades
	@echo "== Grading the sample submissions"
	@level=auto; $(BIN)/mlnotes doctor || { level=limits; \
		echo "No sandbox works here: the samples, which are our own, run with limits only."; }; \
	time $(BIN)/mlnotes grade hw01 tests/submissions --out build/grades --sandbox $$level

mutants: $(READY) ## change modules and solutions at random places and list what no claim or test notices; FILES, SAMPLE
	@time $(BIN)/python -m tests.generated --sample $(or $(SAMPLE),20) $(FILES)

bench: $(READY) ## compare speed with scikit-learn; writes benchmarks/results.json and the table of the README
	@echo "== Comparing speed with scikit-learn"
	@time $(BIN)/python -m benchmarks

book: $(VENV)/.book $(EXECUTED) build/claims.json ## write the course as a site into build/book (Python 3.11 or newer)
	@echo "== Building the book"
	@time $(BIN)/python -m book $(LECTURES)

slides: book ## the lectures as slides, in build/book/slides
	@ls build/book/slides/[0-9]*.html

lite: $(VENV)/.lite ## lectures and homework for a browser's tab, in build/lite; PYODIDE=DIR takes Python from a folder
	@echo "== Building the lite site"
	@time $(BIN)/python -m lite $(if $(PYODIDE),--pyodide $(PYODIDE))

test-lite: $(READY) ## run every lecture and homework in a browser's tab (Chromium, Node; 120 MB, downloaded once)
	@$(BIN)/python scripts/pyodide.py
	@$(MAKE) site PYODIDE=.pyodide
	@time MLNOTES_LITE=all $(BIN)/python -m pytest tests/lite

site: book lite ## book and lite site in one folder, build/site, that any web server shows
	@echo "== Joining book and lite site"
	@time $(BIN)/python -m lite.join

build/claims.json: $(SOURCES) | $(READY)
	@echo "== Verifying every claim for the book"
	@mkdir -p $(@D); time $(BIN)/mlnotes verify --json >$@

pdf: $(VENV)/.book $(EXECUTED) build/claims.json ## typeset the lectures as one book, build/pdf/mlnotes.pdf (needs XeLaTeX)
	@echo "== Typesetting the book"
	@time $(BIN)/python -m book.pdf $(LECTURES)

lab: $(VENV)/.lab ## open the lectures in JupyterLab
	$(BIN)/jupyter lab lectures

lint: $(READY) ## style, spelling, words of the field, types
	@echo "== Style, words and types: ruff, codespell, scripts/words.py, mypy"
	@time { $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(WORDS) && $(BIN)/mypy; }

format: $(READY) ## put code and notebooks in their stored form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/nbstripout --keep-id $(wildcard lectures/*.ipynb lectures/*/*.ipynb)

dist: $(READY) ## build the wheel and the source archive into dist
	@echo "== Building the package"
	@rm -rf dist; time $(BIN)/python -m hatchling build -d dist

matrix: dist ## verify every claim with the wheel on each Python, with the oldest and the newest NumPy (needs uv)
	@echo "== Trying the wheel on Python $(PYTHONS)"
	@command -v uv >/dev/null || { echo "make $@ needs uv: pip install uv" >&2; exit 1; }
	@for python in $(PYTHONS); do \
		uv python find --quiet $$python >/dev/null 2>&1 || uv python install --quiet $$python 2>/dev/null || { \
			echo "Python $$python: not here, not tried"; continue; }; \
		for numpy in lowest highest; do \
			verdict=$$(uv run --isolated --no-project --python $$python --quiet --resolution $$numpy \
				--no-build-package numpy --with dist/*.whl mlnotes verify | tail -1); \
			echo "Python $$python, $$numpy NumPy: $$verdict"; \
		done; done

wheels: | $(BIN)/python ## keep the locked packages in ./wheels; a machine without a network installs from there
	@echo "== Downloading the locked requirements into wheels/"
	@time $(BIN)/python -m pip download --quiet --require-hashes --requirement requirements/dev.txt --dest wheels

lock: ## move the locked requirements to today's newest versions; UPGRADE= only adds what is new (needs uv)
	@echo "== Locking requirements"
	@command -v uv >/dev/null || { echo "make $@ needs uv: pip install uv" >&2; exit 1; }
	$(LOCK) --extra dev --output-file requirements/dev.txt
	$(LOCK) --extra ci --constraint requirements/dev.txt --output-file requirements/ci.txt
	$(LOCK) --extra lab --constraint requirements/dev.txt --output-file requirements/lab.txt
	$(LOCK) --extra lite --constraint requirements/dev.txt --output-file requirements/lite.txt
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

$(VENV)/.lite: requirements/lite.txt $(READY) $(if $(filter site,$(MAKECMDGOALS)),$(VENV)/.book) # one pip at a time
	@echo "== Installing JupyterLite"
	@time $(INSTALL) --quiet $(OFFLINE) --require-hashes --requirement $<
	@touch $@
