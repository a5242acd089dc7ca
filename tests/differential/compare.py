#!/usr/bin/env python3
"""The same questions through every front end: the command line, the C library, HTTP and a grid.

Every front end must give the same document, or reject the question with the same message. What only
the server limits is in SERVER_LIMITS, as it is in the table `web_limits` of src/app/web/jobs.c.

usage: compare.py --tetropt PROGRAM --driver LIBRARY_DRIVER [--seed N] [--count N]"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "web"))
from hostile import Server  # pylint: disable=wrong-import-position

# Members that differ from run to run.
TIMES = {"times", "agents_times", "seconds", "threads", "pieces_per_second", "decision_us", "decision_ms",
         "runner_share"}

# Options that the server rejects, and values beyond what it takes.
SERVER_LIMITS = {("*", "threads"), ("*", "time"), ("solve", "population")}

# Options whose value is the content of a file: paths on the command line and in a grid.
FILES = {"board", "start", "weights-file", "document"}

BOARDS = ["..........\n.########.\n.#########\n", "TT........\n", "........x.\n", "##########\n",
          "....\n", "." * 11 + "\n", ""]
START = json.dumps({"pieces": "TOZL", "encoding": "simple",
                    "genes": [[-4, 0], [0, 1], [2, 0], [3, 1]]})


# One value in so many is taken from all, also the invalid ones; the others are valid.
INVALID = 5


def pick(rng, *values):
    """The first value most of the time."""
    return rng.choice(values) if rng.randrange(INVALID) == 0 else values[0]


def choose(rng, choices, most):
    """Some options. The first values in a list are valid, those behind None are not."""
    asked = {}
    for name in rng.sample(sorted(choices), rng.randrange(0, most + 1)):
        values = choices[name]
        border = values.index(None) if None in values else len(values)
        valid, invalid = values[:border], values[border + 1:]
        if invalid and rng.randrange(INVALID) == 0:
            asked[name] = rng.choice(invalid)
        elif valid:
            asked[name] = rng.choice(valid)
    return asked


def solve_question(rng):
    ask = {"seed": str(rng.randrange(1000)), "evaluations": str(rng.randrange(1, 400)),
           "piece-seed": str(rng.randrange(100))}
    if rng.random() < 0.6:
        ask["n"] = pick(rng, rng.choice("14679"), "0", "1001", "x", "4.5")
        ask["pieces"] = "TOZL" if rng.random() < 0.05 else ""
    else:
        ask["pieces"] = pick(rng, rng.choice(["TOZL", "TOZLIJS", "T O Z"]), "TQ", "I" * 1001, "ii")
    ask.update(choose(rng, {
        "algorithm": ["ga", "sa", "hill", "abc", "hybrid", "beam", "exact", "auto",
                      "ga?population=20&generations=3", None, "luck", "ga?population=1"],
        "encoding": ["simple", "double", "swap-simple", "swap-double", "placements", None, "triple"],
        "order": ["move-first", "turn-first", "published", None, "sideways"],
        "game-over": ["on", "off", None, "maybe"],
        "perfect-clear-points": ["0", "20", None, "256"],
        "mutation-per": ["child", "piece", None, "twin"],
        "mutation-kind": ["published", "nearby", None, "odd"],
        "hold": ["on", "off", None, "maybe"],
        "profile": ["blocks", "rows", "height", None, "joy"],
        "placements": ["1", "3", None, "1001", "-1", "90"],
        "width": ["4", "7", "10", "16", None, "17"],
        "height": ["6", "20", "40", None, "41"],
        "population": ["10", "30", None, "1", "1e3"],
        "chains": ["2", "4", None, "0"],
        "randomizer": ["bag", "uniform", None, "list", "dice"],
        "target": ["10", "-400", None, "high"],
        "weights": [None, "dt20", "nobody"],
        "fumen": ["v115@9gE8DeG8CeH8BeG8CeA8JeAgH", None, "v115@", "hello"],
        "nonsense": [None, "1"],
        "threads": ["1"],
        "board": [*BOARDS[:2], None, *BOARDS[2:]],
        "start": [START, None, "{}", "[1]", '{"weights":[1],"features":"stack"}', "no"],
    }, 4))
    return "solve", ask


def eval_question(rng):
    genes = [[rng.randrange(-4, 5), rng.randrange(0, 4)] for _ in range(4)]
    document = {"pieces": "TOZL", "encoding": "simple", "genes": genes}
    document.update(pick(rng, {}, {"width": 12}, {"board": ["....####.."]}, {"encoding": "double"},
                         {"pieces": "TQ"}, {"genes": [[1]]}, {"more": 1}, {"pieces": 5},
                         {"genes": None}))
    text = json.dumps(document)
    return "eval", {"document": pick(rng, text, text[:-1], "7",
                                     '{"settings":{},"state":{},"checksum":"x"}')}


def simulate_question(rng):
    ask = {"seed": str(rng.randrange(1000)), "games": pick(rng, rng.choice("123"), "0"),
           "max-pieces": pick(rng, rng.choice(["1", "10", "25"]), "-1"),
           "piece-seed": str(rng.randrange(100))}
    ask.update(choose(rng, {
        "agent": ["weighted", "lookahead", "beam?width=3", "hill", "anneal", "genetic", "random",
                  "dt20", "surface", "bees?bees=5", "bot?nodes=300", None, "nobody", "hill?x=1"],
        "rules": ["drop", "guideline", None, "house"],
        "preview": ["0", "2", None, "15"],
        "hold": ["on", "off", None, "perhaps"],
        "scoring": ["classic", "local-search", None, "none"],
        "width": ["6", "10", None, "3"],
        "height": ["10", "20", None, "99"],
        "weights": ["dt20", "competition-1", None, "nothing"],
        "protocol": ["local-search", "local-search-published", None, "other"],
        "lines": ["1", "5", None, "0"],
        "total-pieces": ["200", None, "0"],
        "randomizer": ["uniform", "sz", None, "list", "x"],
        "list": ["TOZLIJS", None, "TQ"],
        "bees": ["4", None, "0"],
        "breadth": ["3"],
        "unknown": [None, "1"],
    }, 3))
    return "simulate", ask


def train_question(rng):
    ask = {"seed": str(rng.randrange(1000)), "generations": rng.choice("12"), "games": "1",
           "max-pieces": "10", "held-out": "1", "agent": rng.choice(["dt20", "weighted", "hill"]),
           "height": "8"}
    ask.update(choose(rng, {
        "method": ["cma-es", "genetic", "cross-entropy", "competition", None, "luck"],
        "measure": ["score", "lines", None, "splitting", "joy"],
        "pin": ["holes=1", None, "nothing=1"],
        "preset": ["competition-1", None, "nobody"],
        "profile": [None, "blocks", "joy"],
        "features": ["stack", "literature", None, "none"],
        "weights": ["dt20", "zero", None, "nothing"],
        "grow-every": ["1", None, "-1"],
        "prune": ["0.1", None, "2"],
        "population": ["6", None, "0"],
        "agent-param.bees": [None, "5"],
        "randomizer": ["bag", None, "list"],
    }, 2))
    return "train", ask


def match_question(rng):
    ask = {"seed": str(rng.randrange(1000)), "games": pick(rng, rng.choice("24"), "0", "3"), "max-pieces": "12",
           "player": rng.choice(["weighted", "bot?nodes=200", "hill"]),
           "against": pick(rng, rng.choice(["lookahead", "random", "weighted"]), "nobody", "bees")}
    ask.update(choose(rng, {
        "rules": ["ppt", "guideline", "spin = 3,6,9", '{"base":"guideline","blocking":false}', None, "chess",
                  "fly = 1", '{"combo":["x"]}'],
        "preview": ["0", "3", None, "15"],
        "frames": ["on", None, "perhaps"],
        "sprt": ["0,5", "-10,20", None, "5,0", "1", "x,y"],
        "first-to": ["1", "2", None, "0"],
        "alpha": [None, "0.1", "2"],
        "gauntlet": [None, "on"],
        "threads": ["1"],
        "unknown": [None, "1"],
    }, 3))
    return "match", ask


def clears_question(rng):
    ask = {"find": rng.choice(["percent", "path", "setup", "spin"]), "patterns": "*p4",
           "fumen": "v115@9gE8DeG8CeH8BeG8CeA8JeAgH"}
    ask.update(choose(rng, {
        "patterns": ["*p3", "[SZ]*p3", "I,[^TI]p3", "TOZL", None, "*p9", "[SZ", "I", "t"],
        "hold": ["on", "off", None, "maybe"],
        "drop": ["soft", "hard", "180", None, "sonic"],
        "kicks": ["srs", "none", None, "worlds"],
        "lines": ["4", None, "3", "9", "0"],
        "page": ["1", None, "2", "0"],
        "fill": ["G", None, "x"],
        "spin-lines": ["1", "0", None, "4"],
        "tree-depth": ["0", "2", None, "9"],
        "failed": ["0", "5", None, "-1"],
        "minimal": ["off", None, "perhaps"],
        "find": ["cover", "chance", None, "joy"],
        "fumen": [None, "v115@", "x"],
    }, 3))
    return "clears", ask


def questions(rng, count):
    kinds = ([solve_question] * 5 + [eval_question] * 2 + [simulate_question] * 4 + [train_question]
             + [match_question] * 2)
    asked = [rng.choice(kinds)(rng) for _ in range(count)]
    asked[::8] = [clears_question(rng) for _ in asked[::8]]
    return asked


def strip(value):
    """A document without what differs from run to run."""
    if isinstance(value, dict):
        return {name: strip(item) for name, item in value.items() if name not in TIMES}
    return [strip(item) for item in value] if isinstance(value, list) else value


def answer(document):
    return ("document", strip(document))


def error(message):
    return ("error", message)


class CommandLine:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def ask(self, job, options, number):
        words = []
        for name, value in options.items():
            if name in FILES:
                path = f"q{number}.{name}"
                (self.folder / path).write_text(value, encoding="utf-8")
                value = path
            if (job, name) == ("eval", "document"):
                words.append(value)
            else:
                words.append(f"--{name}={value}")
        run = subprocess.run([self.program, job, *words, "--json", "--quiet"], cwd=self.folder,
                             capture_output=True, text=True, check=False)
        if run.stdout.strip():
            return answer(json.loads(run.stdout))
        message = run.stderr.removeprefix("tetropt: ").removesuffix("\n").removeprefix("--")
        return error(clean(message, number))


def clean(message, number):
    """A message without the name of the file that a value was read from."""
    for name in FILES:
        message = message.replace(f": q{number}.{name}:", ":")
        message = message.removeprefix(f"q{number}.{name}: ")
    return message


class Library:
    def __init__(self, driver, asked):
        text = ""
        for job, options in asked:
            text += job + "\n"
            for name, value in options.items():
                text += f"{name}\n{len(value.encode())}\n{value}\n"
            text += ".\n"
        run = subprocess.run([driver], input=text, capture_output=True, text=True, check=True)
        self.lines = run.stdout.splitlines()

    def ask(self, job, options, number):
        del job, options
        document = json.loads(self.lines[number])
        return error(document["error"]) if set(document) == {"error"} else answer(document)


class Http:
    def __init__(self, server):
        self.server = server

    def post(self, path, document):
        while (reply := self.server.post(path, document))[0] in (429, 409):
            time.sleep(0.05)
        return reply[0], json.loads(reply[1])

    def ask(self, job, options, number):
        del number
        rows = {"board": options["board"].splitlines()} if "board" in options else {}
        status, reply = self.post(f"/api/{job}", {**options, **rows})
        if status != 200:
            return error(reply["error"])
        while True:
            status, text = self.server.ask(f"/api/{job}/{reply['id']}")
            if status == 200:
                state = json.loads(text)
                if state["state"] == "failed":
                    return error(state["error"])
                if "answer" in state:
                    return answer(state["answer"])
            time.sleep(0.02)


class Grid:
    """One grid per question; `run` works all of them off at once."""

    def __init__(self, program, folder, asked):
        self.program, self.folder, self.errors = program, folder, {}
        self.documents = {}
        for number, (job, options) in enumerate(asked):
            text = f"[experiment]\ncommand = {job}\nrepeat = 1\n[{job}]\n"
            for name, value in options.items():
                if name in FILES:
                    path = f"q{number}.{name}"
                    (folder / path).write_text(value, encoding="utf-8")
                    value = path
                text += f"{name} = {value}\n"
            (folder / f"g{number}.ini").write_text(text, encoding="utf-8")
            run = self.run("init", f"g{number}.ini", "--seed", "1")
            if run.returncode:
                message = run.stderr.removeprefix("tetropt: ").removesuffix("\n")
                place, _, message = message.partition(": ")
                assert place.startswith(f"g{number}.ini"), run.stderr
                self.errors[number] = clean(message, number)
        assert self.run("run", "--workers", "2", "--quiet").returncode == 0
        for line in self.run("export", "jsonl").stdout.splitlines():
            row = json.loads(line)
            self.documents[int(row["grid"].removeprefix("g").removesuffix(".ini"))] = row

    def run(self, *words):
        return subprocess.run([self.program, "experiment", *words, "--store", "sqlite:s.sqlite"],
                              cwd=self.folder, capture_output=True, text=True, check=False)

    def ask(self, job, options, number):
        del job, options
        if number in self.errors:
            return error(self.errors[number])
        row = self.documents[number]
        return answer(row["result"]) if row.get("result") else error(row["error"])


def only_on_server(job, options, reply):
    """True when the server rejects what it is meant to reject."""
    # Parameters stand in the name of an algorithm too: "ga?population=1".
    inside = re.findall(r"[?&]([a-z-]+)=", " ".join(map(str, options.values())))
    limited = [name for name in [*options, *inside]
               if (job, name) in SERVER_LIMITS or ("*", name) in SERVER_LIMITS]
    return reply[0] == "error" and any(re.match(rf"([a-z-]+: )?{name}: ", reply[1]) for name in limited)


def in_grid(options):
    """Values with commas are lists in a grid, lines end there, and empty values are no values."""
    return all("," not in value and "\n" not in value and value and len(value) < 150
               for name, value in options.items() if name not in FILES)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args()
    program = str(pathlib.Path(options.tetropt).resolve())
    asked = questions(random.Random(options.seed), options.count)
    asked = [(job, {name: value for name, value in ask.items() if value}) for job, ask in asked]
    failures, documents, limited = 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        gridded = [number for number, (_, ask) in enumerate(asked) if in_grid(ask)]
        (folder / "grids").mkdir()
        grid = Grid(program, folder / "grids", [asked[number] for number in gridded])
        fronts = {"library": Library(str(pathlib.Path(options.driver).resolve()), asked)}
        line = CommandLine(program, folder)
        server = Server(program)
        http = Http(server)
        try:
            for number, (job, ask) in enumerate(asked):
                expected = line.ask(job, ask, number)
                documents += expected[0] == "document"
                replies = {name: front.ask(job, ask, number) for name, front in fronts.items()}
                replies["http"] = http.ask(job, ask, number)
                if number in gridded:
                    replies["grid"] = grid.ask(job, ask, gridded.index(number))
                for front, reply in replies.items():
                    if reply == expected:
                        continue
                    if front == "http" and only_on_server(job, ask, reply):
                        limited += 1
                        continue
                    failures += 1
                    print(f"FAIL {job} {ask}\n  command line: {str(expected)[:300]}\n"
                          f"  {front}: {str(reply)[:300]}")
        finally:
            server.stop()
    print(f"{documents} documents, {options.count - documents} rejections, "
          f"{len(gridded)} also in a grid, {limited} by limits of the server")
    print(f"{options.count - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


main()
