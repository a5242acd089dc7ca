/* bench_rows: the measurements, then the list of rows, then the signature. */
#include "cli/bench_rows.h"

#include "base/clock.h"
#include "base/similar.h"
#include "cli/bench_library.h"
#include "engine/randomizer.h"
#include "job/job.h"
#include "movegen/perft.h"
#include "movegen/reach.h"
#include "player/bot/plan.h"
#include "player/drop/drop.h"
#include "problem/fitness.h"
#include "problem/perfect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GENOTYPES = 4096,       /* that are signed, and that every round decodes */
    GENOTYPES_A_TURN = 128, /* that a thread takes at once */
    BENCH_PIECES = 20,
    ROUNDS = 7,
    DROP_SIGNED = 20000, /* pieces of the drop player that the signature covers */
    PERFECT_PIECES = 10  /* 40 cells: four rows of ten */
};

const char *const bench_group_names[BENCH_GROUPS] = {"rates", "milliseconds", "two_thread_ratios"};

/* ---- genotypes ---- */

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

static GenotypeWork *genotype_work(Status *status) {
    GenotypeWork *work = malloc(sizeof *work);
    if (work)
        prepare_genotypes(work);
    else
        status_no_memory(status);
    return work;
}

static double time_genotypes(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)row;
    int repeats = quick ? 2 : 20;
    double best = 0;
    GenotypeWork *work = genotype_work(status);
    Pool *pool = work ? pool_new(threads, status) : NULL;
    for (int round = 0; pool && round < ROUNDS; round++) {
        uint64_t start = clock_now_ns();
        for (int i = 0; i < repeats; i++)
            pool_run(pool, GENOTYPES, GENOTYPES_A_TURN, evaluate_genotypes, work);
        double rate = (double)repeats * GENOTYPES * BENCH_PIECES / clock_seconds_since(start);
        best = rate > best ? rate : best;
    }
    pool_free(pool);
    free(work);
    return best;
}

/* ---- move generation ---- */

/* A stack of `rows` messy rows: about three cells of each are empty. Always the same one. */
static Columns messy_stack(int rows) {
    Columns columns = {.width = 10, .height = 20};
    Rng rng;
    rng_init(&rng, 1, 2);
    for (int y = 0; y < rows; y++) {
        uint32_t gap = rng_below(&rng, columns.width);
        for (uint32_t x = 0; x < columns.width; x++)
            if (x != gap && rng_below(&rng, 4) > 0)
                columns.column[x] |= (uint64_t)1 << y;
    }
    return columns;
}

static uint64_t run_queue(const char *letters, const Columns *columns, int depth) {
    uint8_t pieces[16];
    uint64_t nodes[16];
    int count = pieces_parse(letters, pieces, sizeof pieces, NULL);
    PerftTask task = {.pieces = pieces, .piece_count = count, .depth = depth};
    perft_run(&task, columns, nodes);
    return nodes[depth - 1];
}

static double time_perft(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)threads, (void)status;
    Columns columns = messy_stack(row->size);
    int depth = row->size == 0 ? (quick ? 6 : 7) : (quick ? 3 : 4);
    double best = 0;
    for (int round = 0; round < (row->size == 0 ? 1 : ROUNDS); round++) {
        uint64_t start = clock_now_ns();
        uint64_t leaves = run_queue(row->subject, &columns, depth);
        double rate = (double)leaves / clock_seconds_since(start);
        best = rate > best ? rate : best;
    }
    return best;
}

/* Lists the placements of every piece on one board. */
static double time_list(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)threads, (void)status;
    Columns columns = messy_stack(row->size);
    Placement places[REACH_MAX];
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t start = clock_now_ns();
        int64_t listed = 0;
        for (int i = 0; i < (quick ? 1000 : 30000); i++)
            for (int piece = 0; piece < PIECE_COUNT; piece++)
                listed += reach_list(&columns, (Piece)piece, false, places);
        double rate = (double)listed / clock_seconds_since(start);
        best = rate > best ? rate : best;
    }
    return best;
}

/* ---- drop player, perfect clears, bot ---- */

static double time_drop(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)row, (void)threads, (void)status;
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

/* The mean time to the first perfect clear of bag pieces on the empty board, in milliseconds. */
static double mean_perfect(bool hold, int queues) {
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

static double time_perfect(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)row, (void)threads, (void)status;
    return mean_perfect(false, quick ? 10 : 100);
}

