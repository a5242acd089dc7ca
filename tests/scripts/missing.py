#!/usr/bin/env python3
"""Checks what the scripts of CI do when something is missing: with TETROPT_NO_SKIP they fail, without it
they report what is left out and continue. Each script runs as a copy in a directory of its own, with a
PATH of a few tools, so that nothing of this machine is found or changed.

    missing.py --source FOLDER
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

TOOLS = ("sh", "env", "dirname", "id", "mktemp", "rm", "tail", "find", "awk", "sed", "ls", "wc", "nproc",
         "cat", "mkdir", "python3", "date", "printf", "bash", "sleep")
FAKE_TARGET = "#!/bin/sh\necho 'stat::number_of_executed_units: 7'\n"


class Place:
    """A folder with copies of scripts, and a PATH."""

    def __init__(self, source):
        self.source = source
        self.path = tempfile.mkdtemp(prefix="tetropt-scripts-")
        os.mkdir(os.path.join(self.path, "scripts"))
        for tool in TOOLS:
            found = shutil.which(tool)
            if found:
                self.tool(tool, f'#!{shutil.which("sh")}\nexec {found} "$@"\n')

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def tool(self, name, text="#!/bin/sh\nexit 0\n"):
        self.write(os.path.join("bin", name), text, 0o755)

    def run(self, script, *arguments, strict):
        name = os.path.join("scripts", script)
        shutil.copy(os.path.join(self.source, name), os.path.join(self.path, name))
        environment = {"PATH": os.path.join(self.path, "bin"), "HOME": self.path}
        if strict:
            environment["TETROPT_NO_SKIP"] = "1"
        done = subprocess.run([os.path.join(self.path, name), *arguments], cwd=self.path,
                              env=environment, capture_output=True, text=True, check=False,
                              timeout=60)
        return done.returncode, done.stdout + done.stderr

    def close(self):
        shutil.rmtree(self.path)


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def true(self, what, holds, seen):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"FAIL {what}: {seen}")


def check_setup(t, place):
    place.write("scripts/packages", "# a remark\nno-such-package test cmd:no-such-command\n")
    code, text = place.run("setup", "test", strict=False)
    t.true("a user goes on", code == 0 and "no-such-package" in text, (code, text))
    code, text = place.run("setup", "test", strict=True)
    t.true("CI does not", code == 1 and "no-such-package" in text, (code, text))
    code, text = place.run("setup", "build", strict=True)
    t.true("what is not asked for may be missing", code == 0, (code, text))
    # An installation that ends well and still leaves the command missing.
    place.tool("apt-get")
    place.tool("id", "#!/bin/sh\necho 0\n")
    code, text = place.run("setup", "test", strict=True)
    t.true("looked for once more", code == 1 and "install them with" in text, (code, text))


def check_npm(t, place):
    code, text = place.run("npm-setup", strict=False)
    t.true("without npm", code == 0 and "there is no npm" in text, (code, text))
    code, text = place.run("npm-setup", strict=True)
    t.true("without npm in CI", code == 1 and "there is no npm" in text, (code, text))


def check_page(t, place):
    code, text = place.run("build-page", "--check", strict=False)
    t.true("a page that cannot be built", code == 0 and "missing:" in text, (code, text))
    code, text = place.run("build-page", "--check", strict=True)
    t.true("likewise in CI", code == 3 and "missing:" in text, (code, text))


def check_compilers(t, place):
    for strict in (False, True):
        code, text = place.run("check-compilers", strict=strict)
        t.true("no compiler", code == 77 and "there is no gcc" in text, (code, text))


def check_steps(t, place):
    """A step of `check` that cannot run is left out, and one that fails does not end the others."""
    for strict in (False, True):
        code, text = place.run("check", "quick", "kernels", "lint", strict=strict)
        t.true("two steps without their tools", code == strict and
               "left out: lint: there is no clang-format" in text and
               "left out: kernels: there is no clang" in text, (code, text))
    place.write("tests/load/largest.py", "print('an error'); raise SystemExit(1)\n")
    place.write("tests/experiment/kills.py", "import time; time.sleep(0.5); print('100 kills')\n")
    code, text = place.run("check", "all", "largest", "kills", strict=False)
    t.true("one step fails, one does not", code == 1 and "an error\nFAIL: largest" in text and
           "ok: kills: " in text and "check all: 1 failed" in text, (code, text))


def check_skipped(t, place):
    def log(*tests):
        place.write("build/meson-logs/testlog.json", "".join(
            json.dumps({"name": name, "result": result, "stdout": said}) + "\n"
            for name, result, said in tests))

    log(("a", "OK", "1 passed"), ("b", "SKIP", "there is no b\n"))
    code, text = place.run("skipped", "build", strict=False)
    t.true("skipped tests are listed", code == 0 and text == "skipped: b: there is no b\n", (code, text))
    code, text = place.run("skipped", "build", strict=True)
    t.true("and fail in CI", code == 1 and "1 tests that should have run" in text, (code, text))
    log(("a", "OK", ""), ("disk", "SKIP", "x\ncannot be done here: mounting\n"))
    code, text = place.run("skipped", "build", strict=True)
    t.true("but for what no machine of its kind can do",
           code == 0 and text == "skipped: disk: cannot be done here: mounting\n", (code, text))
    log(("a", "OK", ""))
    code, text = place.run("skipped", "build", strict=True)
    t.true("nothing skipped, nothing said", (code, text) == (0, ""), (code, text))


def check_fuzz(t, place):
    place.write("scripts/build-sanitized", "#!/bin/sh\n", 0o755)
    for name in ("fuzz_a", "fuzz_b"):
        place.write(f"tests/fuzz/{name}.c", "")
        place.write(f"tests/fuzz/seeds/{name}/seed", "x")
    place.write("build-sanitize/tests/fuzz/fuzz_a", FAKE_TARGET, 0o755)
    place.write("build-sanitize/fuzz_gone.log", "stat::number_of_executed_units: 1000\n")
    code, text = place.run("fuzz", "2", strict=False)
    t.true("a target that is not built", code == 1 and "fuzz_b: there is no" in text, (code, text))
    place.write("build-sanitize/tests/fuzz/fuzz_b", FAKE_TARGET, 0o755)
    code, text = place.run("fuzz", "2", strict=False)
    t.true("every target, and no log of an earlier run",
           code == 0 and "fuzz: 14 inputs in all, 2 targets" in text, (code, text))
    place.write("build-sanitize/tests/fuzz/fuzz_b", "#!/bin/sh\nexit 77\n", 0o755)
    code, text = place.run("fuzz", "2", strict=False)
    t.true("a finding", code == 1 and "to see it again" in text, (code, text))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", required=True)
    options = parser.parse_args()
    t = Checks()
    for check in (check_setup, check_npm, check_page, check_compilers, check_steps, check_skipped,
                  check_fuzz):
        place = Place(os.path.abspath(options.source))
        try:
            check(t, place)
        finally:
            place.close()
    print(f"{t.passed} passed, {t.failed} failed")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
