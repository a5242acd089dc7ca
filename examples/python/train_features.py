"""Trains weights for features of your own: four numbers about the columns after a placement."""

import tetropt


def features(move):
    heights = [column.bit_length() for column in move.after]
    holes = sum(height - column.bit_count() for height, column in zip(heights, move.after))
    bumps = sum(abs(a - b) for a, b in zip(heights, heights[1:]))
    return [move.lines, holes, bumps, max(heights)]


tetropt.register_features("mine", features, ["lines", "holes", "bumps", "height"],
                          weights=[0, 0, 0, -1])

before = tetropt.simulate("mine", games=5, max_pieces=100, height=12, seed=1)
trained = tetropt.train("mine", generations=4, games=2, max_pieces=100, height=12, seed=1,
                        held_out=2, measure="lines")
after = tetropt.simulate("mine", weights=trained, games=5, max_pieces=100, height=12, seed=1)

print("weights:", [round(weight, 2) for weight in trained["weights"]])
print(f"mean lines: {before['summary']['lines']['mean']:.1f} before, "
      f"{after['summary']['lines']['mean']:.1f} after")
