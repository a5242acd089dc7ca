"""A problem for Nevergrad.

>>> import tetropt, tetropt.adapters.nevergrad as adapter
>>> problem = tetropt.Problem(pieces="IOTSZJLIOT")
>>> genes, fitness = adapter.maximise(problem, "DiscreteOnePlusOne", budget=200, seed=1)
"""

from __future__ import annotations

from typing import Any

import nevergrad
import numpy as np

from ..problem import Problem


def parametrization(problem: Problem) -> Any:
    """One integer per gene within its range."""
    middle = (problem.low.astype(float) + problem.high) / 2
    array = nevergrad.p.Array(init=middle)
    array.set_bounds(problem.low.astype(float) - 0.49, problem.high.astype(float) + 0.49,
                     method="clipping")
    return array.set_integer_casting()


def maximise(problem: Problem, optimizer: str = "DiscreteOnePlusOne", budget: int = 1000,
             seed: int = 0) -> tuple[Any, float]:
    """Runs an optimiser by its name; the best genotype and its fitness."""
    parameters = parametrization(problem)
    parameters.random_state.seed(seed)
    search = nevergrad.optimizers.registry[optimizer](parameters, budget=budget)
    best, best_fitness = None, -np.inf
    for _ in range(budget):
        candidate = search.ask()
        genes = np.clip(candidate.value, problem.low, problem.high).astype(np.int16)
        fitness = problem.evaluate(genes)
        search.tell(candidate, -fitness)
        if fitness > best_fitness:
            best, best_fitness = genes, fitness
    return best, best_fitness
