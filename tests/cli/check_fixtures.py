"""Files that version 1.0 wrote: they load, and mean the same."""

import json
import os
import shutil
import sqlite3

SOURCE = os.path.join(os.path.dirname(__file__), "..", "fixtures", "1.0")


def copy_all(t):
    for name in os.listdir(SOURCE):
        shutil.copy(os.path.join(SOURCE, name), os.path.join(t.folder, name))


def document(t, *words):
    return json.loads(t.run(*words).out)


def check_stores(t):
    copy_all(t)
    with open(os.path.join(SOURCE, "store.csv"), encoding="utf-8") as file:
        expected = file.read()
    store = ("--store", "sqlite:store.sqlite")
    t.equal("the export", t.run("experiment", "export", "csv", *store).out, expected)
    t.true("status", "8" in t.run("experiment", "status", *store).out)
    t.equal("a report", t.run("report", *store, "--out", "page.html", "--quiet").code, 0)
    # Runs of the same grid by this version give the same results, in the order of version 1.0.
    with open(os.path.join(t.folder, "grid.ini"), "a", encoding="utf-8") as file:
        file.write("preset = 1.0\n")
    t.equal("init", t.run("experiment", "init", "grid.ini", "--seed", "1", "--quiet", "--store",
                          "sqlite:new.sqlite").code, 0)
    t.equal("run", t.run("experiment", "run", "--workers", "1", "--quiet", "--store",
                         "sqlite:new.sqlite").code, 0)
    rows = [json.loads(line) for line in t.run("experiment", "export", "jsonl", "--store",
                                               "sqlite:new.sqlite").out.splitlines()]
    olds = [json.loads(line) for line in t.run("experiment", "export", "jsonl", *store)
            .out.splitlines()][:len(rows)]
    for new, old in zip(rows, olds):
        t.equal("the same fitness", new["result"]["fitness"], old["result"]["fitness"])
        t.equal("the same genes", new["result"]["genes"], old["result"]["genes"])
    # A run of version 1.0 that was still waiting names no order, and moves first as it did then.
    with sqlite3.connect(os.path.join(t.folder, "store.sqlite")) as connection:
        connection.execute("UPDATE tetropt_run SET state = 'waiting', result = NULL WHERE number <= 4")
    connection.close()
    t.equal("run", t.run("experiment", "run", "--workers", "1", "--quiet", *store).code, 0)
    again = [json.loads(line) for line in t.run("experiment", "export", "jsonl", *store)
             .out.splitlines()][:4]
    for new, old in zip(again, olds):
        t.equal("its order", new["result"]["order"], "move-first")
        t.equal("its fitness", new["result"]["fitness"], old["result"]["fitness"])
        t.equal("its genes", new["result"]["genes"], old["result"]["genes"])


def check_documents(t):
    copy_all(t)
    for name in ("solve.json", "placements.json"):
        with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
            old = json.load(file)
        again = document(t, "eval", name, "--json")
        t.equal(f"{name}: the fitness", again["fitness"], old["fitness"])
        t.equal(f"{name}: the board", again["board"], old["board"])
        t.equal(f"{name}: as a replay", t.run("replay", name, "--final").code, 0)
    for name in ("replay.json", "game.json"):
        t.true(f"{name}: plays", "every move follows the rules" in t.run("replay", name).out)
    t.equal("a replay as a solution", document(t, "eval", "replay.json", "--json")["board"],
            document(t, "eval", "solve.json", "--json")["board"])
    with open(os.path.join(SOURCE, "solve.json"), encoding="utf-8") as file:
        pieces = json.load(file)["pieces"]
    for start in ("solve.json", "replay.json"):
        solved = document(t, "solve", "--pieces", pieces, "--placements", "6", "--start", start,
                        "--algorithm", "hill", "--evaluations", "1", "--seed", "1", "--json")
        t.true(f"{start}: begins there",
               solved["fitness"] >= document(t, "eval", "solve.json", "--json")["fitness"],
               solved["fitness"])
    t.refuses("eval", "training.json.state", names="this is a training state")
    t.refuses("replay", "training.json", names="this is a file of weights")


def check_weights(t):
    copy_all(t)
    games = ("--agent", "dt20", "--height", "8", "--games", "3", "--max-pieces", "100", "--seed",
             "1", "--json", "--no-times")
    played = document(t, "simulate", *games, "--weights", "training.json")
    t.equal("weights by their name", played["weights"], "training.json")
    t.equal("settings", document(t, "simulate", "--config", "settings.ini", "--seed", "1",
                               "--max-pieces", "5", "--json")["agent"], "bees")


def check_settings(t):
    """The example configuration of 1.0: every section is read as it was then."""
    copy_all(t)
    config = ("--config", "config.ini")
    t.equal("pieces", t.run("pieces", *config).out, t.run("pieces", "--n", "14", "--randomizer", "bag", "--seed",
                                                          "7").out)
    t.equal("perft", t.run("perft", *config, "--json").out.split(",")[0],
            t.run("perft", "--pieces", "TISZ", "--hold", "on", "--json").out.split(",")[0])
    t.equal("eval", t.run("eval", *config, "game.json").out, t.run("eval", "--steps", "game.json").out)


def check_scores(t):
    """High scores of 1.0: a new game is compared with them and joins them."""
    if not t.has_terminal:
        return
    folder = os.path.join(t.folder, "data", "tetropt")
    os.makedirs(folder)
    shutil.copy(os.path.join(SOURCE, "scores.json"), folder)
    screen = t.screen("play", "--lines", "1", "--width", "6", "--list", "OOOOOO", "--countdown", "0", "--ascii", "--color",
                      "never",
                      "--config", os.path.join(SOURCE, "config.ini"))
    t.true("it starts", screen.wait_for("quit"), screen.text())
    screen.press(*["d"] * 3, " ", *["a"] * 3, " ", " ")
    t.true("it ends", screen.wait_for("all lines done"), screen.text())
    screen.press("q")
    t.equal("exit", screen.finish(10), 0)
    screen.close()
    with open(os.path.join(SOURCE, "scores.json"), encoding="utf-8") as file:
        before = json.load(file)
    with open(os.path.join(folder, "scores.json"), encoding="utf-8") as file:
        after = json.load(file)
    t.equal("the same table", list(after), list(before))
    for name, entries in before.items():
        t.equal("one more", len(after[name]), len(entries) + 1)
        t.true("the old ones are there", all(entry in after[name] for entry in entries), after)
