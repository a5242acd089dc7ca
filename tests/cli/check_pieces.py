"""pieces: lists from every randomizer."""

import re


def check_lists(t):
    run = t.run("pieces", "--n", "21", "--seed", "7")
    t.equal("exit and stderr", (run.code, run.err), (0, ""))
    line = run.out.rstrip("\n")
    for i in range(0, 21, 7):
        t.equal("a bag", sorted(line[i:i + 7]), sorted("IJLOSTZ"))
    t.equal("again", t.run("pieces", "--n", "21", "--seed", "7").out, run.out)
    t.true("another seed", t.run("pieces", "--n", "21", "--seed", "8").out != run.out)
    names = dict(zip(["I", "RS", "LG", "T", "RG", "LS", "Sq"], "ISJTLZO"))
    csv = t.run("pieces", "--n", "21", "--seed", "7", "--format", "csv").out.strip().split(",")
    t.equal("csv", "".join(names.get(name, "?") for name in csv), line)
    sz = t.run("pieces", "--n", "6", "--randomizer", "sz", "--seed", "1").out
    t.equal("sz", sz, "SZSZSZ\n")
    for randomizer in ("uniform", "sz-random"):
        out = t.run("pieces", "--n", "50", "--randomizer", randomizer, "--seed", "1").out
        t.true(randomizer, re.fullmatch("[IOTSZJL]{50}\n", out), out)


def check_seeds(t):
    run = t.run("pieces")
    seed = re.fullmatch(r"seed (\d+)\n", run.err)
    t.true("the seed drawn is printed", seed, run)
    if seed:
        t.equal("and gives the same", t.run("pieces", "--seed", seed.group(1)).out, run.out)
    t.equal("--quiet", t.run("pieces", "--quiet").err, "")
    answer = t.document("pieces", "--n", "5", "--json")
    t.equal("members", list(answer), ["pieces", "seed", "n"])
    again = t.document("pieces", "--n", "5", "--seed", str(answer["seed"]), "--json")
    t.equal("the seed in the JSON", again, answer)
    large = t.document("pieces", "--n", "5", "--seed", "9199999999999999999", "--json")
    t.equal("a large seed", large.get("seed"), 9199999999999999999)


def check_config(t):
    path = t.write("c.ini", "; my settings\n[pieces]\nn = 5\nseed = 3\nformat = csv\n")
    run = t.run("pieces", "--config", path)
    t.equal("from the file", (run.out.count(","), run.err), (4, ""))
    t.equal("the command line wins", t.run("pieces", "--n=3", "--config", path).out.count(","), 2)
    t.equal("on either side", t.run("pieces", "--config", path, "--n=3").out.count(","), 2)
    path = t.write("c.ini", "[pieces]\nn = 0\n")
    t.refuses("pieces", "--config", path, names=("c.ini:2", "n: 0", "1..1000000"))
    t.equal("the example", t.run("pieces", "--config", "examples/config.ini").code, 0)


def check_bad_input(t):
    t.refuses("pieces", "--randomizer", "list", names="--randomizer")
    t.refuses("pieces", "7", names="'7'")


def check_lost_output(t):
    for line in ("pieces --seed 1", "pieces --seed 1 --n 1000000", "pieces --seed 1 --json"):
        for target in (">/dev/full", ">&-"):
            run = t.shell(f"tetropt {line} {target}")
            t.fails(3, run, "standard output", what=f"{line} {target}")
    full = t.shell("tetropt pieces --seed 1 --n 1000000 >/dev/full")
    t.true("the reason", "No space left" in full.err, full)
