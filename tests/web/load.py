#!/usr/bin/env python3
"""A hundred dashboards on one search: what they cost it, and what they cost in memory.

usage: load.py --tetropt PROGRAM [--seconds S] [--rounds N]

Without options it takes some seconds and looks at memory and bounds alone, never at times. With
--seconds (20, say) it searches that long without anybody looking and with a hundred clients, in
turns, and prints the rates and their ratio for a person to read: by the clock, and by the time that
the program had a processor, which is the better measure where other work goes on."""

import argparse
import contextlib
import json
import os
import random
import selectors
import socket
import statistics
import sys
import threading
import time

from hostile import JOB, Checks, Server, job_state

CLIENTS = 100


class Crowd(threading.Thread):
    """Clients of four kinds in equal parts: some read all, some a few bytes a second, some nothing,
    some leave all the time and others come in their place."""

    def __init__(self, server, number, count=CLIENTS, seed=1):
        super().__init__(daemon=True)
        self.server, self.number, self.count = server, number, count
        self.random = random.Random(seed)
        self.stopped = threading.Event()
        self.events = self.came = self.refused = 0

    def connect(self, slow):
        connection = socket.socket()
        if slow:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(10)
        connection.connect(("127.0.0.1", self.server.port))
        connection.sendall(f"GET /api/solve/{self.number}/events HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n\r\n".encode())
        self.came += 1
        return connection

    def leave(self, connection):
        if self.random.random() < 0.5:  # without a word
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()

    def run(self):
        readers = [self.connect(False) for _ in range(self.count // 4)]
        drips = [self.connect(True) for _ in range(self.count // 4)]
        deaf = [self.connect(True) for _ in range(self.count // 4)]
        leavers = [self.connect(False) for _ in range(self.count - 3 * (self.count // 4))]
        selector = selectors.DefaultSelector()
        for connection in readers:
            connection.setblocking(False)
            selector.register(connection, selectors.EVENT_READ)
        while not self.stopped.wait(0.1):
            for key, _ in selector.select(0):
                with contextlib.suppress(OSError):
                    text = key.fileobj.recv(1 << 16)
                    self.events += text.count(b"data: ")
                    self.refused += text.startswith((b"HTTP/1.1 5", b"HTTP/1.1 4"))
            for connection in self.random.sample(drips, 3):
                connection.setblocking(False)
                with contextlib.suppress(OSError):
                    connection.recv(64)
            place = self.random.randrange(len(leavers))  # ten a second, as the server allows
            self.leave(leavers[place])
            with contextlib.suppress(OSError):
                leavers[place] = self.connect(False)
        for connection in [*readers, *drips, *deaf, *leavers]:
            self.leave(connection)
        selector.close()

    def stop(self):
        self.stopped.set()
        self.join()


def start(server, seconds):
    status, body = server.post("/api/solve", {**JOB, "seconds": seconds, "parameters": {"restarts": "1000000000"}})
    if status != 200:
        raise SystemExit(f"no search: {status} {body}")
    return json.loads(body)["id"]


def wait_for(server, number):
    while True:
        state = job_state(server, number)
        if state["state"] != "running":
            return state
        time.sleep(0.5)


def processor_seconds(server):
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def rates(program, seconds, clients):
    """Evaluations of a search that so many look at, by the clock and by the processor's time."""
    server = Server(program)
    try:
        number = start(server, seconds)
        crowd = Crowd(server, number, clients) if clients else None
        if crowd:
            crowd.start()
        time.sleep(seconds)
        state = wait_for(server, number)
        used = processor_seconds(server)
        if crowd:
            crowd.stop()
        return state["evaluations"] / state["seconds"], state["evaluations"] / used
    finally:
        server.stop()


def compare(program, seconds, rounds):
    found = []
    for i in range(rounds):
        pair = [rates(program, seconds, clients) for clients in ((0, CLIENTS) if i % 2 else (CLIENTS, 0))]
        alone, watched = pair if i % 2 else pair[::-1]
        found.append((watched[0] / alone[0], watched[1] / alone[1]))
        print(f"round {i + 1}: alone {alone[0]:.0f}, with {CLIENTS} clients {watched[0]:.0f} evaluations a second, ratio {found[-1][0]:.3f}; "
              f"a processor's second {alone[1]:.0f} and {watched[1]:.0f}, ratio {found[-1][1]:.3f}", flush=True)
    print(f"median ratios: by the clock {statistics.median(one[0] for one in found):.3f}, "
          f"by the processor {statistics.median(one[1] for one in found):.3f}")


def check_memory(t, program, seconds):
    server = Server(program)
    try:
        number = start(server, 3600)
        crowd = Crowd(server, number)
        crowd.start()
        time.sleep(2)
        memories = []
        for _ in range(4):
            memories.append(server.memory_kb())
            t.status("others are answered meanwhile", server.ask("/api/about"), 200)
            time.sleep(seconds / 4)
        memories.append(server.memory_kb())
        crowd.stop()
        print(f"memory in kB, every {seconds / 4:g} s: {memories}; {crowd.came} clients came, {crowd.events} events were read")
        # A hundred clients have 16 KiB of headers and a few of news each.
        t.memory("memory stays", memories[-1] - memories[0] < 4096, memories)
        t.true("those who read get news", crowd.events > CLIENTS // 4, crowd.events)
        t.true("nobody was turned away", crowd.refused == 0, crowd.refused)
        # The hundred are gone: a hundred others find room.
        time.sleep(1)
        number_of_threads = server.status_number("Threads")
        again = Crowd(server, number, seed=2)
        again.start()
        time.sleep(1.5)
        again.stop()
        t.true("room for others", again.refused == 0 and again.events > 0, (again.refused, again.events))
        t.true("no thread for a client", server.status_number("Threads") <= number_of_threads, number_of_threads)
        t.status("the search ends when asked", server.post(f"/api/solve/{number}/stop", b""), 200)
        state = wait_for(server, number)
        t.true("with its best", state["state"] == "done" and state["evaluations"] > 0, state["state"])
    finally:
        code = server.stop()
    t.true("the server ends as it should", code == 130, code)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    t = Checks()
    check_memory(t, arguments.tetropt, arguments.seconds or 4)
    if arguments.seconds:
        compare(arguments.tetropt, arguments.seconds, arguments.rounds)
    print(f"{t.count} checks, {t.failed} failed")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
