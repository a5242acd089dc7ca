"""With packages of others: Gymnasium, PufferLib, the optimisers of the field, mypy."""

import doctest
import importlib
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import tetropt


@pytest.mark.parametrize("name", ["pygmo", "nevergrad", "optuna", "deap", "scipy"])
def test_adapter(name):
    pytest.importorskip(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = doctest.testmod(importlib.import_module(f"tetropt.adapters.{name}"))
    assert result.attempted and not result.failed


def test_adapters_report_our_fitness():
    pytest.importorskip("scipy")
    from tetropt.adapters import scipy as adapter
    problem = tetropt.Problem(pieces="IOTSZ", encoding="simple")
    genes, fitness = adapter.differential_evolution(problem, maxiter=10, seed=1)
    assert problem.evaluate(genes) == fitness
    assert fitness > np.median(problem.evaluate(problem.random(1000, seed=1)))


@pytest.mark.parametrize("options", [
    {}, {"actions": "keys"}, {"actions": "reachable", "preview": 5},
    {"observation": "float"}, {"observation": "bits"}, {"observation": "features"},
    {"pieces_as": "one-hot", "max_pieces": 5},
])
def test_gymnasium_check_env(options):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env
    importlib.import_module("tetropt.gym")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gymnasium.make("tetropt/Tetris-v0", **options).unwrapped, skip_render_check=True)


def test_gymnasium_examples():
    pytest.importorskip("gymnasium")
    result = doctest.testmod(importlib.import_module("tetropt.gym"))
    assert result.attempted and not result.failed


def test_gymnasium_single():
    gymnasium = pytest.importorskip("gymnasium")
    importlib.import_module("tetropt.gym")
    env = gymnasium.make("tetropt/Tetris-v0", render_mode="ansi", max_pieces=3)
    observation, info = env.reset(seed=4)
    again, _ = env.reset(seed=4)
    assert (observation == again).all()
    assert env.render().count("\n") == 19
    for number in range(3):
        legal = int(info["action_mask"].argmax())
        observation, _, terminated, truncated, info = env.step(legal)
        assert (terminated, truncated) == (False, number == 2)
    assert env.render() != "\n".join(["." * 10] * 20)
    bits = gymnasium.make("tetropt/Tetris-v0", render_mode="ansi", max_pieces=3, observation="bits")
    _, info = bits.reset(seed=4)
    for _ in range(3):
        info = bits.step(int(info["action_mask"].argmax()))[4]
    assert bits.render() == env.render()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.unwrapped.step(0)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_gymnasium_vector(mode):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.vector import AutoresetMode
    importlib.import_module("tetropt.gym")
    env = gymnasium.make_vec("tetropt/Tetris-v0", num_envs=4, max_pieces=2,
                             vectorization_mode="vector_entry_point",
                             autoreset_mode=AutoresetMode(mode))
    first, _ = env.reset(seed=1)
    assert first.shape == (4, 204) and env.metadata["autoreset_mode"] == AutoresetMode(mode)
    ended = []
    for _ in range(4):
        if mode == "Disabled" and ended and ended[-1]:
            env.reset()
        *_, truncated, info = env.step(np.zeros(4, int))
        ended.append(bool(truncated.all()))
        if mode == "SameStep" and ended[-1]:
            assert info["_final_obs"].all() and info["final_obs"][0].shape == (204,)
    assert ended == ([False, True, False, False] if mode == "NextStep" else
                     [False, True, False, True])


def test_gymnasium_vector_is_the_single_one():
    gymnasium = pytest.importorskip("gymnasium")
    importlib.import_module("tetropt.gym")
    many = gymnasium.make_vec("tetropt/Tetris-v0", num_envs=3,
                              vectorization_mode="vector_entry_point")
    ones = [gymnasium.make("tetropt/Tetris-v0") for _ in range(3)]
    seen, _ = many.reset(seed=10)
    for number, one in enumerate(ones):
        assert (one.reset(seed=10 + number)[0] == seen[number]).all()
    for action in (3, 14, 20, 5):
        seen, rewards, *_ = many.step(np.full(3, action))
        for number, one in enumerate(ones):
            single, reward, *_ = one.step(action)
            assert (single == seen[number]).all() and reward == rewards[number]


def test_pufferlib():
    pytest.importorskip("pufferlib", reason="cannot be done here: PufferLib is not installed, its "
                        "package needs PyTorch")
    from tetropt.puffer import Tetris
    env = Tetris(num_envs=4, seed=1)
    observations, _ = env.reset(seed=1)
    assert observations is env.observations and observations.any()
    for _ in range(50):
        _, rewards, *_ = env.step(np.zeros(4, int))
    assert rewards.shape == (4,)


def test_types():
    pytest.importorskip("mypy")
    package = os.path.dirname(tetropt.__file__)
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file",
                           os.path.join(os.path.dirname(__file__), "..", "..", "pyproject.toml"),
                           "--cache-dir", os.devnull, package], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout
