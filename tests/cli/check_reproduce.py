"""reproduce: the published numbers next to ours, computed once more by hand, and interruptions."""

import json
import os
import statistics

QUICK = ("reproduce", "local-search", "--quick", "--store", "sqlite:r.sqlite", "--out", "r.html")


def check_list(t):
    text = t.run("reproduce")
    t.true("list", text.code == 0 and "offline:" in text.out and "GA: best" in text.out, text)
    t.equal("the same by name", t.run("reproduce", "list").out, text.out)
    works = t.document("reproduce", "--json")["works"]
    for work in works:
        t.true(work["name"], work["numbers"] >= len(work["tables"]) > 0, work)
    t.equal("nothing was written", t.files(), ["examples"])


def check_facts(t):
    answer = t.document("reproduce", "complexity", "--json", "--quiet")
    ours = {number["number"]: number["ours"] for number in answer["numbers"]}
    t.equal("facts", ours, {"pieces": 222, "lines cleared": 118, "cells left": 0,
                            "3 variables": 14, "6 variables": 126, "9 variables": 1022})
    t.equal("verdicts", {number["verdict"] for number in answer["numbers"]}, {"agrees"})


def check_local_search(t):
    run = t.interrupt(*QUICK, "--quiet", after=0.4)
    t.true("interrupted", run.code in (0, 130), run)
    answer = t.document(*QUICK, "--json", "--quiet", "--markdown", "r.md")
    scores = {}
    lines = t.run("experiment", "export", "jsonl", "--store", "sqlite:r.sqlite").out.splitlines()
    for line in lines:
        result = json.loads(line)["result"]
        scores.setdefault(result["agent"], []).extend(game["score"] for game in result["per_game"])
    by_hand = {"mean": statistics.mean, "standard deviation": statistics.stdev,
               "median": statistics.median}
    for number in answer["numbers"]:
        values = scores[number["number"]]
        expected = by_hand[number["table"].split(": ")[1]](values)
        t.true(number["table"], abs(number["ours"] - expected) < 1e-6 * expected, number)
        t.true("interval", number["low"] <= number["ours"] <= number["high"], number)
        t.equal("games", number["runs"], len(values))
        t.true("verdict", number["verdict"] in ("agrees", "better", "worse", "differs"), number)
    # The command of the first run gives that run.
    first = answer["numbers"][0]
    words = first["command"].split()
    again = t.document(*words[1:], "--json")
    t.true("the command", again["per_game"] ==
           json.loads(lines[0])["result"]["per_game"], first["command"])
    for name in ("r.html", "r.md"):
        with open(os.path.join(t.folder, name), encoding="utf-8") as file:
            text = file.read()
        t.true(name, "128940" in text and first["command"].split("--")[1] in text, text[:500])
    # Finished runs are not run again, and other works can join the store.
    before = t.run("experiment", "export", "csv", "--store", "sqlite:r.sqlite").out
    t.document(*QUICK, "--json", "--quiet")
    after = t.run("experiment", "export", "csv", "--store", "sqlite:r.sqlite").out
    t.equal("no run twice", after, before)


def check_bees(t):
    """Every colony has pieces of its own, and a command names each seed once."""
    if t.scale < 1:
        return
    answer = t.document("reproduce", "bees", "--quick", "--store", "sqlite:b.sqlite", "--out", "b.html", "--json",
                        "--quiet")
    runs = [json.loads(line) for line in
            t.run("experiment", "export", "jsonl", "--store", "sqlite:b.sqlite").out.splitlines()]
    t.equal("pieces", sorted({run["result"]["piece_seed"] for run in runs}), [1, 2, 3, 4, 5])
    for number in answer["numbers"]:
        words = number["command"].split()
        t.equal(number["number"], (words.count("--seed"), words.count("--piece-seed")), (1, 1))
    again = t.document(*answer["numbers"][0]["command"].split()[1:], "--json")
    t.equal("the command", again["per_game"], runs[0]["result"]["per_game"])


def check_default_page(t):
    """What cannot be written is refused before the runs, also when no option names it."""
    os.symlink("no/such/folder/page.html", os.path.join(t.folder, "reproduce.html"))
    run = t.run("reproduce", "local-search", "--quick", "--quiet", "--store", "sqlite:d.sqlite")
    t.true("refused", run.code in (2, 3) and "reproduce.html" in run.err, run)
    t.true("before the runs", "d.sqlite" not in t.files(), t.files())


def check_bad(t):
    t.refuses("reproduce", "everything", names=("everything",))
    t.refuses("reproduce", "all", "--store", "sqlite:no/such/folder/r.sqlite", names=("no/such",))
    t.write("published-local-search.ini",
            "[experiment]\ncommand = simulate\n[simulate]\nagent = hill\ngames = 1\n")
    t.run("experiment", "init", "published-local-search.ini", "--store", "sqlite:o.sqlite")
    t.fails(2, t.run("reproduce", "local-search", "--store", "sqlite:o.sqlite"),
            "published-local-search")
