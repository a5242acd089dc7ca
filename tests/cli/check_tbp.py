"""tbp: whole games against a frontend with rules of its own, resets, broken input, time.

With --long the games have a thousand pieces and the broken input ten thousand lines.
"""

import json
import random
import signal
import time

from tbp_frontend import ROWS, COLUMNS, Bot, Game, Illegal, step

EMPTY = [[None] * COLUMNS] * ROWS


def sized(t, quick, full):
    return full if t.long_examples else max(5, int(quick * min(1, t.scale)))


def begin(t, *arguments, rules=None):
    """A bot that is ready."""
    bot = Bot(t, *arguments)
    info = bot.receive() or {}
    t.equal("info", [info.get("type"), info.get("name"), info.get("features")],
            ["info", "tetropt", ["randomizer", "garbage", "incoming"]])
    bot.send(dict({"type": "rules"}, **(rules or {})))
    t.equal("ready", bot.receive(), {"type": "ready"})
    return bot


def end(t, bot, what):
    t.equal(f"{what}: exit code", bot.close(), 0)


def play_game(t, what, bot, game, pieces, foreign=0.0, garbage=0.0, starts=0.0):
    """Plays on until so many pieces are placed or the game is over; returns the longest wait."""
    longest = 0
    bot.send(game.start())
    try:
        while game.pieces < pieces:
            if game.random.random() < garbage:
                rows = game.random.randint(1, 4)
                message = game.garbage(rows)
                bot.send(message if game.random.random() < 0.7 else game.start())
            elif game.random.random() < garbage:
                bot.send({"type": "incoming", "rows": game.random.randint(0, 12)})
            elif game.random.random() < starts:
                bot.send({"type": "stop"})
                bot.send(game.start())
            going, seconds = step(bot, game, game.random.random() < foreign)
            longest = max(longest, seconds)
            if not going:
                break
    except Illegal as error:
        t.true(f"{what}: piece {game.pieces + 1}", False, error)
    return longest


def check_game(t):
    """A whole game, every move checked; the bot plays it well."""
    pieces = sized(t, 100, 1000)
    bot = begin(t, "--nodes", "20000", rules={"randomizer": "seven_bag"})
    game = Game(seed=1)
    play_game(t, "game", bot, game, pieces)
    t.equal("all pieces placed", game.pieces, pieces)
    t.true("it attacks", pieces < 50 or game.attack >= 0.5 * pieces,
           f"{game.attack} lines in {pieces} pieces")
    end(t, bot, "game")


def check_timed_game(t):
    """The same by the clock, with resets in the middle; how late on a busy machine is not judged."""
    pieces, move_time = sized(t, 15, 300), 100
    bot = begin(t, "--move-time", str(move_time))
    game = Game(seed=2)
    longest = play_game(t, "timed", bot, game, pieces, starts=0.1)
    t.equal("all pieces placed", game.pieces, pieces)
    t.true("by the clock", longest < 5, f"{longest * 1000:.1f} ms")
    end(t, bot, "timed")


def check_odd_games(t):
    """Foreign moves, garbage, short and long queues, other randomizers."""
    for seed, preview, randomizer in ((3, 5, "seven_bag"), (4, 0, "uniform"), (5, 1, "seven_bag"),
                                      (6, 14, "uniform"), (7, 2, "unknown")):
        bot = begin(t, "--nodes", "2000", rules={"randomizer": randomizer})
        for i in range(10 if t.long_examples else 1):
            game = Game(seed * 100 + i, preview, randomizer)
            play_game(t, f"odd {seed} {i}", bot, game, sized(t, 16, 100), foreign=0.4,
                      garbage=0.08, starts=0.1)
            t.true("some pieces", game.pieces > 4, game.pieces)
        end(t, bot, f"odd {seed}")


