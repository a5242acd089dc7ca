"""eval: documents good and bad, batches, what it prints."""

import json
import math
import os
import random
import struct

GOOD = {"pieces": "TO", "encoding": "simple", "genes": [[-3, 0], [0, 0]]}
MOVES = {
    "pieces": "TO",
    "encoding": "placements",
    "moves": [
        {"piece": "T", "x": 1, "y": 0, "rotation": "north", "hold": False},
        {"piece": "O", "x": 4, "y": 0, "rotation": "north"},
    ],
}
FEATURES = [
    "blocks", "weighted_blocks", "clearable_lines", "roughness", "column_holes",
    "connected_holes", "blocks_above_holes", "pit_hole_percent", "deepest_well",
]
MEMBERS = ["fitness", "score", "lines", "noops", "placed", "topped_out", "clears", "hold",
           "features", "board"]


def changed(document, **members):
    """A copy with some members changed; None takes one away."""
    copy = {**document, **members}
    return json.dumps({key: value for key, value in copy.items() if value is not None})


def moved(**members):
    """MOVES with its first move changed."""
    first = {k: v for k, v in {**MOVES["moves"][0], **members}.items() if v is not None}
    return changed(MOVES, moves=[first, MOVES["moves"][1]])


# Documents that must be refused, each with what the message names.
BAD = [
    ("", ("JSON", "line 1")),
    ("{", "JSON"),
    ("[1,2]", "not a JSON object"),
    ("7", "JSON"),
    ('{"pieces":"T"} x', "JSON"),
    ('{"pieces":"T","pieces":"T"}', "pieces"),
    ("[" * 100000, "JSON"),
    ('{"pieces":"\\ud800"}', "JSON"),
    ('{"pieces":"T\\u0000"}', "JSON"),
    ('{"pieces":"T","x":1e999}', "JSON"),
    ('{"pieces":"T","x":99999999999999999999}', "JSON"),
    (changed(GOOD, colour=1), ("colour", "unknown member")),
    (changed(GOOD, pieces=None), ("pieces", "missing")),
    (changed(GOOD, pieces=7), ("pieces", "string")),
    (changed(GOOD, pieces=""), "pieces"),
    (changed(GOOD, pieces="TX"), ("pieces", "'X'", "position 2")),
    (changed(GOOD, pieces="to"), ("pieces", "'t'")),
    (changed(GOOD, pieces="T,Q"), ("pieces", "'Q'")),
    (changed(GOOD, pieces="T" * 10001), ("pieces", "10000")),
    (changed(GOOD, encoding=None), ("encoding", "missing")),
    (changed(GOOD, encoding="triple"), ("encoding", "triple")),
    (changed(GOOD, encoding=1), "encoding"),
    (changed(GOOD, genes=None), ("genes", "missing")),
    (changed(GOOD, genes="x"), "genes"),
    (changed(GOOD, genes=[[0, 0]]), ("genes", "1 entries for 2")),
    (changed(GOOD, genes=[[0, 0]] * 3), ("genes", "3 entries for 2")),
    (changed(GOOD, genes=[[0, 0], [0]]), "genes[1]"),
    (changed(GOOD, genes=[[0, 0], [0, 0, 0]]), "genes[1]"),
    (changed(GOOD, genes=[[0, 0], 5]), "genes[1]"),
    (changed(GOOD, genes=[[0, 0], [0, 4]]), ("genes[1][1]", "4 is not in 0..3")),
    (changed(GOOD, genes=[[6, 0], [0, 0]]), ("genes[0][0]", "-5..5")),
    (changed(GOOD, genes=[[-6, 0], [0, 0]]), "genes[0][0]"),
    (changed(GOOD, genes=[[1.5, 0], [0, 0]]), ("genes[0][0]", "integer")),
    (changed(GOOD, genes=[["1", 0], [0, 0]]), "genes[0][0]"),
    (changed(GOOD, genes=[[None, 0], [0, 0]]), "genes[0][0]"),
    (changed(GOOD, encoding="swap-double", genes=[[2, 0, 0, 0, 0]] * 2), "genes[0][0]"),
    (changed(GOOD, encoding="swap-double", genes=[[0, 0, 0, 10, 0]] * 2), "genes[0][3]"),
    (changed(GOOD, width=4, genes=[[3, 0], [0, 0]]), ("genes[0][0]", "-2..2")),
    (changed(GOOD, moves=[]), "moves"),
    (changed(GOOD, placements=0), ("placements", "1..2")),
    (changed(GOOD, placements=3), ("placements", "1..2")),
    (changed(GOOD, placements="1"), "placements"),
    (changed(GOOD, placements=1), "genes"),
    (changed(GOOD, width=3), ("width", "4..16")),
    (changed(GOOD, width=17), ("width", "4..16")),
    (changed(GOOD, width=10.0), "width"),
    (changed(GOOD, width=10**18), "width"),
    (changed(GOOD, height=3), ("height", "4..40")),
    (changed(GOOD, height=41), ("height", "4..40")),
    (changed(GOOD, board="x"), "board"),
    (changed(GOOD, board=[7]), "board[0]"),
    (changed(GOOD, board=["." * 9]), ("board[0]", "9 cells")),
    (changed(GOOD, board=["." * 10, "." * 11]), ("board[1]", "11 cells")),
    (changed(GOOD, board=[""]), "board[0]"),
    (changed(GOOD, board=["....x....."]), ("board[0]", "'x'", "column 5")),
    (changed(GOOD, board=["....\u00e9...."]), "board[0]"),
    (changed(GOOD, board=["." * 10, "#" * 10]), ("board", "full")),
    (changed(GOOD, board=["." * 10] * 41), ("board", "41 rows")),
    (changed(MOVES, moves=None), ("moves", "missing")),
    (changed(MOVES, moves=[]), "moves"),
    (changed(MOVES, moves=[1, 2]), "moves[0]"),
    (changed(MOVES, genes=[[0, 0], [0, 0]]), "genes"),
    (moved(piece=None), ("moves[0]", "piece")),
    (moved(piece="X"), ("moves[0]", "piece")),
    (moved(piece="TT"), ("moves[0]", "piece")),
    (moved(piece="O"), "moves[0]"),
    (moved(rotation="up"), ("moves[0]", "rotation")),
    (moved(rotation=None), ("moves[0]", "rotation")),
    (moved(x=None), ("moves[0]", "x")),
    (moved(y=None), ("moves[0]", "y")),
    (moved(x=0), "moves[0]"),
    (moved(y=1), "moves[0]"),
    (moved(x=10**9), ("moves[0]", "x")),
    (moved(hold="no"), ("moves[0]", "hold")),
    (moved(hold=True), "moves[0]"),
    (changed(GOOD, order="sideways"), ("order", "turn-first")),
    (changed(GOOD, order=1), "order"),
    (changed(GOOD, **{"game-over": "maybe"}), ("game-over", "on|off")),
    (changed(GOOD, **{"game-over": "off"}, height=4, board=["TTTT......"] * 6), "game-over"),
    (changed(GOOD, **{"perfect-clear-points": 256}), "perfect-clear-points"),
    (changed(MOVES, **{"game-over": "off"}), "game-over"),
]


