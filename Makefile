# Two commands do all the set-up: `make demo` and `make test`. A second run starts at once.
# Another Python: `make test PYTHON=python3.12`. Options for pip go by its own variables or configuration file.

PYTHON ?= python3
VENV   ?= .venv
ARGS   ?=

PIP    := $(VENV)/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
EDIT   := $(PIP) --no-build-isolation --editable
SET_UP := pyproject.toml constraints.txt

.DEFAULT_GOAL := help
.PHONY: help install demo test check format docs benchmark clean

help:  ## say what each command does
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(VENV)/.dev  ## make .venv with jumok and all that its developers need

demo: $(VENV)/.jumok  ## install jumok into .venv and watch two translators learn (ARGS=--fast for a minute)
	@$(VENV)/bin/jumok demo $(ARGS)

test: $(VENV)/.dev  ## the same with the test tools, and run all tests (ARGS="-m 'not slow'" for the quick ones)
	@$(VENV)/bin/python -m pytest -n auto --maxprocesses 4 $(ARGS)

check: $(VENV)/.dev  ## formatting, lint, types, and the doors between the rooms
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/mypy --python-version 3.10 --no-warn-return-any --no-warn-unused-ignores  # NumPy's types need a newer one
	@$(VENV)/bin/lint-imports

format: $(VENV)/.dev  ## put the code into shape
	@$(VENV)/bin/ruff check --fix-only .
	@$(VENV)/bin/ruff format .

docs: $(VENV)/.dev  ## build the site into site/; a broken link is an error
	@$(VENV)/bin/mkdocs build --strict $(ARGS)

benchmark: $(VENV)/.benchmarks  ## measure attention against its peers
	@$(VENV)/bin/python benchmarks/attention.py $(ARGS)

clean:  ## remove .venv and everything that was built
	rm -rf $(VENV) build dist site .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

# hatchling is installed first and used without isolation, so that constraints.txt pins the build as well.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null \
		|| { echo "jumok needs Python 3.10 or newer; choose one, such as: make demo PYTHON=python3.12" >&2; exit 1; }
	@test -x $(VENV)/bin/pip || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	@touch $@

$(VENV)/.jumok: $(VENV)/.made $(SET_UP)
	@echo "installing jumok into $(VENV); the first time this takes some minutes"
	@$(PIP) hatchling editables
	@$(EDIT) '.[fonts]'
	@touch $@

$(VENV)/.dev $(VENV)/.benchmarks: $(VENV)/.%: $(VENV)/.jumok
	@echo "installing jumok[$*] into $(VENV)"
	@$(EDIT) '.[$*]'
	@touch $@
