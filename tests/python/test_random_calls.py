"""Random calls of the package with any arguments: an answer or an exception, never a crash.

As many calls as TETROPT_PYTHON_CALLS says; run alone, the file is a fuzzer:

    python3 tests/python/test_random_calls.py [CALLS] [SEED]
"""

import os
import random
import sys

import numpy as np

import tetropt

ALLOWED = (ValueError, TypeError, RuntimeError, OverflowError, IndexError, KeyError, AttributeError, MemoryError)

VALUES = [None, True, False, 0, 1, 2, 3, 5, 7, -1, 2**31, 2**63, -2**63, 2**200, 0.5, -0.0, 1e308, float("nan"),
          float("inf"), "", "x", "T", "TIOSZJL", "IOTSZJLIOT", "on", "off", "\0", "\ud800", "ä", "0.5", "1e9", b"T",
          b"\xff", (), [], [1, 2], {}, {"pieces": "TI"}, object(), range(3), "v115@vhCVQJZkBDtB", "*p3", "[SZ]T",
          "..#.......\n##.#######\n", "random", "weighted", "bot", "lines:true", "placements", "keys",
          np.zeros(3), np.zeros((2, 10), np.int16), np.ones((2, 3), np.int32), np.array("x"), np.int8(3)]
# Small values of what would take long otherwise; the other options take anything.
LIMITS = {"evaluations": [1, 50, 0], "time": [0.01, 0.02], "games": [1, 2], "max_pieces": [1, 5], "generations": [0, 1],
          "population": [2, 10], "threads": [1, 2], "total_pieces": [10], "nodes": [10], "max_queues": [100],
          "held_out": [1, 2], "chains": [1, 2]}
OPTIONS = ["pieces", "n", "seed", "width", "height", "board", "fumen", "encoding", "algorithm", "agent", "weights", "rules",
           "preview", "hold", "kicks", "spins", "randomizer", "instance", "profile", "patterns", "lines", "queue", "bag",
           "find", "drop", "page", "method", "measure", "sprt", "first_to", "player", "actions", "observation", "reward",
           "autoreset", "gravity", "max_steps", "pieces_as", "scoring", "nonsense", "resume", "start", "param", "placements",
           "solutions", "fill", "margin", "held", "served", "variables", "clauses", "dimacs", "impossible"]


