"""The interactive commands on a pseudo terminal. Nothing here depends on how long things take."""

import functools
import json
import os
import re
import signal

RIGHT, LEFT, UP, DOWN = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B"
RUNS = re.compile(r"score +\d+")
PAUSED = re.compile(r"paused.*q  quit", re.DOTALL)


def on_terminal(check):
    """Leaves a check out where the program has no terminals."""

    @functools.wraps(check)
    def wrapped(t):
        if t.has_terminal:
            check(t)

    return wrapped


def start(t, *arguments, wait="quit", **options):
    if arguments[:1] == ("play",) and "--countdown" not in arguments:
        arguments += ("--countdown", "0")
    screen = t.screen(*arguments, **options)
    t.true(f"{arguments}: the screen appears", screen.wait_for(wait), screen.text())
    return screen


def leave(t, screen, what, code=0, keys="q"):
    screen.press(*keys)
    t.equal(f"{what}: exit code", screen.finish(), code)
    t.true(f"{what}: the terminal is restored", screen.restored(), screen.raw[-200:])
    screen.close()


def column_of_piece(screen):
    """The column of the first block of the piece, the only thing in the field."""
    for line in screen.text().split("\n"):
        field = re.search(r"\|(.*)\|", line)
        if field and "[]" in field.group(1):
            return field.group(1).index("[]")
    return -1


PLAIN = ("--ascii", "--color", "never")


@on_terminal
def check_play(t):
    screen = start(t, "play", "--seed", "1", *PLAIN, "--save", "game.json")
    for word in ("marathon", "hold", "next", "score", "level", "lines", "pieces", "time", "::"):
        t.true(f"the screen has {word}", word in screen.text(), screen.text())
    before = column_of_piece(screen)
    screen.press(LEFT)
    t.true("left", screen.wait_for(lambda _: column_of_piece(screen) == before - 2),
           screen.text())
    screen.press("d", "d")
    t.true("right", screen.wait_for(lambda _: column_of_piece(screen) == before + 2),
           screen.text())
    screen.press(" ")
    t.true("hard drop", screen.wait_for(re.compile(r"pieces +1\b")), screen.text())
    screen.press("\t")
    t.true("hold", screen.wait_for(re.compile(r"hold.*\n.*(\[\]|::).*\n|hold.*\n.*\n.*(\[\]|::)")))
    screen.press("p")
    t.true("pause", screen.wait_for(PAUSED), screen.text())
    screen.press("p")
    t.true("on again", screen.wait_for(lambda text: not PAUSED.search(text)), screen.text())
    screen.press(" ", "w", " ")
    t.true("three pieces", screen.wait_for(re.compile(r"pieces +3\b")), screen.text())
    screen.press("q")
    t.true("quit asks first", screen.wait_for(PAUSED), screen.text())
    leave(t, screen, "play")
    t.true("the result", re.search(r"marathon, seed 1: score \d+, 0 lines, 3 pieces", screen.raw))
    replay = t.document("replay", "game.json", "--json")
    t.equal("the replay", (replay.get("pieces"), replay.get("follows_rules")), (3, True))


@on_terminal
def check_game_over(t):
    screen = start(t, "play", "--seed", "1", "--save", "game.json")
    for _ in range(30):
        screen.press(" ")
    t.true("game over", screen.wait_for("game over"), screen.text())
    screen.press("r")
    t.true("begins again", screen.wait_for(re.compile(r"pieces +0\b")), screen.text())
    screen.press("q")
    leave(t, screen, "after a restart")
    t.true("the next seed", "seed 2:" in screen.raw, screen.raw[-200:])


@on_terminal
def check_signals(t):
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGHUP, 130)):
        for command in ("play", "watch"):
            screen = start(t, command, "--seed", "1", "--save", "cut.json")
            screen.press(" ")
            screen.send(number)
            leave(t, screen, f"{command} {number.name}", code, keys="")
            t.equal(f"{command} {number.name}: saved", t.run("replay", "cut.json").code, 0)
            os.remove(os.path.join(t.folder, "cut.json"))
    screen = start(t, "play")
    screen.press("\x03")
    leave(t, screen, "Ctrl-C", 130, keys="")


@on_terminal
def check_crash(t):
    screen = start(t, "play")
    screen.send(signal.SIGBUS)
    leave(t, screen, "a crash", -signal.SIGBUS, keys="")