def check_other_orders(t):
    """I then O gives the same boards as O then I: whichever is played, the bot goes on."""
    bot = begin(t, "--nodes", "2000")
    game = Game(seed=1, preview=1)
    game.queue, game.hold = ["I", "O"], "O"
    rows = (*["GGGGGGGGG."] * 4, "GGGGGGG.GG", *["GGGGGGGG.G"] * 2, *[".GGGGGGGGG"] * 4,
            "GGGGGG.G.G", "GGGG.G.GGG", "GGG.GGG.GG", ".G.GGGGGGG", "GGGG......")
    game.board.cells = {(x, y): "G" for y, row in enumerate(rows) for x in range(COLUMNS) if row[x] == "G"}
    for place, labels in game.legal().items():
        bot.send(game.start())
        bot.suggestion()
        bot.send({"type": "play", "move": game.some_move({place: labels})})
        bot.send({"type": "new_piece", "piece": "J"})
        answer = bot.suggestion()[0] or {}
        t.true(f"a move after {place[0]} {sorted(place[1])}", answer.get("moves"), answer)
    end(t, bot, "other orders")


def check_high_boards(t):
    """Boards up to the ceiling, full of holes, wholly full: legal moves or none."""
    bot = begin(t, "--nodes", "500")
    for seed in range(sized(t, 30, 300)):
        game = Game(seed, preview=3)
        density, top = game.random.random(), game.random.randint(0, ROWS)
        game.board.cells = {(x, y): "G" for x in range(COLUMNS) for y in range(top)
                            if game.random.random() < density}
        for y in game.board.full_rows():
            del game.board.cells[game.random.randrange(COLUMNS), y]
        game.hold = game.random.choice([None, *"IOTSZJL"])
        bot.send(game.start())
        legal = game.legal()
        answer, _ = bot.suggestion()
        try:
            if legal:
                t.true("a move", bool(answer["moves"]), game.board.to_rows())
                for move in answer["moves"]:
                    game.check(move, legal)
        except Illegal as error:
            t.true(f"high board {seed}", False, error)
    full = {"type": "start", "hold": None, "queue": list("TIO"), "combo": 0,
            "back_to_back": False, "board": [["G"] * COLUMNS] * ROWS}
    bot.send(full)
    t.equal("a full board", (bot.suggestion()[0] or {}).get("moves"), [])
    end(t, bot, "high boards")


def start(queue, **members):
    return dict({"type": "start", "hold": None, "queue": list(queue), "combo": 0,
                 "back_to_back": False, "board": EMPTY}, **members)


def types(bot):
    answer, _ = bot.suggestion()
    return {move["location"]["type"] for move in (answer or {}).get("moves", [])}


def check_messages(t):
    bot = begin(t, "--nodes", "500", rules={"randomizer": "never heard of", "more": 1})
    bot.send({"type": "rules", "randomizer": 7})
    t.equal("no rules", bot.receive(), {"type": "error", "reason": "unsupported_rules"})
    bot.send({"type": "fly", "x": 1})
    t.equal("before start", types(bot), set())
    bot.send({"type": "play", "move": {}})
    bot.send(start(""))
    t.equal("an empty queue", types(bot), set())
    bot.send({"type": "new_piece", "piece": "S"})
    t.equal("one piece", types(bot), {"S"})
    bot.send({"type": "new_piece", "piece": "Z"})
    t.equal("two pieces: hold can be used", types(bot), {"S", "Z"})
    bot.send(start("S", hold="I"))
    t.equal("one piece and hold", types(bot), {"S", "I"})
    # What cannot be is ignored: a piece that is not there, one in the air, one in the wall.
    for kind, orientation, x, y in (("O", "north", 4, 0), ("S", "north", 4, 5),
                                    ("S", "north", 0, 0), ("S", "north", 4, -1)):
        bot.send({"type": "play", "move": {"spin": "none", "location": {
            "type": kind, "orientation": orientation, "x": x, "y": y}}})
    t.equal("nothing changed", types(bot), {"S", "I"})
    # Hold is inferred: I comes out of it, S goes in; south of I is named instead of north.
    bot.send({"type": "play", "move": {"spin": "none", "location": {
        "type": "I", "orientation": "south", "x": 5, "y": 0}}})
    t.equal("no piece left", types(bot), set())
    bot.send({"type": "new_piece", "piece": "T"})
    t.equal("S is in hold", types(bot), {"T", "S"})
    bot.send({"type": "stop"})
    t.equal("stopped", types(bot), set())
    for bag in ([], ["I", "I"], ["X"], 3, None, {"I": 1}):
        bot.send(start("TSZ", randomizer={"type": "seven_bag", "bag_state": bag}))
        t.true(f"bag_state {bag}", types(bot))
    for counts in ({}, {"I": 0}, {"I": 2, "S": 1}, {"I": -1}, {"I": "x"}, []):
        bot.send(start("TSZ", randomizer={"type": "general_bag", "current_bag": counts,
                                          "filled_bag": {"I": 1}}))
        t.true(f"current_bag {counts}", types(bot))
    bot.send({"type": "start", "hold": "X", "queue": ["T"], "board": EMPTY})
    t.equal("a broken start ends the game", types(bot), set())
    bot.send({"type": "quit"})
    end(t, bot, "messages")


