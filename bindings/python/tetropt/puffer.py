"""Tetris for PufferLib: the native environment writes straight into PufferLib's buffers."""

from __future__ import annotations

from typing import Any, Optional

import gymnasium
import numpy as np
import pufferlib

from .gym import _space
from .vector import VectorEnv


class Tetris(pufferlib.PufferEnv):  # type: ignore[misc]
    """`num_envs` games; options as for `tetropt.VectorEnv`. Games restart in the same step."""

    def __init__(self, num_envs: int = 1, buf: Any = None, seed: int = 0, **options: Any) -> None:
        options.setdefault("autoreset", "same-step")
        self.games = VectorEnv(num_envs, seed=seed, **options)
        self.single_observation_space = _space(self.games)
        self.single_action_space = gymnasium.spaces.Discrete(self.games.actions)
        self.num_agents = num_envs
        super().__init__(buf)
        self.games.bind(self.observations, self.rewards, self.terminals.view(np.uint8),
                        self.truncations.view(np.uint8))

    def reset(self, seed: Optional[int] = None) -> tuple[Any, list[Any]]:
        seeds = None if seed is None else np.arange(seed, seed + self.num_agents)
        self.games.reset(seeds)
        return self.observations, []

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, list[Any]]:
        self.games.step(np.asarray(actions, np.int32).reshape(-1))
        return self.observations, self.rewards, self.terminals, self.truncations, []

    def close(self) -> None:
        """Nothing to close: memory is freed with the object."""
