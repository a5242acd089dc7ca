#!/usr/bin/env python3
"""simulate, tbp and serve for a long time, and what becomes of their memory and their speed.

    run.py --tetropt PATH [--minutes 60] [--only simulate|tbp|serve]

Every process is looked at every few seconds. The run is cut into ten parts; the table has, of each
part, the largest resident memory, and what was done until its end for every second of the process's
own processor time, which others on the machine change little. It is an error when the memory of the
last half grows by more than a twentieth over that of the first half and by more than 4 MiB, or when a
process ends by itself or answers wrong. Speed is printed and not judged.
"""
import argparse
import os
import random
import re
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


def processor_seconds(pid):
    """What a process has used so far, all threads."""
    with open(f"/proc/{pid}/stat") as stat:
        words = stat.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Load:
    """One program under load: its memory and what it got done, by parts of the time."""

    def __init__(self, name, unit, seconds):
        self.name, self.unit, self.seconds = name, unit, seconds
        self.begin = time.monotonic()
        self.memory, self.done, self.errors = [0] * PARTS, 0, []
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
            self.memory[part] = max(self.memory[part], kb)
            self.speed[part] = self.done / max(processor_seconds(pid), 1e-2)
        except (OSError, AttributeError):
            self.errors.append("ended by itself")
            return False
        return True

    def verdict(self):
        half = PARTS // 2
        before, after = max(self.memory[1:half]), max(self.memory[half:])
        if before and after > before * 1.05 and after > before + SLACK_KB:
            self.errors.append(f"memory grew from {before} to {after} KiB")
        return not self.errors

    def show(self):
        print(f"\n{self.name}: MiB " + " ".join(f"{kb / 1024:.1f}" for kb in self.memory))
        print(f"  {self.unit} a second of processor time, so far: " +
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
            found = re.search(r"([\d.e+]+) pieces,", line)
            pieces = float(found.group(1)) if found else pieces

    threading.Thread(target=read, daemon=True).start()
    while load.note(run.pid, pieces - load.done):
        time.sleep(2)
    run.terminate()
    if run.wait(20) not in (130, 143):
        load.errors.append(f"exit {run.returncode}")


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
    bot = CountingBot(Place(program), "--threads", "1", "--move-time", "50", "--quiet")
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


LOADS = {"simulate": (load_simulate, "pieces"), "tbp": (load_tbp, "nodes"),
         "serve": (load_serve, "requests")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--only", choices=LOADS)
    options = parser.parse_args()
    program = os.path.abspath(options.tetropt)
    loads, threads = [], []
    for name, (run, unit) in LOADS.items():
        if options.only in (None, name):
            loads.append(Load(name, unit, options.minutes * 60))
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
