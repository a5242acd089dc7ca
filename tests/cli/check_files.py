"""What is written: never a file that the same command reads or writes, nor one that it cannot."""

import os
import stat

BOARD = "..........\n" * 3 + "####.#####\n"
TRAIN = ("train", "--agent", "dt20", "--height", "10", "--games", "1", "--max-pieces", "20",
         "--held-out", "1", "--seed", "1", "--quiet")
SOLVE = ("solve", "--n", "3", "--seed", "1", "--evaluations", "10", "--quiet")


def contents(t):
    """Every file of the check's folder."""
    names = sorted(name for name in os.listdir(t.folder) if name != "examples")
    return {name: open(os.path.join(t.folder, name), "rb").read() for name in names}


def spares(t, *arguments, names, stdin=""):
    """Refuses with one line that has `names`, and leaves everything as it was."""
    before = contents(t)
    t.refuses(*arguments, names=names, stdin=stdin)
    t.equal(f"{arguments} leaves the files alone", contents(t), before)


def check_outputs_of_solve(t):
    t.write("c.txt", BOARD)
    t.write("c.ini", "[solve]\nseed = 1\n")
    t.write("p.txt", "TOZLIJS")
    os.symlink("c.txt", os.path.join(t.folder, "soft.txt"))
    os.link(os.path.join(t.folder, "c.txt"), os.path.join(t.folder, "hard.txt"))
    for name in ("c.txt", "./c.txt", os.path.join(t.folder, "c.txt"), "soft.txt", "hard.txt"):
        for option in ("--save", "--svg", "--png", "--log"):
            spares(t, *SOLVE, "--board", "c.txt", option, name, names=(option, "--board"))
    spares(t, *SOLVE, "--config", "c.ini", "--log", "c.ini", names=("--log", "--config"))
    spares(t, "solve", "--pieces", "@p.txt", "--save", "p.txt", names=("--save", "--pieces"))
    spares(t, *SOLVE, "--save", "x", "--log", "x", names=("--log", "x", "--save"))
    spares(t, *SOLVE, "--svg", "x", "--png", "./x", names=("--png", "--svg"))
    t.shell("ln -s later.json link.json")
    t.refuses(*SOLVE, "--save", "link.json", "--log", "later.json", names=("--log", "--save"))
    t.equal("devices may be given twice",
            t.run(*SOLVE, "--save", "/dev/null", "--log", "/dev/null").code, 0)


def check_standard_streams(t):
    t.write("c.txt", BOARD)
    run = t.shell(f"tetropt {' '.join(SOLVE)} --save c.txt < c.txt")
    t.fails(2, run, "--save", "standard input", what="standard input is an output")
    run = t.shell(f"tetropt {' '.join(SOLVE)} --save out.txt > out.txt")
    t.fails(2, run, "--save", "standard output", what="standard output is an output")
    run = t.shell(f"tetropt {' '.join(SOLVE)} --save /dev/stdout > out.txt")
    t.fails(2, run, "--save", "standard output", what="/dev/stdout is a file")
    t.equal("one file for both streams",
            t.shell(f"tetropt {' '.join(SOLVE)} > both.txt 2>&1").code, 0)
    t.refuses(*SOLVE, "--board", "-", "--start", "-", stdin=BOARD,
              names=("standard input", "--board"))
    t.refuses("eval", "--config", "-", names=("the argument", "standard input", "--config"))
    for option in ("--save", "--svg", "--png", "--log"):
        t.refuses(*SOLVE, option, "-", names=(option, "./-"))
        t.refuses(*SOLVE, option, "", names=(option, "requires a value"))
    t.refuses(*TRAIN, "--out", "-", names=("--out", "./-"))
    t.refuses("simulate", "--games", "1", "--keep-best", "-", names=("--keep-best", "./-"))
    t.refuses("eval", "", names="name of a file")
    t.equal("a file that is called -", t.run(*SOLVE, "--save", "./-").code, 0)
    t.equal("is there", os.path.exists(os.path.join(t.folder, "-")), True)
    shown = t.run("replay", "./-", "--to", "fumen")
    t.equal("replay --out -", t.run("replay", "./-", "--to", "fumen", "--out", "-").out, shown.out)


