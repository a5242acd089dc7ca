/* play: from the options that were given to a request for player/setup. */
#include "job/play.h"

#include "engine/randomizer.h"
#include "formats/weights.h"
#include "player/outside/outside.h"
#include "player/registry.h"

#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 1 << 20 };

#define LIST_AGENTS "-" /* the option "list" without a value */

static const Option play_rows[] = {
    OPTION_ROW(PlayOptions, CHOICE, rules, "rules", .choices = RULES_CHOICES, .argument = "NAME",
               .help = "rule set (play: guideline; else the one that suits the agent)"),
    OPTION_ROW(PlayOptions, CHOICE, randomizer, "randomizer", .choices = RANDOMIZER_CHOICES,
               .argument = "NAME",
               .help = "source of the pieces (bag; for agents under drop uniform)"),
    PARAMETER_INTEGER(
        PlayOptions, preview, "preview", NULL, 0, AGENT_MAX_PREVIEW,
        "visible next pieces (play: 5; else 1, bot and programs 5, if the agent uses them "
        "under its rules, or 0)"),
    OPTION_ROW(PlayOptions, FLAG, hold, "hold", .argument = "on|off",
               .help = "whether hold may be used (play: on; else on under guideline if the "
                       "agent uses it)"),
    OPTION_ROW(PlayOptions, CHOICE, kicks, "kicks", .choices = KICKS_CHOICES, .argument = "NAME",
               .fallback = "srs",
               .help = "rotation tests under guideline; srs-plus has 180-degree rotations"),
    OPTION_ROW(PlayOptions, CHOICE, spins, "spins", .choices = SPINS_CHOICES, .argument = "NAME",
               .fallback = "t", .help = "which pieces can spin: T, or all but O"),
    OPTION_ROW(PlayOptions, CHOICE, scoring, "scoring", .choices = SCORING_CHOICES,
               .argument = "NAME", .fallback = "guideline", .help = "scoring table"),
    PARAMETER_INTEGER(PlayOptions, width, "width", "10", BOARD_MIN_WIDTH, BOARD_MAX_WIDTH,
                      "columns"),
    PARAMETER_INTEGER(PlayOptions, height, "height", "20", BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT,
                      "visible rows"),
};

static const Option player_rows[] = {
    OPTION_ROW(PlayerOptions, LIST, parameters, "param", .argument = "NAME=VALUE",
               .help = "set a parameter of the named agents; repeatable"),
    OPTION_ROW(PlayerOptions, TEXT, weights, "weights", .argument = "NAME|FILE",
               .file = OPTION_READS_OR_NAME,
               .help = "a named set of weights, or a file of weights"),
    OPTION_ROW(
        PlayerOptions, TEXT, list, "list", .argument = "[FILE|LETTERS]",
        .file = OPTION_READS_OR_NAME, .implied = LIST_AGENTS,
        .help = "the pieces of randomizer list; without a value: list the agents, their parameters "
                "and the named weights"),
};

const OptionTable play_options = OPTIONS_TABLE(play_rows);
const OptionTable player_options = OPTIONS_TABLE(player_rows);

#define LOCAL_SEARCH_GAME(rows_, scoring_)                                                         \
    {                                                                                              \
        .rules = RULES_DROP, .randomizer = RANDOMIZER_BAG, .scoring = scoring_,                    \
        .width = SETUP_DEFAULT, .height = rows_                                                    \
    }

/* local-search-published follows the published program where it differs from its text, with the
 * height term of the text; docs/AGENTS.md gives the effect of each difference. */
static const PlayProtocol protocols[] = {
    {.name = "local-search",
     .games = 15,
     .pieces = 400,
     .game = LOCAL_SEARCH_GAME(SETUP_DEFAULT, SCORING_LOCAL_SEARCH),
     .agents = {{"hill", "hill", NULL}, {"anneal", "anneal", NULL}, {"genetic", "genetic", NULL}}},
    {.name = "local-search-published",
     .games = 15,
     .pieces = 400,
     .game = LOCAL_SEARCH_GAME(22, SCORING_LOCAL_SEARCH_PUBLISHED),
     .agents = {{"hill", "hill?slide=on&box=on", "local-hill-published"},
                {"anneal", "anneal?slide=on&box=on&redraw=on", "local-hill-published"},
                {"genetic", "genetic?slide=on&box=on&mutants=none&generations=100",
                 "local-genetic-published"}}},
};

const PlayProtocol *play_protocol(int choice) {
    return choice > 0 ? &protocols[choice - 1] : NULL;
}

const char *play_agent_at(int index) {
    return index < agent_count() ? agent_at(index)->name : NULL;
}

OptionTable play_parameters_at(int index) {
    return index < agent_count()    ? agent_at(index)->parameters
           : index == agent_count() ? outside_parameters
                                    : (OptionTable){0};
}

bool play_wants_agents(const char *list) {
    return list && strcmp(list, LIST_AGENTS) == 0;
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
        return status_option(status, "list", "has no pieces");
    list->count = (size_t)count;
    return true;
}

SetupGame play_setup_game(const PlayRequest *request) {
    const Question *question = request->question;
    const PlayOptions *play = request->play;
    SetupGame game = SETUP_GAME_DEFAULT;
    if (request->protocol)
        game = request->protocol->game;
    if (request->named && question_given(question, "rules"))
        game.rules = play->rules;
    if (request->named && question_given(question, "hold"))
        game.hold = play->hold;
    if (request->named && question_given(question, "preview"))
        game.preview = (int)play->preview;
    if (question_given(question, "randomizer"))
        game.randomizer = play->randomizer;
    game.kicks = play->kicks;
    game.all_spin = play->spins == 1;
    if (!request->protocol || question_given(question, "scoring"))
        game.scoring = play->scoring;
    if (!request->protocol || question_given(question, "width"))
        game.width = (int)play->width;
    if (!request->protocol || question_given(question, "height"))
        game.height = (int)play->height;
    return game;
}

bool play_setup(const PlayRequest *request, Setup *setup, Status *status) {
    SetupGame game = play_setup_game(request);
    SetupAgent asked = {.name = request->agent,
                        .weights = request->weights,
                        .parameters = request->named ? &request->player->parameters : NULL,
                        .bounds = request->question->bounds,
                        .recorded = request->recorded};
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
