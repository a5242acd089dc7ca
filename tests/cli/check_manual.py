"""The manual page and the completions."""

import re
import shutil

ENDS_WITH_1 = {"reproduce", "solve", "demo", "experiment", "report"}


def check_page(t):
    page = t.run("help", "manual")
    t.equal("exit and stderr", (page.code, page.err), (0, ""))
    t.write("tetropt.1", page.out)
    if shutil.which("groff"):
        run = t.shell("groff -man -Tutf8 -ww -z tetropt.1")
        t.equal("groff has no complaint", (run.code, run.out, run.err), (0, "", ""))
    if shutil.which("man"):
        run = t.shell("MANWIDTH=80 man --warnings -l tetropt.1", env={"MANPAGER": "cat"})
        t.equal("man has no complaint", (run.code, run.err), (0, ""))
        for command in t.commands():
            t.true(f"man has {command}", f"tetropt {command}" in run.out)
    for command in t.commands():
        for option in t.options(command):
            name = option.name.replace("-", "\\-")
            t.true(f"the page has {command} --{option.name}", f"\\-\\-{name}" in page.out)


def check_pages_of_commands(t):
    """A page of its own has every option of the command, and those alone."""
    for command in t.commands():
        page = t.run("help", "manual", command)
        t.equal(f"{command}: exit and stderr", (page.code, page.err), (0, ""))
        found = [line.split()[1].replace("\\-", "-") for line in page.out.splitlines()
                 if line.startswith(".B \\-\\-")]
        t.equal(f"{command}: options", found, [f"--{option.name}" for option in t.options(command)])
    t.refuses("help", "manual", "nothing", names="nothing")


def meanings(page, start):
    """{what stands behind `start`: the line below it} of a page."""
    lines = page.replace("\\-", "-").replace("\\&", "").splitlines()
    return {line[len(start):].split()[0]: below for line, below in zip(lines, lines[1:])
            if line.startswith(start) and line[len(start):].strip()}


def check_what_pages_say(t):
    """An option is explained as in the help, range and default included; exit codes are those that
    the command has."""
    for command in t.commands():
        page = t.run("help", "manual", command).out
        said = meanings(page, ".B --")
        for option in t.options(command):
            words = re.sub(r" \(default ([^()]*)\)$", r" (\1)", said.get(option.name, ""))
            t.equal(f"{command} --{option.name}", " ".join(words.split()),
                    " ".join(option.text.split()))
        codes = meanings(page.partition(".SH EXIT STATUS")[2].partition(".SH")[0], "")
        wanted = {"0", "2", "3", "130"} | ({"1"} if command in ENDS_WITH_1 else set())
        found = {code for code in codes if code.isdigit()}
        t.equal(f"{command}: exit codes", found, wanted)
        t.true(f"{command}: the best so far belongs to solve",
               ("best so far" in codes["130"]) == (command == "solve"), codes["130"])


def check_defaults_of_switches(t):
    """An option that takes on or off shows its default; help has help, too."""
    shown = {option.name: option.text for option in t.options("clears")}
    t.equal("clears --hold, --mini", [re.findall(r"\((on|off)\)$", shown[name]) for name in ("hold", "mini")],
            [["on"], ["off"]])
    for word in ("--help", "-h"):
        t.equal(f"help {word}", t.run("help", word).out, t.run("help").out)


def complete(t, *words):
    """What bash offers for the last word."""
    quoted = " ".join(f"'{word}'" for word in words)
    run = t.shell(
        "source <(tetropt help completion bash) || exit 9\n"
        f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}\n"
        "_tetropt && printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    t.equal(f"{words}: sourced", run.err, "")
    return run.out.split()


def check_bash(t):
    commands = t.commands()
    t.equal("commands", sorted(complete(t, "tetropt", "")), sorted([*commands, "help"]))
    t.equal("a start", complete(t, "tetropt", "ev"), ["eval"])
    t.equal("help", sorted(complete(t, "tetropt", "help", "")),
            sorted([*commands, "manual", "completion"]))
    t.equal("manuals", complete(t, "tetropt", "help", "manual", ""), commands)
    t.equal("shells", complete(t, "tetropt", "help", "completion", ""), ["bash", "zsh", "fish"])
    for command in commands:
        options = t.options(command)
        t.equal(f"{command} options", complete(t, "tetropt", command, "--"),
                [f"--{option.name}" for option in options])
        for option in options:
            if option.choices and option.argument:
                t.equal(f"{command} --{option.name}",
                        complete(t, "tetropt", command, f"--{option.name}", ""), option.choices)


def check_other_shells(t):
    for shell in ("zsh", "fish"):
        run = t.run("help", "completion", shell)
        t.equal(shell, (run.code, run.err), (0, ""))
        for command in t.commands():
            t.true(f"{shell} has {command}", command in run.out)
        t.write("script", run.out)
        if shutil.which(shell):
            run = t.shell(f"{shell} -n script")
            t.equal(f"{shell} reads it", (run.code, run.out, run.err), (0, "", ""))
