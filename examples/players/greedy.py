"""A player in ten lines: prefers low boards without holes.

tetropt simulate --agent 'lines:python3 examples/players/greedy.py' --games 1 --max-pieces 100
"""
import json, sys
for line in sys.stdin:
    position = json.loads(line)
    board = {(x, y) for y, row in enumerate(position["board"]) for x, c in enumerate(row) if c == "#"}
    def cost(move):
        cells = board | {tuple(cell) for cell in move["cells"]}
        full = {y for _, y in cells if sum((x, y) in cells for x in range(position["width"])) == position["width"]}
        holes = sum((x, y - 1) not in cells for x, y in cells if y > 0)
        return 4 * holes + sum(y for _, y in move["cells"]) - 4 * len(full)
    print(min(range(len(position["placements"])), key=lambda i: cost(position["placements"][i])), flush=True)