def check_spin(t):
    """A T-spin double in reach is taken, with its label, and the label without it is not."""
    rows = ["." * 10] * 37 + ["..#.......", "##...#####", "###.######"]
    board = [[None if cell == "." else "G" for cell in row] for row in reversed(rows)]
    bot = begin(t, "--nodes", "3000")
    bot.send(start("T", board=board))
    answer, _ = bot.suggestion()
    want = {"location": {"type": "T", "orientation": "south", "x": 3, "y": 1}, "spin": "full"}
    t.equal("spin", answer["moves"][0], want)
    info = answer.get("move_info", {})
    t.true("move_info", info.get("nodes", 0) >= 30 and info.get("depth") == 1, info)
    end(t, bot, "spin")


def mangled(rng, line):
    """A line with something broken in it."""
    text = bytearray(line)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text)) if text else 0
        choice = rng.randrange(6)
        if choice == 0:
            del text[at:at + rng.randint(1, 40)]
        elif choice == 1:
            text[at:at] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 8)))
        elif choice == 2 and text:
            text[at] = rng.randrange(256)
        elif choice == 3:
            text[at:at] = rng.choice([b"null", b"[]", b"{}", b"-1", b"1e999", b'"', b"\\u0000",
                                      b"[" * 50, b'"type":"start",', b"true", b"99999999999"])
        elif choice == 4:
            text = text[:at]
        elif choice == 5 and len(text) > 3:
            a, b = sorted(rng.sample(range(len(text)), 2))
            text[a:a] = text[a:b]
    return bytes(text).replace(b"\n", b" ")


def check_broken_input(t):
    """Thousands of broken lines: it stays alive, and answers right in between."""
    rng = random.Random(7)
    bot = begin(t, "--nodes", "100")
    game = Game(seed=9)
    lines, asked = sized(t, 2000, 10000), 0
    seeds = [game.start(), start("TSZ"), {"type": "suggest"}, {"type": "stop"},
             {"type": "new_piece", "piece": "T"}, {"type": "rules", "randomizer": "uniform"},
             {"type": "play", "move": {"location": {"type": "T", "orientation": "north", "x": 4,
                                                    "y": 0}, "spin": "none"}}]
    seeds = [json.dumps(seed).encode() for seed in seeds]
    for i in range(lines):
        broken = mangled(rng, rng.choice(seeds))
        # A line that is valid all the same may be answered, or end the program.
        if b"quit" not in broken:
            bot.send(broken)
        if i % 100 != 99:
            continue
        marker = list(rng.choices("IOTSZJL", k=3))
        bot.send(start(marker, hold="T"))
        bot.send({"type": "suggest"})
        bot.send({"type": "rules", "randomizer": 5})  # its answer marks the end of the others
        answers = []
        while not answers or (answers[-1] or {}).get("type") != "error":
            answers.append(bot.receive())
            if answers[-1] is None:
                break
        asked += 1
        good = len(answers) > 1 and answers[-1] and answers[-2].get("moves")
        if not good:
            t.true(f"answers after line {i}", False, answers[-2:])
            break
    t.true("asked", asked >= 1 or lines < 100, asked)
    bot.send(b"x" * (3 << 20))
    bot.send(start("TSZ"))
    t.true("a line of three megabytes", types(bot))
    end(t, bot, "broken input")


