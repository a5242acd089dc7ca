"""clears: the published numbers, solutions played by the rules of the oracle, bad input."""

import csv
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import clears  # pylint: disable=wrong-import-position
import rules  # pylint: disable=wrong-import-position
from reach import reach_spins  # pylint: disable=wrong-import-position

OPENER = "v115@9gE8DeG8CeH8BeG8CeA8JeAgH"
FIRST, SECOND = "v115@vhFRQJUGJKJJvMJTNJGBJ", "v115@vhFRQJPGJKJJGMJTNJ0BJ"


def opener_rows(t):
    """The field of the opener as text, from the solutions that path gives."""
    document = t.document("clears", "path", "--fumen", OPENER, "--patterns", "*p3", "--json")
    rows = document["solutions"][0]["field"]
    return ["".join("G" if c == "G" else "." for c in row) for row in rows]


def check_percent(t):
    arguments = ("clears", "percent", "--fumen", OPENER, "--patterns", "*p4")
    document = t.document(*arguments, "--json", "--no-times")
    t.equal("rate", (document["solvable"], document["queues"], document["lines"]), (514, 840, 4))
    t.equal("failed", (len(document["failed"]), document["failed_count"]), (326, 326))
    t.equal("tree", sum(branch["solvable"] for branch in document["tree"].values()), 514)
    deep = document["tree"]["I"]["next"]["O"]["next"]["T"]
    t.equal("three pieces", deep["queues"], 4)
    for threads in "1", "3":
        same = t.document(*arguments, "--json", "--no-times", "--threads", threads)
        t.equal("threads do not matter", same, document)
    run = t.run(*arguments)
    t.true("text", run.code == 0 and "514 of 840" in run.out and "61.19 %" in run.out, run)
    few = t.document(*arguments, "--json", "--failed", "2", "--tree-depth", "0")
    t.equal("limits", (few["failed"], few["tree"]), (document["failed"][:2], {}))
    text = t.write("patterns.txt", "# all orders\n*p4 # of four\n\nI,*p3\n")
    queues = {"".join(p) for p in itertools.permutations("IOTSZJL", 4)}
    queues |= {"I" + "".join(p) for p in itertools.permutations("IOTSZJL", 3)}
    several = t.document("clears", "percent", "--fumen", OPENER, "--patterns", "@" + text, "--json")
    t.equal("from a file", several["queues"], len(queues))


def check_census(t):
    """Ten pieces from the start of a bag, no hold: half a minute of CPU time."""
    if not t.long_examples:
        return
    document = t.document("clears", "percent", "--patterns", "*p7,*p3", "--hold", "off", "--json")
    t.equal("census", (document["solvable"], document["queues"]), (1029547, 1058400))


def check_against_oracle(t):
    """Every queue of some fields, by trying everything."""
    rng = random.Random(7)
    rows = opener_rows(t)
    memo = {}
    queues = ["".join(q) for q in itertools.permutations("IOTSZJL", 4)]
    document = t.document("clears", "percent", "--fumen", OPENER, "--patterns", "*p4", "--json")
    sample = rng.sample(queues, 40)
    expected = {q for q in sample if not clears.solvable(rows, q, 4, True, memo)}
    t.equal("opener", {q for q in document["failed"] if q in sample}, expected)
    for case in range(6):
        lines = rng.choice((2, 3, 4))
        rows = random_field(rng, lines, rng.choice((2, 3)))
        board = t.write("board.txt", "\n".join(rows) + "\n")
        hold = rng.choice(("on", "off"))
        pattern = rng.choice(("*p3", "*p4", "[^I]p3", "T,*p3"))
        document = t.document("clears", "percent", "--board", board, "--lines", str(lines),
                              "--patterns", pattern, "--hold", hold, "--json")
        everything = expand(pattern)
        t.equal("queues", document["queues"], len(everything))
        sample = rng.sample(everything, 30)
        memo = {}
        expected = {q for q in sample
                    if not clears.solvable(rows, q, lines, hold == "on", memo)}
        t.equal(f"field {case}", {q for q in document["failed"] if q in sample}, expected)


