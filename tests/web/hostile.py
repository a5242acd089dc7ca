#!/usr/bin/env python3
"""`tetropt serve` against requests that mean no good: paths, methods, bodies, headers, clients that
read slowly, leave or come in hundreds. usage: hostile.py --tetropt PROGRAM [NAME...]"""

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

ABOUT = "/api/about"
JOB = {"pieces": "TOZLIJS" * 30, "encoding": "swap-double", "algorithm": "hill", "seconds": 30, "seed": 1}
SCALE = float(os.environ.get("TETROPT_TEST_SCALE", "1"))  # below 1 under a sanitizer


class Server:
    def __init__(self, program, *options):
        self.process = subprocess.Popen([program, "serve", "--port", "0", "--json", "--quiet", *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(self.process.stderr.read())
        self.port = json.loads(line)["port"]

    def connect(self, timeout=10):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def raw(self, data, timeout=10, whole=False):
        """Sends bytes and gives (status, body) of what comes back, or with the headers if `whole`; (None,
        b"") where it is cut."""
        with self.connect(timeout) as connection:
            answer = b""
            with contextlib.suppress(ConnectionError):
                connection.sendall(data)
            with contextlib.suppress(ConnectionError, socket.timeout):
                while part := connection.recv(65536):
                    answer += part
        head, _, body = answer.partition(b"\r\n\r\n")
        words = head.split(b" ")
        return (int(words[1]) if len(words) > 1 and words[0].startswith(b"HTTP/") else None), answer if whole else body

    def ask(self, path, method="GET", body=b"", headers=(), host=None):
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}", "Connection: close"]
        lines += [*headers] + ([f"Content-Length: {len(body)}"] if method == "POST" else [])
        return self.raw("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body, timeout=60)

    def post(self, path, document):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        return self.ask(path, "POST", body)

    def status_number(self, name):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name))

    def memory_kb(self):
        return self.status_number("VmRSS")

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


class Checks:
    def __init__(self):
        self.count = self.failed = 0

    def true(self, name, value, detail=""):
        self.count += 1
        if not value:
            self.failed += 1
            print(f"FAILED: {name}: {str(detail)[:300]}", file=sys.stderr)

    def memory(self, name, value, detail=""):
        """Sanitizers keep what was freed for a while; they are told by the scale."""
        if SCALE >= 1:
            self.true(name, value, detail)

    def status(self, name, answer, *wanted):
        self.true(name, answer[0] in wanted, f"{answer[0]} is not in {wanted}: {answer[1][:200]}")


