#!/usr/bin/env python3
"""Quick checks of oracle.py against numbers that others found.

The counts are those that other move generators find; the kicks those that
the Tetris guideline publishes; the small boards were worked out by hand.  `--deep` adds perft depth
4 of both queues (about two minutes).
"""

import argparse
import sys

import oracle

QUEUES = {
    "IOTLJSZ": [17, 153, 5266, 188891],
    "IOLJSZT": [17, 153, 5266, 188374],
}

EMPTY_BOARD_COUNTS = {"I": 17, "O": 9, "T": 34, "L": 34, "J": 34, "S": 17, "Z": 17}

# Rows from the top, X filled; counts in the order I O T L J S Z.
BOARDS = [
    ("XX......../X...XXXXXX/XX.XXXXXXX", (17, 9, 37, 34, 35, 18, 17)),
    (
        "XX......../X........./X.XXXXXXXX/X..XXXXXXX/X.XXXXXXXX",
        (19, 9, 36, 35, 35, 18, 17),
    ),
    (
        "X........./X........./XX......XX/XXX....XXX/XXXX...XXX/XXXX..XXXX/"
        "XXX...XXXX/XXXX.XXXXX",
        (17, 9, 37, 35, 35, 18, 17),
    ),
    (
        "........XX/XXXX..XXXX/XXX...XXXX/XXX.XXXXXX/XXX..XXXXX/XX...XXXXX/"
        "XXX.XXXXXX/XXX.XXXXXX/XXXX.XXXXX",
        (17, 9, 39, 37, 35, 18, 17),
    ),
    (
        "XXXXXXXX../XXXXXXXX../X........./X........./X..XXXXXXX/X..XXXXXXX/"
        "X........X/X........X/XXXXXXXX.X/XXXXXXXX.X/.........X/.........X",
        (37, 22, 66, 64, 79, 33, 33),
    ),
]

# The guideline's kicks (true rotation), relative to the first test of the turn.
NORTH_TO_EAST = {
    "T": [(0, 0), (-1, 0), (-1, 1), (0, -2), (-1, -2)],
    "I": [(0, 0), (-2, 0), (1, 0), (-2, -1), (1, 2)],
    "O": [(0, 0)],
}

results = {"passed": 0, "failed": 0}


def check(name, got, expected):
    good = got == expected
    results["passed" if good else "failed"] += 1
    print(f"PASS {name}" if good else f"FAIL {name}: {got}, expected {expected}")


def board_of(text, width=10, height=20):
    return oracle.Board.from_rows(text.replace("X", "#").split("/"), width, height)


def check_rotation():
    for piece, expected in NORTH_TO_EAST.items():
        tests = oracle.KICKS[piece][oracle.NORTH, oracle.EAST]
        first = tests[0]
        relative = [(x - first[0], y - first[1]) for x, y in tests]
        check(f"kicks {piece} north to east", relative, expected)
    board = oracle.Board()
    for piece in oracle.PIECES:
        position = (oracle.NORTH, 4, 10)
        for _ in range(4):
            position = oracle.rotate(board, piece, position, 1)
        check(f"four quarter turns {piece}", position, (oracle.NORTH, 4, 10))
    before = set(oracle.piece_cells("O", (oracle.NORTH, 4, 10)))
    turned = oracle.rotate(board, "O", (oracle.NORTH, 4, 10), 1)
    check("O turns in place", set(oracle.piece_cells("O", turned)), before)


def check_counts(deep):
    for piece, expected in EMPTY_BOARD_COUNTS.items():
        check(f"reach {piece} empty", len(oracle.reach(oracle.Board(), piece)), expected)
        drops = oracle.drop_placements(oracle.Board(), piece)
        check(f"drop placements {piece} empty", len(drops), expected)
    for number, (text, expected) in enumerate(BOARDS, start=1):
        board = board_of(text)
        counts = tuple(len(oracle.reach(board, piece)) for piece in "IOTLJSZ")
        check(f"reach board {number}", counts, expected)
    for queue, nodes in QUEUES.items():
        depth = 4 if deep else 3
        check(f"perft {queue}", oracle.perft(oracle.Board(), queue, depth), nodes[:depth])