@on_terminal
def check_suspend(t):
    screen = start(t, line="set -m; tetropt play --seed 1; echo; echo stopped; fg; echo over")
    screen.press("\x1a")
    t.true("Ctrl-Z", screen.wait_for(lambda _: "\nstopped" in screen.raw), screen.raw[-300:])
    shown = screen.raw.find("\nstopped")
    t.true("fg", screen.wait_for(lambda _: "marathon" in screen.raw[shown:]), screen.raw[-300:])
    screen.press("q", "q")
    t.true("ends", screen.wait_for(lambda _: "over" in screen.raw[shown:]), screen.raw[-300:])
    leave(t, screen, "after Ctrl-Z", keys="")


@on_terminal
def check_sizes(t):
    screen = start(t, "play", "--seed", "1", *PLAIN, wait="too small", rows=8, columns=30)
    screen.resize(24, 80)
    t.true("larger", screen.wait_for(RUNS), screen.text())
    screen.resize(10, 20)
    t.true("small again", screen.wait_for("too small"), screen.text())
    screen.resize(40, 120)
    t.true("large", screen.wait_for(PAUSED), screen.text())
    leave(t, screen, "resized")
    for width, height in ((4, 4), (16, 40), (10, 40), (16, 20)):
        screen = start(t, "watch", "--width", str(width), "--height", str(height), *PLAIN)
        walls = [line for line in screen.text().split("\n") if line.count("|") == 2]
        t.true(f"{width}x{height}: a field", len(walls) >= min(height, 20), screen.text())
        leave(t, screen, f"{width}x{height}")


@on_terminal
def check_terminals(t):
    for terminal in ("vt100", "xterm", "xterm-256color", "linux", "screen"):
        screen = start(t, "play", wait=RUNS, env={"TERM": terminal})
        t.equal(f"{terminal}: colours", screen.emulator.colors, terminal != "vt100")
        screen.press("q")
        leave(t, screen, terminal)
    for terminal in ("dumb", "nonsense", ""):
        screen = t.screen("play", env={"TERM": terminal})
        leave(t, screen, f"TERM={terminal}", 2, keys="")
        t.true(f"TERM={terminal}: one line", re.search(r"tetropt: play: [^\n]*(terminal|TERM)",
                                                       screen.raw), screen.raw)
    screen = start(t, "play", env={"NO_COLOR": "1"})
    t.equal("NO_COLOR is heard", screen.emulator.colors, False)
    screen.press("q")
    leave(t, screen, "NO_COLOR")


@on_terminal
def check_characters(t):
    for arguments, env, plain in (((), {}, False), (("--ascii",), {}, True),
                                  ((), {"LC_ALL": "C"}, True)):
        screen = start(t, "watch", "--color", "never", *arguments, env=env)
        t.equal(f"{arguments} {env}: ASCII", screen.text().isascii(), plain)
        leave(t, screen, "watch")


@on_terminal
def check_watch(t):
    screen = start(t, "watch", "--seed", "3", "--max-pieces", "40", "--speed", "max", "--save",
                   "w.json", "--json")
    t.equal("ends by itself", screen.finish(), 0)
    t.true("restored", screen.restored())
    result = json.loads(re.search(r'\{"mode".*\}', screen.raw).group(0))
    t.equal("pieces", result["pieces"], 40)
    replay = t.document("replay", "w.json", "--json")
    for name in ("score", "lines", "pieces"):
        t.equal(f"the replay's {name}", replay.get(name), result[name])
    screen.close()
    # Without pressure from gravity it is the game that simulate plays.
    game = t.document("simulate", "--agent", "weighted", "--games", "1", "--max-pieces", "40",
                      "--seed", "3", "--json")["per_game"][0]
    t.equal("the game of simulate", (game["score"], game["lines"]),
            (result["score"], result["lines"]))
    # At another speed the same game.
    screen = start(t, "watch", "--seed", "3", "--max-pieces", "12", "--speed", "64", "--save",
                   "a.json")
    t.true("at speed 64", screen.wait_for("all pieces placed"), screen.text())
    leave(t, screen, "watch")
    screen = start(t, "watch", "--seed", "3", "--max-pieces", "12", "--speed", "max", "--save",
                   "b.json", wait="")
    t.equal("flat out", screen.finish(), 0)
    screen.close()
    files = [open(os.path.join(t.folder, name), encoding="utf-8").read()
             for name in ("a.json", "b.json")]
    t.true("the game does not depend on the speed", files[0] == files[1])


