#!/usr/bin/env python3
"""Differential test: random cases through tetropt and through oracle.py.

    compare.py --tetropt PATH [--cases 3000] [--seed 1] [--keep DIR]
    compare.py --tetropt PATH --perft [--cases 60] [--perft-sizes]

The first form pipes all cases as JSON Lines to `PATH eval --batch --json` and
compares line by line: integers, strings, booleans and boards exactly, floats to
1e-6; keys that the specification does not name are ignored.  A few lines are
bad on purpose (--bad percent): both must then answer with an error, whose text
is not compared, and the exit code must be 2.

The second form compares `PATH perft --pieces Q --depth D --board FILE --hold
on|off --json` on small random boards; --perft-sizes also gives --width and
--height.

Case number i depends on the seed and i alone, so a failing one can be made
again with `--seed S --only i`.  `--tetropt ./oracle.py` tries the plumbing.
The last line is `N passed, M failed`; exit 0 if nothing failed, 1 if something
did, 2 if the program could not be run.
"""

import argparse
import collections
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time

import oracle
from cases import make_case, random_board_rows, random_pieces, random_size

FLOAT_TOLERANCE = 1e-6
CASES_SHOWN = 3
PERFT_TIMEOUT_SECONDS = 120
EVAL_TIMEOUT_SECONDS = 1800


# ---------------------------------------------------------------------------
# Comparing
# ---------------------------------------------------------------------------

def differences(expected, actual, where=""):
    """Where two answers differ, as lines of text; further keys are no difference."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return [f"{where or 'answer'}: {actual!r}, expected an object"]
        if "error" in expected and not where:
            if isinstance(actual.get("error"), str):
                return []
            return [f"no error, expected one: {expected['error']}"]
        found = []
        for key, value in expected.items():
            if key in actual:
                found += differences(value, actual[key], f"{where}.{key}".lstrip("."))
            else:
                found.append(f"{where}.{key}: missing".lstrip("."))
        if "error" in actual:
            found.append(f"error: {actual['error']}")
        return found
    if isinstance(expected, float):
        number = isinstance(actual, (int, float)) and not isinstance(actual, bool)
        if number and abs(actual - expected) <= FLOAT_TOLERANCE:
            return []
    elif type(expected) is type(actual) and expected == actual:
        return []
    return [f"{where}: {actual!r}, expected {expected!r}"]


def show_case(index, line, expected, actual_line, found):
    print(f"--- case {index} differs")
    for text in found:
        print(f"    {text}")
    print(f"  input:    {line}")
    print(f"  expected: {json.dumps(expected)}")
    print(f"  tetropt:  {actual_line}")


def parse_answer(line):
    try:
        return json.loads(line)
    except ValueError:
        return f"no JSON: {line!r}"


def keep_files(folder, files):
    os.makedirs(folder, exist_ok=True)
    for name, lines in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))


def report_end(passed, failed):
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


# ---------------------------------------------------------------------------
# The two modes
# ---------------------------------------------------------------------------

def compare_eval(options):
    # 1. The cases and the oracle's answers.
    indexes = [options.only] if options.only is not None else range(options.cases)
    tasks = [(options.seed, index, options.bad) for index in indexes]
    started = time.monotonic()
    with multiprocessing.Pool(options.jobs) as pool:
        made = pool.map(make_case, tasks, chunksize=16)
    seconds = time.monotonic() - started
    lines = [line for line, _, _ in made]

    # 2. The same lines through the program.
    started = time.monotonic()
    run = subprocess.run(
        [options.tetropt, "eval", "--batch", "--json"],
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=EVAL_TIMEOUT_SECONDS,
        check=False,
    )
    program_seconds = time.monotonic() - started
    answers = run.stdout.splitlines()

    # 3. Line against line.
    passed, failed, failing = 0, 0, []
    for place, (line, expected, _) in enumerate(made):
        actual_line = answers[place] if place < len(answers) else "(no line)"
        found = differences(expected, parse_answer(actual_line))
        if not found:
            passed += 1
            continue
        failed += 1
        failing.append(line)
        if failed <= CASES_SHOWN:
            show_case(tasks[place][1], line, expected, actual_line, found)
    if len(answers) > len(made):
        failed += 1
        print(f"--- {len(answers)} lines of output for {len(made)} of input")
    expected_code = 2 if any("error" in answer for _, answer, _ in made) else 0
    if run.returncode == expected_code:
        passed += 1
    else:
        failed += 1
        print(f"--- exit code {run.returncode}, expected {expected_code}")
        print(f"    stderr: {run.stderr.strip()[-500:]}")

    # 4. Summary.
    if options.keep:
        keep_files(
            options.keep,
            {
                "cases.jsonl": lines,
                "expected.jsonl": [json.dumps(answer) for _, answer, _ in made],
                "actual.jsonl": answers,
                "failing.jsonl": failing,
            },
        )
    covered = collections.Counter(name for _, _, covers in made for name in covers)
    print("covered: " + ", ".join(f"{name} {n}" for name, n in sorted(covered.items())))
    print(
        f"{len(made)} cases and the exit code; oracle {seconds:.1f} s"
        f" ({len(made) / max(seconds, 1e-9):.0f} cases/s), tetropt {program_seconds:.2f} s"
    )
    return report_end(passed, failed)


def make_perft_case(task):
    """(options, board rows, expected nodes, nodes by the other reading)."""
    seed, index, sizes = task
    rng = random.Random(f"tetropt perft {seed} {index}")
    width, height = random_size(rng) if sizes else (10, 20)
    rows = random_board_rows(rng, width, height) if rng.random() < 0.9 else ["." * width]
    hold = rng.random() < 0.5
    depth = rng.randint(1, 2)
    pieces = random_pieces(rng, rng.randint(depth, depth + 2))
    board = oracle.Board.from_rows(rows, width, height)
    arguments = {"--pieces": pieces, "--depth": str(depth)}
    arguments["--hold"] = "on" if hold else "off"
    if sizes:
        arguments["--width"], arguments["--height"] = str(width), str(height)
    nodes = oracle.perft(board, pieces, depth, hold)
    other = oracle.perft(board, pieces, depth, hold, False) if hold else nodes
    return arguments, rows, nodes, other


def run_perft(program, arguments, rows, folder):
    """The program's nodes, or a text that says what went wrong."""
    path = os.path.join(folder, "board.txt")
    keep_files(folder, {"board.txt": rows})
    command = [program, "perft", "--json", "--board", path]
    for name, value in arguments.items():
        command += [name, value]
    try:
        run = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=PERFT_TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    answer = parse_answer(run.stdout.strip())
    if run.returncode or not isinstance(answer, dict):
        return f"exit {run.returncode}: {run.stdout.strip()} {run.stderr.strip()}"
    if answer.get("depth") != int(arguments["--depth"]):
        return f"depth {answer.get('depth')!r}"
    return answer.get("nodes")


