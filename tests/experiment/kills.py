#!/usr/bin/env python3
"""Kills long jobs with SIGKILL at random moments, starts them again as their pages say, and compares
what they end with: the same as undisturbed.

    kills.py --tetropt PATH [--kills N] [--seed S] [JOB...]

Jobs: experiment, train, match, tune, reproduce, clears. With 50 kills or more the jobs are long
enough for many of the kills. A job that ends before all its kills have hit begins afresh.
"""

import argparse
import json
import os
import random
import re
import sqlite3
import subprocess
import time

from runner import Folder, expect, kill, main, scale

# A kill between writing and renaming leaves such a file; nothing else may be there.
TEMPORARY = re.compile(r"\.tetropt-[0-9a-f]{16}")


def look_at(path, runs):
    """The database is sound, and every run is there once and ended once."""
    database = sqlite3.connect(path)
    expect(database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "integrity")
    states = dict(database.execute("SELECT state, COUNT(*) FROM tetropt_run GROUP BY state"))
    expect(states == {"done": runs}, states)
    attempts = database.execute("SELECT SUM(attempts) FROM tetropt_run").fetchone()[0]
    database.close()
    return attempts


def disturbed(folder, number, kills, expected):
    """One store from init to end under kills; returns how many hit."""
    path = os.path.join(folder.path, f"{number}.sqlite")
    store = f"sqlite:{path}"
    folder.init(store)
    hits = 0
    while hits < kills:
        process = folder.start("run", "--store", store, "--quiet", "--workers",
                               str(random.randint(1, 3)))
        time.sleep(random.choice([random.uniform(0, 0.03), random.uniform(0, 0.4)]))
        if not kill(process):
            break
        hits += 1
    # The default lease is a minute: dead workers of this machine must be noticed at once.
    start = time.time()
    folder.call("run", "--store", store, "--quiet")
    expect(time.time() - start < 50, "waited for leases of dead workers")
    expect(folder.export(store) == expected, "store", number, "differs")
    attempts = look_at(path, folder.runs)
    print(f"experiment: {hits} kills, {attempts} attempts at {folder.runs} runs")
    return hits


def kill_init(folder, number):
    """A grid is in the store wholly or not at all, whenever init dies."""
    store = f"sqlite:init{number}.sqlite"
    process = folder.start("init", folder.grid, "--store", store, "--seed", "5", "--name", "one")
    time.sleep(random.uniform(0, 0.02))
    kill(process)
    process = folder.start("init", folder.grid, "--store", store, "--seed", "5", "--name", "one")
    process.communicate()
    expect(process.returncode in (0, 2), "init after a kill:", process.returncode)
    expect(folder.counts(store)["waiting"] == folder.runs, "a part of a grid")


def experiment(program, kills):
    small = scale() < 1
    folder = Folder(program, 2 if small else 6, 5000 if small else 30000)
    try:
        expected = folder.undisturbed()
        for number in range(kills):
            kill_init(folder, number)
        left, number = kills, 0
        while left > 0:
            left -= disturbed(folder, number, left, expected)
            number += 1
    finally:
        folder.remove()


