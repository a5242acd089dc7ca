"""train: resuming, refused states, files and messages. tests/experiment/kills.py kills trainings."""

import json
import os
import re
import shutil

METHODS = ["competition", "gradient", "genetic", "hybrid", "cma-es", "cross-entropy", "bayes"]

SMALL = ["--agent", "dt20", "--height", "10", "--games", "2", "--max-pieces", "500", "--seed", "4",
         "--held-out", "5", "--quiet"]


def text_of(t, name):
    with open(os.path.join(t.folder, name), encoding="utf-8") as file:
        return file.read()


def rows_of(t, name):
    """The rows of a log without what differs from run to run."""
    rows = [json.loads(line) for line in text_of(t, name).splitlines()]
    for row in rows:
        del row["seconds"]
    return rows


def check_every_method(t):
    for method in METHODS:
        small = ["--method", method, *SMALL]
        if method == "cross-entropy":
            small += ["--param", "population=12", "--param", "elite=4"]
        weights = t.document("train", *small, "--generations", "4", "--json", "--threads", "1")
        training = weights.get("training", {})
        settings = training.get("settings", {})
        t.equal(f"{method}: says how it was made",
                (settings.get("method"), settings.get("seed"), training.get("generations")),
                (method, "4", 4))
        t.true(f"{method}: version", training.get("program", "").count(".") == 2, training)
        held_out = training.get("held_out") or {}
        (low, high), mean = held_out.get("ci95", [1, 0]), held_out.get("mean", -1)
        # Where nobody died there is no upper limit and no mean.
        t.equal(f"{method}: no mean without deaths", mean is None, held_out.get("deaths") == 0)
        t.true(f"{method}: interval", low > 0 if mean is None else
               low <= mean and (high is None or mean <= high), held_out)
        t.equal(f"{method}: held-out games", held_out.get("games"), 5)
        again = t.document("train", *small, "--generations", "4", "--json", "--threads", "3")
        t.equal(f"{method}: threads do not matter", again, weights)


def check_published_lengths(t):
    """Generations, pieces at the start and at the end, and points without the level."""
    for name, generations, pieces, most in (
            ("competition-1", "350", "1000", "11390"), ("competition-2", "150", "1000", "25627"),
            ("gradient", "380", "1000", None), ("genetic-50", "50", "1135", None),
            ("genetic-200", "200", "1135", None)):
        t.run("train", "--preset", name, "--time", "0.001", "--held-out", "1", "--seed", "1",
              "--state", f"{name}.state", "--quiet")
        settings = json.loads(text_of(t, f"{name}.state"))["settings"]
        t.equal(name, [settings.get(key) for key in ("generations", "max-pieces", "grow-to",
                                                     "scoring")],
                [generations, pieces, most, "classic"])


def check_presets(t):
    listed = t.run("train", "--list").out.partition("\nPresets:\n")[2]
    names = [line.split(":")[0] for line in listed.splitlines() if not line.startswith(" ")]
    t.true("the published settings are presets",
           {"competition-1", "competition-2", "gradient", "genetic-50", "genetic-200"} <=
           set(names), names)
    for name in names:
        weights = t.document("train", "--preset", name, "--generations", "1", "--games", "1",
                             "--max-pieces", "30", "--held-out", "2", "--seed", "1", "--json")
        t.true(f"preset {name}", weights.get("training", {}).get("generations") == 1, weights)
    small = ["--generations", "0", "--held-out", "1", "--max-pieces", "10", "--json", "--seed", "1"]
    weights = t.document("train", "--preset", "competition-2", *small, "--pin", "tetris=50")
    settings = weights.get("training", {}).get("settings", {})
    t.equal("what is given wins", (settings.get("max-pieces"), settings.get("grow-every")),
            ("10", "10"))
    t.equal("a pin too", weights.get("weights", [0])[-1], 50)


def check_weights_can_be_used(t):
    run = t.run("train", *SMALL, "--generations", "3", "--out", "w.json")
    t.equal("train --out", run.code, 0)
    played = t.document("simulate", "--agent", "dt20", "--weights", "w.json", "--games", "2",
                        "--max-pieces", "50", "--seed", "1", "--json")
    t.equal("simulate takes the file", played.get("games"), 2)
    started = t.document("train", *SMALL, "--weights", "w.json", "--generations", "0", "--json")
    t.equal("train starts from the file", started.get("features"), "literature")
    before = text_of(t, "w.json.state")
    t.refuses("train", *SMALL, "--generations", "3", "--out", "w.json", names="w.json.state")
    t.equal("a training is not overwritten", text_of(t, "w.json.state"), before)


