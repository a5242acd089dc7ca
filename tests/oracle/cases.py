"""Random cases for compare.py: boards of every shape, genotypes and placements that
mean something on them, and lines that are bad on purpose.  A case depends on the
seed and its number alone.
"""

import json
import random

import oracle

ENCODINGS = ("simple", "double", "swap-simple", "swap-double", "placements")


# ---------------------------------------------------------------------------
# Random boards and pieces
# ---------------------------------------------------------------------------

def random_size(rng):
    """(width, height): half 10x20, the rest odd, many of them tiny."""
    if rng.random() < 0.5:
        return 10, 20
    width = rng.randint(4, 6) if rng.random() < 0.4 else rng.randint(4, 16)
    height = rng.randint(4, 8) if rng.random() < 0.5 else rng.randint(4, 40)
    return width, height


def random_pieces(rng, length):
    """Uniform, bags, many I (many rows at once), or two kinds of pieces."""
    kind = rng.random()
    if kind < 0.3:
        return "".join(rng.choice(oracle.PIECES) for _ in range(length))
    if kind < 0.5:
        return "".join(rng.choice(oracle.PIECES + "IIIIII") for _ in range(length))
    if kind < 0.8:
        bags = ["".join(rng.sample(oracle.PIECES, 7)) for _ in range(length // 7 + 1)]
        return "".join(bags)[:length]
    few = rng.sample(oracle.PIECES, 2)
    return "".join(rng.choice(few) for _ in range(length))


def random_row_count(rng, height):
    """How high a given board goes: mostly low, sometimes to the top, sometimes
    into the hidden rows.  The topmost hidden row stays empty: what a column that
    touches the ceiling is (a pit?) is not written anywhere."""
    kind = rng.random()
    if kind < 0.6:
        return rng.randint(1, max(1, height // 2))
    if kind < 0.85:
        return rng.randint(max(1, height - 4), height)
    return rng.randint(height, height + oracle.HIDDEN_ROWS - 1)


def random_filled(rng, width, rows):
    """Filled cells of a random stack, as rows of booleans from the floor up."""
    kind = rng.choice(("garbage", "well", "skyline", "noise", "columns"))
    if kind == "garbage":  # full but for a few gaps
        stack = []
        for _ in range(rows):
            gaps = rng.sample(range(width), rng.randint(1, min(3, width)))
            stack.append([x not in gaps for x in range(width)])
        return stack
    if kind == "well":  # full but for one column: ready for many rows at once
        gap = rng.randrange(width)
        return [[x != gap for x in range(width)] for _ in range(rows)]
    if kind == "noise":
        density = rng.uniform(0.05, 0.9)
        return [[rng.random() < density for _ in range(width)] for _ in range(rows)]
    heights = [rng.randint(0, rows) for _ in range(width)]
    if kind == "columns":  # the middle is free, so that tall sides do not block
        for x in range(width // 2 - 2, width // 2 + 2):
            heights[x] = rng.randint(0, min(rows, 2))
    holes = rng.choice((0.0, 0.1, 0.3))
    return [
        [y < heights[x] and rng.random() >= holes for x in range(width)]
        for y in range(rows)
    ]


def random_rim(rng, width, height):
    """A stack up to the spawn, which is free: what is kicked up locks out."""
    centre = width // 2 - 1
    density = rng.uniform(0.6, 1.0)
    stack = [[rng.random() < density for _ in range(width)] for _ in range(height)]
    for x in range(centre - 1, centre + 3):
        stack[height - 1][x] = False
        stack[height - 2][x] = rng.random() < 0.7
    return stack


def random_shaft(rng, width, height):
    """A pattern of a few rows again and again, through all the hidden rows but
    the last, with the spawn free: in about one of ten some piece can climb to
    the ceiling there by its kicks."""
    centre = width // 2 - 1
    radius = rng.choice((1, 2, 2, 3))
    outside, inside = rng.choice((0.1, 0.3, 0.5)), rng.choice((0.0, 0.1, 0.2))
    pattern = [
        [
            rng.random() < (outside if abs(x - centre) > radius else inside)
            for x in range(width)
        ]
        for _ in range(rng.randint(2, 5))
    ]
    stack = [[False] * width for _ in range(height + oracle.HIDDEN_ROWS - 1)]
    for y in range(height - 3, len(stack)):
        for x in range(width):
            if y > height or abs(x - centre) > 2:
                stack[y][x] = pattern[y % len(pattern)][x]
    return stack


def random_board_rows(rng, width, height):
    """A given board as text, top row first, without full rows."""
    kind = rng.random()
    if kind < 0.1:
        stack = random_rim(rng, width, height)
    elif kind < 0.2:
        stack = random_shaft(rng, width, height)
    else:
        stack = random_filled(rng, width, random_row_count(rng, height))
    for row in stack:
        if all(row):
            row[rng.randrange(width)] = False
    empty = rng.choice((".", ".", ". "))
    filled = rng.choice(("G", "#", "G#", "IOTSZJL", "IOTSZJLG#"))
    spare = height + oracle.HIDDEN_ROWS - len(stack)
    if spare > 0 and rng.random() < 0.3:  # empty rows on top are allowed too
        stack += [[False] * width for _ in range(rng.randint(1, spare))]
    return [
        "".join(rng.choice(filled if cell else empty) for cell in row)
        for row in reversed(stack)
    ]


# ---------------------------------------------------------------------------
# Random plays
# ---------------------------------------------------------------------------

def highest(cells):
    return max((y for _, y in cells), default=0)


def wish_low(game):
    """A guided play: alive, rows removed, a low and whole stack come first."""
    cells = game.board.cells
    return (game.topped_out, -game.lines, 2 * len(game.board.holes()) + highest(cells))


def wish_high(game):
    """A reckless play: a lock-out comes first, then the highest living stack."""
    return (game.over != "lock-out", game.topped_out, -highest(game.board.cells))


# How a play chooses: (wish, tries a turn); without a wish at random.
STYLE_RANDOM = (None, 1)
STYLE_LOW = (wish_low, 10)
STYLE_HIGH = (wish_high, 10)


def random_style(rng, board):
    """Reckless on high boards, where lock-out is near; else random or guided."""
    if max(board.column_heights()) >= board.height - 1 and rng.random() < 0.5:
        return STYLE_HIGH
    return rng.choices((STYLE_RANDOM, STYLE_LOW, STYLE_HIGH), (5, 4, 1))[0]


def random_genes(rng, encoding, width):
    return [
        rng.randint(*oracle.gene_range(gene, width))
        for gene in oracle.ENCODINGS[encoding]
    ]


def play_genes(rng, board, pieces, placements, encoding, style, turn_first):
    """(genes, the game): each turn the best of a few random ones."""
    wish, tries = style
    game = oracle.Game(board, pieces, turn_first)
    genes = []
    for _ in range(placements):
        candidates = [random_genes(rng, encoding, board.width) for _ in range(tries)]
        if game.stopped:
            genes.append(candidates[0])
            continue
        outcomes = []
        for values in candidates:
            after = game.copy()
            after.play_genes(encoding, values)
            outcomes.append((after, values))
        if wish is not None:
            outcomes.sort(key=lambda outcome: wish(outcome[0]))
        game, values = outcomes[0]
        genes.append(values)
    return genes, game


def make_move(piece, position, hold):
    rotation, x, y = position
    return {
        "piece": piece,
        "x": x,
        "y": y,
        "rotation": oracle.ROTATIONS[rotation],
        "hold": hold,
    }


def choose_position(rng, game, style):
    """One of the resting positions of the piece in hand, by the style."""
    wish, tries = style
    positions = oracle.resting_positions(game.board, game.current)
    chosen = rng.sample(positions, min(len(positions), 2 * tries))
    if wish is None:
        return chosen[0]

    def outcome(position):
        after = game.copy()
        after.position = position
        after.lock()
        return wish(after)

    return min(chosen, key=outcome)


def play_moves(rng, board, pieces, placements, style):
    """(moves, the game).  Hold is asked for only where there is something to
    swap with.  After the end of the game the moves go on with the pieces that
    would come, at the spawn: well formed, whoever looks at them."""
    game = oracle.Game(board, pieces)
    moves = []
    while len(moves) < placements and not game.stopped:
        game.begin_turn()
        hold = not game.stopped and game.can_hold() and rng.random() < 0.3
        if hold:
            game.use_hold()
        position = game.position  # the spawn
        if not game.stopped:
            position = choose_position(rng, game, style)
            game.position = position
            game.lock()
        moves.append(make_move(game.current, position, hold))
    coming = game.queue + ([game.held] if game.held else [])
    for piece in coming[: placements - len(moves)]:
        moves.append(make_move(piece, oracle.spawn(board), False))
    return moves, game


# ---------------------------------------------------------------------------
# Cases
# ---------------------------------------------------------------------------

def random_case(rng):
    """A good eval input and the game it plays."""
    width, height = random_size(rng)
    encoding = rng.choice(ENCODINGS)
    longest = rng.choice((10, 30, 60))
    if encoding == "placements":
        longest = rng.choice((6, 12, 12, 30))  # a search a turn: keep it short
    length = rng.randint(1, longest)
    pieces = random_pieces(rng, length)
    placements = length if rng.random() < 0.5 else rng.randint(1, length)
    document = {"pieces": pieces, "encoding": encoding}
    if placements != length or rng.random() < 0.3:
        document["placements"] = placements
    if width != oracle.WIDTH_DEFAULT or rng.random() < 0.5:
        document["width"] = width
    if height != oracle.HEIGHT_DEFAULT or rng.random() < 0.5:
        document["height"] = height
    if rng.random() < 0.6:
        document["board"] = random_board_rows(rng, width, height)
    elif rng.random() < 0.1:
        document["board"] = []
    board = oracle.Board.from_rows(document.get("board", []), width, height)
    if encoding == "placements":
        moves, game = play_moves(rng, board, pieces, placements, random_style(rng, board))
        document["moves"] = moves
    else:
        style = random_style(rng, board)
        if rng.random() < 0.7:
            document["order"] = rng.choice(("move-first", "turn-first"))
        genes, game = play_genes(rng, board, pieces, placements, encoding, style,
                                 document.get("order") == "turn-first")
        document["genes"] = genes
    return document, game


def bad_placement(rng, kind):
    """A placements case whose last move cannot be made, in one of three ways."""
    while True:
        pieces = random_pieces(rng, rng.randint(1, 6))
        board = oracle.Board.from_rows(
            [".........."] if rng.random() < 0.5 else random_board_rows(rng, 10, 12), 10, 20
        )
        rows = board.to_rows()
        moves, game = play_moves(rng, board, pieces, len(pieces), STYLE_RANDOM)
        if game.stopped:
            continue
        before = oracle.Game(board, pieces)
        for move in moves[:-1]:
            before.play_move(move, "")
        before, piece = before.board, moves[-1]["piece"]
        reached = oracle.explore(before, piece)
        if kind == "wrong piece":
            other = rng.choice(oracle.PIECES.replace(piece, ""))
            moves[-1] = dict(moves[-1], piece=other)
            break
        if kind == "floating":
            choices = [
                at for at in reached if oracle.shift(before, piece, at, 0, -1) is not None
            ]
        else:  # closed in, or through something
            cells = oracle.reach(before, piece)
            choices = [
                at
                for rotation in range(4)
                for x in range(-2, 12)
                for y in range(-2, 22)
                for at in [(rotation, x, y)]
                if frozenset(oracle.piece_cells(piece, at)) not in cells
                and at not in reached
            ]
        if choices:
            moves[-1] = make_move(piece, rng.choice(choices), moves[-1]["hold"])
            break
    return {"pieces": pieces, "encoding": "placements", "moves": moves, "board": rows}


def bad_line(rng):
    """A line that must be answered by an error."""
    kind = rng.choice(
        (
            "floating", "unreachable", "wrong piece", "count", "genes of a piece",
            "letter", "encoding", "width", "height", "full row", "too many rows",
            "row width", "cell", "not JSON",
        )
    )
    if kind in ("floating", "unreachable", "wrong piece"):
        return json.dumps(bad_placement(rng, kind))
    document = {"pieces": "TIO", "encoding": "double", "genes": [[0, 0, 0, 0]] * 3}
    if kind == "count":
        document["genes"] = [[0, 0, 0, 0]] * rng.choice((0, 2, 4))
    elif kind == "genes of a piece":
        document["genes"] = [[0, 0, 0, 0], [0] * rng.choice((0, 3, 5)), [0, 0, 0, 0]]
    elif kind == "letter":
        document["pieces"] = "T" + rng.choice("XAG#. ") + "O"
    elif kind == "encoding":
        document["encoding"] = rng.choice(("triple", "", "SIMPLE"))
    elif kind == "width":
        document["width"] = rng.choice((-1, 0, 3, 17, 1000000))
    elif kind == "height":
        document["height"] = rng.choice((-1, 0, 3, 41, 1000000))
    elif kind == "full row":
        document["board"] = ["T.........", "G" * 10, ".########."]
    elif kind == "too many rows":
        document["board"] = ["G........."] * 41
    elif kind == "row width":
        document["board"] = ["." * rng.choice((0, 9, 11))]
    elif kind == "cell":
        document["board"] = ["...." + rng.choice("Xx1-g") + "....."]
    line = json.dumps(document)
    return line[:-1] if kind == "not JSON" else line


def make_case(task):
    """(line, expected answer, what it covers) of case `index` of `seed`."""
    seed, index, bad_percent = task
    rng = random.Random(f"tetropt {seed} {index}")
    if rng.random() * 100 < bad_percent:
        line = bad_line(rng)
        return line, oracle.eval_line(line), ["bad input"]
    document, game = random_case(rng)
    line = json.dumps(document)
    answer = oracle.eval_line(line)
    covers = [document["encoding"]]
    if "board" in document:
        covers.append("with a board")
    if game.over:
        covers.append(game.over)
    covers += [f"{rows} rows" for rows in range(1, 5) if game.clears[rows - 1]]
    if answer.get("board") == [] and game.placed:
        covers.append("perfect clear")
    if answer.get("noops"):
        covers.append("no-ops")
    if game.held is not None:
        covers.append("hold in use")
    return line, answer, covers
