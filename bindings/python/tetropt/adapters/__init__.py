"""A `tetropt.Problem` for the optimisers of other packages, one module each. Some of them minimise; the
fitness that is returned is always that of the problem, where larger is better."""
