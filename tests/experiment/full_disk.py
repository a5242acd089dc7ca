#!/usr/bin/env python3
"""A disk that is full: exit 3, one line, and the store is sound; with more room the work goes on to
the same rows. Exit 77 (skipped) where no small file system can be mounted.

    full_disk.py --tetropt PATH
"""

import argparse
import os
import subprocess
import sys

from runner import Folder, expect, main


def mount(*arguments):
    return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0


def ends_full(folder, store, *arguments):
    process = folder.start(*arguments, "--store", store)
    out, err = process.communicate(timeout=120)
    expect(process.returncode == 3 and err.count("\n") == 1 and "space" in err, arguments,
           "on a full disk:", process.returncode, out, err)


def test():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    options = parser.parse_args()
    folder = Folder(options.tetropt, 6, 10000)
    disk = os.path.join(folder.path, "disk")
    os.mkdir(disk)
    if not mount("-t", "tmpfs", "-o", "size=200k", "tmpfs", disk):
        folder.remove()
        print("cannot be done here: mounting a small file system")
        sys.exit(77)
    try:
        expected = folder.undisturbed()
        store = f"sqlite:{disk}/store.sqlite"
        folder.init(store)
        ends_full(folder, store, "run", "--quiet")
        ends_full(folder, store, "run", "--quiet")
        expect(mount("-o", "remount,size=20m", disk), "remount")
        counts = folder.counts(store)
        expect(counts["failed"] == 0 and counts["done"] < folder.runs, "counts", counts)
        folder.call("run", "--store", store, "--quiet")
        expect(folder.export(store) == expected, "the rows differ")
        print(f"full after {counts['done']} of {folder.runs} runs")
    finally:
        subprocess.run(["umount", "-l", disk], check=False)
        folder.remove()


main(test)
