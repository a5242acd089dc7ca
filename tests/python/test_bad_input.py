"""Wrong input gets an exception that says what is wrong, never a crash."""

import random
import threading

import numpy as np
import pytest

import tetropt
from tetropt import _native


@pytest.fixture(name="problem")
def make_problem():
    return tetropt.Problem(pieces="IOTSZ", encoding="simple")


@pytest.mark.parametrize("genes, words", [
    (np.zeros((3, 9), np.int16), "rows of 10 genes"),
    (np.zeros((3, 10)), "integers are needed"),
    (np.full((3, 10), np.nan), "integers are needed"),
    (np.full((1, 10), 100, np.int16), "row 0, gene 0"),
    (np.full((1, 10), 10**6), "does not fit into int16"),
    (np.zeros((2, 3, 10), np.int16), "rows of 10 genes"),
    ([["a"] * 10], "integers are needed"),
    (np.zeros(0, np.int16), "rows of 10 genes"),
])
def test_wrong_genes(problem, genes, words):
    with pytest.raises(ValueError, match=words):
        problem.evaluate(genes)


def test_no_rows(problem):
    assert problem.evaluate(np.zeros((0, 10), np.int16)).shape == (0,)


def test_wrong_out(problem):
    genes = problem.random(4, seed=1)
    read_only = np.empty(4)
    read_only.flags.writeable = False
    for out in (np.empty(3), np.empty(4, np.float32), np.empty(8)[::2], read_only):
        with pytest.raises(ValueError, match="fitness"):
            problem.evaluate(genes, out=out)
    assert problem.evaluate(np.asfortranarray(genes)).shape == (4,)


def test_wrong_threads(problem):
    for threads in (-1, 257):
        with pytest.raises(ValueError, match="threads"):
            problem.evaluate(problem.random(1, seed=1), threads=threads)


@pytest.mark.parametrize("options, error, words", [
    ({"pieces": "X"}, ValueError, "pieces"),
    ({"n": 0}, ValueError, "n"),
    ({"n": 10, "nonsense": 1}, ValueError, "unknown option"),
    ({"n": 10, "time": float("nan")}, ValueError, "finite"),
    ({"n": 10, "seed": object()}, TypeError, "seed"),
    ({"n": 10, "algorithm": "gaa"}, ValueError, "ga"),
    ({"pieces": "IO", "n": 3}, ValueError, "pieces"),
])
def test_wrong_options(options, error, words):
    with pytest.raises(error, match=words):
        tetropt.solve(evaluations=10, **options)


def test_wrong_words():
    with pytest.raises(ValueError, match="unknown job"):
        tetropt.job("dance")
    with pytest.raises(ValueError, match="kind"):
        tetropt.Problem("dance")
    with pytest.raises(ValueError, match="agent"):
        tetropt.Agent("dance")
    with pytest.raises(TypeError):
        tetropt.solve(n=5, evaluations=5, progress=3)
    with pytest.raises(RuntimeError, match="not run"):
        _native.Job("solve").document()
    for name in ("Job", "Problem", "Env", "Game", "Agent"):
        with pytest.raises(Exception):
            empty = getattr(_native, name).__new__(getattr(_native, name))
            empty.set("a", "b")


def test_wrong_games():
    game = tetropt.Game(seed=1)
    with pytest.raises(ValueError):
        game.place(("T", 0, 99, 0, 0, 0))
    with pytest.raises(TypeError):
        game.place((1, 2))
    with pytest.raises(ValueError):
        game.press(99)
    with pytest.raises(TypeError):
        tetropt.Agent()._agent.choose("game")
    for rows in ("..X", "...\n..", np.zeros(3)):
        with pytest.raises(ValueError):
            tetropt.Board(rows)
    with pytest.raises(ValueError):
        tetropt.Board.from_fumen("nonsense")
    with pytest.raises(ValueError, match="page 2"):
        tetropt.Board.from_fumen("v115@9gE8DeG8CeH8BeG8CeA8JeAgH", page=2)


