"""A player in ten lines: prefers many filled cells per row, low and without holes.

tetropt simulate --agent 'lines:python3 examples/players/greedy.py' --games 1 --max-pieces 100
"""
import json, sys

def cost(rows, cells):
    rows = [set(x for x, c in enumerate(row) if c == "#") for row in rows] + [set() for _ in range(24)]
    for x, y in cells:
        rows[y].add(x)
    rows = [row for row in rows if row and len(row) < width]
    holes = sum(x not in row for y, row in enumerate(rows) for x in range(width) if any(x in r for r in rows[y + 1:]))
    return 4 * holes + sum(y * len(row) for y, row in enumerate(rows)) / 10 + len(rows)

for line in sys.stdin:
    position = json.loads(line)
    width, moves = position["width"], position["placements"]
    print(min(range(len(moves)), key=lambda i: cost(position["board"], moves[i]["cells"])), flush=True)
