/*
 * bench: runs a fixed benchmark; prints a checksum of the results and the throughput. The checksum
 * is the same on every machine, compiler and CPU level.
 *
 * The signature is what a change must not alter by accident, so everything that it covers is fixed
 * here: pieces, seeds, depths. A rate is that of the best of several rounds: whatever else the
 * machine does makes a round slower and never faster.
 */
#include "base/clock.h"
#include "base/cpu.h"
#include "base/json_writer.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "engine/randomizer.h"
#include "movegen/perft.h"
#include "player/bot/plan.h"
#include "player/drop/drop.h"
#include "problem/fitness.h"
#include "problem/perfect.h"
#include "system/stop.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    GENOTYPES = 4096,       /* that are signed, and that every round decodes */
    GENOTYPES_A_TURN = 128, /* that a thread takes at once */
    BENCH_PIECES = 20,
    ROUNDS = 7,
    DROP_SIGNED = 20000, /* pieces of the drop player that the signature covers */
    PERFECT_PIECES = 10  /* 40 cells: four rows of ten */
};

typedef struct BenchSettings {
    CliCommon common;
    bool quick, signature_only;
    int64_t threads;
} BenchSettings;

static const Option bench_rows[] = {
    OPTION_ROW(BenchSettings, FLAG, quick, "quick", .help = "less work, the same signature"),
    OPTION_ROW(BenchSettings, FLAG, signature_only, "signature-only",
               .help = "print the signature and nothing else"),
    PARAMETER_INTEGER(BenchSettings, threads, "threads", "1", 1, POOL_MAX_THREADS,
                      "decode genotypes on this many threads"),
    OPTIONS_INCLUDE(BenchSettings, common, cli_common_options),
};

static uint64_t fold(uint64_t signature, uint64_t value) {
    return (signature ^ value) * 0x100000001b3u; /* FNV-1a, a word at a time */
}

typedef struct GenotypeWork {
    Decoder decoder;
    uint8_t pieces[BENCH_PIECES + 1];
    int8_t genes[GENOTYPES][BENCH_PIECES * GENOTYPE_MAX_GENES];
    double fitness[GENOTYPES];
} GenotypeWork;

static void prepare_genotypes(GenotypeWork *work) {
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, 1, 0);
    for (int i = 0; i <= BENCH_PIECES; i++)
        work->pieces[i] = (uint8_t)randomizer_next(&randomizer);
    Board board;
    board_init(&board, 10, 20);
    decoder_init(&work->decoder, ENCODING_SWAP_DOUBLE, (DecodeRules){0}, &board, work->pieces,
                 BENCH_PIECES + 1, BENCH_PIECES);
    Rng rng;
    rng_init(&rng, 1, 1);
    for (int i = 0; i < GENOTYPES; i++)
        for (int k = 0; k < BENCH_PIECES * GENOTYPE_MAX_GENES; k++) {
            GeneRange range = work->decoder.layout.ranges[k % GENOTYPE_MAX_GENES];
            work->genes[i][k] = (int8_t)rng_between(&rng, range.low, range.high);
        }
}

static void evaluate_genotypes(void *context, size_t first, size_t last, unsigned worker) {
    (void)worker;
    GenotypeWork *work = context;
    for (size_t i = first; i < last; i++)
        work->fitness[i] = fitness_evaluate(&fitness_profiles[PROFILE_BLOCKS], &work->decoder,
                                            work->genes[i], NULL);
}

static uint64_t sign_genotypes(const GenotypeWork *work, uint64_t signature) {
    for (int i = 0; i < GENOTYPES; i++) {
        DecodeState state;
        Heuristics heuristics;
        fitness_evaluate(&fitness_profiles[PROFILE_BLOCKS], &work->decoder, work->genes[i], &state);
        work->decoder.measure(&state.board, state.highest, &heuristics);
        for (int k = 0; k < HEURISTIC_COUNT; k++)
            signature = fold(signature, (uint64_t)heuristics.values[k]);
        signature = fold(signature, (uint64_t)heuristics.pits << 32 | (uint64_t)heuristics.holes);
        signature = fold(signature, (uint64_t)state.noops << 32 | (uint64_t)state.score);
        for (int y = 0; y < state.highest; y++)
            signature = fold(signature, board_row(&state.board, y));
    }
    return signature;
}

