/*
 * instances: the benchmark: lists and shows its instances, and verifies solutions to them.
 *
 * Nothing that a file says about its fitness is believed: `check` plays the solution by the rules.
 */
#include "base/memory.h"
#include "base/similar.h"
#include "cli/cli.h"
#include "formats/document.h"
#include "formats/solution.h"
#include "problem/instances.h"
#include "system/file.h"
#include "term/board_view.h"
#include "term/eval_view.h"
#include "term/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DOCUMENT_LIMIT = 16 << 20, LETTERS_BYTES = EVAL_MAX_QUEUE + 1 };

typedef struct InstancesSettings {
    CliCommon common;
    bool all;
} InstancesSettings;

static const Option list_rows[] = {
    OPTION_ROW(InstancesSettings, FLAG, all, "all",
               .help = "list every instance, not one row per family"),
    OPTIONS_INCLUDE(InstancesSettings, common, cli_common_options),
};

/* What `show` and `check` need; large. */
typedef struct InstancesWork {
    const InstancesSettings *settings;
    EvalRequest request;
    EvalSolution solution;
    EvalResult result;
    Move moves[INSTANCE_MOVES_MAX];
    char letters[LETTERS_BYTES];
} InstancesWork;

/* ---- list */

static bool list_json(const char *prefix, Status *status) {
    JsonWriter json;
    jw_start(&json);
    instances_write(&json, prefix);
    return cli_print_json(&json, status);
}

static void list_instances(const char *prefix, Text *text) {
    static const TableColumn columns[] = {{"instance", true, 0}, {"placements", false, 0},
                                          {"width", false, 0},   {"best known", false, 0},
                                          {"bound", false, 0},   {"gap", false, 0},
                                          {"encoding", true, 0}};
    Table table;
    table_init(&table, columns, 7);
    for (int i = 0; i < instances_count(); i++) {
        BenchInstance instance = instances_at(i);
        if (!instance_has_prefix(&instance, prefix))
            continue;
        table_cell(&table, "%s", instance.name);
        table_cell(&table, "%d", instance.placements);
        table_cell(&table, "%d", instance.width);
        table_cell(&table, "%g", instance.best);
        table_cell(&table, "%g", instance.bound);
        if (instance.optimal)
            table_cell(&table, "optimal");
        else
            table_cell(&table, "%g", instance.bound - instance.best);
        table_cell(&table, "%s", encoding_names[instance_encoding(&instance)]);
    }
    table_print(&table, cli_columns(STDOUT_FILENO), text);
}

static void range_cell(Table *table, int least, int most) {
    if (least == most)
        table_cell(table, "%d", least);
    else
        table_cell(table, "%d-%d", least, most);
}

static void list_families(Text *text) {
    static const TableColumn columns[] = {{"family", true, 0},      {"instances", false, 0},
                                          {"placements", false, 0}, {"width", false, 0},
                                          {"proved", false, 0},     {"mean gap", false, 0}};
    Table table;
    table_init(&table, columns, 6);
    int count = instances_count(), proved = 0;
    for (int i = 0; i < count;) {
        BenchInstance first = instances_at(i), instance = first;
        int members = 0, optimal = 0, least = first.placements, most = least;
        int narrowest = first.width, widest = narrowest;
        double gaps = 0;
        while (i < count) {
            instance = instances_at(i);
            if (instance.family != first.family ||
                strncmp(instance.name, first.name, (size_t)first.family) != 0)
                break;
            members++;
            optimal += instance.optimal;
            gaps += instance.bound - instance.best;
            least = instance.placements < least ? instance.placements : least;
            most = instance.placements > most ? instance.placements : most;
            narrowest = instance.width < narrowest ? instance.width : narrowest;
            widest = instance.width > widest ? instance.width : widest;
            i++;
        }
        proved += optimal;
        table_cell(&table, "%.*s", first.family, first.name);
        table_cell(&table, "%d", members);
        range_cell(&table, least, most);
        range_cell(&table, narrowest, widest);
        table_cell(&table, "%d", optimal);
        table_cell(&table, "%.2f", gaps / members);
    }
    table_print(&table, cli_columns(STDOUT_FILENO), text);
    text_format(text, "\n%d instances, %d with a proved optimum (version %s)\n", count, proved,
                INSTANCES_VERSION);
}

