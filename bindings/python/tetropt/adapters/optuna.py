"""A problem for Optuna.

>>> import optuna, tetropt, tetropt.adapters.optuna as adapter
>>> problem = tetropt.Problem(pieces="IOTSZ", encoding="simple")
>>> optuna.logging.set_verbosity(optuna.logging.WARNING)
>>> study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
>>> study.optimize(adapter.objective(problem), n_trials=20)
>>> genes = adapter.genes_of(problem, study.best_trial)
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ..problem import Problem


def objective(problem: Problem) -> Callable[[Any], float]:
    """A function for study.optimize with direction="maximize": one integer per gene."""

    def fitness(trial: Any) -> float:
        genes = [trial.suggest_int(f"gene{i}", int(low), int(high))
                 for i, (low, high) in enumerate(zip(problem.low, problem.high))]
        return float(problem.evaluate(np.array(genes, np.int16)))

    return fitness


def genes_of(problem: Problem, trial: Any) -> Any:
    """The genotype of a trial."""
    return np.array([trial.params[f"gene{i}"] for i in range(problem.genes)], np.int16)
