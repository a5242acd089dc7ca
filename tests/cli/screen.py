"""A program on a pseudo terminal, and what its screen shows.

The screen is kept by a small emulator of the sequences that ncurses sends to vt100, xterm and their
like: enough to read the text, nothing about colours but that there were some.
"""

import codecs
import fcntl
import os
import re
import select
import signal
import struct
import termios
import time

PATIENCE_SECONDS = 120

SEQUENCE = re.compile(r"\x1b(?:\[([?>=]?)([0-9;]*)([@-~])|[()]([0-9A-Za-z])|([=>78DEMHc]))")


class Emulator:
    """The cells of a screen, fed with what a program writes."""

    def __init__(self, rows, columns):
        self.pending = ""
        self.colors = self.alternate = False
        self.cursor_visible = True
        self.resize(rows, columns)

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.top, self.bottom = 0, rows - 1
        self.last = " "

    def feed(self, text):
        text = self.pending + text
        self.pending = ""
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self.character(text[at])
                at += 1
                continue
            match = SEQUENCE.match(text, at)
            if not match:
                if len(text) - at < 32:  # not all of it has come
                    self.pending = text[at:]
                    return
                at += 1
                continue
            self.sequence(match)
            at = match.end()

    def character(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.line_feed()
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character >= " ":
            if self.column >= self.columns:
                self.column = 0
                self.line_feed()
            self.cells[self.row][self.column] = self.last = character
            self.column += 1

    def line_feed(self):
        if self.row == self.bottom:
            self.scroll(1)
        else:
            self.row = min(self.row + 1, self.rows - 1)

    def scroll(self, count):
        for _ in range(abs(count)):
            blank = [" "] * self.columns
            if count > 0:
                del self.cells[self.top]
                self.cells.insert(self.bottom, blank)
            else:
                del self.cells[self.bottom]
                self.cells.insert(self.top, blank)

    def sequence(self, match):
        private, numbers, final, _charset, single = match.groups()
        if single == "M":
            if self.row == self.top:
                self.scroll(-1)
            else:
                self.row -= 1
        if single == "D":
            self.line_feed()
        if not final:
            return
        values = [int(value) if value else 0 for value in numbers.split(";")]
        first = max(1, values[0])
        if private == "?" and final in "hl":
            if 1049 in values:
                self.alternate = final == "h"
            if 25 in values:
                self.cursor_visible = final == "h"
        elif not private:
            self.control(final, values, first)

    def control(self, final, values, first):
        line = self.cells[self.row]
        if final in "Hf":
            self.row = min(first, self.rows) - 1
            self.column = min(max(1, values[1] if len(values) > 1 else 1), self.columns) - 1
        elif final == "A":
            self.row = max(0, self.row - first)
        elif final == "B":
            self.row = min(self.rows - 1, self.row + first)
        elif final == "C":
            self.column = min(self.columns - 1, self.column + first)
        elif final == "D":
            self.column = max(0, self.column - first)
        elif final == "G":
            self.column = min(first, self.columns) - 1
        elif final == "d":
            self.row = min(first, self.rows) - 1
        elif final == "K":
            start, end = [(self.column, self.columns), (0, self.column + 1),
                          (0, self.columns)][values[0]]
            line[start:end] = [" "] * (end - start)
        elif final == "J":
            self.erase_display(values[0])
        elif final == "X":
            end = min(self.columns, self.column + first)
            line[self.column:end] = [" "] * (end - self.column)
        elif final == "P":
            del line[self.column:self.column + first]
            line.extend([" "] * (self.columns - len(line)))
        elif final == "@":
            line[self.column:self.column] = [" "] * first
            del line[self.columns:]
        elif final == "b":
            for _ in range(first):
                self.character(self.last)
        elif final == "r":
            self.top = first - 1
            self.bottom = (values[1] if len(values) > 1 and values[1] else self.rows) - 1
            self.row = self.column = 0
        elif final in "LM":
            top, self.top = self.top, self.row
            self.scroll(first if final == "M" else -first)
            self.top = top
        elif final in "ST":
            self.scroll(first if final == "S" else -first)
        elif final == "m" and any(30 <= value <= 107 for value in values):
            self.colors = True

    def erase_display(self, part):
        blank = [" "] * self.columns
        if part == 0:
            self.cells[self.row][self.column:] = [" "] * (self.columns - self.column)
            for row in range(self.row + 1, self.rows):
                self.cells[row] = list(blank)
        elif part in (2, 3):
            self.cells = [list(blank) for _ in range(self.rows)]

    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.cells)


