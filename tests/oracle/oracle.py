#!/usr/bin/env python3
"""Reference implementation of the rules of tetropt: slow, plain, independent.

What it is for: an answer to compare the C program with.  It was written from
the specification alone (docs/RULES.md and docs/FORMATS.md tell what it says),
without a look at the C code, and it works cell by cell: a board
is a dictionary {(x, y): letter}, a piece is a list of cells, and there is no
bit trick anywhere.  Where the two programs differ, one of them misreads the
specification.  Only the standard library is used.

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
from collections import deque

# ---------------------------------------------------------------------------
# Tables of the rules
# ---------------------------------------------------------------------------

PIECES = "IOTSZJL"
ROTATIONS = ("north", "east", "south", "west")
NORTH, EAST, SOUTH, WEST = range(4)

HIDDEN_ROWS = 20
WIDTH_MIN, WIDTH_MAX, WIDTH_DEFAULT = 4, 16, 10
HEIGHT_MIN, HEIGHT_MAX, HEIGHT_DEFAULT = 4, 40, 20
PIECES_MAX = 1000

EMPTY_CHARACTERS = ". "
GREY_CHARACTERS = "G#"

# Cells around the rotation centre in the north state, x right, y up.
NORTH_CELLS = {
    "I": ((-1, 0), (0, 0), (1, 0), (2, 0)),
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "T": ((-1, 0), (0, 0), (1, 0), (0, 1)),
    "S": ((-1, 0), (0, 0), (0, 1), (1, 1)),
    "Z": ((-1, 1), (0, 1), (0, 0), (1, 0)),
    "J": ((-1, 1), (-1, 0), (0, 0), (1, 0)),
    "L": ((1, 1), (-1, 0), (0, 0), (1, 0)),
}

# Offsets by state (north, east, south, west), one list of tests a state.
_OFFSETS_JLSTZ = (
    ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
    ((0, 0), (1, 0), (1, -1), (0, 2), (1, 2)),
    ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
    ((0, 0), (-1, 0), (-1, -1), (0, 2), (-1, 2)),
)
_OFFSETS_I = (
    ((0, 0), (-1, 0), (2, 0), (-1, 0), (2, 0)),
    ((-1, 0), (0, 0), (0, 0), (0, 1), (0, -2)),
    ((-1, 1), (1, 1), (-2, 1), (1, 0), (-2, 0)),
    ((0, 1), (0, 1), (0, 1), (0, -1), (0, 2)),
)
_OFFSETS_O = (
    ((0, 0),),
    ((0, -1),),
    ((-1, -1),),
    ((-1, 0),),
)
OFFSETS = {
    "I": _OFFSETS_I,
    "O": _OFFSETS_O,
    "T": _OFFSETS_JLSTZ,
    "S": _OFFSETS_JLSTZ,
    "Z": _OFFSETS_JLSTZ,
    "J": _OFFSETS_JLSTZ,
    "L": _OFFSETS_JLSTZ,
}

UNIT_SCORE = {0: 0, 1: 1, 2: 3, 3: 5, 4: 8}

# Rule set `drop`: the rotations that give distinct shapes.
DROP_ROTATIONS = {
    "I": (NORTH, EAST),
    "O": (NORTH,),
    "T": (NORTH, EAST, SOUTH, WEST),
    "S": (NORTH, EAST),
    "Z": (NORTH, EAST),
    "J": (NORTH, EAST, SOUTH, WEST),
    "L": (NORTH, EAST, SOUTH, WEST),
}


def turn_clockwise(cell):
    """The cell (x, y) after a clockwise quarter turn around (0, 0)."""
    x, y = cell
    return (y, -x)


def _cells_of_every_state(north_cells):
    states = [tuple(north_cells)]
    for _ in range(3):
        states.append(tuple(turn_clockwise(cell) for cell in states[-1]))
    return tuple(states)


# SHAPES[piece][state]: the four cells around the centre.
SHAPES = {piece: _cells_of_every_state(NORTH_CELLS[piece]) for piece in PIECES}


def kicks(piece, old_state, new_state):
    """The moves of the centre that a rotation tries, in order."""
    pairs = zip(OFFSETS[piece][old_state], OFFSETS[piece][new_state])
    return [(ox - nx, oy - ny) for (ox, oy), (nx, ny) in pairs]


# KICKS[piece][old_state, new_state] for the eight quarter turns.
KICKS = {
    piece: {
        (old, (old + turn) % 4): kicks(piece, old, (old + turn) % 4)
        for old in range(4)
        for turn in (1, 3)
    }
    for piece in PIECES
}


# ---------------------------------------------------------------------------
# Board
# ---------------------------------------------------------------------------

class InputError(ValueError):
    """The input breaks the specification; the text says how."""


class Board:
    """`width` columns, `height` visible rows, 20 hidden ones above them.

    `cells` maps the filled cells (x, y) to a piece letter or "G"."""

    def __init__(self, width=WIDTH_DEFAULT, height=HEIGHT_DEFAULT, cells=None):
        self.width = width
        self.height = height
        self.cells = dict(cells) if cells else {}

    def copy(self):
        return Board(self.width, self.height, self.cells)

    @property
    def top(self):
        """The first row that is wall."""
        return self.height + HIDDEN_ROWS

    @classmethod
    def from_rows(cls, rows, width=WIDTH_DEFAULT, height=HEIGHT_DEFAULT):
        """A board from its text, top row first; InputError if it is no board."""
        board = cls(width, height)
        if len(rows) > board.top:
            raise InputError(f"board: {len(rows)} rows, at most {board.top}")
        for distance, row in enumerate(rows):
            y = len(rows) - 1 - distance
            if not isinstance(row, str) or len(row) != width:
                raise InputError(f"board[{distance}]: not {width} cells")
            for x, character in enumerate(row):
                if character in EMPTY_CHARACTERS:
                    continue
                if character in GREY_CHARACTERS:
                    board.cells[x, y] = "G"
                elif character in PIECES:
                    board.cells[x, y] = character
                else:
                    raise InputError(f"board[{distance}]: cell {character!r}")
        if board.full_rows():
            raise InputError("board: a row is full")
        return board

    def to_rows(self):
        """Text, top row first, without the empty rows on top."""
        count = max((y + 1 for _, y in self.cells), default=0)
        return [
            "".join(self.cells.get((x, y), ".") for x in range(self.width))
            for y in reversed(range(count))
        ]

    def filled(self, x, y):
        """A cell of the stack, or wall: left, right, floor, above the top."""
        if x < 0 or x >= self.width or y < 0 or y >= self.top:
            return True
        return (x, y) in self.cells

    def fits(self, cells):
        return not any(self.filled(x, y) for x, y in cells)

    def full_rows(self):
        count = {}
        for _, y in self.cells:
            count[y] = count.get(y, 0) + 1
        return sorted(y for y, n in count.items() if n == self.width)

    def remove_full_rows(self):
        """Takes the full rows out, the rows above move down; which they were."""
        full = self.full_rows()
        if full:
            self.cells = {
                (x, y - sum(1 for row in full if row < y)): letter
                for (x, y), letter in self.cells.items()
                if y not in full
            }
        return full

    def lock(self, cells, letter):
        """Writes a piece and removes the full rows; how many went."""
        for cell in cells:
            self.cells[cell] = letter
        return len(self.remove_full_rows())

    def column_heights(self):
        """1 + the highest filled y of every column, 0 for an empty one."""
        heights = [0] * self.width
        for x, y in self.cells:
            heights[x] = max(heights[x], y + 1)
        return heights

    def holes(self):
        """The empty cells under a filled one, as a set."""
        return {
            (x, y)
            for x, height in enumerate(self.column_heights())
            for y in range(height)
            if (x, y) not in self.cells
        }


# ---------------------------------------------------------------------------
# A piece on the board: its position is (rotation, x, y), x,y the centre
# ---------------------------------------------------------------------------

def spawn(board):
    return (NORTH, board.width // 2 - 1, board.height - 1)


def piece_cells(piece, position):
    rotation, x, y = position
    return [(x + dx, y + dy) for dx, dy in SHAPES[piece][rotation]]


def position_fits(board, piece, position):
    return board.fits(piece_cells(piece, position))


def shift(board, piece, position, dx, dy):
    """The position one step on, or None if something is in the way."""
    rotation, x, y = position
    moved = (rotation, x + dx, y + dy)
    return moved if position_fits(board, piece, moved) else None


def rotate(board, piece, position, turn):
    """A quarter turn (1 clockwise, 3 counter-clockwise) with its kicks, or None."""
    old, x, y = position
    new = (old + turn) % 4
    for dx, dy in KICKS[piece][old, new]:
        turned = (new, x + dx, y + dy)
        if position_fits(board, piece, turned):
            return turned
    return None


def rotate_180(board, piece, position):
    """The half turn of the option `rotate180`: plain, without kicks."""
    old, x, y = position
    turned = ((old + 2) % 4, x, y)
    return turned if position_fits(board, piece, turned) else None


def rest(board, piece, position):
    """The position after falling straight down as far as it goes."""
    while True:
        lower = shift(board, piece, position, 0, -1)
        if lower is None:
            return position
        position = lower


# The key presses of a path, hold and hard drop apart.
MOVES = {
    "left": lambda board, piece, at: shift(board, piece, at, -1, 0),
    "right": lambda board, piece, at: shift(board, piece, at, 1, 0),
    "clockwise": lambda board, piece, at: rotate(board, piece, at, 1),
    "counter-clockwise": lambda board, piece, at: rotate(board, piece, at, 3),
    "soft drop": lambda board, piece, at: shift(board, piece, at, 0, -1),
}


# ---------------------------------------------------------------------------
# What can be reached (rule set `guideline`)
# ---------------------------------------------------------------------------

def explore(board, piece, rotate180=False):
    """Breadth-first over the positions a piece can take from its spawn.

    Returns {position: None for the spawn, else (position before, key)} in the
    order of the number of key presses; empty if the spawn is blocked."""
    start = spawn(board)
    if not position_fits(board, piece, start):
        return {}
    moves = dict(MOVES)
    if rotate180:
        moves["half turn"] = rotate_180
    came_from = {start: None}
    waiting = deque([start])
    while waiting:
        position = waiting.popleft()
        for key, move in moves.items():
            reached = move(board, piece, position)
            if reached is not None and reached not in came_from:
                came_from[reached] = (position, key)
                waiting.append(reached)
    return came_from


def resting_positions(board, piece, rotate180=False):
    """The reachable positions from which the piece cannot move down."""
    return [
        position
        for position in explore(board, piece, rotate180)
        if shift(board, piece, position, 0, -1) is None
    ]


def reach(board, piece, rotate180=False):
    """The distinct placements of a piece: a set of frozensets of cells."""
    return {
        frozenset(piece_cells(piece, position))
        for position in resting_positions(board, piece, rotate180)
    }


# Corners around the centre of T, clockwise from the upper left; the front of a
# state are the two on the side where its point is.
_CORNERS = ((-1, 1), (1, 1), (1, -1), (-1, -1))
SPINS = ("none", "mini", "full")


def spin_label(board, piece, position, last_kick):
    """The spin of a piece that locks there; `last_kick` is the number (1..5) of
    the kick when the last action was a rotation, else 0."""
    if piece != "T" or last_kick == 0:
        return "none"
    rotation, x, y = position
    filled = [board.filled(x + dx, y + dy) for dx, dy in _CORNERS]
    if sum(filled) < 3:
        return "none"
    front = filled[rotation] and filled[(rotation + 1) % 4]
    return "full" if front or last_kick == 5 else "mini"


def reach_spins(board, piece):
    """{cells of a placement: the set of labels with which it can be made}.

    The search keeps how a position was reached (by a move, or by which kick),
    because the label depends on the last action."""
    fits = {}

    def free(position):
        if position not in fits:
            fits[position] = position_fits(board, piece, position)
        return fits[position]

    def turned(position, turn):
        old, x, y = position
        new = (old + turn) % 4
        for number, (dx, dy) in enumerate(KICKS[piece][old, new], 1):
            if free((new, x + dx, y + dy)):
                return (new, x + dx, y + dy), number
        return None

    start = spawn(board)
    if not free(start):
        return {}
    answer = {}
    seen = {(start, 0)}
    waiting = deque(seen)
    while waiting:
        position, last_kick = waiting.popleft()
        rotation, x, y = position
        if not free((rotation, x, y - 1)):
            cells = frozenset(piece_cells(piece, position))
            answer.setdefault(cells, set()).add(spin_label(board, piece, position, last_kick))
        moves = ((rotation, x - 1, y), (rotation, x + 1, y), (rotation, x, y - 1))
        reached = [(moved, 0) for moved in moves if free(moved)]
        reached += [step for step in (turned(position, 1), turned(position, 3)) if step]
        for state in reached:
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return answer


def fewest_keys(board, piece, rotate180=False):
    """{cells of a placement: shortest list of key presses that makes it}.

    Every list ends with the hard drop that locks the piece; a soft drop goes
    one row and is one press.  Hold, if it is used, is one press more.  Of
    several shortest lists one is given: compare the lengths, and the cells."""
    came_from = explore(board, piece, rotate180)
    answer = {}
    for position in came_from:  # in the order of their distance
        cells = frozenset(piece_cells(piece, rest(board, piece, position)))
        if cells in answer:
            continue
        path = ["hard drop"]
        step = came_from[position]
        while step is not None:
            before, key = step
            path.append(key)
            step = came_from[before]
        answer[cells] = path[::-1]
    return answer


def turn_offers(queue, index, held, hold):
    """What a perft turn offers: [(piece, what is held then, next index)], the
    current piece first; empty when there is no piece left."""
    if index < len(queue):
        current, index = queue[index], index + 1
    elif held is not None:
        current, held = held, None
    else:
        return []
    offers = [(current, held, index)]
    if hold and held is not None and held != current:
        offers.append((held, current, index))
    if hold and held is None and index < len(queue) and queue[index] != current:
        offers.append((queue[index], current, index + 1))
    return offers


def perft(board, queue, depth, hold=False, blocked_current_ends_turn=True):
    """[nodes at depth 1, ..., nodes at depth `depth`].

    A node is a sequence of distinct placements; full rows go after each, a
    blocked spawn has no placements, lock-out does not end a perft."""
    nodes = [0] * depth

    def visit(board, index, held, ply):
        for piece, held_then, index_then in turn_offers(queue, index, held, hold):
            placements = reach(board, piece)
            if not placements and blocked_current_ends_turn:
                # Only a blocked spawn has no placements.  When it is the
                # current piece's there is no hold; after hold nothing follows.
                return
            nodes[ply] += len(placements)
            if ply + 1 == depth:
                continue
            for cells in placements:
                after = board.copy()
                after.lock(cells, piece)
                visit(after, index_then, held_then, ply + 1)

    visit(board, 0, None, 0)
    return nodes


# ---------------------------------------------------------------------------
# Offline: heuristics and fitness (profile `blocks`)
# ---------------------------------------------------------------------------

SCORE_WEIGHT = 2.5
NOOP_WEIGHT = -1.0
HEURISTICS_WEIGHT = 1.0
NOT_PLACED_WEIGHT = -100.0

HEURISTIC_WEIGHTS = {
    "blocks": -1.0,
    "weighted_blocks": -0.75,
    "clearable_lines": 1.0,
    "roughness": -1.0,
    "column_holes": -5.0,
    "connected_holes": -2.0,
    "blocks_above_holes": -2.0,
    "pit_hole_percent": -1.0,
    "deepest_well": -1.0,
}


def clearable_lines(board):
    """The most rows that one vertical I could complete."""
    best = 0
    for x, height in enumerate(board.column_heights()):
        if height + 3 >= board.height:
            continue
        rows = 0
        for y in range(height, height + 4):
            others = [column for column in range(board.width) if column != x]
            if all((column, y) in board.cells for column in others):
                rows += 1
        best = max(best, rows)
    return best


def pits(board):
    """Columns whose both neighbours are filled at the row of their height."""
    return [
        x
        for x, height in enumerate(board.column_heights())
        if board.filled(x - 1, height) and board.filled(x + 1, height)
    ]


def heuristics(board):
    """The nine heuristics of the final board, by name."""
    heights = board.column_heights()
    holes = board.holes()
    pit_count = len(pits(board))
    pits_and_holes = pit_count + len(holes)
    return {
        "blocks": len(board.cells),
        "weighted_blocks": sum(y + 1 for _, y in board.cells),
        "clearable_lines": clearable_lines(board),
        "roughness": sum(
            abs(heights[x] - heights[x + 1]) for x in range(board.width - 1)
        ),
        "column_holes": len({x for x, _ in holes}),
        "connected_holes": sum(1 for x, y in holes if (x, y + 1) in holes),
        "blocks_above_holes": sum(
            1
            for x, y in holes
            for above in range(y + 1, heights[x])
            if (x, above) in board.cells
        ),
        "pit_hole_percent": pit_count / pits_and_holes if pits_and_holes else 0.0,
        "deepest_well": min(heights),
    }


def fitness(score, noops, features, not_placed):
    weighted = sum(
        weight * features[name] for name, weight in HEURISTIC_WEIGHTS.items()
    )
    return (
        SCORE_WEIGHT * score
        + NOOP_WEIGHT * noops
        + HEURISTICS_WEIGHT * weighted
        + NOT_PLACED_WEIGHT * not_placed
    )


# ---------------------------------------------------------------------------
# Offline: a game over a known list of pieces
# ---------------------------------------------------------------------------

# The genes of a piece in the order they are applied.
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

    def __init__(self, board, pieces):
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
        other = Game(self.board, self.queue)
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
        self.move(genes["move1"])
        self.turn_clockwise(genes["rot1"])
        if "move2" in genes:
            self.drop()
            self.move(genes["move2"])
            self.turn_clockwise(genes["rot2"])
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
    game = Game(Board.from_rows(rows, width, height), pieces)

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
# Rule set `drop` and the features of the literature
# ---------------------------------------------------------------------------

def drop_cells(board, piece, rotation, left):
    """The cells of a piece dropped straight down from above the board, its
    leftmost cell in column `left`; None if it does not fit between the walls.

    The piece comes from above everything, so only the stack stops it."""
    shape = SHAPES[piece][rotation]
    lowest = min(y for _, y in shape)
    leftmost = min(x for x, _ in shape)
    columns = [x - leftmost + left for x, _ in shape]
    if min(columns) < 0 or max(columns) >= board.width:
        return None

    def cells_at(bottom):
        return [(x - leftmost + left, y - lowest + bottom) for x, y in shape]

    bottom = max(board.column_heights())
    while bottom > 0 and not any(cell in board.cells for cell in cells_at(bottom - 1)):
        bottom -= 1
    return cells_at(bottom)


def drop_placements(board, piece):
    """[(rotation, left column, cells, whether it ends the game)] in the order
    of the literature: rotations north, east, south, west; columns from the left."""
    found = []
    for rotation in DROP_ROTATIONS[piece]:
        for left in range(board.width):
            cells = drop_cells(board, piece, rotation, left)
            if cells is not None:
                over = any(y >= board.height for _, y in cells)
                found.append((rotation, left, cells, over))
    return found


def row_transitions(board):
    """Changes between neighbours along each of `height` rows, walls filled."""
    return sum(
        1
        for y in range(board.height)
        for x in range(-1, board.width)
        if board.filled(x, y) != board.filled(x + 1, y)
    )


def column_transitions(board):
    """Changes along each column; floor filled, above the board empty."""
    changes = 0
    for x, height in enumerate(board.column_heights()):
        column = [True] + [(x, y) in board.cells for y in range(height)] + [False]
        changes += sum(1 for low, high in zip(column, column[1:]) if low != high)
    return changes


def wells(board):
    """For every empty cell whose left and right are filled (buried ones too):
    1 + the empty cells directly below it in a run."""
    total = 0
    for x in range(board.width):
        for y in range(board.top):
            if (x, y) in board.cells:
                continue
            if not (board.filled(x - 1, y) and board.filled(x + 1, y)):
                continue
            total += 1
            below = y - 1
            while below >= 0 and (x, below) not in board.cells:
                total += 1
                below -= 1
    return total


def hole_depth(board):
    """Filled cells above the lowest empty cell of each column."""
    total = 0
    for x, height in enumerate(board.column_heights()):
        lowest_empty = 0
        while (x, lowest_empty) in board.cells:
            lowest_empty += 1
        total += sum(1 for y in range(lowest_empty, height) if (x, y) in board.cells)
    return total


def diversity(board):
    """Distinct values of h[x+1] - h[x] within -2..2."""
    heights = board.column_heights()
    differences = {heights[x + 1] - heights[x] for x in range(board.width - 1)}
    return len([d for d in differences if -2 <= d <= 2])


def drop_features(board, piece, rotation, left):
    """(the nine features by name, rows removed, the board after) of a drop
    placement; None if the piece does not fit between the walls there."""
    cells = drop_cells(board, piece, rotation, left)
    if cells is None:
        return None
    lowest = min(y for _, y in cells)
    piece_height = max(y for _, y in cells) - lowest + 1
    after = board.copy()
    for cell in cells:
        after.cells[cell] = piece
    removed = after.remove_full_rows()
    holes = after.holes()
    features = {
        "landing_height": lowest + (piece_height - 1) / 2,
        "eroded_cells": len(removed) * sum(1 for _, y in cells if y in removed),
        "row_transitions": row_transitions(after),
        "column_transitions": column_transitions(after),
        "holes": len(holes),
        "wells": wells(after),
        "hole_depth": hole_depth(after),
        "rows_with_holes": len({y for _, y in holes}),
        "diversity": diversity(after),
    }
    return features, len(removed), after


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