@on_terminal
def check_agents(t):
    for agent in ("bees", "dt20", "hill", "random", "beam"):
        screen = start(t, "watch", "--agent", agent, "--seed", "1", "--max-pieces", "15",
                       "--speed", "max", "--save", "w.json", wait="")
        t.equal(f"{agent}: exit code", screen.finish(), 0)
        t.true(f"{agent}: restored", screen.restored())
        screen.close()
        replay = t.document("replay", "w.json", "--json")
        t.true(f"{agent}: pieces", replay.get("pieces", 0) > 4, replay)


@on_terminal
def check_colony(t):
    """watch shows the game that simulate played, to its end."""
    words = ("--agent", "bees?bees=40", "--seed", "3")
    played = t.document("simulate", *words, "--games", "1", "--max-pieces", "500", "--json")
    screen = start(t, "watch", *words, "--speed", "max", "--save", "w.json", wait="")
    t.equal("colony: exit code", screen.finish(), 0)
    screen.close()
    game = played["per_game"][0]
    replay = t.document("replay", "w.json", "--json")
    t.true("it tops out", game["over"], game)
    t.equal("the same game", [replay[key] for key in ("pieces", "lines", "score")],
            [game[key] for key in ("pieces", "lines", "score")])


@on_terminal
def check_take_over(t):
    screen = start(t, "watch", "--seed", "1", *PLAIN, "--save", "w.json")
    t.true("thoughts", screen.wait_for(re.compile(r"best of \d+ placements")), screen.text())
    t.true("features", "feature" in screen.text() and "contrib" in screen.text(), screen.text())
    screen.press("n")
    t.true("a step pauses", screen.wait_for("paused"), screen.text())
    screen.press("t", "p")
    t.true("taken over", screen.wait_for("you play"), screen.text())
    pieces = int(re.search(r"pieces +(\d+)", screen.text()).group(1))
    screen.press(" ", " ")
    t.true("a person's pieces", screen.wait_for(
        lambda text: int(re.search(r"pieces +(\d+)", text).group(1)) >= pieces + 2), screen.text())
    screen.press("t")
    t.true("handed back", screen.wait_for("speed 1x"), screen.text())
    screen.press("+")
    t.true("faster", screen.wait_for("speed 2x"), screen.text())
    leave(t, screen, "watch")
    t.equal("the replay", t.document("replay", "w.json", "--json").get("follows_rules"), True)


@on_terminal
def check_replay_viewer(t):
    screen = start(t, "replay", "examples/replay.json", "--ascii", wait="move")
    total = int(re.search(r"move +0/(\d+)", screen.text()).group(1))
    screen.press(RIGHT, RIGHT, LEFT)
    t.true("steps", screen.wait_for(f"1/{total}"), screen.text())
    screen.press("\x1b[F")
    t.true("end", screen.wait_for(f"{total}/{total}"), screen.text())
    screen.press("\x1b[5~")
    t.true("page up", screen.wait_for(f"{max(0, total - 10)}/{total}"), screen.text())
    screen.press("\x1b[H")
    t.true("home", screen.wait_for(f"0/{total}"), screen.text())
    screen.press("+", "+", "+", "+", "+", " ")
    t.true("runs to the end", screen.wait_for(f"{total}/{total}"), screen.text())
    leave(t, screen, "replay")


@on_terminal
def check_menu(t):
    screen = start(t, wait="watch an agent")
    t.true("solve is there", "solve" in screen.text(), screen.text())
    t.true("the web UI, too", "open the web UI" in screen.text(), screen.text())
    t.true("no replay yet", "replay a game" not in screen.text(), screen.text())
    screen.press("1")
    t.true("play", screen.wait_for("marathon"), screen.text())
    screen.press("q", "q")
    t.true("back in the menu", screen.wait_for("watch an agent"), screen.text())
    t.true("the game was kept", screen.wait_for("replay a game"), screen.text())
    screen.press("8")
    t.true("the games", screen.wait_for("game 1"), screen.text())
    screen.press("1")
    t.true("the viewer", screen.wait_for("0/0"), screen.text())
    screen.press("q")
    t.true("the menu again", screen.wait_for("watch an agent"), screen.text())
    leave(t, screen, "the menu")
    screen = t.screen(env={"TERM": "dumb"})
    leave(t, screen, "no menu", 2, keys="")
    t.true("the overview instead", "Usage: tetropt COMMAND" in screen.raw, screen.raw)