def check_outputs_of_train(t):
    spares(t, *TRAIN, "--generations", "1", "--out", "w.json", "--state", "w.json",
           names=("--out", "w.json", "--state"))
    spares(t, *TRAIN, "--generations", "1", "--out", "w.json", "--log", "w.json.state",
           names=("--log", "the state"))
    spares(t, *TRAIN, "--generations", "1", "--plot", "nowhere/x.svg", "--out", "w.json",
           names="nowhere/x.svg")
    t.equal("trains", t.run(*TRAIN, "--generations", "1", "--out", "w.json").code, 0)
    state = "w.json.state"
    for option in ("--out", "--log"):
        spares(t, "train", "--resume", state, option, state, "--generations", "2",
               names=(option, state, "--resume"))
    spares(t, *TRAIN, "--weights", "w.json", "--out", "w.json", "--state", "other", names="--out")
    t.equal("goes on in place",
            t.run("train", "--resume", state, "--generations", "2", "--quiet").code, 0)
    t.equal("the same, named", t.run("train", "--resume", state, "--state", f"./{state}",
                                     "--generations", "3", "--quiet").code, 0)


def check_outputs_of_others(t):
    t.run(*SOLVE, "--save", "g.json")
    spares(t, "replay", "g.json", "--out", "g.json", names=("--out", "g.json"))
    t.run(*TRAIN, "--generations", "1", "--out", "w.json")
    spares(t, "simulate", "--agent", "dt20", "--weights", "w.json", "--games", "1", "--keep-best",
           "w.json", names=("--keep-best", "--weights"))
    t.write("p.txt", "TOZ")
    spares(t, "play", "--step", "--save", "p.txt", "--randomizer", "list", "--list", "p.txt",
           names=("--list", "p.txt", "--save"))


def check_outputs_of_report(t):
    if "built without" in t.run("experiment", "init", "quick", "--store", "sqlite:s.db", "--seed",
                                "1").err:
        return
    for store in ("sqlite:s.db", "s.db"):
        for name in ("s.db", "./s.db", "s.db-wal", "s.db-shm"):
            spares(t, "report", "--store", store, "--out", name, names=("--out", name, "--store"))
    os.rename(os.path.join(t.folder, "s.db"), os.path.join(t.folder, "experiment.sqlite"))
    spares(t, "report", "--out", "experiment.sqlite", names=("--out", "--store"))  # the default store
    t.refuses("tune", "--set", "algorithm=hill", "--out", "tune.sqlite", names=("--out", "tune.sqlite", "--store"))
    t.refuses("reproduce", "complexity", "bees", "--out", "reproduce.sqlite", names=("--out", "--store"))
    os.rename(os.path.join(t.folder, "experiment.sqlite"), os.path.join(t.folder, "s.db"))
    before = contents(t)
    run = t.shell("tetropt experiment export csv --store sqlite:s.db >> s.db")
    t.fails(2, run, "standard output", "--store", what="export to the store")
    t.equal("the store is as it was", contents(t), before)


def check_replacing(t):
    """A link stays a link, a file keeps its mode, and any name that can be made can be replaced."""
    os.mkdir(os.path.join(t.folder, "far"))
    t.shell("ln -s far/real.json link.json")
    for what in ("made", "replaced"):
        t.equal(f"a link: {what}", t.run(*SOLVE, "--save", "link.json").code, 0)
        t.equal("is one", os.readlink(os.path.join(t.folder, "link.json")), "far/real.json")
        t.equal("alone there", os.listdir(os.path.join(t.folder, "far")), ["real.json"])
    real = os.path.join(t.folder, "far/real.json")
    for mode in (0o600, 0o666, 0o640):
        os.chmod(real, mode)
        t.shell(f"umask 022; tetropt {' '.join(SOLVE)} --save link.json")
        t.equal("the mode", stat.S_IMODE(os.stat(real).st_mode), mode)
    t.shell(f"umask 027; tetropt {' '.join(SOLVE)} --save new.json")
    t.equal("a new file follows the umask",
            stat.S_IMODE(os.stat(os.path.join(t.folder, "new.json")).st_mode), 0o640)
    longest = "n" * 255
    for _ in range(2):
        t.equal("the longest name", t.run(*SOLVE, "--save", longest).code, 0)
    t.refuses(*SOLVE, "--save", longest + "n", names="too long")
    t.equal("nothing is left", [name for name in os.listdir(t.folder) if name[0] == "."], [])


