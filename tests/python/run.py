"""Runs the tests of the Python package with the virtual environment of the build folder
(scripts/python-setup makes it), against the package as it is in the build folder.

usage: run.py --build FOLDER [ARGUMENT of pytest ...]
"""

import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77


def options_of(build):
    with open(os.path.join(build, "meson-info", "intro-buildoptions.json"), encoding="utf-8") as file:
        return {option["name"]: option["value"] for option in json.load(file)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    options, more = parser.parse_known_args()
    # A build for sanitizers has no environment of its own.
    folders = [options.build, os.path.join(HERE, "..", "..", "build")]
    pythons = [os.path.join(os.path.abspath(folder), "venv", "bin", "python") for folder in folders]
    python = next((path for path in pythons if os.path.exists(path)), None)
    if not python or subprocess.run([python, "-c", "import numpy, pytest"], check=False,
                                    stderr=subprocess.DEVNULL).returncode != 0:
        print("there is no build/venv with numpy and pytest; scripts/python-setup build makes it")
        return SKIPPED
    package = os.path.join(os.path.abspath(options.build), "bindings", "python")
    environment = dict(os.environ, PYTHONPATH=package, PYTHONDONTWRITEBYTECODE="1",
                       TETROPT=os.path.join(os.path.abspath(options.build), "tetropt"))
    tests = [HERE]
    if options_of(options.build)["b_sanitize"] != "none":
        # Python itself has no sanitizer: its runtime is loaded first. Only our own calls are of
        # interest, and what Python leaves at its end is not a leak of ours.
        runtimes = [subprocess.check_output(["gcc", f"-print-file-name={name}.so"], text=True).strip()
                    for name in ("libasan", "libubsan")]
        environment |= {"LD_PRELOAD": " ".join(runtimes),
                        "ASAN_OPTIONS": "detect_leaks=0:exitcode=99", "PYTHONMALLOC": "malloc"}
        tests = [os.path.join(HERE, name) for name in ("test_package.py", "test_bad_input.py")]
    command = [python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *tests, *more]
    return subprocess.run(command, env=environment, cwd=HERE, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