def check_repeatable(t):
    """With --nodes the same input gives the same output, on any number of threads."""
    game = Game(seed=11)
    lines = [{"type": "rules"}]
    for _ in range(4):
        lines += [game.start(), {"type": "suggest"}]
        game.play(game.some_move(game.legal()))
        game.fill_queue()
    text = "".join(json.dumps(line) + "\n" for line in lines)
    runs = [t.run("tbp", "--nodes", "5000", "--threads", threads, stdin=text)
            for threads in ("1", "1", "2", "3")]
    t.true("suggestions", runs[0].out.count('"suggestion"') == 4, runs[0])
    for run in runs[1:]:
        t.equal("the same", run.out, runs[0].out)
    other = t.run("tbp", "--nodes", "5000", "--param", "hole=500", "--param", "height=300",
                  stdin=text)
    t.true("weights matter", other.out != runs[0].out, other)


def check_thinks_between(t):
    """It thinks while it waits, answers at once then, and keeps what it learned."""
    bot = begin(t, "--move-time", "800", "--threads", "1")
    game = Game(seed=12)
    bot.send(game.start())
    time.sleep(0.9)
    first, seconds = bot.suggestion()
    t.true("at once", seconds < 5, f"{seconds} s")
    t.true("nodes", first["move_info"]["nodes"] > 1000, first["move_info"])
    move = first["moves"][0]
    game.play(move)
    bot.send({"type": "play", "move": move})
    time.sleep(0.7)
    after, seconds = bot.suggestion()
    t.true("at once again", seconds < 5, f"{seconds} s")
    t.true("the line goes on", after["move_info"]["depth"] >= first["move_info"]["depth"] - 1,
           (first["move_info"], after["move_info"]))
    end(t, bot, "between")


def check_ends(t):
    t.equal("no input", t.run("tbp").code, 0)
    run = t.run("tbp", stdin='{"type":"quit"}\n{"type":"suggest"}\n')
    t.true("quit", run.code == 0 and run.out.count("\n") == 1 and run.err == "", run)
    run = t.run("tbp", "--nodes", "10", stdin='{"type":"suggest"}')
    t.true("no end of line", run.out.count("\n") == 2, run)
    run = t.run("tbp", stdin="nonsense\n[1]\n{}\n")
    t.true("remarks", run.code == 0 and run.err.count("tetropt: line ") == 3, run)
    run = t.run("tbp", "--quiet", stdin="nonsense\n")
    t.equal("--quiet", run.err, "")
    run = t.run("tbp", stdin="nonsense\n" * 5000)
    t.true("remarks end", run.code == 0 and run.err.count("\n") == 101, run.err[-200:])
    t.equal("Ctrl-C", t.interrupt("tbp").code, 130)
    bot = begin(t, "--move-time", "100")
    bot.send(start("TSZIOL"))
    time.sleep(0.2)
    bot.process.send_signal(signal.SIGTERM)
    t.equal("SIGTERM", bot.process.wait(20), 130)
    bot.process.stdin.close()
    bot.process.stdout.close()
    t.fails(3, t.shell("tetropt tbp </dev/null >/dev/full"), "standard output")


def check_bad_options(t):
    t.refuses("tbp", "word", names="word")
    t.refuses("tbp", "--param", "nothing=1", names=("bot", "nothing"))
    t.refuses("tbp", "--param", "hole=x", names=("bot", "hole"))
