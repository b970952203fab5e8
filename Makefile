# Thin aliases; what they do lives in manage.py's commands. `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help run demo setup test lint types audit lock bench bench-api bench-tables chaos soak messages chromium tools clean

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
UV := uv==0.13.8
PYTEST_ARGS ?= -n 2 --dist worksteal -q
PACKAGES := aurum_league games bots tournaments benchmarks tests
export PORT HOST AURUM_DATA DATABASE_URL REDIS_URL
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Site and tests start dozens of programs: compiled modules are kept for the next, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: $(VENV)/installed ## everything: services, migrations, demo league, then the site on PORT (8000)
	@exec $(BIN)/python manage.py up --demo

demo: $(VENV)/installed ## play the demo league, show its standings, stop
	@exec $(BIN)/python manage.py demo

setup: $(VENV)/installed ## set a public site up: five questions, .env with its keys, checks of DNS and mail
	@exec $(BIN)/python manage.py setup

test: $(VENV)/installed-dev chromium tools ## install what the tests need and run all of them
	@exec $(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/installed-dev ## ruff, djlint for the templates, and the arrows between packages
	$(BIN)/ruff check .
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/lint-imports --no-cache

types: $(VENV)/installed-dev ## mypy
	$(BIN)/mypy $(PACKAGES)

audit: $(VENV)/installed-dev ## known faults in packages (needs the network) and suspicious code; docs/SECURITY.md says what is waived
	$(BIN)/bandit -q -ll -s B102,B108,B608,B703 -r aurum_league games bots tournaments benchmarks
	$(BIN)/pip-audit --strict --require-hashes --disable-pip -r requirements.txt

lock: $(BIN)/python ## resolve pyproject.toml into the requirements files, with hashes
	$(BIN)/python -m venv build/lock && build/lock/bin/pip install -q $(UV)
	build/lock/bin/uv pip compile pyproject.toml --extra site --universal -p 3.11 --generate-hashes --no-header --no-annotate -q -o requirements.txt
	build/lock/bin/uv pip compile pyproject.toml --extra embedded -c requirements.txt --universal -p 3.11 --generate-hashes --no-header --no-annotate -q -o requirements-embedded.txt
	build/lock/bin/uv pip compile pyproject.toml --extra site --extra embedded --extra dev --extra learn --universal -p 3.11 --generate-hashes --no-header --no-annotate -q -o requirements-dev.txt

bench: $(VENV)/installed ## measure the rules, the sandbox and the queue; aurum bench --help lists all instruments
	$(BIN)/aurum bench rules
	$(BIN)/aurum bench sandbox
	$(BIN)/aurum bench queue

bench-api: $(VENV)/installed ## measure pages and API
	@exec $(BIN)/aurum bench api

bench-tables: $(VENV)/installed ## measure a hundred tables of people at once, against a running site
	@exec $(BIN)/aurum bench tables

chaos: $(VENV)/installed ## play a tournament while its processes are killed
	@exec $(BIN)/aurum bench chaos

soak: $(VENV)/installed ## play and read for half an hour and see whether anything grows
	@exec $(BIN)/aurum bench soak

messages: $(VENV)/installed-dev ## collect (where GNU gettext is installed) and compile the translations
	@if command -v xgettext >/dev/null; then $(BIN)/python manage.py makemessages -l fr -l de -l ru --no-obsolete --no-location --no-wrap -i .venv -i build -i var; \
	else echo "GNU gettext is not installed: the catalogues are compiled as they stand."; fi
	$(BIN)/pybabel compile -D django -d aurum_league/locale

clean: ## remove what was built and installed; data in AURUM_DATA stays
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find $(PACKAGES) -name __pycache__ -prune -exec rm -rf {} + -o \( -name '*.so' -o -name '*.c' \) -exec rm -f {} +

# uv installs in a quarter of the time; where it cannot be had, or reaches no index, pip does the same from the same hashes.
define install
	@$(BIN)/uv pip install -q --python $(BIN)/python --require-hashes -r $(1) 2>/dev/null || \
	$(BIN)/python -m pip install -q --require-hashes -r $(1)
endef

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "aurum: Python 3.11 or newer is needed; install it or name it: make PYTHON=/path/to/python" >&2; exit 1; }
	@echo "Making a virtual environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q $(UV) 2>/dev/null || echo "uv cannot be had here: pip installs, more slowly."

# What is compiled is compiled again when its sources have changed, by an upgrade or by hand.
COMPILED := $(foreach folder,games/rules games/learn bots/brains,$(wildcard $(folder)/*.py $(folder)/*.pxd))

$(VENV)/installed: $(BIN)/python requirements.txt requirements-embedded.txt pyproject.toml $(wildcard setup.py) $(COMPILED)
	@echo "Installing packages: half a minute or so, once …"
	$(call install,requirements.txt)
	$(call install,requirements-embedded.txt)
	@echo "Compiling the rules and the house bots: half a minute where there is a C compiler, once …"
	@$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements-dev.txt
	@echo "Installing what the tests need …"
	$(call install,requirements-dev.txt)
	@touch $@

chromium:
	@command -v chromium-headless-shell >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq; \
		for browser in chromium-headless-shell chromium; do apt-get install -y -qq --no-install-recommends $$browser && break; done; \
	fi >/dev/null 2>&1; \
	command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || \
	echo "NOTE: no Chromium was found and none could be installed (that takes root and apt): THE BROWSER TESTS ARE SKIPPED." >&2

# What judges the files in deploy/, and Rust with its target for the starter; a test that misses its tool says so and is
# skipped.
tools:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		! { command -v promtool && command -v caddy && command -v wasm-ld && test -x /usr/bin/rustc; } >/dev/null; then \
		apt-get update -qq; apt-get install -y -qq --no-install-recommends caddy prometheus; \
		apt-get install -y -qq --no-install-recommends rustc libstd-rust-dev-wasm32 lld; \
	fi >/dev/null 2>&1 || true