def check_bad_documents(t):
    for document, names in BAD:
        names = (names,) if isinstance(names, str) else names
        t.refuses("eval", stdin=document, names=("standard input", *names))
        t.refuses("eval", "--json", "--steps", stdin=document, names=names)
    t.write("bad.json", BAD[1][0])
    t.refuses("eval", "bad.json", names="bad.json: JSON, line 1")
    for raw in (b"\x00", b"\xff\xfe{}", b'{"pieces":"\xc3"}', b"\xef\xbb\xbf{}"):
        t.fails(2, t.run("eval", stdin=raw), "standard input", what=f"{raw!r}")


def check_files(t):
    for wrong, names in (({"garbage": [3]}, "moves[0].garbage"), ({}, "rules.kicks")):
        replay = json.loads(t.run("replay", "v115@vhAVQJ", "--to", "json").out)
        replay["moves"][0].update(wrong)
        if not wrong:
            replay["rules"]["kicks"] = "srs-plus"
        t.refuses("eval", t.write("replay.json", json.dumps(replay)), names=("replay.json", names))
    t.refuses("eval", "nowhere.json", names="nowhere.json: No such file")
    t.refuses("eval", "--batch", "nowhere.jsonl", names="nowhere.jsonl: No such file")
    t.refuses("eval", ".", names=".: Is a directory")
    t.refuses("eval", "--batch", ".", names=".: Is a directory")
    t.refuses("eval", "a", "b", names="'b'")
    t.write("good.json", json.dumps(GOOD))
    t.equal("a file", t.run("eval", "good.json").out, t.run("eval", stdin=json.dumps(GOOD)).out)
    t.equal("- is stdin", t.run("eval", "-", stdin=json.dumps(GOOD)).code, 0)
    for line in ("eval", "eval --batch"):
        run = t.shell(f"tetropt {line} <&-")
        t.fails(3, run, "standard input", what=f"{line} with closed stdin")


