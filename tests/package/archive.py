#!/usr/bin/env python3
"""Checks the source archive: the same commit gives the same bytes, nothing is missing and nothing is too
much, and the tests can be started in it.

    archive.py --packages DIRECTORY

DIRECTORY has the archive of `make package`, from the sources as they are now.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile

SOURCE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(SOURCE, "tests", "install"))
from install import Check  # noqa: E402 pylint: disable=wrong-import-position

# Products of builds and tests, and what belongs to one machine.
UNWANTED = re.compile(r"^build|(^|/)(node_modules|__pycache__|\.git|\.mesonpy[^/]*)/"
                      r"|\.(o|a|so|pyc|deb|whl|gz|log|orig|rej|swp)$|~$")
# Examples of what each later step needs.
NEEDED = ("meson.build", "Makefile", "LICENSE", "README.md", "pyproject.toml", ".ci/run", "debian/rules",
          "scripts/setup", "scripts/packages", "tests/meson.build", "tests/cli/run.py", "tests/unit/test_base.c",
          "tests/fixtures/1.0/store.sqlite", "web/dist/index.html", "web/package-lock.json")
SUITES = {"unit", "cli", "oracle", "scripts", "install"}


def build(directory):
    """The bytes of the archive that scripts/build-dist writes there."""
    run = subprocess.run(["scripts/build-dist"], cwd=directory, stdout=subprocess.PIPE, text=True, check=True)
    with open(os.path.join(directory, run.stdout.strip()), "rb") as file:
        return file.read()


def check_content(t, path, top):
    with tarfile.open(path) as archive:
        members = archive.getmembers()
    names = [member.name for member in members]
    t.true("one directory", all(name.startswith(f"{top}/") for name in names))
    names = [name[len(top) + 1:] for name in names]
    t.true("sorted, each file once", names == sorted(set(names)))
    t.true("only files", all(member.isfile() for member in members))
    t.true("owner", {(member.uid, member.gid) for member in members} == {(0, 0)})
    t.true("modes", {member.mode for member in members} <= {0o644, 0o755})
    t.true("one time", len({member.mtime for member in members}) == 1)
    unwanted = [name for name in names if UNWANTED.search(name)]
    t.true("nothing is too much", not unwanted, unwanted)
    t.true("nothing is missing", set(NEEDED) <= set(names), set(NEEDED) - set(names))


def check_tests(t, tree):
    """meson finds the tests, which is where `make test` begins."""
    build_directory = os.path.join(tree, "build")
    run = subprocess.run(["meson", "setup", build_directory], cwd=tree, capture_output=True, text=True, check=False)
    t.true("meson setup", run.returncode == 0, run.stdout[-1000:])
    run = subprocess.run(["meson", "introspect", "--tests", build_directory], capture_output=True, text=True, check=True)
    suites = {suite.split(":")[-1] for test in json.loads(run.stdout) for suite in test["suite"]}
    t.true("test suites", SUITES <= suites, SUITES - suites)


def main():
    parser = argparse.ArgumentParser(description="Check the source archive.")
    parser.add_argument("--packages", required=True, metavar="DIRECTORY")
    options = parser.parse_args()
    with open(os.path.join(SOURCE, "meson.build"), encoding="utf-8") as file:
        version = re.search(r"version: '([\d.]+)'", file.read()).group(1)
    top = f"tetropt-{version}"
    path = os.path.join(options.packages, f"{top}.tar.gz")
    t = Check()
    check_content(t, path, top)
    with open(path, "rb") as file:
        first = file.read()
    t.true("the same bytes again", build(SOURCE) == first)
    with tempfile.TemporaryDirectory(prefix="tetropt-archive-") as directory:
        os.umask(0o077)  # modes must not depend on it
        subprocess.run(["tar", "-xzf", os.path.abspath(path), "--no-same-permissions"], cwd=directory, check=True)
        tree = os.path.join(directory, top)
        check_tests(t, tree)
        t.true("the same bytes from the archive itself", build(tree) == first)
    print("archive: failed" if t.failed else f"archive: all good ({len(first)} bytes)")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