def check_perft_hold():
    board = oracle.Board()
    check("perft hold offers both", oracle.perft(board, "IO", 1, True), [26])
    check("perft hold, one piece", oracle.perft(board, "I", 2, True), [17, 0])
    check("perft hold, same letter", oracle.perft(board, "II", 1, True), [17])
    # I and O in either order; the last one comes out of hold by itself.
    without = oracle.perft(board, "IO", 2)[1] + oracle.perft(board, "OI", 2)[1]
    check("perft hold, exhausted queue", oracle.perft(board, "IO", 2, True)[1], without)


def check_heuristics():
    # Heights 3 1 3 0: one hole at (0,0) and two at (2,0) and (2,1).
    board = board_of("X.X./X.../.X..", 4, 8)
    expected = {
        "blocks": 4,
        "weighted_blocks": 3 + 3 + 2 + 1,
        "clearable_lines": 0,
        "roughness": 2 + 2 + 3,
        "column_holes": 2,
        "connected_holes": 1,
        "blocks_above_holes": 2 + 1 + 1,
        # No pit: column 1 has (0,1) but not (2,1) beside it, column 3 has no
        # (2,0).
        "pit_hole_percent": 0 / 3,
        "deepest_well": 0,
    }
    check("heuristics with holes", oracle.heuristics(board), expected)
    well = board_of("X.../XXX./XXX./XXX./XXX.", 4, 8)
    features = oracle.heuristics(well)
    check("clearable_lines of a well", features["clearable_lines"], 4)
    # Column 3 is a pit, columns 1 and 2 have an open neighbour.
    check("a well is a pit", features["pit_hole_percent"], 1.0)
    low = board_of("XXX./XXX./XXX./XXX.", 4, 4)
    check("clearable_lines needs room: 0+3 < 4", oracle.clearable_lines(low), 4)
    raised = board_of("XXX./XXX./XXX./XXX./XX.X", 4, 4)
    check("clearable_lines needs room: 1+3 = 4", oracle.clearable_lines(raised), 0)


def check_eval():
    # Three pieces, width 4: I flat completes a row; O twice completes two.
    answer = oracle.eval_document(
        {
            "pieces": "IOO",
            "encoding": "simple",
            "genes": [[2, 0], [-1, 0], [1, 0]],
            "width": 4,
            "height": 6,
        }
    )
    check("eval: I no-ops at the wall", answer["noops"], 2)
    check("eval: single, then double", answer["clears"], [1, 1, 0, 0])
    check("eval: empty board", answer["board"], [])
    check("eval: fitness", answer["fitness"], 2.5 * (1 + 3) - 2)
    answer = oracle.eval_document(
        {"pieces": "SZ", "encoding": "swap-simple", "genes": [[1, 0, 0]], "placements": 1}
    )
    check("eval: hold", (answer["hold"], answer["board"]), ("S", ["...ZZ.....", "....ZZ...."]))
    answer = oracle.eval_document(
        {
            "pieces": "OOOO",
            "encoding": "simple",
            "genes": [[0, 0]] * 4,
            "width": 6,
            "height": 4,
        }
    )
    check("eval: block-out", (answer["placed"], answer["topped_out"]), (2, True))
    check("eval: not placed", answer["fitness"], -8 - 0.75 * 20 - 8 - 200.0)
    grey = oracle.eval_document(
        {"pieces": "O", "encoding": "simple", "genes": [[0, 0]], "board": ["#GT ......"]}
    )
    check("eval: given cells", grey["board"], ["....OO....", "GGT.OO...."])
    move = {"piece": "T", "x": 1, "y": 0, "rotation": "north", "hold": False}
    document = {"pieces": "T", "encoding": "placements", "moves": [move]}
    check("eval: placement", oracle.eval_document(document)["board"], [".T........", "TTT......."])
    floating = dict(document, moves=[dict(move, y=1)])
    check("eval: floating is an error", "error" in oracle.eval_document(floating), True)


