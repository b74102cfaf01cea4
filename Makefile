# Each word is one of bootstrap.py, which needs nothing but Python: `python3 bootstrap.py help` explains them.
# ARGS goes along: make run ARGS="--port 9000", make test ARGS="tests/games -x".
PYTHON ?= python3

.PHONY: run test test-fast lint types bench load chaos lock
run test test-fast lint types bench load chaos lock:
	@exec $(PYTHON) bootstrap.py $@ $(ARGS)