/* The best of several rounds: the others were disturbed. */
static double time_genotypes(GenotypeWork *work, Pool *pool, int repeats) {
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t start = clock_now_ns();
        for (int i = 0; i < repeats; i++)
            pool_run(pool, GENOTYPES, GENOTYPES_A_TURN, evaluate_genotypes, work);
        double rate = (double)repeats * GENOTYPES * BENCH_PIECES / clock_seconds_since(start);
        best = rate > best ? rate : best;
    }
    return best;
}

static uint64_t run_queue(const char *letters, int depth, uint64_t *nodes) {
    uint8_t pieces[16];
    int count = pieces_parse(letters, pieces, sizeof pieces, NULL);
    Board board;
    Columns columns;
    board_init(&board, 10, 20);
    columns_from_board(&columns, &board);
    PerftTask task = {.pieces = pieces, .piece_count = count, .depth = depth};
    perft_run(&task, &columns, nodes);
    return nodes[depth - 1];
}

static uint64_t sign_perft(uint64_t signature) {
    uint64_t nodes[8];
    signature = fold(signature, run_queue("IOTLJSZ", 4, nodes));
    signature = fold(signature, run_queue("TSZJLOI", 3, nodes));
    return fold(signature, run_queue("IOLJSZT", 4, nodes));
}

static double time_perft(bool quick) {
    uint64_t nodes[8], start = clock_now_ns();
    uint64_t leaves = run_queue("IOLJSZT", quick ? 6 : 7, nodes);
    return (double)leaves / clock_seconds_since(start);
}

/* Placements evaluated per piece placed, on average: each piece is as likely as the others. */
static const double placements_a_piece = (17 + 9 + 34 + 34 + 34 + 17 + 17) / 7.0;

static double time_drop(bool quick) {
    double best = 0;
    int64_t pieces = quick ? 100000 : 1000000;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t start = clock_now_ns();
        drop_bench(NULL, pieces);
        double rate = (double)pieces / clock_seconds_since(start);
        best = rate > best ? rate : best;
    }
    return best;
}

/* The mean time to the first perfect clear of ten bag pieces on the empty board, in milliseconds.
 */
static double time_perfect(bool hold, int queues) {
    uint64_t spent = 0;
    for (int i = 0; i < queues; i++) {
        uint8_t pieces[PERFECT_PIECES + 1];
        Randomizer randomizer;
        randomizer_init(&randomizer, RANDOMIZER_BAG, 1, (uint64_t)i);
        for (int k = 0; k <= PERFECT_PIECES; k++)
            pieces[k] = (uint8_t)randomizer_next(&randomizer);
        Board board;
        board_init(&board, 10, 20);
        Decoder decoder;
        decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){0}, &board, pieces,
                     PERFECT_PIECES + hold, PERFECT_PIECES);
        PerfectSearch search = {.decoder = &decoder, .any = true, .hold = hold, .first = true};
        PerfectResult result;
        Move moves[PERFECT_PIECES];
        uint64_t start = clock_now_ns();
        perfect_search(&search, &decoder.start, PERFECT_PIECES, moves, &result);
        spent += clock_now_ns() - start;
    }
    return (double)spent * 1e-6 / queues;
}

/* One game of the bot on one thread; returns the placements evaluated per second. */
static double play_bot(Plan *plan, int pieces, uint64_t nodes) {
    enum { PREVIEW = 5 };
    Position position;
    Randomizer randomizer;
    Placement moves[PLAN_MOVES_MAX];
    randomizer_init(&randomizer, RANDOMIZER_BAG, 1, 0);
    position_init(&position);
    uint64_t before = plan_nodes_total(plan), start = clock_now_ns();
    for (int i = 0; i < pieces; i++) {
        while (position.queue_count <= PREVIEW)
            position_add_piece(&position, randomizer_next(&randomizer), NULL);
        plan_advance(plan, &position);
        while (plan_nodes(plan) < nodes && plan_step(plan)) {
        }
        if (plan_moves(plan, moves) == 0 || !position_play(&position, moves[0], NULL))
            break;
    }
    return (double)(plan_nodes_total(plan) - before) / clock_seconds_since(start);
}

static bool time_bot(bool quick, double *rate, Status *status) {
    PlanSettings settings = {.memory_bytes = 64 << 20, .threads = 1};
    options_defaults(bot_weights_table, &settings.weights);
    Plan *plan = plan_new(&settings, status);
    if (!plan)
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        double round_rate = play_bot(plan, quick ? 3 : 15, 100000);
        *rate = round_rate > *rate ? round_rate : *rate;
    }
    plan_free(plan);
    return true;
}