static bool list(const InstancesSettings *settings, const char *prefix, Status *status) {
    bool any = false;
    for (int i = 0; !any && i < instances_count(); i++) {
        BenchInstance instance = instances_at(i);
        any = instance_has_prefix(&instance, prefix);
    }
    if (!any)
        return instances_unknown(prefix, status) || status_prefix(status, "instances");
    if (settings->common.json)
        return list_json(prefix, status);
    Text text = {0};
    if (prefix || settings->all)
        list_instances(prefix, &text);
    else
        list_families(&text);
    return cli_print_text(&text, status);
}

/* ---- show */

static void letters_of(InstancesWork *work) {
    for (int i = 0; i < work->request.piece_count; i++)
        work->letters[i] = piece_letters[work->request.pieces[i]];
    work->letters[work->request.piece_count] = '\0';
}

static bool show(InstancesWork *work, const BenchInstance *instance, Status *status) {
    if (!instance_play_best(instance, &work->request, work->moves, &work->result, status))
        return false;
    letters_of(work);
    if (work->settings->common.json) {
        JsonWriter json;
        jw_start(&json);
        /* A solve document, which eval, replay and solve --start read. */
        solution_write_result(&json, &work->result);
        jw_put(&json, JS("algorithm", "best known"), JS("instance", instance->name),
               JS("version", INSTANCES_VERSION), JR("best", instance->best),
               JR("bound", instance->bound), JB("optimal", instance->optimal));
        memcpy(work->solution.moves, work->moves, sizeof work->moves);
        solution_write(&json, &work->request, &work->solution, &work->result);
        return cli_print_json(&json, status);
    }
    bool color = cli_use_color(&work->settings->common, STDOUT_FILENO);
    Text text = {0};
    if (grid_highest(&work->request.grid) > 0) {
        text_add(&text, "board\n");
        board_view_draw(&work->request.grid, BOARD_VIEW_LEAST_ROWS, color, &text);
        text_add_char(&text, '\n');
    }
    eval_view_steps(&work->request, &work->result, cli_columns(STDOUT_FILENO), color, &text);
    text_format(&text, "%s (%s): place %d of the pieces %s on %d x %d\n", instance->name,
                INSTANCES_VERSION, instance->placements, work->letters, instance->width,
                instance->height);
    text_format(&text, "best known %g, found with the encoding %s\n", instance->best,
                encoding_names[instance_encoding(instance)]);
    if (instance->optimal)
        text_format(&text, "proved optimal\n");
    else
        text_format(&text, "bound %g, gap %g\n", instance->bound, instance->bound - instance->best);
    return cli_print_text(&text, status);
}

/* ---- check */

/* Plays every best-known solution of the table. */
static bool check_table(InstancesWork *work, Status *status) {
    int count = instances_count(), proved = 0;
    for (int i = 0; i < count; i++) {
        BenchInstance instance = instances_at(i);
        if (!instance_play_best(&instance, &work->request, work->moves, &work->result, status))
            return status_prefix(status, "%s", instance.name);
        if (work->result.fitness != instance.best || instance.best > instance.bound ||
            instance.optimal != (instance.best == instance.bound))
            return status_fail(status, STATUS_INPUT,
                               "%s: its best-known solution has %g, the table says %g of at most "
                               "%g",
                               instance.name, work->result.fitness, instance.best, instance.bound);
        proved += instance.optimal;
    }
    if (!work->settings->common.json) {
        printf("%d best-known solutions are right, %d of them proved optimal (%s)\n", count, proved,
               INSTANCES_VERSION);
        return true;
    }
    JsonWriter json;
    jw_start(&json);
    jw_put(&json, JS("version", INSTANCES_VERSION), JI("instances", count), JI("proved", proved));
    return cli_print_json(&json, status);
}

/* The instance whose problem the request is; -1: none. */
static int instance_of(const EvalRequest *request) {
    for (int i = 0; i < instances_count(); i++) {
        BenchInstance instance = instances_at(i);
        if (instance.placements == request->placements && instance_is(&instance, request))
            return i;
    }
    return -1;
}

