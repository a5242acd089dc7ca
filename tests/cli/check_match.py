"""Matches: repeatable on any number of threads, resumable, with rules from files."""

import json
import os
import re
import signal
import subprocess
import time

SHORT = ("--max-pieces", "30", "--seed", "1")
GREEDY = "lines:python3 examples/players/greedy.py"


def text_of(t, *arguments):
    run = t.run("match", *arguments, "--json")
    t.equal(f"match {' '.join(arguments)}: {run.err.strip()[:200]}", run.code, 0)
    return run.out


def check_repeatable(t):
    match = ("bot?nodes=200", "lookahead", "--games", "8", "--seed", "5")
    first = text_of(t, *match, "--threads", "1")
    t.equal("the same again", text_of(t, *match, "--threads", "1"), first)
    t.equal("three threads", text_of(t, *match, "--threads", "3"), first)
    document = json.loads(first)
    t.equal("games", (document["games"], len(document["per_game"])), (8, 8))
    t.equal("sums", [player["wins"] + player["losses"] + player["draws"] for player in document["players"]], [8, 8])
    pairing = document["pairings"][0]
    t.equal("pairs", sum(pairing["pairs"]), 4)
    for first_game, second in zip(document["per_game"][::2], document["per_game"][1::2]):
        t.equal("a pair has one seed", first_game["seed"], second["seed"])
        t.equal("and swapped sides", [side["player"] for side in first_game["sides"]],
                [side["player"] for side in second["sides"]][::-1])
    a, b = document["players"]
    t.equal("what one receives the other has sent", True, a["received"] <= b["sent"] and b["received"] <= a["sent"])
    t.true("attack is sent or cancels", all(player["sent"] <= player["attack"] for player in (a, b)))
    for timing in ("--frames",):
        framed = text_of(t, *match, timing)
        t.equal("frames repeat", text_of(t, *match, timing, "--threads", "3"), framed)
        t.true("pieces per second", json.loads(framed)["players"][0]["pieces_per_second"] > 0.5, framed[:300])
    t.true("times only on request", "decision_ms" not in first and "decision_ms" in text_of(t, *match, "--times"))


def check_same_player(t):
    """Against itself, every mirrored pair is one win each, or two draws."""
    document = json.loads(text_of(t, "weighted", "weighted", "--games", "6", "--seed", "2"))
    t.equal("even", document["pairings"][0]["pairs"], [0, 0, 3, 0, 0])
    t.equal("Elo", document["pairings"][0]["elo"], 0)


def check_endings(t):
    document = json.loads(text_of(t, "bot?nodes=100", "random", "--first-to", "3", "--seed", "1", "--threads", "3"))
    t.equal("first to 3", (document["players"][0]["wins"], document["games"]), (3, 3))
    document = json.loads(text_of(t, "bot?nodes=100", "random", "--first-to", "1", "--seed", "1"))
    t.equal("a game without its pair has points", (document["games"], document["score"],
                                                   document["pairings"][0]["score"]), (1, 1, 1))
    t.equal("but no Elo", (document["pairings"][0]["elo"], document["pairings"][0]["pairs"]), (0, [0] * 5))
    document = json.loads(text_of(t, "bot?nodes=100", "random", "--sprt", "0,50", "--seed", "1", "--threads", "2"))
    sprt = document["pairings"][0]["sprt"]
    t.equal("accepted", sprt["verdict"], "elo1 accepted")
    t.true("just over the bound", sprt["llr"] >= sprt["upper"] > 0 > sprt["lower"], sprt)
    t.equal("the same game on any thread", document["games"], json.loads(
        text_of(t, "bot?nodes=100", "random", "--sprt", "0,50", "--seed", "1", "--threads", "1"))["games"])
    document = json.loads(text_of(t, "random", "weighted", "--sprt", "0,50", "--seed", "1", "--games", "400",
                                  "--max-pieces", "40"))
    t.equal("or the other", document["pairings"][0]["sprt"]["verdict"], "elo0 accepted")


