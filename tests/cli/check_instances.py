"""instances: the table of best-known solutions, and solving and checking by name."""

import csv
import json
import os


def rows(t):
    with open(os.path.join(t.source, "instances", "tetropt-1.csv"), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


def check_table(t):
    table = rows(t)
    run = t.run("instances", "check")
    t.equal("every solution is right", run.code, 0)
    proved = sum(row["optimal"] == "1" for row in table)
    t.true("their numbers", f"{len(table)} best-known" in run.out and f"{proved} of them" in run.out, run)
    t.true("at least 500 are proved", proved >= 500, proved)
    names = [row["name"] for row in table]
    t.equal("names are unique", len(set(names)), len(names))
    problems = {(row["width"], row["board"], row["pieces"], row["placements"]) for row in table}
    t.equal("so are problems", len(problems), len(table))
    for family in ("bag-10", "bag-20", "bag-30", "bag-50", "uniform-10", "cheese-4", "narrow-5", "narrow-8",
                   "hard-two", "hard-partition"):
        t.true(family, f"{family}-001" in names)
    listed = t.document("instances", "list", "--json")
    t.equal("the list has all", [row["name"] for row in listed["instances"]], names)
    t.equal("of a family", t.document("instances", "list", "bag-50", "--json")["instances"],
            [row for row in listed["instances"] if row["name"].startswith("bag-50-")])
    families = t.run("instances", "list").out
    t.true("one row per family", f"{len(table)} instances, {proved} with a proved optimum" in families, families)
    t.equal("all rows", t.run("instances", "list", "--all").out.count("\n"), len(table) + 1)


def check_sequences(t):
    row = next(row for row in rows(t) if row["name"] == "bag-10-007")
    answer = t.document("solve", "--n", "10", "--piece-seed", "7", "--seed", "1", "--evaluations", "100", "--json")
    t.equal("bag-10-007 is what solve draws", (answer["pieces"], answer["placements"]),
            (row["pieces"], int(row["placements"])))


def check_solving(t):
    answer = t.document("solve", "--instance", "bag-10-002", "--seed", "1", "--json")
    t.equal("proved by the table", (answer["instance"], answer["fitness"], answer["bound"], answer["optimal"]),
            ("bag-10-002", answer["best_known"], answer["best_known"], True))
    path = t.write("answer.json", json.dumps(answer))
    run = t.run("instances", "check", path)
    t.equal("checked", run.out, "bag-10-002: fitness 20, best known 20, gap to the bound 0, optimal\n")
    answer["fitness"] = 99
    path = t.write("lies.json", json.dumps(answer))
    checked = t.document("instances", "check", path, "--json")
    t.equal("played, not believed", (checked["fitness"], checked["better"]), (20, False))
    bad = t.document("solve", "--instance", "cheese-4-001", "--seed", "1", "--algorithm", "hill", "--evaluations", "50",
                     "--json")
    checked = t.document("instances", "check", t.write("bad.json", json.dumps(bad)), "--json")
    t.equal("a gap", checked["gap"], checked["bound"] - bad["fitness"])
    t.true("it is not optimal", checked["gap"] > 0 and not checked["optimal"], checked)
    shown = t.document("instances", "show", "hard-partition-001", "--json")
    played = t.document("eval", t.write("best.json", json.dumps(shown)), "--json")
    t.equal("what is shown can be played", played["fitness"], shown["best"])
    rows_profile = t.document("solve", "--instance", "bag-10-002", "--profile", "rows", "--evaluations", "200",
                              "--algorithm", "hill", "--seed", "1", "--json")
    t.true("another profile has another bound", rows_profile["bound"] != 20, rows_profile["bound"])


def check_bad_input(t):
    t.refuses("solve", "--instance", "bag-10-01", names=("--instance", "bag-10-001"))
    for option, value in (("--n", "5"), ("--pieces", "TI"), ("--width", "6"), ("--placements", "3"),
                          ("--piece-seed", "3"), ("--randomizer", "uniform")):
        t.refuses("solve", "--instance", "bag-10-001", option, value, names=(option, "instance"))
    t.refuses("instances", names="list, show, check")
    t.refuses("instances", "lst", names="'lst' (did you mean 'list'?)")
    t.refuses("instances", "list", "bag", "x", names="'x'")
    t.refuses("instances", "list", "bagg", names="bagg")
    t.refuses("instances", "show", names="name")
    t.refuses("instances", "show", "nothing", names="nothing")
    t.refuses("instances", "check", "--all", names="--all")
    t.refuses("instances", "check", "missing.json", names="missing.json")
    path = t.write("other.json", json.dumps({"pieces": "TI", "encoding": "simple", "genes": [[0, 0], [0, 0]]}))
    t.refuses("instances", "check", path, names=("other.json", "not those of an instance"))
    path = t.write("no.json", "{")
    t.refuses("instances", "check", path, names="no.json")
