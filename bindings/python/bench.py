"""Measures the Python package: batch evaluation against `tetropt bench`, and the vector environment.

usage: python3 bindings/python/bench.py [--seconds S] [--rounds N] [--tetropt PROGRAM] [--json]

One thread. Each figure is the best of several runs that alternate. Where PufferLib is installed, its own
Tetris is measured in the same run.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
VENV = os.path.join(ROOT, "build", "venv", "bin", "python")
# This folder has the sources of the package, not the package: an installed one, or that of the build.
sys.path[:1] = []
sys.path.append(os.path.join(ROOT, "build", "bindings", "python"))
if not importlib.util.find_spec("numpy") and os.path.exists(VENV):
    os.execv(VENV, [VENV, *sys.argv])

import numpy as np  # noqa: E402

import tetropt  # noqa: E402


def rate(work, seconds):
    """work() per second, over at least so many seconds."""
    start = time.perf_counter()
    count = 0
    while time.perf_counter() - start < seconds:
        work()
        count += 1
    return count / (time.perf_counter() - start)


def evaluation(kind):
    problem = tetropt.Problem(pieces="IOTSZJLIOTSZJLIOTSZJ", encoding="swap-double")
    genes = problem.random(20000, seed=1).astype(kind)
    out = np.empty(len(genes))
    return lambda: problem.evaluate(genes, out=out), len(genes) * 20


def steps(games=1024, **options):
    env = tetropt.VectorEnv(games, autoreset="same-step", seed=1, **options)
    env.reset()
    actions = np.random.default_rng(1).integers(env.actions, size=(64, games), dtype=np.int32)
    number = 0

    def step():
        nonlocal number
        env.step(actions[number % 64])
        number += 1

    return step, games


def puffer_tetris(games=1024):
    from pufferlib.ocean.tetris import tetris
    env = tetris.Tetris(num_envs=games)
    env.reset()
    actions = np.random.default_rng(1).integers(7, size=(64, games), dtype=np.int32)
    number = 0

    def step():
        nonlocal number
        env.step(actions[number % 64])
        number += 1

    return step, games


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=0.3, help="of each run (0.3)")
    parser.add_argument("--rounds", type=int, default=5, help="of which the best counts (5)")
    parser.add_argument("--tetropt", default=os.path.join(ROOT, "build", "tetropt"),
                        help="the program, for its bench")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    works = {
        "evaluate int8, pieces": evaluation(np.int8),
        "evaluate int16, pieces": evaluation(np.int16),
        "environment, keys": steps(actions="keys"),
        "environment, placements": steps(actions="placements"),
        "environment, reachable": steps(actions="reachable"),
    }
    try:
        works["PufferLib's Tetris, keys"] = puffer_tetris()
    except ImportError:
        pass
    best = dict.fromkeys(works, 0.0)
    kernel = 0.0
    for _ in range(options.rounds):
        for name, (work, size) in works.items():
            best[name] = max(best[name], rate(work, options.seconds) * size)
        bench = subprocess.run([options.tetropt, "bench", "--quick", "--json"], capture_output=True,
                               check=True).stdout
        kernel = max(kernel, json.loads(bench)["rates"]["genotype_pieces_per_second"])
    best["the program's bench, pieces"] = kernel
    share = best["evaluate int8, pieces"] / kernel
    if options.json:
        print(json.dumps({"rates": best, "evaluate_share": share}))
        return
    for name, value in best.items():
        print(f"{name:30} {value / 1e6:8.2f} M/s")
    print(f"evaluate is {share:.2f} of the program's bench")


if __name__ == "__main__":
    main()
