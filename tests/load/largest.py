#!/usr/bin/env python3
"""The largest inputs and settings that every command allows, and some beyond that.

    largest.py --tetropt PATH [--first N]

Every command must end by itself within a minute of CPU time, which depends little on other processes
(those that take a time limit are given two seconds), within 4 GiB, and with an exit code of the
manual: 0, 1, or one line and 2, or 3 where the machine has too little memory. The table shows what
each took.
"""
import argparse
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import time

SECONDS, PATIENCE_SECONDS, MEMORY = 60, 600, 4 << 30


def write(name, parts):
    with open(name, "w") as file:
        file.writelines(parts)
    return name


def game(moves):
    """A replay of O pieces that fill two rows in five placements, again and again."""
    five = ",".join('{"piece":"O","x":%d,"y":0,"rotation":"north"}' % (x * 2) for x in range(5))
    return write("long.json", [
        '{"format":"tetropt replay","version":1,"rules":{"set":"drop","scoring":"unit","width":10,'
        '"height":20},"seeds":{"pieces":1},"board":[],"pieces":"', "O" * moves, '","moves":[',
        ",".join([five] * (moves // 5)), '],"result":{"score":', str(moves // 5 * 3), ',"lines":',
        str(moves // 5 * 2), ',"pieces":', str(moves), ',"over":"no"}}'])


def cases():
    wide = ["--width", "16", "--height", "40"]
    solve = ["solve", "--n", "1000", "--seed", "1", "--quiet", "--time", "2", "--algorithm"]
    for name in ("auto", "ga", "sa", "abc", "hill", "hybrid", "beam", "exact"):
        yield [*solve, name, *wide]
    yield [*solve, "ga", "--param", "population=10000000"]
    yield [*solve, "abc", "--param", "colony=10000000"]
    yield [*solve, "beam", "--param", "width=1000000"]
    yield [*solve, "exact", "--param", "table=26"]
    yield [*solve, "beam", "--encoding", "placements", "--param", "width=1000000"]
    yield ["pieces", "--n", "1000000", "--seed", "1"]
    yield ["solve", "--time", "1", "--seed", "1", "--pieces", "@" + write("p.txt", ["TISZOLJ" * 140])]
    yield ["solve", "--pieces", "@" + write("q.txt", ["TISZOLJ" * 150000])]
    yield ["solve", "--pieces", "T", "--board", write("b.txt", ["X" * (1 << 16)])]
    queue = '"' + "TISZOLJ" * 1428 + '"'
    genes = ",".join(["[0,-3,2,4,0]"] * 999)
    yield ["eval", write("e1.json", ['{"encoding":"swap-double","pieces":', queue, ',"genes":[',
                                     genes, '],"placements":999}'])]
    yield ["eval", write("e2.json", ["[" * (16 << 20)])]
    yield ["eval", write("e3.json", ['{"pieces":"', "T" * (16 << 20), '"}'])]
    yield ["replay", game(200000), "--to", "json"]
    yield ["replay", game(200000), "--to", "svg", "--out", "long.svg"]
    yield ["replay", game(3000000), "--to", "json"]
    yield ["replay", write("f.txt", ["v115@" + "vhA" * 300000]), "--to", "json"]
    yield ["replay", write("g.txt", ["v115@vh" + "/" * (1 << 20)]), "--to", "json"]
    yield ["demo", "queens", "--n", "1000", "--seed", "1"]
    yield ["demo", "partition", "--sets", "50", "--target", "100", "--seed", "1", "--save", "p.json"]
    yield ["demo", "partition", "--sets", "50", "--target", "500", "--seed", "1", "--time", "2"]
    yield ["simulate", "--agent", "bees", "--games", "1", "--max-pieces", "20", "--threads", "256"]
    yield ["demo", "sat", "--variables", "1000000", "--clauses", "10000000", "--time", "2",
           "--seed", "1"]
    clauses = (f"{i % 999999 + 1} -{i % 7919 + 1} {i % 104729 + 1} 0\n" for i in range(4000000))
    head = ["p cnf 1000000 4000000\n"]
    yield ["demo", "sat", "--dimacs", write("d.cnf", [*head, *clauses]), "--time", "2",
           "--seed", "1"]
    yield ["simulate", "--agent", "surface", "--games", "1000000000", "--threads", "256",
           "--time", "2", "--quiet"]
    yield ["simulate", "--agent", "beam", "--param", "width=100000", "--max-pieces", "2",
           "--games", "1", "--param", "futures=0", "--preview", "3", *wide]
    yield ["simulate", "--randomizer", "list", "--list", write("l.txt", ["T" * (1 << 20)]),
           "--games", "1", "--max-pieces", "1000"]
    yield ["train", "--agent", "dt20", "--method", "cross-entropy", "--param", "population=1024",
           "--height", "8", "--games", "1", "--max-pieces", "100", "--time", "2", "--held-out", "5",
           "--seed", "1", "--quiet"]
    yield ["train", "--weights", write("w.json", ['{"weights":[', "1," * 500000, "1]}"])]
    grid = "[experiment]\ncommand = solve\nrepeat = %d\n[solve]\nn = 10, 20\nevaluations = 1\n"
    store = ["--seed", "1", "--store", "sqlite:big.db"]
    yield ["experiment", "init", write("big.ini", [grid % 50000]), *store]
    yield ["experiment", "status", "--store", "sqlite:big.db"]
    yield ["report", "--store", "sqlite:big.db"]
    yield ["experiment", "init", write("large.ini", [grid % 50000000]), *store]
    yield ["experiment", "init", write("huge.ini", [grid % 500000000]), "--yes", *store]
    yield ["simulate", "--config", write("c.ini", ["[simulate]\n", "games = 1\n" * 100000]),
           "--max-pieces", "10"]


def bounded():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(program, words, stdin=None):
    begun = time.monotonic()
    with open("err", "wb") as errors, open("out", "wb") as out:
        process = subprocess.Popen([program, *words], stdout=out, stderr=errors,
                                   stdin=stdin or subprocess.DEVNULL, preexec_fn=bounded)
        timer = begun + PATIENCE_SECONDS
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > timer:
                process.kill()
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    with open("err", "rb") as file:
        lines = file.read().decode(errors="replace").strip().splitlines()
    code, last = process.returncode, lines[-1][:90] if lines else ""
    good = seconds < SECONDS and usage.ru_maxrss * 1024 < MEMORY and code in (0, 1, 2, 3)
    if code > 1 and (len(lines) != 1 or not lines[0].startswith("tetropt: ")):
        good = False
    told = " ".join(words)[:70]
    print(f"{'' if good else 'WRONG '}exit {code}, {seconds:.1f} s, {usage.ru_maxrss >> 10} MiB: "
          f"{told}{'  | ' + last if code else ''}", flush=True)
    return good


def bot(program):
    """A line of a mebibyte, and as many pieces as a queue may hold."""
    queue = ",".join('"T"' for _ in range(4096))
    board = "[" + ",".join("[" + ",".join(["null"] * 10) + "]" for _ in range(40)) + "]"
    write("bot.jsonl", ['{"type":"rules","randomizer":"unknown"}\n', "x" * (1 << 20), "\n",
                        f'{{"type":"start","board":{board},"queue":[{queue}],"hold":null,"combo":0,'
                        '"back_to_back":false}\n{"type":"suggest"}\n{"type":"quit"}\n'])
    with open("bot.jsonl") as stdin:
        return run(program, ["tbp", "--nodes", "100000", "--quiet"], stdin)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--first", type=int, metavar="N", help="the first N commands alone")
    options = parser.parse_args()
    program = os.path.abspath(options.tetropt)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        results = [run(program, words) for words in itertools.islice(cases(), options.first)]
        results += [] if options.first else [bot(program)]
    print(f"largest: {results.count(True)} good, {results.count(False)} wrong")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
