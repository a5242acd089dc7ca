"""scipy as an optimiser of `solve`: examples/optimisers/scipy_evolution.py."""

import json
import os
import subprocess
import sys

import pytest

TETROPT = os.environ["TETROPT"]
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "optimisers",
                       "scipy_evolution.py")


def test_scipy():
    pytest.importorskip("scipy")
    command = [TETROPT, "solve", "--n", "4", "--seed", "2", "--evaluations", "3000", "--json", "--no-times",
               "--algorithm", f"lines:{sys.executable} {EXAMPLE}"]
    first, second = (json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(2))
    assert first == second
    assert first["evaluations"] == 3000 and first["algorithm"] == "lines"
    assert first["fitness"] > -100