def check_several(t):
    document = json.loads(text_of(t, "weighted", "lookahead", "random", "--games", "2", *SHORT))
    t.equal("round robin", [pairing["players"] for pairing in document["pairings"]], [[0, 1], [0, 2], [1, 2]])
    t.true("ratings have mean 0", abs(sum(player["rating"] for player in document["players"])) < 1e-6)
    document = json.loads(text_of(t, "weighted", "lookahead", "random", "--gauntlet", "--games", "2", *SHORT))
    t.equal("gauntlet", [pairing["players"] for pairing in document["pairings"]], [[0, 1], [0, 2]])
    run = t.run("match", "weighted", "lookahead", "random", "--games", "2", *SHORT)
    t.true("cross table", run.code == 0 and "rating" in run.out and "+- 95 %" in run.out, run)
    run = t.run("match", "weighted", "random", "--games", "2", *SHORT, "--sprt", "0,5")
    t.true("two players", "Elo" in run.out and "LLR" in run.out and "APP" in run.out, run)


def check_rules(t):
    match = ("bot?nodes=100", "lookahead", "--games", "2", *SHORT)
    ppt = text_of(t, *match)
    t.equal("ppt is the default", text_of(t, *match, "--rules", "ppt"), ppt)
    t.true("guideline", json.loads(text_of(t, *match, "--rules", "guideline"))["rules"] == "guideline")
    t.write("none.ini", "# no attack\nbase = guideline\nclear = 0\nspin = 0\nmini = 0\ncombo = 0\nperfect-clear = 0\n"
                        "back-to-back = 0\n")
    document = json.loads(text_of(t, *match, "--rules", "none.ini"))
    t.equal("nothing is sent", [player["attack"] for player in document["players"]], [0, 0])
    t.write("none.json", json.dumps({"base": "guideline", "clear": [0], "spin": [0], "mini": [0], "combo": [0],
                                     "perfect-clear": 0, "back-to-back": 0}))
    t.equal("JSON says the same", json.loads(text_of(t, *match, "--rules", "none.json"))["per_game"],
            document["per_game"])
    t.write("hard.ini", "clear = 9\ncap = 2\nmessiness = 1\nblocking = on\ncountering = off\n")
    document = json.loads(text_of(t, *match, "--rules", "hard.ini"))
    t.true("much is sent", document["players"][0]["attack_per_line"] > 4, document["players"][0])
    listed = t.run("match", "--list-rules")
    t.true("--list-rules", listed.code == 0 and "[ppt]" in listed.out and "[guideline]" in listed.out, listed)
    t.true("numbers as they are written", "messiness = 0.3\n" in listed.out, listed)
    t.write("ppt.ini", listed.out.partition("\n[guideline]")[0])
    t.equal("what is listed can be read", json.loads(text_of(t, *match, "--rules", "ppt.ini"))["per_game"],
            json.loads(ppt)["per_game"])
    for name, text, why in (("a", "fly = 1\n", "fly"), ("b", "clear\n", "line 1"), ("c", "clear = x\n", "clear"),
                            ("d", '{"clear": "x"}', "clear"), ("e", '{"clear": [', "JSON"), ("f", "cap = -1\n", "cap"),
                            ("g", '{"messiness": 2}', "messiness"), ("h", "cap = 1\nbase = ppt\n", "base"),
                            ("i", '{"base": "chess"}', "base")):
        t.write(name, text)
        t.refuses("match", "weighted", "random", "--rules", name, names=("--rules", why))
    t.refuses("match", "weighted", "random", "--rules", "chess", names=("--rules", "chess"))
    for text, why in ((listed.out, "second section"), ("clear = 1\n[more]\nclear = 2\n", "line 2"),
                      ("clear = 1" + " " * 400 + ",2\n", "too long"), ("combo = " + "0" * 250 + "\n", "too long")):
        t.write("bad.ini", text)
        t.refuses("match", "weighted", "random", "--rules", "bad.ini", names=("--rules", "bad.ini", why))


def check_bad_input(t):
    t.refuses("match", names="at least two")
    t.refuses("match", "weighted", names="at least two")
    t.refuses("match", "weighted", "nobody", names="nobody")
    t.refuses("match", "weighted", "bees", names="complete games")
    t.refuses("match", "weighted", "dt20", names="drop only")
    t.refuses("match", "weighted", "bot?nodes=x", names="nodes")
    t.refuses("match", "weighted", "lookahead?weights=nothing", names="nothing")
    t.refuses("match", "weighted", "random", "--games", "3", names="odd")
    t.refuses("match", "weighted", "random", "--sprt", "5,0", names="--sprt")
    t.refuses("match", "weighted", "random", "--sprt", "1", names="--sprt")
    t.refuses("match", "weighted", "random", "--sprt", "0,5", "--first-to", "2", names="first-to")
    t.refuses("match", "weighted", "random", "--alpha", "0.1", names="--alpha")
    t.refuses("match", "weighted", "random", "--turns", "--frames", names="--turns")
    t.refuses("match", "weighted", "random", "--gauntlet", names="--gauntlet")
    t.refuses("match", "weighted", "random", "hill", "--sprt", "0,5", names="--sprt")
    t.refuses("match", "weighted", "tbp:false", names="exit code 1")


