"""A frontend of the Tetris Bot Protocol with rules of its own: those of tests/oracle.

It keeps the whole game by itself (board, hold, queue, combo, back-to-back), checks that every move
which is suggested can be made, with the spin that it names, and shares no code with the program.

    tbp_frontend.py --tetropt PATH [--pieces N] [--preview N] [--seed S] [OPTION OF tbp...]

plays one game and prints how it went.
"""

import argparse
import json
import os
import random
import select
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import harness  # noqa: E402
import oracle  # noqa: E402

ROWS, COLUMNS = 40, 10
ANSWER_SECONDS = 60

ATTACK = {"none": (0, 0, 1, 2, 4), "full": (0, 2, 4, 6), "mini": (0, 0, 1)}
COMBO_ATTACK = (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5)


class Illegal(Exception):
    """A move that cannot be made; the text says why."""


class Bot:
    """The program as a frontend sees it."""

    def __init__(self, t, *arguments):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [t.program, "tbp", *arguments], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL,
            cwd=t.folder, env=t.environment())
        self.buffer = b""

    def send(self, message):
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def line(self):
        """The next line, or None when none comes."""
        end = time.monotonic() + ANSWER_SECONDS
        while b"\n" not in self.buffer:
            ready = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]
            data = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not data:
                return None
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def receive(self):
        line = self.line()
        return json.loads(line) if line else None

    def suggestion(self):
        """The answer to `suggest`, and how many seconds it took."""
        started = time.monotonic()
        self.send({"type": "suggest"})
        answer = self.receive()
        return answer, time.monotonic() - started

    def close(self):
        """Ends the input and waits; the exit code."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            code = self.process.wait(ANSWER_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = "timeout"
        self.process.stdout.close()
        return code


class Game:
    """One game by the rules of the oracle, seen as a frontend sees it."""

    def __init__(self, seed, preview=5, randomizer="seven_bag"):
        self.random = random.Random(seed)
        self.randomizer = randomizer
        self.preview = preview
        self.board = oracle.Board(COLUMNS, ROWS - oracle.HIDDEN_ROWS)
        self.bag, self.queue, self.hold = [], [], None
        self.combo, self.back_to_back = 0, False
        self.pieces = self.attack = 0
        self.fill_queue()

    def draw(self):
        if self.randomizer != "seven_bag":
            return self.random.choice(oracle.PIECES)
        if not self.bag:
            self.bag = list(oracle.PIECES)
        return self.bag.pop(self.random.randrange(len(self.bag)))

    def fill_queue(self):
        """Draws until the queue is as long as the preview; what was drawn."""
        drawn = []
        while len(self.queue) < self.preview + 1:
            drawn.append(self.draw())
            self.queue.append(drawn[-1])
        return drawn

    def start(self):
        """The message that tells all of it."""
        message = {
            "type": "start", "hold": self.hold, "queue": self.queue, "combo": self.combo,
            "back_to_back": self.back_to_back,
            "board": [[self.board.cells.get((x, y)) for x in range(COLUMNS)] for y in range(ROWS)],
        }
        if self.randomizer == "seven_bag":
            message["randomizer"] = {"type": "seven_bag",
                                     "bag_state": self.bag or list(oracle.PIECES)}
        return message

    def offers(self):
        """The pieces that can be placed now."""
        if not self.queue or not oracle.position_fits(self.board, self.queue[0],
                                                      oracle.spawn(self.board)):
            return []
        held = self.hold or (self.queue[1] if len(self.queue) > 1 else None)
        return [self.queue[0]] + ([held] if held and held != self.queue[0] else [])

    def legal(self):
        """{(piece, cells): labels} of all that can be made and does not end the game."""
        return {
            (piece, cells): labels
            for piece in self.offers()
            for cells, labels in oracle.reach_spins(self.board, piece).items()
            if min(y for _, y in cells) < self.board.height
        }

    @staticmethod
    def key(move):
        """What a move of a message fills: (piece, cells)."""
        location = move["location"]
        position = (oracle.ROTATIONS.index(location["orientation"]), location["x"], location["y"])
        cells = frozenset(oracle.piece_cells(location["type"], position))
        return location["type"], cells

    def check(self, move, legal):
        piece, cells = self.key(move)
        if (piece, cells) not in legal:
            raise Illegal(f"{move} cannot be reached; queue {self.queue}, hold {self.hold}, board "
                          f"{self.board.to_rows()}")
        if move["spin"] not in legal[piece, cells]:
            raise Illegal(f"{move}: labels {legal[piece, cells]}, board {self.board.to_rows()}")

    def some_move(self, legal):
        """Any legal move, named by any of the states that fill its cells."""
        (piece, cells), labels = self.random.choice(sorted(
            legal.items(), key=lambda item: (item[0][0], sorted(item[0][1]))))
        names = [
            (rotation, x, y)
            for rotation in range(4) for x in range(-2, COLUMNS + 2) for y in range(-2, ROWS)
            if frozenset(oracle.piece_cells(piece, (rotation, x, y))) == cells
        ]
        rotation, x, y = self.random.choice(names)
        return {"location": {"type": piece, "orientation": oracle.ROTATIONS[rotation], "x": x,
                             "y": y}, "spin": self.random.choice(sorted(labels))}

    def play(self, move):
        """Makes a move that was checked."""
        piece, cells = self.key(move)
        if piece != self.queue[0]:
            current = self.queue.pop(0)
            if self.hold is None:
                self.queue.pop(0)
            self.hold = current
        else:
            self.queue.pop(0)
        rows = self.board.lock(cells, piece)
        self.pieces += 1
        if rows == 0:
            self.combo = 0
            return
        difficult = rows == 4 or move["spin"] != "none"
        table = ATTACK[move["spin"]]
        self.attack += table[min(rows, len(table) - 1)]
        self.attack += 1 if difficult and self.back_to_back else 0
        self.attack += COMBO_ATTACK[min(self.combo, len(COMBO_ATTACK) - 1)]
        self.attack += 0 if self.board.cells else 10
        self.combo, self.back_to_back = self.combo + 1, difficult

    def garbage(self, rows):
        """Rows with one hole rise from below; what leaves at the top is lost. The message about it, or a new start."""
        fits = all(y + rows < ROWS for _, y in self.board.cells)
        hole = self.random.randrange(COLUMNS)
        cells = {(x, y + rows): letter for (x, y), letter in self.board.cells.items()
                 if y + rows < ROWS}
        for y in range(rows):
            if self.random.random() < 0.3:
                hole = self.random.randrange(COLUMNS)
            cells.update({(x, y): "G" for x in range(COLUMNS) if x != hole})
        self.board.cells = cells
        added = [[cells.get((x, y)) for x in range(COLUMNS)] for y in reversed(range(rows))]
        return {"type": "garbage", "rows": added} if fits else self.start()


def step(bot, game, foreign=False):
    """One turn. True while the game goes on; Illegal when a move is wrong."""
    legal = game.legal()
    answer, seconds = bot.suggestion()
    if not answer or answer.get("type") != "suggestion":
        raise Illegal(f"{answer} is no suggestion")
    if not legal:
        return False, seconds
    if not answer["moves"]:
        raise Illegal(f"gives up; board {game.board.to_rows()}, queue {game.queue}")
    for move in answer["moves"]:
        game.check(move, legal)
    move = game.some_move(legal) if foreign else answer["moves"][0]
    game.play(move)
    bot.send({"type": "play", "move": move})
    for piece in game.fill_queue():
        bot.send({"type": "new_piece", "piece": piece})
    return True, seconds


def main():
    parser = argparse.ArgumentParser(description="A game of the bot, every move checked.")
    parser.add_argument("--tetropt", required=True, metavar="PATH", help="the program")
    parser.add_argument("--pieces", type=int, default=1000, metavar="N")
    parser.add_argument("--preview", type=int, default=5, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--wait", type=float, default=0, metavar="SECONDS",
                        help="before every question, as a frontend that shows the game does")
    options, others = parser.parse_known_args()
    t = harness.Harness(options.tetropt, "examples", False)
    t.folder = "."
    bot, game = Bot(t, *others), Game(options.seed, options.preview)
    bot.receive()
    bot.send({"type": "rules", "randomizer": "seven_bag"})
    bot.receive()
    bot.send(game.start())
    longest, waits = 0, 0
    try:
        while game.pieces < options.pieces:
            time.sleep(options.wait)
            going, seconds = step(bot, game)
            longest, waits = max(longest, seconds), waits + seconds
            if not going:
                break
    except Illegal as error:
        print(f"piece {game.pieces + 1}: {error}")
        return 1
    code = bot.close()
    print(f"{game.pieces} pieces, every move legal; {game.attack} lines sent, "
          f"{game.attack / max(1, game.pieces):.3f} a piece; answers after "
          f"{waits * 1000 / max(1, game.pieces):.1f} ms, at most {longest * 1000:.1f} ms")
    return 0 if code == 0 and game.pieces == options.pieces else 1


if __name__ == "__main__":
    sys.exit(main())
