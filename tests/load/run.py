#!/usr/bin/env python3
"""simulate, match, tbp, serve and the vector environment of Python for a long time, and what becomes
of their memory and their speed.

    run.py --tetropt PATH [--minutes 60] [--only NAME] [--python PATH]

PATH of Python is the one of a virtual environment with the package; by default venv/bin/python next to
the program (scripts/python-setup --install build). Where there is none, that part is left out.

Every process is sampled every few seconds, and the run is divided into ten parts. The table shows, for
each part, the median of the resident memory, its maximum, and the work done so far per second of the
process's own CPU time, which depends little on the other processes of the machine. It is an error if the
largest median of the second half is more than a twentieth and more than 4 MiB above that of the first
half, if the number of open descriptors grows, or if a process ends by itself or answers wrong. (The
maximum of `serve` depends on how many searches happen to run at the same time; a leak raises the median.)
A match keeps the result of every game until its end, so that much growth is allowed. Speed is only
printed.
"""
import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
sys.path.insert(0, os.path.join(HERE, "..", "web"))
import hostile  # noqa: E402
import tbp_frontend  # noqa: E402

PARTS = 10
SLACK_KB = 4096
SLACK_DESCRIPTORS = 16
GAME_BYTES = 800  # what a match keeps of a game, with what malloc adds; see DuelResult


def processor_seconds(pid):
    """What a process has used so far, all threads."""
    with open(f"/proc/{pid}/stat") as stat:
        words = stat.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def counted(line, what, before):
    """The number of `what` in a line of progress, such as 36.9 M pieces; without one, `before`."""
    found = re.search(rf"([\d.]+) ?([kMGT]?) {what},", line)
    return float(found.group(1)) * 1000 ** " kMGT".index(found.group(2) or " ") if found else before


class Load:
    """One program under load: its memory and what it got done, by parts of the time."""

    def __init__(self, name, unit, seconds):
        self.name, self.unit, self.seconds = name, unit, seconds
        self.begin = time.monotonic()
        self.kept_bytes = 0  # for everything that was done
        self.descriptors, self.done_at = [0] * PARTS, [0] * PARTS
        self.memory = [[] for _ in range(PARTS)]  # samples, in KiB
        self.done, self.errors = 0, []
        self.speed = [0] * PARTS

    def part(self):
        passed = time.monotonic() - self.begin
        return None if passed >= self.seconds else int(passed * PARTS / self.seconds)

    def note(self, pid, done):
        """What was done since the last time; False when the time is over."""
        part = self.part()
        if part is None:
            return False
        self.done += done
        try:
            with open(f"/proc/{pid}/status") as status:
                kb = int(re.search(r"VmRSS:\s*(\d+)", status.read()).group(1))
            self.memory[part].append(kb)
            self.done_at[part] = self.done
            self.descriptors[part] = max(self.descriptors[part],
                                         len(os.listdir(f"/proc/{pid}/fd")))
            self.speed[part] = self.done / max(processor_seconds(pid), 1e-2)
        except (OSError, AttributeError):
            self.errors.append("ended by itself")
            return False
        return True

    def medians(self):
        return [statistics.median(samples or [0]) for samples in self.memory]

    def verdict(self):
        half = PARTS // 2
        own = [kb - self.kept_bytes * done / 1024 for kb, done in zip(self.medians(), self.done_at)]
        before, after = max(own[1:half]), max(own[half:])
        if before and after > before * 1.05 and after > before + SLACK_KB:
            self.errors.append(f"memory grew from {before:.0f} to {after:.0f} KiB")
        if max(self.descriptors[half:]) > max(self.descriptors[:half]) + SLACK_DESCRIPTORS:
            self.errors.append(f"open descriptors grew: {self.descriptors}")
        return not self.errors

    def show(self):
        for what, values in (("median", self.medians()),
                             ("maximum", [max(samples, default=0) for samples in self.memory])):
            print(f"{self.name}: {what} MiB " + " ".join(f"{kb / 1024:.1f}" for kb in values))
        print(f"  {self.unit} per second of CPU time, so far: " +
              " ".join(f"{speed:.4g}" for speed in self.speed))
        for error in dict.fromkeys(self.errors):
            print(f"  WRONG: {error}")


