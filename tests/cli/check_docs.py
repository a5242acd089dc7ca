"""The pages match the program: every command line in them runs, every option they name is there.

A page is any Markdown file of the repository that is meant for readers (doc_pages.py). Its command
lines, those in blocks and those in the text, are run in the order of the page, in a folder of its own
with the files that the page speaks of, so that a line sees what the lines before it wrote. A line runs
as it stands unless a rule below says otherwise, with the reason:

- SHORTER: the same command with less work: a smaller limit, one value for a word that stands for any.
- DRY: `make` is asked what it would do.
- ELSEWHERE: CI runs it in another step; that step must have the text which the rule names.
- CANNOT: what no step of CI can run.

The remarks `# needs a terminal` and `# serves until` mean here what check_examples.py says. With
TETROPT_TEST_SCALE below 1 (sanitizers) no line is run but for the DRY ones.
"""

import glob
import json
import os
import re
import shlex
import shutil
from collections import namedtuple

import doc_pages
from check_examples import try_line
from check_islands import possible

# What limits work, and how little of it will do.
LIMITS = {"total-pieces": 20000, "generations": 1, "evaluations": 20000, "games": 2, "max-pieces": 100,
          "held-out": 2, "search-seeds": 3, "time": 1, "signals": 1, "minutes": 0.03, "seconds": 0.2,
          "rounds": 1, "seeds": 1, "nodes": 1000}
SHORT = [(rf"(?<=--{name} )[\d.]+", lambda given, most=most: min(given[0], str(most), key=float))
         for name, most in LIMITS.items()]
SMALL_GRID = (r"init (ga|sa|published-ga|published-sa|quick|bees|local-search)\b", r"init short/\1.ini")
SMALL_TRAINING = "--agent dt20 --games 2 --max-pieces 100 --held-out 2 --seed 1"

LESS = "the whole takes minutes to days; the same with less work"
SAMPLE = "needs a build of its own, which scripts/check has; there it runs with a sample"
ANY = "a word stands for any; here for one, with little work"

Elsewhere = namedtuple("Elsewhere", "file text")
DRY = "dry"

