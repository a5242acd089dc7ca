"""The rules of the oracle (oracle.py says what it is for): the tables, the board, how
a piece moves.

A board is a dictionary {(x, y): letter}, a position (rotation, x, y).  Points that the
specification leaves open have their numbers in oracle.py.
"""

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
