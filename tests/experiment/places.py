#!/usr/bin/env python3
"""Stores where something is wrong with the place: a disk that is full when the log is written back,
a file system that may not be written, two servers on one store, and two hosts on one PostgreSQL of
which one is cut off. What the machine cannot do is reported and left out.

    places.py --tetropt PATH [--cut-seconds N]
"""

import argparse
import contextlib
import json
import os
import sqlite3
import subprocess
import time
import urllib.request

from postgresql import Server, can_start
from runner import Folder, expect, main


def run(*words):
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def full_at_the_end(folder, disk):
    """A reader keeps the log from being written back until the disk has no room for it."""
    if not run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk):
        return "left out: mounting a small file system"
    try:
        expected = folder.undisturbed()
        store = f"{disk}/store.sqlite"
        folder.init(f"sqlite:{store}")
        reader = sqlite3.connect(store)
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM tetropt_run").fetchall()
        process = folder.start("run", "--quiet", "--store", f"sqlite:{store}")
        _, err = process.communicate(timeout=120)
        expect(process.returncode == 3 and "store.sqlite-wal" in err and err.count("\n") == 1,
               "a reader in the middle:", process.returncode, err)
        filler = os.open(f"{disk}/filler", os.O_CREAT | os.O_WRONLY)
        with contextlib.suppress(OSError):
            while True:
                os.write(filler, b"x" * 4096)
        os.close(filler)
        reader.close()
        process = folder.start("run", "--quiet", "--store", f"sqlite:{store}")
        _, err = process.communicate(timeout=120)
        expect(process.returncode in (0, 3) and err.count("\n") <= 1, "full:", process.returncode, err)
        os.remove(f"{disk}/filler")
        folder.call("run", "--quiet", "--store", f"sqlite:{store}")
        expect(folder.export(f"sqlite:{store}") == expected, "the rows differ")
        expect(not os.path.exists(f"{store}-wal"), "the log is still there")
    finally:
        run("umount", "-l", disk)
    return "a full disk while the log is written back: nothing is lost"


def read_only(folder, disk):
    """All that reads works, all that writes says so."""
    if not run("mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", disk):
        return "left out: mounting a file system"
    folder.init(f"sqlite:{disk}/store.sqlite")
    folder.call("run", "--quiet", "--store", f"sqlite:{disk}/store.sqlite")
    if not run("mount", "-o", "remount,ro", disk):
        run("umount", "-l", disk)
        return "left out: mounting read-only"
    try:
        store = f"sqlite:{disk}/store.sqlite"
        expect(folder.counts(store)["done"] == folder.runs, "status")
        folder.call("export", "csv", "--store", store)
        folder.call("copy", os.path.join(folder.path, "copy.sqlite"), "--store", store)
        expect(folder.counts(f"sqlite:{folder.path}/copy.sqlite")["done"] == folder.runs, "copy")
        for words in (("init", folder.grid, "--name", "again"), ("run",)):
            process = folder.start(*words, "--store", store)
            _, err = process.communicate(timeout=60)
            expect(process.returncode in (2, 3) and err.count("\n") == 1 and
                   ("ead-only" in err or "may not be written" in err), words, process.returncode, err)
    finally:
        run("umount", "-l", disk)
    return "a read-only mount: read and copied, and nothing else"


