"""The pages match the program: every command line in them runs, every option they name is there.

A page is any Markdown file of the repository that is meant for readers (PAGES). Its command lines are
those of fenced and indented blocks. They are run one after the other, each block's page in a folder of
its own with the files that the page speaks of. What is not run as it stands is in RULES, with the
reason, and nowhere else; the remarks `# takes`, `# needs a terminal` and `# serves until` are for
readers and mean here what check_examples.py says.
"""

import glob
import json
import os
import re
import shlex
import shutil

from check_examples import try_line
from check_islands import possible

PAGES = ["*.md", "docs/**/*.md", "training/*.md", "examples/**/*.md"]
NOT_PAGES = {"CHANGELOG.md"}  # tells what was

SHORT = "the whole takes hours; the same command with less work"
SERVER = "needs a PostgreSQL server; tests/experiment/postgresql.py starts one"
CAMPAIGN = "takes half an hour; docs/REPORT.md has the same commands on a small grid"

# Page, line, what to do: LONG runs it with --long alone, OPTIONS looks at its options alone, DRY asks
# make what it would do, a list of replacements runs the line after them. The first rule that matches
# counts.
LONG, OPTIONS, DRY = "long", "options", "dry"
RULES = [
    (r"", r"^make\b", DRY, "this check is a part of what it does"),
    (r"docs/EXPERIMENTS", r"^createdb|postgresql://server", OPTIONS, SERVER),
    (r"docs/EXPERIMENTS", r"^mpirun -n 8 tetropt (solve|train)",
     [("-n 8", "-n 2"), ("80000000", "20000"),
      ("--generations 100", "--generations 1 --games 2 --max-pieces 200 --held-out 2")], SHORT),
    (r"docs/EXPERIMENTS", r"^#!/bin/bash\n(.*\n)*mpirun",
     [("mpirun ", "mpirun -n 2 "), ("--time 3400", "--time 1"),
      ("--games 20", "--games 2 --max-pieces 200 --held-out 2"),
      ("--generations 500", "--generations 1")], SHORT),
    (r"docs/RELIABILITY", r"^python3 tests/|^scripts/|^meson|^ninja", OPTIONS, "scripts/check does it, some for hours"),
    (r"docs/campaign", r"experiment|report", OPTIONS, CAMPAIGN),
    (r"docs/REPORT", r"^tetropt experiment (run|compare)|^tetropt report", LONG,
     "the runs take up to a minute, and the rest needs them"),
    (r"training/", r"^tetropt train",
     [(r"--max-pieces \d+", "--max-pieces 100"), (r"--games \d+", "--games 1"),
      (r"--held-out \d+", "--held-out 2"), (r"--generations \d+", ""),
      ("train ", "train --generations 1 ")], SHORT),
]

# Options that belong to others than the program.
OTHERS = {
    "--suite": "meson", "--filter": "Criterion", "--tetropt": "tests/cli/run.py",
    "--only": "tests/oracle/compare.py", "--seeds": "scripts/solve-table",
    "--map-by": "mpirun", "--cflags": "pkg-config", "--libs": "pkg-config",
    "--version": "the program itself", "--minutes": "tests/load/run.py",
    "--rounds": "tests/web/load.py",
    "--sample": "tests/fault/calls.py", "--every": "tests/fault/calls.py", "--postgresql": "tests/fault/calls.py",
    "--signals": "tests/fault/world.py",
}


class Page:
    def __init__(self, source, name):
        self.name = name
        with open(os.path.join(source, name), encoding="utf-8") as file:
            self.text = file.read()

    def blocks(self):
        """(language, text) of fenced blocks; indented ones have the language ``."""
        fence = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
        yield from fence.findall(self.text)
        rest = fence.sub("", self.text)
        for block in re.findall(r"(?:^|\n\n)((?:    .*\n)+)", rest):
            yield "", re.sub(r"^    ", "", block, flags=re.MULTILINE)

    def inline(self):
        """What stands between backquotes in the text."""
        rest = re.sub(r"^```.*?^```", "", self.text, flags=re.MULTILINE | re.DOTALL)
        return [re.sub(r"\s+", " ", code) for code in re.findall(r"`([^`]+)`", rest)]

    def lines(self, commands):
        """The command lines; a script is one line with line ends in it."""
        words = "|".join(commands)
        command = re.compile(rf"(mpirun|createdb|make|cc|c\+\+)\b|((\./)?build/)?tetropt ({words})\b")
        for language, block in self.blocks():
            block = re.sub(r"\\\n\s*", "", block)
            if block.startswith("#!"):
                yield block
                continue
            for line in block.splitlines():
                shell = language in ("sh", "bash", "console") and line.strip()
                if shell and not line.startswith("#") or command.match(line):
                    yield re.sub(r"(\./)?build/tetropt\b", "tetropt", line)