def check_parameters(t):
    plain = text_of(t, "lookahead", "weighted", "--games", "2", *SHORT)
    other = text_of(t, "lookahead?weights=tetris-blind", "weighted", "--games", "2", *SHORT)
    t.true("weights in a name", json.loads(plain)["per_game"] != json.loads(other)["per_game"])
    document = t.document("simulate", "--agent", "lookahead?weights=tetris-blind&breadth=2", "--games", "1", "--max-pieces",
                          "10", "--seed", "1", "--json")
    t.equal("in simulate too", document.get("weights"), "tetris-blind")


def check_outside(t):
    t.write("quits.py", "import sys\nfor i, line in enumerate(sys.stdin):\n    print(0 if i < 5 else 'oops', flush=True)\n")
    document = json.loads(text_of(t, "weighted", "lines:python3 quits.py", "--games", "2", *SHORT))
    t.equal("a fault loses", document["players"][1]["lost_by"], {"fault": 2})
    t.true("with a reason", all("not a placement" in str(game) for game in document["per_game"]), document["per_game"])
    run = t.run("match", f"tbp:{t.program} tbp --nodes 300 --threads 1", GREEDY, "--games", "2", *SHORT)
    t.true("two programs", run.code == 0 and "fault" not in run.out.partition("not shown")[0], run)


def check_decision_times(t):
    """The time of a decision is the wall-clock time of an outside player, also in resumed matches."""
    t.write("slow.py", "import sys, time\nfor line in sys.stdin:\n    time.sleep(0.02)\n    print(0, flush=True)\n")
    slow = "lines:python3 slow.py"
    single = t.document("simulate", "--agent", slow, "--games", "1", "--max-pieces", "10", "--seed", "1", "--json")
    t.true("simulate", single["summary"]["decision_us"]["mean"] >= 20000, single["summary"]["decision_us"])
    match = (slow, "weighted", "--max-pieces", "4", "--seed", "1", "--times")
    text_of(t, *match, "--games", "2", "--state", "times.state")
    resumed = json.loads(text_of(t, *match, "--games", "4", "--resume", "times.state"))
    t.true("match", resumed["times"]["decision_ms"][0]["mean"] >= 20, resumed["times"])


def check_garbage(t):
    """What players are told of garbage, and that the bot looks at it."""
    t.write("bot.sh", f"tee -a log.txt | {t.program} tbp --nodes 200 --threads 1\n")
    document = json.loads(text_of(t, "bot?nodes=500", "tbp:sh bot.sh", "--games", "2", "--seed", "1", "--max-pieces",
                                  "120"))
    with open(os.path.join(t.folder, "log.txt"), encoding="utf-8") as file:
        messages = [json.loads(line) for line in file]
    types = [message["type"] for message in messages]
    received = sum(side["received"] for game in document["per_game"] for side in game["sides"] if side["player"] == 1)
    t.true("there is garbage", received > 0, document)
    rows = sum(len(message["rows"]) for message in messages if message["type"] == "garbage")
    t.true("rows that come up", 0 < rows <= received, (rows, received))
    t.true("rows that wait", any(message["rows"] > 0 for message in messages if message["type"] == "incoming"))
    t.equal("one start per game", types.count("start"), 2)
    t.equal("no faults", document["players"][1]["lost_by"].get("fault", 0), 0)
    for timing in ((), ("--frames",)):
        # It matters only on boards that garbage would end, so there must be many of them.
        games = "40" if t.scale >= 1 else "2"
        answers = [json.loads(text_of(t, f"bot?nodes=100&incoming={incoming}", "bot?nodes=1000", "--games", games,
                                      "--seed", "1", "--max-pieces", "150", *timing)) for incoming in (0, 1, 1)]
        if t.scale >= 1:
            t.true(f"it counts {timing}", answers[0]["per_game"] != answers[1]["per_game"])
        t.equal(f"repeatable {timing}", answers[1], answers[2])


