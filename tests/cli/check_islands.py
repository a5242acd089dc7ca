"""solve --islands: processes of MPI that search together; and commands that do not.

Without mpirun only what one process does is checked.
"""

import functools
import json
import os
import shutil
import signal
import subprocess
import time

GA = ["--algorithm", "ga", "--param", "population=300", "--n", "8", "--threads", "1"]
SMALL = [*GA, "--seed", "5", "--json", "--no-times"]

# The plug-ins of MPI are gone when leaks are looked for, so no suppression can name them.
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "ASAN_OPTIONS": "detect_leaks=0"}


def mpirun(t, ranks, *arguments):
    return t.shell(f"mpirun --oversubscribe -n {ranks} tetropt {' '.join(arguments)}", env=ROOT)


def complaints(run):
    """The lines of the program on standard error; mpirun adds its own."""
    return [line for line in run.err.splitlines() if line.startswith("tetropt: ")]


@functools.lru_cache
def possible(t):
    """There is mpirun, and the program was built with MPI."""
    if not shutil.which("mpirun"):
        return False
    run = mpirun(t, 2, "solve", "--islands", "--evaluations", "2", *SMALL)
    if "built without" in run.err:
        t.equal("without MPI: one line", (run.code, len(complaints(run)), run.out), (2, 1, ""))
        return False
    return True


def check_one_process(t):
    alone = t.document("solve", *SMALL, "--evaluations", "5000")
    islands = t.document("solve", *SMALL, "--evaluations", "5000", "--islands")
    t.equal("says so", islands.pop("islands", None), 1)
    t.equal("one island is ga", islands, alone)
    for name in ("auto", "hybrid", "sa", "beam"):
        t.refuses("solve", "--n", "4", "--islands", "--algorithm", name, names=(name, "islands"))


def check_ring(t):
    if not possible(t):
        return
    for ranks in (2, 3):
        arguments = ["solve", "--islands", "--evaluations", "20000", *SMALL]
        one, two = mpirun(t, ranks, *arguments), mpirun(t, ranks, *arguments)
        t.equal(f"{ranks} islands: {one.err}", (one.code, one.out.count("\n")), (0, 1))
        t.equal(f"{ranks} islands give the same again", two.out, one.out)
        answer = json.loads(one.out)
        t.equal("evaluations of all", (answer["evaluations"], answer["islands"], answer["seed"]),
                (20000, ranks, 5))
        wanted = {key: answer[key] for key in ("pieces", "encoding", "order", "genes", "placements")}
        judged = t.document("eval", "--json", stdin=json.dumps(wanted))
        t.equal("eval says the same", judged.get("fitness"), answer["fitness"])
    alone = t.document("solve", *SMALL, "--evaluations", "20000")
    t.true("an island is not the whole", alone["genes"] != answer["genes"])


def check_files_and_seed(t):
    """The first island alone writes; without --seed all have the one that is printed."""
    if not possible(t):
        return
    run = mpirun(t, 2, "solve", "--islands", *GA, "--evaluations", "4000", "--json", "--no-times",
                 "--save", "game.json", "--log", "log.jsonl")
    t.equal(f"ends: {run.err}", run.code, 0)
    answer = json.loads(run.out)
    again = mpirun(t, 2, "solve", "--islands", *GA, "--evaluations", "4000", "--json",
                   "--no-times", "--seed", str(answer["seed"]))
    t.equal("the seed tells all", again.out, run.out)
    t.equal("files", t.files(), ["examples", "game.json", "log.jsonl"])
    with open(os.path.join(t.folder, "log.jsonl"), encoding="utf-8") as file:
        last = json.loads(file.readlines()[-1])
    t.true("the log is that of one island", 0 < last["evaluations"] <= 2000, last)


def check_ends(t):
    if not possible(t):
        return
    started = time.monotonic()
    run = mpirun(t, 2, "solve", "--islands", *SMALL, "--target", "-1000000", "--time", "60")
    t.equal("target", (run.code, run.out.count("\n")), (0, 1))
    t.true("and soon", time.monotonic() - started < 30)
    run = mpirun(t, 2, "solve", "--islands", *SMALL, "--target", "1000", "--evaluations", "2000")
    t.equal("missed, and shown", (run.code, run.out.count("\n")), (1, 1))
    run = mpirun(t, 2, "solve", "--islands", *SMALL, "--time", "0.5", "--param",
                 "patience=1000000000", "--param", "generations=1000000000")
    t.equal("time", (run.code, run.out.count("\n")), (0, 1))


def check_interrupt(t):
    """Ctrl-C on mpirun, which then sends SIGTERM to all: the best so far is printed."""
    if not possible(t) or t.late_signals:
        return
    command = ["mpirun", "--oversubscribe", "-n", "2", t.program, "solve", "--islands", *SMALL,
               "--time", "100", "--param", "patience=1000000000", "--param",
               "generations=1000000000"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               cwd=t.folder, env=t.environment(ROOT))
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    try:
        out, _ = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.terminate()
        out, _ = process.communicate()
    t.true("mpirun says that it was cut off", process.returncode != 0, process.returncode)
    t.equal("one document", out.count(b"\n"), 1)


def check_refused(t):
    if not possible(t):
        return
    for words, name in (
            (["solve", "--n", "4"], "--islands"),
            (["pieces", "--n", "4"], "pieces"),
            (["solve", "--islands", "--n", "4"], "auto"),
            (["solve", "--islands", "--evaluations", "1", *SMALL], "evaluations"),
            (["solve", "--islands", *GA, "--start", "missing.json"], "missing.json"),
            (["solve", "--islands", *GA, "--watch"], "terminal")):
        run = mpirun(t, 2, *words)
        lines = complaints(run)
        t.equal(f"{words}: one line", (run.code, len(lines), run.out), (2, 1, ""))
        t.true(f"{words}: names {name}", name in run.err, run.err)
    line = " ".join(["tetropt", "solve", "--islands", "--evaluations", "4000", *SMALL])
    run = t.shell(f"mpirun --oversubscribe -n 1 {line} : -n 1 {line} --piece-seed 9", env=ROOT)
    t.equal(f"different work: {run.err}", (run.code, len(complaints(run)), run.out), (2, 1, ""))
    t.equal("nothing written", t.files(), ["examples"])


def check_workers(t):
    """Processes that work off a store do each a part of it."""
    if not possible(t):
        return
    init = t.run("experiment", "init", "quick", "--store", "sqlite:q.sqlite", "--seed", "1")
    if "built without" in init.err:
        return
    run = mpirun(t, 2, "experiment", "status", "--store", "sqlite:q.sqlite", "--json")
    t.equal(f"each by itself: {run.err}", (run.code, run.out.count("\n")), (0, 2))
