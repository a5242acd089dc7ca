"""A random agent on 1024 games at once: millions of placements per second."""

import time

import numpy as np

import tetropt

env = tetropt.VectorEnv(1024, autoreset="same-step")
env.reset()
rng = np.random.default_rng(1)
actions = rng.integers(env.actions, size=(64, env.games), dtype=np.int32)

steps = 0
total = 0.0
start = time.perf_counter()
while time.perf_counter() - start < 1:
    _, rewards, terminated, _ = env.step(actions[steps % 64])
    total += rewards.sum()
    steps += 1
seconds = time.perf_counter() - start
print(f"{steps * env.games / seconds / 1e6:.2f} million placements per second")
print(f"mean reward of a placement: {total / (steps * env.games):.4f}")
