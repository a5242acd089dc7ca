"""A `tetropt.Problem` for other people's optimisers; one small module each. They minimise or maximise
as their library does; the fitness that they report here is ours: larger is better."""
