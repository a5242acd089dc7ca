"""The package gives what the program gives, and what its documentation says."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tetropt

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PROGRAM = os.environ["TETROPT"]


def program(*arguments, stdin=None):
    done = subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True,
                          check=True)
    return json.loads(done.stdout)


def without_times(document):
    """What differs from run to run is in `times`, and where version 1.0 had it."""
    return {key: without_times(value) if isinstance(value, dict) else value
            for key, value in document.items()
            if key != "times" and "second" not in key and not key.endswith("_us")}


# ---- jobs

# A run that does not end by itself.
LONG = {"n": 60, "seed": 1, "algorithm": "ga", "population": 100, "generations": 10**9,
        "patience": 10**9}


def test_solve_is_the_program():
    ours = tetropt.solve(n=12, seed=3, algorithm="ga", population=50, evaluations=2000, threads=1)
    theirs = program("solve", "--n", "12", "--seed", "3", "--algorithm", "ga", "--population", "50",
                     "--evaluations", "2000", "--threads", "1", "--json")
    assert without_times(ours) == without_times(theirs)


def test_match_is_the_program():
    ours = tetropt.match("bot?nodes=50", "random", games=2, max_pieces=20, seed=2, threads=1)
    theirs = program("match", "bot?nodes=50", "random", "--games", "2", "--max-pieces", "20", "--seed", "2",
                     "--json")
    assert [player["name"] for player in ours["players"]] == ["bot?nodes=50", "random"]
    assert ours["per_game"] == theirs["per_game"]
    with pytest.raises(ValueError):
        tetropt.match("weighted", games=2)
    with pytest.raises(ValueError):
        tetropt.match("weighted", "lines:touch hacked", games=2)


def test_simulate_is_the_program():
    ours = tetropt.simulate("lookahead", games=3, max_pieces=30, seed=2, threads=1)
    theirs = program("simulate", "--agent", "lookahead", "--games", "3", "--max-pieces", "30",
                     "--seed", "2", "--threads", "1", "--json", "--no-times")
    assert without_times(ours) == without_times(theirs)


def test_evaluate_is_the_program():
    solution = {"pieces": "TOI", "encoding": "simple", "genes": [[-4, 0], [0, 0], [3, 1]]}
    theirs = program("eval", "--json", stdin=json.dumps(solution))
    assert tetropt.evaluate(solution) == theirs


def test_a_training_goes_on():
    """In two parts it is the training in one."""
    options = {"height": 10, "games": 1, "max_pieces": 30, "seed": 1, "held_out": 2, "threads": 1}
    whole = tetropt.train("dt20", generations=3, **options)
    half = tetropt.train("dt20", generations=1, **options)
    rest = tetropt.train(resume=half["state"], generations=3, held_out=2, threads=1)
    assert rest["weights"] == whole["weights"] != half["weights"]


def test_train_returns_weights():
    document = tetropt.train("dt20", height=10, generations=1, games=1, max_pieces=30, seed=1,
                             held_out=2, threads=1)
    assert len(document["weights"]) > 1


def test_options_of_every_kind():
    assert tetropt.solve("IOTSZ", hold=False, encoding="placements", evaluations=np.int64(500),
                         seed=1)["placed"] == 5
    board = tetropt.Board("GGGGGGGG..")
    document = tetropt.solve("O", board=board, encoding="placements", evaluations=1e3, seed=1)
    assert document["lines"] == 1
    by_name = tetropt.solve(n=8, seed=1, algorithm="ga", population=30, evaluations=500)
    as_dict = tetropt.solve(n=8, seed=1, algorithm="ga", param={"population": 30}, evaluations=500)
    assert without_times(by_name) == without_times(as_dict)


def test_repeatable_options():
    both = tetropt.simulate(["weighted", "random"], games=1, max_pieces=5, seed=1)
    assert [agent["agent"] for agent in both["agents"]] == ["weighted", "random"]
    short = {"games": 1, "generations": 1, "max_pieces": 20, "held_out": 2, "seed": 1, "agent_param": {"fit": 2}}
    pinned = tetropt.train("weighted", pin=["tetris=100", "wells"], **short)
    assert pinned["training"]["settings"]["pin"] == ["tetris=100", "wells"]
    assert pinned["training"]["settings"]["agent-param"] == ["fit=2"]
    pinned = tetropt.train("dt20", pin={"hole_depth": 0}, **short | {"agent_param": None})
    assert pinned["training"]["settings"]["pin"] == ["hole_depth=0"]
    rows = ["..........", "GGGG......"]
    assert tetropt.Game(board=rows).board.rows[-2:] == rows


def test_progress_can_stop():
    seen = []
    document = tetropt.solve(
        **LONG, progress=lambda done, best: seen.append((done, best)) or len(seen) > 3)
    assert document["placed"] and len(seen) >= 4
    assert seen[0][0] < seen[3][0] and isinstance(seen[0][1], float)


def test_progress_can_raise():
    with pytest.raises(ZeroDivisionError):
        tetropt.solve(**LONG, progress=lambda done, best: 1 / 0)


CODE = f"""
import signal, sys, tetropt
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
try:
    tetropt.solve(**{LONG})
