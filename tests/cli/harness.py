"""What the checks of the command line share: running the program and counting.

A check is a function `check_*(t)` in a module `check_*.py`, where t is a Harness. It runs the
program in an empty folder of its own, with `examples` in it, and calls t.true, t.equal, t.refuses.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

import screen

TIMEOUT_SECONDS = 300

# `tetropt: WHAT: WHY`, one line.
COMPLAINT = re.compile(r"\Atetropt: [^\n]+: [^\n]+\n\Z")


class Run:
    """How a run of the program ended."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"exit {self.code}, stdout {self.out[:300]!r}, stderr {self.err[:300]!r}"


class Option:
    """A line of the options in the help text of a command."""

    def __init__(self, name, argument, text):
        self.name, self.argument, self.text = name, argument, text

    @property
    def choices(self):
        """The words of `a|b|c`, or of a long list `: a b c (a)` with its default; or an empty list."""
        match = re.search(r"[:,] ([a-z0-9-]+(\|[a-z0-9.-]*[a-z0-9])+)", self.text)
        if match:
            return match.group(1).split("|")
        match = re.search(r": ([a-z0-9 -]+) \(([a-z0-9-]+)\)", self.text)
        words = match.group(1).split() if match else []
        return words if words and match.group(2) in words else []

    @property
    def out_of_range(self):
        """Values just outside of `low..high` or below `at least low`."""
        number = r"(-?[\d.]*\d(?:e[+-]?\d+)?)"
        match = re.search(rf", {number}\.\.{number}", self.text)
        if match:
            low, high = float(match.group(1)), float(match.group(2))
            return [f"{low - 1:.17g}", f"{high + max(1, abs(high) * 1e-6):.17g}"]
        match = re.search(rf", at least {number}", self.text)
        return [f"{float(match.group(1)) - 1:.17g}"] if match else []


class Harness:
    def __init__(self, program, examples, long_examples):
        self.program = os.path.abspath(program)
        self.source = os.path.dirname(os.path.abspath(examples))
        self.examples = os.path.abspath(examples)
        self.long_examples = long_examples
        self.passed = self.failed = 0
        self.name = self.folder = ""
        self.terminal = None
        self.extra = {}  # more of the environment, until the check ends

    # -- life ---------------------------------------------------------------

    def enter(self, name):
        """Starts a check in a new folder."""
        self.name = name
        self.folder = tempfile.mkdtemp(prefix="tetropt-cli-")
        os.symlink(self.examples, os.path.join(self.folder, "examples"))

    def leave(self):
        self.extra = {}
        shutil.rmtree(self.folder)

    # -- running ------------------------------------------------------------

    def environment(self, extra=None):
        environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm") | self.extra | (extra or {})
        environment["PATH"] = os.path.dirname(self.program) + os.pathsep + environment["PATH"]
        return environment

    def run(self, *arguments, stdin="", env=None):
        return self.start([self.program, *arguments], stdin, env)

    def shell(self, line, stdin="", env=None):
        """Runs a line of bash; `tetropt` in it is the program."""
        return self.start(["bash", "-c", line], stdin, env)

    def screen(self, *arguments, rows=24, columns=80, env=None, line=None):
        """The program (or a line of bash) on a terminal; high scores go to the check's folder."""
        command = ["bash", "-c", line] if line else [self.program, *arguments]
        extra = {"TERM": "xterm-256color", "XDG_DATA_HOME": os.path.join(self.folder, "data")}
        environment = self.environment() | extra
        environment.pop("NO_COLOR", None)
        environment |= env or {}
        return screen.Screen(command, self.folder, environment, rows, columns)

    @property
    def has_terminal(self):
        """False when the program was built without ncurses."""
        if self.terminal is None:
            probe = self.screen("play", env={"TERM": "dumb"})
            probe.finish()
            self.terminal = "built without" not in probe.raw
            probe.close()
        return self.terminal

    @property
    def scale(self):
        """The share of random cases and games to run; below 1 where a sanitizer makes the program slow."""
        return float(os.environ.get("TETROPT_TEST_SCALE", "1"))

    @property
    def late_signals(self):
        """ThreadSanitizer hands a signal on when a library is called: late, or never."""
        return "TSAN_OPTIONS" in os.environ

    def interrupt(self, *arguments, after=0.5):
        """Starts the program, leaves its stdin open and presses Ctrl-C after some seconds."""
        pipe = subprocess.PIPE
        process = subprocess.Popen([self.program, *arguments], stdin=pipe, stdout=pipe,
                                   stderr=pipe, cwd=self.folder, env=self.environment())
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
        out, err = process.communicate()
        return Run(process.returncode, out.decode(), err.decode())

    def start(self, command, stdin, env):
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        try:
            done = subprocess.run(
                command,
                input=data,
                capture_output=True,
                cwd=self.folder,
                env=self.environment(env),
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Run("timeout", "", "")
        return Run(done.returncode, done.stdout.decode(errors="replace"),
                   done.stderr.decode(errors="replace"))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def files(self):
        return sorted(os.listdir(self.folder))

    # -- what the help says -------------------------------------------------

    def commands(self):
        """The names of all commands, from the overview."""
        text = self.run("help").out.partition("Commands:\n")[2].partition("\n\n")[0]
        return re.findall(r"^  ([a-z][a-z0-9-]*) ", text, re.MULTILINE)

    def options(self, command):
        """The options of a command, from its help."""
        text = self.run(command, "--help").out.partition("\nOptions")[2].partition("\n\n")[0]
        text = re.sub(r"\n {20,}", " ", text)
        found = re.findall(r"^  --([a-z0-9-]+)(?: (\S+))? +(.*)$", text, re.MULTILINE)
        return [Option(*row) for row in found]

    # -- judging ------------------------------------------------------------

    def true(self, what, good, detail=""):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {self.name}: {what}" + (f": {detail}" if detail else ""))
        return good

    def equal(self, what, got, expected):
        return self.true(what, got == expected, f"{got!r}, expected {expected!r}")

    def fails(self, code, run, *fragments, what="", out=""):
        """The run ended with this code and one clear line that has all fragments."""
        good = (
            run.code == code
            and run.out == out
            and COMPLAINT.match(run.err)
            and all(fragment in run.err for fragment in fragments)
        )
        return self.true(what or "one line", good, f"{run}, expected exit {code}, {fragments}")

    def refuses(self, *arguments, stdin="", names=()):
        """Bad usage or input: exit 2, one line, nothing on stdout, no file written."""
        before = self.files()
        run = self.run(*arguments, stdin=stdin)
        what = " ".join(arguments)[:200] + (f" < {stdin[:120]!r}" if stdin else "")
        names = (names,) if isinstance(names, str) else names
        self.fails(2, run, *names, what=what)
        self.equal(f"{what}: no file written", self.files(), before)

    def document(self, *arguments, stdin="", code=0):
        """The one JSON document that --json prints; {} when there is none."""
        run = self.run(*arguments, stdin=stdin)
        what = " ".join(arguments)[:200]
        self.equal(f"{what}: exit code ({run.err.strip()[:200]})", run.code, code)
        self.equal(f"{what}: lines", run.out.count("\n"), 1)
        try:
            return json.loads(run.out)
        except ValueError as error:
            self.true(f"{what}: JSON", False, f"{error}: {run.out[:300]!r}")
            return {}
