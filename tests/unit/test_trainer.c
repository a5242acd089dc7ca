/* Generations, seeds, threads, saved states and logs of a training, with an objective that takes no
 * time: the distance to a point, with a noise that depends on the seed. */
#include "base/json.h"
#include "base/json_writer.h"
#include "io/train_log.h"
#include "train/registry.h"
#include "train/state.h"
#include "train/trainer.h"

#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 5, GAMES = 3 };

static const char *const names[COUNT] = {"a", "b", "c", "d", "e"};

static bool play(const void *context, size_t candidate, const double *weights, uint64_t seed,
                 int64_t trial, int64_t pieces, TrialResult *result, Status *status) {
    (void)candidate;
    (void)context, (void)status;
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum -= (weights[i] - i) * (weights[i] - i);
    uint64_t noise = rng_derive(seed + (uint64_t)trial, 0) % 1000;
    *result = (TrialResult){.score = (int64_t)(sum * 1000) + (int64_t)noise,
                            .lines = trial,
                            .pieces = pieces % 1000,
                            .complete = 1};
    return true;
}

static double judge(const void *context, const TrialResult *results, size_t count) {
    (void)context;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)results[i].score;
    return sum / (double)count;
}

static bool summarise(const void *context, const TrialResult *results, size_t count,
                      TrialSummary *summary, Status *status) {
    (void)status;
    double mean = judge(context, results, count);
    *summary = (TrialSummary){mean, mean, mean};
    return true;
}

static const TrainObjective plain = {"score", true, play, judge, summarise, NULL};

/* A training with everything it needs. */
typedef struct Fixture {
    TrainTask task;
    _Alignas(max_align_t) unsigned char parameters[TRAIN_PARAMETERS_MAX_BYTES];
    Trainer *trainer;
} Fixture;

static void fixture_init(Fixture *fixture, const char *method, unsigned threads) {
    Status status = {0};
    *fixture = (Fixture){.task = {.method = train_find(method),
                                  .objective = &plain,
                                  .space = {.count = COUNT},
                                  .weights = COUNT,
                                  .seed = 17,
                                  .games = GAMES,
                                  .max_pieces = 100}};
    TrainTask *task = &fixture->task;
    for (int i = 0; i < COUNT; i++) {
        task->trained[i] = i;
        task->space.low[i] = -INFINITY;
    }
    options_defaults(task->method->parameters, fixture->parameters);
    task->parameters = fixture->parameters;
    task->pool = pool_new(threads, &status);
    fixture->trainer = trainer_new(task, &status);
    cr_assert(fixture->trainer, "%s", status.message);
}

static void fixture_release(Fixture *fixture) {
    trainer_free(fixture->trainer);
    pool_free(fixture->task.pool);
}

static void run(Fixture *fixture, int generations) {
    Status status = {0};
    TrainRow row;
    for (int i = 0; i < generations; i++)
        cr_assert_eq(trainer_step(fixture->trainer, &row, &status), TRAINER_DONE);
}

static char *state_text(Fixture *fixture) {
    double start[COUNT] = {0};
    Text settings, text;
    JsonWriter w;
    text_init(&settings);
    jw_init(&w, &settings);
    jw_object(&w, NULL);
    jw_string(&w, "method", fixture->task.method->name);
    jw_end(&w);
    text_init(&text);
    TrainIdentity identity = {.features = "test", .start = start, .count = COUNT};
    train_identify(&identity, &settings, NULL);
    cr_assert(train_state_write(&settings, &identity, fixture->trainer, &text));
    text_release(&settings);
    return text.data;
}

Test(trainer, the_number_of_threads_does_not_matter) {
    for (int m = 0; m < train_count(); m++) {
        char *first = NULL;
        for (unsigned threads = 1; threads <= 4; threads++) {
            Fixture fixture;
            fixture_init(&fixture, train_at(m)->name, threads);
            run(&fixture, 6);
            char *text = state_text(&fixture);
            if (first) {
                cr_expect_str_eq(text, first, "%s", train_at(m)->name);
                free(text);
            } else
                first = text;
            fixture_release(&fixture);
        }
        free(first);
    }
}

Test(trainer, a_saved_state_goes_on_bit_for_bit) {
    for (int m = 0; m < train_count(); m++)
        for (int cut = 0; cut < 25; cut += 4) {
            Fixture whole, broken;
            Status status = {0};
            fixture_init(&whole, train_at(m)->name, 1);
            whole.task.prune = 0.4;
            run(&whole, 25);
            char *expected = state_text(&whole);
            fixture_release(&whole);
            fixture_init(&broken, train_at(m)->name, 1);
            broken.task.prune = 0.4;
            run(&broken, cut);
            char *saved = state_text(&broken);
            fixture_release(&broken);
            fixture_init(&broken, train_at(m)->name, 2);
            broken.task.prune = 0.4;
            Json *document = train_state_parse(saved, strlen(saved), &status);
            cr_assert(document, "%s", status.message);
            cr_assert(train_state_load(document, broken.trainer, &status), "%s", status.message);
            json_free(document);
            run(&broken, 25 - cut);
            char *resumed = state_text(&broken);
            cr_expect_str_eq(resumed, expected, "%s cut at %d", train_at(m)->name, cut);
            fixture_release(&broken);
            free(expected);
            free(saved);
            free(resumed);
        }
}

