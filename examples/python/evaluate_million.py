"""Evaluates a million genotypes and shows the best one."""

import time

import tetropt

problem = tetropt.Problem(pieces="IOTSZJLIOTSZJLIOTSZJ", encoding="swap-double")
genes = problem.random(1_000_000, seed=1)

start = time.perf_counter()
fitness = problem.evaluate(genes, threads=0)  # 0: one thread per processor
seconds = time.perf_counter() - start

print(f"{len(genes) * 20 / seconds / 1e6:.1f} million pieces per second")
best = problem.document(genes[fitness.argmax()])
print(f"best of a million: {best['fitness']:.2f}")
print(tetropt.Board(best["board"]))
