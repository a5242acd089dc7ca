/*
 * bench: runs a fixed benchmark; prints a checksum of the results and the throughput. The checksum
 * is the same on every machine, compiler and CPU level.
 */
#include "base/cpu.h"
#include "base/json_writer.h"
#include "base/units.h"
#include "cli/bench_rows.h"
#include "cli/progress.h"
#include "system/stop.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = OPTION_LIST_MAX };

typedef struct BenchSettings {
    CliCommon common;
    bool quick, signature_only, list;
    OptionList only;
    int64_t threads;
} BenchSettings;

static const Option bench_options[] = {
    OPTION_ROW(BenchSettings, FLAG, list, "list", .help = "list what is measured"),
    OPTION_ROW(BenchSettings, LIST, only, "only", .argument = "NAME",
               .help = "measure only this row of the list; repeatable"),
    OPTION_ROW(BenchSettings, FLAG, quick, "quick", .help = "less work, the same signature"),
    OPTION_ROW(BenchSettings, FLAG, signature_only, "signature-only",
               .help = "print the signature and nothing else"),
    PARAMETER_INTEGER(BenchSettings, threads, "threads", "1", 1, POOL_MAX_THREADS,
                      "decode genotypes on this many threads"),
    OPTIONS_INCLUDE(BenchSettings, common, cli_common_options),
};

/* The rows to measure and their numbers. */
typedef struct BenchResult {
    unsigned long long signature;
    const BenchRow *rows[MOST_ROWS];
    double values[MOST_ROWS];
    int count;
} BenchResult;

static bool choose_rows(const BenchSettings *settings, BenchResult *result, Status *status) {
    const BenchRow *row;
    if (settings->signature_only)
        return true;
    for (int i = 0; settings->only.count == 0 && (row = bench_row_at(i)); i++)
        result->rows[result->count++] = row;
    for (int i = 0; i < settings->only.count; i++) {
        if (!(row = bench_row_find(settings->only.items[i], status)))
            return false;
        result->rows[result->count++] = row;
    }
    return true;
}

/* Measures until all rows are done or a signal comes. */
static bool measure(const BenchSettings *settings, BenchResult *result, Status *status) {
    ProgressLine progress;
    progress_init(&progress, &settings->common, 0, 0, false);
    /* JSON readers keep 53 bits exactly. */
    result->signature = bench_signature(status) >> 12;
    for (int i = 0; status->code == STATUS_OK && i < result->count && !atomic_load(stop_flag());
         i++) {
        if (progress_due(&progress))
            progress_show(&progress, (double)i / result->count, result->rows[i]->name);
        result->values[i] = bench_row_measure(result->rows[i], settings->quick,
                                              (unsigned)settings->threads, status);
    }
    progress_end(&progress);
    progress_release(&progress);
    return status->code == STATUS_OK;
}

/* Placements evaluated per piece of the drop player, on average: each piece is equally likely. */
static const double placements_a_piece = (17 + 9 + 34 + 34 + 34 + 17 + 17) / 7.0;

static bool print_json(const BenchResult *result, int64_t threads, Status *status) {
    JsonWriter w;
    jw_start(&w);
    jw_integer(&w, "signature", (int64_t)result->signature);
    for (int group = 0; group < BENCH_GROUPS; group++) {
        jw_object(&w, bench_group_names[group]);
        for (int i = 0; i < result->count; i++) {
            const BenchRow *row = result->rows[i];
            if ((int)row->group != group)
                continue;
            jw_put(&w, JR(row->member, result->values[i]));
            if (strcmp(row->name, "drop") == 0)
                jw_put(&w,
                       JR("drop_placements_per_second", result->values[i] * placements_a_piece));
        }
        jw_end(&w);
    }
    jw_put(&w, JS("cpu", cpu_level_names[cpu_level()]), JI("threads", threads));
    return cli_print_json(&w, status);
}

static void print_lines(const BenchResult *result) {
    printf("%-16s %llu\n", "signature", result->signature);
    printf("%-16s %s\n", "CPU level", cpu_level_names[cpu_level()]);
    for (int i = 0; i < result->count; i++) {
        const BenchRow *row = result->rows[i];
        double value = result->values[i];
        char ratio[32];
        snprintf(ratio, sizeof ratio, "%.2f times", value);
        printf("%-16s %10s  %s\n", row->name,
               row->group == BENCH_MILLISECONDS ? units_time(value * 1e-3).text
               : row->group == BENCH_RATIO      ? ratio
                                                : units_rate(value).text,
               row->meaning);
    }
}

static void print_list(void) {
    const BenchRow *row;
    for (int i = 0; (row = bench_row_at(i)); i++)
        printf("%-16s %s\n", row->name, row->meaning);
}

static StatusCode run_bench(CliContext *context, const void *given, Status *status) {
    const BenchSettings *settings = given;
    BenchResult result = {0};
    if (!cli_words_at_most(context, 0, status) || !choose_rows(settings, &result, status))
        return status->code;
    if (settings->list) {
        print_list();
        return status->code;
    }
    if (!measure(settings, &result, status))
        return status->code;
    if (atomic_load(stop_flag())) {
        cli_interrupted(context, NULL);
        return STATUS_INTERRUPTED;
    }
    if (settings->common.json)
        print_json(&result, settings->threads, status);
    else if (settings->signature_only)
        printf("%llu\n", result.signature);
    else
        print_lines(&result);
    return status->code;
}

const Command cmd_bench = {
    .name = "bench",
    .arguments = "[OPTIONS]",
    .summary = "run a fixed benchmark: a checksum of the results, and rates",
    .description =
        "Runs a fixed benchmark and prints an integer signature of everything that was computed; "
        "it is the same for every compiler, optimisation level and CPU. Then it prints the rates, "
        "each the best of several rounds on one thread, and how many times as fast two threads are "
        "as one.",
    .interrupted = "interrupted; nothing is kept",
    .examples = "  tetropt bench --json  # takes a minute\n"
                "  tetropt bench --list\n"
                "  tetropt bench --quick --only perft-14 --only threads-ga\n"
                "  tetropt bench --signature-only\n"
                "  TETROPT_CPU=baseline tetropt bench --quick\n",
    .options = OPTIONS_TABLE(bench_options),
    .settings_bytes = sizeof(BenchSettings),
    .run = run_bench,
};
