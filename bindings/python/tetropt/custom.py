"""Agents and features that are Python functions, for everything that takes the name of an agent."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence

from . import _native
from .game import Placement


class View(NamedTuple):
    """What an agent sees: bit y of columns[x] is the cell x, y."""

    width: int
    height: int
    columns: list[int]
    current: str
    held: Optional[str]
    queue: str
    placements: list[Placement]
    lines: int
    pieces_left: int
    random: int


class Move(NamedTuple):
    """A placement to describe by features, with the boards before and after it as columns."""

    width: int
    height: int
    before: list[int]
    after: list[int]
    placement: Placement
    lines: int
    held: Optional[str]


def register_agent(name: str, choose: Callable[[View], int], *, hold: bool = False,
                   preview: int = 0, summary: str = "an agent in Python") -> None:
    """Registers an agent until the process ends: choose(view) returns the index of one of
    view.placements. `simulate(name)` and `Agent(name)` then play with it.

    >>> register_agent("lowest", lambda view: min(
    ...     range(len(view.placements)), key=lambda i: view.placements[i].y))
    >>> from .jobs import simulate
    >>> simulate("lowest", games=1, seed=1, max_pieces=50)["games"]
    1
    """

    def call(width: int, height: int, columns: list[int], current: str, held: str, queue: str,
             placements: list[Any], *rest: int) -> int:
        listed = [Placement(*item) for item in placements]
        return int(choose(View(width, height, columns, current, held.strip() or None, queue, listed,
                               *rest)))

    _native.register_agent(name, summary, call, int(hold), preview)


def register_features(name: str, features: Callable[[Move], Sequence[float]],
                      names: Sequence[str], weights: Sequence[float], *, hold: bool = False,
                      summary: str = "features in Python") -> None:
    """Registers an agent with features until the process ends: features(move) returns one number
    per name. The agent plays the placement with the largest sum of weights times features, and
    `train(name)` improves the weights."""

    def call(width: int, height: int, before: list[int], after: list[int], placement: Any,
             lines: int, held: str) -> Sequence[float]:
        return features(Move(width, height, before, after, Placement(*placement), lines,
                             held.strip() or None))

    _native.register_features(name, summary, call, list(names), list(weights), int(hold))
