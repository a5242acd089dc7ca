#!/usr/bin/env python3
"""The experiments of `tetropt serve`: what is listed is what is there, while workers run, in stores of
ten thousand runs, in a file and on a PostgreSQL server (where there is one to start).

usage: stores.py --tetropt PROGRAM [--runs N]"""

import argparse
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

from hostile import Checks, Server

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "experiment"))
import postgresql  # pylint: disable=wrong-import-position

GRID = """[experiment]
command = solve
repeat = 5
[solve]
n = 4, 6
algorithm = ga, hill
evaluations = 100
threads = 1
"""
COLUMNS = ("grid, command, repeat, seed, piece_seed, parameters, state, attempts, owner, host, version, started, finished, seconds, "
           "result, times, evolution, error")
DOUBLE = f"INSERT INTO tetropt_run (number, {COLUMNS}) SELECT number + (SELECT MAX(number) FROM tetropt_run), {COLUMNS} FROM tetropt_run"


class Experiment:
    def __init__(self, program, store, folder):
        self.program, self.store, self.folder = program, store, folder

    def run(self, *words):
        subprocess.run([self.program, "experiment", *words, "--store", self.store], check=True, capture_output=True, cwd=self.folder)

    def add(self, name, repeat=5):
        (self.folder / f"{name}.ini").write_text(GRID.replace("repeat = 5", f"repeat = {repeat}"), encoding="ascii")
        self.run("init", f"{name}.ini", "--seed", "1")

    def work(self):
        self.run("run", "--workers", "1", "--quiet")


def post(server, path, document):
    """Waits its turn where it asks more often than is allowed."""
    while (answer := server.post(path, document))[0] == 429:
        time.sleep(0.2)
    return answer


def ask(server, filter_="", **more):
    status, body = post(server, "/api/stores/0/runs", {"filter": filter_, **more})
    return json.loads(body) if status == 200 else {"status": status, **json.loads(body)}


def settle(server, wanted, filter_="done"):
    """Asks until so many runs are found; what was found last."""
    for _ in range(200):
        found = ask(server, filter_, count=1).get("found")
        if found == wanted:
            break
        time.sleep(0.2)
    return found


def check_list(t, server):
    everything = ask(server)
    t.true("all runs", everything.get("total") == everything.get("found") == 20 and len(everything["runs"]) == 20, str(everything)[:200])
    t.true("in order", [run["number"] for run in everything["runs"]] == list(range(1, 21)))
    t.true("what differs is a column", everything["keys"] == ["n", "algorithm"], everything["keys"])
    t.true("what does not is said once", everything["same"] == {"evaluations": "100", "threads": "1", "order": "turn-first"}, everything["same"])
    grid = everything["grids"][0]
    t.true("what groups can be made of", {key["name"]: key["values"] for key in grid["keys"]} == {"n": ["4", "6"], "algorithm": ["ga", "hill"]}, grid)
    t.true("values", all(isinstance(run["value"], float) and run["seconds"] >= 0 for run in everything["runs"]))
    for text, count in (("algorithm=ga", 10), ("ALGORITHM=ga", 0), ("algorithm=g", 0), ("GA", 10), ("ga n=4", 5), ("n=4 n=6", 0), ("17", 1),
                        ("done first", 20), ("waiting", 0), ("' OR 1=1 --", 0), ("%", 0)):
        found = ask(server, text)
        t.true(f"filter {text}", found.get("found") == count, found.get("found"))
    part = ask(server, "ga", first=8, count=5)
    t.true("a part", part["first"] == 8 and len(part["runs"]) == 2 and part["found"] == 10, str(part)[:200])
    for bad in ({"filter": 1}, {"filter": "x" * 600}, {"filter": "x " * 30}, {"filter": "", "count": 501}, {"filter": "", "first": -1}, {}, []):
        t.status(f"refused: {str(bad)[:40]}", post(server, "/api/stores/0/runs", bad), 400)
    check_order(t, server)
    check_run(t, server)


def check_order(t, server):
    for order, key in (("value", lambda run: run["value"]), ("n", lambda run: float(run["parameters"]["n"])),
                       ("algorithm", lambda run: run["parameters"]["algorithm"]), ("seconds", lambda run: run["seconds"])):
        for sign in ("", "-"):
            keys = [key(run) for run in ask(server, order=sign + order)["runs"]]
            t.true(f"in the order of {sign}{order}", len(keys) == 20 and keys == sorted(keys, reverse=sign == "-"), keys)
    part = ask(server, order="-number", first=2, count=3)
    t.true("a part of an order", [run["number"] for run in part["runs"]] == [18, 17, 16], str(part)[:200])
    t.true("an unknown key", [run["number"] for run in ask(server, order="nothing")["runs"]] == list(range(1, 21)))


