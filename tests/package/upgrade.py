"""The upgrade from version 1.0.0: a user's files keep their meaning, and no file of 1.0.0 stays behind.

1.0.0 (scripts/build-package-1.0) is installed in the clean root. A user sets keys, plays, solves,
trains, runs half of a store and builds programs with the library. On a copy of these files 1.0.0
writes its answers. Then the new packages are installed over it and give theirs on the files
themselves. Every member of an answer of 1.0.0 must be the same; new members are allowed.
"""

import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time

from root import USER, package_name

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", name) for name in ("cli", "experiment")]
from postgresql import Server, can_start  # noqa: E402 pylint: disable=wrong-import-position
from screen import Screen  # noqa: E402 pylint: disable=wrong-import-position

# What the user does with 1.0.0. The stores (a file, and a server if $SERVER is set) have runs that are
# done and runs that wait. The agent bees is left out: since 1.1 it plays other games with the same seed
# (CHANGELOG.md).
WORK = r"""
set -eux
exec > /dev/null
mkdir ~/work && cd ~/work
cat > settings.ini <<'END'
[pieces]
n = 14
randomizer = bag
seed = 7
[perft]
pieces = TISZ
hold = on
[simulate]
agent = beam
param = width=10
games = 1
max-pieces = 10
seed = 4
[play]
lines = 1
width = 6
list = OOOOOO
ascii = on
color = never
key-left = j
key-right = l
key-drop = k
END
cat > done.ini <<'END'
[experiment]
command = solve
repeat = 2
[solve]
n = 4, 5
algorithm = ga, sa
evaluations = 300
END
cat > waiting.ini <<'END'
[experiment]
command = solve
repeat = 2
[solve]
n = 7
algorithm = ga, sa, abc, hill, hybrid, beam
evaluations = 2000
END
cat > games.ini <<'END'
[experiment]
command = simulate
repeat = 2
[simulate]
agent = bcts, dt20, weighted, lookahead, beam
games = 2
max-pieces = 20
END
cp -r /usr/share/doc/tetropt/examples .
tetropt solve --n 6 --seed 2 --evaluations 500 --json --save replay.json > solution.json
tetropt simulate --agent weighted --games 1 --max-pieces 12 --seed 3 --keep-best game.json --quiet
tetropt train --agent dt20 --height 8 --games 2 --max-pieces 200 --generations 3 --seed 1 --held-out 2 \
    --method cross-entropy --out weights.json --log training.jsonl --quiet
for store in sqlite:store.sqlite $SERVER; do
    tetropt experiment init done.ini --seed 1 --store "$store" --quiet
    tetropt experiment run --workers 1 --store "$store" --quiet
    tetropt experiment init waiting.ini --seed 2 --store "$store" --quiet
    tetropt experiment init games.ini --seed 3 --store "$store" --quiet
done
examples=/usr/share/doc/libtetropt-dev/examples
cc $examples/play.c -o play $(pkg-config --cflags --libs tetropt)
cc $examples/solve.c -o solve $(pkg-config --cflags --libs tetropt)
c++ $examples/measure.cpp -o measure $(pkg-config --cflags --libs tetropt)
"""

# What both versions answer, each in its own copy of the files.
ANSWERS = r"""
set -eux
exec > /dev/null
cd "$DIRECTORY"
mkdir answers
tetropt pieces --config settings.ini > answers/pieces.txt
tetropt perft --config settings.ini --json > answers/perft.json
tetropt simulate --config settings.ini --json --no-times > answers/settings.json
tetropt simulate --agent dt20 --weights weights.json --height 8 --games 3 --max-pieces 100 --seed 1 \
    --json --no-times > answers/weights.json
tetropt eval examples/game.json --json > answers/eval.json
tetropt replay replay.json --json > answers/replay.json
tetropt replay game.json --json > answers/game.json
for store in sqlite:store.sqlite $SERVER; do
    tetropt experiment export csv --store "$store" > "answers/${store%%:*}.csv"
    tetropt experiment run --workers 1 --quiet --store "$store"
    tetropt experiment export jsonl --store "$store" > "answers/${store%%:*}.jsonl"
done
tetropt train --resume weights.json.state --generations 5 --quiet
cp weights.json answers/trained.json
./play 7 > answers/play.txt
./measure dt20 > answers/measure.txt
./solve IOTSZJLIOT | grep -c 'nothing is left' > answers/solve.txt
"""



