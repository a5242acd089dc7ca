"""Plays the game of botris-interface (a package on PyPI, not part of tetropt) with a TBP bot.

    python3 examples/tbp_botris.py PIECES COMMAND...

It does what every TBP frontend does: 1. send the rules and the start, 2. ask for a suggestion, 3. make the first
suggested move that the game allows, 4. tell the bot the move and the new pieces.
"""
import json
import subprocess
import sys

from botris import TetrisGame

PREVIEW = 5
# The cells of each piece as it spawns, around its rotation centre; x to the right, y up.
CELLS = {"I": [(-1, 0), (0, 0), (1, 0), (2, 0)], "O": [(0, 0), (1, 0), (0, 1), (1, 1)],
         "T": [(-1, 0), (0, 0), (1, 0), (0, 1)], "L": [(-1, 0), (0, 0), (1, 0), (1, 1)],
         "J": [(-1, 0), (0, 0), (1, 0), (-1, 1)], "S": [(-1, 0), (0, 0), (0, 1), (1, 1)],
         "Z": [(-1, 1), (0, 1), (0, 0), (1, 0)]}
TURNS = {"north": 0, "east": 1, "south": 2, "west": 3}


def cells_of(location):
    """The cells that a TBP move fills."""
    cells = CELLS[location["type"]]
    for _ in range(TURNS[location["orientation"]]):
        cells = [(y, -x) for x, y in cells]
    return sorted((location["x"] + x, location["y"] + y) for x, y in cells)


def placements(game):
    """The placements that the game allows: by piece and cells, the keys to press."""
    from botris.engine import get_piece_matrix

    found = {}
    for data, keys in game.generate_moves().items():
        matrix = get_piece_matrix(data.piece, data.rotation)
        cells = sorted((data.x + x, data.y - y) for y, row in enumerate(matrix)
                       for x, cell in enumerate(row) if cell)
        found[data.piece.value, tuple(cells)] = keys
    return found


def visible(game):
    return [game.current.piece.value] + [piece.value for piece in list(game.queue)[:PREVIEW]]


def main():
    count, command = int(sys.argv[1]), sys.argv[2:]
    bot = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(**message):
        bot.stdin.write(json.dumps(message) + "\n")
        bot.stdin.flush()

    def receive(kind):
        for line in bot.stdout:
            message = json.loads(line)
            if message["type"] == kind:
                return message
        raise SystemExit("the bot has ended")

    game = TetrisGame()
    print(receive("info")["name"], end=": ")
    send(type="rules", randomizer="seven_bag")
    receive("ready")
    send(type="start", hold=None, queue=visible(game), combo=0, back_to_back=False,
         board=[[None] * 10 for _ in range(40)])
    refused = 0
    while game.pieces_placed < count and not game.dead:
        send(type="suggest")
        allowed = placements(game)
        for move in receive("suggestion")["moves"]:
            location = move["location"]
            keys = allowed.get((location["type"], tuple(cells_of(location))))
            if keys is not None:
                break
            refused += 1
        else:
            break
        held = game.held
        game.execute_moves(keys)
        send(type="play", move=move)
        new = 2 if held is None and game.held is not None else 1
        for piece in visible(game)[-new:]:
            send(type="new_piece", piece=piece)
    send(type="quit")
    print(f"{game.pieces_placed} pieces, score {game.score}, {refused} moves refused by the game")


main()
