"""The computations of the program: options in, the document of `--json` out."""

from __future__ import annotations

import json
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _options
from ._native import Job

Progress = Callable[[int, float], Any]
Document = dict[str, Any]

#: The options of each job that can be given several times.
REPEATABLE = {"simulate": ("agent", "param"), "train": ("param", "agent_param", "pin"),
              "match": ("player", "against")}


def job(name: str, *, progress: Optional[Progress] = None, **options: Any) -> Document:
    """Runs any job by its name (see `job_names`) and returns its answer.

    Options have the names of the command line with underscores instead of dashes; where the command
    line takes a file, its content is given here. A repeatable option takes a list, or for NAME=VALUE
    pairs a dict. Parameters of an algorithm or agent can be given by their own names.
    progress(done, best) is called during the run; if it returns a true value, the run ends.

    >>> job("solve", n=10, seed=1, evaluations=1000)["placed"]
    10
    """
    return _answer(_run(name, progress, options))


def _run(name: str, progress: Optional[Progress], options: Mapping[str, Any]) -> Job:
    run = Job(name)
    # Options that reset parameters to their defaults come first.
    first = ("algorithm", "agent", "method", "preset", "protocol")
    ordered = {key: options[key] for key in first if key in options}
    _options.apply(run.set, ordered | dict(options), REPEATABLE.get(name, ("param",)))
    run.run(progress)
    return run


def _answer(run: Job) -> Document:
    document: Document = json.loads(run.document())
    return document


def solve(pieces: Optional[str] = None, *, progress: Optional[Progress] = None,
          **options: Any) -> Document:
    """Finds the best placements of a known piece sequence; `tetropt solve --json`.

    >>> solve("IOTSZJLIOT", encoding="placements", evaluations=100000, seed=1)["perfect_clear"]
    True
    """
    return job("solve", progress=progress, pieces=pieces, **options)


def evaluate(solution: Union[Mapping[str, Any], str], **options: Any) -> Document:
    """Plays a solution (a document with pieces, encoding and genes or moves) and evaluates it;
    `tetropt eval --json`.

    >>> evaluate({"pieces": "TO", "encoding": "simple", "genes": [[-4, 0], [0, 0]]})["placed"]
    2
    """
    return job("eval", document=solution, **options)


def simulate(agent: Union[str, Sequence[str], None] = None, *, progress: Optional[Progress] = None,
             **options: Any) -> Document:
    """Lets an agent, or several on the same pieces, play games and measures it; `tetropt simulate
    --json`.

    >>> simulate("dt20", games=2, height=10, seed=1)["games"]
    2
    """
    return job("simulate", progress=progress, agent=agent, **options)


def match(*players: str, progress: Optional[Progress] = None, **options: Any) -> Document:
    """Lets players play against each other and rates them; `tetropt match --json`.

    >>> match("weighted", "random", games=2, max_pieces=20, seed=1)["games"]
    2
    """
    return job("match", progress=progress, player=players, **options)


def clears(find: str = "percent", *, progress: Optional[Progress] = None,
           **options: Any) -> Document:
    """Perfect clears and setups: percent, path, cover, setup, spin or chance; `tetropt clears
    FIND --json`.

    >>> clears("percent", fumen="v115@9gE8DeG8CeH8BeG8CeA8JeAgH", patterns="*p4")["solvable"]
    514
    """
    return job("clears", progress=progress, find=find, **options)


def train(agent: Optional[str] = None, *, progress: Optional[Progress] = None,
          **options: Any) -> Document:
    """Trains the weights of an agent; `tetropt train --json`. The result also has the member
    `state`, a text for the option `resume`, which continues the training with more generations.

    >>> train("dt20", height=10, generations=2, games=1, max_pieces=100, seed=1)["features"]
    'literature'
    """
    run = _run("train", progress, {"agent": agent, **options})
    return _answer(run) | {"state": run.state()}
