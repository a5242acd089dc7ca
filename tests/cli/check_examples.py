"""Every example of the help texts works as written (those of the pages: check_docs.py).

An example that takes long ends with a remark that begins `# takes`; it runs with --long alone. One
that ends with `# needs a terminal` gets one; it is left after a moment. One that ends with
`# serves until Ctrl-C` is looked at and interrupted. A run with
TETROPT_TEST_SCALE below 1 (sanitizers) leaves them all out.
"""

import re
import signal
import socket
import subprocess
import urllib.request


def try_line(t, where, line):
    if "# takes" in line and not t.long_examples:
        return
    if t.scale < 1:
        return
    if "# needs a terminal" in line:
        if t.has_terminal:
            try_on_terminal(t, where, line)
        return
    if "# serves until" in line:
        try_serving(t, where, line)
        return
    run = t.shell(f"set -o pipefail; {line}")
    t.true(f"{where}: {line}", run.code == 0, run)


def port_is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def try_serving(t, where, line):
    """It prints where it serves, answers there, and Ctrl-C ends it."""
    if "libmicrohttpd" in t.run("serve", "--port", "0", "--address", "192.0.2.1").err:
        return
    if "--port" not in line and not port_is_free(8080):
        return
    with subprocess.Popen(["bash", "-c", f"exec {line}"], cwd=t.folder, env=t.environment(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        url = re.search(r"http://[^\s\"]+", process.stdout.readline())
        if url:
            with urllib.request.urlopen(url.group()) as page:
                t.true(f"{where}: {line}: the page", b"<title>" in page.read())
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    t.true(f"{where}: {line}", url and process.returncode == 130, f"{process.returncode}: {errors}")


def try_on_terminal(t, where, line):
    """It shows something and can be left with q (once more if it asks)."""
    screen = t.screen(line=line)
    screen.wait_for(re.compile(r"quit|seed \d"))
    for _ in range(50):
        screen.press("q")
        if screen.finish(0.1, kill=False) is not None:
            break
    code = screen.finish()
    t.true(f"{where}: {line}", code == 0 and screen.restored(), f"exit {code}: {screen.text()}")
    screen.close()


def check_help(t):
    for command in t.commands():
        examples = t.run(command, "--help").out.partition("\nExamples:\n")[2].splitlines()
        for line in examples:
            try_line(t, command, line)
