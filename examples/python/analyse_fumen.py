"""Reads a fumen and counts the queues of four different pieces that clear the board: hold lets three
of them fill it."""

from itertools import permutations

import tetropt

board = tetropt.Board.from_fumen("v115@9gE8DeG8CeH8BeG8CeA8JeAgH")
print(board)
empty = 4 * board.width - int(board.array().sum())
print(f"{empty} empty cells in four lines: {empty // 4} pieces")

queues = ["".join(queue) for queue in permutations("IOTSZJL", 4)]
solvable = [queue for queue in queues
            if tetropt.solve(queue, placements=empty // 4, board=board, encoding="placements",
                             algorithm="exact", seed=1, threads=1)["perfect_clear"]]
print(f"{len(solvable)} of {len(queues)} queues clear the board, the first is {solvable[0]}")
