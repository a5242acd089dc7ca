"""One game, and agents that play it."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _native, _options
from .board import Board


class Key(IntEnum):
    """The keys of a player."""

    LEFT = 0
    RIGHT = 1
    CLOCKWISE = 2
    COUNTER = 3
    TURN_180 = 4
    SOFT_DROP = 5
    HARD_DROP = 6
    HOLD = 7


class Placement(NamedTuple):
    """Where a piece locks: `rotation` counts clockwise rotations from the spawn state, x and y are its
    rotation centre, `spin` is 0 none, 1 mini, 2 full, and `hold` is 1 if hold is pressed first."""

    piece: str
    rotation: int
    x: int
    y: int
    spin: int
    hold: int


#: Why a game is over, by number.
OVER = ("", "block-out", "lock-out", "no-pieces")


class Game:
    """A game that is played by keys or placements. Options: seed, preview, hold, rules, randomizer,
    pieces, board, width, height, scoring, bonus, rotate180, kicks, spins (`man 3 tetropt` explains
    them at tetropt_game_set).

    >>> game = Game(seed=1)
    >>> game.place(game.placements()[0])
    >>> game.pieces
    1
    """

    def __init__(self, **options: Any) -> None:
        self._game = _native.Game()
        _options.apply(self._game.set, options)
        self._game.start()

    def restart(self, **options: Any) -> None:
        """Starts a new game; given options replace the earlier ones."""
        _options.apply(self._game.set, options)
        self._game.start()

    def copy(self) -> "Game":
        """A new game with the same options and the same state."""
        other = Game.__new__(Game)
        other._game = self._game.copy()
        return other

    def press(self, key: Union[Key, int]) -> bool:
        """Presses a key; False if it has no effect."""
        return self._game.press(int(key))

    def placements(self) -> list[Placement]:
        """The legal placements of this turn."""
        return [Placement(*item) for item in self._game.placements()]

    def place(self, placement: Sequence[Any]) -> None:
        """Locks a piece; ValueError if the placement is not legal now."""
        self._game.place(tuple(placement))

    def keys(self, placement: Sequence[Any]) -> Optional[list[Key]]:
        """A shortest key sequence to a placement; None if it is not legal or cannot be reached."""
        keys = self._game.keys(tuple(placement))
        return None if keys is None else [Key(key) for key in keys]

    @property
    def board(self) -> Board:
        return Board(self._game.text())

    @property
    def width(self) -> int:
        return self._game.state()[0]

    @property
    def height(self) -> int:
        return self._game.state()[1]

    @property
    def current(self) -> Optional[str]:
        """The falling piece."""
        return self._game.state()[2]

    @property
    def held(self) -> Optional[str]:
        return self._game.state()[3]

    @property
    def next(self) -> str:
        """The visible next pieces."""
        return self._game.state()[4]

    @property
    def score(self) -> int:
        return self._game.state()[5]

    @property
    def lines(self) -> int:
        return self._game.state()[6]

    @property
    def pieces(self) -> int:
        """The number of locked pieces."""
        return self._game.state()[7]

    @property
    def over(self) -> str:
        """Why the game is over (block-out, lock-out, no-pieces); empty while it runs."""
        return OVER[self._game.state()[8]]

    def _repr_svg_(self) -> str:
        return self.board._repr_svg_()

    def __repr__(self) -> str:
        return f"<Game pieces={self.pieces} lines={self.lines} score={self.score}>"


class Agent:
    """An agent by its name, with its parameters. `weights` is a named set, or numbers for the features
    of `kind`.

    >>> game = Game(seed=1)
    >>> Agent("beam", width=8).play(game, pieces=10)
    >>> game.pieces
    10
    """

    def __init__(self, name: str = "weighted", *, weights: Union[str, Sequence[float], None] = None,
                 kind: Optional[str] = None, seed: int = 0, **parameters: Any) -> None:
        self._agent = _native.Agent()
        self._agent.set("agent", name)
        self._agent.set("seed", str(seed))
        _options.apply(self._agent.set, {"param": parameters})
        if isinstance(weights, str):
            self._agent.set("weights", weights)
        elif weights is not None:
            if kind is None:
                raise ValueError("kind: weights of your own need the kind of their features")
            self._agent.set_weights(kind, weights)
        self.name = name

    def choose(self, game: Game) -> Optional[Placement]:
        """The placement that it chooses; None if the game is over."""
        choice = self._agent.choose(game._game)
        return None if choice is None else Placement(*choice)

    def play(self, game: Game, pieces: int = 0) -> None:
        """Plays until the game is over, or until `pieces` pieces are locked in total (0: no limit)."""
        self._agent.play(game._game, pieces)

    def __repr__(self) -> str:
        return f"Agent({self.name!r})"
