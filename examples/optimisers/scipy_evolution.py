"""scipy's differential evolution as an optimiser of `tetropt solve`:

    tetropt solve --n 10 --seed 1 --evaluations 20000 --algorithm 'lines:python3 examples/optimisers/scipy_evolution.py'

tetropt counts the evaluations, keeps the best, logs and stops; scipy only proposes.
"""

import json
import sys

import numpy
from scipy.optimize import differential_evolution

POPULATION = 5  # times the number of genes


class Stop(Exception):
    """tetropt has reached a limit."""


def ask(columns):
    """The values of all candidates, one column each; scipy minimises."""
    batch = numpy.rint(numpy.atleast_2d(columns.T)).astype(int).tolist()
    print(json.dumps({"ask": batch}), flush=True)
    answer = json.loads(sys.stdin.readline())
    if answer["stop"]:
        raise Stop
    return -numpy.array(answer["tell"])


def main():
    problem = json.loads(sys.stdin.readline())
    try:
        differential_evolution(ask, problem["ranges"], integrality=[True] * problem["genes"], vectorized=True,
                               updating="deferred", polish=False, popsize=POPULATION, maxiter=10**6, tol=0,
                               rng=problem["seed"] % 2**32)
    except Stop:
        return
    print(json.dumps({"done": True}), flush=True)


main()
