"""A problem for DEAP: a toolbox with our operators.

>>> import random, tetropt, tetropt.adapters.deap as adapter
>>> from deap import algorithms
>>> toolbox = adapter.toolbox(tetropt.Problem(pieces="IOTSZJLIOT"))
>>> random.seed(1)
>>> population, log = algorithms.eaSimple(toolbox.population(n=20), toolbox, 0.5, 0.2, 3,
...                                       verbose=False)
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from deap import base, creator, tools

from ..problem import Problem


def toolbox(problem: Problem, rate: float = 0.1) -> Any:
    """individual, population, evaluate, mate, mutate, select; individuals are lists of integers.
    Random numbers come from Python's module random, as DEAP's own do."""
    if not hasattr(creator, "TetroptFitness"):
        creator.create("TetroptFitness", base.Fitness, weights=(1.0,))
        creator.create("TetroptIndividual", list, fitness=creator.TetroptFitness)
    individual = creator.TetroptIndividual

    def seed() -> int:
        return random.getrandbits(63)

    def evaluate(genes: Any) -> tuple[float]:
        return (problem.evaluate(np.array(genes, np.int16)),)

    def mate(first: Any, second: Any) -> tuple[Any, Any]:
        children = [problem.cross(a, b, seed()) for a, b in ((first, second), (second, first))]
        first[:], second[:] = children[0].tolist(), children[1].tolist()
        return first, second

    def mutate(genes: Any) -> tuple[Any]:
        genes[:] = problem.mutate(genes, rate, seed()).tolist()
        return (genes,)

    box = base.Toolbox()
    box.register("individual", lambda: individual(problem.random(1, seed())[0].tolist()))
    box.register("population", tools.initRepeat, list, box.individual)
    box.register("evaluate", evaluate)
    box.register("mate", mate)
    box.register("mutate", mutate)
    box.register("select", tools.selTournament, tournsize=3)
    return box
