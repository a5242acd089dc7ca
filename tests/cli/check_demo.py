"""demo: 3-PARTITION as a game, replayed here by an implementation of its own; SAT; queens."""

import json
import os
import re

# The cells of the pieces in their first state, about the centre; clockwise takes (x, y) to (y, -x).
CELLS = {
    "I": [(-1, 0), (0, 0), (1, 0), (2, 0)],
    "O": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "Z": [(-1, 1), (0, 1), (0, 0), (1, 0)],
    "J": [(-1, 1), (-1, 0), (0, 0), (1, 0)],
    "L": [(1, 1), (-1, 0), (0, 0), (1, 0)],
}


def empty_at_start(sets, rows):
    """The empty cells, as docs/PARTITION.md has them."""
    cells = set()
    for x in range(0, 6 * sets, 6):
        cells |= {(x + 2, y) for y in range(4)}
        cells |= {(x + i, y) for y in range(4, rows) for i in range(3)}
        cells |= {(x + i, y) for y in range(4, rows, 6) for i in (3, 4)}
    lock = 6 * sets
    cells |= {(lock + 2, y) for y in range(rows - 2)} | {(lock, rows - 2)}
    return cells | {(lock + i, rows - 1) for i in range(3)}


def sequence_of(numbers, sets, rows):
    letters = "".join("IJO" + "JZJJO" * number + "OO" for number in numbers)
    return letters + "I" * sets + "L" + "I" * ((rows - 2) // 4)


def replay(certificate):
    """The rows removed and the bucket of every number; fails where a move is not possible."""
    numbers, target, each = (certificate[key] for key in ("numbers", "target", "per-bucket"))
    sets, rows = len(numbers) // each, 6 * (target + each) + 4
    width, height = 6 * sets + 3, rows + 4
    free = empty_at_start(sets, rows) | {(x, y) for x in range(width) for y in range(rows, height)}
    pieces, removed, columns = sequence_of(numbers, sets, rows), 0, []
    assert len(pieces) == len(certificate["moves"])
    for letter, text in zip(pieces, certificate["moves"]):
        cells, x, y = CELLS[letter], width // 2 - 1, rows + 2
        for move, count in re.findall(r"([lrdca])(\d*)", text):
            for _ in range(int(count or 1)):
                if move in "ca" and letter != "O":
                    cells = [(b, -a) if move == "c" else (-b, a) for a, b in cells]
                x += {"l": -1, "r": 1}.get(move, 0)
                y -= move == "d"
                assert all((x + a, y + b) in free for a, b in cells), (letter, text)
        assert any((x + a, y + b - 1) not in free for a, b in cells), (letter, text)
        free -= {(x + a, y + b) for a, b in cells}
        columns.append({(x + a) // 6 for a, b in cells})
        kept = [y for y in range(height) if any((x, y) in free for x in range(width))]
        if len(kept) < height:
            removed += height - len(kept)
            free = {(x, i) for i, y in enumerate(kept) for x in range(width) if (x, y) in free}
            free |= {(x, y) for x in range(width) for y in range(len(kept), height)}
    assert len(free) == width * height
    buckets, at = [], 0
    for number in numbers:
        own, at = columns[at:at + 5 * number + 5], at + 5 * number + 5
        assert len(set.union(*own)) == 1
        buckets.append(own[0].pop())
    return removed, buckets


def read(t, name):
    with open(os.path.join(t.folder, name), encoding="utf-8") as file:
        return file.read()


def check_partition_example(t):
    run = t.run("demo", "partition", "--numbers", "5,5,6,5,5,6", "--target", "16", "--save",
                "yes.json", "--svg", "yes.svg", "--json")
    found = json.loads(run.out)
    t.equal("exit code", run.code, 0)
    t.equal("answer", found["answer"], "yes")
    t.equal("triples", sorted(map(sorted, found["triples"])), [[5, 5, 6], [5, 5, 6]])
    t.equal("pieces, rows removed, cells left", (found["pieces"], found["lines"], found["cells"]),
            (222, 118, 0))
    certificate = json.loads(read(t, "yes.json"))
    removed, buckets = replay(certificate)
    t.equal("rows removed by the independent replay", removed, 118)
    sums = [0, 0]
    for bucket, number in zip(buckets, certificate["numbers"]):
        sums[bucket] += number
    t.equal("sums by the independent replay", sums, [16, 16])
    t.true("picture", "<svg" in read(t, "yes.svg"))
    check = t.run("demo", "partition", "--check", "yes.json", "--json")
    t.equal("--check", (check.code, json.loads(check.out)["triples"]), (0, found["triples"]))
    text = t.run("demo", "partition", "--check", "yes.json").out
    t.true("text", "5 + 5 + 6 = 16" in text and "222 pieces" in text and "board empty" in text, text)


def check_partition_random(t):
    """Every yes has a game that the independent replay confirms; both answers occur."""
    answers = []
    for seed in range(1, 13):
        run = t.run("demo", "partition", "--sets", "3", "--target", "32", "--seed", str(seed),
                    "--save", f"{seed}.json", "--json")
        found = json.loads(run.out)
        answers.append(found["answer"])
        t.equal(f"seed {seed}: exit code", run.code, 0 if found["answer"] == "yes" else 1)
        if found["answer"] == "yes":
            removed, _ = replay(json.loads(read(t, f"{seed}.json")))
            t.equal(f"seed {seed}: rows removed", removed, 6 * 32 + 22)
        else:
            t.true(f"seed {seed}: no certificate of a no", f"{seed}.json" not in t.files())
    t.equal("answers", set(answers), {"yes", "no"})


def check_options_of_others(t):
    """An option of one demonstration is rejected by the others."""
    t.refuses("demo", "queens", "--sets", "2", names=("--sets", "only for partition"))
    t.refuses("demo", "sat", "--n", "8", names=("--n", "only for queens"))
    t.refuses("demo", "partition", "--sets", "2", "--algorithm", "ga", names=("--algorithm", "queens, sat"))


def check_partition_refusals(t):
    def refuses(*words, names):
        t.refuses("demo", "partition", *words, names=names)

    refuses(names="--numbers")
    refuses("--numbers", "5,5,6", names="--target")
    refuses("--numbers", "5,5,6", "--target", "16", "--sets", "1", names="--sets")
    refuses("--numbers", "5,5", "--target", "16", names="2 numbers are not a multiple of 3")
    refuses("--numbers", "5,5,7", "--target", "16", names="the sum is 17, not 16")
    refuses("--numbers", "4,6,6", "--target", "16", names=("--numbers", "4 is not between a quarter and a half"))
    refuses("--numbers", "4,5,6", "--target", "15", names="odd")
    refuses("--numbers", "4,9,9,1", "--target", "15",
            names=("4 numbers", "9 is not between", "1 is not between", "odd"))
    refuses("--numbers", "5;5;6", "--target", "16", names="--numbers")
    refuses("--sets", "2", "--target", "5", names="--target")
    refuses("--check", "nowhere.json", names="nowhere.json")
    t.write("bad.json", '{"format": "tetropt-partition", "version": 1}')
    refuses("--check", "bad.json", names="bad.json")
    t.run("demo", "partition", "--numbers", "3,3,4", "--target", "10", "--save", "good.json")
    good = json.loads(read(t, "good.json"))
    for name, change in (("piece 1 (I)", {"moves": ["d"] + good["moves"][1:]}),
                         ("are not moves", {"moves": ["c" + "5" * 30 + " d"] + good["moves"][1:]}),
                         ("moves: must be an array of", {"moves": good["moves"][1:]}),
                         ("not an instance", {"target": 12}),
                         ("version", {"version": 2})):
        t.write("bad.json", json.dumps(good | change))
        refuses("--check", "bad.json", names=("bad.json", name))
    refuses("--check", "good.json", "--numbers", "3,3,4", names="--check")


def check_partition_teaching(t):
    """solve empties the board of {2,2} and proves that {1,3} cannot be emptied."""
    def ask(numbers):
        run = t.run("demo", "partition", "--teaching", "--numbers", numbers, "--target", "2",
                    "--board", "board.txt", "--json")
        found = json.loads(run.out)
        t.equal(numbers, (found["columns"], found["rows"], found["pieces"]), (15, 22, 38))
        return run.code, found

    def solve(found):
        return t.run("solve", "--board", "board.txt", "--width", "15", "--height", "26", "--pieces",
                     found["sequence"], "--encoding", "placements", "--hold", "off", "--algorithm",
                     "exact", "--target", "107.5", "--seed", "1", "--quiet", "--json")

    code, found = ask("2,2")
    t.equal("{2,2}", (code, found["answer"]), (0, "yes"))
    run = solve(found)
    answer = json.loads(run.out)
    t.equal("solve {2,2}", (run.code, answer["lines"], answer["features"]["blocks"]), (0, 22, 0))
    code, found = ask("1,3")
    t.equal("{1,3}", (code, found["answer"]), (1, "no"))
    if t.long_examples:  # takes 20 s
        run = solve(found)
        t.true("solve {1,3}", run.code == 1 and json.loads(run.out)["bound"] < 107.5, run)


def check_sat_prints_formula(t):
    """The formula and an assignment that satisfies it, as text and as JSON."""
    words = ("demo", "sat", "--variables", "6", "--clauses", "12", "--seed", "1")
    run = t.run(*words)
    t.equal("sat", run.code, 0)
    formula = run.out.partition("formula: ")[2].partition("\nassignment: ")[0]
    clauses = re.findall(r"\(([^)]*)\)", formula)
    values = dict(re.findall(r"(x\d+)=([01])", run.out.partition("assignment: ")[2]))
    t.equal("clauses", len(clauses), 12)
    t.equal("variables", len(values), 6)
    for clause in clauses:
        literals = [re.sub(r"\s+", " ", part).strip() for part in re.split(r"\bor\b", clause)]
        t.equal(f"three literals: {clause}", len(literals), 3)
        t.true(f"{clause} is true", any(
            values[literal.split()[-1]] == ("0" if literal.startswith("not") else "1")
            for literal in literals), run)
    found = json.loads(t.run(*words, "--json").out)
    t.true("JSON", all(any(found["values"][abs(literal) - 1] == (literal > 0) for literal in clause)
                       for clause in found["formula"]) and len(found["formula"]) == 12, found)
    t.true("long lines", all(len(line) <= 100 for line in t.run("demo", "sat", "--seed", "1")
                             .out.splitlines()[:-1]))


def check_queens_greedy(t):
    """The published method at the published size."""
    found = json.loads(t.run("demo", "queens", "--n", "100", "--algorithm", "greedy", "--seed", "1",
                             "--time", "60", "--json").out)
    columns = found["columns"]
    t.equal("solved", (found["solved"], sorted(columns)), (True, list(range(100))))
    for sign in (1, -1):
        t.equal("diagonals", len({c + sign * r for r, c in enumerate(columns)}), 100)