def check_pipes(t):
    """A signal ends the waiting for whoever would read a pipe."""
    if t.late_signals:
        return
    t.shell("mkfifo pipe")
    run = t.interrupt(*SOLVE, "--save", "pipe", after=1)
    t.equal("Ctrl-C while a pipe is opened", (run.code, run.err), (130, "tetropt: pipe: "
                                                                   "interrupted\n"))


def check_report_to_a_full_disk(t):
    """Nothing is said of a page that could not be written."""
    t.write("grid.ini", "[experiment]\ncommand = solve\n[solve]\nn = 3, 4\nevaluations = 100\n")
    if "built without" in t.run("experiment", "init", "grid.ini", "--store", "s.db").err:
        return
    t.run("experiment", "run", "--store", "s.db", "--quiet")
    run = t.shell("tetropt report --store s.db --out - > /dev/full")
    t.fails(3, run, "standard output", what="report to a full disk")
    run = t.run("report", "--store", "s.db", "--out", "-")
    t.equal("says where it went", (run.code, run.err[:15]), (0, "standard output"))
    t.run("report", "--store", "s.db", "--plots", "figures", "--out", "figures/page.html")
    figure = next(name for name in os.listdir(os.path.join(t.folder, "figures"))
                  if name.endswith(".svg"))
    t.fails(2, t.run("report", "--store", "s.db", "--plots", "figures", "--out",
                     f"figures/{figure}"), "--plots", "--out", what="a figure is the page")
    t.shell(f"mv s.db figures/{figure}")
    t.fails(2, t.run("report", "--store", f"figures/{figure}", "--plots", "figures"), "--plots",
            "--store", what="a figure is the store")


def check_small_words(t):
    """Counts of one, what --version takes, what an empty variable says."""
    t.refuses("--version", "extra", names=("--version", "extra"))
    t.refuses("help", "solve", "extra", names=("help", "extra"))
    t.equal("TETROPT_CPU=", t.run("--version", env={"TETROPT_CPU": ""}).code, 0)
    run = t.run(*TRAIN, "--generations", "1")
    t.true("one generation", "1 generation," in run.out, run.out)
    t.write("one.cnf", "p cnf 1 1\n1 0\n")
    run = t.run("demo", "sat", "--dimacs", "one.cnf", "--seed", "1")
    t.true("one clause", "1 variable, 1 clause," in run.out and "1 clause satisfied" in run.out,
           run.out)
    t.write("nul.json", '{"pieces": "\\u0000"}')
    run = t.run("eval", "nul.json")
    t.fails(2, run, "nul.json", what="a NUL in JSON")
    t.true("in words for users", "JSON_" not in run.err, run.err)
    for option in ("--time", "--target"):
        for value in (" 1", "0x10", "+1", "1e999"):
            t.refuses(*SOLVE, option, value, names=(option, "number"))
    limit = "ulimit -v 4000000; tetropt"
    if t.shell(f"{limit} --version").code == 0:  # a sanitizer wants more
        run = t.shell(f"{limit} simulate --games 1000000000 --agent random --seed 1")
        t.fails(3, run, "1000000000 games take", "GB", what="more games than memory")


def check_cut_before_the_beginning(t):
    """A formula that takes longer to make than --time is not made."""
    large = ("demo", "sat", "--variables", "1000000", "--clauses", "10000000", "--seed", "1")
    run = t.run(*large, "--time", "0.01")
    t.fails(1, run, "stopped", what="--time while a formula is made")
