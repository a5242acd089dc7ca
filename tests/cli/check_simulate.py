"""simulate: the members of its JSON, threads, the same pieces for all, and bad input."""

import json
import math
import os
import re
import statistics

MEASURES = ["score", "lines", "pieces", "level", "singles", "doubles", "triples", "tetrises",
            "max_height", "holes"]
SHORT = ("--games", "6", "--max-pieces", "60", "--seed", "5")


def simulate(t, *arguments):
    return t.document("simulate", *arguments, "--json", "--quiet")


def check_members(t):
    answer = simulate(t, "--agent", "hill", *SHORT)
    for name in ("agent", "games", "seed", "rules", "per_game", "summary", "pieces_per_second"):
        t.true(name, name in answer, list(answer))
    games = answer["per_game"]
    t.equal("seeds", [game["seed"] for game in games], [5, 6, 7, 8, 9, 10])
    for measure in MEASURES:
        summary = answer["summary"][measure]
        values = [game["clears"][MEASURES.index(measure) - 4] if measure in MEASURES[4:8]
                  else game[measure] for game in games]
        mean, deviation = statistics.mean(values), statistics.stdev(values)
        t.true(f"{measure} mean", math.isclose(summary["mean"], mean, abs_tol=1e-9), summary)
        t.true(f"{measure} sd", math.isclose(summary["sd"], deviation, abs_tol=1e-9), summary)
        t.equal(f"{measure} range", (summary["min"], summary["max"]), (min(values), max(values)))
        t.equal(f"{measure} median", summary["median"], statistics.median(values))
        low, high = summary["ci95"]
        t.true(f"{measure} interval", low <= summary["mean"] <= high, summary)
    score, lines = answer["summary"]["score"], answer["summary"]["lines"]
    pieces = sum(game["pieces"] for game in games)
    t.true("cv", math.isclose(answer["summary"]["cv_score"], score["sd"] / score["mean"]), answer)
    t.true("lines a piece", math.isclose(answer["summary"]["lines_per_piece"],
                                         lines["mean"] * 6 / pieces), answer)


def check_every_agent_is_the_same_on_any_threads(t):
    listing = t.run("simulate", "--list").out.partition("\n\n")[0]
    agents = [line.split(":")[0] for line in listing.splitlines() if line and line[0] != " "]
    t.true("many agents", len(agents) >= 15, agents)
    for agent in agents:
        small = ("--param", "bees=20") if agent == "bees" else ()
        small = ("--param", "width=8") if agent == "beam" else small
        runs = [t.run("simulate", "--agent", agent, *small, "--games", "3", "--max-pieces", "25",
                      "--seed", "2", "--threads", threads, "--json", "--no-times", "--quiet")
                for threads in ("1", "2", "3")]
        t.equal(f"{agent} ends", runs[0].code, 0)
        t.equal(f"{agent} on 2 threads", runs[1].out, runs[0].out)
        t.equal(f"{agent} on 3 threads", runs[2].out, runs[0].out)


def check_parameters_in_the_name(t):
    common = ("--games", "2", "--max-pieces", "30", "--seed", "3", "--no-times")
    named = simulate(t, "--agent", "beam?width=8&futures=2", *common)
    t.equal("the same as --param", named,
            simulate(t, "--agent", "beam", "--param", "width=8", "--param", "futures=2", *common))
    t.equal("the name has precedence", named,
            simulate(t, "--agent", "beam?width=8&futures=2", "--param", "width=3", *common))
    t.refuses("simulate", "--agent", "beam?width=0", names="beam: width: 0 is not in")
    t.refuses("simulate", "--agent", "beam?x=1", names="beam: x: unknown parameter")
    t.refuses("simulate", "--agent", "beam?width", names="beam: 'width' is not NAME=VALUE")


def check_bot(t):
    bot = ("--agent", "bot?nodes=1000", "--games", "3", "--max-pieces", "60", "--seed", "4",
           "--no-times")
    one = simulate(t, *bot, "--threads", "1")
    t.equal("threads of simulate", simulate(t, *bot, "--threads", "3"), one)
    t.equal("threads of the search", simulate(t, "--param", "threads=3", *bot), one)
    t.equal("rules", (one["rules"], one["hold"], one["preview"]), ("guideline", True, 5))
    t.true("it clears lines", one["summary"]["lines"]["min"] >= 18, one["summary"]["lines"])
    t.true("more nodes, other games", simulate(t, *bot, "--agent", "bot?nodes=3000")["agents"][1]
           ["per_game"] != one["per_game"], one)
    simulate(t, *bot, "--hold", "off", "--preview", "0")
    weights = simulate(t, *bot, "--param", "hole=500")
    t.true("its weights are parameters", weights["per_game"] != one["per_game"], weights)
    t.refuses("simulate", "--agent", "bot", "--rules", "drop", names="bot: plays by the rules")
    t.refuses("simulate", "--agent", "bot", "--height", "16", names="bot: plays on boards of 10x20")
    t.refuses("simulate", "--agent", "bot", "--weights", "dt20", names="bot: takes no weights")
    t.refuses("simulate", "--agent", "bot?nodes=0", names="bot: nodes: 0 is not in")


