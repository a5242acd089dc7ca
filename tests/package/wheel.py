#!/usr/bin/env python3
"""Checks the wheel: its metadata and content, and that it works with only numpy beside it.

    wheel.py --packages DIRECTORY

DIRECTORY has the wheel of `make package`. It is installed into a new virtual environment and used from
an empty directory. Exit code 77: there is no wheel, or numpy cannot be installed.
"""

import argparse
import email
import glob
import os
import re
import subprocess
import sys
import tempfile
import venv
import zipfile

SOURCE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(SOURCE, "tests", "install"))
from install import Check  # noqa: E402 pylint: disable=wrong-import-position

# A job, a batch of the vector environment and a player, as a user would run them.
USE = """
import importlib.metadata, os, sys
import numpy, tetropt
assert tetropt.__version__ == importlib.metadata.version("tetropt") == sys.argv[1]
assert tetropt.__file__.startswith(sys.prefix), tetropt.__file__
solved = tetropt.solve(n=10, seed=1, evaluations=2000)
assert solved["placed"] == 10, solved
assert tetropt.solve(n=10, seed=1, evaluations=2000)["fitness"] == solved["fitness"]
played = tetropt.simulate(agent="bcts", games=2, max_pieces=50, seed=1)
assert played["games"] == 2, played
"""


def read(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def setting(pattern, name):
    return re.search(pattern, read(name), re.MULTILINE).group(1)


def check_metadata(t, wheel, version):
    info = f"tetropt-{version}.dist-info"
    metadata = email.message_from_bytes(wheel.read(f"{info}/METADATA"))
    wanted = {"Name": "tetropt", "Version": version,
              "Summary": setting(r'^description = "(.*)"', "pyproject.toml"),
              "Requires-Python": setting(r'^requires-python = "(.*)"', "pyproject.toml")}
    for name, value in wanted.items():
        t.true(name, metadata[name] == value, metadata[name])
    # A field of several lines is indented in the file.
    licence = re.sub(r"\s+", " ", (metadata["License"] or "").replace("|", " ")).strip()
    t.true("licence", licence == re.sub(r"\s+", " ", read("LICENSE")).strip(), licence)
    page = setting(r'^readme = "(.*)"', "pyproject.toml")
    t.true("description", metadata.get_payload(decode=True).decode().strip() == read(page).strip(), page)
    t.true("its type", metadata["Description-Content-Type"].startswith("text/markdown"),
           metadata["Description-Content-Type"])
    needed = [line for line in metadata.get_all("Requires-Dist") if "extra ==" not in line]
    t.true("dependencies", len(needed) == 1 and needed[0].startswith("numpy"), needed)
    tags = email.message_from_bytes(wheel.read(f"{info}/WHEEL")).get_all("Tag")
    t.true("tag", len(tags) == 1 and tags[0].startswith("cp311-abi3-linux_"), tags)


def check_content(t, wheel, version):
    """Only the package, and nothing that says where it was built."""
    places = [SOURCE, "build-package", ".mesonpy", "/tmp/", os.path.expanduser("~") + "/"]
    for name in wheel.namelist():
        t.true("file", name.startswith(("tetropt/", f"tetropt-{version}.dist-info/"))
               and "__pycache__" not in name, name)
        content = wheel.read(name)
        found = [place for place in places if place.encode() in content]
        t.true("no build path", not found, (name, found))
    t.true("types", "tetropt/py.typed" in wheel.namelist(), wheel.namelist())


def check_use(t, path, version):
    """False where numpy cannot be installed."""
    with tempfile.TemporaryDirectory(prefix="tetropt-wheel-") as directory:
        venv.create(os.path.join(directory, "venv"), with_pip=True)
        python = os.path.join(directory, "venv", "bin", "python")
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run([*pip, "install", "numpy"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"wheel: numpy could not be installed: {done.stderr.strip().splitlines()[-1]}")
            return False
        # Without a registry: numpy is all that the wheel may need.
        for words in ([*pip, "install", "--no-index", path], [*pip, "check"], [python, "-I", "-c", USE, version]):
            done = subprocess.run(words, cwd=directory, capture_output=True, text=True, check=False)
            t.true(" ".join(words[1:6])[:60], done.returncode == 0, done.stdout + done.stderr)
    return True


def main():
    parser = argparse.ArgumentParser(description="Check the wheel.")
    parser.add_argument("--packages", required=True, metavar="DIRECTORY")
    options = parser.parse_args()
    wheels = glob.glob(os.path.join(options.packages, "*.whl"))
    if len(wheels) != 1:
        print(f"wheel: there are {len(wheels)} wheels in {options.packages}, not 1")
        return 77
    version = setting(r"^ *version: '([\d.]+)'", "meson.build")
    t = Check()
    t.true("file name", os.path.basename(wheels[0]).startswith(f"tetropt-{version}-"), wheels[0])
    with zipfile.ZipFile(wheels[0]) as wheel:
        check_metadata(t, wheel, version)
        check_content(t, wheel, version)
    used = check_use(t, os.path.abspath(wheels[0]), version)
    print("wheel: failed" if t.failed else "wheel: all good" if used else "wheel: not installed")
    return 1 if t.failed else 0 if used else 77


if __name__ == "__main__":
    sys.exit(main())