def two_servers(folder):
    """Both show the work of a third process."""
    store = f"sqlite:{folder.path}/two.sqlite"
    folder.init(store)
    servers = [subprocess.Popen([folder.tetropt, "serve", "--port", "0", "--json", "--quiet", "--store",
                                 store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
               for _ in range(2)]
    lines = [server.stdout.readline() for server in servers]
    if not all(lines):
        return "left out: serve"
    try:
        folder.call("run", "--quiet", "--store", store)
        for line in lines:
            with urllib.request.urlopen(f"http://127.0.0.1:{json.loads(line)['port']}/api/stores",
                                        timeout=10) as answer:
                expect(json.load(answer)[0]["done"] == folder.runs, "a server shows old numbers")
        expect(not os.path.exists(f"{folder.path}/two.sqlite-wal") or
               os.path.getsize(f"{folder.path}/two.sqlite-wal") == 0, "results are in the log")
    finally:
        for server in servers:
            server.terminate()
            server.wait(timeout=20)
    return "two servers on one store: both are up to date"


class Host:
    """A network of its own, joined to ours by a pair of interfaces."""

    def __init__(self, number):
        self.name, self.number = f"tetropt-{os.getpid()}-{number}", number
        self.made = run("ip", "netns", "add", self.name)
        outside, inside = f"ttr{os.getpid() % 1000}{number}", "eth0"
        self.ours = f"10.213.{number}.1"
        self.good = self.made and all(run("ip", *words) for words in (
            ("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", self.name),
            ("address", "add", f"{self.ours}/24", "dev", outside),
            ("link", "set", outside, "up"),
            ("-n", self.name, "address", "add", f"10.213.{number}.2/24", "dev", inside),
            ("-n", self.name, "link", "set", inside, "up")))

    def link(self, state):
        return run("ip", "-n", self.name, "link", "set", "eth0", state)

    def start(self, folder, *words):
        process = subprocess.Popen(["ip", "netns", "exec", self.name, folder.tetropt, "experiment",
                                    *words], cwd=folder.path, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        folder.started.append(process)
        return process

    def remove(self):
        if self.made:
            run("ip", "netns", "del", self.name)


def cut_off(folder, seconds):
    """One host loses its network for `seconds`: every run ends once, none is lost."""
    programs = can_start()
    if not programs:
        return "left out: PostgreSQL"
    hosts = [Host(1), Host(2)]
    server = None
    try:
        if not all(host.good for host in hosts):
            return "left out: network namespaces"
        server = Server(programs)
        with open(f"{server.data}/pg_hba.conf", "a", encoding="utf-8") as file:
            file.write("host all all 10.213.0.0/16 trust\n")
        server.stop()
        server.program("pg_ctl", "start", "-w", "-D", server.data, "-l", f"{server.folder}/log", "-o",
                       f"-k {server.folder} -c listen_addresses='*' -c port=55432")
        expected = folder.undisturbed()
        address = "postgresql://postgres@{}:55432/postgres"
        folder.call("init", folder.grid, "--store", address.format(hosts[0].ours), "--seed", "5")
        workers = [host.start(folder, "run", "--quiet", "--workers", "1", "--lease", "4", "--patience",
                              str(60 + seconds), "--store", address.format(host.ours)) for host in hosts]
        time.sleep(1)
        expect(hosts[1].link("down"), "cutting the link")
        time.sleep(seconds)
        expect(hosts[1].link("up"), "joining it again")
        for worker in workers:
            _, err = worker.communicate(timeout=200 + seconds)
            expect(worker.returncode == 0, "a worker:", worker.returncode, err)
        counts = folder.counts(address.format(hosts[0].ours))
        expect(counts["done"] == folder.runs and counts["failed"] == 0, "counts", counts)
        expect(folder.export(address.format(hosts[0].ours)) == expected, "the rows differ")
    finally:
        for process in folder.started:
            if process.poll() is None:
                process.kill()
        if server:
            server.remove()
        for host in hosts:
            host.remove()
    return f"two hosts on one PostgreSQL, one cut off for {seconds} s: every run once"


def test():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--cut-seconds", type=int, default=8)
    options = parser.parse_args()
    for check in (full_at_the_end, read_only, two_servers, cut_off):
        folder = Folder(options.tetropt, 6, 20000)
        disk = os.path.join(folder.path, "disk")
        os.mkdir(disk)
        try:
            more = {full_at_the_end: [disk], read_only: [disk], cut_off: [options.cut_seconds]}
            print(check(folder, *more.get(check, [])), flush=True)
        finally:
            folder.remove()


main(test)
