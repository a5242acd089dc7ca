"""What holds for every command, found from `tetropt help`."""

import re

# What a command needs before its options are looked at.
WORDS = {"demo": ["queens"]}


def check_overview(t):
    run = t.run("help")
    t.equal("help", (run.code, run.err), (0, ""))
    t.true("help lists commands", len(t.commands()) >= 4, run)
    for word in ("--help", "-h"):
        t.equal(word, t.run(word).out, run.out)
    bare = t.run()
    t.equal("no command", (bare.code, bare.out, bare.err), (2, "", run.out))
    t.true("--version", re.fullmatch(r"tetropt \d+\.\d+\.\d+\n", t.run("--version").out))
    t.refuses("fly", names="fly")
    t.refuses("--fly", names="--fly")
    t.refuses("help", "fly", names="fly")
    t.refuses("help", "completion", "tcsh", names="tcsh")
    t.refuses("help", "completion")


def check_help(t):
    for command in t.commands():
        run = t.run(command, "--help")
        t.equal(f"{command} --help", (run.code, run.err), (0, ""))
        t.equal(f"help {command}", t.run("help", command).out, run.out)
        t.true(f"{command}: usage", run.out.startswith(f"Usage: tetropt {command} "), run)
        t.true(f"{command}: help fits 100 columns",
               all(len(line) <= 100 or "tetropt" in line for line in run.out.splitlines()), run)
        examples = run.out.partition("\nExamples:\n")[2].splitlines()
        t.true(f"{command}: two examples", len(examples) >= 2, run)
        names = [option.name for option in t.options(command)]
        t.equal(f"{command}: no option twice", len(set(names)), len(names))
        for name in ("json", "quiet", "color", "config", "help"):
            t.true(f"{command} --{name}", name in names, names)


def check_bad_options(t):
    for command in t.commands():
        t.refuses(command, "--fly", names="--fly")
        t.refuses(command, "--fly=1", names="--fly")
        t.refuses(command, "-f", names="-f")
        t.refuses(command, "--color", names="--color")
        t.refuses(command, "--json=perhaps", names=("--json", "perhaps"))
        t.refuses(command, "--color", "red\nblue\x1b[1m", names="--color")
        t.refuses(command, *["word"] * 9, names="word")
        for option in t.options(command):
            if option.argument and not option.argument.startswith("["):
                t.refuses(command, f"--{option.name}", names=f"--{option.name}: requires a value")


def check_bad_values(t):
    for command in t.commands():
        for option in t.options(command):
            name = f"--{option.name}"
            bad = list(option.out_of_range)
            if bad:
                bad += ["", "x", "1x", "nan", "1e99", "99999999999999999999"]
            if option.choices and option.argument:
                bad += ["", option.choices[0] + "x", option.choices[0].upper()]
            for value in bad:
                words = WORDS.get(command, [])
                t.refuses(command, *words, name, value, names=name)
                t.refuses(command, *words, f"{name}={value}", names=name)


def check_config(t):
    for command in t.commands():
        t.refuses(command, "--config", "nowhere.ini", names="nowhere.ini")
        t.refuses(command, "--config", ".", names=".: ")
        path = t.write("bad.ini", f"# a remark\n[{command}]\nquiet = on\nfly = 1\n")
        t.refuses(command, "--config", path, names=("bad.ini:4", "fly"))
        path = t.write("bad.ini", f"[{command}]\ncolor = red\n")
        t.refuses(command, "--config", path, names=("bad.ini:2", "color", "red"))
        path = t.write("bad.ini", "[fly]\nquiet = on\n")
        t.refuses(command, "--config", path, names=("bad.ini:2", "fly"))
        path = t.write("bad.ini", f"[{command}]\nquiet = on\n# none:\n[fly]\n")
        t.refuses(command, "--config", path, names=("bad.ini:4", "[fly]"))
        path = t.write("bad.ini", "quiet = on\n")
        t.refuses(command, "--config", path, names="bad.ini:1")
        path = t.write("bad.ini", f"[{command}]\n\nquiet\n")
        t.refuses(command, "--config", path, names="bad.ini:3")
        path = t.write("bad.ini", f"[{command}]\n\nquiet\nfly = 1\n")
        t.refuses(command, "--config", path, names=("bad.ini:3", "name = value"))
        path = t.write("bad.ini", f"[{command}]\nconfig = other.ini\n")
        t.refuses(command, "--config", path, names="bad.ini:2")
        path = t.write("bad.ini", f"[{command}]\nhelp = on\n")
        t.refuses(command, "--config", path, names="bad.ini:2")
        path = t.write("bad.ini", f"[{command}]\nquiet = on {'x' * 300}\n")
        t.refuses(command, "--config", path, names="bad.ini")
        path = t.write("bad.ini", f"[{command}]\nquiet = on\n\0\nfly = 1\n")
        t.refuses(command, "--config", path, names=("bad.ini", "NUL"))
        # Sections of other commands are checked too: a slip there is one here some other day.
        for other in t.commands():
            path = t.write("bad.ini", f"[{other}]\nfly = 1\n")
            t.refuses(command, "--config", path, names=("bad.ini:2", "fly"))