def load_simulate(program, load):
    """Streams of games; the progress lines say how many pieces there were."""
    run = subprocess.Popen([program, "simulate", "--agent", "surface", "--total-pieces",
                            "1000000000000", "--threads", "1", "--seed", "1"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, bufsize=1)
    pieces = 0

    def read():
        nonlocal pieces
        for line in run.stderr:
            pieces = counted(line, "pieces", pieces)

    threading.Thread(target=read, daemon=True).start()
    while load.note(run.pid, pieces - load.done):
        time.sleep(2)
    if pieces == 0 and load.seconds > 60:  # the first line of progress comes after ten seconds
        load.errors.append("no progress was reported")
    run.terminate()
    if run.wait(20) not in (130, 143):
        load.errors.append(f"exit {run.returncode}")


# An outside player that now and then ends, answers nonsense or a placement that is none.
FICKLE = """
import json, random, sys
chance = random.Random(1)
for line in sys.stdin:
    count = len(json.loads(line)["placements"])
    fault = chance.randrange(2000)
    if fault == 0:
        sys.exit(3)
    print({1: "nonsense", 2: "-7"}.get(fault, chance.randrange(count)), flush=True)
"""


def load_match(program, load):
    """One endless match of the bot, an agent and an outside player that misbehaves at times."""
    with open("fickle.py", "w", encoding="utf-8") as file:
        file.write(FICKLE)
    load.kept_bytes = GAME_BYTES
    run = subprocess.Popen([program, "match", "bot?nodes=200", "lookahead?breadth=2",
                            "lines:python3 fickle.py", "--games", "10000000", "--seed", "1",
                            "--max-pieces", "200", "--threads", "1"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, bufsize=1)
    games, last = 0, ""

    def read():
        nonlocal games, last
        for line in run.stderr:
            games, last = counted(line, "games", games), line

    threading.Thread(target=read, daemon=True).start()
    while load.note(run.pid, games - load.done):
        with open(f"/proc/{run.pid}/task/{run.pid}/children", encoding="ascii") as children:
            if len(children.read().split()) > 1:
                load.errors.append("more than one outside player runs")
        time.sleep(2)
    if games == 0 and load.seconds > 60:
        load.errors.append(f"no game was played: {last.strip()}")
    run.terminate()
    if run.wait(20) != 130:
        load.errors.append(f"exit {run.returncode}")


# Random actions; now and then a new environment, a wrong call, a search and another kind of actions.
ENVIRONMENT = """
import random, time
import numpy, tetropt
chance, steps, said = numpy.random.default_rng(1), 0, 0
kinds = [dict(actions="keys"), dict(actions="placements", observation="bits"),
         dict(actions="reachable", observation="features"), dict(actions="keys", observation="float")]
number = 0
while True:
    env = tetropt.VectorEnv(256, autoreset="same-step", **kinds[number % len(kinds)])
    number += 1
    env.reset()
    for _ in range(200):
        legal = env.masks.reshape(256, -1)
        env.step(numpy.argmax(chance.random(legal.shape) * legal, axis=1).astype(numpy.int32))
        steps += 256
        if time.monotonic() - said > 1:
            said = time.monotonic()
            print(steps, flush=True)
    for wrong in (lambda: env.step([1] * 3), lambda: tetropt.solve("?"), lambda: tetropt.VectorEnv(-1)):
        try:
            wrong()
            raise SystemExit("a wrong call was accepted")
        except (ValueError, TypeError):
            pass
    tetropt.solve("TIO", evaluations=100, seed=1)
"""


def load_environment(_program, load):
    """Steps of many games at once, in a process of Python."""
    run = subprocess.Popen([load.python, "-c", ENVIRONMENT], stdout=subprocess.PIPE, text=True)
    steps = 0

    def read():
        nonlocal steps
        for line in run.stdout:
            steps = int(line)

    threading.Thread(target=read, daemon=True).start()
    while load.note(run.pid, steps - load.done):
        if run.poll() is not None:
            load.errors.append(f"exit {run.returncode}")
            return
        time.sleep(2)
    run.kill()
    run.wait()


def python_has_package(python):
    try:
        return subprocess.run([python, "-c", "import tetropt"], check=False, capture_output=True,
                              cwd="/").returncode == 0
    except OSError:
        return False


class Place:
    """What tbp_frontend.Bot asks of a test."""

    def __init__(self, program):
        self.program, self.folder = program, "/"

    @staticmethod
    def environment():
        return None


class CountingBot(tbp_frontend.Bot):
    """Knows how much it searched for its last answer."""
    nodes = 0

    def suggestion(self):
        answer, seconds = super().suggestion()
        self.nodes = (answer or {}).get("move_info", {}).get("nodes", 0)
        return answer, seconds


def load_tbp(program, load):
    """Game after game with one process, every move checked by rules of the tests."""
    # Memory counts when it is first used, so the limit must be reached soon.
    bot = CountingBot(Place(program), "--threads", "1", "--move-time", "50", "--memory", "32", "--quiet")
    bot.receive()
    bot.send({"type": "rules", "randomizer": "seven_bag"})
    bot.receive()
    seed, running = 0, True
    while running:
        seed += 1
        game = tbp_frontend.Game(seed)
        bot.send(game.start())
        for _ in range(200):
            try:
                going, _ = tbp_frontend.step(bot, game)
            except tbp_frontend.Illegal as why:
                load.errors.append(str(why))
                going = False
            running = load.note(bot.process.pid, bot.nodes)
            if not going or not running:
                break
        bot.send({"type": "stop"})
    code = bot.close()
    if code != 0:
        load.errors.append(f"exit {code}")


def visit(server, rng, load):
    """A client that asks for some things, looks at a search for a while, and goes."""
    for path in rng.sample(["/", "/app.js", "/api/about", "/api/stores", "/tetropt.wasm",
                            "/nothing", "/../../etc/passwd"], 3):
        server.ask(path)
        load.note(server.process.pid, 1)
    _, body = server.post("/api/solve", {"pieces": "TISZOLJ" * 3, "encoding": "swap-double",
                                    "algorithm": rng.choice(["ga", "sa", "abc", "auto"]),
                                    "seconds": 2})
    number = re.search(rb'"id": *(\d+)', body)
    if number:
        stream = server.connect()
        stream.sendall(b"GET /api/solve/%s/events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"
                       % (number.group(1), server.port))
        time.sleep(rng.random() * 3)
        if rng.random() < 0.5:
            stream.recv(1 << 14)
        stream.close()
        server.post(f"/api/solve/{int(number.group(1))}/stop", {})
        load.note(server.process.pid, 2)


def load_serve(program, load):
    server = hostile.Server(program)
    def client(seed):
        rng = random.Random(seed)
        while load.part() is not None:
            try:
                visit(server, rng, load)
            except OSError:  # one of too many: turned away
                if server.process.poll() is not None:
                    load.errors.append("ended by itself")
                    return
                time.sleep(0.2)
    clients = [threading.Thread(target=client, args=(seed,)) for seed in range(8)]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    if server.stop() not in (0, 130, 143):
        load.errors.append("did not end well")


LOADS = {"simulate": (load_simulate, "pieces"), "match": (load_match, "games"),
         "tbp": (load_tbp, "nodes"), "serve": (load_serve, "requests"),
         "environment": (load_environment, "steps")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--only", choices=LOADS)
    parser.add_argument("--python")
    options = parser.parse_args()
    program = os.path.abspath(options.tetropt)
    wanted = [options.only] if options.only else list(LOADS)
    python = options.python or os.path.join(os.path.dirname(program), "venv", "bin", "python")
    if "environment" in wanted and not python_has_package(python):
        print(f"left out: environment: {python} has no tetropt")
        if os.environ.get("TETROPT_NO_SKIP"):
            return 1
        wanted.remove("environment")
    loads, threads = [], []
    for name, (run, unit) in LOADS.items():
        if name in wanted:
            loads.append(Load(name, unit, options.minutes * 60))
            loads[-1].python = os.path.abspath(python)
            threads.append(threading.Thread(target=run, args=(program, loads[-1])))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    good = [load.verdict() for load in loads]
    for load in loads:
        load.show()
    print(f"\n{options.minutes:g} minutes: {'all good' if all(good) else 'WRONG'}")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
