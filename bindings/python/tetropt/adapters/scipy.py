"""A problem for scipy.optimize.

>>> import tetropt, tetropt.adapters.scipy as adapter
>>> problem = tetropt.Problem(pieces="IOTSZJLIOT")
>>> genes, fitness = adapter.differential_evolution(problem, maxiter=5, seed=1)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.optimize

from ..problem import Problem


def objective(problem: Problem, threads: int = 1) -> Any:
    """A function to minimise: one vector, or (vectorized) one vector per column."""

    def cost(genes: Any) -> Any:
        rows = np.rint(np.atleast_2d(np.asarray(genes).T)).astype(np.int16)
        fitness = problem.evaluate(rows, threads=threads)
        return -fitness if np.ndim(genes) == 2 else -float(fitness[0])

    return cost


def differential_evolution(problem: Problem, threads: int = 1,
                           **options: Any) -> tuple[Any, float]:
    """scipy's differential evolution over the integers; the best genotype and its fitness."""
    result = scipy.optimize.differential_evolution(
        objective(problem, threads), list(zip(problem.low, problem.high)),
        integrality=np.ones(problem.genes, bool), vectorized=True, updating="deferred",
        polish=False, **options)
    return np.rint(result.x).astype(np.int16), -float(result.fun)