static double time_perfect_hold(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)row, (void)threads, (void)status;
    return mean_perfect(true, quick ? 20 : 200);
}

/* One game of the bot; returns the placements evaluated per second. */
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

static double best_bot_rate(bool quick, unsigned threads, Status *status) {
    PlanSettings settings = {.memory_bytes = 64 << 20, .threads = threads};
    options_defaults(bot_weights_table, &settings.weights);
    Plan *plan = plan_new(&settings, status);
    double best = 0;
    for (int round = 0; plan && round < ROUNDS; round++) {
        double rate = play_bot(plan, quick ? 3 : 15, 100000);
        best = rate > best ? rate : best;
    }
    plan_free(plan);
    return best;
}

static double time_bot(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)row, (void)threads;
    return best_bot_rate(quick, 1, status);
}

static double compare_bot(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)row, (void)threads;
    double one = best_bot_rate(quick, 1, status);
    return one > 0 ? best_bot_rate(quick, 2, status) / one : 0;
}

/* ---- jobs ---- */

/* An option of a job and its value; the last has no name. */
typedef struct Setting {
    const char *name, *value;
} Setting;

/* Runs a job once; the seconds that it took, 0 with `status` on failure. */
static double run_job(const char *name, const Setting *settings, Status *status) {
    const Job *job = job_find(name);
    Question *question = job_question(job, status);
    bool ok = question != NULL;
    for (; ok && settings->name; settings++)
        ok = !settings->value || job_set(job, question, settings->name, settings->value, status);
    void *run = ok ? job->prepare(question, status) : NULL;
    question_free(question);
    if (!run)
        return 0;
    uint64_t start = clock_now_ns();
    ok = job->run(run, &(ProgressWatch){0}, status);
    double seconds = clock_seconds_since(start);
    job->free_run(run);
    return ok ? seconds : 0;
}

static double solve_seconds(const BenchRow *row, bool quick, const char *threads, Status *status) {
    const Setting settings[] = {{"n", "20"},
                                {"seed", "3"},
                                {"algorithm", row->subject},
                                {"evaluations", quick ? "20000" : "400000"},
                                {"threads", threads},
                                {"preset", row->preset},
                                {"param", row->parameter},
                                {NULL, NULL}};
    return run_job("solve", settings, status);
}

static double compare_solve(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)threads;
    double one = 0, two = 0;
    for (int round = 0; round < (quick ? 1 : ROUNDS); round++) {
        double a = solve_seconds(row, quick, "1", status);
        double b = a > 0 ? solve_seconds(row, quick, "2", status) : 0;
        if (!(b > 0))
            return 0;
        one = round == 0 || a < one ? a : one;
        two = round == 0 || b < two ? b : two;
    }
    return one / two;
}

/* Decisions of an agent with its default rules, weights and parameters. */
static double time_agent(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)threads;
    char pieces[16];
    int count = quick ? row->size / 20 : row->size;
    snprintf(pieces, sizeof pieces, "%d", count);
    const Setting settings[] = {{"agent", row->subject}, {"games", "1"},   {"max-pieces", pieces},
                                {"seed", "1"},           {"threads", "1"}, {NULL, NULL}};
    double best = 0;
    for (int round = 0; round < (quick ? 1 : ROUNDS); round++) {
        double seconds = run_job("simulate", settings, status);
        if (!(seconds > 0))
            return 0;
        best = count / seconds > best ? count / seconds : best;
    }
    return best;
}

/* ---- the rows ---- */

#define ROW(name_, group_, member_, measure_, meaning_, ...)                                       \
    {                                                                                              \
        .name = name_, .group = BENCH_##group_, .member = member_, .measure = measure_,            \
        .meaning = meaning_, __VA_ARGS__                                                           \
    }
#define PERFT(name_, member_, rows_, meaning_)                                                     \
    ROW(name_, RATE, member_, time_perft, meaning_, .subject = "IOLJSZT", .size = rows_)
#define AGENT(name_, decisions_)                                                                   \
    ROW(name_, RATE, name_ "_decisions_per_second", time_agent, "decisions of the agent " name_,   \
        .subject = name_, .size = decisions_)
