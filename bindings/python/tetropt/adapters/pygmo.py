"""A problem for pagmo/pygmo.

>>> import pygmo, tetropt, tetropt.adapters.pygmo
>>> inner = tetropt.Problem(pieces="IOTSZJLIOT")
>>> problem = pygmo.problem(tetropt.adapters.pygmo.PygmoProblem(inner))
>>> population = pygmo.population(problem, size=20, seed=1)
>>> population = pygmo.algorithm(pygmo.sga(gen=5, seed=1)).evolve(population)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..problem import Problem


class PygmoProblem:
    """A user-defined problem: integers, minimised (pagmo minimises, so the sign changes)."""

    def __init__(self, problem: Problem, threads: int = 1) -> None:
        self.problem, self.threads = problem, threads

    def fitness(self, genes: Any) -> list[float]:
        return [-self.problem.evaluate(np.rint(genes).astype(np.int16))]

    def batch_fitness(self, genes: Any) -> Any:
        rows = np.rint(genes).astype(np.int16).reshape(-1, self.problem.genes)
        return -self.problem.evaluate(rows, threads=self.threads)

    def get_bounds(self) -> tuple[Any, Any]:
        return self.problem.low.astype(float), self.problem.high.astype(float)

    def get_nix(self) -> int:
        return self.problem.genes

    def get_name(self) -> str:
        return f"tetropt {self.problem.kind}"

    # pagmo copies problems; ours is read only and can be shared.
    def __copy__(self) -> "PygmoProblem":
        return self

    def __deepcopy__(self, memo: Any) -> "PygmoProblem":
        return self