/* ---- seeds */

typedef struct Seen {
    uint64_t seeds[64][64]; /* by game, in the order of play */
    int counts[64];
} Seen;

static bool note_seed(const void *context, size_t candidate, const double *weights, uint64_t seed,
                      int64_t trial, int64_t pieces, TrialResult *result, Status *status) {
    Seen *seen = (Seen *)context;
    seen->seeds[trial][seen->counts[trial]++] = seed;
    return play(NULL, candidate, weights, seed, trial, pieces, result, status);
}

Test(trainer, candidates_share_seeds_that_are_never_used_again) {
    static Seen seen;
    TrainObjective noting = plain;
    noting.play = note_seed;
    noting.context = &seen;
    Fixture fixture;
    fixture_init(&fixture, "competition", 1);
    fixture.task.objective = &noting;
    uint64_t earlier[20];
    for (int g = 0; g < 20; g++) {
        memset(&seen, 0, sizeof seen);
        run(&fixture, 1);
        uint64_t seed = seen.seeds[0][0];
        for (int game = 0; game < GAMES; game++)
            for (int i = 0; i < seen.counts[game]; i++)
                cr_assert_eq(seen.seeds[game][i], seed, "a candidate played another seed");
        cr_assert(seed + GAMES < TRAINER_HELD_OUT_SEEDS);
        for (int i = 0; i < g; i++)
            cr_assert_neq(earlier[i], seed);
        earlier[g] = seed;
    }
    memset(&seen, 0, sizeof seen);
    TrainHeldOut held_out;
    Status status = {0};
    cr_assert_eq(trainer_held_out(fixture.trainer, NULL, 5, &held_out, &status), TRAINER_DONE);
    cr_assert_eq(held_out.games, 5);
    cr_assert(held_out.seed >= TRAINER_HELD_OUT_SEEDS);
    cr_assert(held_out.seed < (uint64_t)1 << 53, "exact in any JSON reader");
    for (int game = 0; game < 5; game++)
        cr_assert_eq(seen.seeds[game][0], held_out.seed);
    fixture_release(&fixture);
}

Test(trainer, a_second_score_is_on_other_seeds) {
    static Seen seen;
    TrainObjective noting = plain;
    noting.play = note_seed;
    noting.context = &seen;
    Fixture fixture;
    fixture_init(&fixture, "cma-es", 1);
    fixture.task.objective = &noting;
    run(&fixture, 1);
    int others = 0;
    for (int i = 0; i < seen.counts[0]; i++)
        others += seen.seeds[0][i] != seen.seeds[0][0];
    cr_assert_eq(others, 2);
    fixture_release(&fixture);
}

Test(trainer, the_piece_limit_grows_by_half) {
    TrainTask task = {.max_pieces = 1000, .grow_every = 30};
    cr_expect_eq(trainer_limit(&task, 1), 1000);
    cr_expect_eq(trainer_limit(&task, 30), 1000);
    cr_expect_eq(trainer_limit(&task, 31), 1500);
    cr_expect_eq(trainer_limit(&task, 61), 2250);
    cr_expect(trainer_limit(&task, 1000000) > 0);
    /* 1000 * 1.5^6 and 1000 * 1.5^8, where the published trainings ended. */
    task.grow_to = 11390;
    cr_expect_eq(trainer_limit(&task, 180), 7593);
    cr_expect_eq(trainer_limit(&task, 350), 11390);
    task = (TrainTask){.max_pieces = 1000, .grow_every = 10, .grow_to = 25627};
    cr_expect_eq(trainer_limit(&task, 80), 17083);
    cr_expect_eq(trainer_limit(&task, 150), 25627);
    task.max_pieces = 30000; /* it does not shrink either */
    cr_expect_eq(trainer_limit(&task, 150), 30000);
    task.max_pieces = INT64_MAX;
    cr_expect_eq(trainer_limit(&task, 1000), INT64_MAX);
}

Test(trainer, what_stays_near_zero_is_dropped) {
    Fixture fixture;
    fixture_init(&fixture, "gradient", 1);
    fixture.task.prune = 0.2; /* the best weight of `a` is 0, that of `e` is 4 */
    run(&fixture, 80);
    double weights[TRAIN_MAX_WEIGHTS];
    trainer_best(fixture.trainer, weights);
    cr_expect(trainer_dropped(fixture.trainer) & 1);
    cr_expect_eq(weights[0], 0);
    cr_expect_eq(trainer_dropped(fixture.trainer) >> 4, 0);
    fixture_release(&fixture);
}