def varies(name):
    """Members that measure or describe a run, not its result."""
    return (name in ("version", "program", "threads", "host", "started", "finished")
            or "second" in name or name.endswith("_us"))


def snapshot(directory):
    """Mode and content of every file under a directory."""
    found = {}
    for parent, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                content = hashlib.sha256(file.read()).hexdigest()
            found[os.path.relpath(path, directory)] = (os.stat(path).st_mode, content)
    return found


def contents(package):
    """The files of a package, without directories."""
    run = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True, check=True)
    names = subprocess.run(["tar", "-t"], input=run.stdout, capture_output=True, check=True)
    return {name for name in names.stdout.decode().splitlines() if not name.endswith("/")}


def difference(old, new, where=""):
    """The first place where `new` does not have what `old` has, or None."""
    if isinstance(old, dict) and isinstance(new, dict):
        pairs = [(name, old[name], new.get(name)) for name in old if not varies(name)]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [(index, *pair) for index, pair in enumerate(zip(old, new))]
    else:
        return None if old == new else f"{where}: 1.0.0 gave {old!r}, now {new!r}"
    return next(filter(None, (difference(a, b, f"{where}.{name}") for name, a, b in pairs)), None)


def parsed(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".json"):
        return json.loads(text)
    if path.endswith(".jsonl"):
        runs = [json.loads(line) for line in text.splitlines()]
        for run in runs:  # newer logs have more rows, and more columns after evaluations, best and mean
            rows = run.pop("evolution")
            run["end of log"] = rows[-1][:3] if run["command"] == "solve" else None
        return runs
    return text.splitlines()


