"""Shared objects as agents: the example of examples/library, and files that are none."""

import json
import os
import shutil
import subprocess

def build(t, name, code=None):
    """Compiles the example, or a text, to NAME in the folder of the check."""
    path = os.path.join(t.source, "examples", "library", "agent.c")
    if code is not None:
        path = os.path.join(t.folder, t.write("code.c", code))
    done = subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
                           "-o", os.path.join(t.folder, name), path, "-I", os.path.join(t.source, "include")],
                          capture_output=True, text=True, check=False)
    t.equal(f"{name}: compiled", (done.returncode, done.stderr), (0, ""))


def check_example(t):
    if not shutil.which("cc"):
        return
    build(t, "my_agent.so")
    games = ["--games", "2", "--max-pieces", "200", "--seed", "1"]
    answer = t.document("simulate", "--agent", "./my_agent.so", *games, "--json")
    t.equal("its name", answer.get("agent"), "four-features")
    t.true("it plays", answer["summary"]["lines"]["mean"] > 60, answer)
    again = t.document("simulate", "--agent", "./my_agent.so", *games, "--threads", "2", "--json")
    t.equal("threads", again["per_game"], answer["per_game"])
    both = t.run("simulate", "--agent", "./my_agent.so", "--agent", "weighted", *games)
    t.true("compared", both.code == 0 and "four-features" in both.out and "weighted" in both.out, both)
    screen = t.screen("watch", "--agent", "./my_agent.so", "--speed", "max", "--max-pieces", "5", "--seed", "1")
    t.equal("watch", screen.finish(), 0)
    screen.close()


def check_training(t):
    if not shutil.which("cc"):
        return
    build(t, "my_agent.so")
    run = t.run("train", "--agent", "./my_agent.so", "--generations", "2", "--games", "2", "--max-pieces",
                "30", "--seed", "1", "--held-out", "2", "--out", "w.json", "--quiet")
    t.equal("train", (run.code, run.err), (0, ""))
    with open(os.path.join(t.folder, "w.json"), encoding="utf-8") as file:
        t.equal("its features", json.load(file)["features"], "four-features")
    run = t.run("train", "--resume", "w.json.state", "--generations", "3", "--quiet")
    t.fails(2, run, "unknown", what="resuming needs the agent")
    run = t.run("train", "--agent", "./my_agent.so", "--resume", "w.json.state", "--generations", "3",
                "--held-out", "2", "--quiet")
    t.equal("resumed", (run.code, run.err), (0, ""))
    answer = t.document("simulate", "--agent", "./my_agent.so", "--weights", "w.json", "--games", "1",
                        "--max-pieces", "20", "--seed", "1", "--json")
    t.equal("trained weights", answer.get("agent"), "four-features")


def check_grid(t):
    if not shutil.which("cc"):
        return
    build(t, "my_agent.so")
    t.write("grid.ini", "[experiment]\ncommand = simulate\nrepeat = 1\n\n[simulate]\n"
                        "agent = ./my_agent.so, weighted\nmax-pieces = 20\ngames = 1\n")
    run = t.shell("tetropt experiment init grid.ini --store sqlite:s.db && "
                  "tetropt experiment run --store sqlite:s.db --quiet && "
                  "tetropt experiment export jsonl --store sqlite:s.db")
    t.true("a grid", run.code == 0 and "four-features" in run.out, run)


def check_files_that_are_none(t):
    if not shutil.which("cc"):
        return
    t.refuses("simulate", "--agent", "./none.so", names="--agent: ./none.so: cannot open shared object file")
    t.write("text.so", "no object")
    t.refuses("simulate", "--agent", "./text.so", names="--agent: ./text.so:")
    build(t, "empty.so", "int nothing;\n")
    t.refuses("simulate", "--agent", "./empty.so", names="has no function tetropt_agent_define")
    build(t, "old.so", "const void *tetropt_agent_define(int abi);\n"
                       "const void *tetropt_agent_define(int abi) { (void)abi; return 0; }\n")
    t.refuses("train", "--agent", "./old.so", names="was made for another version of tetropt.h")
    t.refuses("simulate", "--agent", "none.so", names="unknown agent 'none.so'")