Test(trainer, a_stop_leaves_the_training_as_it_was) {
    Fixture fixture;
    fixture_init(&fixture, "genetic", 2);
    run(&fixture, 3);
    char *before = state_text(&fixture);
    atomic_bool stop = true;
    fixture.task.stop = &stop;
    TrainRow row;
    Status status = {0};
    cr_assert_eq(trainer_step(fixture.trainer, &row, &status), TRAINER_CUT);
    char *after = state_text(&fixture);
    cr_expect_str_eq(before, after);
    stop = false;
    run(&fixture, 1);
    free(before);
    free(after);
    fixture_release(&fixture);
}

/* ---- files */

Test(train_state, every_change_and_every_cut_is_noticed) {
    Fixture fixture;
    fixture_init(&fixture, "competition", 1);
    run(&fixture, 2);
    char *text = state_text(&fixture);
    size_t length = strlen(text);
    fixture_release(&fixture);
    for (size_t i = 0; i < length; i++) {
        Status status = {0};
        cr_assert_null(train_state_parse(text, i, &status), "cut at %zu", i);
        cr_assert_eq(status.code, STATUS_INPUT);
        char kept = text[i];
        text[i] = kept == '7' ? '3' : '7';
        Json *document = train_state_parse(text, length, &status);
        cr_assert_null(document, "byte %zu changed: %s", i, text);
        text[i] = kept;
    }
    Status status = {0};
    Json *document = train_state_parse(text, length, &status);
    cr_assert(document);
    double start[COUNT + 1];
    cr_assert(train_state_start(document, start, COUNT, &status));
    cr_assert(!train_state_start(document, start, COUNT + 1, &status));
    /* Of another method: its members are missing. */
    fixture_init(&fixture, "gradient", 1);
    cr_assert(!train_state_load(document, fixture.trainer, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    fixture_release(&fixture);
    json_free(document);
    free(text);
}

/* The id is kept by its state, and is another one for other settings and another start. */
Test(train_state, trainings_have_ids) {
    double start[COUNT] = {0}, other[COUNT] = {1};
    Text settings = {.data = (char[]){"{\"seed\":\"1\"}"}, .length = 12};
    TrainIdentity first = {.start = start, .count = COUNT}, second = first;
    train_identify(&first, &settings, NULL);
    train_identify(&second, &settings, NULL);
    cr_assert_str_eq(first.id, second.id);
    second.start = other;
    train_identify(&second, &settings, NULL);
    cr_assert_str_neq(first.id, second.id);
    second.start = start;
    settings.data = (char[]){"{\"seed\":\"2\"}"};
    train_identify(&second, &settings, NULL);
    cr_assert_str_neq(first.id, second.id);
    Json *resumed = json_parse("{\"training\":\"abc\"}", 18, NULL);
    train_identify(&second, &settings, resumed);
    cr_assert_str_eq(second.id, "abc");
    json_free(resumed);
}

static void count_row(void *context, const TrainRow *row) {
    int *count = context;
    cr_assert_eq(row->generation, ++*count);
    cr_assert_eq(row->weights[1], 2.5);
}

static long size_of(const char *path) {
    FILE *file = fopen(path, "r");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

Test(train_log, is_cut_back_to_a_generation) {
    char path[] = "/tmp/tetropt-log-XXXXXX";
    close(mkstemp(path));
    Status status = {0};
    TrainLog log = {path, "0123456789abcdef", names, COUNT};
    for (int g = 1; g <= 5; g++) {
        TrainRow row = {.generation = g, .points_per_piece = NAN, .weights = {0, 2.5}};
        cr_assert(train_log_append(&log, &row, 0.5, &status), "%s", status.message);
    }
    long whole = size_of(path);
    FILE *file = fopen(path, "a");
    fputs("{\"generation\":6,\"be", file); /* a kill in the middle of a row */
    fclose(file);
    int count = 0;
    cr_assert(train_log_cut(&log, 9, count_row, &count, &status), "%s", status.message);
    cr_assert_eq(count, 5);
    cr_assert_eq(size_of(path), whole);
    count = 0;
    cr_assert(train_log_cut(&log, 3, count_row, &count, &status));
    cr_assert_eq(count, 3);
    cr_assert_eq(size_of(path), whole / 5 * 3);
    TrainLog foreign = {path, "fedcba9876543210", names, COUNT};
    cr_assert(!train_log_cut(&foreign, 1, NULL, NULL, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert(strstr(status.message, ":1: a row of another training"), "%s", status.message);
    cr_assert_eq(size_of(path), whole / 5 * 3, "the log of another training stays as it is");
    file = fopen(path, "a");
    fputs("something else\n", file);
    fclose(file);
    whole = size_of(path);
    cr_assert(!train_log_cut(&log, 3, NULL, NULL, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert_eq(size_of(path), whole, "a file that is no log stays as it is");
    unlink(path);
}
