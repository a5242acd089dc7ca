"""tetropt: solve, play and optimise Tetris.

`solve`, `evaluate`, `simulate`, `match`, `clears` and `train` run the commands of the program: they
take its options as keyword arguments and return the document that `--json` prints as a dict.
`Problem` evaluates genotypes in numpy arrays, `Search` runs one of the optimisers on a problem,
`Game`, `Agent` and `Board` are for playing, and `VectorEnv` steps many games at once.
"""

from ._native import agent_names, algorithm_names, job_names, version, weights_names
from .board import Board
from .custom import Move, View, register_agent, register_features
from .game import Agent, Game, Key, Placement
from .jobs import clears, evaluate, job, match, simulate, solve, train
from .problem import Problem, Search
from .vector import VectorEnv

__version__ = version()

__all__ = [
    "Agent", "Board", "Game", "Key", "Move", "Placement", "Problem", "Search", "VectorEnv", "View",
    "agent_names", "algorithm_names", "clears", "evaluate", "job", "job_names",
    "match", "register_agent", "register_features", "simulate", "solve",
    "train", "version", "weights_names",
]
