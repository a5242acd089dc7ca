"""The pages of the documentation: their blocks, what stands in backquotes, their command lines."""

import glob
import os
import re

PAGES = ["*.md", "docs/**/*.md", "training/*.md", "examples/**/*.md"]
NOT_PAGES = {"CHANGELOG.md"}  # tells what was

# Fenced blocks with their language, indented blocks, code within the text.
CODE = re.compile(r"^```(?P<language>\w*)\n(?P<fenced>.*?)^```|(?<=\n\n)(?P<indented>(?:    [^\n]*\n)+)"
                  r"|`(?P<inline>[^`]+)`", re.MULTILINE | re.DOTALL)

# Code within the text that is a command line: a program with something to do. A bare name
# (`tetropt replay`, `scripts/repeat`) only names it; of the commands `bench` needs no more.
INLINE = (r"(time )?(build/)?tetropt (({commands}) \S|bench$|--version)|build/tetropt COMMAND"
          r"|mpirun .*tetropt|make( |$)|man |(meson|ninja|python3) \S|(tests|scripts)/\S+ \S"
          r"|build/tests/|\.ci/")
BLOCK = r"(mpirun|createdb|make|cc|c\+\+)\b|((\./)?build/)?tetropt ({commands})\b"


class Page:
    def __init__(self, source, name):
        self.name = name
        with open(os.path.join(source, name), encoding="utf-8") as file:
            self.text = file.read()

    def blocks(self):
        """(language, text) of fenced blocks; indented ones have the language ``."""
        for code in CODE.finditer(self.text):
            if code["fenced"] is not None:
                yield code["language"], code["fenced"]
            elif code["indented"] is not None:
                yield "", re.sub(r"^    ", "", code["indented"], flags=re.MULTILINE)

    def inline(self):
        """What stands between backquotes in the text."""
        return [re.sub(r"\s+", " ", code["inline"]) for code in CODE.finditer(self.text)
                if code["inline"] is not None]

    def lines(self, commands):
        """All command lines in the order of the page, each once; a script is one line with line ends
        in it."""
        words = "|".join(commands)
        inline = re.compile(INLINE.format(commands=words))
        block = re.compile(BLOCK.format(commands=words))
        found = []
        for code in CODE.finditer(self.text):
            if code["inline"] is not None:
                line = re.sub(r"\s+", " ", code["inline"])
                found += [line] if inline.match(line) else []
            else:
                text = code["fenced"] or re.sub(r"^    ", "", code["indented"] or "", flags=re.MULTILINE)
                found += lines_of_block(code["language"], text, block)
        return list(dict.fromkeys(found))


def lines_of_block(language, text, command):
    text = re.sub(r"\\\n\s*", "", text)
    if text.startswith("#!"):
        return [text]
    shell = language in ("sh", "bash", "console")
    return [line for line in text.splitlines()
            if (shell and line.strip() and not line.startswith("#")) or command.match(line)]


def pages(source):
    names = {os.path.relpath(path, source) for pattern in PAGES
             for path in glob.glob(os.path.join(source, pattern), recursive=True)}
    return [Page(source, name) for name in sorted(names - NOT_PAGES)]