def check_json(t):
    answer = t.document("eval", "--json", stdin=json.dumps(GOOD))
    t.equal("members", list(answer), MEMBERS)
    t.equal("features", list(answer["features"]), FEATURES)
    # By hand: T at columns 0..2, O at columns 4 and 5.
    t.equal("board", answer["board"], [".T..OO....", "TTT.OO...."])
    t.equal("fitness", answer["fitness"], -(8 + 0.75 * 11 + 7 + 1))
    t.equal("rest", [answer[key] for key in MEMBERS[1:8]], [0, 0, 0, 2, False, [0] * 4, None])
    t.equal("moves", t.document("eval", "--json", stdin=json.dumps(MOVES)), answer)
    held = t.document("eval", "--json", stdin=changed(
        GOOD, encoding="swap-simple", placements=1, genes=[[1, 0, 0]]))
    t.equal("hold", (held["hold"], held["board"]), ("T", ["....OO....", "....OO...."]))
    given = t.document("eval", "--json", stdin=changed(GOOD, board=["#########.", "G IOTSZJL."]))
    t.equal("given cells", given["board"][-2:], ["GGGGGGGGG.", "G.IOTSZJL."])
    over = t.document("eval", "--json", stdin=changed(
        GOOD, height=4, board=["....#....."] * 4))
    t.equal("topped out", (over["topped_out"], over["placed"]), (True, 0))


def check_text(t):
    run = t.run("eval", stdin=json.dumps(GOOD))
    t.equal("exit and stderr", (run.code, run.err), (0, ""))
    for word in ["score", "noops", "not placed", "fitness", "weight", "-24.25", *FEATURES]:
        t.true(f"the table has {word}", word in run.out, run)
    t.true("no colour in a pipe", "\x1b" not in run.out, run)
    t.true("no blanks at line ends",
           not any(line.endswith(" ") for line in run.out.splitlines()), run)
    steps = t.run("eval", "--steps", stdin=json.dumps(GOOD))
    t.true("--steps shows each", "1: T north" in steps.out and "2: O north" in steps.out, steps)
    t.true("and ends alike", steps.out.endswith(run.out), steps)
    color = t.run("eval", "--color", "always", stdin=json.dumps(GOOD), env={"NO_COLOR": "1"})
    t.true("--color always", "\x1b[" in color.out, color)
    never = t.run("eval", "--color=never", stdin=json.dumps(GOOD))
    t.equal("--color never", never.out, run.out)


def check_batch(t):
    good, bad = json.dumps(GOOD), [document for document, _ in BAD if document.strip()]
    lines = [good]
    for document in bad:
        lines += [document, good]
    for arguments in (["--batch"], ["--batch", "--json"]):
        run = t.run("eval", *arguments, stdin="\n".join(lines) + "\n")
        answers = [json.loads(line) for line in run.out.splitlines()]
        t.equal("batch: exit and stderr", (run.code, run.err), (2, ""))
        t.equal("batch: a line each", len(answers), len(lines))
        for line, answer in zip(lines, answers):
            if line == good:
                t.equal("batch: good", list(answer), MEMBERS)
            else:
                t.equal(f"batch: {line[:80]}", list(answer), ["error"])
                t.true("batch: error text", ": " in answer["error"] or "not" in answer["error"])
    run = t.run("eval", "--batch", stdin=good)
    t.equal("batch: last line without an end", (run.code, run.out.count("\n")), (0, 1))
    run = t.run("eval", "--batch", stdin=f"{good}\r\n\r\n  \n{good}\r\n")
    t.equal("batch: blank lines, CR LF", (run.code, run.out.count("\n")), (0, 2))
    t.equal("batch: nothing", t.run("eval", "--batch").code, 0)
    path = t.write("many.jsonl", f"{good}\n" * 3)
    t.equal("batch: a file", t.run("eval", "--batch", path).out.count("\n"), 3)
    run = t.run("eval", "--batch", stdin=b"\xff\x00\n" + good.encode())
    t.equal("batch: bytes", (run.code, run.out.count("\n")), (2, 2))