# Page, line, what to do, why. The first rule that matches counts.
RULES = [
    (r"", r"^make\b", DRY, "this check is a part of what it does"),
    (r"", r"^time ", [("^time ", "")], "the shell's word, for readers"),
    (r"", r"tetropt reproduce all", [("all( --quick)?", "local-search complexity --quick")], LESS),
    (r"", r"tetropt bench$", [("bench", "bench --quick")], LESS),
    (r"", r"^build/tetropt COMMAND", [("COMMAND", "solve")], ANY),
    (r"", r"experiment init GRID", [
        ("GRID", "short/$g.ini"), (r"S\.sqlite", "$g.sqlite"), (r"S\.sqlite", "$g.sqlite"),
        ("^(.*)$", r"for g in published-ga published-sa local-search bees; do \1 || exit; done")], ANY),
    (r"docs/EXPERIMENTS", r"server/tetropt",
     [("postgresql://server/tetropt", "sqlite:server.sqlite"), SMALL_GRID],
     "there is no such server; tests/experiment/postgresql.py uses one, here it is a file"),
    (r"", r"experiment init", [SMALL_GRID], LESS),
    (r"docs/EXPERIMENTS", r"^mpirun -n 8 tetropt|^#!/bin/bash\n(.*\n)*mpirun",
     [("mpirun (-n 8 )?", "mpirun -n 2 "), *SHORT, ("tetropt train", "tetropt train --max-pieces 100")],
     LESS),
    (r"", r"^mpirun .*train( \.\.\.)?$",
     [("mpirun (-n R )?", "mpirun -n 2 "), (r"train( \.\.\.)?$", f"train {SMALL_TRAINING} --generations 1")],
     ANY),
    (r"", r"^mpirun .*--islands$",
     [("mpirun (-n R )?", "mpirun -n 2 "), ("--islands", "--islands --n 5 --evaluations 2000")], ANY),
    (r"training/", r"train --resume", [("--generations 200", "--generations 2")], LESS),
    (r"training/", r"^tetropt train",
     [*SHORT, ("--games 2", "--games 1"), ("train ", "train --generations 1 ")], LESS),
    (r"training/", r"^scripts/record add", [("$", " --pieces 10000")], LESS),
    (r"README", r"tetropt simulate .*(400000000|beam|lookahead|3000)", [*SHORT, ("100", "20")],
     LESS + "; check_numbers has the numbers"),
    (r"docs/AGENTS", r"tetropt (simulate|train) .*AGENT", [
        (r" \.\.\. ", " "), ("AGENT --weights AGENT", "dt20 --weights dt20"),
        ("AGENT --weights NAME", "weighted --weights tetris"), ("AGENT", "dt20"), *SHORT], ANY),
    (r"docs/AGENTS", r"--weights NAME .*PIECES", [("NAME", "genetic-200"), ("PIECES", "20"), *SHORT], ANY),
    (r"docs/AGENTS", r"--games (3000|100) ", SHORT, LESS),
    (r"docs/AGENTS", r"--agent surface-next", [("--height 20", "--height 8"), *SHORT], LESS),
    (r"docs/TRAINING", r"--preset genetic-200", [
        ("genetic-200", "genetic-200 --generations 1 --max-pieces 100 --held-out 2")], LESS),
    (r"docs/AGENTS", r"search-seeds", SHORT, LESS),
    (r"docs/TRAINING", r"--measure splitting", SHORT, LESS),
    (r"docs/AGENTS", r"^scripts/agents-table", [("( bees)?$", " --pieces 20000 drop")], LESS),
    (r"docs/SOLVE", r"^scripts/solve-table", SHORT, LESS),
    (r"docs/TUNE", r"^scripts/tune-defaults", [("^", "BUDGET=130 EVALUATIONS=100 "), ("DIRECTORY", ". hill")], LESS),
    (r"docs/SOLVE", r"^scripts/compare-defaults", [("DIRECTORY 200000", ". 100 hill")], LESS),
    (r"docs/SOLVE", r"--preset published", [("--seed 1", "--seed 1 --evaluations 20000")], LESS),
    (r"docs/LIBRARY", r"tetropt train", [("train", "train --games 2 --max-pieces 100 --held-out 2")], LESS),
    (r"docs/SOLVE", r"--algorithm exact --time 60", [("--time 60", "--time 1")], LESS),
    (r"docs/INSTANCES", r"^scripts/make-instances", [("( --.*)?$", " --help")], LESS),
    (r"docs/CLEARS", r"clears --resume", [("$", " --time 2")], LESS),
    (r"docs/PLAY", r"^tetropt watch .*--speed max", [("AGENT", "weighted"), ("MS", "60"), ("SEED", "1"),
                                                     ("$", "  # needs a terminal")], ANY),
    (r"docs/TBP", r"tetropt simulate --agent 'bot", [("$", " --games 1 --max-pieces 20")], LESS),
    (r"docs/TBP", r"^tetropt watch", [("$", "  # needs a terminal")], ANY),
    (r"docs/TBP", r"tbp_frontend\.py", [(r"--pieces \d+", "--pieces 5"), *SHORT], LESS),
    (r"docs/BOT", r"--sprt", [("$", " --games 2 --max-pieces 20")], LESS),
    (r"docs/BOT", r"^tetropt match", SHORT, LESS),
    (r"CONTRIBUTING", r"^meson test", [("meson test -C build", "meson test --list -C build")],
     "this check is one of the tests; they are listed"),
    (r"CONTRIBUTING", r"^build/tests/", [("^", "TETROPT_TEST_SCALE=0.05 ")], LESS),
    (r"CONTRIBUTING", r"^python3 tests/cli/run\.py", [("eval$", "pieces")], LESS),
    (r"CONTRIBUTING", r"^python3 tests/oracle/compare\.py",
     [("--seed S --only I", "--seed 1 --only 7")], ANY),
    (r"CONTRIBUTING", r"^tests/browser/run", Elsewhere("tests/meson.build", "browser/run"),
     "a test of its own, without the pictures"),
    (r"docs/RELIABILITY", r"^scripts/build-sanitized", Elsewhere("scripts/check", "scripts/build-sanitized"), SAMPLE),
    (r"docs/RELIABILITY", r"tests/fault/calls\.py",
     Elsewhere("scripts/check", "tests/fault/calls.py --tetropt build-sanitize/tetropt --sample 1"), SAMPLE),
    (r"docs/RELIABILITY", r"^scripts/fuzz", Elsewhere("scripts/check", "scripts/fuzz"), SAMPLE),
    (r"docs/RELIABILITY", r"^scripts/check all", Elsewhere("Makefile", "scripts/check all"), LESS),
    (r"docs/RELIABILITY", r"tests/fault/world\.py", [*SHORT, ("$", " --only outputs pieces")], LESS),
    (r"docs/RELIABILITY", r"tests/fault/memcheck\.py", [(r" *#.*|$", " pieces"), ("$", " || [ $? = 77 ]")],
     LESS + "; without valgrind it says so"),
    (r"docs/RELIABILITY", r"tests/load/run\.py", [*SHORT, ("$", " --only simulate")], LESS),
    (r"docs/RELIABILITY", r"tests/experiment/kills\.py", [("--kills 100", "--kills 1 clears")], LESS),
    (r"docs/RELIABILITY", r"tests/experiment/places\.py", Elsewhere("scripts/check", "tests/experiment/places.py"), LESS),
    (r"docs/RELIABILITY", r"^scripts/check-arm64", Elsewhere("scripts/check", "scripts/check-arm64"), SAMPLE),
    (r"docs/RELIABILITY", r"^scripts/python-setup", Elsewhere("scripts/check", "scripts/python-setup --install build"),
     SAMPLE),
    (r"docs/RELIABILITY", r"tests/load/largest\.py", [("$", " --first 1")], LESS),
    (r"docs/RELIABILITY", r"^scripts/repeat", Elsewhere("scripts/check-compilers", "scripts/repeat"),
     "runs there, for the programs of both compilers"),
    (r"docs/PYTHON", r"bench\.py$", Elsewhere("tests/python/test_documents.py", "bench.py"), SAMPLE),
    (r"docs/WEB", r"tests/web/load\.py", SHORT, LESS),
    (r"docs/WEB", r"^curl", Elsewhere("tests/unit/test_api.c", "/api/train"),
     "asks a server; the unit test asks the same"),
    (r"docs/WEB", r"--weights weights\.json", [("weights.json", "dt20 --games 1 --max-pieces 20")],
     "the file comes from the server"),
    (r"docs/WEB", r"tests/web/stores\.py", Elsewhere("tests/meson.build", "'stores'"), "a test of its own"),
]

