#!/usr/bin/env python3
"""Reference implementation of the rules of tetropt: slow, plain, independent.

What it is for: an answer to compare the C program with.  It was written from
the specification alone (docs/RULES.md and docs/FORMATS.md tell what it says),
without a look at the C code, and it works cell by cell: a board
is a dictionary {(x, y): letter}, a piece is a list of cells, and there is no
bit trick anywhere.  Where the two programs differ, one of them misreads the
specification.  Only the standard library is used.

Here are games over a list of pieces and the documents of `eval`; rules.py has the
tables, boards and moves, reach.py what can be reached, judgement.py what a board
is worth.  Whoever compares finds all of it under this name.

Invariant: between turns a board holds no full row and no cell outside
0 <= x < width, 0 <= y < height + 20.

Points on which the specification is silent, and what holds here
----------------------------------------------------------------
 1. A turn: the next piece appears (block-out check at its spawn) and only then
    may `swap` be applied; the piece that comes out of hold appears too, and is
    checked again.  The exchange itself has happened when that check fails, so
    the piece that was in hand is the one reported in hold.
 2. Blocked cells: left and right wall, floor, everything at y >= height + 20.
 3. The no-ops of genes processed before a lock-out in the dying turn are
    counted.  When the game stops, pieces not placed = placements - placed.
 4. A given board has at most height + 20 rows and no full row; the heuristics
    look at all rows, the hidden ones too.
 5. When the queue is exhausted and hold is empty before n placements are made
    the game stops too (the rest is not placed), topped_out false.
 6. clearable_lines: for every column x with h[x]+3 < height, how many of the
    rows h[x]..h[x]+3 are full but for column x; the best column.
 7. eval with encoding `placements`: hold=true uses hold before placing; the
    piece must match; the placement must be reachable by guideline moves (left,
    right, clockwise, counter-clockwise, soft drop) and at rest (it cannot move
    down).  noops = 0.
 8. clears: locks that removed 1, 2, 3, 4 rows; score by the `unit` table.
 9. Board output: top row first, without the empty rows on top (an empty board
    gives an empty list), piece letters for placed cells, "G" for cells given as
    G or '#'; given letters keep their letter.

Decided here, beyond that
-------------------------
10. In 7 "reachable" means the cells: a move named by a rotation that no path
    ends in is fine if another rotation with the same cells is reachable.
11. In 7 hold=true with nothing to swap with does nothing, as the gene does.
12. In 7, moves after the end of the game are not looked at; a block-out comes
    before the check that the piece matches.
13. pit: "a wall counts as filled" is read with 2, so a column that reaches the
    very top (h[x] = height + 20) has filled neighbours there.
14. perft with hold: the queue is seen as a whole (hold may bring a piece beyond
    the first d).  By 1, a current piece whose spawn is blocked ends the turn;
    `blocked_current_ends_turn=False` is the other reading (the held piece is
    offered all the same).
15. Features of a drop placement that ends the game (a cell at y >= height):
    rows are removed all the same; row_transitions counts the rows below
    `height` only, the other features see every cell.
"""

import json
import sys

from rules import (
    Board, EAST, HEIGHT_DEFAULT, HEIGHT_MAX, HEIGHT_MIN, HIDDEN_ROWS, InputError, KICKS, NORTH,
    PIECES, PIECES_MAX, ROTATIONS, SOUTH, UNIT_SCORE, WEST, WIDTH_DEFAULT, WIDTH_MAX, WIDTH_MIN,
    piece_cells, position_fits, rest, rotate, shift, spawn,
)
from reach import explore, fewest_keys, perft, reach, reach_spins, resting_positions
from judgement import clearable_lines, drop_features, drop_placements, fitness, heuristics, wells

# ---------------------------------------------------------------------------
# Offline: a game over a known list of pieces
# ---------------------------------------------------------------------------

# The genes of a piece in the order they are written.
ENCODINGS = {
    "simple": ("move1", "rot1"),
    "double": ("move1", "rot1", "move2", "rot2"),
    "swap-simple": ("swap", "move1", "rot1"),
    "swap-double": ("swap", "move1", "rot1", "move2", "rot2"),
}