def check_run(t, server):
    status, body = post(server, "/api/stores/0/run", {"number": 7})
    run = json.loads(body)
    t.true("one run", status == 200 and run["run"] == 7 and run["result"]["moves"] and run["evolution"], (status, body[:200]))
    for bad in ({"number": 0}, {"number": 21}, {"number": "7"}, {"number": 7, "more": 1}, []):
        t.status(f"refused: {bad}", post(server, "/api/stores/0/run", bad), 400)
    while (answer := post(server, "/api/stores/0/plots", {"filter": "algorithm=ga"}))[0] == 409:
        time.sleep(0.2)
    names = {series["name"] for figure in json.loads(answer[1]) for panel in figure.get("panels", []) for series in panel["series"]}
    t.true("plots of the filter", answer[0] == 200 and not any("hill" in name for name in names), names)
    t.status("a filter that is none", post(server, "/api/stores/0/plots", {"filter": 1}), 400)


def check_live(t, server, experiment):
    """A grid is added and worked off while the page looks."""
    experiment.add("second", repeat=2)
    t.true("new runs", settle(server, 8, "waiting") == 8)
    experiment.work()
    t.true("that get done", settle(server, 28) == 28)
    names = [grid["name"] for grid in ask(server)["grids"]]
    t.true("of two grids", names == ["first", "second"], names)
    question = {"grid": "first", "by": "algorithm", "first": "ga", "second": "hill"}
    status, body = post(server, "/api/stores/0/compare", question)
    t.true("groups compared", status == 200 and [group["count"] for group in json.loads(body)["groups"]] == [10, 10], (status, body[:200]))
    while (answer := server.ask("/api/stores/0/plots"))[0] == 429:
        time.sleep(0.2)
    status, body = answer
    t.true("plots", status == 200 and len(json.loads(body)) >= 3, (status, body[:200]))
    while (answer := server.ask("/api/stores/0/tunings"))[0] == 429:
        time.sleep(0.2)
    status, body = answer
    t.true("no tuning", status == 200 and json.loads(body) == [], (status, body[:200]))


def check_large(t, server, sql, runs):
    count = 28
    while count < runs:
        sql(DOUBLE)
        count *= 2
    started = time.monotonic()
    found = settle(server, count)
    first = time.monotonic() - started
    before, again = server.memory_kb(), []
    for i in range(8):
        started = time.monotonic()
        part = ask(server, "algorithm=ga n=4", first=count // 40 * i, count=20)
        again.append(time.monotonic() - started)
        t.true("a part of many", part.get("found", 0) > count // 5 and len(part["runs"]) == 20, str(part)[:200])
    t.true("many runs are listed", found == count, (found, count))
    t.memory("looking again takes no memory", server.memory_kb() - before < 4096, (before, server.memory_kb()))
    while (plots := server.ask("/api/stores/0/plots"))[0] == 429:
        time.sleep(0.2)
    t.status("plots of many", plots, 200)
    t.memory("memory is bounded", server.memory_kb() < 400 << 10, server.memory_kb())
    print(f"{count} runs: first look {first:.2f} s, another {min(again) * 1000:.0f} ms, memory {server.memory_kb() >> 10} MB after the plots")


def check_store(t, program, store, sql, runs, folder):
    experiment = Experiment(program, store, folder)
    experiment.add("first")
    experiment.work()
    server = Server(program, "--store", store)
    try:
        check_list(t, server)
        check_live(t, server, experiment)
        check_large(t, server, sql, runs)
    finally:
        code = server.stop()
    t.true("the server ends as it should", code == 130, code)


def check_away(t, program, database):
    """A database that goes away is said to be away, and found when it is back."""
    server = Server(program, "--store", database.address)
    try:
        t.status("there", server.ask("/api/stores"), 200)
        database.stop()
        t.status("away", server.ask("/api/stores"), 500)
        t.status("the rest goes on", server.ask("/api/about"), 200)
        database.start()
        for _ in range(20):
            answer = server.ask("/api/stores")
            if answer[0] == 200:
                break
            time.sleep(0.2)
        t.status("back", answer, 200)
    finally:
        server.stop()


def on_server(t, program, runs):
    programs = postgresql.can_start()
    built = subprocess.run([program, "experiment", "status", "--store", "postgresql:///"], capture_output=True, text=True, check=False)
    if not programs or "built without" in built.stderr:
        print("no PostgreSQL server to start: files alone")
        return
    database = postgresql.Server(programs)
    try:
        with tempfile.TemporaryDirectory() as name:
            check_store(t, program, database.address, database.sql, runs, pathlib.Path(name))
        check_away(t, program, database)
    finally:
        database.remove()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--runs", type=int, default=int(10000 * min(1.0, float(os.environ.get("TETROPT_TEST_SCALE", "1")) * 2)))
    arguments = parser.parse_args()
    t = Checks()
    program = os.path.abspath(arguments.tetropt)
    with tempfile.TemporaryDirectory() as name:
        path = os.path.join(name, "runs.db")

        def sql(text):
            with sqlite3.connect(path, timeout=20) as database:
                database.execute(text)

        check_store(t, program, f"sqlite:{path}", sql, arguments.runs, pathlib.Path(name))
    on_server(t, program, arguments.runs)
    print(f"{t.count} checks, {t.failed} failed")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
