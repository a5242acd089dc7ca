#!/usr/bin/env python3
"""What the world does to a program: a full disk, a folder that may not be written, outputs that are
closed or full, readers that leave, files that may not grow, little memory, and signals at any moment.
In every command: no crash, the right exit code, one line, no file half written, nothing left behind,
and what promises to go on goes on. What runs on a terminal gets a pseudo terminal, which must be as it
was afterwards, and loses it; the server is asked for everything that it has meanwhile.

    world.py --tetropt PATH [--signals N] [--seed S] [--only WORD] [NAME...]

Any build will do. As root, small file systems are mounted and another user is taken on; otherwise
that part is left out. The last line is `N runs, M findings`.
"""

import argparse
import contextlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import calls
import jobs

NOBODY = 65534

# Standard error after a signal: progress, then one line.
INTERRUPTED = re.compile(rb"\A(\d+ %, [^\n]+\n)*((tetropt: |interrupted)[^\n]+\n)+\Z")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class World:
    def __init__(self, program, chance):
        self.program, self.chance = program, chance
        self.runs, self.findings = 0, 0
        self.least_memory = least_memory(program, "--version")

    def judge(self, trial, what, outcome, trouble):
        self.runs += 1
        if trouble:
            self.findings += 1
            first = outcome.err.decode(errors="replace").strip().split("\n")[0][:200]
            print(f"FINDING {trial.job.name}, {what}: {trouble}: exit {outcome.code}: {first}",
                  flush=True)

    def attempt(self, trial, what, codes=(), **options):
        """Runs a job under options of its `run`. `codes` are right besides those of a failure."""
        with calls.Folder(trial.template) as folder:
            self.attempt_in(folder, trial, what, codes, **options)

    def attempt_in(self, folder, trial, what, codes=(), blind=False, **options):
        """`blind`: standard error is not seen."""
        outcome = trial.job.run(self.program, folder, jobs.environment(), **options)
        if outcome.code in codes and outcome.code not in trial.job.codes:
            trouble = trial.judge_files(folder)
            if not trouble and not blind and not calls.COMPLAINT.match(outcome.err):
                trouble = "not one line on standard error"
        else:
            if blind:
                outcome.err = b"tetropt: not seen\n" if outcome.code == 3 else b""
            if outcome.code in trial.job.codes and options.get("stdout") is not None:
                outcome.out = trial.good.out  # not seen
            trouble = trial.judge(outcome, folder, False)
        if outcome.err.endswith(b"not restored\n"):
            trouble = "the terminal is not as it was"
        if not trouble:
            try:
                trouble = trial.job.verify(self.program, folder, outcome, trial.good)
            except AssertionError as error:
                trouble = f"afterwards: {str(error)[:300]}"
        self.judge(trial, what, outcome, trouble)
        return outcome


# ---- standard input, output, error

def check_outputs(world, trial):
    silent = not trial.good.out
    with open("/dev/full", "wb") as full:
        world.attempt(trial, "a full output", stdout=full)
        world.attempt(trial, "a full standard error", blind=True, stderr=full)
    reading, writing = os.pipe()
    os.close(reading)
    world.attempt(trial, "a reader that left", stdout=writing)
    os.close(writing)

    def close(number):
        return lambda: os.close(number)

    for number, name in ((1, "output"), (2, "error"), (0, "input")):
        options = {"stdout": subprocess.DEVNULL} if number == 1 else {}
        options |= {"stderr": subprocess.DEVNULL} if number == 2 else {}
        world.attempt(trial, f"standard {name} closed", codes=(2,) if number == 0 else (),
                      blind=number == 2, preexec_fn=close(number), **options)
    if isinstance(trial.job, jobs.ServerJob):
        with open("/dev/full", "wb") as full, calls.Folder(trial.template) as folder:
            outcome = trial.job.run(world.program, folder, jobs.environment(), stdout=full)
            trouble = None if outcome.code == 3 else "serves where nobody learns its address"
            world.judge(trial, "a full output", outcome, trouble)
    if silent:
        return
    # With something to say the lost output must be told.
    with calls.Folder(trial.template) as folder, open("/dev/full", "wb") as full:
        outcome = trial.job.run(world.program, folder, jobs.environment(), stdout=full)
        trouble = None if outcome.code == 3 and b"standard output" in outcome.err else "not told"
        world.judge(trial, "a full output", outcome, trouble)


