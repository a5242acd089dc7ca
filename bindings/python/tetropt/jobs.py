"""The computations of the program: options in, the document of `--json` out."""

from __future__ import annotations

import json
from typing import Any, Callable, Mapping, Optional, Union

from . import _options
from ._native import Job

Progress = Callable[[int, float], Any]
Document = dict[str, Any]


def job(name: str, *, progress: Optional[Progress] = None, **options: Any) -> Document:
    """Runs any job by its name (see `job_names`) and returns its answer.

    Options have the names of the command line with underscores in place of dashes; those that take
    a file there take its content here. Parameters of an algorithm or agent can be given by their own
    names. progress(done, best) is called now and then; a true answer ends the run, as Ctrl-C does.

    >>> job("solve", n=10, seed=1, evaluations=1000)["placed"]
    10
    """
    return _answer(_run(name, progress, options))


def _run(name: str, progress: Optional[Progress], options: Mapping[str, Any]) -> Job:
    run = Job(name)
    # What brings parameters back to their defaults comes before them.
    first = ("algorithm", "agent", "method", "preset", "protocol")
    ordered = {key: options[key] for key in first if key in options}
    _options.apply(run.set, ordered | dict(options))
    run.run(progress)
    return run


def _answer(run: Job) -> Document:
    document: Document = json.loads(run.document())
    return document


def solve(pieces: Optional[str] = None, *, progress: Optional[Progress] = None,
          **options: Any) -> Document:
    """Arranges a known list of pieces; `tetropt solve --json`.

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


def simulate(agent: Optional[str] = None, *, progress: Optional[Progress] = None,
             **options: Any) -> Document:
    """Lets an agent play games and measures it; `tetropt simulate --json`.

    >>> simulate("dt20", games=2, height=10, seed=1)["games"]
    2
    """
    return job("simulate", progress=progress, agent=agent, **options)


def match(*players: str, progress: Optional[Progress] = None, **options: Any) -> Document:
    """Lets players play against each other and rates them; `tetropt match --json`.

    >>> match("weighted", "random", games=2, max_pieces=20, seed=1)["games"]
    2
    """
    run = Job("match")
    for player in players:
        run.set("player", player)
    _options.apply(run.set, options)
    run.run(progress)
    return _answer(run)


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
    """Trains the weights of an agent; `tetropt train --json`. The answer also has the member
    `state`, a text that the option `resume` takes to continue up to a larger number of generations."""
    run = _run("train", progress, {"agent": agent, **options})
    return _answer(run) | {"state": run.state()}
