#!/usr/bin/env python3
"""What `make install` leaves can be used: programs, library, pages, completions.

    install.py --source FOLDER --build FOLDER

Installs into an empty folder, moves that folder elsewhere (nothing may remember where it was), and
builds and runs the examples against it with nothing but pkg-config.
"""

import argparse
import ctypes
import glob
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


class Check:
    def __init__(self):
        self.passed = self.failed = 0

    def true(self, what, good, detail=""):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print(f"FAIL {what}: {detail}")
        return good

    def run(self, what, *command, env=None, stdin=""):
        """Its output, after it ended with 0."""
        done = subprocess.run(command, capture_output=True, text=True, check=False, input=stdin,
                              env=dict(os.environ, **(env or {})), timeout=300)
        self.true(what, done.returncode == 0, f"{command}: {done.returncode}: {done.stdout[-500:]}"
                  f"{done.stderr[-1500:]}")
        return done


def install(t, build, folder):
    """Into folder/first, moved to folder/second; the prefix there."""
    first, second = os.path.join(folder, "first"), os.path.join(folder, "second")
    t.run("meson install", "meson", "install", "--no-rebuild", "-C", build,
          env={"DESTDIR": first})
    prefix = os.path.dirname(glob.glob(f"{first}/**/bin", recursive=True)[0])
    shutil.move(prefix, second)
    return second


def check_program(t, prefix, version):
    program = os.path.join(prefix, "bin", "tetropt")
    run = t.run("the program", program, "--version", env={"LD_LIBRARY_PATH": ""})
    t.true("its version", run.stdout == f"tetropt {version}\n", run.stdout)
    run = t.run("a search", program, "solve", "--pieces", "IOTSZJL", "--evaluations", "1000",
                "--seed", "1", env={"LD_LIBRARY_PATH": ""})
    return program, re.findall(r"^  ([a-z]+) ", t.run("help", program, "help").stdout, re.M)


