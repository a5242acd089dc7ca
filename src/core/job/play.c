/* play: from the options that were given to a request for player/setup. */
#include "job/play.h"

#include "engine/randomizer.h"
#include "formats/weights.h"
#include "player/registry.h"

#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 1 << 20 };

#define CHOICE(name_, field_, choices_, ...)                                                       \
    {                                                                                              \
        .name = name_, .kind = OPTION_CHOICE, .offset = offsetof(PlayOptions, field_),             \
        .choices = choices_, .argument = "NAME", __VA_ARGS__                                       \
    }
#define INTEGER(name_, field_, min_, max_, ...)                                                    \
    {                                                                                              \
        .name = name_, .kind = OPTION_INTEGER, .offset = offsetof(PlayOptions, field_),            \
        .min = min_, .max = max_, .argument = "N", __VA_ARGS__                                     \
    }

static const Option play_rows[] = {
    CHOICE("rules", rules, RULES_CHOICES,
           .help = "rule set (default: the one that suits the agent)"),
    CHOICE("randomizer", randomizer, RANDOMIZER_CHOICES,
           .help = "source of the pieces (bag; under drop uniform)"),
    INTEGER("preview", preview, 0, AGENT_MAX_PREVIEW,
            .help = "visible next pieces (under guideline 1, bot 5, if the agent uses them; else "
                    "0)"),
    {.name = "hold",
     .kind = OPTION_FLAG,
     .offset = offsetof(PlayOptions, hold),
     .argument = "on|off",
     .help = "whether hold may be used (on under guideline if the agent uses it)"},
    CHOICE("scoring", scoring, SCORING_CHOICES, .fallback = "guideline", .help = "scoring table"),
    INTEGER("width", width, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH, .fallback = "10", .help = "columns"),
    INTEGER("height", height, BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT, .fallback = "20",
            .help = "visible rows"),
};

static const Option player_rows[] = {
    {.name = "param",
     .kind = OPTION_LIST,
     .offset = offsetof(PlayerOptions, parameters),
     .argument = "NAME=VALUE",
     .help = "set a parameter of the named agents; repeatable"},
    {.name = "weights",
     .kind = OPTION_TEXT,
     .offset = offsetof(PlayerOptions, weights),
     .argument = "NAME|FILE",
     .file = OPTION_READS_OR_NAME,
     .help = "a named set of weights, or a file of weights"},
    {.name = "list",
     .kind = OPTION_TEXT,
     .offset = offsetof(PlayerOptions, list),
     .argument = "[FILE|LETTERS]",
     .file = OPTION_READS_OR_NAME,
     .implied = PLAY_LIST_AGENTS,
     .help = "the pieces of randomizer list; without a value: list the agents, their parameters "
             "and the named weights"},
};

const OptionTable play_options = OPTIONS_TABLE(play_rows);
const OptionTable player_options = OPTIONS_TABLE(player_rows);

const char *play_agent_at(int index) {
    return index < agent_count() ? agent_at(index)->name : NULL;
}

bool play_has_parameter(const char *name) {
    for (int i = 0; i < agent_count(); i++)
        if (options_find(agent_at(i)->parameters, name) >= 0)
            return true;
    return false;
}

bool play_read_list(const Question *question, const PlayOptions *play, const char *value,
                    PlayList *list, Status *status) {
    bool named = question_given(question, "randomizer");
    bool wanted = named && play->randomizer == RANDOMIZER_LIST;
    if (!value)
        return !wanted || status_option(status, "randomizer", "list requires the option list");
    if (named && !wanted)
        return status_option(status, "list", "requires randomizer list");
    list->pieces = malloc(LIST_MAX);
    if (!list->pieces)
        return status_no_memory(status);
    int count = pieces_parse(value, list->pieces, LIST_MAX, status);
    if (count < 0)
        return status_prefix_option(status, "list");
    if (count == 0)
        return status_option(status, "list", "there are no pieces in it");
    list->count = (size_t)count;
    return true;
}

SetupGame play_setup_game(const PlayRequest *request) {
    const Question *question = request->question;
    const PlayOptions *play = request->play;
    SetupGame game = SETUP_GAME_DEFAULT;
    if (request->protocol) {
        game.rules = RULES_DROP;
        game.hold = game.preview = 0;
        game.randomizer = RANDOMIZER_BAG;
        game.scoring = SCORING_LOCAL_SEARCH;
    }
    if (request->named && question_given(question, "rules"))
        game.rules = play->rules;
    if (request->named && question_given(question, "hold"))
        game.hold = play->hold;
    if (request->named && question_given(question, "preview"))
        game.preview = (int)play->preview;
    if (question_given(question, "randomizer"))
        game.randomizer = play->randomizer;
    if (!request->protocol || question_given(question, "scoring"))
        game.scoring = play->scoring;
    game.width = (int)play->width;
    game.height = (int)play->height;
    return game;
}

bool play_setup(const PlayRequest *request, Setup *setup, Status *status) {
    SetupGame game = play_setup_game(request);
    SetupAgent asked = {.name = request->agent,
                        .parameters = request->named ? &request->player->parameters : NULL,
                        .bounds = request->question->bounds,
                        .by_rules = request->by_rules};
    const char *wanted = request->named ? request->player->weights : NULL;
    if (!wanted)
        return setup_init(setup, &asked, &game, status);
    /* A file of weights that does not name its features has those of the agent. */
    if (!setup_init(setup, &asked, &game, status))
        return false;
    Evaluator weights = setup->made_for.evaluator;
    setup_release(setup);
    if (!weights_read(wanted, weights.kind, &weights, status))
        return status_prefix_option(status, "weights");
    asked.own_weights = &weights;
    return setup_init(setup, &asked, &game, status);
}