def check_left_early(world, trial):
    """The reader goes away in the middle."""
    if isinstance(trial.job, jobs.ServerJob):
        return  # it prints one line, at the start

    def leave(process):
        process.stdout.read(1)
        process.stdout.close()

    with calls.Folder(trial.template) as folder:
        process = trial.job.start(world.program, folder, jobs.environment())
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(trial.job.stdin)
            process.stdin.close()
        leave(process)
        err = process.stderr.read()
        process.stderr.close()
        outcome = jobs.Outcome(process.wait(jobs.TIMEOUT_SECONDS), trial.good.out, err)
        trouble = None
        if outcome.code not in (3, trial.good.code) or err.count(b"\n") > 1:
            trouble = "wrong end"
        world.judge(trial, "a reader that leaves", outcome, trouble or trial.judge_files(folder))


# What may be lost, and how a shell says so.
LOST = (("a full output", ">/dev/full", False), ("standard output closed", ">&-", False),
        ("an output that is no terminal", ">/dev/null", False),
        ("standard input closed", "<&-", False), ("an empty input", "</dev/null", False),
        ("a full standard error", "2>/dev/full", True), ("standard error closed", "2>&-", True))


def check_terminal_outputs(world, trial):
    """Without a terminal a command refuses, or does what it does in a pipe."""
    for what, redirect, blind in LOST:
        # Without a command there is a page about them instead of one line.
        world.attempt(trial, what, codes=(2, 3), blind=blind or not trial.job.arguments,
                      redirect=redirect)


def check_hang_up(world, trial):
    """As a signal does, a terminal that goes away ends a game; searches may come to their end."""
    world.attempt(trial, "a terminal that goes away", codes=(130, 3), blind=True, hang_up=True)


# ---- places to write

@contextlib.contextmanager
def small_disk(kilobytes, trial):
    """A folder with the trial's files on a disk that has about so much room left."""
    place = tempfile.mkdtemp(prefix="tetropt-disk-")
    used = sum(os.path.getsize(os.path.join(path, name)) // 4096 * 4 + 4
               for path, _, names in os.walk(trial.template) for name in names)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={used + kilobytes}k,mode=777", "tmpfs",
                    place], check=True)
    try:
        shutil.copytree(trial.template, place, dirs_exist_ok=True)
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)
        os.rmdir(place)


def can_mount():
    place = tempfile.mkdtemp(prefix="tetropt-disk-")
    done = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], capture_output=True,
                          check=False)
    if done.returncode == 0:
        subprocess.run(["umount", place], check=False)
    os.rmdir(place)
    return done.returncode == 0


def check_full_disk(world, trial):
    for kilobytes in (4, 8, 16, 32, 64, 128):
        with small_disk(kilobytes, trial) as folder:
            # What verifies afterwards needs room.
            verify, trial.job.verify_folder = trial.job.verify_folder, None
            try:
                outcome = world.attempt_in(folder, trial, f"{kilobytes} KB left")
            finally:
                trial.job.verify_folder = verify
            subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)
            try:
                trouble = trial.job.verify(world.program, folder, outcome, trial.good)
            except AssertionError as error:
                trouble = f"afterwards: {str(error)[:300]}"
            world.judge(trial, f"{kilobytes} KB left, then more", outcome, trouble)


