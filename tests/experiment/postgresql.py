#!/usr/bin/env python3
"""A real PostgreSQL server: several workers, some killed, the server away for a while, and still
every run ends exactly once. Exit 77 (skipped) where there is no server to start.

    postgresql.py --tetropt PATH [--kills N]
"""

import argparse
import glob
import os
import pwd
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from runner import Folder, Failure, expect, kill, main, scale


def find_programs():
    """The folder with initdb and pg_ctl."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)
    found = shutil.which("initdb")
    folders += [os.path.dirname(os.path.realpath(found))] if found else []
    return next((folder for folder in folders if os.path.exists(f"{folder}/initdb")), None)


def can_start():
    """The same, or None where a server cannot be started."""
    known = os.getuid() != 0 or any(user.pw_name == "postgres" for user in pwd.getpwall())
    return find_programs() if known and (os.getuid() != 0 or shutil.which("runuser")) else None


class Server:
    """A server on a socket in a folder of its own. It refuses to run as root."""

    def __init__(self, programs):
        self.programs = programs
        self.folder = tempfile.mkdtemp(prefix="tetropt-pg-")
        self.user = []
        if os.getuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self.user = ["runuser", "-u", "postgres", "--"]
        self.data = os.path.join(self.folder, "data")
        self.address = f"postgresql://postgres@/postgres?host={self.folder}"
        self.program("initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "-N")
        self.start()

    def program(self, name, *arguments):
        done = subprocess.run([*self.user, f"{self.programs}/{name}", *arguments],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        expect(done.returncode == 0, name, done.stdout, done.stderr)
        return done.stdout

    def start(self):
        self.program("pg_ctl", "start", "-w", "-D", self.data, "-l", f"{self.folder}/log", "-o",
                     f"-k {self.folder} -c listen_addresses=''")

    def stop(self, mode="fast"):
        self.program("pg_ctl", "stop", "-w", "-D", self.data, "-m", mode)

    def sql(self, text):
        return self.program("psql", "-h", self.folder, "-U", "postgres", "-Atc", text).strip()

    def remove(self):
        try:
            self.stop("immediate")
        except Failure:
            pass
        shutil.rmtree(self.folder, ignore_errors=True)


def check_disturbed(folder, server, expected, kills):
    """Workers killed, the server stopped at every third kill, in turn in order and as by a power
    cut."""
    store = server.address
    folder.init(store)
    workers = [folder.start("run", "--store", store, "--quiet", "--workers", "1")
               for _ in range(3)]
    hits = stops = 0
    for i in range(kills):
        time.sleep(random.uniform(0.05, 0.4))
        victim = random.randrange(len(workers))
        hits += kill(workers[victim])
        workers[victim] = folder.start("run", "--store", store, "--quiet", "--workers", "2")
        if i % 3 == 0:
            server.stop("immediate" if stops % 2 else "fast")
            time.sleep(1)
            server.start()
            stops += 1
    for worker in workers:
        out, err = worker.communicate(timeout=200)
        expect(worker.returncode == 0, "worker", worker.returncode, out, err)
    expect(folder.export(store) == expected, "the rows differ")
    expect(server.sql("SELECT COUNT(*), COUNT(DISTINCT number) FROM tetropt_run "
                      "WHERE state = 'done'") == f"{folder.runs}|{folder.runs}", "not once")
    print(f"{hits} kills, {stops} stops,", server.sql("SELECT SUM(attempts) FROM tetropt_run"),
          f"attempts at {folder.runs} runs")


def check_leases(folder, server):
    """A worker of another machine is given up only when its lease is over."""
    store = server.address
    server.sql("UPDATE tetropt_run SET state = 'waiting' WHERE number = 1")
    server.sql("UPDATE tetropt_run SET state = 'running', owner = 'x', machine = 'elsewhere', "
               "process = 1, process_start = 1, "
               "lease_end = EXTRACT(EPOCH FROM clock_timestamp()) + 2 WHERE number = 1")
    start = time.time()
    folder.call("run", "--store", store, "--quiet")
    waited = time.time() - start
    expect(1.5 < waited < 15, "the lease of two seconds took", waited)
    expect(server.sql("SELECT state FROM tetropt_run WHERE number = 1") == "done", "not done")


def check_heartbeat(folder, server):
    """A long run outlives its lease because its worker says that it is there."""
    path = os.path.join(folder.path, "long.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[experiment]\ncommand = solve\n[solve]\nn = 30\nalgorithm = ga\n"
                   "population = 2000\npatience = 1000000\ngenerations = 1000000\ntime = 2.5\n")
    folder.call("init", path, "--store", server.address)
    workers = [folder.start("run", "--store", server.address, "--quiet", "--workers", "1",
                            "--lease", "1") for _ in range(2)]
    for worker in workers:
        worker.communicate(timeout=60)
        expect(worker.returncode == 0, "worker", worker.returncode)
    expect(server.sql("SELECT attempts FROM tetropt_run WHERE grid = 'long'") == "1",
           "the run was taken from a living worker")


def check_two_inits(folder, server):
    """Two at once: one adds the grid, the other is refused."""
    arguments = ("init", folder.grid, "--store", server.address, "--name", "both")
    both = [folder.start(*arguments), folder.start(*arguments)]
    for process in both:
        process.communicate(timeout=60)
    codes = sorted(process.returncode for process in both)
    expect(codes == [0, 2], "two inits", codes)
    expect(server.sql("SELECT COUNT(*) FROM tetropt_run WHERE grid = 'both'") == str(folder.runs),
           "runs of two inits")
    server.sql("UPDATE tetropt_store SET version = 77")
    folder.call("status", "--store", server.address, code=2)
    server.sql("UPDATE tetropt_store SET version = 1")


def check_no_patience(folder, server):
    """A server that stays away ends the work with exit 3."""
    path = os.path.join(folder.path, "away.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[experiment]\ncommand = solve\nrepeat = 20000\n[solve]\nn = 5\n"
                   "algorithm = hill\nevaluations = 1000\n")
    folder.call("init", path, "--store", server.address)
    worker = folder.start("run", "--store", server.address, "--quiet", "--patience", "1")
    time.sleep(0.3)
    server.stop("immediate")
    _, err = worker.communicate(timeout=60)
    expect(worker.returncode == 3 and err.count("\n") == 1, "away:", worker.returncode, err)


def check_interrupt_while_away(folder, server):
    """Ctrl-C ends the waiting for a server."""
    server.start()
    worker = folder.start("run", "--store", server.address, "--quiet")
    time.sleep(0.3)
    server.stop("immediate")
    time.sleep(0.7)
    worker.send_signal(signal.SIGINT)
    start = time.time()
    _, err = worker.communicate(timeout=60)
    expect(worker.returncode == 130 and err == "" and time.time() - start < 15, "interrupted:",
           worker.returncode, err, time.time() - start)


def check_tune(folder, server):
    """Two processes tune on one server: both give the answer of a tuning in a file, also read again."""
    words = ["tune", "--set", "algorithm=hill", "--set", "n=4", "--set", "evaluations=100", "--seeds", "12", "--held-out",
             "4", "--budget", "96", "--ablation", "0", "--quiet", "--json", "--store"]

    def start(address):
        return subprocess.Popen([folder.tetropt, *words, address], cwd=folder.path, stdout=subprocess.PIPE, text=True)

    alone = start(f"sqlite:{folder.path}/tune.sqlite").communicate(timeout=120)[0]
    together = [start(server.address) for _ in range(2)]
    for process in together:
        answer = process.communicate(timeout=120)[0]
        expect(process.returncode == 0 and answer and answer == alone, "tune on a server:", answer[:200], alone[:200])
    report = subprocess.run([folder.tetropt, "report", "--store", server.address, "--out", "tune.html"],
                            cwd=folder.path, capture_output=True, text=True, check=False)
    expect(report.returncode == 0, "its report:", report.stderr)
    with open(os.path.join(folder.path, "tune.html"), encoding="utf-8") as file:
        expect("Tuning tune" in file.read(), "the section of the tuning")


def check_tune_while_away(folder, server, stops):
    """The server goes away in the middle of a tuning, in turn in order and as by a power cut, while a
    second process shares its runs: both wait, and give the answer of a tuning that was left alone."""
    words = ["tune", "--set", "algorithm=hill", "--set", "n=10", "--set", "evaluations=20000", "--seeds", "20",
             "--held-out", "5", "--budget", "200", "--ablation", "0", "--quiet", "--json", "--name", "away", "--store"]

    def start(address):
        process = subprocess.Popen([folder.tetropt, *words, address], cwd=folder.path, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        folder.started.append(process)
        return process

    alone = start(f"sqlite:{folder.path}/away.sqlite").communicate(timeout=300)[0]
    server.stop("fast")
    together, hits = [start(server.address) for _ in range(2)], 0
    time.sleep(1)
    server.start()  # also where they begin before the server
    for i in range(stops):
        time.sleep(random.uniform(0.1, 0.7))
        hits += any(process.poll() is None for process in together)
        server.stop("immediate" if i % 2 else "fast")
        time.sleep(random.uniform(0, 1))
        server.start()
    for process in together:
        answer, err = process.communicate(timeout=300)
        expect(process.returncode == 0 and answer == alone, "tune while the server is away:",
               process.returncode, err, answer[:200], alone[:200])
    expect(server.sql("SELECT COUNT(*) = COUNT(CASE WHEN state = 'done' THEN 1 END) FROM tetropt_run "
                      "WHERE grid LIKE '%away%'") == "t", "a run of the tuning is not done")
    print(f"tune: the server was away {hits} times while it ran,",
          server.sql("SELECT SUM(attempts) || ' attempts at ' || COUNT(*) FROM tetropt_run "
                     "WHERE grid LIKE '%away%'"), "runs")


def test():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--kills", type=int, default=6)
    options = parser.parse_args()
    programs = can_start()
    if not programs:
        print("skipped: no PostgreSQL server to start here")
        sys.exit(77)
    built = subprocess.run([options.tetropt, "experiment", "status", "--store", "postgresql:///"],
                           capture_output=True, text=True, check=False)
    if "built without" in built.stderr:
        print("skipped:", built.stderr.strip())
        sys.exit(77)
    small = scale() < 1
    folder = Folder(options.tetropt, 2 if small else 2 * options.kills,
                    10000 if small else 60000)
    server = None
    try:
        expected = folder.undisturbed()
        server = Server(programs)
        check_disturbed(folder, server, expected, options.kills)
        check_leases(folder, server)
        check_heartbeat(folder, server)
        check_two_inits(folder, server)
        check_tune(folder, server)
        check_tune_while_away(folder, server, max(2, options.kills // 3))
        check_no_patience(folder, server)
        check_interrupt_while_away(folder, server)
    finally:
        if server:
            server.remove()
        folder.remove()


if __name__ == "__main__":
    main(test)