class Job:
    """One command with its files. `start` is for the first time, `again` for after a kill, which is
    used once `state` exists; `read` gives what must be the same in the end, from the folder and the
    output. `pause` is the longest time to a kill, in seconds. `inputs` are files by name."""

    def __init__(self, name, start, again, state, files, pause, read=None, inputs=None):
        self.name, self.first, self.again = name, start, again
        self.state, self.files, self.pause, self.read = state, files, pause, read
        self.inputs = inputs or {}

    def fresh(self, program):
        folder = Folder(program, 1, 1)
        for name, text in self.inputs.items():
            with open(os.path.join(folder.path, name), "w", encoding="utf-8") as file:
                file.write(text)
        return folder

    def process(self, folder):
        words = self.again if os.path.exists(os.path.join(folder.path, self.state)) else self.first
        process = subprocess.Popen([folder.tetropt, *words], cwd=folder.path, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        folder.started.append(process)
        return process

    def result(self, folder):
        """Left alone to its end."""
        process = self.process(folder)
        out, err = process.communicate(timeout=1000)
        expect(process.returncode == 0, self.name, "exit", process.returncode, err)
        own = [self.state, *self.files, *self.inputs, *(self.state + end for end in ("-wal", "-shm")), "grid.ini"]
        other = [name for name in os.listdir(folder.path)
                 if name not in own and not TEMPORARY.fullmatch(name)]
        expect(not other, self.name, "leaves", other)
        return self.read(folder, out) if self.read else json.loads(out)


def job_kills(program, job, kills):
    folder = job.fresh(program)
    start = time.time()
    try:
        expected = job.result(folder)
    finally:
        folder.remove()
    alone, hits, rounds, resumed = time.time() - start, 0, 0, 0
    while hits < kills:
        folder = job.fresh(program)
        rounds += 1
        try:
            while hits < kills:
                resumed += os.path.exists(os.path.join(folder.path, job.state))
                process = job.process(folder)
                longest = min(job.pause, alone)
                time.sleep(random.choice([random.uniform(0, longest / 10), random.uniform(0, longest)]))
                if not kill(process):
                    expect(process.returncode == 0, job.name, "exit", process.returncode)
                    break
                hits += 1
            expect(job.result(folder) == expected, job.name, "ends with another result")
        finally:
            folder.remove()
    print(f"{job.name}: {hits} kills, {resumed} starts from what was saved, {rounds} times to the same "
          f"end, {alone:.1f} s undisturbed")


def read_training(folder, _out):
    """The weights, the log without its times, and the state."""
    with open(os.path.join(folder.path, "w.json"), encoding="utf-8") as file:
        weights = file.read()
    with open(os.path.join(folder.path, "w.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for row in rows:
        del row["seconds"]
    with open(os.path.join(folder.path, "w.json.state"), encoding="utf-8") as file:
        return weights, rows, json.load(file)["state"]


def training(method, generations):
    common = ["--quiet"]
    return Job(f"train {method}",
               ["train", "--method", method, "--agent", "dt20", "--height", "10", "--games", "2",
                "--max-pieces", "4000", "--seed", "4", "--held-out", "5", "--generations",
                str(generations), "--out", "w.json", "--log", "w.jsonl", *common],
               ["train", "--resume", "w.json.state", *common], "w.json.state",
               ["w.json", "w.jsonl"], 0.3, read_training)


def match(games):
    words = ["match", "bot?nodes=200", "lookahead", "--games", str(games), "--seed", "1",
             "--max-pieces", "100", "--quiet", "--json", "--per-game", "--state", "m.state"]
    return Job("match", words, [*words, "--resume", "m.state"], "m.state", [], 5)


def tune(budget, evaluations):
    words = ["tune", "--set", "algorithm=hill", "--set", f"evaluations={evaluations}", "--instances",
             "cheese-2", "--budget", str(budget), "--held-out", "5", "--ablation", "2", "--quiet",
             "--json", "--store", "sqlite:t.sqlite", "--out", "t.ini"]

    def read(folder, out):
        with open(os.path.join(folder.path, "t.ini"), encoding="utf-8") as file:
            return json.loads(out), file.read()

    return Job("tune", words, words, "t.sqlite", ["t.ini"], 0.6, read)


def reproduce(*works):
    words = ["reproduce", *works, "--quick", "--quiet", "--json", "--store", "sqlite:r.sqlite",
             "--out", "r.html"]
    return Job("reproduce", words, words, "r.sqlite", ["r.html"], 0.6)


def clears(columns, pieces):
    """Queues of any `pieces` kinds on four rows of so many empty columns."""
    words = ["clears", "percent", "--board", "b.txt", "--patterns", ",".join("*" * pieces), "--quiet",
             "--json", "--no-times"]
    return Job("clears", [*words, "--save", "c.json"],
               ["clears", "--resume", "c.json", "--save", "c.json", "--quiet", "--json", "--no-times"],
               "c.json", [], 6, inputs={"b.txt": ("G" * (10 - columns) + "." * columns + "\n") * 4})


def jobs(long):
    return {
        "train": [training(method, 300 if long else 25) for method in ("cma-es", "genetic")],
        "match": [match(2000 if long else 60)],
        "tune": [tune(300, 10000) if long else tune(96, 200)],
        "reproduce": [reproduce("bees", "local-search") if long else reproduce("local-search")],
        "clears": [clears(7, 8) if long else clears(5, 6)],
    }


def test():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(10**6)
    print("seed", seed)
    random.seed(seed)
    long = options.kills >= 50
    known = jobs(long)
    expect(set(options.names) <= {"experiment", *known}, "no such job:", options.names)
    names = options.names or ["experiment", *known]
    if "experiment" in names:
        experiment(options.tetropt, options.kills)
    for name in names:
        for job in known.get(name, []):
            job_kills(options.tetropt, job, options.kills if long else max(1, options.kills // 3))


main(test)
