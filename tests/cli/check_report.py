"""report and experiment compare: pages, figures and tests from a small store."""

import csv
import json
import os
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

SOLVE = """[experiment]
command = solve
repeat = 3
[solve]
n = 5, 8
evaluations = 3000
algorithm = ga, sa, hill
"""
GAMES = """[experiment]
command = simulate
repeat = 2
[simulate]
agent = hill, bees
games = 2
max-pieces = 20
"""


class Page(HTMLParser):
    """What of a page could reach out, and whether its elements close."""

    def __init__(self):
        super().__init__()
        self.outside, self.open, self.figures, self.bad = [], [], 0, []

    def handle_starttag(self, tag, attributes):
        self.figures += tag == "figure"
        for name, value in attributes:
            if name in ("src", "href") and not value.startswith("#"):
                self.outside.append(value)
        if tag == "script":
            self.outside.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.bad.append(tag)


def store(t):
    t.write("s<o>.ini", SOLVE)
    t.write("games.ini", GAMES)
    for grid in ("s<o>.ini", "games.ini"):
        t.run("experiment", "init", grid, "--store", "sqlite:s.db", "--seed", "5", "--quiet")
    run = t.run("experiment", "run", "--store", "sqlite:s.db", "--quiet")
    t.true("the runs", run.code == 0, run)


