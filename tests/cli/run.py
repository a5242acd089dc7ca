#!/usr/bin/env python3
"""Checks the program from outside: exit codes, messages, JSON, help, manual, completions.

    run.py --tetropt PATH [--long] [NAME...]
    run.py --list

A NAME picks the modules `check_NAME.py`; all of them otherwise; --list prints the names. --long also runs the examples that
the help texts mark as long. A new command gets a module of its own; what holds for every command is
in check_every.py and finds the new one by itself. The last line is `N passed, M failed`.
"""

import argparse
import glob
import importlib
import os
import signal
import sys
import time

import harness

HERE = os.path.dirname(os.path.abspath(__file__))


def checks_of(module):
    return [(name, check) for name, check in vars(module).items() if name.startswith("check_")]


def main():
    parser = argparse.ArgumentParser(description="End to end checks of the command line.")
    parser.add_argument("--tetropt", metavar="PATH", help="the program")
    parser.add_argument("--list", action="store_true", help="print the names of all checks")
    parser.add_argument("--long", action="store_true", help="run long examples too")
    parser.add_argument("names", nargs="*", metavar="NAME", help="check_NAME.py alone")
    options = parser.parse_args()
    found = sorted(glob.glob(os.path.join(HERE, "check_*.py")))
    names = [os.path.basename(path)[:-3] for path in found]
    if options.list:
        print("\n".join(name.removeprefix("check_") for name in names))
        return 0
    if not options.tetropt:
        parser.error("--tetropt is needed")
    wanted = [f"check_{name}" for name in options.names] or names
    for name in wanted:
        if name not in names:
            parser.error(f"there is no {name}.py")
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup the program would rightly ignore it
    t = harness.Harness(
        options.tetropt, os.path.join(HERE, "..", "..", "examples"), options.long
    )
    for name in wanted:
        started, before = time.monotonic(), t.passed
        for function, check in checks_of(importlib.import_module(name)):
            t.enter(f"{name}.{function}")
            try:
                check(t)
            finally:
                t.leave()
        print(f"{name}: {t.passed - before} passed in {time.monotonic() - started:.1f} s")
    print(f"{t.passed} passed, {t.failed} failed")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
