"""The worker for analysis steps back behind everything else."""

from __future__ import annotations

import os
import subprocess
import sys

from stack import processes
from stack.gently import STEP_BACK
from stack.places import ROOT, python_path


def test_what_runs_gently_is_nicer_than_who_started_it() -> None:
    script = "import os; print(os.nice(0))"
    command = [sys.executable, "-m", "stack.gently", "timeit", "-n", "1", "-r", "1", script]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": python_path()}, capture_output=True, text=True, check=True)
    assert int(done.stdout.splitlines()[0]) == min(os.nice(0) + STEP_BACK, 19)


def test_analysis_waits_in_a_queue_of_its_own_on_one_core_and_gently() -> None:
    words = processes.analysis_worker()
    assert words[1:4] == ["-m", "stack.gently", "celery"]
    assert words[-4:] == ["-Q", "analysis", "-c", "1"]
    assert "analysis" not in " ".join(processes.bots_worker() + processes.default_worker(ROOT / "beat"))