def expand(pattern):
    pieces = "IOTSZJL"
    if pattern.startswith("[^I]"):
        return ["".join(q) for q in itertools.permutations(pieces[1:], 3)]
    first, count = ("T", 3) if pattern.startswith("T,") else ("", int(pattern[2]))
    return [first + "".join(q) for q in itertools.permutations(pieces, count)]


def random_field(rng, lines, pieces):
    """Rows that `pieces` pieces can fill at least by their number: cells taken out of full rows
    from above."""
    while True:
        rows = [["#"] * 10 for _ in range(lines)]
        for _ in range(pieces):
            x, y = rng.randrange(9), rng.randrange(lines)
            for dx, dy in rng.choice([rules.SHAPES[p][r] for p in "IOTSZJL" for r in range(4)]):
                if 0 <= x + dx < 10 and 0 <= y + dy < lines:
                    rows[lines - 1 - y - dy][x + dx] = "."
        text = ["".join(row) for row in rows]
        if sum(row.count(".") for row in text) == 4 * pieces and all("." in row for row in text):
            return text


def check_path(t):
    rows = opener_rows(t)
    for pattern, options in (("*p4", ()), ("*p3", ()), ("*p3", ("--hold", "off")),
                             ("*p4", ("--drop", "180"))):
        document = t.document("clears", "path", "--fumen", OPENER, "--patterns", pattern,
                              "--served", "on", "--json", *options)
        t.equal(f"{pattern} {options}: verified", clears.verify(document, rows),
                len(document["solutions"]))
        percent = t.document("clears", "percent", "--fumen", OPENER, "--patterns", pattern,
                             "--json", *options)
        t.equal(f"{pattern} {options}: as percent", document["solvable"], percent["solvable"])
        t.true("proved", document["minimal"]["proved"], document["minimal"])
    document = t.document("clears", "path", "--fumen", OPENER, "--patterns", "*p4", "--json")
    t.equal("solutions", (len(document["solutions"]), document["minimal"]["count"]), (18, 16))
    hard = t.document("clears", "path", "--fumen", OPENER, "--patterns", "*p4", "--json",
                      "--drop", "hard")
    t.true("hard drops", all("down" not in move["keys"] for entry in hard["solutions"]
                             for move in entry["moves"]), "soft drop")
    clears.verify(hard, rows)
    one = t.document("clears", "path", "--fumen", OPENER, "--patterns", "ITL", "--json")
    again = t.document("clears", "cover", "--solutions",
                       " ".join(entry["fumen"] for entry in one["solutions"]), "--patterns", "ITL",
                       "--json")
    t.equal("cover of what path found", again["and"], 1)


def check_cover(t):
    document = t.document("clears", "cover", "--solutions", f"{FIRST} {SECOND}", "--patterns",
                          "*p7", "--json")
    t.equal("covered", [entry["covered"] for entry in document["solutions"]], [1680, 2240])
    t.equal("or, and", (document["or"], document["and"], document["queues"]), (3108, 812, 5040))
    for entry in document["solutions"]:
        board = clears.play([], entry)
        t.equal("built", sorted(board.cells.values()), sorted(entry["pieces"] * 4))
    path = t.write("fumens.txt", f"{FIRST}\n{SECOND}#1:6\n")
    same = t.document("clears", "cover", "--solutions", "@" + path, "--patterns", "*p7", "--json")
    t.equal("from a file", same["or"], 3108)
    part = t.document("clears", "cover", "--solutions", FIRST + "#1:2", "--patterns", "*p7",
                      "--json")
    t.equal("pages", len(part["solutions"][0]["pieces"]), 2)
    run = t.run("clears", "cover", "--solutions", FIRST, "--patterns", "*p7")
    t.true("text", "1680 of 5040" in run.out and "OR" in run.out, run)


