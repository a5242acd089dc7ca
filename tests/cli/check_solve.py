"""solve: what its JSON holds, that eval agrees, threads, targets, files and bad input."""

import json
import re

LIMIT = ("--evaluations", "20000", "--seed", "3")


def solve(t, *arguments, code=0):
    return t.document("solve", *arguments, "--json", "--quiet", code=code)


def judged(t, answer):
    """What eval says of the answer."""
    request = {name: answer[name] for name in ("pieces", "encoding")}
    key = "genes" if answer["genes"] is not None else "moves"
    request[key] = answer[key]
    if key == "moves":
        request[key] = [{name: move[name] for name in move if name != "keys"}
                        for move in answer[key]]
    request["placements"] = len(answer["moves"])
    for name in ("order", "game-over"):
        if name in answer:
            request[name] = answer[name]
    return t.document("eval", "--json", stdin=json.dumps(request))


def check_every_algorithm(t):
    for algorithm in ("auto", "ga", "sa", "abc", "hill", "hybrid", "beam", "exact"):
        common = ("--n", "6", "--algorithm", algorithm, *LIMIT)
        answer = solve(t, *common, "--threads", "1")
        t.equal(f"{algorithm}: eval agrees", judged(t, answer)["fitness"], answer["fitness"])
        again = solve(t, *common, "--threads", "3")
        for member in ("fitness", "genes", "moves", "evaluations"):
            t.equal(f"{algorithm}: {member} on 3 threads", again[member], answer[member])


def check_orders_and_game_over(t):
    common = ("--pieces", "IIIIIOOTTT", "--encoding", "simple", "--algorithm", "hill", *LIMIT)
    default = solve(t, *common)
    t.equal("the default order", (default["order"], default["game-over"]), ("turn-first", "on"))
    for order in ("move-first", "turn-first", "published"):
        for switch in ("on", "off"):
            answer = solve(t, *common, "--order", order, "--game-over", switch)
            t.equal("members", (answer["order"], answer["game-over"]), (order, switch))
            t.equal(f"{order}, game over {switch}: eval agrees", judged(t, answer)["fitness"],
                    answer["fitness"])
            for algorithm in ("beam", "exact", "hybrid"):
                other = solve(t, *common, "--order", order, "--game-over", switch, "--algorithm",
                              algorithm)
                t.equal(f"{algorithm}, {order}, {switch}", judged(t, other)["fitness"],
                        other["fitness"])
    # In the published order a failed half turn can move a piece, so exact proves nothing there.
    small = ("--pieces", "IOTL", "--encoding", "double", "--algorithm", "exact", "--seed", "1")
    t.equal("a proof", solve(t, *small, "--order", "turn-first")["optimal"], True)
    t.equal("no proof", solve(t, *small, "--order", "published")["optimal"], False)
    t.refuses("solve", "--n", "5", "--game-over", "off", "--encoding", "placements",
              names="--game-over")
    t.refuses("solve", "--n", "5", "--game-over", "off", "--save", "x.json", names="no replay")
    t.refuses("solve", "--n", "5", "--order", "sideways", names="--order")
    points = solve(t, "--pieces", "IIOIOO", "--width", "4", "--perfect-clear-points", "20",
                   "--algorithm", "exact", *LIMIT)
    t.equal("points of a perfect clear", points["perfect-clear-points"], 20)
    t.true("are counted", points["score"] >= 40, points["score"])


def check_help_names_every_algorithm(t):
    listed = re.findall(r"^([a-z]+): ", t.run("solve", "--list").out, re.MULTILINE)
    option = next(option for option in t.options("solve") if option.name == "algorithm")
    t.equal("--help and --list", sorted(option.choices), sorted(listed))


def check_every_encoding(t):
    for encoding in ("simple", "double", "swap-simple", "swap-double", "placements"):
        answer = solve(t, "--n", "7", "--encoding", encoding, *LIMIT)
        t.equal(f"{encoding}: eval agrees", judged(t, answer)["fitness"], answer["fitness"])
        t.equal(f"{encoding}: every move has keys", [bool(move["keys"]) for move in
                                                     answer["moves"]], [True] * 7)


def check_target(t):
    solve(t, "--n", "4", "--target", "100000", *LIMIT, code=1)
    answer = solve(t, "--n", "4", "--target", "-1000", *LIMIT)
    t.true("it stops there", answer["evaluations"] < 20000, answer["evaluations"])


def check_files(t):
    solve(t, "--n", "5", *LIMIT, "--save", "game.json", "--svg", "game.svg", "--log", "log.jsonl")
    t.equal("the replay holds", t.run("replay", "game.json", "--to", "text").code, 0)
    with open(f"{t.folder}/log.jsonl", encoding="utf-8") as lines:
        best = [json.loads(line)["best"] for line in lines]
    known = [value for value in best if value is not None]
    t.true("a log that never falls", known == sorted(known) and known, best[:5])


def check_bad_input(t):
    t.refuses("solve", "--pieces", "TOX", names=("--pieces", "'X'"))
    t.write("nul.txt", "TO\0ZL")
    t.refuses("solve", "--pieces", "@nul.txt", names=("nul.txt", "NUL"))
    t.refuses("simulate", "--list", "nul.txt", names=("nul.txt", "NUL"))
    t.refuses("solve", "--n", "5", "--algorithm", "magic", names="magic")
    t.refuses("solve", "--n", "5", "--param", "mutation=2", "--algorithm", "ga", names="mutation")
    t.refuses("solve", "--n", "5", "--param", "nothing=2", "--algorithm", "ga", names="nothing")
    t.refuses("solve", "--n", "5", "--hold", "on", "--encoding", "simple", names="--hold")
    t.refuses("solve", "--n", "5", "--save", "no/such/file.json", names="no/such")
    t.refuses("solve", "--fumen", "v115@zzz", "--n", "5", names="--fumen")
    t.refuses("solve", "--pieces", "TOZ", "--placements", "9", names="--placements")