def check_hosts(t, server):
    port = server.port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}", f"127.9.9.9:{port}"):
        t.status(f"host {host}", server.ask(ABOUT, host=host), 200)
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port ^ 1}", f"127.0.0.1.evil.example:{port}",
                 f"localhost.evil.example:{port}", f"10.0.0.1:{port}", f"0.0.0.0:{port}", f"[::1:{port}", f":{port}", f"localhost:{port}x",
                 f"user@localhost:{port}", "x" * 5000):
        t.status(f"host {host[:40]}", server.ask(ABOUT, host=host), 421, 400)
        t.status(f"page for host {host[:40]}", server.ask("/", host=host), 421, 400)
    t.status("no host", server.raw(f"GET {ABOUT} HTTP/1.1\r\nConnection: close\r\n\r\n".encode()), 400, 421)
    t.status("no host, old", server.raw(f"GET {ABOUT} HTTP/1.0\r\n\r\n".encode()), 421)
    ours = f"Host: 127.0.0.1:{port}"
    for name, others in (("another", "Host: evil.example"), ("the same", ours), ("another in capitals", "HOST: evil.example")):
        t.status(f"two hosts: {name}", server.ask(ABOUT, headers=[others]), 400)
        t.status(f"two hosts: {name}, first", server.raw(f"GET {ABOUT} HTTP/1.1\r\n{others}\r\n{ours}\r\nConnection: close\r\n\r\n".encode()), 400)
    for site, wanted in (("cross-site", 403), ("same-site", 403), ("same-origin", 400), ("none", 400)):  # 400: the body says nothing
        t.status(f"posted from a page that is {site}", server.ask("/api/solve", "POST", b"{}", [f"Sec-Fetch-Site: {site}"]), wanted)
    t.status("a link from elsewhere may lead here", server.ask("/", headers=["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]), 200)
    other = ["Origin: http://evil.example"]
    t.status("another origin", server.ask("/api/solve", "POST", json.dumps(JOB).encode(), other), 403)
    t.status("no page's origin", server.ask("/api/solve", "POST", b"{}", ["Origin: null"]), 403)
    t.status("our origin", server.ask("/api/solve", "POST", b"{}", [f"Origin: http://127.0.0.1:{port}"]), 400)


def check_paths(t, server):
    for path in ("/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/..%2f..%2fetc/passwd", "/app.js/../../etc/passwd",
                 "/etc/passwd", "/.git/config", "/index.html%00.js", "/\\..\\etc\\passwd", "/api", "/api/", "/api/solve/", "/api/solve/x",
                 "/api/solve/-1", "/api/solve/0", "/api/solve/99999999999999999999999", "/api/solve/1/../../about", "/api/solve/1/events/x",
                 "/api/stores/-1/runs", "/api/stores/0/runs", "/api/stores/7/plots", "/api/stores/0/../../etc/passwd", "/api/stores/0/compare", "/api/stores/0/run",
                 "/api/solve/999/events", "/api/solve/999/svg", "/api/train/", "/api/train/1/../../about", "/api/train/999/answer", "/api/fly/1", "/%ff%fe", "/" + "a" * 3000, "http://evil.example/"):
        answer = server.ask(path)
        t.status(f"path {path[:60]}", answer, 400, 404, 405, 414, 421, 429)
        t.true(f"no file at {path[:60]}", b"root:" not in answer[1], answer)
    for path in ("/%00", "/app.js%00", "/index.html%00.js", "/api/about%00", "/api/solve/1%00/svg", "/%00/../api/about"):
        t.status(f"a NUL in the path {path}", server.ask(path), 400)
    for path in ("/api%2fabout", "/api%2Fabout", "/%2fapi/about", "/api/stores%2F0/runs", "/%2Fapp.js"):
        t.status(f"a slash that is none: {path}", server.ask(path), 404)
    t.status("an escaped letter is a letter", server.ask("/%61pi/about"), 200)
    t.status("what follows ? is no path", server.ask("/api/about?%2f%00"), 200)
    # libmicrohttpd 0.9.75 cuts a path at a bare NUL before anybody sees it; newer ones refuse it.
    t.status("a bare NUL in the path", server.ask("/app.js\0/../../etc/passwd"), 200, 400, None)
    t.status("behind a path that is none", server.ask("/etc/passwd\0/app.js"), 404, 400, None)
    t.status("a path of a megabyte", server.ask("/" + "a" * (1 << 20)), 413, 414, 431, None)
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "FROB", "get"):
        t.status(f"method {method}", server.ask(ABOUT, method), 405, 400, 404)
    t.status("GET of what is posted", server.ask("/api/solve"), 405)
    t.status("POST of what is looked at", server.post(ABOUT, {}), 405)
    t.status("HEAD", server.ask("/", "HEAD"), 200)
    t.status("a body with GET", server.ask(ABOUT, "GET", b"x" * 10, ["Content-Length: 10"]), 400)


def check_bodies(t, server):
    for name, body in {
        "nothing": b"", "no JSON": b"hello", "half": b'{"pieces":', "an array": b"[]", "a number": b"7", "null": b"null",
        "deep": b"[" * 100000, "deep object": b'{"a":' * 50000, "no UTF-8": b'{"pieces":"\xff\xfe"}', "NUL": b'{"pieces":"T\\u0000O"}',
        "twice": b'{"pieces":"T","pieces":"T"}', "binary": bytes(range(256)) * 40,
        "unknown member": json.dumps({**JOB, "fly": 1}).encode(), "huge number": json.dumps({**JOB, "seconds": 1e308}).encode(),
        "negative time": json.dumps({**JOB, "seconds": -1}).encode(), "huge seed": json.dumps({**JOB, "seed": 1 << 62}).encode(),
        "many pieces": json.dumps({**JOB, "pieces": "T" * 200000}).encode(), "no pieces": json.dumps({**JOB, "pieces": ""}).encode(),
        "bad encoding": json.dumps({**JOB, "encoding": "../../etc"}).encode(), "bad algorithm": json.dumps({**JOB, "algorithm": "%s%n"}).encode(),
        "wide": json.dumps({**JOB, "width": 1000}).encode(), "full row": json.dumps({**JOB, "board": ["GGGGGGGGGG"]}).encode(),
        "parameters as text": json.dumps({**JOB, "parameters": "restarts=1"}).encode(), "unknown parameter": json.dumps({**JOB, "parameters": {"%n": "1"}}).encode(),
        "seed not exact": json.dumps({**JOB, "seed": 1 << 53}).encode(), "seed with a point": json.dumps({**JOB, "seed": 1.5}).encode(),
        "parameter out of range": json.dumps({**JOB, "parameters": {"chains": "99999999999999999999"}}).encode(),
        "much memory": json.dumps({**JOB, "algorithm": "ga", "parameters": {"population": "10000000"}}).encode(),
        "many parameters": json.dumps({**JOB, "parameters": {f"p{i}": "1" * 100 for i in range(1000)}}).encode(),
        "tall board": json.dumps({**JOB, "board": ["G........."] * 5000}).encode(), "board of numbers": json.dumps({**JOB, "board": [1, 2]}).encode(),
    }.items():
        time.sleep(0.2)  # fewer than are allowed
        t.status(f"solve: {name}", server.post("/api/solve", body), 400)
        t.status(f"replay: {name}", server.post("/api/replay", body), 400)
    for name, (job, question, why) in {
        "a file by its path": ("train", {"weights": "/etc/passwd"}, b"neither a named set nor a file"),
        "a state by its path": ("train", {"resume": "/etc/passwd"}, b"resume"),
        "half a state": ("train", {"resume": '{"format":"tetropt training"'}, b"resume"),
        "many games": ("train", {"games": 10 ** 6}, b"1..1000 over HTTP"),
        "for days": ("train", {"time": 10 ** 6}, b"0.01..3600 over HTTP"),
        "without an end": ("train", {"time": 0}, b"0.01..3600 over HTTP"),
        "threads": ("train", {"threads": 256}, b"cannot be set over HTTP"),
        "many pins": ("train", {"pin": [f"p{i}" for i in range(100000)]}, b"pin"),
        "pins in pins": ("train", {"pin": [[["tetris"]]]}, b"pin"),
        "a bot with much memory": ("simulate", {"agent": "bot", "param": {"memory": 65536}}, b"1..64"),
        "a bot with many threads": ("simulate", {"agent": "bot?threads=256"}, b"1..1"),
        "many bees": ("simulate", {"agent": "bees", "bees": 100000}, b"2..20000"),
        "games that fill the memory": ("simulate", {"games": 10 ** 9}, b"1..10000 over HTTP"),
        "many agents": ("simulate", {"agent": ["dt20"] * 1000}, b"agent"),
        "a document by its path": ("eval", {"document": "/etc/passwd"}, b"expected near"),
    }.items():
        time.sleep(0.25)
        status, body = server.post(f"/api/{job}", json.dumps(question).encode())
        t.true(f"{job}: {name}", status == 400 and why in body and b"root:" not in body, body[:300])
    for value in ("20001", "10000000", "99999999999999999999", "0"):  # one bound, however far off
        time.sleep(0.3)
        status, body = server.post("/api/solve", {**JOB, "algorithm": "ga", "parameters": {"population": value}})
        t.true(f"the bound is named for {value}", status == 400 and b"is not in 2..20000\"" in body, body)
    time.sleep(1)
    status, body = server.post("/api/solve", {**JOB, "seconds": 0.1, "seed": (1 << 53) - 1})
    t.true("the largest seed", status == 200, body)
    solution = json.dumps({"pieces": "TJ", "encoding": "swap-double", "genes": [[0, 0, 0, 0, 0]]}).encode()
    status, body = server.post("/api/replay", solution)
    t.true("a document of eval is called one", status == 400 and b"for `eval`, not a replay" in body, body)
    for text in ("v115@", "v115@////", "v115@" + "A" * 100000, "{}", '{"format":"tetropt replay","version":1}'):
        t.status(f"replay {text[:40]}", server.post("/api/replay", text.encode()), 400, 200)


def check_lengths(t, server):
    head = f"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n"
    t.status("an announced gigabyte", server.raw((head + "Content-Length: 1073741824\r\n\r\n").encode()), 413)
    for length in ("-1", "abc", "99999999999999999999999", "1e3"):
        t.status(f"length {length}", server.raw((head + f"Content-Length: {length}\r\n\r\n{{}}").encode(), 3), 400, 413, None)
    before = server.memory_kb()
    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    with server.connect() as connection:
        sent = 0
        connection.sendall((head + "Transfer-Encoding: chunked\r\n\r\n").encode())
        with contextlib.suppress(ConnectionError, socket.timeout):
            while sent < 64 << 20:
                connection.sendall(chunk)
                sent += len(chunk)
    t.true("a body without an end is cut", sent < 32 << 20, sent)
    t.true("and not kept", server.memory_kb() - before < 24 << 10, (before, server.memory_kb()))
    with server.connect() as connection:  # announced and never sent
        connection.sendall((head + "Content-Length: 1000\r\n\r\n{").encode())
    many = "".join(f"X-{i}: {'y' * 100}\r\n" for i in range(2000))
    t.status("many headers", server.raw((head + many + "\r\n").encode()), 400, 413, 431, None)
    t.status("no HTTP", server.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 10 + b"\r\n\r\n", 2), 400, 501, 505, None)
    status, body = server.raw(b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 3)
    t.true("malformed headers: HTML, as docs/WEB.md says", status == 400 and body.startswith(b"<html"), body)
    t.status("still there", server.ask(ABOUT), 200)


def flood(server, ask, most):
    """Asks without a pause until it is told to wait; the statuses, and the answer that said so."""
    statuses = []
    for _ in range(most):
        status, text = ask()
        statuses.append(status)
        if status == 429:
            return statuses, text
    return statuses, b""


def check_rates(t, server):
    """More than are allowed are refused with 429 and a time to wait; after it there is room again."""
    def look():
        return server.raw(f"GET {ABOUT} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode(), whole=True)

    def work():
        return server.raw(f"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx".encode(), whole=True)

    for name, ask, allowed, rate, good, most in (("requests", look, 400, 100, 200, 20000), ("work", work, 40, 5, 400, 2000)):
        begin = time.monotonic()
        statuses, text = flood(server, ask, most if SCALE >= 1 else 3 * allowed)
        t.true(f"{name}: so many are answered", len(statuses) > allowed and set(statuses[:allowed]) == {good}, {s: statuses.count(s) for s in set(statuses)})
        # A sanitizer on a busy machine can make the server slower than its own limit; then there is nothing to refuse.
        if statuses[-1] != 429 and SCALE < 1:
            passed = time.monotonic() - begin
            t.true(f"{name}: no more than the rate", len(statuses) <= allowed + rate * passed, (len(statuses), passed))
            continue
        t.true(f"{name}: then 429", statuses[-1] == 429, statuses[-5:])
        t.true(f"{name}: with a time to wait", b"Retry-After: 1\r\n" in text and b'"error"' in text, text[:300])
        time.sleep(1.2)
        t.status(f"{name}: after a second again", ask(), good)
    time.sleep(3)


def start_jobs(t, server, count, question=JOB):
    numbers = []
    for _ in range(count):
        status, body = server.post("/api/solve", question)
        t.true("a search starts", status == 200, (status, body))
        if status == 200:
            numbers.append(json.loads(body)["id"])
    return numbers


def job_state(server, number):
    while (answer := server.ask(f"/api/solve/{number}"))[0] == 429:
        time.sleep(0.2)
    return json.loads(answer[1])


def stop_jobs(t, server, numbers):
    for number in numbers:
        t.status("stopped", server.post(f"/api/solve/{number}/stop", b""), 200)
    for number in numbers:
        for _ in range(100):
            state = job_state(server, number)["state"]
            if state != "running":
                break
            time.sleep(0.1)
        t.true("its best is kept", state == "done", state)


def check_jobs(t, server):
    numbers = start_jobs(t, server, 3)
    t.status("one too many", server.post("/api/solve", JOB), 409)
    t.status("a number is written in one way", server.ask(f"/api/solve/0{numbers[0]}"), 404)
    t.status("no answer yet", server.ask(f"/api/solve/{numbers[0]}/svg"), 409)
    stop_jobs(t, server, numbers)
    t.status("then a picture", server.ask(f"/api/solve/{numbers[0]}/svg"), 200, 500)
    time.sleep(4)
    quick = {**JOB, "seconds": 0.05}
    for _ in range(30):  # more than are remembered
        while server.post("/api/solve", quick)[0] != 200:
            time.sleep(0.1)
        time.sleep(0.2)
    t.status("the oldest are forgotten", server.ask(f"/api/solve/{numbers[0]}"), 404)


def watchers(server, number, count):
    """Clients that ask for events and do not read them."""
    found = []
    for _ in range(count):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(10)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(f"GET /api/solve/{number}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        found.append(connection)
    return found


def check_alone(t, server):
    """A job that was watched ends when its watchers have gone; not one that is kept or was never watched."""
    watched, kept, never = start_jobs(t, server, 3, {**JOB, "seconds": 300})
    t.status("keep", server.post(f"/api/solve/{kept}/keep", b""), 200)
    t.status("keep is posted", server.ask(f"/api/solve/{kept}/keep"), 405)
    clients = watchers(server, watched, 2) + watchers(server, kept, 2)
    time.sleep(1)
    for connection in clients:
        connection.close()
    time.sleep(6)  # time for a browser to connect again
    connection = watchers(server, watched, 1)[0]  # which does not read the states
    t.true("a watcher may come back", job_state(server, watched)["state"] == "running")
    time.sleep(12)
    t.true("a watched search runs on", job_state(server, watched)["state"] == "running")
    connection.close()
    time.sleep(17)  # without a look at it, which would count as somebody who is there
    states = [job_state(server, number)["state"] for number in (watched, kept, never)]
    t.true("only the one without watchers has ended", states == ["done", "running", "running"], states)
    stop_jobs(t, server, [kept, never])


def check_slow(t, server):
    numbers = start_jobs(t, server, 1)
    memories = []
    for _ in range(4):
        clients = watchers(server, numbers[0], 100)
        time.sleep(2)
        memories.append(server.memory_kb())
        t.status("others are answered meanwhile", server.ask(ABOUT), 200)
        for connection in clients[:50]:  # half of them leave without a word
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        for connection in clients:
            connection.close()
        time.sleep(1)
    t.memory("a hundred slow clients do not grow memory", memories[-1] - memories[1] < 2048, memories)
    state = job_state(server, numbers[0])
    t.true("the search went on", state["state"] == "running" and state["evaluations"] > 0, state["state"])
    with server.connect() as connection:  # one who reads gets news
        connection.sendall(f"GET /api/solve/{numbers[0]}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        text = b""
        while text.count(b"data: ") < 3:
            text += connection.recv(65536)
    t.true("events have a state each", b'"state":"running"' in text, text[:300])
    idle = [server.connect() for _ in range(100)]  # connected and silent
    for connection in idle:
        connection.sendall(b"GET /api/ab")
    t.status("silent clients do not lock others out", server.ask(ABOUT), 200)
    for connection in idle:
        connection.close()
    stop_jobs(t, server, numbers)


def check_sites(t, server):
    """Requests from pages of other sites are rejected, and use up nothing of what the owner has."""
    for site in ("cross-site", "same-site"):
        for path in (ABOUT, "/api/stores", "/api/solve/1/events", "/"):
            t.status(f"{site} {path}", server.ask(path, headers=[f"Sec-Fetch-Site: {site}"]), 403)
        t.status(f"{site}: a link", server.ask("/", headers=[f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: navigate"]), 200)
        t.status(f"{site}: not to the API", server.ask(ABOUT, headers=[f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: navigate"]), 403)
    statuses = {server.ask(ABOUT, headers=["Sec-Fetch-Site: cross-site"])[0] for _ in range(600)}
    t.true("600 of them", statuses == {403}, statuses)
    t.status("the owner is answered", server.post("/api/replay", b"x"), 400)
    # Files of the page do not use up the budget of the API either.
    flood(server, lambda: server.ask("/"), 2000)
    t.status("the API is answered", server.ask(ABOUT), 200)
    time.sleep(2)


def check_repeated(t, server):
    for name, value in (("Origin", f"http://127.0.0.1:{server.port}"), ("Sec-Fetch-Site", "same-origin"), ("Host", f"127.0.0.1:{server.port}")):
        t.status(f"once: {name}", server.ask(ABOUT, headers=[f"{name}: {value}"] if name != "Host" else []), 200)
        t.status(f"twice: {name}", server.ask(ABOUT, headers=[f"{name}: {value}"] * 2), 400)
        t.status(f"twice in another case: {name}", server.ask(ABOUT, headers=[f"{name}: {value}", f"{name.upper()}: {value}"]), 400)
    head = f"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n"
    t.status("two lengths", server.raw((head + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx").encode(), 3), 400, None)
    t.status("two different lengths", server.raw((head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx").encode(), 3), 400, None)
    t.status("length and chunks", server.raw((head + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n").encode(), 3), 400, None)
    t.status("still there", server.ask(ABOUT), 200)


def check_crowd(t, server):
    """Hundreds of connections that send nothing, or a byte now and then: a new client gets in."""
    crowd = []

    def join():
        with contextlib.suppress(OSError):
            crowd.append(server.connect(2))

    def drip():
        for connection in crowd:
            with contextlib.suppress(OSError):
                connection.sendall(b"G" if connection.fileno() % 2 else b"")

    for _ in range(200):
        join()
    answered = []
    for _ in range(6):
        drip()
        started = time.monotonic()
        answered.append(server.ask(ABOUT)[0])
        t.true("soon", time.monotonic() - started < 3, time.monotonic() - started)
        time.sleep(2)
    t.true("a new client always gets in", set(answered) == {200}, answered)
    time.sleep(2)  # those who were there at the start have waited for more than ten seconds
    open_ = 0
    for connection in crowd:
        connection.settimeout(0.1)
        with contextlib.suppress(ConnectionError):
            try:
                open_ += connection.recv(1) != b""
            except socket.timeout:
                open_ += 1
        connection.close()
    t.true("and nobody waits for ever", open_ == 0, open_)


def check_end(t, program):
    for number in (signal.SIGINT, signal.SIGTERM):
        server = Server(program)
        job = start_jobs(t, server, 1)[0]
        clients = watchers(server, job, 20)
        time.sleep(0.5)
        start = time.monotonic()
        code = server.stop(number)
        t.true("ends as interrupted, streams or not", code == 130, code)
        t.true("at once", time.monotonic() - start < 5, time.monotonic() - start)
        for connection in clients:
            connection.close()


def check_options(t, program):
    def refused(*options, code=2, names=""):
        run = subprocess.run([program, "serve", *options], capture_output=True, text=True, timeout=20, check=False)
        t.true(f"serve {options}", run.returncode == code and names in run.stderr and len(run.stderr.splitlines()) == 1, run)

    refused("--address", "localhost", names="localhost")
    refused("--address", "999.1.1.1", names="999.1.1.1")
    refused("--port", "70000", names="--port")
    refused("--address", "192.0.2.1", code=3, names="192.0.2.1")
    refused("--store", "sqlite:/nowhere/runs.db", names="runs.db")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused("--port", str(taken.getsockname()[1]), code=3, names="in use")
    server = Server(program, "--address", "0.0.0.0")
    t.status("all addresses: an address as host", server.ask(ABOUT, host=f"192.0.2.7:{server.port}"), 200)
    t.status("all addresses: a name as host", server.ask(ABOUT, host=f"evil.example:{server.port}"), 421)
    server.stop()


def check_stores(t, program):
    with tempfile.TemporaryDirectory() as folder:
        secret, path = os.path.join(folder, "secret.db"), os.path.join(folder, "runs.db")
        with open(os.path.join(folder, "grid.ini"), "w", encoding="ascii") as file:
            file.write("[experiment]\ncommand = solve\n[solve]\nn = 5\nevaluations = 100\nalgorithm = ga, sa\n")
        for store in (secret, path):
            subprocess.run([program, "experiment", "init", os.path.join(folder, "grid.ini"), "--store", f"sqlite:{store}"],
                           check=True, capture_output=True)
        server = Server(program, "--store", f"sqlite:{path}")
        status, body = server.ask("/api/stores")
        t.true("only the given store", status == 200 and len(json.loads(body)) == 1 and b"secret" not in body, body)
        t.status("runs", server.post("/api/stores/0/runs", {"filter": ""}), 200)
        t.status("runs are asked for", server.ask("/api/stores/0/runs"), 405)
        for question in ({"filter": "", "order": 1}, {"filter": "", "order": None}):
            t.status(f"order {question['order']}", server.post("/api/stores/0/runs", question), 400)
        t.status("a long order", server.post("/api/stores/0/runs", {"filter": "", "order": "x" * 100000}), 200)
        for number in (0, 1, -1, 1e99, "1", None):
            t.status(f"run {number}", server.post("/api/stores/0/run", {"number": number}), 400)
        for number in ("1", "00", "000000000000000", "01"):
            t.status(f"no such store: {number}", server.post(f"/api/stores/{number}/runs", {"filter": ""}), 404)
        for question in ({}, {"grid": "grid", "by": "algorithm", "first": "ga", "second": "sa"},
                         {"grid": "' OR 1=1; --", "by": "x" * 10000, "first": "\n", "second": ""}):
            t.status(f"compare {str(question)[:40]}", server.post("/api/stores/0/compare", question), 400, 409)
        server.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    t = Checks()
    for name, check in sorted(globals().items()):
        if not name.startswith("check_") or (arguments.names and name[6:] not in arguments.names):
            continue
        if name in ("check_end", "check_options", "check_stores"):
            check(t, arguments.tetropt)
            continue
        server = Server(arguments.tetropt)
        try:
            check(t, server)
        finally:  # nothing is left running when a check breaks off
            code = server.stop()
        t.true(f"{name}: lives and ends", code == 130, code)
    print(f"{t.count} checks, {t.failed} failed")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
