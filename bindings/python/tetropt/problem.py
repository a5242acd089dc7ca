"""Genotypes in numpy arrays, and optimisers that run on them."""

from __future__ import annotations

import json
from typing import Any, Callable, Optional, Sequence

import numpy as np

from . import _native, _options


class Problem:
    """A problem whose solutions are rows of integers; the largest fitness is the best.

    `kind` is "tetris" (options of `tetropt solve`: pieces or n, encoding, order, ...), "queens" (n)
    or "sat" (variables, clauses, impossible and seed, or dimacs). `Problem.custom` makes one from a
    Python function.

    >>> problem = Problem(pieces="IOTSZJLIOT", encoding="swap-double")
    >>> genes = problem.random(1000, seed=1)
    >>> problem.evaluate(genes).shape
    (1000,)
    """

    def __init__(self, kind: str = "tetris", **options: Any) -> None:
        self._problem = _native.Problem(kind)
        self.kind = kind
        _options.apply(self._problem.set, options)
        self._learn()

    @classmethod
    def custom(cls, low: Sequence[int], high: Sequence[int],
               fitness: Callable[[Any], Any]) -> "Problem":
        """A problem of your own: gene i lies in low[i]..high[i]; fitness(rows) gets an int16 array
        with one genotype per row and returns one number for each."""
        self = cls.__new__(cls)

        def fill(rows: memoryview, count: int, out: memoryview) -> None:
            genes = np.frombuffer(rows, np.int16).reshape(count, -1).copy()  # may be kept
            values = np.asarray(fitness(genes), np.float64)
            if values.shape != (count,):
                raise ValueError(f"fitness: {count} values are needed, not shape {values.shape}")
            np.frombuffer(out, np.float64)[:] = values

        self._problem = _native.Problem("custom", list(low), list(high), fill)
        self.kind = "custom"
        self._learn()
        return self

    def _learn(self) -> None:
        low, high = self._problem.ranges()
        #: The lowest and the highest value of every gene.
        self.low = np.array(low, np.int16)
        self.high = np.array(high, np.int16)
        #: How many genes a genotype has.
        self.genes = len(low)

    def _rows(self, genes: Any, name: str = "genes") -> Any:
        array = np.asarray(genes)
        if array.dtype not in (np.int8, np.int16):
            if array.dtype.kind not in "iu":
                raise ValueError(f"{name}: integers are needed, not {array.dtype}")
            if array.size and (array.min() < -32768 or array.max() > 32767):
                raise ValueError(f"{name}: a value does not fit into int16")
            array = array.astype(np.int16)
        if array.ndim not in (1, 2) or array.shape[-1] != self.genes:
            raise ValueError(f"{name}: rows of {self.genes} genes are needed, not shape "
                             f"{array.shape}")
        return array

    def evaluate(self, genes: Any, out: Optional[Any] = None, threads: int = 1) -> Any:
        """The fitness of every row as an array, or of a single genotype as a number. int8 and int16
        arrays are not copied. `out` is a float64 array for the result; `threads` 0 means one per
        CPU."""
        array = self._rows(genes)
        rows = array.reshape(-1, self.genes)
        fitness = np.empty(len(rows)) if out is None else out
        self._problem.evaluate(np.ascontiguousarray(rows), fitness, threads)
        return fitness if array.ndim == 2 else float(fitness[0])

    def document(self, genes: Any) -> dict[str, Any]:
        """Everything about one genotype; for tetris as `tetropt eval --json` prints it."""
        row = np.ascontiguousarray(self._rows(genes), np.int16).reshape(-1)
        document: dict[str, Any] = json.loads(self._problem.document(row))
        return document

    def random(self, count: int, seed: int = 0) -> Any:
        """`count` random genotypes; row i depends on the seed and i only."""
        genes = np.empty((count, self.genes), np.int16)
        self._problem.random(genes, seed)
        return genes

    def _operate(self, name: str, first: Any, second: Any, rate: float, seed: int) -> Any:
        rows = [np.ascontiguousarray(self._rows(row), np.int16) for row in (first, second)]
        child = np.empty(self.genes, np.int16)
        self._problem.operate(name, rows[0], rows[1], child, rate, seed)
        return child

    def neighbour(self, genes: Any, seed: int) -> Any:
        """A genotype with one random gene changed."""
        return self._operate("neighbour", genes, genes, 0.0, seed)

    def cross(self, first: Any, second: Any, seed: int) -> Any:
        """A child: the first part of one parent, the rest of the other."""
        return self._operate("cross", first, second, 0.0, seed)

    def mutate(self, genes: Any, rate: float, seed: int) -> Any:
        """A genotype in which every unit (a piece of tetris, else a gene) changed with probability `rate`."""
        return self._operate("mutate", genes, genes, rate, seed)

    def __repr__(self) -> str:
        return f"<Problem {self.kind} genes={self.genes}>"


class Search:
    """One of the optimisers on a problem, by ask and tell or as a whole (`run`).

    Options: seed, evaluations, target, time, threads (of `run`) and the parameters of the algorithm.
    With the problem's own fitness the search is the run that `tetropt solve` makes.

    >>> problem = Problem(n=10, seed=1)
    >>> search = Search(problem, "ga", population=50, evaluations=500, seed=1)
    >>> while len(genes := search.ask()):
    ...     search.tell(problem.evaluate(genes))
    >>> search.evaluations
    500
    """

    def __init__(self, problem: Problem, algorithm: str = "ga", **options: Any) -> None:
        self._search = _native.Search(problem._problem, algorithm)
        _options.apply(self._search.set, options)
        self._genes = problem.genes

    def ask(self) -> Any:
        """The genotypes to evaluate next, one per row; no rows when the search is over."""
        genes = np.empty((self._search.ask(None), self._genes), np.int16)
        if len(genes):
            self._search.ask(genes)
        return genes

    def tell(self, fitness: Any) -> None:
        """Tells the fitness of every row of the last `ask`."""
        self._search.tell(np.ascontiguousarray(fitness, np.float64))

    def run(self, progress: Optional[Callable[[int, float], Any]] = None) -> "Search":
        """Runs the whole search with the problem's own fitness, and returns itself."""
        self._search.run(progress)
        return self

    def stop(self) -> None:
        """Ends a run from another thread."""
        self._search.stop()

    @property
    def best(self) -> tuple[Any, float]:
        """The best genotype so far and its fitness; (None, -inf) when there is none."""
        genes = np.empty(self._genes, np.int16)
        fitness = self._search.best(genes)
        return (None, -np.inf) if fitness is None else (genes, fitness)

    @property
    def evaluations(self) -> int:
        return self._search.evaluations()

    @property
    def end(self) -> str:
        """Why the search ended: finished, patience, target, evaluations, time, stopped; empty before."""
        return self._search.end()
