"""Stores that are moved, copied, replaced, damaged or beside a foreign log: nothing is lost."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request

GRID = """[experiment]
command = solve
repeat = {repeat}
[solve]
n = 5
evaluations = {evaluations}
algorithm = hill
"""


def init(t, store, repeat=6, evaluations=500, name="g"):
    t.write(f"{name}.ini", GRID.format(repeat=repeat, evaluations=evaluations))
    return t.run("experiment", "init", f"{name}.ini", "--store", f"sqlite:{store}", "--seed", "1")


def done(t, store):
    return t.document("experiment", "status", "--store", f"sqlite:{store}", "--json")["done"]


def path(t, name):
    return os.path.join(t.folder, name)


@contextlib.contextmanager
def reader(t, name):
    """A connection of somebody else that has read the store and stays."""
    connection = sqlite3.connect(path(t, name))
    connection.execute("SELECT COUNT(*) FROM tetropt_run").fetchall()
    yield connection
    connection.close()


def killed_run(t, store):
    """Work on the store that is killed when some results are there; the log stays."""
    with reader(t, store) as connection, reader(t, store) as pin:
        # A transaction that stays open keeps SQLite from starting the log again.
        pin.isolation_level = None
        pin.execute("BEGIN")
        pin.execute("SELECT COUNT(*) FROM tetropt_run").fetchall()
        process = subprocess.Popen([t.program, "experiment", "run", "--store", f"sqlite:{store}",
                                    "--quiet"], cwd=t.folder, env=t.environment())
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if connection.execute("SELECT COUNT(*) FROM tetropt_run WHERE state = 'done'"
                                  ).fetchone()[0] >= 2:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        # Copied while a reader keeps SQLite from tidying up.
        for suffix in ("", "-wal"):
            shutil.copy(path(t, store + suffix), path(t, "kept" + suffix))


def check_moved(t):
    init(t, "z.sqlite")
    with reader(t, "z.sqlite"):
        t.equal("run", t.run("experiment", "run", "--store", "sqlite:z.sqlite", "--quiet").code, 0)
        size = os.path.getsize(path(t, "z.sqlite-wal")) if os.path.exists(
            path(t, "z.sqlite-wal")) else 0
        t.equal("nothing is left in the log", size, 0)
        shutil.copy(path(t, "z.sqlite"), path(t, "copy.sqlite"))
        os.rename(path(t, "z.sqlite"), path(t, "keep.sqlite"))
    t.equal("moved", done(t, "keep.sqlite"), 6)
    t.equal("copied", done(t, "copy.sqlite"), 6)


def check_orphan(t):
    init(t, "z.sqlite", repeat=4000, evaluations=2000)
    killed_run(t, "z.sqlite")
    os.rename(path(t, "kept-wal"), path(t, "old.sqlite-wal"))
    before = os.path.getsize(path(t, "old.sqlite-wal"))
    t.true("the log holds something", before > 4096, before)
    for words in (("experiment", "init", "g.ini"), ("experiment", "run")):
        run = t.run(*words, "--store", "sqlite:old.sqlite")
        t.true(words[1], run.code == 2 and run.err.count("\n") == 1, run)
    t.fails(2, init(t, "old.sqlite"), "old.sqlite-wal", "moved")
    t.equal("the log is still there", os.path.getsize(path(t, "old.sqlite-wal")), before)
    t.true("and no store was made", not os.path.exists(path(t, "old.sqlite")), t.files())


def check_foreign_log(t):
    init(t, "z.sqlite", repeat=4000, evaluations=2000)
    killed_run(t, "z.sqlite")
    init(t, "other.sqlite", name="other")
    t.run("experiment", "run", "--store", "sqlite:other.sqlite", "--quiet")
    with open(path(t, "other.sqlite"), "rb") as file:
        before = file.read()
    shutil.copy(path(t, "kept-wal"), path(t, "other.sqlite-wal"))
    for words in (("run",), ("status",), ("export", "csv"), ("copy", "c.sqlite")):
        run = t.run("experiment", *words, "--store", "sqlite:other.sqlite")
        t.fails(2, run, "other.sqlite-wal", "another store")
    with open(path(t, "other.sqlite"), "rb") as file:
        t.true("nothing was applied", file.read() == before, "changed")
    os.remove(path(t, "other.sqlite-wal"))
    t.equal("and without it all is well", done(t, "other.sqlite"), 6)
    # With its own database the log counts.
    os.rename(path(t, "kept-wal"), path(t, "kept.sqlite-wal"))
    os.rename(path(t, "kept"), path(t, "kept.sqlite"))
    t.true("its own", done(t, "kept.sqlite") >= 2, t.files())
    # A stale index of the log is no harm.
    with open(path(t, "other.sqlite-shm"), "wb") as file:
        file.write(os.urandom(32768))
    t.equal("a stale -shm", done(t, "other.sqlite"), 6)


def check_copy(t):
    init(t, "z.sqlite", repeat=300, evaluations=2000)
    process = subprocess.Popen([t.program, "experiment", "run", "--store", "sqlite:z.sqlite",
                                "--quiet"], cwd=t.folder, env=t.environment())
    copies = []
    while process.poll() is None and len(copies) < 5:
        name = f"c{len(copies)}.sqlite"
        t.equal(name, t.run("experiment", "copy", name, "--store", "sqlite:z.sqlite",
                            "--quiet").code, 0)
        copies.append(done(t, name))
    process.wait()
    t.equal("in order", copies, sorted(copies))
    t.document("experiment", "copy", "end.sqlite", "--store", "sqlite:z.sqlite", "--json")
    t.equal("the end", done(t, "end.sqlite"), 300)
    t.fails(2, t.run("experiment", "copy", "end.sqlite", "--store", "sqlite:z.sqlite"), "exists")
    t.fails(2, t.run("experiment", "copy", "-", "--store", "sqlite:z.sqlite"), "a store is a file")
    t.refuses("experiment", "copy", "--store", "sqlite:z.sqlite", names=("FILE",))
    t.equal("nothing else is left", [name for name in t.files() if "sqlite" in name],
            sorted([f"c{i}.sqlite" for i in range(len(copies))] + ["end.sqlite", "z.sqlite"]))
    run = t.run("experiment", "copy", "no/such/c.sqlite", "--store", "sqlite:z.sqlite")
    t.true("no directory", run.code in (2, 3) and "no/such" in run.err, run)


def check_replaced_while_running(t):
    init(t, "z.sqlite", repeat=4000, evaluations=2000)
    process = subprocess.Popen([t.program, "experiment", "run", "--store", "sqlite:z.sqlite",
                                "--quiet"], cwd=t.folder, env=t.environment(),
                               stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    os.rename(path(t, "z.sqlite"), path(t, "moved.sqlite"))
    _, err = process.communicate(timeout=60)
    t.true("the worker stops", process.returncode == 3 and "moved or deleted" in err,
           (process.returncode, err))


def check_damaged(t):
    init(t, "z.sqlite")
    connection = sqlite3.connect(path(t, "z.sqlite"))
    connection.execute("ALTER TABLE tetropt_run DROP COLUMN owner")
    connection.commit()
    connection.close()
    with open(path(t, "z.sqlite"), "rb") as file:
        before = file.read()
    for words in (("run",), ("status",), ("init", "g.ini", "--name", "h")):
        run = t.run("experiment", *words, "--store", "sqlite:z.sqlite")
        t.fails(2, run, "tetropt_run", "owner")
    with open(path(t, "z.sqlite"), "rb") as file:
        t.true("nothing was written", file.read() == before, "changed")
    # A database of something else stays as it is.
    connection = sqlite3.connect(path(t, "foreign.sqlite"))
    connection.execute("CREATE TABLE birds (name TEXT)")
    connection.commit()
    connection.close()
    with open(path(t, "foreign.sqlite"), "rb") as file:
        before = file.read()
    t.fails(2, init(t, "foreign.sqlite"), "something else")
    with open(path(t, "foreign.sqlite"), "rb") as file:
        t.true("a foreign database is not touched", file.read() == before, "changed")


def check_fifo(t):
    os.mkfifo(path(t, "f.sqlite"))
    for words in (("status",), ("run",), ("init", "g.ini")):
        t.write("g.ini", GRID.format(repeat=1, evaluations=10))
        t.fails(2, t.run("experiment", *words, "--store", "sqlite:f.sqlite"), "regular file")


def check_no_waiting(t):
    """Only a server is waited for: a file that cannot be opened is reported at once."""
    init(t, "z.sqlite")
    run = t.shell("ulimit -n 4; exec timeout 8 tetropt experiment run --store sqlite:z.sqlite")
    t.fails(3, run, "z.sqlite: Too many open files")


def check_slow_output(t):
    """A FIFO whose reader comes late and reads slowly gets every byte."""
    init(t, "z.sqlite", repeat=60)
    t.run("experiment", "run", "--store", "sqlite:z.sqlite", "--quiet")
    whole = t.run("experiment", "export", "jsonl", "--store", "sqlite:z.sqlite").out
    for form in ("csv", "jsonl"):
        t.fails(3, t.shell(f"tetropt experiment export {form} --store sqlite:z.sqlite >/dev/full"),
                "standard output: No space left")
    os.mkfifo(path(t, "slow"))
    slow = ("import sys, time\n"
            "time.sleep(0.5)\n"
            "with open('slow', 'rb') as file:\n"
            "    while part := file.read(4000):\n"
            "        sys.stdout.buffer.write(part)\n"
            "        time.sleep(0.005)\n")
    reader_ = subprocess.Popen([sys.executable, "-c", slow], cwd=t.folder, stdout=subprocess.PIPE)
    run = t.shell("tetropt experiment export jsonl --store sqlite:z.sqlite > slow")
    got = reader_.communicate(timeout=60)[0].decode()
    t.true("all of it", run.code == 0 and got == whole and len(whole) > 65536,
           (run, len(got), len(whole)))


def check_clock(t):
    """A worker whose clock is an hour ahead, and one that was stopped: others take over in time."""
    init(t, "z.sqlite", repeat=2, evaluations=0)
    connection = sqlite3.connect(path(t, "z.sqlite"))
    # As a worker of another machine would leave it: an hour ahead, and never heard of again.
    connection.execute("UPDATE tetropt_run SET state = 'running', owner = 'x', machine = 'm', "
                       "process = 1, process_start = 1, lease_end = ? WHERE number = 1",
                       (time.time() + 3600,))
    connection.commit()
    connection.close()
    connection = sqlite3.connect(path(t, "z.sqlite"))
    connection.execute("UPDATE tetropt_run SET started = ? WHERE number = 1", (time.time() - 900,))
    connection.execute("UPDATE tetropt_run SET state = 'done', seconds = 0.1, result = '{}' "
                       "WHERE number = 2")
    connection.commit()
    connection.close()
    answer = t.document("experiment", "status", "--store", "sqlite:z.sqlite", "--json")
    t.equal("no estimate for a run that hangs", answer["eta_seconds"], None)
    t.true("and it is said", "no estimate" in t.run("experiment", "status", "--store",
                                                    "sqlite:z.sqlite").out, "no word")
    run = t.run("experiment", "run", "--store", "sqlite:z.sqlite", "--quiet", "--lease", "1")
    t.equal("finished", (run.code, done(t, "z.sqlite")), (0, 2))


def check_served(t):
    """The server sees that the file is another one."""
    if "serve" not in t.commands():
        return
    init(t, "a.sqlite")
    init(t, "b.sqlite", repeat=3, name="b")
    t.run("experiment", "run", "--store", "sqlite:b.sqlite", "--quiet")
    server = subprocess.Popen([t.program, "serve", "--port", "0", "--store", "sqlite:a.sqlite"],
                              cwd=t.folder, env=t.environment(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    try:
        address = next(word for line in server.stdout for word in line.split()
                       if word.startswith("http://")).rstrip("/")

        def ask():
            try:
                with urllib.request.urlopen(address + "/api/stores", timeout=10) as answer:
                    return json.load(answer)[0]
            except urllib.error.HTTPError as error:
                return error.read().decode()

        t.equal("at first", (ask()["waiting"], ask()["done"]), (6, 0))
        os.rename(path(t, "b.sqlite"), path(t, "a.sqlite"))
        t.equal("another store", (ask()["waiting"], ask()["done"]), (0, 3))
        os.remove(path(t, "a.sqlite"))
        gone = ask()
        t.true("deleted", isinstance(gone, str) and "a.sqlite" in gone, gone)
        os.mkdir(path(t, "a.sqlite"))
        gone = ask()
        t.true("a directory", isinstance(gone, str) and "irectory" in gone, gone)
        os.rmdir(path(t, "a.sqlite"))
        os.mkfifo(path(t, "a.sqlite"))
        gone = ask()
        t.true("a FIFO", isinstance(gone, str) and "regular file" in gone, gone)
        os.remove(path(t, "a.sqlite"))
        init(t, "c.sqlite", repeat=2, name="c")
        os.symlink("c.sqlite", path(t, "a.sqlite"))
        t.equal("a link to a store", ask()["waiting"], 2)
    finally:
        server.terminate()
        server.wait(timeout=20)


def check_begun_together(t):
    """Several processes that begin a store at the same time all add their grid, and it has one number."""
    t.write("g.ini", "[experiment]\ncommand = solve\nrepeat = 1\n[solve]\nn = 2\nevaluations = 1\n")
    for turn in range(40):
        store = f"together{turn}.sqlite"
        begun = [subprocess.Popen([t.program, "experiment", "init", "g.ini", "--name", str(i), "--seed", "1", "--store",
                                   f"sqlite:{store}"], cwd=t.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True) for i in range(4)]
        ends = [(process.communicate()[1], process.returncode) for process in begun]
        t.equal("all end well", ends, [("", 0)] * 4)
        t.equal("all grids", t.document("experiment", "status", "--store", f"sqlite:{store}", "--json")["waiting"], 4)