def compare_perft(options):
    indexes = [options.only] if options.only is not None else range(options.cases)
    tasks = [(options.seed, index, options.perft_sizes) for index in indexes]
    started = time.monotonic()
    with multiprocessing.Pool(options.jobs) as pool:
        made = pool.map(make_perft_case, tasks, chunksize=1)
    seconds = time.monotonic() - started
    passed, failed, readings = 0, 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for task, (arguments, rows, nodes, other) in zip(tasks, made):
            actual = run_perft(options.tetropt, arguments, rows, folder)
            if actual in (nodes, other):
                passed += 1
                if nodes != other:
                    readings["first" if actual == nodes else "second"] += 1
                continue
            failed += 1
            if options.keep:
                keep_files(options.keep, {f"perft-{task[1]}.txt": rows})
            if failed <= CASES_SHOWN:
                print(f"--- perft case {task[1]} differs: {arguments}")
                print("\n".join(f"    |{row}|" for row in rows))
                print(f"  expected: {nodes}")
                print(f"  tetropt:  {actual}")
    if readings:
        print(
            "hold with a blocked current piece: the turn ends in"
            f" {readings['first']} cases, the held piece is offered in"
            f" {readings['second']} (the specification allows both readings)"
        )
    print(f"{len(made)} perft cases; oracle {seconds:.1f} s")
    return report_end(passed, failed)


def main():
    parser = argparse.ArgumentParser(
        description="Random cases through tetropt and through oracle.py."
    )
    parser.add_argument("--tetropt", required=True, metavar="PATH", help="the program")
    parser.add_argument("--cases", type=int, help="default 3000, with --perft 60")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="INDEX", help="that case alone")
    parser.add_argument("--bad", type=float, default=3, help="percent of bad lines (3)")
    parser.add_argument("--keep", metavar="DIR", help="write cases and answers there")
    parser.add_argument("--jobs", type=int, help="processes (default: the cores)")
    parser.add_argument("--perft", action="store_true", help="compare perft instead")
    parser.add_argument(
        "--perft-sizes", action="store_true", help="perft with --width and --height"
    )
    options = parser.parse_args()
    if options.cases is None:
        options.cases = 60 if options.perft else 3000
    try:
        return compare_perft(options) if options.perft else compare_eval(options)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"compare: {options.tetropt}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
