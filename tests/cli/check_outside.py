"""Outside players (tbp:COMMAND, lines:COMMAND): good ones, and every way to misbehave."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request

GREEDY = "lines:python3 examples/players/greedy.py"
SHORT = ("--param", "move-time=1200", "--param", "grace=300")

# A player that obeys for WHEN positions and then does WHAT. Its process number goes to a file.
ROGUE = r"""
import json, os, signal, sys, time
kind, what, when = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open("pids", "a") as file:
    file.write(f"{os.getpid()}\n")
def say(text):
    try:
        sys.stdout.write(text + "\n"); sys.stdout.flush()
    except OSError:
        time.sleep(100)
def misbehave():
    if what == "silent":
        time.sleep(100)
    if what == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True: time.sleep(1)
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "exit":
        sys.exit(3)
    if what == "garbage":
        say("\x1b[31m\xff{nonsense")
    if what == "binary":
        sys.stdout.buffer.write(bytes(range(128, 256)) + b"\0\n"); sys.stdout.flush()
    if what == "empty":
        say("")
    if what == "illegal":
        say("999999" if kind == "lines" else '{"type":"suggestion","moves":[{"location":'
            '{"type":"T","orientation":"north","x":4,"y":19},"spin":"none"}]}')
    if what == "object":
        say('{"piece":"O","rotation":"north","x":0,"y":15}' if kind == "lines" else '[1]')
    if what == "flood":
        while True: say('{"type":"chatter"}' if kind == "tbp" else "y")
    if what == "longline":
        while True: sys.stdout.write("x" * 65536)
    if what == "slow":
        time.sleep(5); answer()
    if what == "closed":
        os.close(1); time.sleep(100)
    if what == "nothing":
        say('{"type":"suggestion","moves":[]}')
    if what == "refuse":
        say('{"type":"error","reason":"unsupported_rules"}')
queue, hold = [], None
def answer():
    if kind == "lines":
        say("0")
    else:  # its own move from the bot behind it
        bot.stdin.write('{"type":"suggest"}\n'); bot.stdin.flush()
        say(bot.stdout.readline().rstrip("\n"))
if kind == "tbp":
    import subprocess
    bot = subprocess.Popen([sys.argv[4], "tbp", "--nodes", "200", "--threads", "1"], stdin=-1, stdout=-1, text=True)
    say(bot.stdout.readline().rstrip("\n"))
turn = 0
for line in sys.stdin:
    if kind == "tbp":
        message = json.loads(line)["type"]
        if message == "quit":
            if what == "stays":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                while True: time.sleep(1)
            break
        if message == "rules":
            if what == "refuse": misbehave()
            bot.stdin.write(line); bot.stdin.flush(); say(bot.stdout.readline().rstrip("\n"))
            continue
        if message != "suggest":
            bot.stdin.write(line); bot.stdin.flush()
            continue
    if turn == when and what not in ("good", "stays"):
        misbehave()
    else:
        answer()
    turn += 1
if what == "stays":
    while True: time.sleep(1)
