#!/usr/bin/env python3
"""Kills `experiment run` with SIGKILL at random moments, again and again, and compares the final
store with that of an undisturbed run: the same rows.

    kills.py --tetropt PATH [--kills N] [--seed S]
"""

import argparse
import os
import random
import sqlite3
import time

from runner import Folder, expect, kill, main, scale


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
    print(f"{hits} kills, {attempts} attempts at {folder.runs} runs")
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


def test():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(10**6)
    print("seed", seed)
    random.seed(seed)
    small = scale() < 1
    folder = Folder(options.tetropt, 2 if small else 6, 5000 if small else 30000)
    try:
        expected = folder.undisturbed()
        for number in range(options.kills):
            kill_init(folder, number)
        left, number = options.kills, 0
        while left > 0:
            left -= disturbed(folder, number, left, expected)
            number += 1
    finally:
        folder.remove()


main(test)