static bool check_document(InstancesWork *work, const char *text, size_t length, Status *status) {
    if (!solution_read(text, length, NULL, &work->request, &work->solution, status))
        return false;
    int index = instance_of(&work->request);
    if (index < 0)
        return status_fail(status, STATUS_INPUT,
                           "its pieces, placements and board are not those of an instance");
    if (!instance_rules_ok(&work->request.rules))
        return status_fail(status, STATUS_INPUT,
                           "the benchmark requires game-over on and no "
                           "points for a perfect clear");
    if (!eval_run(&work->request, &work->solution, &fitness_profiles[PROFILE_BLOCKS], &work->result,
                  status))
        return false;
    BenchInstance instance = instances_at(index);
    double fitness = work->result.fitness, gap = instance.bound - fitness;
    bool better = fitness > instance.best;
    if (work->settings->common.json) {
        JsonWriter json;
        jw_start(&json);
        jw_put(&json, JS("instance", instance.name), JR("fitness", fitness),
               JR("best", instance.best), JR("bound", instance.bound), JR("gap", gap),
               JB("optimal", fitness >= instance.bound), JB("better", better));
        return cli_print_json(&json, status);
    }
    printf("%s: fitness %g, best known %g, gap to the bound %g%s%s\n", instance.name, fitness,
           instance.best, gap, better ? ", better than the best known" : "",
           gap <= 0 ? ", optimal" : "");
    return true;
}

static bool check_file(InstancesWork *work, const char *path, Status *status) {
    size_t length;
    char *text = file_read(path, DOCUMENT_LIMIT, &length, status);
    bool ok = text && (check_document(work, text, length, status) ||
                       status_prefix(status, "%s", cli_path_name(path)));
    free(text);
    return ok;
}

/* ---- the command */

static bool run_words(InstancesWork *work, const OptionsWords *words, Status *status) {
    const char *what = words->count > 0 ? words->items[0] : NULL;
    const char *word = words->count > 1 ? words->items[1] : NULL;
    if (!what)
        return status_fail(status, STATUS_INPUT,
                           "instances: missing subcommand (list, show, check)");
    if (work->settings->all && strcmp(what, "list") != 0)
        return status_option(status, "all", "is an option of list");
    if (strcmp(what, "list") == 0)
        return list(work->settings, word, status);
    if (strcmp(what, "check") == 0)
        return word ? check_file(work, word, status) : check_table(work, status);
    if (strcmp(what, "show") != 0) {
        Similar similar = similar_to(what);
        char hint[SIMILAR_HINT_BYTES];
        similar_try(&similar, "list"), similar_try(&similar, "show"),
            similar_try(&similar, "check");
        return status_fail(status, STATUS_INPUT, "instances: unknown subcommand '%.40s'%s", what,
                           similar_hint(&similar, hint));
    }
    if (!word)
        return status_fail(status, STATUS_INPUT, "instances: show requires a name");
    int index = instances_find(word);
    if (index < 0)
        return instances_unknown(word, status) || status_prefix(status, "instances");
    BenchInstance instance = instances_at(index);
    return show(work, &instance, status);
}

static StatusCode run_instances(CliContext *context, const void *given, Status *status) {
    if (!cli_words_at_most(context, 2, status))
        return status->code;
    InstancesWork *work = memory_new(1, sizeof *work, status);
    if (!work)
        return status->code;
    work->settings = given;
    bool ok = run_words(work, &context->words, status);
    free(work);
    return ok ? STATUS_OK : status->code;
}

const Command cmd_instances = {
    .name = "instances",
    .arguments = "list [FAMILY] | show NAME | check [FILE]",
    .summary = "the benchmark: named problems with best-known solutions",
    .description =
        "Lists the instances of the benchmark, shows one with its best-known solution, or verifies "
        "a solution: check plays the solve document, eval document or replay in FILE, finds the "
        "instance by its pieces and board, and prints the gap to the proved bound. Without FILE "
        "it verifies the table of best-known solutions. `solve --instance NAME` solves one.",
    .examples = "  tetropt instances list\n"
                "  tetropt instances list bag-20\n"
                "  tetropt instances show cheese-4-001\n"
                "  tetropt instances check\n",
    .options = OPTIONS_TABLE(list_rows),
    .settings_bytes = sizeof(InstancesSettings),
    .run = run_instances,
};
