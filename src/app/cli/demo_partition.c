/*
 * demo_partition: instance, answer, game, files, in this order.
 *
 * Nothing that is shown comes from the construction: the triples and the counts are read back from
 * a replay of the moves, as --check does it with a file.
 */
#include "cli/demo_partition.h"

#include "base/clock.h"
#include "base/json_writer.h"
#include "base/memory.h"
#include "draw/partition_picture.h"
#include "problem/partition_game.h"
#include "system/file.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    CERTIFICATE_LIMIT = 64 << 20,
    DEFAULT_TARGET = 32,
    PRINTED_PIECES = 500 /* longer sequences are only in the JSON */
};

static const Option rows[] = {
    OPTION_ROW(PartitionOptions, TEXT, numbers, "numbers", .argument = "A,B,C,...",
               .only = "partition", .help = "the numbers, three per set, each between T/4 and T/2"),
    OPTION_ROW(PartitionOptions, INTEGER, target, "target", .min = 1, .max = PARTITION_MAX_TARGET,
               .argument = "T", .only = "partition",
               .help = "the sum of each set, even (32 with --sets)"),
    OPTION_ROW(PartitionOptions, INTEGER, sets, "sets", .min = 1, .max = PARTITION_MAX_SETS,
               .argument = "S", .only = "partition", .help = "draw the numbers of S sets"),
    OPTION_ROW(PartitionOptions, FLAG, teaching, "teaching", .only = "partition",
               .help = "one number per set, which gives boards that solve can take"),
    OPTION_ROW(PartitionOptions, TEXT, save, "save", .argument = "FILE", .file = OPTION_WRITES,
               .only = "partition",
               .help = "save the certificate of a yes: the moves of every piece"),
    OPTION_ROW(PartitionOptions, TEXT, svg, "svg", .argument = "FILE", .file = OPTION_WRITES,
               .only = "partition", .help = "draw the boards of the game"),
    OPTION_ROW(PartitionOptions, TEXT, board, "board", .argument = "FILE", .file = OPTION_WRITES,
               .only = "partition", .help = "write the board at the start as text"),
    OPTION_ROW(PartitionOptions, TEXT, check, "check", .argument = "FILE", .file = OPTION_READS,
               .only = "partition", .help = "verify a saved certificate and read the sets from it"),
};
const OptionTable partition_options = OPTIONS_TABLE(rows);

/* One instance with its answer and, for yes, its game. */
typedef struct Case {
    Partition partition;
    PartitionAnswer answer;
    int bucket_of[PARTITION_MAX_NUMBERS];
    PartitionMoves moves;
    PartitionGame *end;
    uint64_t nodes, start_ns;
} Case;

/* ---- the instance */

static bool read_instance(const CliContext *context, const PartitionOptions *options, uint64_t seed,
                          Partition *partition, Status *status) {
    partition->target = (int)options->target;
    partition->per_bucket = options->teaching ? 1 : PARTITION_PER_BUCKET;
    if (options->numbers && options->sets)
        return status_option(status, "sets", "cannot be combined with --numbers");
    if (!options->numbers && !options->sets)
        return status_option(status, "numbers", "partition requires --numbers, --sets or --check");
    if (options->numbers && !cli_given(context, "target"))
        return status_option(status, "target", "required with --numbers");
    if (options->sets && options->teaching)
        return status_option(status, "teaching", "cannot be combined with --sets");
    bool ok = options->numbers ? partition_read(partition, options->numbers, status)
                               : partition_random(partition, (int)options->sets,
                                                  cli_given(context, "target") ? partition->target
                                                                               : DEFAULT_TARGET,
                                                  seed, status);
    return ok && (partition_check(partition, status) ||
                  status_prefix_option(status, options->numbers ? "numbers" : "target"));
}

/* Reads a certificate; a bad one is bad input. */
static bool check_file(const PartitionOptions *options, Case *it, Status *status) {
    size_t length;
    if (options->numbers || options->sets || options->target || options->teaching || options->save)
        return status_option(status, "check", "the instance is in the file: give no other");
    char *json = file_read(options->check, CERTIFICATE_LIMIT, &length, status);
    if (!json)
        return false;
    bool ok = partition_certificate_read(json, length, &it->partition, &it->moves, status) &&
              partition_moves_replay(&it->partition, &it->moves, it->bucket_of, &it->end, status) &&
              partition_verify(&it->partition, it->bucket_of, status);
    free(json);
    it->answer = PARTITION_YES;
    return ok || status_prefix(status, "%s", cli_path_name(options->check));
}

static bool decide(Case *it, ProblemCut cut, Status *status) {
    int found[PARTITION_MAX_NUMBERS];
    it->answer = partition_solve(&it->partition, cut, found, &it->nodes, status);
    if (it->answer != PARTITION_YES)
        return status->code == STATUS_OK;
    return partition_moves_build(&it->partition, found, &it->moves, status) &&
           partition_moves_replay(&it->partition, &it->moves, it->bucket_of, &it->end, status) &&
           partition_verify(&it->partition, it->bucket_of, status);
}

/* ---- files */

static bool write_board(const Partition *partition, const char *path, Status *status) {
    Text text = {0};
    for (int y = partition_rows(partition) - 1; y >= 0; y--) {
        for (int x = 0; x < partition_columns(partition); x++)
            text_add_char(&text, partition_filled(partition, x, y) ? 'G' : '.');
        text_add_char(&text, '\n');
    }
    bool ok =
        text.failed ? status_no_memory(status) : file_replace(path, text.data, text.length, status);
    text_release(&text);
    return ok;
}