def check_setup(t):
    rows = ["..IIO.....", "..IIIO....", "GGIIIO.GGG"]
    board = t.write("board.txt", "\n".join(rows) + "\n")
    cells = {(x, 2 - y): c for y, row in enumerate(rows) for x, c in enumerate(row)}
    wanted = {cell for cell, c in cells.items() if c == "I"}
    margin = {cell for cell, c in cells.items() if c == "O"}
    blocks = ["".join(c if c == "G" else "." for c in row) for row in rows]
    document = t.document("clears", "setup", "--board", board, "--fill", "I", "--margin", "O",
                          "--patterns", "*p4", "--json")
    expected = {
        tuple("".join(letters.get((x, y), "G" if blocks[2 - y][x] == "G" else ".")
                      for x in range(10)) for y in (2, 1, 0))
        for letters in ({cell: piece for piece, place in placed for cell in place}
                        for placed in clears.fillings(blocks, wanted, margin, rules.PIECES))
        if len(set(letters.values())) <= 4}
    t.equal("all fillings", {tuple(entry["field"]) for entry in document["solutions"]}, expected)
    t.true("some", len(expected) > 3, expected)
    for entry in document["solutions"]:
        t.equal("built", len(clears.play(blocks, entry).cells),
                sum(row.count("G") for row in blocks) + 4 * len(entry["pieces"]))
    fewer = t.document("clears", "setup", "--board", board, "--fill", "I", "--margin", "O",
                       "--patterns", "*p4", "--holes", "off", "--json")
    t.true("without holes", len(fewer["solutions"]) <= len(document["solutions"]), fewer)
    full = t.write("full.txt", "IIIIGGGGGG\n")
    one = t.document("clears", "setup", "--board", full, "--fill", "I", "--patterns", "*", "--json")
    t.equal("a full row", [entry["pieces"] for entry in one["solutions"]], ["I"])
    t.refuses("clears", "setup", "--board", board, "--patterns", "*p4", names="--fill")
    t.refuses("clears", "setup", "--board", board, "--patterns", "*p4", "--fill", "T", names="--fill")
    t.refuses("clears", "setup", "--board", board, "--patterns", "*p4", "--fill", "x", names="--fill")
    t.refuses("clears", "setup", "--board", board, "--patterns", "*", "--fill", "I",
              names=("--patterns", "8 cells"))
    t.refuses("clears", "setup", "--board", board, "--patterns", "*p4", "--fill", "I", "--margin",
              "IO", names="--margin")


def check_spin(t):
    rows = ["GGGG......", "GGGG.....G", "GGGGG.GGGG"]
    board = t.write("board.txt", "\n".join(rows) + "\n")
    document = t.document("clears", "spin", "--board", board, "--patterns", "*p3", "--json")
    t.true("some", len(document["solutions"]) == 5, document)
    for entry in document["solutions"]:
        before = clears.play(rows, {**entry, "moves": entry["moves"][:-1]})
        last = entry["moves"][-1]
        at = ("north east south west".split().index(last["rotation"]), last["x"], last["y"])
        cells = frozenset(rules.piece_cells("T", at))
        t.true("a T-spin", "full" in reach_spins(before, "T").get(cells, ()), entry)
        after = clears.play(rows, entry)
        t.equal("two lines", len(before.cells) + 4 - len(after.cells), 10 * entry["cleared"])
        t.equal("left", [row.replace(".", "") == "" or len(row) for row in entry["left"]],
                [row.replace(".", "") == "" or len(row) for row in after.to_rows()])
        t.true("at least two", entry["cleared"] >= 2 and entry["spin"] == "full", entry)
    three = t.document("clears", "spin", "--board", board, "--patterns", "*p3", "--spin-lines", "3",
                       "--json")
    t.equal("no triple", three["solutions"], [])
    t.refuses("clears", "spin", "--board", board, "--patterns", "*p3", "--kicks", "none",
              names="--kicks")