@on_terminal
def check_race(t):
    """An agent plays the same pieces and sends garbage; the replay has it."""
    path = os.path.join(t.folder, "race.json")
    screen = start(t, "play", "--against", "lookahead", "--opponent-speed", "16", "--countdown", "0",
                   "--seed", "5", "--save", path, wait="race lookahead")
    t.true("garbage is coming", screen.wait_for(re.compile(r"coming +[1-9]")), screen.text())
    for _ in range(30):
        if "you lose" in screen.text():
            break
        screen.press(" ")
        screen.wait_for("you lose", seconds=1)
    t.true("the race is lost", "you lose" in screen.text(), screen.text())
    leave(t, screen, "a race")
    with open(path, encoding="utf-8") as file:
        moves = json.load(file)["moves"]
    t.true("the replay has the garbage", any("garbage" in move for move in moves), moves)
    t.equal("it follows the rules", t.run("replay", path, "--to", "json").code, 0)
    t.refuses("play", "--against", "nobody", names="unknown agent")
    t.refuses("play", "--against", "bees", names="against: ")
    t.refuses("play", "--against", "lookahead", "--lines", "40", names="--lines")
    t.refuses("play", "--opponent-speed", "2", names="opponent-speed")


@on_terminal
def check_menu_trains(t):
    """Train, choose a method, see the boards, weights saved, watch the agent just trained."""
    screen = start(t, wait="train an agent")
    t.true("nothing was trained", "just trained" not in screen.text(), screen.text())
    screen.press("6")
    t.true("the methods", screen.wait_for("choose a method"), screen.text())
    listed = t.run("train", "--list").out.partition("\nPresets:\n")[0]
    for name in re.findall(r"^([a-z-]+): ", listed, re.MULTILINE):
        t.true(f"has {name}", name in screen.text(), screen.text())
    screen.press("q")
    t.true("back", screen.wait_for("solve twenty pieces"), screen.text())
    screen.press("6")
    screen.wait_for("choose a method")
    screen.press("2")  # gradient: five candidates, three where a weight is 0
    t.true("the boards of the candidates", screen.wait_for("candidate 3"), screen.text())
    t.true("the generation", screen.wait_for(re.compile(r"generation \d+ of 50")), screen.text())
    screen.press("q")
    t.true("the weights are saved", screen.wait_for("weights saved: "), screen.text())
    path = os.path.join(t.folder, "data", "tetropt", "trained-1.json")
    with open(path, encoding="utf-8") as file:
        settings = json.load(file)["training"]["settings"]
    t.equal("by that method", (settings["method"], settings["scoring"]), ("gradient", "classic"))
    screen.press("\r")
    t.true("watch the agent just trained", screen.wait_for("best of"), screen.text())
    t.true("with its weights", "weighted /" in screen.text(), screen.text())
    screen.press("q")
    t.true("the menu again", screen.wait_for("watch the agent just trained"), screen.text())
    screen.press("6")
    screen.wait_for("choose a method")
    screen.press("1")
    t.true("it trains", screen.wait_for("candidate 1"), screen.text())
    screen.press("q")
    t.true("q stops the training and saves", screen.wait_for("trained-2.json"), screen.text())
    leave(t, screen, "the menu")


@on_terminal
def check_solve_watch(t):
    screen = start(t, "solve", "--n", "10", "--seed", "1", "--algorithm", "ga", "--evaluations",
                   "300000", "--watch", wait="")
    t.equal("solve --watch", screen.finish(), 0)
    t.true("the best is shown", "best" in screen.raw, screen.raw)
    t.true("restored", screen.restored())
    t.true("the answer is printed", "fitness" in screen.raw, screen.raw[-300:])
    screen.close()
    t.refuses("solve", "--n", "5", "--evaluations", "1000", "--watch", names="terminal")


