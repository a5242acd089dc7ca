"""What the tests of experiments share: the program, a grid that is limited by evaluations, and the
store of an undisturbed run to compare with."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# Runs of some hundredths of a second, all different, none limited by time.
GRID = """[experiment]
command = solve
repeat = {repeat}
[solve]
n = 10, 20
encoding = simple, swap-double
evaluations = {evaluations}
[solve ga]
algorithm = ga
population = 500
[solve sa]
algorithm = sa
cooling = 0.0005
steps = {evaluations}
patience = {evaluations}
"""


def scale():
    return float(os.environ.get("TETROPT_TEST_SCALE", "1"))


class Failure(Exception):
    pass


def expect(good, *what):
    if not good:
        raise Failure(" ".join(str(part) for part in what))


class Folder:
    """A folder of its own with a grid in it."""

    def __init__(self, tetropt, repeat, evaluations):
        self.tetropt = os.path.abspath(tetropt)
        self.path = tempfile.mkdtemp(prefix="tetropt-experiment-")
        self.grid = os.path.join(self.path, "grid.ini")
        self.runs = 8 * repeat
        self.started = []
        with open(self.grid, "w", encoding="utf-8") as file:
            file.write(GRID.format(repeat=repeat, evaluations=evaluations))

    def remove(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
        shutil.rmtree(self.path, ignore_errors=True)

    def start(self, *arguments):
        process = subprocess.Popen([self.tetropt, "experiment", *arguments], cwd=self.path,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.started.append(process)
        return process

    def call(self, *arguments, code=0):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=300)
        expect(process.returncode == code, arguments, "exit", process.returncode, err)
        return out

    def init(self, store):
        self.call("init", self.grid, "--store", store, "--seed", "5")

    def export(self, store):
        return self.call("export", "jsonl", "--store", store, "--no-times")

    def counts(self, store):
        return json.loads(self.call("status", "--store", store, "--json"))

    def undisturbed(self):
        store = "sqlite:undisturbed.sqlite"
        self.init(store)
        self.call("run", "--store", store, "--quiet")
        rows = self.export(store)
        expect(rows.count("\n") == self.runs, "undisturbed:", rows.count("\n"), "rows")
        return rows


def kill(process):
    """SIGKILL; true when the process had not ended by itself."""
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return alive and process.returncode == -signal.SIGKILL


def main(test):
    """Runs `test`; one line for a failure."""
    start = time.time()
    try:
        test()
    except Failure as failure:
        print("FAIL", failure)
        sys.exit(1)
    print(f"ok in {time.time() - start:.1f} s")