def check_total_pieces(t):
    answer = simulate(t, "--agent", "bcts", "--rules", "drop", "--height", "6",
                      "--total-pieces", "20000", "--seed", "1")
    t.true("deaths", answer["deaths"] > 50, answer["deaths"])
    lines = round(answer["summary"]["lines_per_piece"] * 20000)
    t.true("mean", math.isclose(answer["lines_per_death"], lines / answer["deaths"]), answer)


def check_protocol(t):
    answer = simulate(t, "--protocol", "local-search", "--seed", "1", "--agent", "dellacherie")
    agents = answer if isinstance(answer, list) else answer["agents"]
    t.equal("who", {entry["agent"] for entry in agents},
            {"hill", "anneal", "genetic", "dellacherie"})
    for entry in agents:
        t.equal("games", len(entry["per_game"]), 15)
        t.true("pieces", all(game["pieces"] <= 400 for game in entry["per_game"]), entry["agent"])


# The published means of 15 games and their standard deviations.
PUBLISHED = {"hill": (128940, 32083), "anneal": (101093, 49956), "genetic": (99380, 41229)}


def check_published_protocol(t):
    """The means lie within two standard errors of those of the 15 published games, and so many
    games top out that every cause must be at work."""
    games = "450" if t.scale >= 1 else "15"
    answer = simulate(t, "--protocol", "local-search-published", "--games", games, "--seed", "1")
    t.equal("it names itself", answer["protocol"], "local-search-published")
    for entry in answer["agents"]:
        mean, deviation = PUBLISHED[entry["agent"]]
        score = entry["summary"]["score"]["mean"]
        t.true(entry["agent"], t.scale < 1 or abs(score - mean) < 2 * deviation / math.sqrt(15), score)
        deaths = sum(game["over"] for game in entry["per_game"]) / entry["games"]
        t.true("top-outs", t.scale < 1 or 0.2 < deaths < 0.52, deaths)
        t.equal("rows", (entry["height"], entry["scoring"]), (22, "local-search-published"))
    named = simulate(t, "--protocol", "local-search-published", "--agent", "hill", "--seed", "1")
    t.equal("a named agent of the protocol", [entry["weights"] for entry in named["agents"]],
            ["local-hill-published", "local-genetic-published", "local-hill-published"])


def check_seed_search(t):
    """The best by score, then lines, or by nectar, then pieces; the game is that of the list."""
    search = ("simulate", "--agent", "bees", "--param", "bees=60", "--search-seeds", "8",
              "--piece-seed", "3", "--seed", "1", "--quiet", "--json", "--keep-best", "best.json")
    orders = {"score": lambda game: (game["score"], game["lines"]),
              "nectar": lambda game: (game["nectar"], game["pieces"])}
    for word, order in orders.items():
        best = max(t.document(*search, "--best-by", word)["per_game"], key=order)
        replay = t.document("replay", "best.json", "--json")
        t.equal(f"the best by {word}", [replay[key] for key in ("score", "lines", "pieces")],
                [best[key] for key in ("score", "lines", "pieces")])
    t.refuses("simulate", "--agent", "dt20", "--best-by", "nectar", names=("--best-by", "dt20"))


def check_colony_records(t):
    """What cannot be saved is refused before the games, not after them."""
    rules = ("--param", "scout-piece=on", "--param", "clean-scouts=off")
    t.refuses("simulate", "--agent", "bees", *rules, "--games", "1000000", "--max-pieces", "400",
              "--keep-best", "no.json", names="clean-scouts=off")
    t.refuses("simulate", "--agent", "bees", "--param", "bees=100000", "--games", "1000000",
              "--max-pieces", "2000", "--keep-best", "no.json", names="too long")
    for way in ("as-published=on", "clean=lock", "nectar=skyline-1"):
        t.run("simulate", "--agent", "bees", "--param", "bees=40", "--param", way, "--games", "2",
              "--seed", "1", "--max-pieces", "100", "--keep-best", "game.json", "--quiet")
        t.equal(f"{way}: the replay holds", t.document("replay", "game.json", "--json").get(
            "follows_rules"), True)