# What no step of CI can run, and why.
CANNOT = [
    (r"^createdb", "needs a PostgreSQL server on another machine"),
    (r"^man ", "needs the pages to be installed; tests/install looks at those of `make install`"),
    (r"^\.ci/run", "is CI itself"),
    (r"botris/bin/p", "needs a package from PyPI"),
]

# Options that belong to others than the program.
OTHERS = {
    "--suite": "meson", "--filter": "Criterion", "--tetropt": "tests/cli/run.py",
    "--only": "tests/oracle/compare.py", "--seeds": "scripts/solve-table",
    "--map-by": "mpirun", "--cflags": "pkg-config", "--libs": "pkg-config",
    "--version": "the program itself", "--minutes": "tests/load/run.py",
    "--rounds": "tests/web/load.py", "--family": "scripts/make-instances", "--improve": "scripts/make-instances",
    "--kills": "tests/experiment/kills.py", "--cut-seconds": "tests/experiment/places.py",
    "--install": "scripts/python-setup",
    "--sample": "tests/fault/calls.py", "--every": "tests/fault/calls.py",
    "--postgresql": "tests/fault/calls.py",
    "--signals": "tests/fault/world.py", "--write": "scripts/check-includes",
}


def pages(t):
    return doc_pages.pages(t.source)


def rule_for(page, line):
    return next((rule for rule in RULES
                 if re.match(rule[0], page.name) and re.search(rule[1], line)), None)


def cannot(line):
    return any(re.search(what, line) for what, _ in CANNOT)