def check_held_out_can_be_played_again(t):
    """simulate on the held-out seeds gives the score that is written with the weights."""
    t.equal("train", t.run("train", "--agent", "weighted", "--pin", "tetris=100", "--generations",
                           "2", "--method", "competition", "--max-pieces", "60", "--seed", "2",
                           "--held-out", "6", "--out", "w.json", "--quiet").code, 0)
    held_out = json.loads(text_of(t, "w.json"))["training"]["held_out"]
    played = t.document("simulate", "--agent", "weighted", "--weights", "w.json", "--games", "6",
                        "--seed", str(held_out["seed"]), "--max-pieces", "60", "--json")
    score = played["summary"]["score"]
    t.equal("the same mean and interval", (score["mean"], score["ci95"]),
            (held_out["mean"], held_out["ci95"]))


def check_interrupt(t):
    long = ["--agent", "dt20", "--height", "10", "--max-pieces", "3000", "--games", "2", "--seed",
            "4", "--held-out", "5", "--generations", "100000", "--out", "i.json"]
    run = t.interrupt("train", *long, after=1.0)
    t.equal("Ctrl-C", run.code, 130)
    t.true("it says what was kept and how to continue",
           "interrupted, after weights and state" in run.err and
           "continue: tetropt train --resume i.json.state" in run.err, run)
    weights = json.loads(text_of(t, "i.json"))
    made = weights["training"]["generations"]
    t.true("generations were made", made > 0, weights)
    t.equal("no score that is not held out", weights["training"]["held_out"], None)
    t.equal("resumed", t.run("train", "--resume", "i.json.state", "--generations", str(made + 3),
                             "--quiet").code, 0)
    straight = [str(made + 3) if word == "100000" else word for word in long]
    straight[-1] = "s.json"
    t.equal("left alone", t.run("train", *straight, "--quiet").code, 0)
    t.equal("the same weights", text_of(t, "i.json"), text_of(t, "s.json"))