static bool save_certificate(const Case *it, const char *path, Status *status) {
    Text json = {0};
    bool ok = partition_certificate_write(&it->partition, &it->moves, &json)
                  ? file_replace(path, json.data, json.length, status)
                  : status_no_memory(status);
    text_release(&json);
    return ok;
}

static bool write_files(const Case *it, const PartitionOptions *options, Status *status) {
    bool yes = it->answer == PARTITION_YES;
    return (!options->board || write_board(&it->partition, options->board, status)) &&
           (!options->svg || partition_picture_write(&it->partition, yes ? &it->moves : NULL,
                                                     options->svg, status)) &&
           (!options->save || !yes || save_certificate(it, options->save, status));
}

/* ---- output */

static void write_sets(JsonWriter *w, const Case *it) {
    jw_array(w, "triples");
    for (int bucket = 0; it->answer == PARTITION_YES && bucket < partition_sets(&it->partition);
         bucket++) {
        jw_array(w, NULL);
        for (int i = 0; i < it->partition.count; i++)
            if (it->bucket_of[i] == bucket)
                jw_integer(w, NULL, it->partition.numbers[i]);
        jw_end(w);
    }
    jw_end(w);
}

static const char *const answers[] = {"no", "yes", "unknown"};

static bool show_json(const Case *it, const char *sequence, Status *status) {
    const Partition *partition = &it->partition;
    JsonWriter w;
    jw_start(&w);
    jw_put(&w, JS("problem", "partition"), JI("target", partition->target),
           JI("per-bucket", partition->per_bucket));
    jw_array(&w, "numbers");
    for (int i = 0; i < partition->count; i++)
        jw_integer(&w, NULL, partition->numbers[i]);
    jw_end(&w);
    jw_put(&w, JS("answer", answers[it->answer]));
    write_sets(&w, it);
    jw_put(&w, JI("columns", partition_columns(partition)), JI("rows", partition_rows(partition)),
           JI("pieces", partition_piece_count(partition)), JS("sequence", sequence));
    if (it->end)
        jw_put(&w, JI("lines", partition_game_lines(it->end)),
               JI("cells", partition_game_cells(it->end)),
               JI("moves", (int64_t)partition_game_steps(it->end)));
    jw_put(&w, JI("nodes", (int64_t)it->nodes), JR("seconds", clock_seconds_since(it->start_ns)));
    return cli_print_json(&w, status);
}

static void show_text(const Case *it, const char *sequence) {
    const Partition *partition = &it->partition;
    for (int i = 0; i < partition->count; i++)
        printf("%s%d", i ? "," : "", partition->numbers[i]);
    printf(" into %d set%s of sum %d: %s\n", partition_sets(partition),
           cli_plural(partition_sets(partition)), partition->target,
           it->answer == PARTITION_UNKNOWN ? "not decided in time" : answers[it->answer]);
    for (int bucket = 0; it->end && bucket < partition_sets(partition); bucket++) {
        const char *plus = "  ";
        for (int i = 0; i < partition->count; i++) {
            if (it->bucket_of[i] != bucket)
                continue;
            printf("%s%d", plus, partition->numbers[i]);
            plus = " + ";
        }
        printf(" = %d\n", partition->target);
    }
    if (partition_piece_count(partition) <= PRINTED_PIECES)
        printf("pieces: %s\n", sequence);
    printf("the game: %d columns, %d rows, %d pieces", partition_columns(partition),
           partition_rows(partition), partition_piece_count(partition));
    if (it->end)
        printf("; %llu moves, %d lines cleared, board empty",
               (unsigned long long)partition_game_steps(it->end), partition_game_lines(it->end));
    else if (it->answer == PARTITION_NO)
        printf("; no sequence of moves empties the board");
    printf("\n");
}

static bool show(const Case *it, const CliCommon *common, Status *status) {
    int count = partition_piece_count(&it->partition);
    uint8_t *pieces = memory_new((size_t)count, 1, status);
    char *sequence = memory_new((size_t)count + 1, 1, status);
    bool ok = pieces && sequence;
    if (ok) {
        partition_pieces(&it->partition, pieces);
        for (int i = 0; i < count; i++)
            sequence[i] = piece_letters[pieces[i]];
        if (common->json)
            ok = show_json(it, sequence, status);
        else
            show_text(it, sequence);
    }
    free(sequence);
    free(pieces);
    return ok;
}

StatusCode demo_partition(const CliContext *context, const PartitionOptions *options,
                          const CliCommon *common, uint64_t seed, ProblemCut cut, Status *status) {
    Case *it = memory_new(1, sizeof *it, status);
    if (!it)
        return status->code;
    it->start_ns = clock_now_ns();
    bool ok = options->check ? check_file(options, it, status)
                             : read_instance(context, options, seed, &it->partition, status) &&
                                   decide(it, cut, status);
    ok = ok && write_files(it, options, status) && show(it, common, status);
    StatusCode code = !ok ? status->code : it->answer == PARTITION_YES ? STATUS_OK : STATUS_UNMET;
    partition_game_free(it->end);
    partition_moves_release(&it->moves);
    free(it);
    return code;
}