def check_kicks(t):
    options = ("--games", "2", "--seed", "1", "--max-pieces", "40", "--kicks", "srs-plus", "--spins", "all")
    document = json.loads(text_of(t, "bot?nodes=200", "lookahead", *options))
    t.equal("the bot plays with SRS+", [player["lost_by"].get("fault", 0) for player in document["players"]], [0, 0])
    document = json.loads(text_of(t, f"tbp:{t.program} tbp --nodes 100 --threads 1 --kicks srs-plus --spins all",
                                  "lookahead", *options))
    t.equal("and in tbp", [player["lost_by"].get("fault", 0) for player in document["players"]], [0, 0])
    t.refuses("match", "bot?nodes=200", "hill", *options, names=("kicks srs only",))
    run = t.run("simulate", "--agent", "bot?nodes=50", "--kicks", "srs-plus", "--games", "1", "--max-pieces", "20",
                "--seed", "1", "--keep-best", "r.json")
    t.true("simulate", run.code == 0, run)


def check_resume(t):
    match = ("bot?nodes=300", "lookahead", "--games", "30", "--seed", "3")
    whole = text_of(t, *match)
    command = [t.program, "match", *match, "--state", "m.state", "--threads", "1", "--quiet"]
    for number in range(4):
        with subprocess.Popen(command, cwd=t.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            for _ in range(200):
                if "m.state" in t.files() or process.poll() is not None:
                    break
                time.sleep(0.02)
            time.sleep(0.05)
            process.send_signal(signal.SIGKILL if number % 2 else signal.SIGINT)
            process.wait()
        if "m.state" in t.files():
            command = [t.program, "match", *match, "--resume", "m.state", "--threads", "1", "--quiet"]
    if "m.state" not in t.files():
        t.run("match", *match[:2], "--games", "4", "--seed", "3", "--state", "m.state")
    t.equal("resumed", text_of(t, *match, "--resume", "m.state"), whole)
    t.equal("with the same file as --state", text_of(t, *match, "--state", "m.state", "--resume", "m.state"), whole)
    t.equal("without the seed", text_of(t, *match[:4], "--resume", "m.state"), whole)
    t.refuses("match", *match, "--state", "m.state", names="already")
    t.refuses("match", "bot?nodes=301", *match[1:], "--resume", "m.state", names="players")
    t.refuses("match", *match[:4], "--seed", "4", "--resume", "m.state", names="seed 3")
    t.refuses("match", *match, "--rules", "guideline", "--resume", "m.state", names="rules")
    t.refuses("match", *match, "--move-time", "5", "--resume", "m.state", names="move_time")
    with open(os.path.join(t.folder, "m.state"), encoding="utf-8") as file:
        state = file.read()
    for bad in ("", "{}", state[:-20], state.replace('"n":[', '"n":[-', 1), state.replace('"winner":', '"winner":7', 1)):
        t.write("bad.state", bad)
        t.refuses("match", *match, "--resume", "bad.state", names="bad.state")


def check_long_delays(t):
    """More frames than 32 bits count."""
    t.write("slow.ini", "".join(f"{name} = 100000\n" for name in ("movement-delay", "spawn-delay", "soft-drop-delay")) +
            "".join(f"{name} = 0\n" for name in ("clear", "spin", "mini", "combo", "back-to-back", "perfect-clear")))
    match = ("weighted", "weighted", "--rules", "slow.ini", "--frames", "--max-pieces", "6000", "--seed", "1", "--games")
    t.run("match", *match, "2", "--state", "slow.state")
    t.equal("resumed", t.run("match", *match, "2", "--resume", "slow.state").code, 0)


def check_no_delays(t):
    """Whoever is next by the clock would be next for ever."""
    t.write("fast.ini", "spawn-delay = 0\nmovement-delay = 0\n")
    match = ("match", "weighted", "random", "--rules", "fast.ini", "--games", "2", "--max-pieces", "5", "--seed", "1")
    for timing in ("--frames", "--real-time"):
        t.refuses(*match, timing, names=("--rules", "spawn-delay"))
    t.equal("turns need none", t.run(*match).code, 0)


def check_time(t):
    run = t.run("match", "bot?nodes=100000", "bot?nodes=100000", "--games", "1000", "--time", "0.3", "--seed", "1")
    t.equal("a time limit ends it", run.code, 0)


def check_grid(t):
    t.write("grid.ini", "[experiment]\ncommand = match\nrepeat = 1\n\n[match]\nplayer = weighted, bot?nodes=50\n"
                        "against = random\ngames = 2\nmax-pieces = 20\n")
    run = t.run("experiment", "init", "grid.ini", "--store", "sqlite:a.sqlite")
    if "built without" in run.err:
        return
    run = t.run("experiment", "run", "--store", "sqlite:a.sqlite", "--quiet")
    t.equal("run", (run.code, run.err), (0, ""))
    run = t.run("experiment", "export", "jsonl", "--store", "sqlite:a.sqlite")
    rows = [json.loads(line) for line in run.out.splitlines()]
    t.equal("two runs", [row["result"]["games"] for row in rows], [2, 2])
    run = t.run("report", "--store", "sqlite:a.sqlite", "--out", "a.html", "--quiet")
    t.equal("report", (run.code, run.err), (0, ""))
    with open(os.path.join(t.folder, "a.html"), encoding="utf-8") as file:
        page = file.read()
    t.true("rating list and cross table", "Rating list" in page and "points against" in page
           and page.count("bot?nodes=50") > 2 and "attack per piece" in page)


def check_saved_games(t):
    match = ("bot?nodes=200", "lookahead", "--games", "4", "--seed", "1", "--max-pieces", "80")
    document = json.loads(text_of(t, *match, "--save-games", "games"))
    names = sorted(os.listdir(os.path.join(t.folder, "games")))
    t.equal("two boards per game", names, [f"{game:04}-{side}.json" for game in range(1, 5) for side in (1, 2)])
    for number, game in enumerate(document["per_game"], 1):
        for number_of_side, side in enumerate(game["sides"], 1):
            path = f"games/{number:04}-{number_of_side}.json"
            with open(os.path.join(t.folder, path), encoding="utf-8") as file:
                replay = json.load(file)
            rows = [hole for move in replay["moves"] for hole in move.get("garbage", [])]
            t.equal(f"{path}: garbage", len(rows), side["received"])
            shown = t.document("replay", path, "--json")
            t.equal(f"{path}: by the rules", (shown["pieces"], shown["lines"], shown["over"]),
                    (side["pieces"], side["lines"], side.get("over", "no")))
            again = t.run("replay", path, "--to", "json")
            with open(os.path.join(t.folder, path), encoding="utf-8") as file:
                t.equal(f"{path}: written again", again.out, file.read())
    t.true("some garbage came", any(side["received"] for game in document["per_game"] for side in game["sides"]))
    run = t.run("replay", "games/0001-1.json", "games/0001-2.json")
    t.true("side by side", run.code == 0 and "+  +" in run.out and "G" in run.out, run)
    t.refuses("replay", "games/0001-1.json", "games/0001-2.json", "--to", "svg", names="one by one")
    t.refuses("replay", "games/0001-1.json", "nowhere.json", names="nowhere.json")
    for ending in ("svg", "gif", "fumen"):
        run = t.run("replay", "games/0002-1.json", "--out", f"a.{ending}")
        t.equal(f"to {ending}", (run.code, run.err), (0, ""))
    with open(os.path.join(t.folder, "games/0001-1.json"), encoding="utf-8") as file:
        good = json.load(file)
    for bad in ([10], [-1], "x", [0] * 61, [[1]]):
        t.write("bad.json", json.dumps(good | {"moves": [good["moves"][0] | {"garbage": bad}, *good["moves"][1:]]}))
        t.refuses("replay", "bad.json", "--json", names="garbage")
    t.write("bad.json", json.dumps(good | {"moves": [good["moves"][0] | {"garbage": [0] * 50}, *good["moves"][1:]]}))
    t.refuses("replay", "bad.json", "--json", names="moves[1]")
    t.write("file", "")
    t.refuses("match", *match, "--save-games", "file", names="file")
    if t.has_terminal:
        screen = t.screen("replay", "games/0001-1.json", "games/0001-2.json", rows=30)
        screen.wait_for("stopped")
        screen.press("n")
        screen.wait_for("move 1/")
        screen.press("G")
        screen.wait_for(re.compile(r"move (\d+)/\1,"))
        screen.press("q")
        t.equal("on a terminal", screen.finish(), 0)
        screen.close()
