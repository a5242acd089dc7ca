#!/usr/bin/env python3
"""A quick job of every command under valgrind: no read or write where nothing is, no decision by what
was never set, no leak; and the same output as without.

    memcheck.py --tetropt PATH [NAME...]

PATH is a build without sanitizers. valgrind knows no AVX-512, so the next lower level is taken. Exit
77 where there is no valgrind.
"""

import argparse
import os
import re
import shutil
import sys
import time

import calls
import jobs

HERE = os.path.dirname(os.path.abspath(__file__))
ERROR_CODE = 96


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tetropt", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: there is no valgrind")
        return 77
    os.environ["TETROPT_CPU"] = "avx2"
    prefix = ("valgrind", "-q", f"--error-exitcode={ERROR_CODE}", "--leak-check=full",
              "--errors-for-leak-kinds=definite,possible",
              f"--suppressions={os.path.join(HERE, '..', 'valgrind.suppressions')}")
    count = findings = 0
    start = time.monotonic()
    for job in jobs.all_jobs():
        if options.names and not any(re.fullmatch(name, job.name) for name in options.names):
            continue
        trial = calls.Trial(os.path.abspath(options.tetropt), job)
        job.prefix = prefix
        with calls.Folder(trial.template) as folder:
            outcome = job.run(trial.program, folder, jobs.environment())
            trouble = trial.judge(outcome, folder, False)
            job.prefix = ()
            trouble = trouble or job.verify(trial.program, folder, outcome, trial.good)
        trial.close()
        count += 1
        if trouble or outcome.code not in job.codes:
            findings += 1
            print(f"FINDING {job.name}: exit {outcome.code}: {trouble}\n"
                  f"{outcome.err.decode(errors='replace')[:4000]}", flush=True)
    print(f"{count} jobs under valgrind in {time.monotonic() - start:.0f} s, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