def check_page(t):
    store(t)
    run = t.run("report", "--store", "sqlite:s.db", "--out", "r.html", "--plots", "figures",
                "--title", "A <b> & c", "--quiet")
    t.true("quiet", run.code == 0 and run.out == "" and "figures" not in run.err, run)
    with open(os.path.join(t.folder, "r.html"), encoding="utf-8") as file:
        text = file.read()
    page = Page()
    page.feed(text)
    page.close()
    t.equal("nothing from outside", page.outside, [])
    t.equal("every element closes", (page.bad, page.open), ([], []))
    t.true("the title is text", "<h1>A &lt;b&gt; &amp; c</h1>" in text, text[:3000])
    t.true("figures", page.figures > 10, page.figures)
    t.run("report", "--store", "sqlite:s.db", "--out", "again.html", "--title", "A <b> & c")
    with open(os.path.join(t.folder, "again.html"), encoding="utf-8") as file:
        t.true("the same bytes", file.read() == text, "differ")
    answer = t.document("report", "--store", "sqlite:s.db", "--out", "j.html", "--json",
                        "--plots", "figures")
    t.equal("runs", answer.get("runs"), 22)
    t.equal("figures listed", len(answer.get("figures", [])), page.figures)
    for name in answer.get("figures", []):
        path = os.path.join(t.folder, "figures", name)
        root = tree.parse(path + ".svg").getroot()
        t.true(name, root.tag.endswith("svg") and len(root) > 5, root.tag)
        with open(path + ".csv", encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        t.true(name, len(rows) > 1 and len({len(row) for row in rows}) == 1, rows[:3])
        if os.path.exists(path + ".png"):  # a build with cairo
            with open(path + ".pdf", "rb") as file:
                data = file.read()
            t.true(f"{name}: a complete PDF", data.startswith(b"%PDF-") and
                   data.rstrip().endswith(b"%%EOF"), data[:20])


def check_compare(t):
    store(t)
    both = ("experiment", "compare", "--store", "sqlite:s.db", "--by", "algorithm")
    t.fails(2, t.run(*both), "--grid")
    answer = t.document(*both, "--grid", "s<o>", "--json")
    t.equal("groups", [group["value"] for group in answer["groups"]], ["ga", "sa", "hill"])
    t.equal("runs", [group["runs"] for group in answer["groups"]], [6, 6, 6])
    t.equal("instances", answer["instances"], 6)
    ranks = answer["friedman"]["mean_ranks"]
    t.true("ranks", abs(sum(ranks.values()) - 6) < 1e-9, ranks)
    # By hand from the exported runs.
    lines = t.run("experiment", "export", "jsonl", "--store", "sqlite:s.db").out.splitlines()
    fitness = {}
    for line in lines:
        run = json.loads(line)
        if run["command"] == "solve":
            fitness.setdefault(run["result"]["algorithm"], []).append(run["result"]["fitness"])
    for pair in answer["pairs"]:
        first, second = fitness[pair["first"]], fitness[pair["second"]]
        wins = sum((x > y) + 0.5 * (x == y) for x in first for y in second)
        t.true("A12", abs(pair["a12"] - wins / 36) < 1e-12, (pair, wins))
        t.true("Holm", pair["mann_whitney_p"] <= pair["mann_whitney_holm"] <= 1, pair)
    text = t.run(*both, "--grid", "s<o>")
    t.true("text", text.code == 0 and "Friedman over 6 instances" in text.out, text)
    slower = t.document(*both, "--grid", "s<o>", "--measure", "seconds", "--json")
    t.equal("smaller is better", slower["larger_is_better"], False)
    t.fails(2, t.run(*both[:-1], "colour", "--grid", "s<o>"), "colour")
    t.fails(2, t.run(*both, "--grid", "none"), "none")
    t.fails(2, t.run(*both, "--grid", "s<o>", "--measure", "beauty"), "beauty")
    t.fails(2, t.run("experiment", "compare", "--store", "sqlite:s.db"), "--grid")


CONFOUNDED = """[experiment]
command = solve
repeat = 2
[solve]
n = 5
evaluations = 100
algorithm = sa
[solve fast]
cooling = 0.8
tabu = 10
[solve slow]
cooling = 0.9
tabu = 100
"""


def check_compare_confounded(t):
    """Two parts that differ in two parameters: neither can be compared alone."""
    t.write("parts.ini", CONFOUNDED)
    compare = ("experiment", "compare", "--store", "sqlite:p.db")
    t.run("experiment", "init", "parts.ini", "--store", "sqlite:p.db", "--seed", "5", "--quiet")
    t.run("experiment", "run", "--store", "sqlite:p.db", "--quiet")
    t.equal("named", t.document(*compare, "--by", "cooling", "--json")["confounded"], ["tabu"])
    t.true("a warning", "the groups also differ in tabu" in t.run(*compare, "--by", "cooling").out)
    t.fails(2, t.run(*compare), "choose cooling or tabu")
    # Without the second parameter there is only one that varies.
    t.write("one.ini", CONFOUNDED.replace("tabu = 100", "tabu = 10"))
    t.run("experiment", "init", "one.ini", "--store", "sqlite:o.db", "--seed", "5", "--quiet")
    t.run("experiment", "run", "--store", "sqlite:o.db", "--quiet")
    only = t.document("experiment", "compare", "--store", "sqlite:o.db", "--json")
    t.equal("the only one", (only["by"], only["confounded"]), ("cooling", []))


def check_bad(t):
    t.fails(2, t.run("report", "--store", "sqlite:missing.db", "--out", "r.html"), "missing.db")
    t.write("games.ini", GAMES)
    t.run("experiment", "init", "games.ini", "--store", "sqlite:s.db", "--seed", "5", "--quiet")
    t.fails(1, t.run("report", "--store", "sqlite:s.db", "--out", "r.html"), "done")
    t.fails(1, t.run("experiment", "compare", "--store", "sqlite:s.db", "--by", "agent"), "done")
    t.true("nothing written", "r.html" not in t.files(), t.files())
    t.run("experiment", "run", "--store", "sqlite:s.db", "--quiet")
    t.fails(2, t.run("report", "--store", "sqlite:s.db", "--out", "-", "--json"), "--out")
    for out in ("no/such/folder/r.html", "/dev/null/x"):
        run = t.run("report", "--store", "sqlite:s.db", "--out", out)
        t.true(out, run.code in (2, 3) and run.err.count("\n") == 1, run)
    run = t.run("report", "--store", "sqlite:s.db", "--out", "r.html", "--plots", "games.ini/x")
    t.true("--plots", run.code in (2, 3) and "r.html" not in t.files(), run)
    whole = t.run("report", "--store", "sqlite:s.db", "--out", "-", "--quiet")
    t.true("to standard output", whole.out.startswith("<!DOCTYPE html>"), whole.out[:100])


PUBLISHED = """[experiment]
command = solve
lists = run
[solve ga]
algorithm = ga
preset = untuned
n = 10, 30
encoding = simple, swap-double
population = 100, 10000
mutation = 0.05, 0.25
evaluations = 11000
[solve sa]
algorithm = sa
preset = untuned
n = 10, 30
encoding = simple, swap-double
cooling = 0.0005, 0.05
steps = 3000
"""


def check_published(t):
    t.write("p.ini", PUBLISHED)
    t.run("experiment", "init", "p.ini", "--name", "published-ga", "--store", "sqlite:p.db",
          "--seed", "1", "--quiet")
    t.equal("the runs", t.run("experiment", "run", "--store", "sqlite:p.db", "--quiet").code, 0)
    t.equal("the report", t.run("report", "--store", "sqlite:p.db", "--out", "p.html", "--plots",
                                "figures", "--quiet").code, 0)
    with open(os.path.join(t.folder, "p.html"), encoding="utf-8") as file:
        text = file.read()
    runs = [json.loads(line) for line in
            t.run("experiment", "export", "jsonl", "--store", "sqlite:p.db").out.splitlines()]
    # The row of 30 pieces with swap-double: published -177.2, and the median of its runs.
    finals = sorted(run["result"]["fitness"] for run in runs
                    if run["parameters"]["n"] == "30"
                    and run["parameters"]["encoding"] == "swap-double")
    median = (finals[2] + finals[3]) / 2
    row = next(row for row in text.split("<tr>") if "30 pieces, swap-double" in row
               and "-177.2" in row)
    t.equal("runs", len(finals), 6)
    t.true("theirs and ours", "177.2" in row and f"{abs(median):.4g}" in row, row)
    t.true("the interval of six runs is all of them",
           f"{abs(finals[0]):.4g}" in row and f"{abs(finals[-1]):.4g}" in row, row)
    # Every report of sa that brings a better best, and the start with its temperature, is stored.
    for run in runs:
        first = run["evolution"][0]
        genetic = run["parameters"]["algorithm"] == "ga"
        t.equal("begins at generation 0", first[4], 0)
        t.true("with its temperature", abs(first[3] - (144.2695 if genetic else 2)) < 1e-3, first)
    falls = sum(b[2] < a[2] for run in runs if run["parameters"]["algorithm"] == "sa"
                for a, b in zip(run["evolution"], run["evolution"][1:]))
    t.true("annealing jumps", falls > 20, falls)
    for name in ("single-run", "temperature-over-generations-by-population",
                 "temperature-over-generations-by-cooling"):
        with open(os.path.join(t.folder, "figures", f"published-ga-{name}.csv"),
                  encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        t.true(name, len(rows) > 10, len(rows))
