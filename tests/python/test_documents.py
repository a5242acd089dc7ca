"""docs/PYTHON.md and examples/python run."""

import json
import os
import re
import subprocess
import sys

import pytest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EXAMPLES = os.path.join(ROOT, "examples", "python")
NEEDS = {"compare_ga.py": "scipy"}
SAYS = {
    "analyse_fumen.py": "514 of 840 queues",
    "compare_ga.py": "Wilcoxon p = ",
    "evaluate_million.py": "million pieces per second",
    "random_agent.py": "million placements per second",
    "train_features.py": "mean lines: ",
}


@pytest.mark.parametrize("name", sorted(os.listdir(EXAMPLES)))
def test_example(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    done = subprocess.run([sys.executable, os.path.join(EXAMPLES, name)], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0 and SAYS[name] in done.stdout, done.stdout + done.stderr


def test_page():
    with open(os.path.join(ROOT, "docs", "PYTHON.md"), encoding="utf-8") as file:
        page = file.read()
    for name in os.listdir(EXAMPLES):
        assert f"examples/python/{name}" in page
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    for block in blocks:
        compile(block, "docs/PYTHON.md", "exec")
    whole = [block for block in blocks if block.startswith("import tetropt\n")
             or "from_fumen" in block]
    assert len(whole) == 3
    for block in whole:
        exec("import tetropt\n" + block, {})


def test_bench():
    bench = os.path.join(ROOT, "bindings", "python", "bench.py")
    done = subprocess.run([sys.executable, bench, "--seconds", "0.01", "--rounds", "1", "--json", "--tetropt",
                           os.environ["TETROPT"]], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and json.loads(done.stdout)["rates"], done.stdout + done.stderr
