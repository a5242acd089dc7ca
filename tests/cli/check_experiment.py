"""experiment: grids, stores, results, and everything that can be wrong with them."""

import csv
import io
import json
import os
import sqlite3

GRID = """# two algorithms
[experiment]
command = solve
repeat = 2

[solve]
n = 6, 8
encoding = simple, swap-simple
evaluations = 3000

[solve ga]
algorithm = ga
population = 100

[solve sa]
algorithm = sa   ; a remark
cooling = 0.0005,
   0.005
"""
RUNS = 2 * 2 * 2 * (1 + 2)


def experiment(t, *arguments, **options):
    return t.run("experiment", *arguments, "--quiet", **options)


def lines(run):
    return [json.loads(line) for line in run.out.splitlines()]


def fill(t, grid=GRID, store="sqlite:s.sqlite", run=True):
    path = t.write("grid.ini", grid)
    done = experiment(t, "init", path, "--store", store, "--seed", "7")
    t.equal("init", (done.code, done.err), (0, ""))
    if run:
        done = experiment(t, "run", "--store", store, "--workers", "2")
        t.equal("run", (done.code, done.err), (0, ""))


def check_whole(t):
    fill(t, run=False)
    status = t.document("experiment", "status", "--store", "sqlite:s.sqlite", "--json")
    t.equal("before", [status[k] for k in ("waiting", "running", "done", "failed")],
            [RUNS, 0, 0, 0])
    status = t.document("experiment", "run", "--store", "sqlite:s.sqlite", "--json", "--quiet")
    t.equal("after", [status[k] for k in ("waiting", "running", "done", "failed")],
            [0, 0, RUNS, 0])
    rows = lines(experiment(t, "export", "jsonl", "--store", "sqlite:s.sqlite"))
    t.equal("rows in order", [row["run"] for row in rows], list(range(1, RUNS + 1)))
    t.equal("repeats", [row["repeat"] for row in rows], [1, 2] * (RUNS // 2))
    for member in ("seconds", "host", "started", "finished", "version", "evolution"):
        t.true(member, all(member in row for row in rows))
    for row in rows:
        t.true("times", row["finished"] >= row["started"] > 1.6e9 and row["seconds"] > 0, row)
        points = row["evolution"]
        best = [point[1] for point in points if point[1] is not None]
        t.true("evolution", 1 <= len(points) <= 257 and best == sorted(best), points)
        t.equal("ends at the result", best[-1], row["result"]["fitness"])
    combinations = {json.dumps([row["parameters"], row["repeat"]]) for row in rows}
    t.equal("all different", len(combinations), RUNS)
    for repeat in (1, 2):
        for n in ("6", "8"):
            lists = {row["result"]["pieces"] for row in rows
                     if row["repeat"] == repeat and row["parameters"]["n"] == n}
            t.equal("the same pieces for all", len(lists), 1)
    t.true("other pieces for other repeats", len({row["piece_seed"] for row in rows}) == 2)
    t.equal("seeds", len({row["seed"] for row in rows}), RUNS)


def check_a_run_is_the_command(t):
    """What the store has is what the command prints with the same options."""
    fill(t)
    for row in lines(experiment(t, "export", "jsonl", "--store", "sqlite:s.sqlite",
                                "--no-times"))[:: RUNS // 5]:
        options = []
        for name, value in row["parameters"].items():
            options += (["--param", f"{name}={value}"] if name in ("population", "cooling")
                        else [f"--{name}", value])
        answer = t.document("solve", *options, "--seed", str(row["seed"]), "--piece-seed",
                            str(row["piece_seed"]), "--json", "--no-times", "--quiet")
        t.equal(f"run {row['run']}", row["result"], answer)


def check_workers_do_not_matter(t):
    exports = []
    for workers in ("1", "3"):
        store = f"sqlite:{workers}.sqlite"
        fill(t, store=store, run=False)
        experiment(t, "run", "--store", store, "--workers", workers)
        exports.append(experiment(t, "export", "jsonl", "--store", store, "--no-times").out)
    t.true("the same", exports[0] == exports[1] and exports[0].count("\n") == RUNS)


def check_export_grid(t):
    """One of two grids, here of `solve` and of `eval`."""
    store = ("--store", "sqlite:s.sqlite")
    fill(t)
    t.write("game.json", '{"encoding":"simple","pieces":"OO","genes":[[-3,0],[3,0]],"placements":2}')
    path = t.write("games.ini", "[experiment]\ncommand = eval\n[eval]\ndocument = game.json\n"
                                "order = move-first, turn-first\n")
    t.equal("init", experiment(t, "init", path, *store, "--seed", "1").code, 0)
    t.refuses("experiment", "export", "csv", "--grid", "games", *store, names="games")
    t.equal("run", experiment(t, "run", *store).code, 0)
    rows = lines(experiment(t, "export", "jsonl", *store, "--grid", "games"))
    t.equal("jsonl", [(row["command"], row["parameters"]["order"]) for row in rows],
            [("eval", "move-first"), ("eval", "turn-first")])
    table = list(csv.DictReader(io.StringIO(experiment(t, "export", "csv", *store, "--grid", "games").out)))
    t.equal("csv", [(row["grid"], row["order"]) for row in table],
            [("games", "move-first"), ("games", "turn-first")])
    t.true("no column of the other grid", "cooling" not in table[0], table[0])
    t.equal("all", len(lines(experiment(t, "export", "jsonl", *store))), RUNS + 2)
    for format in (["csv"], ["jsonl"], ["ioh", "logs"]):
        t.refuses("experiment", "export", *format, "--grid", "no", *store, names=("--grid", "'no'"))
    answer = t.document("experiment", "compare", "--grid", "games", *store, "--json")
    t.equal("what is compared", (answer["measure"], answer["by"]), ("fitness", "order"))


def check_csv(t):
    fill(t)
    full = experiment(t, "export", "csv", "--store", "sqlite:s.sqlite").out
    rows = list(csv.DictReader(io.StringIO(full)))
    documents = lines(experiment(t, "export", "jsonl", "--store", "sqlite:s.sqlite"))
    t.equal("rows", len(rows), RUNS)
    for row, document in zip(rows, documents):
        t.equal("fitness", float(row["fitness"]), document["result"]["fitness"])
        t.equal("a member of a member", float(row["features.blocks"]),
                document["result"]["features"]["blocks"])
        t.equal("parameter", row["cooling"], document["parameters"].get("cooling", ""))
        t.equal("a list", row["clears.1"], str(document["result"]["clears"][0]))
        t.equal("seconds", float(row["seconds"]), document["seconds"])
    short = experiment(t, "export", "csv", "--store", "sqlite:s.sqlite", "--no-times").out
    columns = short.splitlines()[0].split(",")
    t.true("no times", not {"seconds", "host", "started", "finished", "result.seconds"}
           & set(columns), columns)


def check_simulate(t):
    fill(t, "[experiment]\ncommand = simulate\nrepeat = 3\n[simulate]\nagent = hill, genetic\n"
            "rules = drop\ngames = 2\nmax-pieces = 40\n")
    rows = lines(experiment(t, "export", "jsonl", "--store", "sqlite:s.sqlite"))
    t.equal("rows", [row["result"]["agent"] for row in rows], ["hill"] * 3 + ["genetic"] * 3)
    t.true("times are merged", all("decision_us" in row["result"]["summary"] for row in rows))
    short = lines(experiment(t, "export", "jsonl", "--store", "sqlite:s.sqlite", "--no-times"))
    t.true("or left out", all("decision_us" not in row["result"]["summary"] for row in short))


def check_ready_grids(t):
    expected = {"ga": 108, "sa": 192, "local-search": 45, "bees": 300}
    for name, runs in expected.items():
        answer = t.document("experiment", "init", name, "--store", "sqlite:r.sqlite", "--json")
        t.equal(name, (answer["grid"], answer["runs"]), (name, runs))
    path = os.path.join(t.source, "grids", "quick.ini")
    run = experiment(t, "init", path, "--store", "sqlite:r.sqlite")
    t.equal("a file", (run.code, run.out.split(":")[0]), (0, "quick"))
    t.refuses("experiment", "init", "quick", "--store", "sqlite:r.sqlite", names="quick")
    run = experiment(t, "init", "quick", "--store", "sqlite:r.sqlite", "--name", "again")
    t.equal("another name", run.code, 0)


def check_drawn_seeds(t):
    """A grid without --seed gets one of the seeds that every command draws, of 32 bits."""
    seeds = [t.document("experiment", "init", "quick", "--store", f"sqlite:{i}.sqlite",
                        "--json")["seed"] for i in range(6)]
    t.true("they differ, and some are large", len(set(seeds)) == 6 and max(seeds) >> 21, seeds)


def check_bad_grids(t):
    head = "[experiment]\ncommand = solve\n"
    cases = [
        ("", "command"),
        ("[experiment]\n", "command"),
        ("[experiment]\nrepeat = 3\n", "command"),
        (head, "[solve]"),
        (head + "[solve]\n", "[solve]"),
        (head + "[sovle]\n[solve]\nn = 5\n", "bad.ini:3", "[sovle]"),
        (head + "[solve]\nn = 5\n[solve ga]\n# nothing\n", "bad.ini:5", "[solve ga]"),
        (head + "repeat = 0\n[solve]\nn = 5\n", "bad.ini:3", "repeat"),
        (head + "repeat = x\n[solve]\nn = 5\n", "bad.ini:3", "repeat"),
        (head + "repeat = 2, 3\n[solve]\nn = 5\n", "bad.ini:3", "repeat"),
        (head + "fly = 1\n[solve]\nn = 5\n", "bad.ini:3", "fly"),
        (head + "command = solve\n[solve]\nn = 5\n", "bad.ini:3", "twice"),
        ("[experiment]\ncommand = perft\n[perft]\ndepth = 5\n", "bad.ini:2", "perft"),
        ("[experiment]\ncommand = fly\n[fly]\ndepth = 5\n", "bad.ini:2", "fly"),
        (head + "[simulate]\nagent = hill\n", "bad.ini:4", "simulate"),
        (head + "[solve]\nn = 5\nn = 6\n", "bad.ini:5", "twice"),
        (head + "[solve]\nn = 5, 6, 5\n", "bad.ini:4", "twice"),
        (head + "[solve]\nn =\n", "bad.ini:4", "empty"),
        (head + "[solve]\nn = 5,,6\n", "bad.ini:4", "empty"),
        (head + "[solve]\nn = 5, five\n", "bad.ini:4", "five"),
        (head + "[solve]\nn = 5,\n 6,\n 70000\n", "bad.ini:6", "70000"),
        (head + "[solve]\nn = 5\nencoding = single\n", "bad.ini:5", "single"),
        (head + "[solve]\nn = 5\nfly = 3\n", "bad.ini:5", "fly"),
        (head + "[solve]\nn = 5\nalgorithm = ga, sa\npopulation = 10\n", "bad.ini:6",
         "population"),
        (head + "[solve]\nn = 5\nalgorithm = ga\npopulation = 10, -1\n", "bad.ini:6", "-1"),
        (head + "[solve]\nn = 5\nalgorithm = ga, gaa\n", "bad.ini:5", "gaa"),
        (head + "[solve]\nn = 5\nencoding = placements\nalgorithm = beam, ga\n", "bad.ini", "ga"),
        (head + "[solve]\nalgorithm = ga\n", "bad.ini", "requires instance"),
        (head + "[solve]\nn = 5\nsave = x.json\n", "bad.ini:5", "save"),
        (head + "[solve]\nn = 5\nconfig = x.ini\n", "bad.ini:5", "config"),
        ("[experiment]\ncommand = train\n[train]\nagent = dt20\nwatch = on\n", "bad.ini:5", "watch"),
        (head + "[solve]\nn = 5\nboard = nowhere.txt\n", "bad.ini", "nowhere.txt"),
        (head + "[solve]\nn\n", "bad.ini:4", "key = value"),
        (head + "[solve\nn = 5\n", "bad.ini:3", "key = value"),
        (head + f"[solve]\nn = {', '.join(map(str, range(1, 100)))}\n", "bad.ini:4", "longer"),
        ("n = 5\n" + head, "bad.ini:1"),
        (head + "[solve]\nn = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\nwidth = 4, 5, 6, 7, 8, 9, 10\n"
         "height = 4, 5, 6, 7, 8, 9, 10\nrepeat = 3\n", "bad.ini:7", "repeat"),
    ]
    for text, *names in cases:
        t.write("bad.ini", text)
        t.refuses("experiment", "init", "bad.ini", "--store", "sqlite:s.sqlite", names=names)
    with open(os.path.join(t.folder, "bad.ini"), "wb") as file:
        file.write((head + "[solve]\nn = 5\nboard = caf").encode() + b"\xe9.txt\n")
    t.refuses("experiment", "init", "bad.ini", "--store", "sqlite:s.sqlite", names="UTF-8")
    t.write("bad.ini", head + "[solve]\nn = 5\n\0")
    t.refuses("experiment", "init", "bad.ini", "--store", "sqlite:s.sqlite", names="UTF-8")
    t.refuses("experiment", "init", "quick", "--store", "sqlite:s.sqlite", "--name", "",
              names="--name")
    t.refuses("experiment", "init", "quick", "--store", "sqlite:s.sqlite", "--name", "x" * 64,
              names="--name")
    t.refuses("experiment", "init", "nowhere.ini", "--store", "sqlite:s.sqlite",
              names="nowhere.ini")
    t.refuses("experiment", "init", "--store", "sqlite:s.sqlite", names="grid")


def check_looking_on(t):
    """Looking at a store takes no right to write; a folder that is closed is told as such."""
    fill(t)
    shown = [experiment(t, *words, "--store", "sqlite:s.sqlite").out
             for words in (("status",), ("export", "csv", "--no-times"))]
    report = t.run("report", "--store", "sqlite:s.sqlite", "--out", "-", "--quiet").out
    other = ("setpriv --reuid=65534 --regid=65534 --clear-groups env" if os.geteuid() == 0
             else "env")
    os.chmod(t.folder, 0o555)
    os.chmod(os.path.join(t.folder, "s.sqlite"), 0o444)
    try:
        if t.shell(f"{other} tetropt --version").code != 0:
            return  # this program is in a place where nobody else gets to
        for words, out in zip(("status", "export csv --no-times"), shown):
            run = t.shell(f"{other} tetropt experiment {words} --quiet --store sqlite:s.sqlite")
            t.equal(f"{words} by somebody else", (run.code, run.out, run.err), (0, out, ""))
        run = t.shell(f"{other} tetropt report --store sqlite:s.sqlite --out - --quiet")
        t.equal("report by somebody else", (run.code, run.out == report), (0, True))
        run = t.shell(f"{other} tetropt experiment run --quiet --store sqlite:s.sqlite")
        t.fails(2, run, "s.sqlite", "may not be written", what="run by somebody else")
        run = t.shell(f"{other} tetropt experiment init grid.ini --store sqlite:new.sqlite")
        t.fails(2, run, "new.sqlite", "Permission denied", what="init in a closed folder")
    finally:
        os.chmod(t.folder, 0o700)


def check_many_runs(t):
    values = ",\n ".join(", ".join(str(k) for k in range(i, i + 10)) for i in range(1, 101, 10))
    grid = (f"[experiment]\ncommand = solve\nrepeat = 10000\n[solve]\nn = {values}\n"
            "algorithm = hill\n")
    t.write("many.ini", grid)
    t.refuses("experiment", "init", "many.ini", "--store", "sqlite:s.sqlite",
              names=("many.ini", "1000000 runs", "--yes"))
    t.write("more.ini", grid.replace("repeat = 10000", "repeat = 100000000"))
    t.refuses("experiment", "init", "more.ini", "--store", "sqlite:s.sqlite", "--yes",
              names="more.ini")
    t.write("some.ini", grid.replace("repeat = 10000", "repeat = 1001"))
    run = experiment(t, "init", "some.ini", "--store", "sqlite:s.sqlite", "--yes")
    t.equal("with --yes", (run.code, run.err), (0, ""))


def check_bad_stores(t):
    grid = t.write("grid.ini", GRID)
    for command in (["run"], ["status"], ["export", "csv"]):
        for store, name in [("sqlite:nowhere.sqlite", "nowhere.sqlite"), ("sqlite:", "sqlite"),
                            ("", "--store"), ("mysql://x/y", "mysql"), ("sqlite:.", "directory"),
                            ("postgresql://[", "--store"), ("sqlite:grid.ini", "grid.ini")]:
            t.refuses("experiment", *command, "--store", store, names=name)
    t.refuses("experiment", "init", grid, "--store", "sqlite:grid.ini", names="not a database")
    t.refuses("experiment", "init", grid, "--store", "sqlite:no/folder/x.sqlite", names="x.sqlite")
    t.write("empty.sqlite", "")
    t.refuses("experiment", "run", "--store", "sqlite:empty.sqlite", names="no experiment")
    other = sqlite3.connect(os.path.join(t.folder, "other.sqlite"))
    other.execute("CREATE TABLE mine (x)")
    other.commit()
    other.close()
    for command in (["init", grid], ["run"], ["status"]):
        t.refuses("experiment", *command, "--store", "sqlite:other.sqlite", names="something else")
    t.refuses("experiment", "export", "xml", "--store", "sqlite:s.sqlite", names="xml")
    t.refuses("experiment", "export", "--store", "sqlite:s.sqlite", names="csv")
    t.refuses("experiment", "export", "csv", "--json", "--store", "sqlite:s.sqlite", names=("--json", "jsonl"))
    t.refuses("experiment", "status", "--seed", "1", "--store", "sqlite:s.sqlite", names=("--seed", "only for init"))
    t.refuses("experiment", names="missing subcommand")
    t.refuses("experiment", "fly", names="fly")
    t.refuses("experiment", "run", "twice", "--store", "sqlite:s.sqlite", names="twice")
    run = experiment(t, "status", "--store", "postgresql://127.0.0.1:1/x")
    t.fails(3, run, "postgresql://127.0.0.1/x", what="no server")
    run = experiment(t, "status", "--store", "postgresql://me:secret@127.0.0.1:1/x")
    t.true("no password in messages", "secret" not in run.err, run)


def check_store_paths(t):
    """What stands behind sqlite: is a path, whatever it means to SQLite."""
    for path in ("file:zz?mode=memory", ":memory:", "file:a%20b", "file:zz.sqlite?vfs=unix"):
        fill(t, store="sqlite:" + path)
        t.true(f"{path} is a file", os.path.isfile(os.path.join(t.folder, path)))
        status = t.document("experiment", "status", "--store", "sqlite:" + path, "--json")
        t.true(f"{path} keeps its runs", status.get("done", 0) > 0, status)


def check_newer_and_damaged(t):
    fill(t)
    path = os.path.join(t.folder, "s.sqlite")
    with open(path, "rb") as file:
        good = file.read()
    database = sqlite3.connect(path)
    database.execute("UPDATE tetropt_store SET version = 99")
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    for command in (["init", "grid.ini", "--name", "b"], ["run"], ["status"], ["export", "csv"]):
        t.refuses("experiment", *command, "--store", "sqlite:s.sqlite", names=("newer", "99"))
    for offset in (4096, 5000, len(good) // 2, len(good) - 4096):
        damaged = good[:offset] + b"\xa5" * 3000 + good[offset + 3000:]
        with open(path, "wb") as file:
            file.write(damaged)
        run = experiment(t, "run", "--store", "sqlite:s.sqlite")
        t.true(f"damage at {offset}", run.code in (0, 2) and run.err.count("\n") == run.code // 2,
               run)
        with open(path, "rb") as file:
            t.true("the file is as it was", run.code == 0 or file.read() == damaged)
    with open(path, "wb") as file:
        file.write(good[: len(good) // 2 + 100])
    t.refuses("experiment", "run", "--store", "sqlite:s.sqlite", names="damaged")


def check_failed_runs(t):
    """A board that was there when the grid was made and is gone when it runs."""
    t.write("board.txt", "..........\n")
    fill(t, "[experiment]\ncommand = solve\nrepeat = 3\n[solve]\nn = 5\nalgorithm = hill\n"
            "evaluations = 500\nboard = board.txt\n", run=False)
    os.rename(os.path.join(t.folder, "board.txt"), os.path.join(t.folder, "away.txt"))
    run = experiment(t, "run", "--store", "sqlite:s.sqlite")
    t.equal("not what was asked", run.code, 1)
    t.true("says why", "board.txt" in run.out, run)
    os.rename(os.path.join(t.folder, "away.txt"), os.path.join(t.folder, "board.txt"))
    t.equal("they stay failed", experiment(t, "run", "--store", "sqlite:s.sqlite").code, 1)
    run = experiment(t, "run", "--store", "sqlite:s.sqlite", "--retry-failed")
    t.equal("again", run.code, 0)
    rows = lines(experiment(t, "export", "jsonl", "--store", "sqlite:s.sqlite"))
    t.equal("done now", [(row["state"], row["error"]) for row in rows], [("done", None)] * 3)


def check_interrupted(t):
    fill(t, "[experiment]\ncommand = solve\nrepeat = 4\n[solve]\nn = 30\nalgorithm = ga\n"
            "population = 30000\n", run=False)
    run = t.interrupt("experiment", "run", "--store", "sqlite:s.sqlite", "--quiet", after=1)
    t.equal("Ctrl-C", (run.code, run.err), (130, ""))
    status = t.document("experiment", "status", "--store", "sqlite:s.sqlite", "--json")
    t.equal("given back", (status["waiting"] + status["done"], status["running"]), (4, 0))


def check_interrupted_profile(t):
    """A training of a profile that was cut is no result: it is given back, never recorded."""
    if t.late_signals:
        return
    fill(t, "[experiment]\ncommand = train\nrepeat = 2\n[train]\nprofile = blocks\nalgorithm = hill\n"
            "max-pieces = 100\nevaluations = 1000000000000\ngenerations = 0\nheld-out = 1\n", run=False)
    run = t.interrupt("experiment", "run", "--store", "sqlite:s.sqlite", "--quiet", "--workers",
                      "2", after=1)
    t.equal("Ctrl-C", (run.code, run.err), (130, ""))
    status = t.document("experiment", "status", "--store", "sqlite:s.sqlite", "--json")
    t.equal("given back", [status[k] for k in ("waiting", "running", "done", "failed")],
            [2, 0, 0, 0])


def check_killed(t):
    """A worker that is killed leaves runs that are running by nobody; status tells."""
    fill(t, "[experiment]\ncommand = solve\nrepeat = 4\n[solve]\nn = 30\nalgorithm = ga\n"
            "population = 30000\n", run=False)
    status = lambda: t.document("experiment", "status", "--store", "sqlite:s.sqlite", "--json")
    line = "tetropt experiment run --store sqlite:s.sqlite --quiet --workers 1"
    t.shell(f"{line} & sleep 1; tetropt experiment status --store sqlite:s.sqlite --json >alive; "
            "kill -KILL $!; wait")
    with open(os.path.join(t.folder, "alive"), encoding="utf-8") as file:
        alive = json.load(file)
    t.equal("alive", (alive["running"], alive["gone"]), (1, 0))
    dead = status()
    t.equal("dead", (dead["running"], dead["gone"]), (1, 1))
    run = experiment(t, "status", "--store", "sqlite:s.sqlite")
    t.true("told", "the workers of 1 running are gone" in run.out, run)


def check_file_too_large(t):
    """A file that may not grow is a failure of the system, not the end of the program."""
    fill(t, "[experiment]\ncommand = solve\nrepeat = 40\n[solve]\nn = 5\nalgorithm = hill\n"
            "evaluations = 500\n", run=False)
    run = t.shell("ulimit -f 64; tetropt experiment run --store sqlite:s.sqlite --quiet")
    t.fails(3, run, "s.sqlite", what="ulimit -f")
    run = experiment(t, "run", "--store", "sqlite:s.sqlite", "--quiet")
    t.equal("goes on", run.code, 0)


def check_train(t):
    fill(t, "[experiment]\ncommand = train\nrepeat = 2\n[train]\nagent = dt20\nheight = 8\n"
            "generations = 2\ngames = 1\nmax-pieces = 100\nheld-out = 3\n"
            "method = competition, gradient\n")
    path = t.write("b.ini", "[experiment]\ncommand = train\n[train]\nagent = beam\n"
                            "agent-param.width = 8, x\n")
    t.refuses("experiment", "init", path, "--store", "sqlite:b.sqlite", names=("b.ini:5", "width"))
    path = t.write("b.ini", "[experiment]\ncommand = simulate\n[simulate]\nagent = beam\n"
                            "width = 10\nparam.width = 8, 0\n")
    t.refuses("experiment", "init", path, "--store", "sqlite:b.sqlite", names=("b.ini:6", "width"))
    rows = lines(experiment(t, "export", "jsonl", "--store", "sqlite:s.sqlite"))
    t.equal("rows", [row["parameters"]["method"] for row in rows],
            ["competition"] * 2 + ["gradient"] * 2)
    for row in rows:
        training = row["result"]["training"]
        t.equal("generations", (training["generations"], len(row["evolution"])), (2, 2))
        t.equal("held out", training["held_out"]["games"], 3)
    options = [f"--{name}={value}" for name, value in rows[0]["parameters"].items()]
    answer = t.document("train", *options, f"--seed={rows[0]['seed']}", "--json", "--quiet")
    t.equal("what the command prints", rows[0]["result"], answer)


def check_parts(t):
    """The named sections of a grid as a key: what only one of them sets is not held against the others."""
    t.write("parts.ini", "[experiment]\ncommand = solve\nrepeat = 3\n[solve]\nn = 4, 5\nevaluations = 200\n"
            "[solve slow]\nalgorithm = sa\ncooling = 0.0001\ntabu = 10\n"
            "[solve fast]\nalgorithm = sa\ncooling = 0.01\ntabu = 100\n[solve climb]\nalgorithm = hill\n")
    t.run("experiment", "init", "parts.ini", "--store", "sqlite:parts.sqlite", "--seed", "1")
    t.run("experiment", "run", "--store", "sqlite:parts.sqlite", "--quiet")
    compared = t.document("experiment", "compare", "--by", "part", "--store", "sqlite:parts.sqlite", "--json")
    t.equal("its groups", sorted((group["value"], group["runs"]) for group in compared["groups"]),
            [("climb", 6), ("fast", 6), ("slow", 6)])
    t.equal("instances, nothing left out or confounded",
            (compared["instances"], compared["left_out"], compared["confounded"]), (6, 0, []))
    plain = t.document("experiment", "compare", "--by", "cooling", "--store", "sqlite:parts.sqlite", "--json")
    t.equal("by cooling it warns", plain["confounded"], ["tabu"])