def check_bad_states(t):
    t.equal("a state", t.run("train", *SMALL, "--generations", "3", "--out", "w.json").code, 0)
    good = text_of(t, "w.json.state")
    changed = {
        "empty": "",
        "cut": good[: len(good) // 2],
        "cut at the end": good[:-2],
        "a digit changed": good.replace('"generations":3', '"generations":4'),
        "another version": good.replace('"version":1', '"version":2'),
        "no state": '{"features":"literature","weights":[0]}',
        "not JSON": "hello",
        "an option more": good.replace('"settings":{', '"settings":{"fly":"1",'),
    }
    for name, text in changed.items():
        assert text != good, name
        t.write("bad.state", text)
        t.refuses("train", "--resume", "bad.state", names="bad.state")
        t.equal(f"{name}: the file is untouched", text_of(t, "bad.state"), text)
    shutil.copy(os.path.join(t.folder, "w.json.state"), os.path.join(t.folder, "good.state"))
    for option, value in (("agent", "bcts"), ("height", "14"), ("method", "bayes"), ("seed", "5"),
                          ("features", "stack"), ("measure", "lines"), ("param", "sigma=1"),
                          ("weights", "dt20")):
        t.refuses("train", "--resume", "good.state", f"--{option}", value, names=f"--{option}")
    t.refuses("train", "--resume", "good.state", "--preset", "controller", names="--preset")
    t.refuses("train", "--resume", "nowhere.state", names="nowhere.state")
    t.equal("the file is untouched", text_of(t, "good.state"), good)
    t.write("log", "no log\n")
    t.refuses("train", "--resume", "good.state", "--log", "log", names="log:1")
    t.equal("the log is untouched", text_of(t, "log"), "no log\n")


def check_foreign_log(t):
    """Files of two trainings are not mixed."""
    for name, seed in (("a", "1"), ("b", "2")):
        run = t.run("train", *SMALL, "--seed", seed, "--generations", "3", "--out", name + ".json",
                    "--log", name + ".jsonl", "--quiet")
        t.equal(f"training {name}", run.code, 0)
    logs = [text_of(t, name) for name in ("a.jsonl", "b.jsonl")]
    t.refuses("train", "--resume", "b.json.state", "--generations", "4", "--log", "a.jsonl",
              names="a.jsonl:1: a row of another training")
    t.equal("the logs are untouched", [text_of(t, name) for name in ("a.jsonl", "b.jsonl")], logs)
    run = t.run("train", "--resume", "b.json.state", "--generations", "4", "--quiet")
    t.equal("its own log continues", run.code, 0)
    rows = [json.loads(line) for line in text_of(t, "b.jsonl").splitlines()]
    t.equal("generations", [row["generation"] for row in rows], [1, 2, 3, 4])
    t.equal("one training", len({row["training"] for row in rows}), 1)


def check_old_files(t):
    """A state and a log of version 1.0, which have no id, continue as 1.0 would have done."""
    source = os.path.join(os.path.dirname(__file__), "..", "fixtures", "1.0")
    for name in os.listdir(source):
        shutil.copy(os.path.join(source, name), t.folder)
    run = t.run("train", "--resume", "training.json.state", "--generations", "5", "--quiet")
    t.equal("resumed", (run.code, run.err), (0, ""))
    now, then = (json.loads(text_of(t, name)) for name in ("training.json", "training-5.json"))
    t.equal("weights", now["weights"], then["weights"])
    t.equal("held-out score", now["training"]["held_out"], then["training"]["held_out"])
    rows = [json.loads(line) for line in text_of(t, "training.jsonl").splitlines()]
    t.equal("rows", [(row["generation"], "training" in row) for row in rows],
            [(1, False), (2, False), (3, False), (4, True), (5, True)])


def check_bad_input(t):
    t.refuses("train", "--method", "luck", names="luck")
    t.refuses("train", "--agent", "nobody", names="nobody")
    t.refuses("train", "--agent", "random", names="random")
    t.refuses("train", "--agent", "dt20", "--rules", "guideline", names="dt20")
    t.refuses("train", "--agent", "dt20", "--features", "stack", names="dt20")
    t.refuses("train", "--features", "feathers", names="feathers")
    t.refuses("train", "--weights", "nothing", names="--weights")
    t.refuses("train", "--weights", "dt20", "--features", "stack", names="--weights")
    t.refuses("train", "--preset", "none", names="none")
    t.refuses("train", "--pin", "beauty", names="beauty")
    t.refuses("train", "--pin", "tetris=x", names="tetris=x")
    t.refuses("train", *[word for name in ("support", "holes", "height", "rows", "wells", "smooth",
                                           "right", "tetris") for word in ("--pin", name)],
              names="--pin")
    t.refuses("train", "--param", "sigma=0", names="sigma")
    t.refuses("train", "--param", "lambda=2", names="lambda")
    t.refuses("train", "--agent-param", "fit=-1", names="fit")
    t.refuses("train", "--measure", "lines-per-death", "--max-pieces", "0", names="--max-pieces")
    t.refuses("train", "--measure", "splitting", names="splitting")
    t.refuses("train", "--agent", "dt20", "--measure", "splitting", "--max-pieces", "0",
              names="--max-pieces")
    t.refuses("train", "--agent", "dt20", "--measure", "splitting", "--randomizer", "bag",
              names="randomizer")
    t.refuses("train", "--method", "bayes", "--grow-every", "5", names="--grow-every")
    t.refuses("train", "--grow-to", "5000", names=("--grow-to", "grow-every"))
    t.refuses("train", "--randomizer", "list", names="--randomizer")
    t.refuses("train", "--out", "nowhere/w.json", names="nowhere")
    t.refuses("train", "word", names="word")


def check_plot(t):
    for name, start in (("p.svg", b"<?xml"), ("p.png", b"\x89PNG"), ("p.pdf", b"%PDF")):
        run = t.run("train", *SMALL, "--generations", "2", "--plot", name)
        t.equal(f"--plot {name}", run.code, 0)
        with open(os.path.join(t.folder, name), "rb") as file:
            t.true(f"{name} is one", file.read().startswith(start))
    t.refuses("train", *SMALL, "--plot", "p.txt", names="--plot")


def check_log(t):
    """Ten generations at once, and in three parts with a log that ran ahead."""
    t.equal("at once", t.run("train", *SMALL, "--generations", "10", "--out", "a", "--log", "al",
                             "--prune", "0.1").code, 0)
    t.equal("begun", t.run("train", *SMALL, "--generations", "4", "--out", "b", "--log", "bl",
                           "--prune", "0.1").code, 0)
    shutil.copy(os.path.join(t.folder, "b.state"), os.path.join(t.folder, "old.state"))
    for state, last in (("b.state", "7"), ("old.state", "10")):
        t.equal(f"resumed {state}", t.run("train", "--resume", state, "--generations", last,
                                          "--out", "b", "--quiet").code, 0)
    t.equal("the same log", rows_of(t, "bl"), rows_of(t, "al"))
    t.equal("the same weights", text_of(t, "b"), text_of(t, "a"))


def check_splitting(t):
    """dt20 on 10x10 comes to what games played to their end give (docs/AGENTS.md)."""
    arguments = ("train", "--agent", "dt20", "--weights", "dt20", "--measure", "splitting",
                 "--height", "10", "--games", "2", "--held-out", "60", "--seed", "3", "--json")
    training = t.document(*arguments, "--generations", "0")["training"]
    t.equal("the start is scored once", training["start"], None)
    low, high = training["held_out"]["ci95"]
    t.true("dt20's lines on 10x10", low < 4562 < high and high < 2 * low, (low, high))
    two = [t.document(*arguments, "--generations", "2", "--threads", threads)
           for threads in ("1", "3")]
    t.equal("threads do not matter", two[0]["weights"], two[1]["weights"])


def check_ranks(t):
    """Two and three processes of MPI give the file that one gives."""
    if not shutil.which("mpirun"):
        return
    arguments = " ".join(SMALL) + " --generations 5"
    # The plug-ins of MPI are gone when leaks are looked for, so no suppression can name them.
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "ASAN_OPTIONS": "detect_leaks=0"}
    t.equal("one", t.run("train", *SMALL, "--generations", "5", "--out", "one").code, 0)
    for ranks in (2, 3):
        mpirun = f"mpirun --oversubscribe -n {ranks} tetropt train {arguments}"
        run = t.shell(f"{mpirun} --out many{ranks} --log log{ranks}", env=root)
        t.equal(f"{ranks} ranks", run.code, 0)
        t.equal(f"{ranks} ranks give the same", text_of(t, f"many{ranks}"), text_of(t, "one"))
        # A build without MPI would write every row as often as there are processes.
        t.equal(f"{ranks} ranks are one job", len(rows_of(t, f"log{ranks}")), 5)
    run = t.shell("mpirun --oversubscribe -n 2 tetropt train --method luck", env=root)
    t.equal("one line for all ranks", (run.code, run.err.count("tetropt: ")), (2, 1))


