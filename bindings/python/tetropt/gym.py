"""Tetris for Gymnasium. Importing this module registers `tetropt/Tetris-v0`.

>>> import gymnasium, tetropt.gym
>>> env = gymnasium.make("tetropt/Tetris-v0", preview=3)
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
"""

from __future__ import annotations

from typing import Any, Optional

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from .board import Board
from .vector import VectorEnv

_MODES = {AutoresetMode.NEXT_STEP: "next-step", AutoresetMode.SAME_STEP: "same-step",
          AutoresetMode.DISABLED: "off"}


def _space(games: VectorEnv) -> gymnasium.spaces.Box:
    """The space of one observation."""
    kind: Any = games.observations.dtype
    most = np.inf if kind == np.float32 else np.iinfo(kind).max
    return gymnasium.spaces.Box(-most if kind == np.float32 else 0, most,
                                (games.layout["items"],), kind)


class TetrisEnv(gymnasium.Env):  # type: ignore[type-arg]
    """One game. Options as for `tetropt.VectorEnv`; `info["action_mask"]` marks the legal actions."""

    metadata = {"render_modes": ["ansi"], "render_fps": 30}

    def __init__(self, render_mode: Optional[str] = None, **options: Any) -> None:
        if options.pop("autoreset", "off") != "off":
            raise ValueError("autoreset: a single environment is reset by its caller")
        self._games = VectorEnv(1, autoreset="off", **options)
        self._width = int(options.get("width", 10))
        self.observation_space = _space(self._games)
        self.action_space = gymnasium.spaces.Discrete(self._games.actions)
        self.render_mode = render_mode
        self._over = True

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._games.masks[0].astype(np.int8), **self._games.info(0)}

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(2**63))
        self._over = False
        return self._games.reset([seed])[0].copy(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._over:
            raise gymnasium.error.ResetNeeded("the game is over: call reset")
        seen, rewards, terminated, truncated = self._games.step([int(action)])
        self._over = bool(terminated[0] or truncated[0])
        return (seen[0].copy(), float(rewards[0]), bool(terminated[0]), bool(truncated[0]),
                self._info())

    def render(self) -> Optional[str]:  # type: ignore[override]
        """The board as text."""
        if self.render_mode != "ansi":
            return None
        rows = self._games.board(0)
        if rows.ndim == 1:  # bits
            rows = rows[:, None] >> np.arange(self._width) & 1
        return Board(np.asarray(rows)[::-1] != 0).text


class TetrisVectorEnv(gymnasium.vector.VectorEnv):  # type: ignore[type-arg]
    """Many games in one native step. `autoreset_mode` is one of Gymnasium's AutoresetMode.

    The arrays that `reset` and `step` return are copies unless copy=False.
    """

    def __init__(self, num_envs: int = 1, *, copy: bool = True,
                 autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP, **options: Any) -> None:
        self.games = VectorEnv(num_envs, autoreset=_MODES[AutoresetMode(autoreset_mode)], **options)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode(autoreset_mode)}
        self.single_observation_space = _space(self.games)
        self.single_action_space = gymnasium.spaces.Discrete(self.games.actions)
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)
        self._mode = AutoresetMode(autoreset_mode)
        self._copy = copy

    def _given(self, array: Any) -> Any:
        return array.copy() if self._copy else array

    def reset(self, *, seed: Any = None, options: Optional[dict[str, Any]] = None
              ) -> tuple[Any, dict[str, Any]]:
        if isinstance(seed, (int, np.integer)):
            seeds: Any = np.arange(self.num_envs, dtype=np.uint64) + np.uint64(seed)
        else:
            seeds = seed
        if options and "reset_mask" in options:
            raise ValueError("reset_mask: all games are reset together")
        self.games.reset(seeds)
        return self._given(self.games.observations), {"action_mask": self._given(self.games.masks)}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        seen, rewards, terminated, truncated = self.games.step(actions)
        ended = self._given(terminated).view(bool), self._given(truncated).view(bool)
        info: dict[str, Any] = {"action_mask": self._given(self.games.masks)}
        if self._mode is AutoresetMode.SAME_STEP and (ended[0] | ended[1]).any():
            final = np.full(self.num_envs, None, object)
            for game in np.flatnonzero(ended[0] | ended[1]):
                final[game] = self.games.final_observations[game].copy()
            info |= {"final_obs": final, "_final_obs": ended[0] | ended[1], "final_info": {}}
        return self._given(seen), self._given(rewards), *ended, info


gymnasium.register("tetropt/Tetris-v0", TetrisEnv,
                   vector_entry_point=TetrisVectorEnv)