def gene_range(gene, width):
    """(lowest, highest) value of a gene."""
    if gene == "swap":
        return (0, 1)
    if gene == "move1":
        return (-(width // 2), width // 2)
    if gene == "move2":
        return (-(width - 1), width - 1)
    return (0, 3)


class Game:
    """One play of a piece list.  A turn is begin_turn(), perhaps use_hold(),
    then moves of `position`, then lock().  When `stopped` the game is over
    (`topped_out`, `over` says by what) and nothing more may be done."""

    def __init__(self, board, pieces, turn_first=False):
        self.turn_first = turn_first
        self.board = board.copy()
        self.queue = list(pieces)
        self.held = None
        self.current = None
        self.position = None
        self.noops = 0
        self.placed = 0
        self.clears = [0, 0, 0, 0]
        self.stopped = False
        self.over = None  # "block-out" or "lock-out"

    def copy(self):
        other = Game(self.board, self.queue, self.turn_first)
        other.held, other.current = self.held, self.current
        other.position, other.noops = self.position, self.noops
        other.placed, other.clears = self.placed, list(self.clears)
        other.stopped, other.over = self.stopped, self.over
        return other

    @property
    def topped_out(self):
        return self.over is not None

    @property
    def lines(self):
        return sum(rows * count for rows, count in enumerate(self.clears, start=1))

    @property
    def score(self):
        return sum(
            UNIT_SCORE[rows] * count for rows, count in enumerate(self.clears, start=1)
        )

    def appear(self, piece):
        """The piece starts at the spawn; block-out if a cell there is taken."""
        self.current = piece
        self.position = spawn(self.board)
        if not position_fits(self.board, piece, self.position):
            self.stopped = True
            self.over = "block-out"

    def begin_turn(self):
        """The next piece of the queue, or the held one when there is none."""
        if self.queue:
            self.appear(self.queue.pop(0))
        elif self.held is not None:
            piece, self.held = self.held, None
            self.appear(piece)
        else:
            self.stopped = True

    def can_hold(self):
        """Whether there is something to swap the piece in hand with."""
        return self.held is not None or bool(self.queue)

    def use_hold(self):
        """Swaps; when there is nothing to swap with, nothing happens."""
        if not self.can_hold():
            return
        comes = self.held if self.held is not None else self.queue.pop(0)
        self.held = self.current
        self.appear(comes)

    def repeat(self, count, step):
        """Makes `count` steps one by one.  The first that fails makes itself
        and all the rest no-ops."""
        for done in range(count):
            moved = step(self.position)
            if moved is None:
                self.noops += count - done
                return
            self.position = moved

    def move(self, steps):
        """The gene move1 or move2: negative goes left."""
        direction = -1 if steps < 0 else 1
        self.repeat(
            abs(steps),
            lambda at: shift(self.board, self.current, at, direction, 0),
        )

    def turn_clockwise(self, quarters):
        """The gene rot1 or rot2."""
        self.repeat(quarters, lambda at: rotate(self.board, self.current, at, 1))

    def steer(self, steps, quarters):
        """A move and a turn, in the order of the document."""
        if self.turn_first:
            self.turn_clockwise(quarters)
        self.move(steps)
        if not self.turn_first:
            self.turn_clockwise(quarters)

    def drop(self):
        """Down to the rest; the piece may still move."""
        self.position = rest(self.board, self.current, self.position)

    def lock(self):
        """Falls to the rest and locks; lock-out if every cell is too high."""
        self.drop()
        cells = piece_cells(self.current, self.position)
        if all(y >= self.board.height for _, y in cells):
            self.stopped = True
            self.over = "lock-out"
            return
        rows = self.board.lock(cells, self.current)
        if rows:
            self.clears[rows - 1] += 1
        self.placed += 1

    def play_genes(self, encoding, values):
        """One turn by the genes of one piece."""
        genes = dict(zip(ENCODINGS[encoding], values))
        self.begin_turn()
        if self.stopped:
            return
        if genes.get("swap") == 1:
            self.use_hold()
            if self.stopped:
                return
        self.steer(genes["move1"], genes["rot1"])
        if "move2" in genes:
            self.drop()
            self.steer(genes["move2"], genes["rot2"])
        self.lock()

    def play_move(self, move, where):
        """One turn by a placement; InputError if it cannot be made."""
        self.begin_turn()
        if self.stopped:
            return
        if move["hold"]:
            self.use_hold()
            if self.stopped:
                return
        if move["piece"] != self.current:
            raise InputError(f"{where}: {move['piece']}, but {self.current} is in hand")
        position = (ROTATIONS.index(move["rotation"]), move["x"], move["y"])
        cells = frozenset(piece_cells(self.current, position))
        if cells not in reach(self.board, self.current):
            raise InputError(f"{where}: cannot be reached")
        self.position = position
        self.lock()


# ---------------------------------------------------------------------------
# eval: a document in, a document out
# ---------------------------------------------------------------------------

def _is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _integer(document, key, low, high, default):
    value = document.get(key, default)
    if not _is_integer(value) or not low <= value <= high:
        raise InputError(f"{key}: not an integer from {low} to {high}")
    return value


def _check_genes(genes, encoding, placements, width):
    if not isinstance(genes, list) or len(genes) != placements:
        raise InputError(f"genes: not {placements} entries")
    names = ENCODINGS[encoding]
    for index, values in enumerate(genes):
        if not isinstance(values, list) or len(values) != len(names):
            raise InputError(f"genes[{index}]: not {len(names)} genes")
        for place, (name, value) in enumerate(zip(names, values)):
            low, high = gene_range(name, width)
            if not _is_integer(value) or not low <= value <= high:
                raise InputError(f"genes[{index}][{place}]: not {low}..{high}")


def _check_moves(moves, placements):
    if not isinstance(moves, list) or len(moves) != placements:
        raise InputError(f"moves: not {placements} entries")
    for index, move in enumerate(moves):
        good = (
            isinstance(move, dict)
            and isinstance(move.get("piece"), str)
            and len(move["piece"]) == 1
            and move["piece"] in PIECES
            and move.get("rotation") in ROTATIONS
            and _is_integer(move.get("x"))
            and _is_integer(move.get("y"))
            and isinstance(move.get("hold", False), bool)
        )
        if not good:
            raise InputError(f"moves[{index}]: not a move")


def _play(document):
    """Checks an eval input and plays it; (the game, the placements asked for)."""
    if not isinstance(document, dict):
        raise InputError("not an object")
    pieces = document.get("pieces")
    if not isinstance(pieces, str) or not 1 <= len(pieces) <= PIECES_MAX:
        raise InputError(f"pieces: not 1 to {PIECES_MAX} letters")
    for index, letter in enumerate(pieces):
        if letter not in PIECES:
            raise InputError(f"pieces[{index}]: {letter!r}")
    width = _integer(document, "width", WIDTH_MIN, WIDTH_MAX, WIDTH_DEFAULT)
    height = _integer(document, "height", HEIGHT_MIN, HEIGHT_MAX, HEIGHT_DEFAULT)
    placements = _integer(document, "placements", 1, PIECES_MAX, len(pieces))
    rows = document.get("board", [])
    if not isinstance(rows, list):
        raise InputError("board: not a list of rows")
    order = document.get("order", "move-first")
    if order not in ("move-first", "turn-first"):
        raise InputError(f"order: {order!r}")
    game = Game(Board.from_rows(rows, width, height), pieces, order == "turn-first")

    encoding = document.get("encoding")
    if encoding == "placements":
        _check_moves(document.get("moves"), placements)
        for index, move in enumerate(document["moves"]):
            if not game.stopped:
                game.play_move({"hold": False, **move}, f"moves[{index}]")
    elif encoding in ENCODINGS:
        _check_genes(document.get("genes"), encoding, placements, width)
        for values in document["genes"]:
            if not game.stopped:
                game.play_genes(encoding, values)
    else:
        raise InputError(f"encoding: {encoding!r}")
    return game, placements


def eval_document(document):
    """The eval output for an eval input, {"error": ...} for a bad one."""
    try:
        game, placements = _play(document)
    except InputError as error:
        return {"error": str(error)}
    features = heuristics(game.board)
    return {
        "fitness": fitness(game.score, game.noops, features, placements - game.placed),
        "score": game.score,
        "lines": game.lines,
        "noops": game.noops,
        "placed": game.placed,
        "topped_out": game.topped_out,
        "clears": game.clears,
        "hold": game.held,
        "features": features,
        "board": game.board.to_rows(),
    }


# The name the interface has; the builtin of that name is not used here.
eval = eval_document


def eval_line(line):
    """eval_document for one line of JSON Lines, broken lines included."""
    try:
        document = json.loads(line)
    except ValueError as error:
        return {"error": str(error)}
    return eval_document(document)


# ---------------------------------------------------------------------------
# Command line: enough of tetropt's own for compare.py to be tried on this file
# ---------------------------------------------------------------------------

def _command_eval():
    """eval --batch --json: JSON Lines from stdin to stdout."""
    failed = False
    for line in sys.stdin:
        answer = eval_line(line)
        failed = failed or "error" in answer
        print(json.dumps(answer))
    return 2 if failed else 0


def _command_perft(options):
    """perft --pieces Q --depth D [--board F] [--hold on|off] [--width --height]"""
    given = dict(zip(options[::2], options[1::2]))
    width = int(given.get("--width", WIDTH_DEFAULT))
    height = int(given.get("--height", HEIGHT_DEFAULT))
    rows = []
    if "--board" in given:
        with open(given["--board"], encoding="ascii") as file:
            rows = file.read().splitlines()
    board = Board.from_rows(rows, width, height)
    depth = int(given["--depth"])
    nodes = perft(board, given["--pieces"], depth, given.get("--hold") == "on")
    print(json.dumps({"depth": depth, "nodes": nodes}))
    return 0


def main(arguments):
    options = [option for option in arguments[1:] if option not in ("--json", "--batch")]
    if arguments[:1] == ["eval"]:
        return _command_eval()
    if arguments[:1] == ["perft"]:
        try:
            return _command_perft(options)
        except (InputError, KeyError, OSError) as error:
            print(f"oracle: perft: {error}", file=sys.stderr)
            return 2
    print("usage: oracle.py eval --batch --json | perft OPTIONS --json", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