def test_wrong_steps():
    env = tetropt.VectorEnv(3)
    with pytest.raises(ValueError):
        env.step([0, 0, 0])  # before reset
    env.reset()
    for actions in ([0, 0], [0.0, 0.0, 0.0], [0, 0, -1], [0, 0, 10**6], [[0, 0, 0]],
                    np.full(3, 9999, np.int32), np.zeros(2, np.int32)):
        with pytest.raises(ValueError):
            env.step(actions)
    with pytest.raises(ValueError):
        env.reset([1, 2])
    with pytest.raises(ValueError):
        tetropt.VectorEnv(0)
    with pytest.raises(ValueError, match="actions"):
        tetropt.VectorEnv(1, actions="dance")
    with pytest.raises((ValueError, BufferError)):
        env.bind(np.zeros(3), env.rewards, env.terminated, env.truncated)
    with pytest.raises(ValueError, match="floats"):
        env.bind(env.observations, np.zeros(env.games, np.int32), env.terminated, env.truncated)
    even = tetropt.VectorEnv(4)
    with pytest.raises(ValueError, match="1 byte"):
        even.bind(even.observations, even.rewards, np.zeros(2, np.uint16), even.truncated)
    with pytest.raises(ValueError, match="shape"):
        env.step(np.zeros((1, env.games), np.int32))


def test_custom_functions_that_fail():
    def wrong_shape(rows):
        return [1.0]

    def wrong_value(rows):
        return np.full(len(rows), np.nan)

    def raises(rows):
        raise KeyError("mine")

    for function, error in ((wrong_shape, ValueError), (wrong_value, ValueError),
                            (raises, KeyError)):
        with pytest.raises(error):
            tetropt.Problem.custom([0, 0], [1, 1], function).evaluate([[0, 1], [1, 1]])
    for low, high in (([0], [1, 2]), ([5], [1]), ([0], [10**6])):
        with pytest.raises(ValueError):
            tetropt.Problem.custom(low, high, raises)


def test_wrong_searches(problem):
    with pytest.raises(ValueError, match="unknown algorithm"):
        tetropt.Search(problem, "dance")
    with pytest.raises(ValueError):
        tetropt.Search(problem, "ga", population=-1)
    search = tetropt.Search(problem, "ga", population=10, evaluations=100)
    with pytest.raises(ValueError):
        search.tell([1.0])  # before ask
    count = len(search.ask())
    for fitness in ([1.0] * (count - 1), [float("nan")] * count, ["a"] * count):
        with pytest.raises(ValueError):
            search.tell(fitness)
    search.tell([0.0] * count)
    with pytest.raises(ValueError):
        tetropt.Search(problem, "exact").ask()


def test_wrong_registrations():
    for arguments in (("Bad Name", len), ("dt20", len)):
        with pytest.raises(ValueError):
            tetropt.register_agent(*arguments)
    with pytest.raises(ValueError):
        tetropt.register_features("empty", len, [], [])
    with pytest.raises(ValueError):
        tetropt.register_features("unequal", len, ["a"], [1.0, 2.0])
    with pytest.raises(TypeError):
        tetropt.register_features("wrong", len, ["a"], ["b"])


def test_two_threads_on_one_object(problem):
    genes = problem.random(300000, seed=1)
    errors, sums = [], []

    def work():
        for _ in range(4):
            try:
                sums.append(problem.evaluate(genes).sum())
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(sums)) == 1
    assert set(errors) <= {"this object is in use by another thread"}


def random_value(rng):
    return rng.choice([
        0, -1, 1, 2**40, -(2**70), 1.5, float("nan"), float("inf"), "", "x", "10", "on", None, [],
        [1, 2], {}, {"a": 1}, b"bytes", np.zeros(3), np.zeros((2, 10), np.int16),
        np.zeros((2, 10), np.int8)[:, ::-1], object, "I" * 2000, "\0", "é", True,
    ])


def test_random_calls():
    """Any method with any values: exceptions only."""
    rng = random.Random(1)
    options = ["pieces", "n", "encoding", "width", "height", "board", "seed", "preview", "hold",
               "actions", "observation", "threads", "agent", "weights", "param", "variables"]
    types = [lambda: _native.Job("solve"), lambda: _native.Job("eval"), _native.Game, _native.Agent,
             lambda: _native.Problem("tetris"), lambda: _native.Problem("queens"),
             lambda: _native.Problem("sat"), lambda: _native.Env(2),
             lambda: _native.Search(_native.Problem("queens"), "ga")]
    for _ in range(3000):
        thing = rng.choice(types)()
        for _ in range(rng.randrange(6)):
            names = [name for name in dir(thing)
                     if not name.startswith("_") and name not in ("run", "play")]
            name = rng.choice(names)
            if name == "set":
                value = random_value(rng)
                arguments = [rng.choice(options), value if isinstance(value, str) else str(value)[:9]]
                if arguments[0] == "threads":
                    arguments[1] = "2"
            else:
                arguments = [random_value(rng) for _ in range(rng.randrange(4))]
            try:
                getattr(thing, name)(*arguments)
            except Exception:  # any exception is fine, a crash is not
                pass