@on_terminal
def check_train_watch(t):
    common = ("train", "--generations", "2", "--games", "2", "--seed", "1", "--threads", "2")
    for agent in (("--agent", "weighted", "--max-pieces", "300"),
                  ("--agent", "dt20", "--height", "10", "--max-pieces", "200000")):
        screen = start(t, *common, *agent, "--out", f"{agent[1]}.json", "--watch", wait="")
        t.equal("train --watch", screen.finish(), 0)
        t.true("the candidates are shown", "candidate" in screen.raw, screen.raw)
        t.true("restored", screen.restored())
        t.true("the outcome is printed", "held-out" in screen.raw, screen.raw[-300:])
        screen.close()
        plain = t.run(*common, *agent, "--out", "plain.json", "--quiet")
        t.equal("without", plain.code, 0)
        same = t.shell(f"cmp {agent[1]}.json plain.json")
        t.equal("looking on changes nothing", same.code, 0)
        t.shell("rm -f plain.json plain.json.state")
    t.refuses(*common, "--out", "never.json", "--log", "never.jsonl", "--watch", names="terminal")
    t.refuses(*common, "--profile", "blocks", "--watch", names="--watch")


@on_terminal
def check_scores(t):
    keys = ["d"] * 3 + [" "] + ["a"] * 3 + [" "] + [" "]

    def sprint(arguments=("--lines", "1")):
        # O O O on six columns: a row, then another one.
        screen = start(t, "play", *arguments, "--width", "6", "--list", "OOOOOO", *PLAIN)
        screen.press(*keys)
        t.true("it ends", screen.wait_for("all lines done"), screen.text())
        leave(t, screen, "sprint")
        return screen.raw

    t.true("the first is the best", "number 1 of your games" in sprint())
    path = os.path.join(t.folder, "data", "tetropt", "scores.json")
    with open(path, encoding="utf-8") as file:
        table = json.load(file)
    t.equal("one table", list(table), ["sprint 1 6x20 list"])
    t.equal("its entry", table["sprint 1 6x20 list"][0]["lines"], 2)
    for damage in ("{", "[]", '{"sprint 1 6x20 list": 5}'):
        with open(path, "w", encoding="utf-8") as file:
            file.write(damage)
        raw = sprint()
        t.true(f"{damage}: the game is not lost", "number 1 of your games" in raw, raw[-300:])
        with open(path + ".bad", encoding="utf-8") as file:
            t.equal(f"{damage}: put aside", file.read(), damage)
    os.remove(path)
    os.mkdir(path)
    raw = sprint()
    t.true("cannot be written: a line", re.search(r"tetropt: high scores: [^\n]*scores.json", raw),
           raw[-300:])


@on_terminal
def check_keys(t):
    path = t.write("keys.ini", "[play]\nkey-left = j\nkey-right = l\nkey-quit = x\n")
    screen = start(t, "play", "--config", path, "--seed", "1", *PLAIN)
    t.true("shown", "j/l move" in screen.text() and "x quit" in screen.text(), screen.text())
    before = column_of_piece(screen)
    screen.press("j")
    t.true("mapped", screen.wait_for(lambda _: column_of_piece(screen) == before - 2),
           screen.text())
    screen.press("a")
    leave(t, screen, "mapped keys", keys="xx")
    t.refuses("play", "--key-left", "fly", names="--key-left")
    t.refuses("play", "--key-left", "j", "--key-right", "j", names=("--key-", "taken"))
    t.refuses("play", "--key-left", "z", names=("--key-counter", "no key left"))


def points_of(screen):
    return int(re.search(r"score +(\d+)", screen.text()).group(1))


@on_terminal
def check_guideline_game(t):
    """Keys of the guideline, points for drops, countdown, a pause that hides the board, PPS."""
    screen = start(t, "play", "--seed", "1", *PLAIN, "--countdown", "2", "--save", "g.json",
                   wait=re.compile(r"^[^\n]*\|[^\n]* 2 [^\n]*\|", re.MULTILINE))
    screen.press(" ")
    t.true("it counts", screen.wait_for(re.compile(r"\|[^\n]* 1 [^\n]*\|")), screen.text())
    t.true("no piece locks meanwhile", re.search(r"pieces +0", screen.text()), screen.text())
    t.true("the game starts", screen.wait_for(re.compile(r"time +0:00\.[1-9]")), screen.text())
    t.true("five next pieces", len(re.findall(r"\|  [^|]*\[\]", screen.text())) >= 8,
           screen.text())
    screen.press(" ")
    t.true("points for a hard drop", screen.wait_for(lambda _: points_of(screen) >= 30),
           screen.text())
    before = points_of(screen)
    screen.press(DOWN)
    t.true("and for a soft drop", screen.wait_for(lambda _: points_of(screen) == before + 1),
           screen.text())
    t.true("pieces per second", re.search(r"PPS +\d+\.\d\d", screen.text()), screen.text())
    t.true("the stack", "[]" in screen.text(), screen.text())
    screen.press("p")
    t.true("pause", screen.wait_for(PAUSED), screen.text())
    t.true("hides the board", "[]" not in screen.text() and "next" not in screen.text(),
           screen.text())
    screen.press("p")
    t.true("counts again", screen.wait_for(re.compile(r"\|[^\n]* 2 [^\n]*\|")), screen.text())
    leave(t, screen, "guideline", keys="qq")
    with open(os.path.join(t.folder, "g.json"), encoding="utf-8") as file:
        rules = json.load(file)["rules"]
    t.equal("the rules", (rules["scoring"], rules["bonus"], rules["rotate180"]),
            ("guideline", True, True))