def check_read_only(world, trial):
    with small_disk(4096, trial) as folder:
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        verify, trial.job.verify_folder = trial.job.verify_folder, None
        try:
            world.attempt_in(folder, trial, "a read-only disk", codes=(2, 3))
        finally:
            trial.job.verify_folder = verify


def check_forbidden(world, trial):
    """Somebody else's folder."""
    with calls.Folder(trial.template) as folder:
        os.chmod(folder, 0o755)
        trial.job.prefix = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        verify, trial.job.verify_folder = trial.job.verify_folder, None
        try:
            world.attempt_in(folder, trial, "a folder of somebody else", codes=(2, 3))
        finally:
            trial.job.prefix = ()
            trial.job.verify_folder = verify


# ---- limits

ULIMIT = {resource.RLIMIT_FSIZE: "-S -f", resource.RLIMIT_NOFILE: "-n", resource.RLIMIT_AS: "-v"}


def limited(kind, amount):
    return lambda: resource.setrlimit(kind, (amount, amount))


def under(trial, kind, amount):
    """The options of a run with a limit; for terminals in the units of the shell, 1024 bytes."""
    if isinstance(trial.job, jobs.TerminalJob):
        blocks = amount if kind == resource.RLIMIT_NOFILE else amount // 1024
        return {"shell": f"ulimit {ULIMIT[kind]} {blocks};"}
    if kind == resource.RLIMIT_FSIZE:
        # Not a pipe: the limit is for files. It may be raised again.
        return {"preexec_fn": lambda: resource.setrlimit(kind, (amount, resource.RLIM_INFINITY))}
    return {"preexec_fn": limited(kind, amount)}


def check_file_size(world, trial):
    for size in (0, 1000, 20000):
        world.attempt(trial, f"files of at most {size} bytes",
                      **under(trial, resource.RLIMIT_FSIZE, size))


def check_descriptors(world, trial):
    # With four the fonts are no longer found, and the pictures look different.
    more = (12, 16) if isinstance(trial.job, jobs.ServerJob) else ()
    for count in (5, 6, 8, *more):
        world.attempt(trial, f"{count} descriptors", **under(trial, resource.RLIMIT_NOFILE, count))


def least_memory(program, *arguments):
    """The KB with which the program does something small; None where it wants very much."""
    def enough(kilobytes):
        return subprocess.run([program, *arguments], capture_output=True, check=False,
                              env=jobs.environment(), stdin=subprocess.DEVNULL,
                              preexec_fn=limited(resource.RLIMIT_AS, kilobytes << 10)
                              ).returncode == 0
    low, high = 1, 4 << 20
    if not enough(high):
        return None  # a sanitizer
    while high - low > 64:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def check_memory(world, trial):
    """Little more than it takes to load all libraries, then more and more."""
    # In fontconfig itself, running out of memory ends in a crash or in other fonts.
    if world.least_memory is None or any(name.endswith((".svg", ".png", ".pdf"))
                                         for name in trial.after):
        return
    for more in (256, 512, 1024, 2048, 3072, 4096, 8192, 16384, 32768):
        kilobytes = world.least_memory + world.chance.randrange(more // 2, more)
        world.attempt(trial, f"{kilobytes} KB of memory",
                      **under(trial, resource.RLIMIT_AS, kilobytes << 10))


# ---- signals

def whole(path):
    """True when a file is all there, by what it is."""
    with open(path, "rb") as file:
        data = file.read()
    if data == b"old\n":
        return True
    ending = path.rpartition(".")[2]
    if ending in ("json", "state"):
        return bool(json.loads(data))
    if ending == "jsonl":
        return all(json.loads(line) for line in data.splitlines()) and data[-1:] in (b"\n", b"")
    ends = {"svg": b"</svg>\n", "png": b"IEND\xaeB`\x82", "html": b"</html>\n"}
    return ending not in ends or data.endswith(ends[ending])


def check_signal(world, trial, number, share):
    """A signal after that share of the time that the job takes."""
    with calls.Folder(trial.template) as folder:
        def disturb(process):
            time.sleep(share * trial.seconds)
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)

        outcome = trial.job.run(world.program, folder, jobs.environment(), disturb=disturb)
        what = f"{number.name} after {share * trial.seconds:.3f} s"
        world.judge(trial, what, outcome, interrupted(world, trial, folder, outcome, number))