class Calls:
    """Keeps some objects between the calls."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.objects = {}
        self.answers = self.refusals = 0

    def any(self):
        chance = self.chance
        if chance.random() < 0.15 and self.objects:
            return chance.choice(list(self.objects.values()))
        if chance.random() < 0.1:
            shape = tuple(chance.randrange(4) for _ in range(chance.randrange(3)))
            return np.zeros(shape, chance.choice([np.int8, np.int16, np.int32, np.uint64, float, object]))
        return chance.choice(VALUES)

    def options(self, **limits):
        chance = self.chance
        found = {name: chance.choice(LIMITS[name]) for name in limits}
        for _ in range(chance.randrange(4)):
            name = chance.choice(OPTIONS)
            found[name] = self.any()
        return found

    def limited(self, *names):
        return self.options(**dict.fromkeys(names))

    def keep(self, name, value):
        self.objects[name] = value
        return value

    def make(self):
        """Makes an object, mostly a good one."""
        chance = self.chance
        kind = chance.randrange(7)
        good = chance.random() < 0.6
        if kind == 0:
            self.keep("game", tetropt.Game(**({} if good else self.options())))
        elif kind == 1:
            self.keep("agent", tetropt.Agent("lookahead") if good else tetropt.Agent(self.any(), weights=self.any()))
        elif kind == 2:
            options = {"actions": chance.choice(["keys", "placements", "reachable"])} if good else self.options()
            self.keep("env", tetropt.VectorEnv(3 if good else chance.choice([0, 1, -1, "x", None, 2.5]), **options))
        elif kind == 3:
            self.keep("problem", tetropt.Problem(pieces="TIOSZ") if good else
                      tetropt.Problem(chance.choice(["tetris", "queens", "sat", "x", self.any()]), **self.options()))
        elif kind == 4 and "problem" in self.objects:
            self.keep("search", tetropt.Search(self.objects["problem"], chance.choice(["ga", "sa", "hill", self.any()]),
                                               **(self.limited("evaluations"))))
        elif kind == 5:
            self.keep("board", tetropt.Board(self.any()))
        elif kind == 6:
            low, high = ([0, 0], [3, 3]) if good else (self.any(), self.any())
            self.keep("problem", tetropt.Problem.custom(low, high, lambda rows: self.any() if self.chance.random() < 0.3
                                                        else -rows.sum(axis=1)))

    def use(self):
        """Calls a method of an object with anything, or with what fits."""
        chance = self.chance
        if not self.objects:
            return
        thing = chance.choice(list(self.objects.values()))
        names = [name for name in dir(thing) if not name.startswith("__") and name not in ("run", "_native", "custom")]
        name = chance.choice(names)
        member = getattr(thing, name)
        if not callable(member):
            return
        if isinstance(thing, tetropt.VectorEnv) and name == "step" and chance.random() < 0.7:
            member(np.array([chance.randrange(40) for _ in range(3)], np.int32))
        elif name == "place" and chance.random() < 0.7 and thing.placements():
            member(chance.choice(thing.placements()))
        elif name == "choose" and "game" in self.objects:
            member(self.objects["game"])
        elif name == "play":
            member(self.objects.get("game"), chance.choice([1, 2, 3]))
        elif name == "random":
            member(chance.choice([0, 1, 3, -1, "x"]), seed=self.any())
        elif name == "evaluate" and chance.random() < 0.6:
            member(thing.random(chance.randrange(4), seed=1), threads=chance.choice([1, 2, 0, -1]))
        elif name == "tell" and chance.random() < 0.6:
            member(np.zeros(chance.randrange(60)))
        else:
            member(*(self.any() for _ in range(chance.randrange(3))))

    def job(self):
        chance = self.chance
        kind = chance.randrange(7)
        if kind == 0:
            tetropt.solve(self.any(), **self.limited("evaluations", "time", "threads"))
        elif kind == 1:
            tetropt.simulate(chance.choice(["weighted", "random", self.any()]),
                             **self.limited("games", "max_pieces", "time", "threads"))
        elif kind == 2:
            tetropt.match(*chance.choice([("random", "weighted"), ("random", self.any()), ()]),
                          **(self.limited("max_pieces", "time", "threads") | {"games": 2}))
        elif kind == 3:
            tetropt.clears(chance.choice(["percent", "path", "chance", "cover", "setup", "spin", self.any()]),
                           **self.limited("time", "threads", "max_queues"))
        elif kind == 4:
            tetropt.train(chance.choice(["dt20", "weighted", self.any()]),
                          **self.limited("generations", "games", "max_pieces", "held_out", "time", "threads"))
        elif kind == 5:
            tetropt.evaluate(self.any(), **self.options())
        else:
            tetropt.job(self.any(), **self.limited("evaluations", "time"))

    def one(self):
        call = self.chance.choice([self.make, self.make, self.use, self.use, self.use, self.use, self.use, self.job])
        try:
            call()
            self.answers += 1
        except ALLOWED as error:
            assert str(error) or isinstance(error, MemoryError), f"{call.__name__}: {error!r} says nothing"
            self.refusals += 1


def run(count, seed):
    calls = Calls(seed)
    for _ in range(count):
        calls.one()
    return calls


def test_random_calls():
    calls = run(int(os.environ.get("TETROPT_PYTHON_CALLS", "1500")), 1)
    assert calls.answers > calls.refusals / 10 and calls.refusals > calls.answers / 10


if __name__ == "__main__":
    COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
    print("seed", SEED, flush=True)
    DONE = run(COUNT, SEED)
    print(f"{COUNT} calls: {DONE.answers} answered, {DONE.refusals} refused")
