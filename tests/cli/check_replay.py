"""replay: checking and converting; boards given as fumen."""

import json
import os
import struct
from random import Random

GAME = "examples/replay.json"
FUMEN = "v115@vhCVQJZkBDtB"


def read(t, name):
    with open(os.path.join(t.folder, name), encoding="utf-8") as file:
        return file.read()


def check_show(t):
    run = t.run("replay", GAME)
    t.equal("exit", (run.code, run.err), (0, ""))
    for part in ("10: L west x=8", " <", "hold", "10 pieces placed, 4 lines cleared",
                 "every move follows the rules"):
        t.true(part, part in run.out, run)
    t.true("no colour into a pipe", "\x1b" not in run.out, run)
    t.true("colour when asked", "\x1b[" in t.run("replay", GAME, "--color", "always").out)
    final = t.run("replay", GAME, "--final")
    t.true("--final", "1: " not in final.out and "end" in final.out, final)
    answer = t.document("replay", GAME, "--json")
    t.equal("summary", [answer.get(name) for name in ("follows_rules", "pieces", "lines", "board")],
            [True, 10, 4, []])
    t.equal("standard input", t.run("replay", stdin=read(t, GAME)).out, run.out)


def check_title(t):
    """A title from a file cannot command the terminal."""
    game = json.loads(read(t, GAME))
    game["title"] = "a\x1b[31m b\x9b31m c\x85d \u00e9\u4e2d"
    path = t.write("title.json", json.dumps(game))
    first = t.run("replay", path).out.split("\n")[0]
    t.equal("controls are marked, letters kept", first, "a?[31m b?31m c?d \u00e9\u4e2d")


def check_convert(t):
    replay = t.run("replay", GAME, "--to", "json")
    t.equal("a complete replay is written as it was read", replay.out, read(t, GAME))
    fumen = t.run("replay", GAME, "--to", "fumen").out.strip()
    t.true("fumen", fumen.startswith("v115@"), fumen)
    back = t.run("replay", fumen, "--to", "json")
    moves = [[(move["piece"], move["x"], move["y"], move["rotation"]) for move in
              json.loads(run.out)["moves"]] for run in (replay, back)]
    t.equal("there and back", moves[1], moves[0])
    t.equal("and again", t.run("replay", "-", "--to", "fumen", stdin=fumen).out.strip(), fumen)
    for name, magic in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"),
                        ("a.json", b"{"), ("a.fumen", b"v115@"), ("a.txt", b"tetropt solve")):
        run = t.run("replay", GAME, "--out", name)
        t.equal(f"--out {name}", (run.code, run.out, run.err), (0, "", ""))
        with open(os.path.join(t.folder, name), "rb") as file:
            t.equal(name, file.read(len(magic)), magic)
    run = t.run("replay", GAME, "--to", "animated-svg")
    t.true("animated", run.out.startswith("<svg") and "<animate" in run.out, run.code)