def check_batch_threads(t):
    """Threads change neither answers nor their order."""
    good = json.dumps(GOOD)
    lines = "".join(f"{good}\n" if i % 7 else "[]\n" for i in range(2000))
    one = t.run("eval", "--batch", "--threads", "1", stdin=lines)
    three = t.run("eval", "--batch", "--threads", "3", stdin=lines)
    t.equal("threads", (one.code, one.out), (three.code, three.out))
    t.equal("threads: a line each", one.out.count("\n"), 2000)
    t.refuses("eval", "--threads", "2", "examples/game.json", names="--threads: requires --batch")
    t.refuses("eval", "--binary", "examples/game.json", names="--binary: requires --batch")


def check_batch_binary(t):
    """The same fitness as JSON; an invalid genotype is answered by NaN and named at the end."""
    random.seed(4)
    problem = {"pieces": "TOILJSZ", "placements": 6, "encoding": "swap-simple", "order": "turn-first"}
    rows = [[[random.randint(0, 1), random.randint(-5, 5), random.randint(0, 3)] for _ in range(6)]
            for _ in range(500)]
    documents = "".join(json.dumps({**problem, "genes": genes}) + "\n" for genes in rows)
    expected = [json.loads(line)["fitness"] for line in t.run("eval", "--batch", stdin=documents).out.splitlines()]
    head = json.dumps(problem).encode() + b"\n"
    genes = [struct.pack("18b", *(gene for piece in row for gene in piece)) for row in rows]

    def answers(data, *arguments):
        with open(os.path.join(t.folder, "rows.bin"), "wb") as file:
            file.write(data)
        run = t.shell(f"tetropt eval --batch --binary {' '.join(arguments)} rows.bin | od -An -v -w8 -tf8; "
                      "exit ${PIPESTATUS[0]}")
        return run, [float(number) for number in run.out.split()]

    for threads in ("1", "3"):
        run, given = answers(head + b"".join(genes), "--threads", threads)
        t.equal(f"binary, {threads} threads", (run.code, given), (0, expected))
    genes[3] = b"\x02" + genes[3][1:]
    run, given = answers(head + b"".join(genes[:5]))
    t.fails(2, run, "genotype 3, gene 0: 2 is not in 0..1", what="binary: a bad gene", out=run.out)
    t.equal("binary: the others", given[:3] + given[4:], expected[:3] + expected[4:5])
    t.true("binary: NaN", math.isnan(given[3]))
    for data, why in ((b"", "the line with the problem is missing"), (b"{}\n", "pieces: missing"),
                      (b"[]\n", "not a JSON object"), (head + genes[0][:5], "has 5 of 18 bytes"),
                      (b'{"pieces":"T","encoding":"placements"}\n', "placements has no genes")):
        run, given = answers(data)
        t.equal(f"binary: {why}", (run.code, why in run.err, given), (2, True, []))


def check_batch_answers_at_once(t):
    """A program at the other end of a pipe gets its answer before it sends the next line."""
    t.write("good.jsonl", json.dumps(GOOD) + "\n")
    run = t.shell(
        "coproc tetropt eval --batch; for i in 1 2 3; do cat good.jsonl >&${COPROC[1]};"
        " read -t 20 line <&${COPROC[0]} || exit 9; echo \"$line\"; done"
    )
    t.equal("answers", (run.code, run.out.count("fitness")), (0, 3))


def check_lost_output(t):
    t.write("many.jsonl", (json.dumps(GOOD) + "\n") * 2000)
    for line in ("eval examples/game.json", "eval --json examples/game.json",
                 "eval --batch many.jsonl"):
        for target in (">/dev/full", ">&-"):
            run = t.shell(f"tetropt {line} {target}")
            t.fails(3, run, "standard output", what=f"{line} {target}")
    run = t.shell("tetropt eval --batch many.jsonl | head -n 1 | wc -l; echo ${PIPESTATUS[0]}")
    t.equal("closed pipe", run.out, "1\n3\n")


def check_batch_without_memory(t):
    """A line of any length costs no more than the limit, and the next one has its answer."""
    limit = "ulimit -v 200000; tetropt"
    if t.shell(f"{limit} --version").code != 0:
        return  # a sanitizer wants more
    t.write("good.jsonl", json.dumps(GOOD) + "\n")
    t.shell("truncate -s 1G long.jsonl; (echo; cat good.jsonl) >> long.jsonl")
    for source in ("long.jsonl", "< long.jsonl"):
        run = t.shell(f"{limit} eval --batch {source}")
        lines = run.out.splitlines()
        t.equal("a gigabyte in 200 MB", (run.code, len(lines), run.err), (2, 2, ""))
        t.equal("is too long", lines[:1], ['{"error":"line longer than 16777216 bytes"}'])
        t.true("the next line", "fitness" in lines[-1], lines[-1])


