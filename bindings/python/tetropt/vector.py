"""Many games at once, for reinforcement learning; needs only numpy. `tetropt.gym` and `tetropt.puffer`
are Gymnasium and PufferLib environments on top of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native, _options
from .game import Placement

_ITEM = {1: np.uint8, 2: np.uint16, 4: np.float32}


class VectorEnv:
    """Steps `games` games at once; every step writes to the same arrays.

    Options: those of a game (seed, preview, hold, width, height, scoring, ...) and actions
    ("keys", "placements", "reachable"), observation ("planes", "float", "bits", "features"),
    pieces_as ("ids", "one-hot"), reward, autoreset ("next-step", "same-step", "off"), max_pieces,
    max_steps, gravity, threads. `masks` marks the legal actions.

    >>> env = VectorEnv(4, seed=1)
    >>> env.reset().shape
    (4, 204)
    >>> rewards = env.step([0, 1, 2, 3])[1]
    """

    def __init__(self, games: int, **options: Any) -> None:
        self._env = _native.Env(games)
        _options.apply(self._env.set, options)
        #: The shapes, as in tetropt_env_layout: games, actions, item_bytes, items, board_items,
        #: board_rows, piece_items, preview.
        self.layout = self._env.sizes()
        self.games = games
        #: How many actions there are: 0..actions-1.
        self.actions = self.layout["actions"]
        item = _ITEM[self.layout["item_bytes"]]
        shape = (games, self.layout["items"])
        self.observations = np.zeros(shape, item)
        #: The last observation of a game that was reset in the same step.
        self.final_observations = np.zeros(shape, item)
        self.rewards = np.zeros(games, np.float32)
        self.terminated = np.zeros(games, np.uint8)
        self.truncated = np.zeros(games, np.uint8)
        #: 1 for an action that is legal now.
        self.masks = np.zeros((games, self.actions), np.uint8)
        self._env.bind(self.observations, self.final_observations, self.rewards, self.terminated,
                       self.truncated, self.masks)
        self._actions = np.zeros(games, np.int32)

    def bind(self, observations: Any, rewards: Any, terminated: Any, truncated: Any) -> None:
        """Writes to arrays of the caller from now on: float32 rewards, one byte per flag."""
        self._env.bind(observations, self.final_observations, rewards, terminated, truncated,
                       self.masks)
        self.observations, self.rewards = observations, rewards
        self.terminated, self.truncated = terminated, truncated

    def reset(self, seeds: Any = None) -> Any:
        """Starts all games, with one seed per game or with the next ones; returns the observations."""
        self._env.reset(None if seeds is None else np.ascontiguousarray(seeds, np.uint64))
        return self.observations

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any]:
        """One action per game; returns observations, rewards, terminated and truncated: the same
        arrays every time."""
        if not (isinstance(actions, np.ndarray) and actions.dtype == np.int32
                and actions.flags.c_contiguous and actions.shape == (self.games,)):
            given = np.asarray(actions)
            if given.dtype.kind not in "iu":
                raise ValueError(f"actions: integers are needed, not {given.dtype}")
            if given.shape != (self.games,):
                raise ValueError(f"actions: {self.games} are needed, not shape {given.shape}")
            if given.size and (given.min() < 0 or given.max() >= self.actions):
                raise ValueError(f"actions: a number is not in 0..{self.actions - 1}")
            self._actions[:] = given
            actions = self._actions
        self._env.step(actions)
        return self.observations, self.rewards, self.terminated, self.truncated

    def board(self, game: int) -> Any:
        """The board of a game from its observation, rows from the floor; not for the observation
        "features"."""
        if self.layout["board_rows"] == 1 and self.layout["item_bytes"] == 4:
            raise ValueError("observations of features have no board")
        cells = self.observations[game, :self.layout["board_items"]]
        return cells.reshape(self.layout["board_rows"], -1) if self.layout["board_rows"] > 1 else cells

    def info(self, game: int) -> dict[str, int]:
        """seed, episode, steps, pieces, lines, score and over of a game."""
        return self._env.look(game)

    def placements(self, game: int) -> list[Placement]:
        """For the actions "reachable": the placements by their numbers."""
        return [Placement(*item) for item in self._env.placements(game)]

    def __repr__(self) -> str:
        return f"<VectorEnv games={self.games} actions={self.actions}>"