class Upgrade:
    def __init__(self, root, old, new):
        self.root, self.old, self.new = root, old, new
        self.work = os.path.join(root.home, "work")
        self.scores = os.path.join(root.home, ".local", "share", "tetropt", "scores.json")
        self.server = None
        self.failures = []

    def expect(self, what, good, detail=""):
        if not good:
            self.failures.append(what)
            print(f"FAIL upgrade: {what}: {detail}")

    def start_server(self):
        """A PostgreSQL server of this machine, with its socket in the root."""
        programs = can_start()
        if not programs:
            print("upgrade: there is no PostgreSQL server to start: only the store in a file is tested")
            self.expect("PostgreSQL", not os.environ.get("TETROPT_NO_SKIP"))
            return
        tempfile.tempdir = os.path.join(self.root.path, "tmp")
        try:
            self.server = Server(programs)
        finally:
            tempfile.tempdir = None
        os.chmod(self.server.folder, 0o755)  # the user must reach the socket

    def address(self, database):
        """A store on the server, as seen in the root."""
        if not self.server:
            return ""
        return f"postgresql://postgres@/{database}?host=/{os.path.relpath(self.server.folder, self.root.path)}"

    def high_scores(self):
        if not os.path.exists(self.scores):
            return []
        with open(self.scores, encoding="utf-8") as file:
            return [(mode, entry) for mode, entries in json.load(file).items() for entry in entries]

    def play(self, *more):
        """A sprint of one line with the keys of the settings; returns the high scores."""
        before = len(self.high_scores())
        command, environment = self.root.command(
            "tetropt", "play", "--config", f"/home/{USER}/work/settings.ini", *more, user=USER)
        screen = Screen(command, "/", environment)
        self.expect("play starts", screen.wait_for("quit", 30), screen.text())
        screen.press("l", "l", "l", "k", "j", "j", "j", "k", "k")
        end = time.monotonic() + 30
        while len(self.high_scores()) == before and time.monotonic() < end:
            screen.read(0.05)
        screen.press("q")
        self.expect("play ends", screen.finish(30) == 0, screen.text())
        screen.close()
        return self.high_scores()

    def answer(self, directory, database):
        self.root.script(ANSWERS, user=USER, DIRECTORY=f"/home/{USER}/{directory}", SERVER=self.address(database))

    def check_packages(self):
        """Names and versions allow the upgrade, and no file moves from one package to another, which
        would need Breaks and Replaces."""
        owners = {name: package_name(path) for path in self.old for name in contents(path)}
        for path in self.new:
            moved = {name for name in contents(path) if owners.get(name, package_name(path)) != package_name(path)}
            self.expect("no file moves between packages", not moved, sorted(moved))
        self.expect("every package of 1.0.0 has a successor",
                    {package_name(path) for path in self.old} <= {package_name(path) for path in self.new})

    def check_files(self):
        """All of our files belong to the new packages, unchanged, and the state of dpkg is clean."""
        version = os.path.basename(self.new[0]).split("_")[1]
        for path in self.new:
            found = self.root.run("dpkg-query", "-W", "-f", "${Version} ${Status}", package_name(path), output=True)
            self.expect("installed version", found == f"{version} install ok installed", found)
        self.expect("dpkg --audit", not self.root.run("dpkg", "--audit", output=True))
        self.expect("dpkg --verify", not self.root.run(
            "dpkg", "--verify", *map(package_name, self.new), output=True))
        owned = {line.strip("/") for path in self.new for line in self.root.run(
            "dpkg", "-L", package_name(path), output=True).splitlines()}
        stale = [name for name in self.root.leftovers()
                 if name not in owned and "__pycache__" not in name]
        self.expect("no file of 1.0.0 stays", not stale, stale)

    def check_answers(self):
        old = os.path.join(self.root.home, "work-1.0", "answers")
        names = sorted(os.listdir(old))
        self.expect("the same answers exist", names == sorted(os.listdir(os.path.join(self.work, "answers"))))
        for name in names:
            found = difference(parsed(os.path.join(old, name)), parsed(os.path.join(self.work, "answers", name)))
            self.expect(name, not found, found)
        # 1.0.0 wrote solve documents, but could not read them.
        solution = parsed(os.path.join(self.work, "solution.json"))
        evaluated = json.loads(self.root.run("tetropt", "eval", f"/home/{USER}/work/solution.json", "--json",
                                             user=USER, output=True))
        for name in ("fitness", "board"):
            self.expect(f"{name} of the solution", evaluated[name] == solution[name], (evaluated, solution))
        for path in glob.glob(f"{old}/*.jsonl"):
            states = {run["state"] for run in parsed(path)}
            self.expect("every run is done", states == {"done"}, states)

    def run(self):
        self.check_packages()
        self.start_server()
        try:
            self.check_all()
        finally:
            if self.server:
                self.server.remove()
        return not self.failures

    def check_all(self):
        self.root.install(self.old)
        self.root.script(WORK, user=USER, SERVER=self.address("postgres"))
        before = self.play()
        self.expect("a high score of 1.0.0", len(before) == 1, before)
        self.root.run("cp", "-a", f"/home/{USER}/work", f"/home/{USER}/work-1.0", user=USER)
        if self.server:
            self.server.sql("CREATE DATABASE old TEMPLATE postgres")
        self.answer("work-1.0", "old")

        files = snapshot(self.root.home)
        self.root.install(self.new)
        self.expect("the upgrade leaves the user's files alone", snapshot(self.root.home) == files)
        self.check_files()
        self.answer("work", "postgres")
        self.check_answers()
        after = self.play("--countdown", "0")
        self.expect("high scores", len(after) == 2 and before[0] in after and
                    after[0][0] == after[1][0], (before, after))

        files = snapshot(self.root.home)
        self.root.purge(self.new)
        self.expect("the purge leaves the user's files alone", snapshot(self.root.home) == files)
        self.expect("the purge removes all of ours", not self.root.leftovers(), self.root.leftovers())