def check_bot(t):
    """The bot, by matches against its start and by lines sent: repeatable, resumable, playable."""
    options = ["train", "--agent", "bot", "--agent-param", "nodes=30", "--agent-param", "memory=1", "--seed", "5",
               "--games", "4", "--max-pieces", "40", "--held-out", "4", "--param", "lambda=4", "--param", "sigma=20",
               "--quiet"]
    for measure in ("match", "app"):
        more = ["--measure", measure]
        t.run(*options, *more, "--generations", "4", "--threads", "1", "--out", f"{measure}.json")
        t.run(*options, *more, "--generations", "2", "--threads", "2", "--out", f"{measure}-part.json")
        t.run("train", "--resume", f"{measure}-part.json.state", "--generations", "4", "--quiet")
        whole, part = json.loads(text_of(t, f"{measure}.json")), json.loads(text_of(t, f"{measure}-part.json"))
        t.equal(f"{measure}: resumed, other threads", (part["weights"], part["player"], part["training"]["held_out"]),
                (whole["weights"], whole["player"], whole["training"]["held_out"]))
        t.equal(f"{measure}: measure", whole["training"]["held_out"]["measure"], measure)
        low, high = (0, 1) if measure == "match" else (0, 2)
        t.true(f"{measure}: in range", low <= whole["training"]["held_out"]["mean"] <= high, whole["training"])
        played = t.document("match", whole["player"] + "&nodes=30", "bot?nodes=30", "--games", "2", "--seed", "1",
                            "--max-pieces", "20", "--json")
        t.equal(f"{measure}: its player plays", played["games"], 2)
        t.run("train", "--agent", "bot", "--weights", f"{measure}.json", "--generations", "0", "--held-out", "1",
              "--max-pieces", "10", "--agent-param", "nodes=10", "--quiet", "--out", f"{measure}-again.json")
        again = json.loads(text_of(t, f"{measure}-again.json"))
        t.equal(f"{measure}: starts from the file", again["weights"], whole["weights"])
    t.refuses("train", "--agent", "bot", "--measure", "lines", names=("--measure: bot is trained by match or app",))
    t.refuses("train", "--agent", "weighted", "--measure", "match", names=("--measure: weighted is not trained by matches",))
    t.refuses("train", "--agent", "bot", "--weights", "zero", names=("--weights: bot starts with its own or a file's",))
    t.refuses("train", "--agent", "bot", "--features", "stack", names=("--features: bot has its own",))