def check_colony_config(t):
    """Configuration files name parameters directly."""
    path = t.write("bees.ini", "[simulate]\nagent = bees\nbees = 30\nas-published = on\ngames = 2\n"
                   "max-pieces = 30\nseed = 1\n")
    named = t.document("simulate", "--config", path, "--json", "--no-times")
    words = ("--games", "2", "--max-pieces", "30", "--seed", "1", "--json", "--no-times")
    t.equal("as given on the command line", named,
            t.document("simulate", "--agent", "bees?bees=30&as-published=on", *words))
    t.true("another colony", named != t.document("simulate", "--agent", "bees?bees=31", *words))
    path = t.write("bad.ini", "[simulate]\nagent = bees\nbees = 1\n")
    t.refuses("simulate", "--config", path, names="bees: 1 is not in 2..")


def check_colony_threads(t):
    """One colony on several threads plays the same game."""
    answers = [t.document("simulate", "--agent", "bees?bees=200", "--games", "1", "--max-pieces",
                          "60", "--seed", "1", "--threads", threads, "--json", "--no-times")
               for threads in ("1", "2", "5")]
    t.true("threads", answers[0] == answers[1] == answers[2], answers)


def check_weights(t):
    weights = {"features": "local", "weights": {"lines": 1, "holes": -5}}
    path = t.write("w.json", json.dumps(weights))
    t.equal("a file", simulate(t, "--agent", "hill", "--weights", path, *SHORT)["games"], 6)
    for text, names in [
        ('{"features":"local","weights":[1,2,3]}', ("w.json", "3 values", "have 4")),
        ('{"features":"local","weights":[1,2,3,"x"]}', ("w.json", "weights[3]", "not a number")),
        ('{"features":"local","weights":[1,2,3,NaN]}', "w.json"),
        ('{"features":"local","weights":[1,2,3,1e999]}', "w.json"),
        ('{"features":"local","weights":{"hole":1}}', ("w.json", "weights.hole")),
        ('{"features":"loca","weights":[1]}', ("w.json", "'loca'")),
        ('{"weights":7}', ("w.json", "weights")),
        ("[]", "w.json"),
        ("", "w.json"),
    ]:
        path = t.write("w.json", text)
        t.refuses("simulate", "--agent", "hill", "--weights", path, *SHORT, names=names)


def check_bad_input(t):
    t.refuses("simulate", "--agent", "nobody", names="'nobody'")
    t.refuses("simulate", "--agent", "hill", "--weights", "dt30", names=("--weights", "'dt30'"))
    t.refuses("simulate", "--agent", "dt20", "--weights", "tetris", names=("dt20", "'literature'"))
    t.refuses("simulate", "--agent", "random", "--weights", "dt20", names="takes no weights")
    t.refuses("simulate", "--agent", "bees", "--weights", "bcts", names="no effect")
    t.refuses("train", "--agent", "bees", names="no effect")
    t.refuses("simulate", "--agent", "dt20", "--rules", "guideline", names="drop only")
    t.refuses("simulate", "--agent", "bees", "--rules", "drop", names="guideline only")
    t.refuses("simulate", "--agent", "dt20", "--hold", "on", names="hold")
    t.refuses("simulate", "--agent", "hill", "--preview", "3", names="preview")
    t.refuses("simulate", "--agent", "hill", "--param", "x=1", names="x")
    t.refuses("simulate", "--agent", "beam", "--param", "width=0", names="width")
    t.refuses("simulate", "--randomizer", "list", names="list")
    t.refuses("simulate", "--randomizer", "list", "--list", "TOX", names="'X'")
    t.refuses("simulate", "--games", "0", names="--games")
    t.refuses("simulate", "--games", "5", "--total-pieces", "9", names="--total-pieces")
    t.refuses("simulate", "--width", "3", names="--width")
    t.refuses("simulate", "--keep-best", "no/such/folder.json", *SHORT, names="no/such")


def check_one_game_has_no_interval(t):
    summary = simulate(t, "--agent", "hill", "--games", "1", "--max-pieces", "30", "--seed", "1")
    lines = summary["summary"]["lines"]
    t.equal("neither deviation nor interval", (lines["sd"], lines["ci95"]), (None, None))
    t.equal("nor consistency", summary["summary"]["cv_lines"], None)


