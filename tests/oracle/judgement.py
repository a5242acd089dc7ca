"""What a board is worth (part of the oracle, see oracle.py): the heuristics of the
offline problem, and the drop rules with the features of the literature's controllers.
"""

from rules import DROP_ROTATIONS, SHAPES

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