def check_chance(t):
    rows = opener_rows(t)
    arguments = ("clears", "chance", "--fumen", OPENER, "--json")
    failed = t.document("clears", "percent", "--fumen", OPENER, "--patterns", "*p4",
                        "--json")["failed"]
    rng = random.Random(3)
    for _ in range(10):
        queue = "".join(rng.sample("IOTSZJL", 4))
        got = t.document(*arguments, "--queue", queue)["probability"]
        t.equal(f"all known: {queue}", got, 0.0 if queue in failed else 1.0)
    for queue, held, bag, hold in (("TIL", None, "OSZJ", True), ("OL", "T", "ISZJ", True),
                                   ("TI", None, "OSZJL", False), ("SZ", None, "TJ", True),
                                   ("J", "I", "T", True)):
        options = ["--queue", queue, "--bag", bag, "--hold", "on" if hold else "off"]
        document = t.document(*arguments, *options, *(["--held", held] if held else []))
        expected = clears.chance(rows, queue, held, bag, 4, hold)
        t.true(f"{queue} {held} {bag}", abs(document["probability"] - expected) < 1e-9,
               (document["probability"], expected))
        best = [move["probability"] for move in document["moves"]]
        t.equal("best first", best, sorted(best, reverse=True))
    t.equal("default bag", t.document(*arguments, "--queue", "TI")["probability"],
            t.document(*arguments, "--queue", "TI", "--bag", "OSZJL")["probability"])
    t.true("text", "probability" in t.run(*arguments[:-1], "--queue", "TI").out)
    t.refuses(*arguments, names="--queue")
    t.refuses(*arguments, "--queue", "TT", names="--bag")
    t.refuses(*arguments, "--queue", "TX", names="--queue")
    t.refuses(*arguments, "--queue", "TIOSZJLT", names="--queue")
    t.refuses(*arguments, "--queue", "T", "--held", "IO", names="--held")
    t.refuses(*arguments, "--queue", "T", "--held", "I", "--hold", "off", names="--held")
    t.refuses(*arguments, "--queue", "T", "--bag", "II", names="--bag")


def check_files(t):
    names = {"--csv": "a.csv", "--jsonl": "a.jsonl", "--fumens": "a.txt", "--html": "a.html"}
    options = [word for pair in names.items() for word in pair]
    run = t.run("clears", "path", "--fumen", OPENER, "--patterns", "*p4", *options)
    t.equal("exit code", run.code, 0)
    text = {}
    for name in names.values():
        with open(os.path.join(t.folder, name), encoding="utf-8") as file:
            text[name] = file.read()
    document = t.document("clears", "path", "--fumen", OPENER, "--patterns", "*p4", "--json")
    lines = [json.loads(line) for line in text["a.jsonl"].splitlines()]
    t.equal("JSON Lines", lines, document["solutions"])
    table = list(csv.DictReader(text["a.csv"].splitlines()))
    fumens = [entry["fumen"] for entry in document["solutions"]]
    t.equal("CSV", [row["fumen"] for row in table], fumens)
    t.equal("minimal", sum(int(row["minimal"]) for row in table), document["minimal"]["count"])
    t.equal("fumens", text["a.txt"].split(), fumens)
    t.equal("pictures", text["a.html"].count("<svg"), 18)
    t.equal("outlined", text["a.html"].count('class="minimal"'), document["minimal"]["count"])
    t.refuses("clears", "percent", "--fumen", OPENER, "--patterns", "*p4", "--csv", "x.csv",
              names="--csv")
    t.refuses("clears", "chance", "--fumen", OPENER, "--queue", "TI", "--save", "x",
              names=("--save", "chance"))


def check_resume(t):
    arguments = ("clears", "percent", "--fumen", OPENER, "--patterns", "*p7,*p2")
    whole = t.document(*arguments, "--json", "--no-times")
    saved = os.path.join(t.folder, "state.json")
    first = t.document(*arguments, "--json", "--no-times", "--save", saved, "--time", "0.000001")
    t.true("ended early", not first["complete"] and first["total"] == whole["queues"], first)
    second = t.document("clears", "--resume", saved, "--json", "--no-times")
    t.equal("resumed", second, whole)
    with open(saved, encoding="utf-8") as file:
        state = json.load(file)
    t.equal("known", state["known"], whole["queues"])
    state["known"] = 1000
    state["solved"] = state["solved"][:250]
    part = t.write("part.json", json.dumps(state))
    t.equal("from the middle", t.document("clears", "--resume", part, "--json", "--no-times"), whole)
    t.refuses("clears", "--resume", part, "--lines", "3", names=("--lines", "saved search"))
    state["solved"] = "zz"
    t.refuses("clears", "--resume", t.write("bad.json", json.dumps(state)), names="--resume")
    t.refuses("clears", "--resume", t.write("bad.json", "{}"), names="--resume")
    t.refuses("clears", "--resume", t.write("bad.json", "x"), names="--resume")


