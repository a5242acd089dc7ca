"""bench: one signature."""


def check_signature(t):
    run = t.run("bench", "--signature-only")
    t.true("an integer", run.code == 0 and run.out.strip().isdigit(), run)
    # Minutes each with ThreadSanitizer; scripts/check-compilers compares the levels too.
    levels = ("baseline", "avx2", "avx512") if t.scale >= 1 else ()
    for level in levels:
        again = t.run("bench", "--signature-only", env={"TETROPT_CPU": level})
        t.equal(level, again.out, run.out)
    answer = t.document("bench", "--quick", "--json")
    t.equal("in the JSON", str(answer.get("signature")), run.out.strip())
    t.true("exact in a double", answer.get("signature", 2**60) < 2**53, answer)
    rates = answer.get("rates", {})
    for name in ("genotype_pieces_per_second", "perft_nodes_per_second", "bot_nodes_per_second",
                 "library_genotype_pieces_per_second", "env_keys_per_second", "env_placements_per_second"):
        t.true(name, rates.get(name, 0) > 0, answer)
    ratios = answer.get("two_thread_ratios", {})
    for name in ("ga", "abc", "hybrid", "sa", "beam", "auto", "bot"):
        t.true(name, ratios.get(name, 0) > 0, answer)
    text = t.run("bench", "--quick", "--threads", "2", "--quiet")
    t.true("text", run.out.strip() in text.out and text.err == "", text)
    t.fails(3, t.shell("tetropt bench --signature-only >/dev/full"), "standard output")


def check_rows(t):
    names = [line.split()[0] for line in t.run("bench", "--list").out.splitlines()]
    t.true("rows", len(names) > 15 and len(set(names)) == len(names), names)
    answer = t.document("bench", "--quick", "--json", "--only", "list-14", "--only", "perfect")
    t.equal("one rate", list(answer["rates"]), ["listed_14_rows_placements_per_second"])
    t.equal("one time", list(answer["milliseconds"]), ["first_perfect_clear"])
    t.equal("no ratio", answer["two_thread_ratios"], {})
    t.fails(2, t.run("bench", "--only", "perft-1"), "--only: unknown row 'perft-1' (did you mean")
    t.fails(2, t.run("bench", "--only", "nothing"), "(see bench --list)")