def change(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


def check_refused(t):
    text = read(t, GAME)
    for old, new, names in [
        ('"keys":["drop"]', '"keys":["left","drop"]', ("moves[", "the keys lead elsewhere")),
        ('"hold","drop"', '"drop"', ("moves[", "current piece is")),
        ('"hold":true', '"hold":false', ("hold cannot be used",)),
        ('"score":6', '"score":7', ("result.score", "7 is written, 6 comes out")),
        ('"over":"no"', '"over":"lock-out"', ("result.over",)),
        ('"version":1', '"version":2', ("version",)),
        ('"set":"guideline"', '"set":"none"', ("rules", "set")),
        ('"board":[]', '"board":["..."]', ("board[0]",)),
        ('"moves":[', '"moves":[{},', ("moves[0]", "piece")),
    ]:
        t.refuses("replay", stdin=change(text, old, new), names=("standard input", *names))
    t.refuses("replay", stdin="{", names="JSON")
    t.refuses("replay", stdin="", names="neither")
    t.refuses("replay", "nowhere.json", names="nowhere.json")
    t.refuses("replay", "v115@v", names=("fumen", "too early"))
    t.refuses("replay", "v115@vhAVKJ", names=("fumen", "moves[0]", "cannot be reached"))
    t.refuses("replay", GAME, "--json", "--to", "json", names="--json")
    t.refuses("replay", GAME, "--out", "nowhere/a.svg", names="nowhere")


def check_fumen_boards(t):
    empty = t.document("perft", "--pieces", "T", "--json", "--fumen", "v115@vhAAgH")
    t.equal("the empty board", empty["nodes"], [34])
    rows = "GGGGGG.GGG\nLLTTSS.OOI"
    given = t.document("perft", "--pieces", "TI", "--board", "-", "--json", stdin=rows)
    field = "v115@RhF8AeC8hlxwR4AeRpwhA8IeAgH"
    fumen = t.document("perft", "--pieces", "TI", "--fumen", field, "--json")
    t.equal("the same board", fumen["nodes"], given["nodes"])
    t.true("not the empty one", fumen["nodes"] != empty["nodes"], fumen)
    answer = t.document("replay", field, "--json")
    t.equal("a board is a game of no moves", answer["board"], rows.split("\n"))
    t.refuses("perft", "--fumen", "v115@!", names=("--fumen", "'!'"))
    t.refuses("perft", "--fumen", "v115@vhAAgH", "--width", "9", names=("--fumen", "10 columns"))
    t.refuses("perft", "--fumen", "v115@vhAAgH", "--board", "examples/cave.txt", names="--fumen")


HISTORY = ("replay", "examples/history.txt", "--pieces", "examples/history.csv")


def check_history(t):
    """A move history of the published colony: five O fill two rows, then T and L lie on the floor."""
    found = t.document(*HISTORY, "--json")
    t.equal("history", (found["pieces"], found["lines"], found["follows_rules"]), (7, 2, True))
    t.equal("its board", found["board"][-2:], [".T.......L", "TTT....LLL"])
    t.run(*HISTORY, "--to", "json", "--out", "game.json")
    t.equal("as a replay", t.document("replay", "game.json", "--json")["board"], found["board"])
    t.write("words.txt", "GIR IZQ IZQ " + "CAE " * 20 + "FIJ DER")
    t.write("one.csv", "I\n")
    found = t.document("replay", "words.txt", "--pieces", "one.csv", "--json")
    t.equal("an upright I", [row[3] for row in found["board"][-4:]], ["I"] * 4)
    t.refuses("replay", "examples/history.txt", names="requires --pieces")
    t.refuses("replay", "examples/replay.json", "--pieces", "one.csv", names="--pieces")
    t.write("two.csv", "Sq,Sq\n")
    t.refuses("replay", "examples/history.txt", "--pieces", "two.csv", names="more moves")
    for text, names in [("GIR FLY FIJ", "piece 1: an unknown move"), ("CAE FIJ", "does not rest"),
                        ("CAE CAE", "no piece locks"), ("FLY", "requires a move history")]:
        t.write("bad.txt", text)
        t.refuses("replay", "bad.txt", "--pieces", "one.csv", names=("bad.txt", names))


def check_history_of_other_rules(t):
    """Where other centres of rotation bring a piece to a place that ours do not reach, the game is
    shown but not written."""
    words = ("replay", "game.txt", "--pieces", "game.csv")
    for seed in range(1, 100):
        random, moves = Random(seed), []
        for _ in range(10):
            moves += random.choices(["GIR", "IZQ", "DER", "CAE"], k=60) + ["CAE"] * 20
            moves += random.choices(["GIR", "IZQ", "DER", "CAE"], weights=[3, 2, 2, 1], k=20)
            moves += ["CAE"] * 20 + ["FIJ"]
        t.write("game.txt", " ".join(moves))
        t.write("game.csv", ",".join(random.choices(["LG", "RG"], k=10)))
        run = t.run(*words, "--json")
        if run.code == 0 and not json.loads(run.out)["follows_rules"]:
            break
    t.equal("a game by other rules", run.code, 0)
    t.true("said so", "only by the rules of the published program" in t.run(*words).out)
    t.refuses(*words, "--to", "json", names="rules of another program")


def gif_frames(data):
    """Decodes a GIF completely: its pictures, as rows of colours, with their times."""
    width, height = struct.unpack("<HH", data[6:10])
    colors = 2 << (data[10] & 7)
    at = 13 + 3 * colors
    screen, delay, frames = [[0] * width for _ in range(height)], 0, []
    while data[at] != 0x3b:
        image = data[at] == 0x2c
        if not image:
            if data[at + 1] == 0xf9:
                delay = struct.unpack("<H", data[at + 4:at + 6])[0]
            at += 2
        else:
            left, top, wide, high = struct.unpack("<HHHH", data[at + 1:at + 9])
            bits, at = data[at + 10], at + 11
        packed = b""
        while data[at]:
            packed += data[at + 1:at + 1 + data[at]]
            at += data[at] + 1
        at += 1
        if image:
            pixels = unpack(packed, bits)
            assert len(pixels) == wide * high, (len(pixels), wide, high)
            for y in range(high):
                screen[top + y][left:left + wide] = pixels[y * wide:(y + 1) * wide]
            frames.append(([bytes(row) for row in screen], delay))
    return frames


def unpack(packed, bits):
    """LZW as the specification has it."""
    clear, stop = 1 << bits, (1 << bits) + 1
    table, size, before, out = {}, bits + 1, None, []
    stream, have = int.from_bytes(packed, "little"), 0
    while True:
        code = stream >> have & ((1 << size) - 1)
        have += size
        if code == clear:
            table = {i: [i] for i in range(clear)} | {clear: None, stop: None}
            size, before = bits + 1, None
            continue
        if code == stop:
            return out
        entry = table[code] if code in table else before + before[:1]
        out += entry
        if before is not None and len(table) < 4096:
            table[len(table)] = before + entry[:1]
            if len(table) == 1 << size and size < 12:
                size += 1
        before = entry


def check_gif(t):
    run = t.run("replay", "examples/replay.json", "--out", "game.gif", "--seconds", "0.5")
    t.equal("written", (run.code, run.err), (0, ""))
    with open(os.path.join(t.folder, "game.gif"), "rb") as file:
        data = file.read()
    frames = gif_frames(data)
    pieces = t.document("replay", "examples/replay.json", "--json")["pieces"]
    t.true("several pictures per piece", len(frames) > 3 * pieces, len(frames))
    t.equal("its length", sum(delay for _, delay in frames), 50 * pieces + 250)
    t.true("something moves", all(a[0] != b[0] for a, b in zip(frames, frames[1:])))
    t.true("small", len(data) < 200000, len(data))
    t.equal("repeatable", t.run("replay", "examples/replay.json", "--out", "again.gif", "--seconds",
                                "0.5").code, 0)
    with open(os.path.join(t.folder, "again.gif"), "rb") as file:
        t.equal("the same bytes", file.read(), data)


def check_video(t):
    """WebP and MP4 by ffmpeg; here a program of that name that keeps what it is given."""
    for name in ("game.mp4", "game.webp"):
        run = t.shell(f"PATH=/nowhere {t.program} replay examples/replay.json --out {name}")
        t.fails(2, run, "ffmpeg", "gif", what=f"{name} without ffmpeg")
    os.mkdir(os.path.join(t.folder, "bin"))
    t.write("bin/ffmpeg", "#!/bin/sh\nfor last; do :; done\ncat > \"$last\"\nexit $CODE\n")
    os.chmod(os.path.join(t.folder, "bin", "ffmpeg"), 0o755)
    line = f'CODE=%d PATH="$PWD/bin:$PATH" {t.program} replay examples/replay.json --out game.mp4'
    t.equal("converted", t.shell(line % 0).code, 0)
    with open(os.path.join(t.folder, "game.mp4"), "rb") as file:
        t.equal("from the GIF", file.read(6), b"GIF89a")
    t.fails(3, t.shell(line % 1), "game.mp4", "ffmpeg failed", what="a failure")
    t.equal("nothing is left", [name for name in t.files() if "tmp" in name], [])
    t.refuses("replay", "examples/replay.json", "--to", "mp4", names=("--to", "--out"))
