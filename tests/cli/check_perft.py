"""perft: counts, boards and bad input."""

import re


def check_counts(t):
    answer = t.document("perft", "--pieces", "IOTLJSZ", "--depth", "4", "--json")
    t.equal("members", list(answer), ["depth", "nodes", "seconds", "nodes_per_second"])
    t.equal("nodes", (answer["depth"], answer["nodes"]), (4, [17, 153, 5266, 188891]))
    for piece, count in zip("IOTLJSZ", (17, 9, 34, 34, 34, 17, 17)):
        got = t.document("perft", "--pieces", piece, "--rules", "drop", "--json")["nodes"]
        t.equal(f"drop {piece}", got, [count])
    board = "XX......../X...XXXXXX/XX.XXXXXXX".replace("X", "#").replace("/", "\n")
    for piece, count in zip("IOTLJSZ", (17, 9, 37, 34, 35, 18, 17)):
        got = t.document("perft", "--pieces", piece, "--board", "-", "--json", stdin=board)
        t.equal(f"board {piece}", got["nodes"], [count])
    hold = t.document("perft", "--pieces", "IO", "--depth", "1", "--hold", "on", "--json")
    t.equal("hold offers both", hold["nodes"], [17 + 9])
    same = t.document("perft", "--pieces", "II", "--depth", "1", "--hold", "on", "--json")
    t.equal("the same letter once", same["nodes"], [17])
    run = t.run("perft", "--pieces", "IO")
    t.true("text", "153" in run.out and run.code == 0 and run.err == "", run)


def check_kicks(t):
    """The numbers of docs/RULES.md; tests/unit/test_kicks.c finds such numbers by pressing keys."""
    cave = ("perft", "--board", "examples/cave.txt", "--depth", "3", "--json")
    for options, nodes in (((), [18, 319, 11576]), (("--kicks", "srs"), [18, 319, 11576]),
                           (("--kicks", "srs-plus"), [20, 353, 12855]), (("--spins", "all"), [18, 319, 11576]),
                           (("--kicks", "srs-plus", "--spins", "all"), [20, 353, 12855])):
        t.equal(f"SZJ {options}", t.document(*cave, "--pieces", "SZJ", *options)["nodes"], nodes)
    for options, nodes in (((), [39, 1434, 51919]), (("--spins", "t"), [40, 1470, 53195]),
                           (("--spins", "all"), [40, 1470, 53195]), (("--kicks", "srs-plus"), [39, 1436, 52217])):
        t.equal(f"TLJ {options}", t.document(*cave, "--pieces", "TLJ", *options)["nodes"], nodes)
    for agent in ("weighted", "lookahead", "beam?width=3", "bot?nodes=300"):
        answer = t.document("simulate", "--agent", agent, "--kicks", "srs-plus", "--spins", "all", "--games", "1",
                            "--max-pieces", "30", "--seed", "1", "--keep-best", "k.json", "--json")
        t.equal(f"{agent}: in the document", (answer.get("kicks"), answer.get("spins")), ("srs-plus", "all"))
        shown = t.document("replay", "k.json", "--json")
        t.equal(f"{agent}: the replay follows the rules", shown["follows_rules"], True)
    t.refuses("simulate", "--agent", "bees", "--kicks", "srs-plus", names="srs only")
    t.refuses("simulate", "--agent", "dt20", "--kicks", "srs-plus", names="drop")
    if t.has_terminal:
        screen = t.screen("watch", "--kicks", "srs-plus", "--speed", "max", "--max-pieces", "10", "--seed", "1")
        t.equal("watch", screen.finish(), 0)
        screen.close()


def check_config(t):
    path = t.write("c.ini", "[perft]\npieces = TOI\ndepth = 1\n[pieces]\nn = 3\n")
    answer = t.document("perft", "--config", path, "--json")
    t.equal("from the file", answer["nodes"], [34])
    answer = t.document("perft", "--pieces", "OI", "--config", path, "--json")
    t.equal("the command line wins", answer["nodes"], [9])
    answer = t.document("perft", "--depth", "2", "--config", path, "--json")
    t.equal("each option by itself", answer["depth"], 2)
    path = t.write("c.ini", "[perft]\ndepth = 99\n")
    t.refuses("perft", "--config", path, names=("c.ini:2", "depth", "1..32"))


def check_bad_input(t):
    t.refuses("perft", "--pieces", "IXO", names=("--pieces", "'X'", "position 2"))
    t.refuses("perft", "--pieces", "", names="--pieces")
    for words in (["--kicks", "srs-plus"], ["--spins", "all"]):
        t.refuses("perft", "--rules", "drop", *words, names="not used by the rules drop")
    t.refuses("perft", "--pieces", "I" * 1000, names="--pieces")
    t.refuses("perft", "--pieces", "IO", "--depth", "3", names="--depth")
    t.refuses("perft", "word", names="'word'")
    for text, names in [
        ("." * 9, ("line 1", "9 cells")),
        ("." * 10 + "\n" + "." * 11, ("line 2", "11 cells")),
        ("." * 10 + "\n\n" + "." * 10, ("line 2", "0 cells")),
        ("." * 9 + "x", ("line 1", "'x'", "column 10")),
        ("." * 10 + "\n" + "#" * 10, "full"),
        (("." * 10 + "\n") * 41, "41 rows"),
        ("x" * 100000, "bytes"),
    ]:
        names = (names,) if isinstance(names, str) else names
        t.refuses("perft", "--board", "-", stdin=text, names=("standard input", *names))
        path = t.write("board.txt", text)
        t.refuses("perft", "--board", path, names=("board.txt", *names))
    t.refuses("perft", "--board", "nowhere.txt", names="nowhere.txt: No such file")
    t.refuses("perft", "--width", "8", "--board", "-", stdin="." * 10, names="10 cells")


def check_lost_output(t):
    for line in ("perft --pieces I", "perft --pieces I --json",
                 "perft --pieces I --board examples/cave.txt"):
        for target in (">/dev/full", ">&-"):
            run = t.shell(f"tetropt {line} {target}")
            t.fails(3, run, "standard output", what=f"{line} {target}")


def check_interrupt(t):
    if t.late_signals:
        return
    run = t.interrupt("perft", "--pieces", "IOLJSZT" * 2, "--depth", "12")
    t.equal("Ctrl-C ends it", (run.code, run.out), (130, ""))
    t.true("and says what is kept", "interrupted; nothing is kept" in run.err, run)


def check_progress(t):
    """The counts are the same whether somebody watches or not (bench counts without)."""
    if not t.has_terminal:
        return
    screen = t.screen("perft", "--pieces", "IOLJSZT" * 2, "--depth", "12")
    t.true("percentage and ETA", screen.wait_for(re.compile(r"\d+ %, .* nodes, .*/s, .*ETA ")),
           screen.text())
    screen.press("\x03")
    t.equal("Ctrl-C", screen.finish(), 130)
    screen.close()
