#!/usr/bin/env python3
"""Installs the Debian packages in a clean root, uses them there, and removes them without a trace; then
builds the program there from the source archive.

    clean_root.py --packages FOLDER

FOLDER holds the packages of `make package`. The root is the smallest Debian there is (mmdebstrap
--variant=minbase) with a compiler and man beside; where packages come from is asked of this machine's
apt. Exit code 77: this machine cannot do it.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

TOOLS = "gcc,g++,libc6-dev,pkg-config,man-db,bash-completion"

# Inside the root, every line a check. $V is the version.
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

# And the source archive, as somebody builds it who has only that.
BUILD = r"""
set -eux
cd /tmp
tar -xzf /packages/tetropt-$V.tar.gz
cd tetropt-$V
meson setup build -Dtests=disabled > setup.log || { tail setup.log; exit 1; }
ninja -C build > build.log || { tail build.log; exit 1; }
[ "$(build/tetropt --version)" = "tetropt $V" ]
build/tetropt bench --quick --only perft
cd .. && rm -rf tetropt-$V
"""


def apt_sources():
    """The lines of a sources.list for Debian that this machine's apt uses."""
    run = subprocess.run(
        ["apt-get", "indextargets", "--format", "deb $(REPO_URI) $(RELEASE) $(COMPONENT)",
         "Created-By: Packages", "Origin: Debian"], capture_output=True, text=True, check=True)
    return "\n".join(dict.fromkeys(run.stdout.splitlines())) + "\n"


def apt_options():
    """How this machine's apt gets what it gets: proxies and the like."""
    run = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True)
    wanted = ("Acquire::http", "Acquire::https", "Acquire::Check", "Acquire::Retries")
    return [f"--aptopt={line}" for line in run.stdout.splitlines()
            if line.startswith(wanted) and not line.endswith('"";')]


def make_root(root):
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={TOOLS}",
                    *apt_options(), "", root, "-"], input=apt_sources(), text=True, check=True)
    shutil.copy("/etc/resolv.conf", os.path.join(root, "etc", "resolv.conf"))


def inside(root, *command, **more):
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive",
                   "LC_ALL": "C.UTF-8", "HOME": "/root", "MANPAGER": "cat", **more}
    subprocess.run(["chroot", root, *command], check=True, env=environment)


def listing(root):
    """Every file, but for what apt and dpkg write about their own work."""
    own = ("var/cache", "var/lib/apt", "var/lib/dpkg", "var/log", "tmp", "packages",
           "var/lib/systemd", "etc/ld.so.cache", "proc", "sys", "dev", "run")
    found = set()
    for folder, folders, files in os.walk(root):
        here = os.path.relpath(folder, root)
        folders[:] = [name for name in folders
                      if os.path.normpath(os.path.join(here, name)) not in own]
        found |= {os.path.normpath(os.path.join(here, name)) for name in files + folders}
    return found - set(own)


def check(root, packages, version):
    os.mkdir(os.path.join(root, "packages"))
    for path in packages:
        shutil.copy(path, os.path.join(root, "packages"))
    inside(root, "apt-get", "update", "-qq")
    before = listing(root)
    names = [os.path.basename(path) for path in packages]
    inside(root, "apt-get", "install", "-y", "-qq", "--no-install-recommends",
           *(f"/packages/{name}" for name in names))
    inside(root, "bash", "-o", "pipefail", "-c", USE, V=version)
    inside(root, "apt-get", "purge", "-y", "-qq", *(name.split("_")[0] for name in names))
    left = [name for name in listing(root) if "tetropt" in name]
    inside(root, "apt-get", "autoremove", "--purge", "-y", "-qq")
    after = listing(root)
    # Packages that only came along may leave what is theirs; what is ours may not stay.
    print(f"{len(after - before)} other files stay, from packages that came along")
    if left:
        print(f"FAIL after the removal there are {left}")
    gone = before - after
    if gone:
        print(f"FAIL the removal took along {sorted(gone)[:20]}")
    return not left and not gone


def build_archive(root, archive, version):
    """Builds the program from the source archive, with the packages that scripts/packages names."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "..", "..", "scripts", "packages"), encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    shutil.copy(archive, os.path.join(root, "packages"))
    inside(root, "apt-get", "install", "-y", "-qq", "--no-install-recommends",
           *(name for name, purpose, _ in rows if purpose == "build"))
    inside(root, "bash", "-o", "pipefail", "-c", BUILD, V=version)


def main():
    parser = argparse.ArgumentParser(description="The packages in a clean root.")
    parser.add_argument("--packages", required=True, metavar="FOLDER")
    options = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        print("clean_root: needs root and mmdebstrap: left out")
        return 77
    packages = [path for path in sorted(glob.glob(os.path.join(options.packages, "*.deb")))
                if "-dbgsym_" not in path]
    if len(packages) != 4:
        print(f"FAIL there are {len(packages)} packages in {options.packages}, not 4")
        return 1
    version = os.path.basename(packages[0]).split("_")[1]
    archive = os.path.join(options.packages, f"tetropt-{version}.tar.gz")
    folder = tempfile.mkdtemp(prefix="tetropt-root-")
    root = os.path.join(folder, "root")
    try:
        make_root(root)
        good = check(root, packages, version)
        build_archive(root, archive, version)
    finally:
        subprocess.run(["rm", "-rf", "--one-file-system", folder], check=False)
    print("clean root: all good" if good else "clean root: failed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
