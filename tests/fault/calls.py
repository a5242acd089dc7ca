#!/usr/bin/env python3
"""Lets the calls that a command makes fail, one after the other (see shim.h), and looks at how it
ends: no crash, no leak, one line and exit code 3; or the failure did not matter, and everything is as
without it. No file is half written, nothing is left behind.

    calls.py --tetropt PATH [--sample N | --every N] [--seed S] [--jobs N] [--postgresql] [--list]
             [NAME...]

PATH is a build with -Dfaults=true, best with -Db_sanitize=address,undefined. Every call that comes
from another place is made to fail; of the others all up to --every, or a sample of that size. --sample
N takes N calls of every job instead. --postgresql starts a server and adds what needs one. NAME:N or
NAME:N+ lets only that call fail and shows what came of it. The last line is `N failures injected, M findings`.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import os
import random
import re
import shutil
import sys
import tempfile

import jobs

COMPLAINT = re.compile(rb"\A(tetropt: [^\n]+\n)+\Z")
STORE_FILES = re.compile(r"\.sqlite(-wal|-shm|-journal)?$")
SANITIZER_CODES = {97: "undefined behaviour", 98: "a leak", 99: "a memory error"}


def snapshot(folder):
    """The files of a folder with what is in them; stores are looked at otherwise."""
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            full = os.path.join(path, name)
            if not STORE_FILES.search(name):
                with open(full, "rb") as file:
                    found[os.path.relpath(full, folder)] = jobs.without_times(file.read())
    return found


class Folder:
    """A copy of a prepared folder, to run a job in."""

    def __init__(self, template):
        self.path = tempfile.mkdtemp(prefix="tetropt-fault-")
        shutil.copytree(template, self.path, dirs_exist_ok=True)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


class Trial:
    """A job, its prepared folder and its undisturbed run."""

    def __init__(self, program, job):
        self.program, self.job = program, job
        self.template = tempfile.mkdtemp(prefix="tetropt-fault-")
        job.prepare(program, self.template)
        self.before = snapshot(self.template)
        self.log = os.path.join(self.template + ".log")
        with Folder(self.template) as folder:
            self.good = job.run(program, folder, jobs.environment(TETROPT_FAULT_LOG=self.log))
            self.after = snapshot(folder)
            trouble = job.verify(program, folder, self.good, self.good)
        if self.good.code not in job.codes or trouble:
            raise AssertionError(f"{job.name} undisturbed: {self.good.code} {self.good.err} "
                                 f"{trouble}")
        self.calls, self.places = self.read_log()
        if job.exact:
            with Folder(self.template) as folder:
                again = job.run(program, folder, jobs.environment())
                if (again.out, snapshot(folder)) != (self.good.out, self.after):
                    raise AssertionError(f"{job.name}: two undisturbed runs differ")

    def read_log(self):
        """How many calls there were, and the first one of every place; none where nobody counts."""
        calls, places = 0, []
        if not os.path.exists(self.log):
            return calls, places
        with open(self.log, encoding="ascii") as file:
            for line in file:
                words = line.split()
                if words[0] == "calls":
                    calls = int(words[1])
                else:
                    places.append(int(words[0]))
        os.remove(self.log)
        return calls, sorted(places)

    def close(self):
        shutil.rmtree(self.template, ignore_errors=True)

    def plan(self, options, chance):
        """The faults to try."""
        if options.sample:
            pool = sorted(set(self.places) | set(chance.sample(
                range(1, self.calls + 1), min(self.calls, options.sample))))
            chosen = chance.sample(pool, min(len(pool), options.sample))
            return [f"{number}{chance.choice(['', '', '+'])}" for number in chosen]
        every = min(options.every, self.job.most)
        numbers = set(self.places)
        numbers |= set(range(1, self.calls + 1)) if self.calls <= every else set(
            chance.sample(range(1, self.calls + 1), every))
        faults = [str(number) for number in sorted(numbers)]
        later = chance.sample(self.places, min(len(self.places), every // 4))
        faults += [f"{number}+" for number in sorted(later)]
        faults += [f"s{number}" for number in sorted(later)]
        return faults

    # -- judging --------------------------------------------------------------

    def attempt(self, fault):
        """Returns (what failed or None, what is wrong or None, the outcome)."""
        handle, log = tempfile.mkstemp(prefix="tetropt-fault-")
        os.close(handle)
        with Folder(self.template) as folder:
            outcome = self.job.run(self.program, folder,
                                   jobs.environment(TETROPT_FAULT=fault, TETROPT_FAULT_LOG=log))
            with open(log, encoding="ascii") as file:
                failed = file.readline().split()
            os.remove(log)
            trouble = self.judge(outcome, folder, fault.endswith("+"))
            if not trouble:
                try:
                    trouble = self.job.verify(self.program, folder, outcome, self.good)
                except AssertionError as error:
                    trouble = f"afterwards: {error}"
        return " ".join(failed[2:]) or None, trouble, outcome

    def callers(self, fault):
        """Where it failed, as functions of src, the innermost first."""
        with Folder(self.template) as folder:
            outcome = self.job.run(self.program, folder, jobs.environment(
                TETROPT_FAULT=fault, TETROPT_FAULT_TRACE="1"))
        found = re.findall(rb" in (\S+) \.\./src/([^\s:]+:\d+)", outcome.err)
        return " < ".join(f"{name.decode()} {place.decode()}" for name, place in found[:6])

    def judge(self, outcome, folder, persistent):
        if outcome.code == "timeout":
            return "does not end"
        if outcome.code in SANITIZER_CODES:
            return SANITIZER_CODES[outcome.code]
        if outcome.code < 0:
            return f"dies of signal {-outcome.code}"
        if outcome.code in self.job.failing:
            lines = outcome.err.count(b"\n")
            if outcome.code == 3 and not COMPLAINT.match(outcome.err) or lines > self.job.lines + persistent:
                return "not one line on standard error"
            return self.judge_files(folder)
        if outcome.code not in self.job.codes or outcome.code != self.good.code:
            return f"exit {outcome.code}"
        if self.job.exact:
            if outcome.out != self.good.out:
                return f"exit {outcome.code}, but other output"
            now = snapshot(folder)
            if now != self.after:
                different = [name for name in set(now) | set(self.after)
                             if now.get(name) != self.after.get(name)]
                return f"exit {outcome.code}, but other files: {different}"
        return self.judge_files(folder)

    def judge_files(self, folder):
        for name, data in snapshot(folder).items():
            if name not in self.after and name not in self.before:
                return f"{name} is left behind"
            if name in self.job.loose_files or not self.job.exact:
                continue
            if data not in (self.before.get(name), self.after.get(name)):
                return f"{name} is half written"
        for name in self.before:
            if not os.path.exists(os.path.join(folder, name)):
                return f"{name} is gone"
        return None


def show(trial, fault):
    """One fault in full."""
    os.environ["TETROPT_FAULT_TRACE"] = "1"
    failed, trouble, outcome = trial.attempt(fault)
    sys.stdout.write(f"{trial.job.name}:{fault}: {failed}: {trouble or 'fine'}: exit "
                     f"{outcome.code}\n--- stdout\n{outcome.out.decode(errors='replace')[:3000]}\n"
                     f"--- stderr\n{outcome.err.decode(errors='replace')}\n")


def try_job(trial, faults, executor, findings):
    tally = collections.Counter()

    def one(fault):
        return fault, trial.attempt(fault)

    for fault, (failed, trouble, outcome) in executor.map(one, faults):
        if failed is None:
            tally["not reached"] += 1
        else:
            tally["refused" if outcome.code in trial.job.failing else "tolerated"] += 1
        # A leak or a bad code without a fault that was reached is a finding as well.
        if trouble:
            findings.append((trial.job.name, fault, failed, trouble))
            last = outcome.err.decode(errors="replace").strip().split("\n")[0][:160]
            print(f"FINDING {trial.job.name}:{fault} ({failed}): {trouble}: {last}\n"
                  f"    {trial.callers(fault)}", flush=True)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(tally.items()))
    print(f"{trial.job.name}: {trial.calls} calls from {len(trial.places)} places: {kinds}",
          flush=True)
    return tally["refused"] + tally["tolerated"]


@contextlib.contextmanager
def server_jobs(wanted):
    """Jobs that need a PostgreSQL server, while it runs; none where there is none."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "experiment"))
    import postgresql  # of tests/experiment

    programs = postgresql.find_programs() if wanted else None
    if wanted and not programs:
        print("left out: there is no PostgreSQL server to start")
        if os.environ.get("TETROPT_NO_SKIP"):
            sys.exit(1)
    if not programs:
        yield []
        return
    server = postgresql.Server(programs)
    try:
        yield [jobs.ServerStoreJob(server.address, server.sql)]
    finally:
        server.remove()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--every", type=int, default=1500)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    program = os.path.abspath(options.tetropt)
    seed = options.seed if options.seed is not None else random.randrange(10**6)
    chance = random.Random(seed)
    with server_jobs(options.postgresql) as more:
        known = {job.name: job for job in [*jobs.all_jobs(), *more]}
        wanted = [name for name in known if not options.names or
                  any(re.fullmatch(given.partition(":")[0], name) for given in options.names)]
        if options.list:
            print("\n".join(wanted))
            return 0
        print("seed", seed)
        injected, findings = 0, []
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as executor:
            for name in wanted:
                trial = Trial(program, known[name])
                chosen = [given.partition(":")[2] for given in options.names if ":" in given]
                try:
                    for fault in chosen:
                        show(trial, fault)
                    if not chosen:
                        faults = trial.plan(options, chance)
                        injected += try_job(trial, faults, executor, findings)
                finally:
                    trial.close()
        print(f"{injected} failures injected, {len(findings)} findings")
        return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