@on_terminal
def check_rotate_180(t):
    screen = start(t, "play", "--list", "TTT", "--seed", "1", *PLAIN)
    width = lambda: max((line.count("[]") for line in screen.text().split("\n")[:4]), default=0)
    t.true("a T", screen.wait_for(lambda _: width() == 3), screen.text())
    rows = [line for line in screen.text().split("\n") if "[]" in line][:2]
    screen.press("v")
    t.true("upside down", screen.wait_for(
        lambda text: [line for line in text.split("\n") if "[]" in line][:2] != rows),
        screen.text())
    leave(t, screen, "180", keys="qq")


@on_terminal
def check_without_terminal(t):
    for command in ("play", "watch"):
        t.refuses(command, names=(command, "terminal"))
    for arguments in (("--speed", "0"), ("--speed", "x"), ("--agent", "nobody"),
                      ("--save", "x.json", "--max-pieces", "200001"), ("--weights", "nothing")):
        t.refuses("watch", *arguments, names=arguments[-2])


def check_step(t):
    run = t.run("play", "--step", "--seed", "1", "--save", "s.json",
                stdin="1\nleft cw drop\nhold\naaw drop\n")
    t.equal("step", (run.code, run.err), (0, ""))
    t.equal("locks", run.out.count("\nlocked "), 3)
    t.equal("features after every lock", run.out.count("\nfeatures: landing_height"), 3)
    t.equal("nectar after every lock", run.out.count("\nnectar: weights"), 3)
    t.true("moves", "34 moves:" in run.out or "17 moves:" in run.out, run.out[:1500])
    t.equal("the replay", t.document("replay", "s.json", "--json").get("pieces"), 3)
    run = t.run("play", "--step", "--seed", "1", "--json", stdin="1\n2\n")
    lines = [json.loads(line) for line in run.out.splitlines()]
    t.equal("JSON Lines", len(lines), 3)
    t.equal("two locks", [sorted(line["nectar"]) for line in lines[:2]],
            [["hybrid", "skyline", "weights"]] * 2)
    t.equal("the end", lines[2]["pieces"], 2)
    for bad in ("0\n", "99\n", "fly\n", "1\0 2\n", "1\0", "\0001\n", "1 " * 4000):
        run = t.run("play", "--step", "--seed", "1", stdin="1\n" + bad)
        t.true(f"{bad!r} is refused", run.code == 2 and "standard input:2" in run.err, run)
    # A number behind a hold means a move of the piece that came.
    run = t.run("play", "--step", "--seed", "1", "--json", "--save", "h.json", stdin="hold 10\n")
    t.equal("hold and a move", run.code, 0)
    t.equal("of the other piece", json.loads(run.out.splitlines()[0])["hold"], True)
    t.equal("its replay", t.document("replay", "h.json", "--json").get("pieces"), 1)
    # Keys behind a lock were meant for a board that nobody had seen, in a word as in a line.
    run = t.run("play", "--step", "--seed", "1", "--key-drop", "x", "--json", stdin="xx\nx x\n")
    t.equal("a lock ends a line", [len(run.out.splitlines()), run.code], [3, 0])
    run = t.run("play", "--step", "--rules", "drop", "--seed", "1", "--save", "d.json",
                stdin="1\ncw left drop\n3\n")
    t.equal("drop", run.code, 0)
    t.equal("the drop replay", t.document("replay", "d.json", "--json").get("pieces"), 3)