SEARCHES = {
    "path": ("--fumen", OPENER, "--patterns", "*p4"),
    "cover": ("--solutions", f"{FIRST} {SECOND} {FIRST}#1:3", "--patterns", "*p7"),
    "setup": ("--board", "fill.txt", "--fill", "I", "--margin", "O", "--patterns", "*p4"),
    "spin": ("--board", "spin.txt", "--patterns", "*p3", "--mini", "on")}


def check_resume_solutions(t):
    """Every search for solutions gives the same bytes from any part of its state."""
    t.write("fill.txt", "..IIO.....\n..IIIO....\nGGIIIO.GGG\n")
    t.write("spin.txt", "GGGG......\nGGGG.....G\nGGGGG.GGGG\n")
    for find, options in SEARCHES.items():
        output = ("--json", "--no-times", "--served", "on")
        whole = t.run("clears", find, *options, *output, "--save", "s.json")
        t.equal(f"{find}: exit code", whole.code, 0)
        with open(os.path.join(t.folder, "s.json"), encoding="utf-8") as file:
            state = json.load(file)
        known, entries = state["known"], state["found"].split()
        t.true(f"{find}: candidates", known >= len(entries) > 1, state)
        for part in (0, 1, known // 2, known - 1, known):
            found = "".join(entry + " " for entry in entries if int(entry.split("=")[0]) < part)
            t.write("part.json", json.dumps({**state, "known": part, "found": found}))
            again = t.run("clears", "--resume", "part.json", *output[:2])
            t.equal(f"{find}: from {part} of {known}", again.out, whole.out)
            with open(os.path.join(t.folder, "part.json"), encoding="utf-8") as file:
                t.equal(f"{find}: the state at the end", json.load(file), state)
        early = t.document("clears", find, *options, *output, "--time", "0.000001", "--save",
                           "early.json")
        t.true(f"{find}: ended early", not early["complete"], early)
        t.equal(f"{find}: continued", t.run("clears", "--resume", "early.json", *output[:2]).out,
                whole.out)
        for name, value in (("found", "x"), ("found", "0=zzzzzf "), ("found", "0="), ("found", "0=1"),
                            ("found", "1=1 0=1 "), ("found", f"{known}=1 "), ("found", "0=0 "),
                            ("found", 3), ("known", -1)):
            path = t.write("bad.json", json.dumps({**state, name: value}))
            t.refuses("clears", "--resume", path, names="--resume")
        path = t.write("bad.json", json.dumps({**state, "known": known + 1}))
        t.refuses("clears", "--resume", path, names=("--resume", "candidates"))
    t.run("clears", "--resume", "s.json", "--csv", "again.csv")
    t.true("files of a resumed search", os.path.exists(os.path.join(t.folder, "again.csv")))


def check_kill(t):
    """A search that is killed many times ends as one that is not killed."""
    t.write("fill.txt", "OOOOOOOOO.\nIIIIIIIIO.\nIIIIIIIIOO\n")
    question = ("setup", "--board", "fill.txt", "--fill", "I", "--margin", "O", "--patterns", "*p7")
    output = ("--json", "--no-times", "--threads", "1")
    whole = t.run("clears", *question, *output)
    saved = os.path.join(t.folder, "s.json")
    command, kills, before = [*question, "--save", "s.json"], 0, None
    for sign in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen([t.program, "clears", *command, *output], cwd=t.folder,
                                   env=t.environment(), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while process.poll() is None:
            if os.path.exists(saved) and os.stat(saved).st_mtime_ns != before:
                process.send_signal(sign)
                break
            time.sleep(0.01)
        kills += process.wait() in (-signal.SIGKILL, 130)
        before = os.stat(saved).st_mtime_ns
        command = ["--resume", "s.json"]
    t.true("was killed", kills > 0, kills)
    with open(saved, encoding="utf-8") as file:
        t.true("something was known", json.load(file)["known"] > 0)
    t.equal("after all that", t.run("clears", *command, *output).out, whole.out)


def check_interrupt(t):
    run = t.interrupt("clears", "percent", "--patterns", "*p7,*p3", "--hold", "off", "--save", "s.json",
                      after=2)
    t.true("what is known", run.code == 130 and "decided yet" in run.out, run)
    t.true("how to continue", "tetropt clears --resume s.json" in run.err, run)
    document = t.document("clears", "--resume", "s.json", "--time", "0.1", "--json")
    t.equal("the same question", document["total"], 1058400)
    for find in ("percent", "path"):
        early = t.run("clears", find, "--patterns", "*p7,*p4", "--time", "0.000001")
        t.true(f"{find}: nothing is known", early.out.startswith("nothing is decided yet") and "%" not in early.out,
               early.out)
    early = t.run("clears", "chance", "--queue", "TI", "--time", "0.000001")
    t.true("chance: nothing is known", early.out.startswith("nothing is decided yet"), early.out)
    early = t.document("clears", "chance", "--queue", "TI", "--time", "0.000001", "--json")
    t.true("chance: not complete", not early["complete"] and early["moves"] == [], early)
    early = t.document("clears", "path", "--fumen", OPENER, "--patterns", "*p4", "--time", "0.000001", "--json")
    t.true("no proof", not early["complete"] and not early["minimal"]["proved"], early)


def check_kicks(t):
    """A file with the engine's own rotations gives the same answers as the engine."""
    lines = []
    for piece in rules.PIECES:
        for (old, new), tests in rules.KICKS[piece].items():
            offsets = " ".join(f"({x},{y})" for x, y in tests)
            lines.append(f"{piece} {'NESW'[old]}>{'NESW'[new]} {offsets}")
    path = t.write("srs.txt", "# the engine's\n" + "\n".join(lines) + "\n")
    answers = {}
    for kicks in ("srs", path, "none"):
        answers[kicks] = t.document("clears", "percent", "--fumen", OPENER, "--patterns", "*p4",
                                    "--json", "--no-times", "--kicks", kicks)
    t.equal("the same rotations", answers[path], answers["srs"])
    plus = t.document("clears", "path", "--fumen", OPENER, "--patterns", "*p4", "--json", "--kicks",
                      "srs-plus")
    t.true("SRS+ reaches at least as much", plus["solvable"] >= 514, plus["solvable"])
    t.true("fewer without kicks", answers["none"]["solvable"] < 514, answers["none"]["solvable"])
    for text, names in (("T N>N (0,0)", "N E S W"), ("T N>E", "no tests"), ("Q N>E (0,0)", "IOTSZJL"),
                        ("T N>E (0,9)", "-4 to 4"), ("T N>E (0,0", "parenthesis"), ("#", "no rotation"),
                        ("T N>E (0,0)\nT N>E (0,0)", "already")):
        t.refuses("clears", "percent", "--patterns", "*p7,*p3", "--kicks", t.write("k.txt", text),
                  names=("--kicks", names))
    t.refuses("clears", "percent", "--patterns", "*p7,*p3", "--kicks", "nowhere", names="--kicks")


def check_bad_input(t):
    t.refuses("clears", names=("clears", "subcommand"))
    t.refuses("clears", "perfect", names=("'perfect'", "percent"))
    t.refuses("clears", "percent", "path", names="path")
    t.refuses("clears", "percent", "--patterns", "*p4", "--fill", "I", names=("--fill", "only for setup"))
    t.refuses("clears", "percent", "--patterns", "*p4", "--served", "on", names=("--served", "path, cover, setup, spin"))
    t.refuses("clears", "chance", "--queue", "TI", "--patterns", "*p4", names=("--patterns", "queue"))
    t.refuses("clears", "percent", names="--patterns")
    for pattern, names in (("X", "character 1"), ("[SZ", "not closed"), ("[]", "no piece"),
                           ("*p8", "1 to 7"), ("*p", "1 to 7"), ("[SZ]p3", "1 to 2"),
                           ("[SS]", "already"), ("#", "no pattern"), ("I\nIO", "line 2"),
                           ("*p7*p7*p7", "20 pieces"), ("*,*,*,*,*,*,*,*,*,*", "queues"),
                           ("[IX]", "character 3"), ("I" * 16, "15 times"), ("Ip2", "1 to 1"), ("t", "character 1")):
        path = t.write("p.txt", pattern)
        t.refuses("clears", "percent", "--patterns", "@" + path, names=("--patterns", names))
    t.refuses("clears", "percent", "--patterns", "*p7", names=("--patterns", "10 are needed"))
    t.refuses("clears", "percent", "--patterns", "*p4", "--fumen", OPENER, "--max-queues", "839",
              names=("--patterns", "840 queues"))
    run = t.run("clears", "percent", "--patterns", "*p7,*p3", "--hold", "off", "--save", "no/such/state", "--quiet")
    t.true("a state that cannot be saved, before the search", run.code in (2, 3) and "no/such/state" in run.err, run)
    t.refuses("clears", "percent", "--patterns", "*p7", "--lines", "3", names=("--lines", "30"))
    t.refuses("clears", "percent", "--patterns", "*p7", "--lines", "7", names="64 cells")
    t.refuses("clears", "percent", "--patterns", "*p4", "--fumen", OPENER, "--lines", "3",
              names=("--lines", "4 rows high"))
    holes = t.write("holes.txt", "G.GGGGGGGG\n.GGGGGGGGG\nG.GGGGGGGG\n.GGGGGGGGG\n")
    for find in ("percent", "path"):
        t.refuses("clears", find, "--patterns", "*p4", "--board", holes, names=("--lines", "no pieces fill"))
    t.refuses("clears", "chance", "--queue", "TI", "--board", holes, names=("--lines", "no pieces fill"))
    t.write("clears.ini", "[clears]\nlines = 3\ntree-depth = 2\n")
    answer = t.document("clears", "cover", "--config", "clears.ini", "--patterns", "*p6", "--solutions",
                        "v115@vhFRQJUGJKJJvMJTNJGBJ", "--json")
    t.equal("a file may have options of other subcommands", answer["queues"], 5040)
    t.write("wrong.ini", "[clears]\nlines = 30\n")
    t.refuses("clears", "cover", "--config", "wrong.ini", "--patterns", "*p3", names=("wrong.ini:2", "lines"))
    for find in ("setup", "cover"):
        t.refuses("clears", find, "--patterns", "*p4", "--lines", "3", names=("--lines", f"not for {find}"))
    skipped = t.write("skipped.txt", "GGGG..GGGG\nGGGGGG....\nGGGG..GGGG\n")
    one = t.document("clears", "percent", "--patterns", "*p3", "--board", skipped, "--lines", "3", "--json")
    t.equal("a field that may be filled is searched", one["queues"], 210)
    t.refuses("clears", "percent", "--patterns", "*p4", "--fumen", OPENER, "--page", "2",
              names="--page")
    t.refuses("clears", "percent", "--patterns", "*p4", "--fumen", "v115@", names="--fumen")
    t.refuses("clears", "cover", "--patterns", "*p7", names="--solutions")
    for text, names in (("v115@vhA", "solution 1"), (FIRST + "#9", "pages"), (FIRST + "#2:1", "pages"),
                        (OPENER, "no locked piece"), (FIRST + "#x", "pages")):
        t.refuses("clears", "cover", "--patterns", "*p7", "--solutions", text,
                  names=("--solutions", names))
    t.refuses("clears", "cover", "--patterns", "*p5", "--solutions", FIRST, names="6 pieces")


def check_grid(t):
    """compare takes the number of solvable queues."""
    t.write("grid.ini", "[experiment]\ncommand = clears\nrepeat = 1\n[clears]\nfind = percent\n"
                        f"fumen = {OPENER}\npatterns = *p4\nhold = on, off\n")
    run = t.run("experiment", "init", "grid.ini", "--store", "sqlite:clears.sqlite", "--seed", "1")
    if "built without" in run.err:
        return
    t.equal("run", t.run("experiment", "run", "--store", "sqlite:clears.sqlite", "--quiet").code, 0)
    answer = t.document("experiment", "compare", "--store", "sqlite:clears.sqlite", "--json")
    t.equal("measure", (answer["by"], answer["measure"]), ("hold", "solvable"))
    t.true("with hold", {group["value"]: group["median"] for group in answer["groups"]}["on"] == 514, answer)
