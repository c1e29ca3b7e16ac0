# Both commands set themselves up: a virtual environment of their own, exact versions from constraints.txt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(shell date +%Y%m%d-%H%M%S)
EXTRAS :=  # more to install: make test EXTRAS=,openspiel,ray,site,trainers

# a file says what is installed, one for each list of extras: .venv/ready, .venv/ready-openspiel-ray
COMMA := ,
SPACE := $() $()
MORE := $(subst $(SPACE),,$(EXTRAS))
READY := $(VENV)/ready$(subst $(COMMA),-,$(MORE))

# one more than there are cores, because many tests wait for a browser or another process
TESTERS = $(shell $(PYTHON) -c "import os; print(min(4, os.cpu_count() + 1))")

# the tests start hundreds of processes: Python may keep what it has compiled, whatever the shell says
test: export PYTHONDONTWRITEBYTECODE =

.PHONY: demo test check docs site notebooks speed clean

demo: $(READY)  ## a net that learns from nothing (about five minutes on two cores), then a tournament: who beats whom
	$(BIN)/python -m danmaku_env.training.ppo --folder runs/demo-$(STAMP) --seconds 200 --report-every 40 --report-deals 64 --final-deals 100
	$(BIN)/danmaku tournament random heuristic neural:runs/demo-$(STAMP) --deals 200 --out runs/demo-$(STAMP)/tournament

test: $(READY)  ## the whole test suite, the compiler on; a part of it again with the compiler off
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m danmaku_env.docs --check
	$(BIN)/python -m pytest --numprocesses $(TESTERS) --dist loadfile --no-loadscope-reorder

check: test

docs: $(READY)  ## regenerate docs/*.md, the guard of the rules and the golden playthroughs
	$(BIN)/python -m danmaku_env.docs
	$(BIN)/python -m tests.rules_guard
	$(BIN)/python -m tests.playthroughs.record

site: $(READY)  ## the documentation as a site in build/site; any warning is an error
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[openspiel,site]"
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet -f website/mkdocs.yml

notebooks: $(READY)  ## run the notebooks at full size and keep their results in them
	$(BIN)/python -m notebooks

SPEED = vector pettingzoo_loop learner rule_play knowledge selfplay tables startup

speed: $(READY)  ## the benchmarks of speed, each with its ratio to a peer; those of play say in their heads how long they take
	for name in $(SPEED); do $(BIN)/python benchmarks/$$name.py || exit 1; done

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch==2.13.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[arena,data,train,serve,terminal,dev$(MORE)]"
	touch $@

clean:
	rm -rf $(VENV) *.egg-info .pytest_cache .mypy_cache .ruff_cache