def check_drop_features():
    board = board_of("XXX.......", 10, 20)
    features, removed, _ = oracle.drop_features(board, "I", oracle.NORTH, 2)
    expected = {
        "landing_height": 1.0,
        "eroded_cells": 0,
        # Rows: XXX....... has 2, ..XXXX.... has 4, the other 18 have 2 each.
        "row_transitions": 2 + 4 + 18 * 2,
        # Columns 3, 4, 5 have a hole each: 3 changes; the other 7 have 1.
        "column_transitions": 3 * 3 + 7,
        "holes": 3,
        "wells": 0,
        "hole_depth": 3,
        "rows_with_holes": 1,
        # Heights 1 1 2 2 2 2 0 0 0 0: 0, 1, 0, 0, 0, -2, 0, 0, 0.
        "diversity": 3,
    }
    check("features after a drop", features, expected)
    check("no row removed", removed, 0)
    well = board_of("XXXXXXXXX./XXXXXXXXX./XXXXXXXXX./XXXXXXXXX.")
    features, removed, after = oracle.drop_features(well, "I", oracle.EAST, 9)
    check("eroded cells of a tetris", (features["eroded_cells"], removed), (16, 4))
    check("landing height of an upright I", features["landing_height"], 1.5)
    check("nothing is left", after.cells, {})
    check("wells 1+2+3+4", oracle.wells(well), 10)


def check_keys():
    board = oracle.Board()
    keys = oracle.fewest_keys(board, "O")
    lengths = sorted(len(path) for path in keys.values())
    # O comes down in columns 0..8 from column 4: a hard drop and 0..4 steps.
    check("fewest keys O", lengths, [1, 2, 2, 3, 3, 4, 4, 5, 5])
    keys = oracle.fewest_keys(board_of(BOARDS[0][0]), "T")
    check("a path to every placement", len(keys), 37)


def check_spins():
    for text, _ in BOARDS:
        board = board_of(text)
        for piece in oracle.PIECES:
            spins = oracle.reach_spins(board, piece)
            check(f"cells with labels {piece}", set(spins), oracle.reach(board, piece))
            if piece != "T":
                check(f"only T spins {piece}", set().union(*spins.values()), {"none"})

    def labels(text, rotation, x, y):
        cells = frozenset(oracle.piece_cells("T", (rotation, x, y)))
        return oracle.reach_spins(board_of(text), "T").get(cells)

    # A roof over (2,1): three corners of the centre (3,1) are filled, the upper right is not.
    slot = "..X......./XX...XXXXX/XXX.XXXXXX"
    check("double", labels(slot, oracle.SOUTH, 3, 1), {"full"})
    check("both on the left in front", labels(slot, oracle.WEST, 3, 1), {"full"})
    check("one in front", labels(slot, oracle.NORTH, 3, 1), {"mini"})
    check("or it falls in", labels(slot, oracle.EAST, 3, 1), {"mini", "none"})
    # Without the roof the piece falls in, or turns there: two corners and no spin.
    check("no roof", labels("XX...XXXXX/XXX.XXXXXX", oracle.SOUTH, 3, 1), {"none"})
    # A triple needs the fifth kick, which makes it full.
    triple = "XX......../X........./X.XXXXXXXX/X..XXXXXXX/X.XXXXXXXX"
    check("triple", labels(triple, oracle.EAST, 1, 1), {"full"})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deep", action="store_true", help="perft depth 4 too")
    deep = parser.parse_args().deep
    check_rotation()
    check_counts(deep)
    check_perft_hold()
    check_heuristics()
    check_eval()
    check_drop_features()
    check_keys()
    check_spins()
    print(f"{results['passed']} passed, {results['failed']} failed")
    return 1 if results["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
