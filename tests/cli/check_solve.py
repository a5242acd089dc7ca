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


def check_presets(t):
    """A preset is the same as its options given one by one, and options given beside it override it."""
    common = ("--n", "8", *LIMIT)
    same = ("genes", "evaluations", "order", "game-over")
    old = solve(t, *common, "--algorithm", "hill?climb=steepest&restarts=100&patience=1000000&sideways=0&kick=0&chains=1")
    preset = solve(t, *common, "--algorithm", "hill", "--preset", "untuned")
    t.equal("untuned", [preset[name] for name in same], [old[name] for name in same])
    t.true("not the default", solve(t, *common, "--algorithm", "hill")["genes"] != old["genes"])
    published = solve(t, *common, "--algorithm", "ga", "--preset", "published", "--population", "100")
    words = ("ga?population=100&generations=3000&patience=400&mutation=0.15&mutation-per=piece&mutation-kind=published"
             "&selection=softmax&temperature=100&temperature-floor=0.1&children=2&crossover=half&cut=0.8&immigrants=0"
             "&adaptive=1")
    given = solve(t, *common, "--algorithm", words, "--order", "published", "--game-over", "off")
    t.equal("published", [published[name] for name in same], [given[name] for name in same])
    first = solve(t, *common, "--algorithm", "sa", "--preset", "1.0")
    t.equal("1.0", (first["order"], first["game-over"]), ("move-first", "on"))
    other = solve(t, *common, "--algorithm", "sa", "--preset", "1.0", "--order", "published")
    t.equal("an option beside it", other["order"], "published")
    t.refuses("solve", "--n", "5", "--preset", "best", "--algorithm", "ga", names=("--preset", "best"))
    t.refuses("solve", "--n", "5", "--preset", "published", "--algorithm", "hill", names=("--preset", "ga, sa"))
    t.refuses("solve", "--n", "5", "--preset", "untuned", names=("--preset", "auto"))
    listed = t.run("solve", "--list").out
    for name in ("preset published of ga", "preset untuned of hybrid", "preset 1.0 of sa"):
        t.true(f"--list: {name}", name in listed)


def check_stages(t):
    """The best of the chains of perfect clears: two tetrises in 20 pieces are proved to be the best."""
    answer = solve(t, "--n", "20", "--seed", "2", "--encoding", "placements", "--algorithm", "exact", "--evaluations",
                   "30000000", "--threads", "1")
    t.equal("two tetrises", (answer["clears"], answer["optimal"], answer["perfect_clear"]), ([0, 0, 0, 2], True, True))
    t.equal("eval agrees", judged(t, answer)["fitness"], answer["fitness"])


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


def check_text(t):
    """Boards, then keys, then the summary; the terms of the fitness only on request."""
    common = ("solve", "--pieces", "IIOIOO", "--width", "4", "--algorithm", "exact", "--seed", "1")
    out = t.run(*common).out
    order = [out.find(part) for part in ("1: ", "\nkeys\n", "\nfinal board\n", "\nstopped: ",
                                         "\nfitness ", "\ngap to the bound: 0, proved optimal\n")]
    t.true("every part, in this order", -1 not in order and order == sorted(order), out)
    t.true("the summary is last", out.endswith("proved optimal\n"), out[-200:])
    t.true("no terms", "roughness" not in out, out)
    keys = [" ".join([move["piece"], *move["keys"]]) for move in solve(t, *common[1:])["moves"]]
    shown = re.findall(r"^ +\d+ ([A-Z])  (.*)$", out, re.MULTILINE)
    spelled = [" ".join([piece] + [word for part in line.split() for word in
                                   [part.split("*")[0]] * int((part + "*1").split("*")[1])])
               for piece, line in shown]
    t.equal("the keys of the document", spelled, keys)
    t.true("terms on request", "roughness" in t.run(*common, "--verbose").out)
    limited = t.run("solve", "--n", "10", *LIMIT, "--seed", "1", "--algorithm", "ga").out
    t.true("why it stopped", "stopped: evaluation limit reached" in limited, limited[-400:])
    t.true("the gap", re.search(r"gap to the bound: [0-9.]+ \(no solution is better than", limited),
           limited[-400:])
    long = ("solve", "--n", "60", *LIMIT, "--seed", "1")
    t.true("no boards of long games", "60: " not in t.run(*long).out)
    t.true("but on request", "60: " in t.run(*long, "--verbose").out)


def check_fits_the_terminal(t):
    if not t.has_terminal:
        return
    for columns in (60, 110):
        screen = t.screen("solve", "--n", "8", "--seed", "1", *LIMIT, "--quiet", "--color",
                          "never", rows=100, columns=columns)
        t.equal("solve", screen.finish(), 0)
        lines = screen.text().split("\n")
        boards = max(line.count("+---------------------+") for line in lines)
        t.equal(f"boards in {columns} columns", boards, {60: 2, 110: 4}[columns])
        screen.close()