def check_interrupt(t):
    for arguments in (["eval"], ["eval", "--batch"]):
        run = t.interrupt(*arguments)
        t.equal(f"Ctrl-C while {arguments} waits for input", (run.code, run.out), (130, ""))


def check_orders(t):
    # One move to the left wall and a turn: turned first the upright I stands in column 0; moved
    # first the lying I is at the wall, and turning takes it to column 2.
    document = {"pieces": "I", "encoding": "simple", "genes": [[-5, 1]]}
    columns = {}
    for order in ("move-first", "turn-first"):
        for words, text in ((("--order", order), json.dumps(document)),
                            ((), changed(document, order=order))):
            board = t.document("eval", "--json", *words, stdin=text)["board"]
            columns.setdefault(order, set()).add(board[0].index("I"))
    t.equal("columns", columns, {"move-first": {2}, "turn-first": {0}})
    # The published program turns first at the top and moves first after the drop.
    def board(order, encoding, genes, piece="I"):
        text = json.dumps({"pieces": piece, "encoding": encoding, "genes": [genes], "order": order})
        return t.document("eval", "--json", stdin=text)["board"]
    t.equal("at the top", board("published", "simple", [-5, 1]),
            board("turn-first", "simple", [-5, 1]))
    t.equal("after the drop", board("published", "double", [0, 0, -9, 1]),
            board("move-first", "double", [0, 0, -9, 1]))
    t.true("turn-first does something else there",
           board("turn-first", "double", [0, 0, -9, 1])
           != board("published", "double", [0, 0, -9, 1]))
    # 3 is one turn to the left, which ends where three to the right do.
    t.equal("a turn to the left", board("published", "simple", [0, 3], "T"),
            board("turn-first", "simple", [0, 3], "T"))
    plain = t.document("eval", "--json", stdin=json.dumps(document))["board"]
    t.equal("a document without an order moves first", plain[0].index("I"), 2)


def check_no_game_over(t):
    # Nine O are stacked up to row 17; the tenth and eleventh appear on the ninth and stay there.
    document = {"pieces": "O" * 11, "encoding": "simple", "genes": [[0, 0]] * 11}
    ended = t.document("eval", "--json", stdin=json.dumps(document))
    t.equal("on", (ended["placed"], ended["topped_out"]), (10, True))
    for words, text in ((("--game-over", "off"), json.dumps(document)),
                        ((), changed(document, **{"game-over": "off"}))):
        endless = t.document("eval", "--json", *words, stdin=text)
        t.equal("off", (endless["placed"], endless["topped_out"], endless["features"]["blocks"]),
                (11, False, 36))


def check_example_without_game_over(t):
    example = "examples/no-game-over.json"
    off = t.document("eval", "--json", example)
    t.equal("off", (off["fitness"], off["placed"], off["topped_out"]),
            (-537.3026315789474, 30, False))
    on = t.document("eval", "--json", example, "--game-over", "on")
    t.equal("on", (round(on["fitness"], 4), on["placed"], on["topped_out"]), (-2393.3167, 11, True))


def check_published_genotypes(t):
    """The genotypes that the published runs of `simple` ended with have the published fitness."""
    published = [-35.25, -11.25, -46.5, -80, -60.25, -12.75, -47.75, -20.5, -19.75,
                 -124.45, -72.03571, -15.5, -51.75, -109.4, -7.75, -126.4286, -101.55, -39,
                 -365.3, -466.6111, -337.5, -508.75, -483.3241, -338.3167, -466.7885, -475.3,
                 -445.25]
    with open(os.path.join(t.examples, "published-simple.jsonl"), encoding="utf-8") as file:
        text = file.read()

    def same(*words):
        """How many of 10, 20 and 30 pieces agree, to the seven digits that were published."""
        run = t.run("eval", "--batch", *words, stdin=text)
        ours = [json.loads(line)["fitness"] for line in run.out.splitlines()]
        t.equal("answers", len(ours), len(published))
        agree = [float(f"{a:.7g}") == b for a, b in zip(ours, published)]
        return [sum(agree[first:first + 9]) for first in (0, 9, 18)]

    t.equal("as published", same(), [9, 9, 9])
    t.equal("up to 20 pieces the order decides", same("--order", "turn-first", "--game-over", "on"),
            [9, 9, 0])
    t.equal("move-first is not it", same("--order", "move-first"), [2, 0, 1])
