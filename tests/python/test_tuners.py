"""`tune` next to Optuna, with little work: the script of docs/TUNE.md runs to its end."""

import os
import subprocess
import sys

import pytest

TETROPT = os.environ["TETROPT"]
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")


def test_compare_tuners(tmp_path):
    pytest.importorskip("optuna")
    pytest.importorskip("scipy")
    done = subprocess.run([sys.executable, os.path.join(SCRIPTS, "compare-tuners"), "--tetropt", TETROPT, "--budget",
                           "150", "--evaluations", "500", "--folder", str(tmp_path)], check=True,
                          capture_output=True, text=True)
    means = {line[:13].strip(): float(line.split()[-5]) for line in done.stdout.splitlines() if " mean " in line}
    assert set(means) == {"default", "tetropt tune", "Optuna TPE"}
    assert means["tetropt tune"] >= means["default"] - 20
