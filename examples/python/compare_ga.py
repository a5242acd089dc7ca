"""Compares a genetic algorithm of your own with ours: 15 piece sequences each, the same evaluations,
and a Wilcoxon signed-rank test (scipy)."""

import numpy as np
from scipy.stats import wilcoxon

import tetropt

EVALUATIONS = 20_000


def my_ga(problem, seed, population=200):
    rng = np.random.default_rng(seed)
    genes = problem.random(population, seed=seed)
    fitness = problem.evaluate(genes)
    for _ in range(EVALUATIONS // population - 1):
        parents = genes[np.argsort(-fitness)[: population // 2]]
        pairs = rng.integers(len(parents), size=(population, 2))
        mask = rng.random(genes.shape) < 0.5
        children = np.where(mask, parents[pairs[:, 0]], parents[pairs[:, 1]])
        mutate = rng.random(genes.shape) < 0.02
        genes = np.where(mutate, problem.random(population, seed=int(rng.integers(2**62))), children)
        fitness = problem.evaluate(genes)
    return fitness.max()


mine, ours = [], []
for seed in range(15):
    mine.append(my_ga(tetropt.Problem(n=20, seed=seed), seed))
    ours.append(tetropt.solve(n=20, seed=seed, algorithm="ga", population=200,
                              evaluations=EVALUATIONS)["fitness"])
print(f"median fitness: mine {np.median(mine):.1f}, ours {np.median(ours):.1f}")
print(f"Wilcoxon p = {wilcoxon(mine, ours).pvalue:.3g}")