def declared(source):
    """The functions of the header."""
    with open(os.path.join(source, "include", "tetropt.h"), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    return set(re.findall(r"TETROPT_API[^;]*?\b(tetropt_\w+)\(", text))


def check_symbols(t, prefix, source):
    """Exactly what the header declares can be seen, and nothing but the C library is needed."""
    shared = glob.glob(f"{prefix}/**/libtetropt.so.1", recursive=True)
    static = glob.glob(f"{prefix}/**/libtetropt.a", recursive=True)
    if not t.true("libraries", len(shared) == 1 and len(static) == 1, f"{shared} {static}"):
        return None
    public = declared(source)
    for path, flags in ((shared[0], "-D"), (static[0], "-g")):
        run = t.run("nm", "nm", flags, "--defined-only", path)
        seen = {line.split()[2] for line in run.stdout.splitlines() if len(line.split()) == 3}
        t.true(f"{path}: the symbols", seen == public, sorted(seen ^ public))
    headers = t.run("objdump", "objdump", "-p", shared[0]).stdout
    needed = set(re.findall(r"NEEDED +(\S+)", headers))
    t.true("what it needs", all(re.match(r"(libc|libm|libpthread|ld-linux.*)\.so", name)
                                for name in needed), needed)
    t.true("its name", "libtetropt.so.1" in re.findall(r"SONAME +(\S+)", headers), headers[:300])
    return shared[0]


def first(source, name, pattern):
    """What the first match of a pattern in a file holds."""
    with open(os.path.join(source, name), encoding="utf-8") as file:
        return re.search(pattern, file.read(), re.MULTILINE).group(1)


def check_versions(t, source, version):
    """The files that name the version name the same (the header: tests/unit/test_library.c)."""
    t.true("debian/changelog", first(source, "debian/changelog", r"^tetropt \(([\d.]+)\)") == version)
    t.true("CHANGELOG.md", first(source, "CHANGELOG.md", r"^## \[(\d[\d.]*)\]") == version)
    with open(os.path.join(source, "debian", "libtetropt1.symbols"), encoding="utf-8") as file:
        listed = set(re.findall(r"^ (\w+)@Base", file.read(), re.MULTILINE))
    t.true("debian/libtetropt1.symbols", listed == declared(source), listed ^ declared(source))


def documented(source):
    """By handle, the options that the header lists."""
    with open(os.path.join(source, "include", "tetropt.h"), encoding="utf-8") as file:
        text = file.read()
    found = {}
    for comment, handle in re.findall(r"/\*((?:(?!\*/).)*)\*/\s*TETROPT_API int tetropt_(\w+)_set\(",
                                      text, re.DOTALL):
        found[handle] = set(re.findall(r'^ \*   "([a-z0-9-]+)"', comment, re.MULTILINE))
    return found


def check_options(t, shared, source, program, commands):
    """The header names exactly the options that a handle takes. Asked for are all options of the program
    and of all handles; `job` takes those of its job."""
    library = ctypes.CDLL(shared)
    options = documented(source)
    t.true("handles", set(options) == {"game", "agent", "solver", "simulation", "job", "problem", "search",
                                       "env"}, options)
    options["env"] |= options["game"]
    for handle in ("job", "problem", "search"):  # what they take depends on what they are made for
        del options[handle]
    helps = [t.run(name, program, name, "--help").stdout for name in commands]
    asked = set(re.findall(r"^  --([a-z0-9-]+)", "\n".join(helps), re.MULTILINE)).union(*options.values())
    t.true("many options", len(asked) > 60, asked)
    # The solver also takes the parameters of algorithms by their names.
    parameters = set(re.findall(r"^  ([a-z0-9-]+) ", t.run("list", program, "solve", "--list").stdout, re.M))
    for handle, names in options.items():
        new, put = library[f"tetropt_{handle}_new"], library[f"tetropt_{handle}_set"]
        message = library[f"tetropt_{handle}_message"]
        new.restype, message.restype = ctypes.c_void_p, ctypes.c_char_p
        made = ctypes.c_void_p(new(1) if handle == "env" else new())
        taken = {name for name in asked if put(made, name.encode(), b"\x01") == 0 or
                 b"unknown option" not in message(made)}
        library[f"tetropt_{handle}_free"](made)
        if handle == "solver":
            taken -= parameters - names
        t.true(f"{handle}: the header names all options", taken == names, taken ^ names)



def check_examples(t, prefix, source, folder):
    config = glob.glob(f"{prefix}/**/tetropt.pc", recursive=True)
    if not t.true("tetropt.pc", len(config) == 1, config):
        return
    env = {"PKG_CONFIG_PATH": os.path.dirname(config[0])}
    flags = t.run("pkg-config", "pkg-config", "--cflags", "--libs", "tetropt", env=env).stdout.split()
    t.true("nothing remembers the first folder", "/first/" not in " ".join(flags), flags)
    libraries = os.path.dirname(glob.glob(f"{prefix}/**/libtetropt.a", recursive=True)[0])
    expected = {"solve": ("IOTSZJLIOT", r"nothing is left"),
                "play": ("7", r"1000 pieces, \d{3} lines, \d+ points\n"),
                "measure": ("dt20", r"50 games, [\d.]+ lines per game"),
                "evolve": ("5", r"fitness -?[\d.]+ after 100000 evaluations \(evaluations\)\n{\"fitness"),
                "steps": ("50", r"1000 games, 50 steps: reward [\d.]+, \d+ games over\n")}
    examples = glob.glob(f"{prefix}/share/doc/tetropt/examples/library/*.c*")
    examples.remove(f"{prefix}/share/doc/tetropt/examples/library/agent.c")  # tests/cli/check_agent_file.py
    t.true("examples", len(examples) == len(expected), examples)
    for path in examples:
        name, kind = os.path.splitext(os.path.basename(path))
        compiler = ["cc", "-std=c11"] if kind == ".c" else ["c++", "-std=c++17"]
        static = [flag for flag in flags if not flag.startswith("-l")]
        for how, linked in (("shared", flags),
                            ("static", [*static, f"{libraries}/libtetropt.a", "-lm", "-pthread"])):
            program = os.path.join(folder, f"{name}-{how}")
            t.run(f"{name}, {how}", *compiler, *STRICT, "-O1", path, "-o", program, *linked)
            argument, pattern = expected[name]
            run = t.run(f"{name}, {how}, runs", program, argument,
                        env={"LD_LIBRARY_PATH": libraries if how == "shared" else ""})
            t.true(f"{name}, {how}: what it prints", re.search(pattern, run.stdout), run.stdout)
    for compiler in (["cc", "-std=c99", "-x", "c"], ["c++", "-std=c++11", "-x", "c++"]):
        t.run(f"the header by {compiler}", *compiler, *STRICT, "-fsyntax-only",
              os.path.join(prefix, "include", "tetropt.h"), "-Wno-error")


def check_pages(t, prefix, commands, source):
    pages = [("1", "tetropt"), ("3", "tetropt")] + [("1", f"tetropt-{name}") for name in commands]
    folder = os.path.join(prefix, "share", "man")
    installed = {os.path.basename(path) for path in glob.glob(f"{folder}/man?/*")}
    t.true("the pages", installed == {f"{name}.{part}" for part, name in pages}, installed)
    for part, name in pages:
        path = os.path.join(folder, f"man{part}", f"{name}.{part}")
        if shutil.which("groff"):
            run = t.run("groff", "groff", "-man", "-Tutf8", "-ww", "-z", path)
            t.true(f"{name}({part}): groff has no complaint", run.stderr == "", run.stderr)
        if shutil.which("man"):
            run = t.run("man", "man", "--warnings", "-l", path, env={"MANPAGER": "cat"})
            t.true(f"{name}({part}): man has no complaint", run.stderr == "", run.stderr)
            t.true(f"{name}({part}) is about it", "NAME" in run.stdout and name in run.stdout)
    with open(os.path.join(folder, "man3", "tetropt.3"), encoding="utf-8") as file:
        page = file.read()
    for function in declared(source):
        t.true(f"tetropt(3) has {function}", function in page)


BASH = """source "$1" || exit 9
complete -p tetropt || exit 8
COMP_WORDS=(tetropt solve --enc); COMP_CWORD=2; _tetropt; echo "${COMPREPLY[*]}"
COMP_WORDS=(tetropt solve --encoding swap-); COMP_CWORD=3; _tetropt; echo "${COMPREPLY[*]}"
"""


def complete_zsh(folder, line):
    """What an interactive zsh writes after a tab at the end of the line."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], dict(os.environ, TERM="dumb"))
    seen = ""

    def wait_for(pattern, seconds):
        nonlocal seen
        end = time.monotonic() + seconds
        while time.monotonic() < end and not re.search(pattern, seen):
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 65536).decode(errors="replace")

    os.write(terminal, f"fpath=({folder} $fpath); autoload -U compinit; compinit -u -D; PS1=; "
             "stty -echo; print rea''dy\n".encode())
    wait_for("ready\r", 20)
    seen = ""
    os.write(terminal, f"{line}\t".encode())
    wait_for(r"(--encoding|simulate) ?$", 5)
    os.write(terminal, b"\x15exit\n")
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass
    os.close(terminal)
    os.waitpid(child, 0)
    return seen


def check_completions(t, prefix):
    share = os.path.join(prefix, "share")
    path = os.path.join(share, "bash-completion", "completions", "tetropt.bash")
    run = t.run("bash", "bash", "-c", BASH, "bash", path)
    t.true("bash completes", run.stdout.splitlines() ==
           ["complete -o default -F _tetropt tetropt", "--encoding", "swap-simple swap-double"],
           run.stdout)
    path = os.path.join(share, "zsh", "site-functions")
    if shutil.which("zsh"):
        run = t.run("zsh", "zsh", "-f", "-c", f"fpath=({path} $fpath); autoload -U compinit; "
                    "compinit -u -D; print $_comps[tetropt]; autoload +X _tetropt; whence -w _tetropt")
        t.true("zsh knows it", run.stdout == "_tetropt\n_tetropt: function\n", run.stdout)
        for line, expected in (("tetropt simu", "simulate"), ("tetropt solve --enc", "--encoding")):
            seen = complete_zsh(path, line)
            t.true(f"zsh completes {line}", expected in seen, seen)
    path = os.path.join(share, "fish", "vendor_completions.d", "tetropt.fish")
    if shutil.which("fish"):
        for line, expected in (("tetropt simu", "simulate"), ("tetropt solve --enc", "--encoding"),
                               ("tetropt solve --encoding swap-d", "swap-double")):
            run = t.run("fish", "fish", "--no-config", "-c", f"source {path}; complete -C '{line}'")
            t.true(f"fish completes {line}", run.stdout.split("\t")[0].strip() == expected,
                   run.stdout)


def check_documents(t, folder):
    """The pages are there, and what they link to is there too."""
    for name in ("LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md", "docs/RULES.md",
                 "examples/README.md"):
        t.true(f"{name} is installed", os.path.exists(os.path.join(folder, name)))
    for path in glob.glob(f"{folder}/**/*.md", recursive=True):
        with open(path, encoding="utf-8") as file:
            links = re.findall(r"\]\(([^)#:]+)\)", file.read())
        for link in links:
            t.true(f"{os.path.relpath(path, folder)}: {link} is installed",
                   os.path.exists(os.path.join(os.path.dirname(path), link)))


def main():
    parser = argparse.ArgumentParser(description="Checks of what is installed.")
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    options = parser.parse_args()
    t = Check()
    version = first(options.source, "meson.build", r"^  version: '([\d.]+)'")
    check_versions(t, options.source, version)
    with tempfile.TemporaryDirectory(prefix="tetropt-install-") as folder:
        prefix = install(t, options.build, folder)
        program, commands = check_program(t, prefix, version)
        shared = check_symbols(t, prefix, options.source)
        if shared:
            check_options(t, shared, options.source, program, commands)
            check_examples(t, prefix, options.source, folder)
        check_pages(t, prefix, commands, options.source)
        check_completions(t, prefix)
        check_documents(t, os.path.join(prefix, "share", "doc", "tetropt"))
    print(f"{t.passed} passed, {t.failed} failed")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
