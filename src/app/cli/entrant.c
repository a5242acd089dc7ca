/* entrant: --list, and the setup of one agent; see the header. */
#include "cli/entrant.h"

#include "io/weights_document.h"
#include "system/file.h"

#include <stdio.h>
#include <stdlib.h>

enum { LIST_MAX = 1 << 20 };

bool entrant_read_list(const CliContext *context, const CliPlay *play, const char *value,
                       EntrantList *list, Status *status) {
    bool named = cli_given(context, "randomizer");
    bool wanted = named && play->randomizer == RANDOMIZER_LIST;
    if (!value)
        return !wanted || status_fail(status, STATUS_INPUT,
                                      "--randomizer: list needs --list FILE or --list LETTERS");
    if (named && !wanted)
        return status_fail(status, STATUS_INPUT, "--list: goes with --randomizer list");
    list->pieces = malloc(LIST_MAX);
    if (!list->pieces)
        return status_no_memory(status);
    bool is_file;
    if (!file_exists(value, &is_file, status))
        return false;
    int count = is_file ? cli_read_pieces(value, list->pieces, LIST_MAX, status)
                        : pieces_parse(value, list->pieces, LIST_MAX, status);
    if (count < 0)
        return !is_file && status_prefix(status, "--list");
    if (count == 0)
        return status_fail(status, STATUS_INPUT, "--list: there are no pieces in it");
    list->count = (size_t)count;
    return true;
}

bool entrant_set_up(const EntrantRequest *request, Entrant *entrant, Status *status) {
    SimulateTask *task = &entrant->task;
    Setup *setup = &entrant->setup;
    bool named = request->named;
    SetupGame game = cli_play_game(request->context, request->play, named, request->protocol);
    SetupAgent asked = {.name = request->name,
                        .parameters = named ? &request->options->parameters : NULL,
                        .by_rules = request->by_rules};
    /* A file of weights that does not name its features has those of the agent. */
    const char *wanted = named ? request->options->weights : NULL;
    Evaluator weights = {.kind = NULL};
    if (wanted) {
        if (!setup_init(setup, &asked, &game, status))
            return false;
        weights = setup->made_for.evaluator;
        setup_release(setup);
        if (!weights_find(wanted, weights.kind, &weights, status))
            return status_prefix_option(status, "weights");
        asked.own_weights = &weights;
    }
    if (!setup_init(setup, &asked, &game, status))
        return false;
    simulate_use(task, setup);
    if (request->list->pieces)
        task->randomizer = RANDOMIZER_LIST;
    task->list = request->list->pieces;
    task->list_count = request->list->count;
    entrant->weights = wanted ? wanted : setup->weights;
    snprintf(entrant->label, sizeof entrant->label, "%s%s%s", setup->agent->name, wanted ? " " : "",
             wanted ? wanted : "");
    return true;
}

void entrant_release(Entrant *entrant) {
    setup_release(&entrant->setup);
}