except KeyboardInterrupt:
    print("interrupted")
"""


def test_interrupt():
    process = subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=120)[0] == "interrupted\n"


def test_the_interpreter_is_free_meanwhile():
    """Another thread can stop a run, so it is not kept waiting."""
    run = tetropt._native.Job("solve")
    for option, value in LONG.items():
        run.set(option, str(value))
    thread = threading.Thread(target=run.run)
    thread.start()
    time.sleep(0.1)
    with pytest.raises(RuntimeError, match="in use by another thread"):
        run.document()
    run.stop()
    thread.join(120)
    assert not thread.is_alive() and json.loads(run.document())["placed"]


# ---- games and boards

def test_game_by_keys_and_placements():
    game = tetropt.Game(seed=5, preview=3)
    other = game.copy()
    placement = game.placements()[3]
    for key in game.keys(placement):
        other.press(key)
    game.place(placement)
    assert game.board == other.board and game.pieces == other.pieces == 1
    assert len(game.next) == 3 and game.over == ""


def test_agent_plays_like_the_library():
    game = tetropt.Game(seed=7)
    agent = tetropt.Agent("lookahead", weights="ahead")
    first = agent.choose(game)
    assert first in game.placements()
    agent.play(game, pieces=40)
    assert game.pieces == 40
    own = tetropt.Agent("weighted", kind="literature", weights=[1.0] * 10)
    assert own.choose(tetropt.Game(seed=7, rules="drop"))


def test_board():
    fumen = "v115@9gE8DeG8CeH8BeG8CeA8JeAgH"
    board = tetropt.Board.from_fumen(fumen)
    assert board.fumen == fumen and board.height == 4
    assert board.rows[0] == "GGGGG....G"
    assert board.array().sum() == sum(row.count("G") for row in board.rows)
    assert tetropt.Board(board.array()) == board
    assert board._repr_svg_().count("<rect") == 1 + board.array().sum()
    assert "svg" in tetropt.Game(seed=1)._repr_svg_()


def test_colours_are_those_of_the_page():
    with open(os.path.join(ROOT, "web", "src", "palette.css"), encoding="utf-8") as file:
        page = dict(re.findall(r"--([IOTSZJLG]): (#[0-9a-f]{6})", file.read()))
    from tetropt.board import COLOURS
    assert page == COLOURS


# ---- problems

@pytest.mark.parametrize("encoding", ["simple", "double", "swap-simple", "swap-double"])
def test_evaluate_rows(encoding):
    problem = tetropt.Problem(pieces="IOTSZJLIOT", encoding=encoding)
    genes = problem.random(50, seed=4)
    assert ((problem.low <= genes) & (genes <= problem.high)).all()
    fitness = problem.evaluate(genes)
    assert (fitness == problem.evaluate(genes.astype(np.int8), threads=3)).all()
    assert fitness[7] == problem.evaluate(genes[7])
    assert fitness[7] == problem.document(genes[7])["fitness"]
    out = np.empty(50)
    assert problem.evaluate(genes, out=out) is out and (out == fitness).all()
    assert (problem.evaluate(genes[::-1]) == fitness[::-1]).all()  # not contiguous: copied


def test_evaluate_is_the_program_row_by_row():
    problem = tetropt.Problem(pieces="TOISZ", encoding="simple")
    genes = problem.random(3, seed=9)
    for row in genes:
        solution = {"pieces": "TOISZ", "encoding": "simple", "genes": row.reshape(-1, 2).tolist(),
                    "order": "turn-first"}
        theirs = program("eval", "--json", stdin=json.dumps(solution))
        assert theirs["fitness"] == problem.evaluate(row)


def test_operators():
    problem = tetropt.Problem(pieces="IOTSZJLIOT")
    a, b = problem.random(2, seed=1)
    assert (problem.neighbour(a, seed=3) != a).sum() <= 1
    child = problem.cross(a, b, seed=3)
    assert ((child == a) | (child == b)).all()
    assert (problem.mutate(a, 0.0, seed=3) == a).all()
    assert (problem.mutate(a, 1.0, seed=3) == problem.mutate(a, 1.0, seed=3)).all()


def test_custom_problem():
    calls = []

    def fitness(rows):
        calls.append(len(rows))
        return -((rows.astype(float) - 3) ** 2).sum(axis=1)

    problem = tetropt.Problem.custom([0] * 4, [9] * 4, fitness)
    assert (problem.evaluate([[3, 3, 3, 3], [3, 3, 3, 5]]) == [0, -4]).all()
    assert calls == [2]


def test_rows_of_a_custom_problem_can_be_kept():
    kept = []

    def fitness(rows):
        kept.append((rows, rows.copy()))
        return rows.sum(axis=1)

    problem = tetropt.Problem.custom([0] * 8, [9] * 8, fitness)
    tetropt.Search(problem, "ga", population=50, evaluations=1000, seed=1).run()
    assert len(kept) > 1 and all((rows == copy).all() for rows, copy in kept)


def test_queens_and_sat():
    queens = tetropt.Problem("queens", n=8)
    assert queens.genes == 8 and queens.evaluate(queens.random(3, seed=1)).shape == (3,)
    sat = tetropt.Problem("sat", variables=20, clauses=50, seed=1)
    assert sat.genes == 20 and sat.evaluate(sat.random(2, seed=1)).shape == (2,)


# ---- searches

@pytest.mark.parametrize("algorithm", ["ga", "sa", "abc", "hill", "hybrid"])
def test_ask_and_tell_is_solve(algorithm):
    problem = tetropt.Problem(n=10, seed=3)
    search = tetropt.Search(problem, algorithm, seed=3, evaluations=400)
    asked = 0
    while len(genes := search.ask()):
        asked += len(genes)
        search.tell(problem.evaluate(genes))
    ours = tetropt.solve(n=10, seed=3, algorithm=algorithm, evaluations=400, threads=1)
    genes, fitness = search.best
    assert fitness == ours["fitness"] == problem.evaluate(genes)
    assert search.evaluations == ours["evaluations"] and search.end
    assert asked >= search.evaluations - 1
    run = tetropt.Search(problem, algorithm, seed=3, evaluations=400, threads=2).run()
    assert run.best[1] == fitness


def test_our_optimiser_on_a_problem_of_python():
    target = np.array([3, 1, 4, 1, 5, 9, 2, 6])
    problem = tetropt.Problem.custom([0] * 8, [9] * 8, lambda rows: -np.abs(rows - target).sum(1))
    search = tetropt.Search(problem, "ga", population=100, evaluations=20000, seed=1, target=0).run()
    assert search.end == "target" and (search.best[0] == target).all()


def test_search_stops_with_an_error_of_the_problem():
    def fails(rows):
        raise KeyError("mine")

    with pytest.raises(KeyError):
        tetropt.Search(tetropt.Problem.custom([0], [9], fails), "ga", evaluations=100).run()
    with pytest.raises(ZeroDivisionError):
        tetropt.Search(tetropt.Problem(n=10, seed=1), "ga", evaluations=10**6).run(
            lambda done, best: 1 / 0)


# ---- agents of Python

def test_agent_in_python():
    seen = []

    def choose(view):
        seen.append(view)
        return 0

    tetropt.register_agent("first-one", choose, hold=True, preview=2)
    game = tetropt.Game(seed=1, preview=2)
    agent = tetropt.Agent("first-one")
    assert agent.choose(game) in game.placements()
    assert seen[0].current == game.current and seen[0].queue == game.next
    assert tetropt.simulate("first-one", games=2, max_pieces=5, seed=1, threads=2)["games"] == 2
    with pytest.raises(ValueError, match="first-one"):
        tetropt.register_agent("first-one", choose)


def test_agent_in_python_that_raises():
    tetropt.register_agent("raises", lambda view: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tetropt.simulate("raises", games=1, max_pieces=5, seed=1)
    with pytest.raises(ZeroDivisionError):
        tetropt.Agent("raises").choose(tetropt.Game(seed=1))


def test_features_in_python():
    tetropt.register_features("low", lambda move: [move.lines, -move.placement.y],
                              ["lines", "depth"], [0.0, 1.0])
    game = tetropt.Game(seed=1, hold=False)
    lowest = min(placement.y for placement in game.placements())
    assert tetropt.Agent("low").choose(game).y == lowest
    tetropt.register_features("short", lambda move: [1.0], ["a", "b"], [1.0, 1.0])
    with pytest.raises(ValueError, match="2 values"):
        tetropt.Agent("short").choose(game)


# ---- vector environment

@pytest.mark.parametrize("actions", ["keys", "placements", "reachable"])
def test_vector_env_is_repeatable(actions):
    rng = np.random.default_rng(1)
    envs = [tetropt.VectorEnv(16, actions=actions, seed=5, threads=threads) for threads in (1, 3)]
    for env in envs:
        env.reset()
    for _ in range(60):
        chosen = rng.integers(0, envs[0].actions, 16).astype(np.int32)
        for env in envs:
            env.step(chosen)
        for name in ("observations", "rewards", "terminated", "truncated", "masks"):
            assert (getattr(envs[0], name) == getattr(envs[1], name)).all()


def test_vector_env_plays_the_same_game():
    env = tetropt.VectorEnv(1, actions="reachable", seed=11, reward="score")
    env.reset([11])
    game = tetropt.Game(seed=11)
    for number in range(20):
        placements = env.placements(0)
        assert placements == game.placements()
        chosen = number % len(placements)
        env.step([chosen])
        game.place(placements[chosen])
        board = np.array(env.board(0))[::-1]
        assert (board == game.board.array()[-20:]).all()
        assert env.info(0)["score"] == game.score


def test_vector_env_own_arrays():
    env = tetropt.VectorEnv(2, seed=1)
    arrays = [np.zeros_like(a) for a in (env.observations, env.rewards, env.terminated, env.truncated)]
    env.bind(*arrays)
    env.reset()
    env.step([0, 0])
    assert arrays[0].any()


def test_documented_examples():
    import doctest
    import importlib
    for name in ("jobs", "board", "custom", "game", "problem", "vector"):
        result = doctest.testmod(importlib.import_module(f"tetropt.{name}"))
        assert result.attempted and not result.failed, name