def check_lost_output(t):
    for command in t.commands():
        run = t.shell(f"tetropt {command} --help >/dev/full")
        t.fails(3, run, "standard output", "No space left", what=f"{command} to a full disk")
        run = t.shell(f"tetropt {command} --help >&-")
        t.fails(3, run, "standard output", "Bad file descriptor", what=f"{command} >&-")
    run = t.shell("tetropt help >&- 2>&-")
    t.equal("nothing open", run.code, 3)
    run = t.shell("tetropt --version >/dev/full")
    t.fails(3, run, "standard output", what="--version to a full disk")
    t.shell("printf 'not JSON' >bad.json")
    run = t.shell("tetropt eval bad.json >/dev/full")
    t.fails(2, run, "bad.json", what="bad input to a full disk")
    run = t.shell("tetropt serve --port 0 --quiet >/dev/full")
    t.fails(3, run, "standard output", what="a server that nobody hears of")


def check_hangup(t):
    """The end of the terminal is an interruption; nohup keeps it off."""
    solve = "tetropt solve --n 40 --seed 1 --threads 1 --quiet --save"
    run = t.shell(f"{solve} a.json --time 20 & sleep 1; kill -HUP $!; wait $!")
    t.equal("SIGHUP", run.code, 130)
    t.equal("the best so far", t.run("replay", "a.json").code, 0)
    run = t.shell(f"nohup {solve} b.json --time 2 & sleep 1; kill -HUP $!; wait $!")
    t.equal("nohup", run.code, 0)


def check_hints(t):
    """A mistyped word is answered with the one that was probably meant."""
    for words, meant in ((("sovle",), "solve"), (("solve", "--popultion", "3"), "population"),
                         (("solve", "--agorithm", "ga"), "algorithm"),
                         (("solve", "--n", "4", "--algorithm", "hibrid"), "hybrid"),
                         (("solve", "--n", "4", "--algorithm", "ga?mutaton=0.1"), "mutation"),
                         (("simulate", "--agent", "lokahead"), "lookahead"),
                         (("simulate", "--jsn",), "json"), (("reproduce", "--quik"), "quick")):
        t.refuses(*words, names=(f"did you mean '{meant}'?",))
    for words in (("xyzzy",), ("solve", "--xyzzy", "3")):
        run = t.run(*words)
        t.true("nothing like it", run.code == 2 and "did you mean" not in run.err, run)


def check_short(t):
    """-h, -V, -n, and numbers as people write them."""
    for command in t.commands():
        t.equal(f"{command} -h", t.run(command, "-h").out, t.run(command, "--help").out)
    t.equal("-V", t.run("-V").out, t.run("--version").out)
    long = t.run("solve", "--n", "5", "--evaluations", "2000", "--seed", "1", "--json", "--no-times")
    for words in (("-n", "5", "--evaluations", "2k"), ("-n5", "--evaluations", "2e3"),
                  ("-n", "5", "--evaluations", "0.002M")):
        t.equal(words, t.run("solve", *words, "--seed", "1", "--json", "--no-times").out, long.out)
    for number in ("1.5", "1e400", "k", "1kk", "0x10", "1e-3", "1.0005k", " 5"):
        t.refuses("solve", "--n", "5", "--evaluations", number, names=("evaluations",))
    t.refuses("solve", "-n", names=("n",))
    t.refuses("play", "-n", "5", names=("-n",))
