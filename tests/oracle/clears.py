#!/usr/bin/env python3
"""Checks the answers of `tetropt clears` with the rules of the oracle, which share no code with the
program.

    tetropt clears path --json ... | clears.py [BOARD ROWS, TOP FIRST]

`play` presses the keys of a solution and compares pieces, queue, hold and the board at the end;
`solvable` decides a queue by trying everything.
"""

import json
import sys

import rules
from reach import reach

KEYS = {
    "left": lambda board, piece, at: rules.shift(board, piece, at, -1, 0),
    "right": lambda board, piece, at: rules.shift(board, piece, at, 1, 0),
    "down": lambda board, piece, at: rules.shift(board, piece, at, 0, -1),
    "cw": lambda board, piece, at: rules.rotate(board, piece, at, 1),
    "ccw": lambda board, piece, at: rules.rotate(board, piece, at, -1),
    "180": rules.rotate_180,
    "drop": rules.rest,
}


def play(rows, solution, hold=True):
    """Presses the keys of a solution. The board at the end, or an AssertionError."""
    board = rules.Board.from_rows(rows)
    queue, held = list(solution["queue"]), None
    for move in solution["moves"]:
        if move["hold"]:
            assert hold, "hold is not allowed"
            if held is None:
                held, current = queue.pop(0), queue.pop(0)
            else:
                current, held = held, queue.pop(0) if queue else None
        else:
            current = queue.pop(0)
        assert current == move["piece"], f"{current} comes, not {move['piece']}"
        at = rules.spawn(board)
        assert rules.position_fits(board, current, at), "the spawn is blocked"
        assert move["keys"][-1] == "drop" and "drop" not in move["keys"][:-1]
        for key in move["keys"]:
            at = KEYS[key](board, current, at)
            assert at is not None, f"{key} does nothing"
        board.lock(rules.piece_cells(current, at), current)
    return board


def low_board(cells):
    """A board with these cells, which are at most four rows high: a spawn right above them gives the
    same placements as one at the top, and is quicker."""
    return rules.Board(height=8, cells={cell: "G" for cell in cells})


def successors(cells, piece, lines, memo):
    """Boards after the piece, with the rows left, as sets of cells; none above the rows left."""
    key = cells, piece, lines
    if key not in memo:
        board = low_board(cells)
        found = set()
        for placed in reach(board, piece):
            if max(y for _, y in placed) >= lines:
                continue
            after = set(cells) | placed
            full = [y for y in range(lines) if sum((x, y) in after for x in range(10)) == 10]
            left = frozenset(
                (x, y - sum(row < y for row in full)) for x, y in after if y not in full
            )
            found.add((left, lines - len(full)))
        memo[key] = found
    return memo[key]


def solvable(rows, queue, lines, hold, memo):
    """Whether the queue clears the rows, by trying everything."""
    start = frozenset(
        (x, y) for y, row in enumerate(reversed(rows)) for x, c in enumerate(row) if c != "."
    )

    def search(cells, left, index, held):
        if left == 0:
            return True
        offers = []
        if index < len(queue):
            offers.append((queue[index], held, index + 1))
        if hold and held is not None:
            offers.append((held, queue[index] if index < len(queue) else None, index + 1))
        elif hold and index + 1 < len(queue):
            offers.append((queue[index + 1], queue[index], index + 2))
        return any(
            search(after, rows_left, i, kept)
            for piece, kept, i in offers
            for after, rows_left in successors(cells, piece, left, memo)
        )

    return search(start, lines, 0, None)


def chance(rows, visible, held, bag, lines, hold):
    """The probability of a clear when pieces are drawn from the bag one by one."""
    start = frozenset(
        (x, y) for y, row in enumerate(reversed(rows)) for x, c in enumerate(row) if c != "."
    )
    boards, values = {}, {}

    def draws(queue, left):
        left = left or frozenset(rules.PIECES)
        return [(queue[1:] + piece, left - {piece}) for piece in sorted(left)]

    def place(cells, rows_left, piece, kept, queue, left):
        return max((
            sum(value(after, n, kept, *draw) for draw in draws(queue, left)) / len(draws(queue, left))
            for after, n in successors(cells, piece, rows_left, boards)), default=0.0)

    def value(cells, rows_left, kept, queue, left):
        if rows_left == 0:
            return 1.0
        if (rows_left * 10 - len(cells)) % 4:
            return 0.0
        key = cells, rows_left, kept, queue, left
        if key not in values:
            best = place(cells, rows_left, queue[0], kept, queue, left)
            if hold and kept:
                best = max(best, place(cells, rows_left, kept, queue[0], queue, left))
            elif hold:
                seen = draws(queue, left)
                best = max(best, sum(place(cells, rows_left, q[0], queue[0], q, b)
                                     for q, b in seen) / len(seen))
            values[key] = best
        return values[key]

    return value(start, lines, held, visible, frozenset(bag))


def fillings(rows, wanted, margin, pieces):
    """Every set of places that fills the wanted cells, within them and the margin, with different
    pieces in any order; without line clears on the way. Each piece covers a wanted cell."""
    found, seen = set(), set()
    start = frozenset(rules.Board.from_rows(rows).cells)

    def search(placed):
        if placed in seen:
            return
        seen.add(placed)
        cells = start.union(*(place for _, place in placed))
        if wanted <= cells:
            found.add(placed)
            return
        board = low_board(cells)
        for piece in set(pieces) - {piece for piece, _ in placed}:
            for place in reach(board, piece):
                if place <= wanted | margin and place & wanted:
                    search(placed | {(piece, place)})

    search(frozenset())
    return found


def verify(document, rows):
    """Checks every solution of a path document; returns how many there are."""
    seen = set()
    for solution in document["solutions"]:
        board = play(rows, solution)
        assert not board.cells, "not empty"
        field = tuple(solution["field"])
        cells = "".join(field).replace(".", "")
        assert sorted(cells.replace("G", "")) == sorted(solution["pieces"] * 4)
        assert field not in seen, "the same solution twice"
        seen.add(field)
    if "minimal" in document and all("served" in entry for entry in document["solutions"]):
        solutions = document["solutions"]
        everything = set().union(*(entry["served"] for entry in solutions))
        chosen = set().union(*(solutions[i]["served"] for i in document["minimal"]["solutions"]))
        assert everything == chosen and len(everything) == document["solvable"]
        for i in document["minimal"]["solutions"]:  # none can be left out
            others = [k for k in document["minimal"]["solutions"] if k != i]
            assert set().union(*(solutions[k]["served"] for k in others)) != everything
    return len(document["solutions"])


def main():
    rows = sys.argv[1].split("/") if len(sys.argv) > 1 and sys.argv[1] else []
    print(verify(json.load(sys.stdin), rows), "solutions verified")


if __name__ == "__main__":
    main()