def small_grids(t):
    """The grids that come with the program, with runs of milliseconds."""
    os.mkdir(os.path.join(t.folder, "short"))
    for path in glob.glob(os.path.join(t.source, "grids", "*.ini")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for key, value in (("population", "100, 200"), ("evaluations", 1000), ("piece-seed", 1), ("generations", 2),
                           ("steps", 1000), ("patience", 1000), ("max-pieces", 10),
                           ("seed", "1, 2, 3"), ("n", "5, 6")):
            text = re.sub(rf"^{key} = .*", f"{key} = {value}", text, flags=re.MULTILINE)
        t.write(os.path.join("short", os.path.basename(path)), text)


def prepare(t, page):
    """The files that a page speaks of, where it speaks of them."""
    build = os.path.dirname(t.program)
    os.symlink(build, os.path.join(t.folder, "build"))
    for name in ("scripts", "tests", "tuning"):
        os.symlink(os.path.join(t.source, name), os.path.join(t.folder, name))
    os.mkdir(os.path.join(t.folder, "training"))
    shutil.copy(os.path.join(t.source, "training", "record.jsonl"), os.path.join(t.folder, "training"))
    if page.name.startswith("training/"):
        for path in glob.glob(os.path.join(t.source, "training", "*start.json")):
            shutil.copy(path, t.folder)
    small_grids(t)
    t.write("list.txt", "IOTSZJLIOTSZJL\n")
    library(t)


def library(t):
    """The library of the build folder as pkg-config would find an installed one."""
    build = os.path.dirname(t.program)
    t.write("tetropt.pc", f"Name: tetropt\nDescription: uninstalled\nVersion: 1\n"
            f"Cflags: -I{t.source}/include\nLibs: -L{build} -ltetropt\n")
    t.extra = {"PKG_CONFIG_PATH": t.folder, "LD_LIBRARY_PATH": build, "SLURM_CPUS_PER_TASK": "1",
               "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def can_run(t, line):
    """Whether this build has what a line needs."""
    if "mpirun" in line:
        return possible(t)
    if "pkg-config" in line or "my_agent.so" in line or re.match(r"\./(solve|play|measure|evolve|steps)\b", line):
        return os.path.exists(os.path.join(os.path.dirname(t.program), "libtetropt.so"))
    if line.startswith("build/tests/"):
        return os.path.exists(os.path.join(os.path.dirname(t.program), line.split()[0][6:]))
    return True


def shortened(line, replacements):
    """The line after the replacements; what takes long does not any more."""
    for pattern, replacement in replacements:
        line = re.sub(pattern, replacement, line, count=1)
    return re.sub(r"\s*# takes.*", "", line)


def try_page_line(t, page, line, done):
    """Runs a line by its rule; `done` has those of the page that ran."""
    rule = rule_for(page, line)
    how = rule[2] if rule else None
    if how == DRY:
        target = re.sub(r"\s*#.*", "", line)
        run = t.shell(f"cd {shlex.quote(t.source)} && {target} -n")
        t.true(f"{page.name}: {line}", run.code == 0, run)
    elif isinstance(how, Elsewhere):
        with open(os.path.join(t.source, how.file), encoding="utf-8") as file:
            t.true(f"{page.name}: {line}: {how.file} has {how.text}", how.text in file.read())
    elif not cannot(line) and can_run(t, line):
        line = shortened(line, how) if how else line
        if line not in done:
            try_line(t, page.name, line)
        done.add(line)


def check_lines(t):
    commands = t.commands()
    for page in pages(t):
        name = t.name
        t.leave()
        t.enter(name)
        prepare(t, page)
        done = set()
        for line in page.lines(commands):
            try_page_line(t, page, line, done)


def check_rules(t):
    """A rule that no line needs is one that hides something."""
    lines = [(page, line) for page in pages(t) for line in page.lines(t.commands())]
    t.true("there are many lines", len(lines) > 120, len(lines))
    used = [rule_for(page, line) for page, line in lines]
    for rule in RULES:
        t.true(f"{rule[0]} {rule[1]}: is needed and has a reason", rule in used and rule[3])
    for what, reason in CANNOT:
        t.true(f"{what}: is needed and has a reason",
               reason and any(re.search(what, line) for _, line in lines))


def mean_score(agent):
    def of_agent(answer):
        entry = next(entry for entry in answer.get("agents", [answer]) if entry["agent"] == agent)
        return f"{entry['summary']['score']['mean']:,.0f}"
    return of_agent


# Numbers of README.md that take seconds: the command that the row names, what it must have printed, and
# whether that takes so long that --long alone looks at it.
NUMBERS = [
    ("tetropt simulate --protocol local-search --games 3000 --seed 1", mean_score("hill"), True),
    ("tetropt simulate --agent beam --games 15 --max-pieces 400 --preview 1 --hold on "
     "--scoring local-search --seed 1", mean_score("beam"), True),
    ("tetropt simulate --agent lookahead --games 4 --max-pieces 10000 --preview 1 --hold on "
     "--scoring classic --seed 1", lambda answer: f"{answer['summary']['points_per_piece']:.1f}", False),
]


def check_numbers(t):
    """The table of README.md says what its commands print."""
    if t.scale < 1:
        return
    rows = {row.split("|")[-2].strip(): row.split("|")[-3] for row in read(t, "README.md").text.splitlines()
            if row.startswith("|") and row.count("|") == 5}
    for command, number, takes_long in NUMBERS:
        there = t.true(f"README.md has {command}", f"`{command}`" in rows)
        if not there or (takes_long and not t.long_examples):
            continue
        said = number(t.document(*shlex.split(command)[1:], "--json", "--quiet"))
        t.true(f"README.md: {command} gives {said}", said in rows[f"`{command}`"], rows[f"`{command}`"])
    shown = t.shell(f"{shlex.quote(t.source)}/scripts/record show").out
    found = re.search(r"\| surface \| surface .*\| ([\d.]+ M) \| ([\d.]+) M (to [\d.]+ M) \|", shown)
    if t.true("scripts/record show has surface", found, shown):
        said = f"{found[1]} ({found[2]} {found[3]})"
        t.true(f"README.md: scripts/record show gives {said}", said in rows["`scripts/record show`"])


def check_options(t):
    """Every option, or parameter by its name, that a page names belongs to the command it is named with."""
    table = {command: {option.name for option in t.options(command)} for command in t.commands()}
    for command, lists in (("solve", "solve"), ("simulate", "simulate"), ("watch", "simulate"), ("train", "train")):
        table[command] |= set(re.findall(r"^  ([a-z0-9-]+) ", t.run(lists, "--list").out, re.MULTILINE))
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
            word = re.match(r"(?:build/)?tetropt ([a-z]+)\b", piece)
            if word:
                t.true(f"{page.name}: there is {word.group()}",
                       word.group(1) in table or word.group(1) == "help")


def check_places(t):
    """Files that are named or linked exist, those of src also as MODULE/FILE; NAME stands for any."""
    roots = ["", "src/core/", "src/app/"]
    modules = [name for root in roots[1:] for name in os.listdir(os.path.join(t.source, root))]
    folders = "|".join("scripts tests docs src examples training web grids include debian".split() + modules)
    for page in pages(t):
        here = os.path.dirname(os.path.join(t.source, page.name))
        for link in re.findall(r"\]\(([^)#:]+)\)", page.text):
            t.true(f"{page.name}: {link} is there", os.path.exists(os.path.join(here, link)))
        for code in page.inline():
            if re.fullmatch(rf"({folders})/[\w./-]*\w", code) and "NAME" not in code:
                found = [root + code + ending for root in roots for ending in ("", ".c", ".h")]
                t.true(f"{page.name}: {code} is there",
                       any(os.path.exists(os.path.join(t.source, path)) for path in found))


def check_snippets(t):
    """The C of the pages can be compiled and runs."""
    if not can_run(t, "pkg-config"):
        return
    library(t)
    for page in pages(t):
        for language, block in page.blocks():
            if language == "c":
                t.write("snippet.c", "#include <stdio.h>\n#include <tetropt.h>\n"
                        f"int main(void) {{\n{block}}}\n")
                run = t.shell("cc -Wall -Werror snippet.c -o snippet "
                              "$(pkg-config --cflags --libs tetropt) && ./snippet")
                t.true(f"{page.name}: the C in it", run.code == 0 and run.out, run)


def read(t, name):
    return doc_pages.Page(t.source, name)


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
    one = ["--games", "1", "--max-pieces", "1", "--json"]
    weights = t.document("simulate", "--agent", "lookahead", *one)["weights"]
    t.true(f"docs/PLAY.md shows lookahead by {weights}", f"  by {weights}\n" in read(t, "docs/PLAY.md").text)
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