"""

# What it does, and a part of the reason that is given.
WAYS = {"silent": "no answer within 1500 ms", "deaf": "no answer within 1500 ms", "crash": "signal 11",
        "exit": "exit code 3", "garbage": "not a ", "binary": "not a ", "empty": "not a ",
        "illegal": "illegal move", "slow": "no answer within 1500 ms", "closed": "no answer within 1500 ms",
        "longline": "bytes without an end of line"}
TIMED = ("silent", "deaf", "slow", "closed")
ONLY_LINES = {"flood": "not a placement", "object": "illegal move"}
ONLY_TBP = {"flood": "messages that were not asked for", "nothing": "no move", "object": "not a message",
            "refuse": "unsupported_rules"}


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def nobody_left(t, what):
    if "pids" not in t.files():  # it was ended before it could begin
        return
    with open(os.path.join(t.folder, "pids"), encoding="ascii") as file:
        pids = [int(line) for line in file]
    for _ in range(100):
        left = [pid for pid in pids if alive(pid)]
        if not left:
            break
        time.sleep(0.05)
    t.true(f"{what}: no process is left", pids and not left, left)
    os.remove(os.path.join(t.folder, "pids"))


def rogue(t, kind, what, when=2):
    t.write("rogue.py", ROGUE)
    return f"{kind}:exec python3 rogue.py {kind} {what} {when} {t.program}"


def check_examples(t):
    answer = t.document("simulate", "--agent", GREEDY, "--games", "2", "--max-pieces", "60", "--seed", "1", "--json",
                        "--no-times")
    t.equal("its name", answer.get("agent"), GREEDY)
    t.true("it survives", [game["pieces"] for game in answer["per_game"]] == [60, 60], answer["per_game"])
    again = t.document("simulate", "--agent", GREEDY, "--games", "2", "--max-pieces", "60", "--seed", "1", "--json",
                       "--no-times", "--threads", "3")
    t.equal("threads", again, answer)
    if not shutil.which("cc"):
        return
    done = subprocess.run(["cc", "-D_POSIX_C_SOURCE=200809L", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o",
                           os.path.join(t.folder, "lowest"), os.path.join(t.examples, "players", "lowest.c")],
                          capture_output=True, text=True, check=False)
    t.equal("lowest.c compiles", (done.returncode, done.stderr), (0, ""))
    answer = t.document("simulate", "--agent", "lines:./lowest", "--games", "1", "--max-pieces", "30", "--seed", "1",
                        "--json")
    t.true("it places pieces", answer["per_game"][0]["pieces"] > 10, answer)
    t.true("without a fault", "faults" not in answer, answer)


def check_bot(t):
    """The bot as a child plays as the bot, without a session: nothing is lost on the way."""
    bot = f"tbp:{t.program} tbp --nodes 500 --threads 1"
    games = ("--games", "2", "--max-pieces", "40", "--seed", "3", "--json", "--no-times")
    answer = t.document("simulate", "--agent", bot, *games)
    t.equal("complete games", [game["pieces"] for game in answer["per_game"]], [40, 40])
    t.equal("repeatable", t.document("simulate", "--agent", bot, *games, "--threads", "2"), answer)
    slow = bot.replace("tbp:", "tbp:sleep 2.5; exec ", 1)
    t.equal("its start may take longer than a move",
            t.document("simulate", "--agent", slow, *games)["per_game"], answer["per_game"])
    t.refuses("simulate", "--agent", bot, "--width", "8", names="10x20")
    t.refuses("simulate", "--agent", bot, "--rules", "drop", names="guideline only")


def check_names(t):
    t.refuses("simulate", "--agent", "tbp:", names="no command")
    t.refuses("simulate", "--agent", "lines: ", names="no command")
    t.refuses("simulate", "--agent", "tbp:true", names=("tbp:true", "exit code 0"))
    t.refuses("simulate", "--agent", "tbp:/nowhere/bot 2>/dev/null", names="exit code 127")
    t.refuses("simulate", "--agent", "lines?fly=1:cat", names="fly")
    t.refuses("simulate", "--agent", "lines?move-time=0:cat", names="move-time")
    t.refuses("simulate", "--agent", "lines:cat", "--weights", "dt20", names="no weights")
    t.refuses("simulate", "--agent", "lines:" + "x" * 300)
    t.refuses("simulate", "--agent", "telnet:cat", names="unknown agent")
    t.refuses("serve", "--player", "cat", names="--player")


def check_misbehaviour(t):
    for kind, ways in (("lines", WAYS | ONLY_LINES), ("tbp", WAYS | ONLY_TBP)):
        for what, reason in ways.items():
            if kind == "tbp" and what in ("deaf", "slow"):
                continue  # as for lines, and every one of them costs seconds
            # A loaded machine must not change the reason.
            limits = SHORT if what in TIMED else ("--param", "move-time=20000")
            run = t.run("simulate", "--agent", rogue(t, kind, what), "--games", "1", "--max-pieces", "20", "--seed",
                        "1", "--threads", "1", *limits, "--json", "--no-times")
            t.equal(f"{kind} {what}: exit code ({run.err.strip()[:200]})", run.code, 0)
            game = json.loads(run.out)["per_game"][0] if run.code == 0 else {}
            t.true(f"{kind} {what}", reason in game.get("fault", ""), run)
            early = what in TIMED or what == "refuse"  # those may be late from the start
            t.true(f"{kind} {what}: pieces", early or game.get("pieces") == 2, game)
            t.true(f"{kind} {what}: printable", game.get("fault", "").isprintable(), game)
            nobody_left(t, f"{kind} {what}")


def check_match(t):
    """In a match the one that misbehaves loses its games, and the other wins them."""
    for kind, ways in (("lines", WAYS | ONLY_LINES), ("tbp", WAYS | ONLY_TBP)):
        for what in (name for name in ways if name not in TIMED or name == "silent"):
            if what == "refuse":  # before the first game
                continue
            player = rogue(t, kind, what).replace(":", "?move-time=1200&grace=300:", 1)
            run = t.run("match", player, "random", "--games", "2", "--max-pieces", "20", "--seed", "1", "--json",
                        "--threads", "1", "--quiet")
            t.equal(f"match, {kind} {what}: {run.err[:200]}", run.code, 0)
            first = json.loads(run.out)["players"][0]
            t.equal(f"match, {kind} {what}: lost", (first["losses"], first["wins"]), (2, 0))
            t.equal(f"match, {kind} {what}: by faults", first["lost_by"], {"fault": 2})
            nobody_left(t, f"match, {kind} {what}")


def check_next_game(t):
    """One that crashed is started again for the next game."""
    answer = t.document("simulate", "--agent", rogue(t, "lines", "crash", 3), "--games", "3", "--max-pieces", "20",
                        "--seed", "1", "--threads", "1", "--json")
    t.equal("every game", [game["pieces"] for game in answer["per_game"]], [3, 3, 3])
    t.equal("counted", answer.get("faults"), 3)
    nobody_left(t, "crash")
    run = t.run("simulate", "--agent", rogue(t, "lines", "crash", 3), "--total-pieces", "10", "--threads", "1")
    t.true("streams end too", run.code == 0 and "lost by a fault" in run.out, run)


def check_quit(t):
    """One that ignores `quit` and the end of its input is ended."""
    for kind in ("lines", "tbp"):
        answer = t.document("simulate", "--agent", rogue(t, kind, "stays"), "--games", "1", "--max-pieces", "3",
                            "--seed", "1", "--threads", "1", "--json")
        t.true(f"{kind} stays: played", answer["per_game"][0]["pieces"] == 3, answer)
        nobody_left(t, f"{kind} stays")


def check_pause(t):
    command = rogue(t, "lines", "good").replace("lines:", "lines?pause=on:", 1)
    answer = t.document("simulate", "--agent", command, "--games", "1", "--max-pieces", "5", "--seed", "1", "--threads",
                        "1", "--json")
    t.equal("paused between its turns", answer["per_game"][0]["pieces"], 5)
    nobody_left(t, "pause")


def check_start(t):
    """`start` is for the first answer only (see WAYS for the later ones)."""
    words = ("--games", "1", "--max-pieces", "5", "--seed", "1", "--threads", "1", "--json")
    for start, fault in ((20000, None), (100, "no answer within 300 ms")):
        player = f"lines?start={start}&move-time=100&grace=100:sleep 1; exec " + GREEDY.split(":")[1]
        if fault is None:  # its later answers are not what is tested
            player = player.replace("move-time=100", "move-time=20000")
        answer = t.document("simulate", "--agent", player, *words)
        t.equal(f"start={start}", answer["per_game"][0].get("fault"), fault)


def check_signals(t):
    """Ctrl-C does not wait for a program, and the game that it interrupts is not lost."""
    if t.late_signals:
        return
    hours = ("--param", "move-time=1000000")
    silent = rogue(t, "lines", "silent").replace("lines:", "lines?move-time=1000000:", 1)
    for words in (("simulate", "--agent", "tbp:sleep 100", *hours), ("match", "tbp?start=1000000:sleep 100", "random"),
                  ("simulate", "--agent", rogue(t, "lines", "silent"), *hours, "--threads", "1"),
                  ("match", silent, "random", "--threads", "1")):
        run = t.interrupt(*words, after=1.5)
        t.equal(f"{words}: one line and 130", (run.code, run.err.count("interrupted")), (130, 1))
        t.true(f"{words}: nobody lost", "fault" not in run.out, run.out)
    nobody_left(t, "signals")


def check_watch(t):
    if not t.has_terminal:
        return
    screen = t.screen("watch", "--agent", GREEDY, "--speed", "max", "--max-pieces", "4", "--seed", "1")
    t.equal("watch", screen.finish(), 0)
    screen.close()
    screen = t.screen("watch", "--agent", rogue(t, "lines", "exit", 1), "--speed", "max", "--seed", "1")
    t.equal("watch: a fault ends the game", screen.finish(), 0)
    t.true("watch: the reason", "exit code 3" in screen.raw, screen.raw[-300:])
    screen.close()


def check_grid(t):
    t.write("grid.ini", "[experiment]\ncommand = simulate\nrepeat = 1\n\n[simulate]\n"
                        f"agent = {GREEDY}, weighted, {rogue(t, 'lines', 'crash')}\n"
                        "max-pieces = 10\ngames = 1\n")
    run = t.run("experiment", "init", "grid.ini", "--store", "sqlite:a.sqlite")
    if "built without" in run.err:
        return
    t.equal("init", (run.code, run.err), (0, ""))
    run = t.run("experiment", "run", "--store", "sqlite:a.sqlite", "--quiet")
    t.equal("run", (run.code, run.err), (0, ""))
    run = t.run("experiment", "export", "csv", "--store", "sqlite:a.sqlite")
    t.true("its result", GREEDY in run.out, run)
    run = t.run("experiment", "export", "jsonl", "--store", "sqlite:a.sqlite")
    faults = [json.loads(line)["result"].get("faults", 0) for line in run.out.splitlines()]
    t.equal("the one that crashes loses its game, the others play", sorted(faults), [0, 0, 1])
    nobody_left(t, "grid")


def ask(url, path, data=None):
    headers = {"Content-Type": "application/json", "Origin": url.rstrip("/")}
    request = urllib.request.Request(url.rstrip("/") + path, headers=headers,
                                     data=None if data is None else json.dumps(data).encode())
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"{}")


def check_server(t):
    """A visitor can choose the players of the command line, and no other command."""
    if "libmicrohttpd" in t.run("serve", "--port", "0", "--address", "192.0.2.1").err:
        return
    command = [t.program, "serve", "--port", "0", "--quiet", "--player", GREEDY]
    with subprocess.Popen(command, cwd=t.folder, env=t.environment(), stdout=subprocess.PIPE, text=True) as server:
        url = re.search(r"http://\S+", server.stdout.readline()).group()
        for agent in ("lines:touch hacked", "tbp:touch hacked", GREEDY + " ", GREEDY + ";touch hacked",
                      "lines?grace=1:touch hacked"):
            status, reply = ask(url, "/api/simulate", {"agent": agent, "games": 1, "max-pieces": 5})
            t.true(f"refused: {agent}", status == 400 and "not available here" in str(reply), (status, reply))
        status, reply = ask(url, "/api/simulate", {"agent": GREEDY, "games": 1, "max-pieces": 5, "seed": 1})
        t.equal(f"listed: {reply}", status, 200)
        for _ in range(100):
            status, state = ask(url, f"/api/simulate/{reply['id']}")
            if state.get("state") != "running":
                break
            time.sleep(0.1)
        t.true("it played", GREEDY in json.dumps(state) and '"faults"' not in json.dumps(state), state)
        server.send_signal(signal.SIGINT)
        server.wait(20)
    t.true("nothing was run", "hacked" not in t.files(), t.files())
