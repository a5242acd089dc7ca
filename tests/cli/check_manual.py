"""The manual page and the completions."""

import shutil


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