class Screen:
    """A program that runs on a terminal of its own."""

    def __init__(self, command, cwd, env, rows=24, columns=80):
        self.emulator = Emulator(rows, columns)
        self.raw = ""
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                keep = os.dup(self.slave)  # login_tty closes what it is given
                os.login_tty(keep)
                os.chdir(cwd)
                os.execvpe(command[0], command, env)
            finally:
                os._exit(127)
        self.status = None

    # -- looking --------------------------------------------------------------

    def read(self, seconds):
        """Takes in what the program writes for so long, also when it never pauses."""
        end = time.monotonic() + seconds
        if self.master is None:
            time.sleep(seconds)
            return
        left = seconds
        while left >= 0:
            ready, _, _ = select.select([self.master], [], [], left)
            if not ready:
                return
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            text = self.decode(data)
            self.raw += text
            self.emulator.feed(text)
            left = end - time.monotonic()

    def has_written(self):
        """True when there is something that `read` would take in, waiting a moment for it."""
        return bool(select.select([self.master], [], [], 0.02)[0])

    def computes(self):
        """False while the program waits for input, or where there is no /proc."""
        try:
            with open(f"/proc/{self.pid}/stat", encoding="utf-8") as file:
                return file.read().rpartition(")")[2].split()[0] == "R"
        except OSError:
            return False

    def finish_frame(self):
        """Reads the rest of the frame that the program is writing."""
        end = time.monotonic() + 0.5  # it may compute without an end
        while self.master is not None and time.monotonic() < end:
            computes = self.computes()
            if select.select([self.master], [], [], 0.001 if computes else 0)[0]:
                self.read(0)
            elif not computes:
                return

    def text(self):
        return self.emulator.text()

    def wait_for(self, wanted, seconds=PATIENCE_SECONDS):
        """Waits until the screen has a text, a pattern matches it, or a function says so. The frame that
        has it is complete then."""
        if isinstance(wanted, str):
            fragment = wanted
            wanted = lambda text: fragment in text
        elif isinstance(wanted, re.Pattern):
            pattern = wanted
            wanted = pattern.search
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if wanted(self.text()):
                self.finish_frame()
                return True
            self.read(0.02)
        return False

    # -- acting ---------------------------------------------------------------

    def press(self, *keys):
        for key in keys:
            os.write(self.master, key.encode())
            self.read(0.03)

    def resize(self, rows, columns):
        self.emulator.resize(rows, columns)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, number):
        os.kill(self.pid, number)

    def send_signal(self, number):
        """As that of a process: nothing happens to one that has ended."""
        if self.status is None:
            self.send(number)

    def hang_up(self):
        """The terminal goes away, and with it whoever looked."""
        os.close(self.master)
        os.close(self.slave)
        self.master = self.slave = None

    def ended(self):
        """True when the program is over."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def finish(self, seconds=PATIENCE_SECONDS, kill=True):
        """Waits for the end: the exit code, minus the number of the signal; or "timeout", when it
        is killed, or None, when it is not."""
        end = time.monotonic() + seconds
        while self.status is None and time.monotonic() < end:
            self.read(0.02)
            self.ended()
        if self.status is None and not kill:
            return None
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = "timeout"
        self.read(0.05)
        return self.status

    def restored(self):
        """True when the terminal is as it was found."""
        return (termios.tcgetattr(self.slave)[:4] == self.before[:4]
                and not self.emulator.alternate and self.emulator.cursor_visible)

    def close(self):
        if self.status is None:
            self.finish(0)
        if self.master is not None:
            os.close(self.master)
            os.close(self.slave)
