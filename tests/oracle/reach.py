"""Where a piece can get to, by trying every key (part of the oracle, see oracle.py):
resting places, spins, fewest keys, and perft over them.
"""

from collections import deque

from rules import KICKS, MOVES, piece_cells, position_fits, rest, rotate_180, shift, spawn

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
    current piece first; empty when no piece is left."""
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
