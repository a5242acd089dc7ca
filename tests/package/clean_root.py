#!/usr/bin/env python3
"""Checks the Debian packages in a clean root (root.py): installs, uses and purges them, upgrades 1.0.0
to them (upgrade.py), and builds the program there from the source archive.

    clean_root.py --packages DIRECTORY

DIRECTORY has the packages of `make package`. Exit code 77: root or mmdebstrap is missing.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import time

from root import Root
from upgrade import Upgrade

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

# A new installation. Every line is a check; $V is the version.
USE = r"""
set -eux
[ "$(tetropt --version)" = "tetropt $V" ]
if ldd /usr/bin/tetropt | grep 'not found'; then exit 1; fi
cd /tmp
tetropt solve --pieces IOTSZJLIOT --encoding placements --evaluations 300000 --seed 0 --json \
    --save replay.json > answer.json
grep -q '"board":\[\]' answer.json
tetropt replay replay.json > /dev/null
[ "$(tetropt perft --pieces IOLJSZT --depth 4 --json | grep -c 188374)" = 1 ]
tetropt simulate --agent bcts --rules drop --height 10 --total-pieces 100000 --seed 1 > /dev/null
tetropt eval /usr/share/doc/tetropt/examples/game.json > /dev/null
tetropt experiment init quick --store sqlite:runs.sqlite --seed 1 > /dev/null
man tetropt | grep -q 'solve, play and optimise Tetris'
man tetropt-solve | grep -q -e --encoding
man 3 tetropt | grep -q tetropt_game_new
bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader tetropt
    complete -p tetropt' | grep -q _tetropt
[ "$(pkg-config --modversion tetropt)" = "$V" ]
cc /usr/share/doc/libtetropt-dev/examples/solve.c -o solve $(pkg-config --cflags --libs tetropt)
./solve IOTSZJLIOT | grep 'nothing is left'
cc /usr/share/doc/libtetropt-dev/examples/play.c -o play $(pkg-config --cflags --libs tetropt)
./play 7 | grep '1000 pieces'
c++ /usr/share/doc/libtetropt-dev/examples/measure.cpp -o measure \
    $(pkg-config --cflags --libs tetropt)
./measure dt20 | grep '50 games'
cc -static /usr/share/doc/libtetropt-dev/examples/play.c -o static \
    $(pkg-config --static --cflags --libs tetropt)
[ "$(./static 7)" = "$(./play 7)" ]
/usr/bin/python3 -c "import tetropt; assert tetropt.__version__ == '$V'; \
    assert tetropt.solve(n=10, seed=1, evaluations=2000)['placed'] == 10"
"""

# The source archive, built with nothing but the packages that it names.
BUILD = r"""
set -eux
cd /tmp
tar -xzf /packages/tetropt-$V.tar.gz
cd tetropt-$V
meson setup build -Dtests=disabled > setup.log || { tail setup.log; exit 1; }
ninja -C build > build.log || { tail build.log; exit 1; }
[ "$(build/tetropt --version)" = "tetropt $V" ]
build/tetropt bench --quick --only perft
python3 tests/cli/run.py --tetropt build/tetropt pieces instances
cd .. && rm -rf tetropt-$V
"""


def check_new(root, packages, version):
    """A new installation can be used and is purged without a trace."""
    root.install(packages)
    root.script(USE, V=version)
    root.purge(packages)
    left = root.leftovers()
    if left:
        print(f"FAIL after the purge there are {left}")
    return not left


def check_upgrade(root, packages):
    """True also where 1.0.0 cannot be built because the history is missing."""
    build = subprocess.run([os.path.join(SOURCE, "scripts", "build-package-1.0")], text=True,
                           stdout=subprocess.PIPE, check=False)
    if build.returncode == 77 and build.stdout.startswith("cannot be done here: "):
        print(build.stdout.strip())
        return True
    if build.returncode != 0:
        print(f"FAIL the packages of 1.0.0 could not be built: {build.stdout.strip()}")
        return False
    return Upgrade(root, [os.path.join(SOURCE, name) for name in build.stdout.split()], packages).run()


def check_removed(root, before):
    """Other packages may leave files of their own. No other file may be gone."""
    root.run("apt-get", "autoremove", "--purge", "-y", "-qq")
    after = root.listing()
    print(f"{len(after - before)} files stay that belong to dependencies")
    gone = before - after
    if gone:
        print(f"FAIL the purge removed {sorted(gone)[:20]}")
    return not gone


def check_archive(root, archive, version):
    """Builds the program from the source archive, with the packages that scripts/packages names."""
    with open(os.path.join(SOURCE, "scripts", "packages"), encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    shutil.copy(archive, os.path.join(root.path, "packages"))
    root.run("apt-get", "install", "-y", "-qq", "--no-install-recommends",
             *(name for name, purpose, _ in rows if purpose == "build"))
    root.script(BUILD, V=version)
    return True


def check_all(root, packages, archive, version):
    started = time.monotonic()

    def step(what, good):
        print(f"{what}: {'good' if good else 'FAILED'} after {time.monotonic() - started:.0f} s", flush=True)
        return good

    root.make()
    before = root.listing()
    return all([step("new installation", check_new(root, packages, version)),
                step("upgrade from 1.0.0", check_upgrade(root, packages)),
                step("removal", check_removed(root, before)),
                step("source archive", check_archive(root, archive, version))])


def main():
    parser = argparse.ArgumentParser(description="Check the Debian packages in a clean root.")
    parser.add_argument("--packages", required=True, metavar="DIRECTORY")
    options = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        print("clean_root: needs root and mmdebstrap")
        return 77
    packages = [path for path in sorted(glob.glob(os.path.join(options.packages, "*.deb")))
                if "-dbgsym_" not in path]
    if len(packages) != 4:
        print(f"FAIL there are {len(packages)} packages in {options.packages}, not 4")
        return 1
    version = os.path.basename(packages[0]).split("_")[1]
    archive = os.path.join(options.packages, f"tetropt-{version}.tar.gz")
    root = Root()
    try:
        good = check_all(root, packages, archive, version)
    finally:
        root.remove()
    print("clean root: all good" if good else "clean root: failed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
