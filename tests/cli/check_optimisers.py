"""solve --algorithm lines:COMMAND: programs as optimisers, under our limits, seeds and logs."""

import json
import os

CLIMB = "lines:python3 {}/examples/optimisers/climb.py"


def climb(t):
    return CLIMB.format(t.source)


def script(t, name, text):
    return "lines:python3 " + t.write(name, "import json, sys\nproblem = json.loads(sys.stdin.readline())\n" + text)


def check_program(t):
    common = ("solve", "--instance", "bag-10-001", "--seed", "5", "--evaluations", "2025", "--json", "--no-times",
              "--algorithm", climb(t))
    answer = t.document(*common)
    t.equal("the limit holds inside of a batch", (answer["evaluations"], answer["algorithm"]), (2025, "lines"))
    t.true("it climbs", answer["fitness"] > -150, answer["fitness"])
    t.equal("the same seed, the same answer", t.document(*common, "--log", "log.jsonl"), answer)
    with open(os.path.join(t.folder, "log.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    t.equal("a report per batch", len(lines), 41)
    t.equal("the last one", lines[-1]["best"], answer["fitness"])
    played = t.document("eval", t.write("a.json", json.dumps(answer)), "--json")
    t.equal("the genes are those of the answer", played["fitness"], answer["fitness"])


def check_messages(t):
    """What the program is told."""
    body = """
zero = [max(low, min(high, 0)) for low, high in problem["ranges"]]
print(json.dumps({"ask": [zero, zero]}), flush=True)
answer = json.loads(sys.stdin.readline())
with open("told.json", "w") as file:
    json.dump([problem, answer], file)
print(json.dumps({"done": True}), flush=True)
"""
    answer = t.document("solve", "--n", "4", "--seed", "8", "--encoding", "simple", "--json", "--algorithm",
                        script(t, "once.py", body))
    with open(os.path.join(t.folder, "told.json"), encoding="utf-8") as file:
        problem, told = json.load(file)
    t.equal("the problem", (problem["units"], problem["genes"], problem["ranges"][:2], problem["evaluations"]),
            (4, 8, [[-5, 5], [0, 3]], None))
    t.equal("the seed", problem["seed"], 8)
    t.equal("the fitness", told["tell"], [answer["fitness"]] * 2)
    t.equal("the rest", (told["best"], told["evaluations"], told["stop"]), (answer["fitness"], 2, False))


def check_grid(t):
    t.write("g.ini", f"[experiment]\ncommand = solve\nrepeat = 2\n[solve]\nn = 5\nevaluations = 300\n"
            f"[solve ours]\nalgorithm = hill\n[solve theirs]\nalgorithm = {climb(t)}\n")
    t.equal("init", t.run("experiment", "init", "g.ini", "--store", "sqlite:g.sqlite", "--seed", "1").code, 0)
    t.equal("run", t.run("experiment", "run", "--store", "sqlite:g.sqlite", "--quiet").code, 0)
    compared = t.document("experiment", "compare", "--by", "part", "--store", "sqlite:g.sqlite", "--json")
    t.equal("both in one comparison", sorted(group["value"] for group in compared["groups"]), ["ours", "theirs"])
    t.equal("over the same instances", compared["instances"], 2)


def check_bad_programs(t):
    def fails(code, algorithm, *names):
        run = t.run("solve", "--n", "4", "--seed", "1", "--algorithm", algorithm, "--time", "20")
        t.fails(code, run, *names, what=algorithm)

    for name, body, code, word in (
            ("garbage", "print('hello', flush=True)\nsys.stdin.read()", 2, "JSON"),
            ("few", "print('{\"ask\":[[1]]}', flush=True)\nsys.stdin.read()", 2, "ask[0]"),
            ("range", "print(json.dumps({'ask':[[99]*problem['genes']]}), flush=True)\nsys.stdin.read()", 2, "0..1"),
            ("real", "print(json.dumps({'ask':[[0.5]*problem['genes']]}), flush=True)\nsys.stdin.read()", 2, "integer"),
            ("empty", "print('{\"ask\":[]}', flush=True)\nsys.stdin.read()", 2, "ask"),
            ("dies", "sys.exit(3)", 3, "exit code 3"),
            ("nothing", "print('{\"done\":true}', flush=True)", 3, "nothing")):
        fails(code, script(t, name + ".py", body), word)
    fails(3, "lines?answer=0.2:sleep 30", "0.2 s")
    if not t.late_signals:
        run = t.interrupt("solve", "--n", "4", "--seed", "1", "--algorithm", "lines:sleep 30", after=1)
        t.fails(130, run, "interrupted", what="Ctrl-C before the first question")
    run = t.run("solve", "--n", "4", "--algorithm", "lines:no-such-program-at-all")
    t.true("a missing program", run.code == 3 and "exit code 127" in run.err, run)
    t.refuses("solve", "--n", "4", "--algorithm", "lines:", names="--algorithm")
    t.refuses("solve", "--n", "4", "--algorithm", "lines?what=1:true", names="what")
    t.refuses("solve", "--n", "4", "--algorithm", "lines:true", "--encoding", "placements", names="placements")
    t.refuses("solve", "--n", "4", "--algorithm", "magic:true", names="--algorithm")