def pages(t):
    names = {os.path.relpath(path, t.source) for pattern in PAGES
             for path in glob.glob(os.path.join(t.source, pattern), recursive=True)}
    return [Page(t.source, name) for name in sorted(names - NOT_PAGES)]


def rule_for(page, line):
    for where, what, how, _ in RULES:
        if re.match(where, page.name) and re.search(what, line):
            return how
    return None


def prepare(t, page):
    """The files that a page speaks of."""
    if page.name.startswith("training/"):
        for path in glob.glob(os.path.join(t.source, "training", "*start.json")):
            shutil.copy(path, t.folder)
    t.write("list.txt", "IOTSZJLIOTSZJL\n")
    # The library of the build folder as pkg-config would find an installed one.
    build = os.path.dirname(t.program)
    t.write("tetropt.pc", f"Name: tetropt\nDescription: uninstalled\nVersion: 1\n"
            f"Cflags: -I{t.source}/include\nLibs: -L{build} -ltetropt\n")
    t.extra = {"PKG_CONFIG_PATH": t.folder, "LD_LIBRARY_PATH": build, "SLURM_CPUS_PER_TASK": "1",
               "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def can_run(t, line):
    if "mpirun" in line:
        return possible(t)
    if "pkg-config" in line or line.startswith("./"):
        return os.path.exists(os.path.join(os.path.dirname(t.program), "libtetropt.so"))
    return True


def try_page_line(t, page, line):
    how = rule_for(page, line)
    if how == DRY:
        target = re.sub(r"\s*#.*", "", line)
        done = t.shell(f"cd {shlex.quote(t.source)} && {target} -n")
        t.true(f"{page.name}: {line}", done.code == 0, done)
        return
    if how == OPTIONS or (how == LONG and not t.long_examples) or not can_run(t, line):
        return
    for pattern, replacement in how if isinstance(how, list) else []:
        line = re.sub(pattern, replacement, line)
    try_line(t, page.name, line)


def check_lines(t):
    commands = t.commands()
    for page in pages(t):
        name = t.name
        t.leave()
        t.enter(name)
        prepare(t, page)
        for line in page.lines(commands):
            try_page_line(t, page, line)


def check_rules(t):
    """A rule that no line needs is one that hides something."""
    lines = [(page, line) for page in pages(t) for line in page.lines(t.commands())]
    t.true("there are many lines", len(lines) > 60, len(lines))
    for where, what, _, reason in RULES:
        t.true(f"{where} {what}: is needed and has a reason", reason and any(
            re.match(where, page.name) and re.search(what, line) for page, line in lines))


def check_options(t):
    """Every option that a page names belongs to the command it is named with."""
    table = {command: {option.name for option in t.options(command)} for command in t.commands()}
    everything = set().union(*table.values())
    for page in pages(t):
        pieces = [*page.lines(table), *page.inline()]
        for piece in pieces:
            if piece.startswith("#!"):
                piece = "\n".join(line for line in piece.splitlines() if not line.startswith("#"))
            head = re.search(r"(?:^|\| |tetropt )(" + "|".join(table) + r")\b", piece)
            known = table[head.group(1)] if head else everything
            for option in re.findall(r"(?<![\w-])--([a-z][a-z0-9-]*)", piece):
                t.true(f"{page.name}: {piece[:80]}: there is --{option}",
                       option in known or f"--{option}" in OTHERS)
            word = re.match(r"tetropt ([a-z]+)\b", piece)
            if word:
                t.true(f"{page.name}: there is {word.group()}",
                       word.group(1) in table or word.group(1) == "help")


def check_places(t):
    """Files that are named or linked are there; NAME stands for any, and scripts/check-docs knows the
    rooms of docs/ARCHITECTURE.md."""
    folders = "scripts|tests|docs|src|examples|training|web|grids|include|debian"
    for page in pages(t):
        here = os.path.dirname(os.path.join(t.source, page.name))
        for link in re.findall(r"\]\(([^)#:]+)\)", page.text):
            t.true(f"{page.name}: {link} is there", os.path.exists(os.path.join(here, link)))
        for code in page.inline():
            if re.fullmatch(rf"({folders})/[\w./-]*\w", code) and "NAME" not in code:
                found = [code, f"{code}.c", f"{code}.h", f"src/{code}.c", f"src/{code}.h"]
                t.true(f"{page.name}: {code} is there",
                       any(os.path.exists(os.path.join(t.source, path)) for path in found))


def check_snippets(t):
    """The C of the pages can be compiled and runs."""
    if not can_run(t, "pkg-config"):
        return
    for page in pages(t):
        prepare(t, page)
        for language, block in page.blocks():
            if language == "c":
                t.write("snippet.c", "#include <stdio.h>\n#include <tetropt.h>\n"
                        f"int main(void) {{\n{block}}}\n")
                run = t.shell("cc -Wall -Werror snippet.c -o snippet "
                              "$(pkg-config --cflags --libs tetropt) && ./snippet")
                t.true(f"{page.name}: the C in it", run.code == 0 and run.out, run)


def read(t, name):
    return Page(t.source, name)


def check_lists(t):
    """Tables that name all there is of something do."""
    version = t.run("--version").out.split()[1]
    for page in pages(t):
        for found in re.findall(r"\btetropt (\d+\.\d+\.\d+)", page.text):
            t.equal(f"{page.name}: the version", found, version)
    for command in t.commands():
        t.true(f"README.md lists {command}", f"\n| `{command}` |" in read(t, "README.md").text)
    agents = re.findall(r"^([a-z0-9-]+): ", t.run("simulate", "--list").out, re.MULTILINE)
    t.true("there are agents", len(agents) > 10, agents)
    for agent in agents:
        t.true(f"docs/AGENTS.md has {agent}", f"`{agent}`" in read(t, "docs/AGENTS.md").text)
    algorithms = re.findall(r"^([a-z]+): ", t.run("solve", "--list").out, re.MULTILINE)
    t.true("there are algorithms", len(algorithms) > 5, algorithms)
    for algorithm in algorithms:
        t.true(f"docs/SOLVE.md has {algorithm}", f"`{algorithm}`" in read(t, "docs/SOLVE.md").text)


def shape(value):
    """A JSON value with its numbers and words taken out."""
    if isinstance(value, dict):
        return {key: shape(member) for key, member in value.items()}
    if isinstance(value, list):
        return [shape(member) for member in value[:1]]
    return type(value).__name__ if not isinstance(value, (int, float)) else "number"


# What docs/FORMATS.md quotes in the text, and the command that writes it.
QUOTED = [
    ('{"fitness":', ["eval", "--json"],
     '{"pieces":"TO","encoding":"simple","genes":[[-3,0],[0,0]]}'),
    ('{"depth":3,', ["perft", "--pieces", "IOL", "--json"], ""),
    ('{"pieces":"LSITJ"', ["pieces", "--n", "5", "--seed", "7", "--json"], ""),
]


def check_quoted(t):
    """Documents that are quoted have the members that the program writes, blocks of input are taken."""
    formats = read(t, "docs/FORMATS.md")
    for start, arguments, stdin in QUOTED:
        found = [code for code in formats.inline() if code.startswith(start)]
        if not t.true(f"docs/FORMATS.md quotes {start}", len(found) == 1, found):
            continue
        quoted = json.loads(found[0].replace("{...}", '"..."'))
        written = t.document(*arguments, stdin=stdin)
        for key in set(quoted) | set(written):
            same = quoted.get(key) == "..." or shape(quoted.get(key)) == shape(written.get(key))
            t.true(f"{start}...: {key}", same, f"{quoted.get(key)} {written.get(key)}")
    for language, block in formats.blocks():
        if language == "json":
            t.document("eval", "--json", stdin=block)
    for name, arguments in (("docs/EXPERIMENTS.md", ["experiment", "init", "block.ini", "--seed", "1"]),
                            ("docs/PLAY.md", ["play", "--step", "--config", "block.ini"])):
        inis = [block for language, block in read(t, name).blocks() if language == "ini"]
        t.true(f"{name} has such a block", inis)
        for block in inis:
            t.write("block.ini", block)
            run = t.run(*arguments)
            t.true(f"{name}: the block is taken", run.code == 0, run)
            if "experiment" in arguments:
                runs = re.search(r"= (\d+) runs", read(t, name).text).group(1)
                t.true(f"{name}: {runs} runs", re.search(rf"\b{runs}\b", run.out + run.err), run)