def interrupted(world, trial, folder, outcome, number):
    now = calls.snapshot(folder)
    if outcome.code == -number:
        # It came before the program had begun.
        early = now == trial.before and not outcome.out
        return None if early else f"dies of signal {number}"
    if outcome.code not in (130, *trial.job.codes):
        return calls.SANITIZER_CODES.get(outcome.code, "wrong exit code")
    if outcome.err.endswith(b"not restored\n"):
        return "the terminal is not as it was"
    if outcome.code == 130 and outcome.err and not INTERRUPTED.match(outcome.err):
        return "not one line on standard error"
    for name in now:
        if name not in trial.after and name not in trial.before:
            return f"{name} is left behind"
        try:
            if not whole(os.path.join(folder, name)):
                return f"{name} is half written"
        except ValueError:
            return f"{name} is half written"
    try:
        return trial.job.verify(world.program, folder, outcome, trial.good)
    except AssertionError as error:
        return f"afterwards: {str(error)[:300]}"


def check_signals(world, trial, count):
    start = time.monotonic()
    with calls.Folder(trial.template) as folder:
        trial.job.run(world.program, folder, jobs.environment())
    trial.seconds = time.monotonic() - start
    for i in range(count):
        check_signal(world, trial, SIGNALS[i % len(SIGNALS)], world.chance.uniform(0, 1.1))


# ---- all

def chosen(names, every):
    return [job for job in every if not names or any(re.fullmatch(n, job.name) for n in names)]


def signal_jobs():
    """Jobs that take a while, and the quick ones of all other commands."""
    slow = list(jobs.slow_jobs())
    names = {job.name for job in slow}
    return slow + [job for job in jobs.all_jobs() if job.name not in names]


def all_checks(only):
    """By name: for what has its input and outputs to itself, and for what is on a terminal."""
    both = {"size": check_file_size, "descriptors": check_descriptors, "memory": check_memory}
    if os.geteuid() == 0 and can_mount():
        both |= {"full": check_full_disk, "read-only": check_read_only,
                 "forbidden": check_forbidden}
    else:
        print("cannot be done here: disks that are full or read-only (nothing can be mounted)")
    pipes = {"outputs": check_outputs, "left": check_left_early} | both
    terminal = {"outputs": check_terminal_outputs, "left": check_hang_up} | both
    return [[check for name, check in checks.items() if only in ("", name)]
            for checks in (pipes, terminal)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--signals", type=int, default=3)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only", default="")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(10**6)
    print("seed", seed)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup the program would rightly ignore it
    world = World(os.path.abspath(options.tetropt), random.Random(seed))
    pipes, terminal = all_checks(options.only)
    for job in chosen(options.names, jobs.all_jobs()):
        trial = calls.Trial(world.program, job)
        before, start = world.runs, time.monotonic()
        for check in terminal if isinstance(job, jobs.TerminalJob) else pipes:
            check(world, trial)
        trial.close()
        print(f"{job.name}: {world.runs - before} runs in {time.monotonic() - start:.1f} s",
              flush=True)
    for job in chosen(options.names, signal_jobs()):
        if options.only not in ("", "signals"):
            break
        trial = calls.Trial(world.program, job)
        check_signals(world, trial, options.signals)
        trial.close()
        print(f"{job.name}: {options.signals} signals over {trial.seconds:.2f} s", flush=True)
    print(f"{world.runs} runs, {world.findings} findings")
    return 1 if world.findings else 0


if __name__ == "__main__":
    sys.exit(main())