def check_time_ends_a_search(t):
    """Also one decision of the bot that would take days."""
    endless = ("bot?nodes=1000000000000", "--preview", "14", "--time", "0.3", "--quiet")
    for command in (["simulate", "--agent", *endless, "--games", "1"], ["match", "random", *endless]):
        run = t.shell("exec timeout 60 tetropt " + " ".join(f"'{word}'" for word in command))
        t.true(command[0], run.code in (0, 1) and "stopped before" in run.out, run)


def check_cut_short(t):
    answer = simulate(t, "--protocol", "local-search", "--agent", "beam", "--games", "400",
                      "--seed", "1", "--time", "0.3")
    cut = [entry for entry in answer["agents"] if entry.get("cut")]
    t.true("it says so", cut, answer)
    for entry in cut:
        t.true("no game is invented", entry["games"] == len(entry["per_game"]), entry["games"])
        t.true("every one was begun", all(game["pieces"] > 0 for game in entry["per_game"]), entry)


def check_short_by_default(t):
    """A slow agent plays fewer pieces only when nothing was said about the length."""
    common = ("simulate", "--agent", "beam", "--param", "width=1", "--seed", "1")
    t.equal("short", t.document(*common, "--json", "--quiet")["max_pieces"], 30)
    t.true("it says so", "30 pieces per game" in t.run(*common).err)
    t.equal("as usual", t.document(*common, "--json", "--quiet", "--games", "1", "--time",
                                   "0.1")["max_pieces"], 10000)
    both = t.document("simulate", "--agent", "beam?width=1", "--agent", "weighted", "--seed", "1",
                      "--json", "--quiet")
    t.equal("two agents play the same", [agent["max_pieces"] for agent in both["agents"]], [30, 30])


def check_fits_the_terminal(t):
    common = ("simulate", "--agent", "dt20", "--agent", "weighted", "--games", "2", "--max-pieces",
              "50", "--seed", "1")
    out = t.run(*common).out
    t.true("80 columns", max(map(len, out.splitlines())) <= 80, out)
    t.true("what is missing is named", "not shown, because the terminal is narrow: level" in out,
           out)
    if t.has_terminal:
        screen = t.screen(*common, columns=140)
        t.equal("exit code", screen.finish(), 0)
        t.true("a wide terminal shows all", "level" in screen.text() and
               "not shown" not in screen.text(), screen.text())
        screen.close()


def check_interrupt_says_how_to_continue(t):
    if t.late_signals:
        return
    run = t.interrupt("simulate", "--agent", "random", "--games", "100000000", "--seed", "5",
                      after=1)
    t.equal("exit code", run.code, 130)
    found = re.search(r"interrupted, after the completed games were printed; continue: the same "
                      r"command with --seed (\d+) --games (\d+)\n", run.err)
    t.true("the rest", found and int(found[1]) - 5 + int(found[2]) == 100000000, run.err)
    run = t.interrupt("simulate", "--agent", "dt20", "--height", "10", "--games", "1000000", "--max-pieces", "5000",
                      "--seed", "1", "--threads", "2", "--json", "--keep-best", "best.json", after=1)
    games = json.loads(run.out)["per_game"]
    first = int(re.search(r"--seed (\d+) --games", run.err)[1])
    t.equal("up to the first missing game", [game["seed"] for game in games[:first - 1]], list(range(1, first)))
    t.true("which is the next one", first not in [game["seed"] for game in games], first)
    with open(os.path.join(t.folder, "best.json"), encoding="utf-8") as file:
        t.equal("the best game is saved as a whole", json.load(file)["result"]["score"],
                max(game["score"] for game in games))


def check_lists(t):
    """--list without a value lists the agents, also for watch; it is a text, never JSON."""
    t.equal("watch --list", t.run("watch", "--list").out, t.run("simulate", "--list").out)
    for command in ("solve", "simulate", "train", "watch"):
        t.refuses(command, "--list", "--json", names=("--json", "--list"))


def check_no_number(t):
    """One game has no variation, and a player without a piece no attack per piece."""
    game = ("--games", "1", "--max-pieces", "10", "--seed", "1")
    for run in (t.run("simulate", "--agent", "lookahead", "--agent", "weighted", *game),
                t.run("match", "lines:false", "random", "--games", "2", "--seed", "1")):
        t.true("a dash, not nan", "nan" not in run.out and " - " in run.out, run.out)