#define THREADS(name_, preset_, parameter_)                                                        \
    ROW("threads-" name_, RATIO, name_, compare_solve,                                             \
        "solve --algorithm " name_ ", two threads against one", .subject = name_,                  \
        .preset = preset_, .parameter = parameter_)

static const BenchRow rows[] = {
    ROW("genotypes", RATE, "genotype_pieces_per_second", time_genotypes,
        "pieces of genotypes decoded and evaluated (swap-double)", .size = 0),
    ROW("problem", RATE, "library_genotype_pieces_per_second", bench_problem,
        "the same by tetropt_problem_evaluate", .size = 0),
    ROW("env-keys", RATE, "env_keys_per_second", bench_env,
        "key presses in tetropt_env_step, uint8 boards", .subject = "keys"),
    ROW("env-placements", RATE, "env_placements_per_second", bench_env,
        "straight drops in tetropt_env_step, uint8 boards", .subject = "placements"),
    PERFT("perft", "perft_nodes_per_second", 0, "perft IOLJSZT on the empty board"),
    PERFT("perft-10", "perft_10_rows_nodes_per_second", 10, "the same on 10 messy rows"),
    PERFT("perft-14", "perft_14_rows_nodes_per_second", 14, "on 14 messy rows"),
    PERFT("perft-17", "perft_17_rows_nodes_per_second", 17, "on 17 messy rows"),
    ROW("list", RATE, "listed_placements_per_second", time_list, "placements listed, empty board",
        .size = 0),
    ROW("list-14", RATE, "listed_14_rows_placements_per_second", time_list,
        "the same on 14 messy rows", .size = 14),
    ROW("drop", RATE, "drop_pieces_per_second", time_drop, "pieces of the drop player bcts",
        .size = 0),
    ROW("perfect-hold", MILLISECONDS, "first_perfect_clear_hold", time_perfect_hold,
        "first perfect clear of 10 bag pieces, with hold", .size = 0),
    ROW("perfect", MILLISECONDS, "first_perfect_clear", time_perfect, "the same without hold",
        .size = 0),
    ROW("bot", RATE, "bot_nodes_per_second", time_bot,
        "placements that the bot evaluates, 5 preview pieces", .size = 0),
    AGENT("weighted", 20000),
    AGENT("lookahead", 4000),
    AGENT("beam", 60),
    /* The tuned colonies are too small to be shared; these are as large as those published. */
    THREADS("ga", "untuned", NULL),
    THREADS("abc", "untuned", NULL),
    THREADS("hybrid", NULL, NULL),
    THREADS("sa", "untuned", "chains=8"),
    THREADS("beam", NULL, NULL),
    THREADS("auto", NULL, NULL),
    ROW("threads-bot", RATIO, "bot", compare_bot, "nodes of the bot, two threads against one",
        .size = 0),
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

const BenchRow *bench_row_at(int index) {
    return index < ROW_COUNT ? &rows[index] : NULL;
}

const BenchRow *bench_row_find(const char *name, Status *status) {
    for (int i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    Similar similar = similar_to(name);
    char hint[SIMILAR_HINT_BYTES];
    for (int i = 0; i < ROW_COUNT; i++)
        similar_try(&similar, rows[i].name);
    similar_hint(&similar, hint);
    status_option(status, "only", "unknown row '%.40s'%s", name,
                  *hint ? hint : " (see bench --list)");
    return NULL;
}

double bench_row_measure(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    return row->measure(row, quick, threads, status);
}

/* ---- the signature ---- */

static uint64_t fold(uint64_t signature, uint64_t value) {
    return (signature ^ value) * 0x100000001b3u; /* FNV-1a, a word at a time */
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

static uint64_t sign_perft(uint64_t signature) {
    const Columns empty = messy_stack(0);
    signature = fold(signature, run_queue("IOTLJSZ", &empty, 4));
    signature = fold(signature, run_queue("TSZJLOI", &empty, 3));
    return fold(signature, run_queue("IOLJSZT", &empty, 4));
}

uint64_t bench_signature(Status *status) {
    GenotypeWork *work = genotype_work(status);
    if (!work)
        return 0;
    uint64_t signature = sign_perft(sign_genotypes(work, 0xcbf29ce484222325u));
    free(work);
    return fold(signature, drop_bench(NULL, DROP_SIGNED));
}