def check_profile(t):
    """The factors of an offline profile: trained, resumed, used by solve."""
    small = ["--profile", "blocks", "--method", "competition", "--games", "3", "--max-pieces", "6",
             "--evaluations", "200", "--seed", "1", "--held-out", "5", "--quiet"]
    t.equal("at once", t.run("train", *small, "--generations", "6", "--out", "a").code, 0)
    t.equal("begun", t.run("train", *small, "--generations", "2", "--out", "b").code, 0)
    t.equal("resumed", t.run("train", "--resume", "b.state", "--generations", "6").code, 0)
    t.equal("the same", text_of(t, "b"), text_of(t, "a"))
    weights = json.loads(text_of(t, "a"))
    held_out = weights["training"]["held_out"]
    t.true("the blocks left count", held_out["measure"] == "minus-blocks-left" and
           -24 <= held_out["mean"] <= 0, held_out)
    solved = t.document("solve", "--weights", "a", "--n", "6", "--algorithm", "sa", "--seed", "1",
                        "--evaluations", "500", "--json", "--no-times")
    plain = t.document("solve", "--n", "6", "--algorithm", "sa", "--seed", "1",
                       "--evaluations", "500", "--json", "--no-times")
    t.true("solve judges by it", solved["fitness"] != plain["fitness"], solved)
    start = t.document("train", *small, "--generations", "0", "--json")
    t.write("start", json.dumps(start))
    same = t.document("solve", "--weights", "start", "--n", "6", "--algorithm", "sa", "--seed",
                      "1", "--evaluations", "500", "--json", "--no-times")
    t.equal("the start is the named profile", same["fitness"], plain["fitness"])
    t.refuses("train", "--profile", "beauty", names="beauty")
    t.refuses("train", "--profile", "blocks", "--agent", "dt20", names="--agent")
    t.refuses("train", "--profile", "blocks", "--algorithm", "luck", names="luck")
    t.refuses("train", "--profile", "blocks", "--max-pieces", "0", names="--max-pieces")
    t.refuses("train", "--profile", "blocks", "--weights", "dt20", names="--weights")
    t.refuses("train", "--algorithm", "sa", names="--algorithm")
    t.refuses("solve", "--n", "6", "--weights", "dt20", names="--weights")


ONE_GENERATION = ("train", "--agent", "dt20", "--height", "8", "--games", "2", "--max-pieces",
                  "200", "--generations", "1", "--held-out", "3", "--seed", "1")


def check_chooses_a_file(t):
    """Without --out the weights go to a new file; the scores of start and agent are shown."""
    for number in (1, 2):
        run = t.run(*ONE_GENERATION)
        t.true(f"file {number} is named", f"weights: trained-{number}.json\n" in run.out, run)
        weights = json.loads(text_of(t, f"trained-{number}.json"))
    for name in ("trained", "start", "dt20"):
        t.true(f"the score of {name}", re.search(rf"^  {name} +(\d|no game)", run.out, re.M),
               run.out)
    training = weights["training"]
    t.equal("the same games", training["start"]["seed"], training["held_out"]["seed"])
    t.true("the start is worse than the agent's own",
           training["start"]["lines"] < training["reference"]["lines"], training)
    t.equal("no file with --json", (t.run(*ONE_GENERATION, "--json").code, "trained-3.json" in t.files()),
            (0, False))
    own = t.document(*ONE_GENERATION, "--weights", "dt20", "--json")["training"]
    t.equal("no second score of the same weights", own["reference"], None)


def check_short_by_default(t):
    """What says nothing about its length takes seconds; what does is as in version 1.0."""
    settings = lambda *more: t.document("train", "--json", "--quiet", "--seed", "1", "--width", "4",
                                        "--height", "6", *more)["training"]
    short = settings()
    t.equal("short", (short["generations"], short["settings"]["max-pieces"]), (10, "500"))
    t.equal("as usual", settings("--generations", "1")["settings"]["max-pieces"], "10000")