typedef struct BenchResult {
    uint64_t signature;
    double genotype_rate, perft_rate, drop_rate, bot_rate;
    double perfect_hold_ms, perfect_ms;
} BenchResult;

static bool measure(const BenchSettings *settings, BenchResult *result, Status *status) {
    GenotypeWork *work = malloc(sizeof *work);
    Pool *pool = pool_new((unsigned)settings->threads, status);
    bool ok = work && pool;
    if (!work)
        status_no_memory(status);
    if (ok) {
        prepare_genotypes(work);
        uint64_t signature = sign_perft(sign_genotypes(work, 0xcbf29ce484222325u));
        result->signature = fold(signature, drop_bench(NULL, DROP_SIGNED));
        if (!settings->signature_only) {
            result->genotype_rate = time_genotypes(work, pool, settings->quick ? 2 : 20);
            result->perft_rate = time_perft(settings->quick);
            result->drop_rate = time_drop(settings->quick);
            result->perfect_hold_ms = time_perfect(true, settings->quick ? 20 : 200);
            result->perfect_ms = time_perfect(false, settings->quick ? 10 : 100);
            ok = time_bot(settings->quick, &result->bot_rate, status);
        }
    }
    pool_free(pool);
    free(work);
    return ok;
}

static bool print_json(const BenchResult *result, unsigned long long signature, int threads,
                       Status *status) {
    JsonWriter w;
    jw_start(&w);
    jw_integer(&w, "signature", (int64_t)signature);
    jw_object(&w, "rates");
    jw_put(&w, JR("genotype_pieces_per_second", result->genotype_rate),
           JR("drop_pieces_per_second", result->drop_rate),
           JR("drop_placements_per_second", result->drop_rate * placements_a_piece),
           JR("perft_nodes_per_second", result->perft_rate),
           JR("bot_nodes_per_second", result->bot_rate));
    jw_end(&w);
    jw_object(&w, "milliseconds");
    jw_put(&w, JR("first_perfect_clear_hold", result->perfect_hold_ms),
           JR("first_perfect_clear", result->perfect_ms));
    jw_end(&w);
    jw_put(&w, JS("cpu", cpu_level_names[cpu_level()]), JI("threads", threads));
    return cli_print_json(&w, status);
}

static void print_lines(const BenchResult *result, unsigned long long signature, int threads) {
    printf("signature              %llu\n", signature);
    printf("CPU level              %s\n", cpu_level_names[cpu_level()]);
    printf("genotypes decoded      %.2f million pieces/s (swap-double, %d pieces, %d thread%s)\n",
           result->genotype_rate / 1e6, BENCH_PIECES, threads, threads == 1 ? "" : "s");
    printf("perft IOLJSZT          %.1f million nodes/s\n", result->perft_rate / 1e6);
    printf("first perfect clear    %.2f ms with hold, %.1f ms without (%d bag pieces)\n",
           result->perfect_hold_ms, result->perfect_ms, PERFECT_PIECES);
    printf("bot                    %.2f million nodes/s (placements judged, 5 next pieces)\n",
           result->bot_rate / 1e6);
    printf("drop player bcts       %.2f million pieces/s, %.1f million placements/s\n",
           result->drop_rate / 1e6, result->drop_rate * placements_a_piece / 1e6);
}

static StatusCode run_bench(CliContext *context, const void *given, Status *status) {
    const BenchSettings *settings = given;
    BenchResult result = {0};
    int threads = (int)settings->threads;
    stop_at_once();
    if (!cli_words_at_most(context, 0, status) || !measure(settings, &result, status))
        return status->code;
    /* JSON readers keep 53 bits exactly. */
    unsigned long long signature = result.signature >> 12;
    if (settings->common.json)
        print_json(&result, signature, threads, status);
    else if (settings->signature_only)
        printf("%llu\n", signature);
    else
        print_lines(&result, signature, threads);
    return status->code;
}

const Command cmd_bench = {
    .name = "bench",
    .arguments = "[OPTIONS]",
    .summary = "fixed work: a signature of what was computed, then rates",
    .description =
        "Does a fixed piece of work and prints an integer signature of all that was computed; it "
        "is the same for every compiler, optimisation level and CPU. Then come the rates, each the "
        "best of several rounds on one thread.",
    .examples = "  tetropt bench --json  # takes ten seconds\n"
                "  tetropt bench --signature-only\n"
                "  TETROPT_CPU=baseline tetropt bench --quick\n",
    .options = OPTIONS_TABLE(bench_rows),
    .settings_bytes = sizeof(BenchSettings),
    .run = run_bench,
};
