"""Boards: text, fumen, numpy, and a picture in notebooks."""

from __future__ import annotations

from typing import Any, Iterable, Union

import numpy as np

from . import _native

#: The colours of the cells, those of the program's pictures.
COLOURS = {
    "I": "#42c6f5", "O": "#fbe92c", "T": "#9a52a6", "S": "#159a57", "Z": "#e3202e",
    "J": "#1248c0", "L": "#de8f14", "G": "#a3a8ae",
}
_CELL = 16


class Board:
    """A board: rows of cells from the top, `.` empty, the letters of pieces, `G` and `#` filled. Also
    made from a two-dimensional array, where every nonzero cell is filled.

    >>> Board("..II\\nGG.G").height
    2
    """

    def __init__(self, rows: Union[str, Iterable[str], "np.ndarray[Any, Any]"] = "",
                 width: int = 10) -> None:
        if isinstance(rows, np.ndarray):
            if rows.ndim != 2:
                raise ValueError("a board has two dimensions: rows from the top, and columns")
            lines = ["".join("G" if cell else "." for cell in row) for row in rows]
        elif isinstance(rows, str):
            lines = rows.split("\n")
            while lines and not lines[-1]:
                lines.pop()
        else:
            lines = list(rows)
        lines = [line.replace("#", "G").replace(" ", ".") for line in lines]
        self.width = len(lines[0]) if lines else width
        for number, line in enumerate(lines, 1):
            if len(line) != self.width:
                raise ValueError(f"line {number}: {len(line)} cells, not {self.width}")
            wrong = set(line) - set(".GIOTSZJL")
            if wrong:
                raise ValueError(f"line {number}: {min(wrong)!r} is not a cell")
        self._rows = lines

    @classmethod
    def from_fumen(cls, fumen: str, page: int = 1) -> "Board":
        """The field of a page of a fumen, without the empty rows on top."""
        rows = _native.fumen_board(fumen, page).split("\n")
        while rows and not rows[-1]:
            rows.pop()
        while rows and not rows[0].strip("."):
            rows.pop(0)
        return cls(rows)

    @property
    def fumen(self) -> str:
        """The board as a fumen of one page."""
        return _native.board_fumen(self.text or "." * self.width)

    @property
    def rows(self) -> list[str]:
        """The rows from the top."""
        return list(self._rows)

    @property
    def height(self) -> int:
        return len(self._rows)

    @property
    def text(self) -> str:
        """The rows as one string, for the option `board`."""
        return "\n".join(self._rows)

    def array(self) -> "np.ndarray[Any, np.dtype[np.uint8]]":
        """The cells as an array, 1 for filled, rows from the top."""
        cells = [[cell != "." for cell in row] for row in self._rows]
        return np.array(cells, np.uint8).reshape(self.height, self.width)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Board({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._rows == other._rows

    def __hash__(self) -> int:
        return hash(self.text)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        width, height = self.width * _CELL, max(self.height, 1) * _CELL
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                 f'viewBox="0 0 {width} {height}" role="img" aria-label="board">'
                 f'<rect width="{width}" height="{height}" fill="#0c0f13"/>']
        for y, row in enumerate(self._rows):
            for x, cell in enumerate(row):
                if cell != ".":
                    parts.append(f'<rect x="{x * _CELL}" y="{y * _CELL}" width="{_CELL - 1}" '
                                 f'height="{_CELL - 1}" fill="{COLOURS[cell]}"/>')
        return "".join(parts) + "</svg>"
