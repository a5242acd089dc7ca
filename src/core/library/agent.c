/*
 * agent: the agent of tetropt.h.
 *
 * A player is made for rules and a preview; it is kept from turn to turn and made anew only when a
 * game with others comes. Options change what the next player is made of, so setting one drops the
 * player.
 */
#include "library/handles.h"
#include "simulate/play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DECISIONS_STREAM = 1 }; /* as in a simulation, where stream 0 draws the pieces */

typedef struct AgentOptions {
    const char *agent, *weights;
    OptionList parameters;
    int64_t seed;
} AgentOptions;

struct tetropt_agent {
    Question *question;          /* about AgentOptions */
    const AgentOptions *options; /* its values */
    Status status;               /* of the last call that failed */
    bool has_own;                /* weights by tetropt_agent_set_weights */
    Evaluator own;
    Rng rng;
    Setup setup;  /* of the player */
    Rules rules;  /* of the game that the player was made for */
    void *player; /* NULL: to be made */
};

static const Option rows[] = {
    OPTION_ROW(AgentOptions, TEXT, agent, "agent", .fallback = "weighted"),
    OPTION_ROW(AgentOptions, TEXT, weights, "weights", .fallback = NULL),
    OPTION_ROW(AgentOptions, LIST, parameters, "param", .argument = "NAME=VALUE"),
    PARAMETER_INTEGER(AgentOptions, seed, "seed", "0", 0, 9.2e18, NULL),
};

tetropt_agent *tetropt_agent_new(void) {
    tetropt_agent *agent = calloc(1, sizeof *agent);
    if (!agent)
        return NULL;
    agent->question = question_new((OptionTable)OPTIONS_TABLE(rows), sizeof(AgentOptions), NULL);
    if (!agent->question) {
        free(agent);
        return NULL;
    }
    agent->options = agent->question->values;
    rng_init(&agent->rng, 0, DECISIONS_STREAM);
    return agent;
}

static void drop_player(tetropt_agent *agent) {
    if (agent->player)
        agent->setup.agent->free_player(agent->player);
    agent->player = NULL;
    setup_release(&agent->setup);
}

void tetropt_agent_free(tetropt_agent *agent) {
    if (!agent)
        return;
    drop_player(agent);
    question_free(agent->question);
    free(agent);
}

const char *tetropt_agent_message(const tetropt_agent *agent) {
    return agent ? agent->status.message : HANDLE_NULL;
}

/* Checks "NAME=VALUE&NAME=VALUE..." of the parameters of an agent. */
static bool check_parameters(const Agent *agent, const char *pairs, Status *status) {
    Parameters parameters;
    parameters_init(&parameters, agent->name, agent->parameters);
    bool ok = parameters_set_all(&parameters, pairs, '&', status);
    parameters_release(&parameters);
    return ok;
}

/* What only the agent knows about a value that is not empty; handle_set checks the rest. */
static bool check_value(tetropt_agent *agent, const char *option, const char *value) {
    Status *status = &agent->status;
    Evaluator evaluator;
    if (strcmp(option, "agent") == 0) {
        const char *query = strchr(value, '?');
        const Agent *found = setup_find(value, option, status);
        return found && (!query || check_parameters(found, query + 1, status));
    }
    if (strcmp(option, "weights") == 0 && !evaluator_from_preset(&evaluator, value))
        return status_fail(status, STATUS_INPUT, "weights: unknown weights '%.100s'", value);
    return strcmp(option, "param") != 0 ||
           check_parameters(setup_find(agent->options->agent, option, NULL), value, status);
}

int tetropt_agent_set(tetropt_agent *agent, const char *option, const char *value) {
    if (!agent)
        return TETROPT_INPUT;
    if (option && value && *value && !check_value(agent, option, value))
        return (int)agent->status.code;
    int code = handle_set(agent->question, option, value, &agent->status);
    if (code != TETROPT_OK)
        return code;
    if (strcmp(option, "agent") == 0) /* the parameters were another's */
        question_set(agent->question, "param", "", NULL);
    if (strcmp(option, "weights") == 0)
        agent->has_own = false;
    if (strcmp(option, "seed") == 0)
        rng_init(&agent->rng, (uint64_t)agent->options->seed, DECISIONS_STREAM);
    drop_player(agent);
    return TETROPT_OK;
}

int tetropt_agent_set_weights(tetropt_agent *agent, const char *kind, const double *weights,
                              int count) {
    if (!agent)
        return TETROPT_INPUT;
    const EvaluatorKind *found = kind ? evaluator_kind_find(kind) : NULL;
    if (!found)
        return HANDLE_FAIL(agent, STATUS_INPUT, "weights: unknown kind of features '%.100s'",
                           kind ? kind : "");
    if (count != found->count)
        return HANDLE_FAIL(agent, STATUS_INPUT, "weights: %s takes %d of them, not %d", kind,
                           found->count, count);
    if (!weights)
        return HANDLE_FAIL(agent, STATUS_INPUT, "weights: is NULL");
    for (int i = 0; i < count; i++)
        if (!isfinite(weights[i]))
            return HANDLE_FAIL(agent, STATUS_INPUT, "weights: number %d is not finite", i);
    evaluator_init(&agent->own, found, weights);
    agent->has_own = true;
    drop_player(agent);
    return TETROPT_OK;
}

bool agent_setup(const tetropt_agent *agent, const Rules *rules, int preview, Setup *setup,
                 Status *status) {
    const AgentOptions *options = agent->options;
    SetupAgent asked = {.name = options->agent,
                        .weights = options->weights,
                        .own_weights = agent->has_own ? &agent->own : NULL,
                        .parameters = &options->parameters};
    SetupGame game = {.rules = (int)rules->set,
                      .hold = rules->hold,
                      .preview = preview,
                      .randomizer = SETUP_DEFAULT,
                      .scoring = (int)rules->scoring,
                      .width = rules->width,
                      .height = rules->height,
                      .bonus = rules->bonus,
                      .rotate180 = rules->rotate180,
                      .kicks = (int)rules->kicks,
                      .all_spin = rules->all_spin,
                      .shared = true};
    return setup_init(setup, &asked, &game, status);
}

static bool same_rules(const Rules *a, const Rules *b) {
    return a->set == b->set && a->scoring == b->scoring && a->bonus == b->bonus &&
           a->hold == b->hold && rules_moves(a) == rules_moves(b) && a->width == b->width &&
           a->height == b->height;
}

/* Makes a player for the rules of the game, unless there is one. */
static bool prepare(tetropt_agent *agent, const tetropt_game *game) {
    Status *status = &agent->status;
    if (!game)
        return status_fail(status, STATUS_INPUT, "game: is NULL");
    if (!game->started)
        return status_fail(status, STATUS_INPUT, "game: is not started");
    if (agent->player && same_rules(&agent->rules, &game->game.rules) &&
        (agent->setup.preview == game->watcher.preview ||
         !(agent->setup.agent->abilities & AGENT_PREVIEW)))
        return true;
    drop_player(agent);
    if (!agent_setup(agent, &game->game.rules, game->watcher.preview, &agent->setup, status))
        return false;
    agent->rules = game->game.rules;
    agent->player = setup_player(&agent->setup, status);
    return agent->player != NULL;
}

/* What the agent may see: not the hold and the queue if it does not use them. */
static void look(const tetropt_agent *agent, Watcher *watcher, const Game *game, int64_t locks_left,
                 AgentView *view) {
    watcher_look(watcher, game, locks_left, view);
    view->rules = &agent->setup.made_for.rules;
    view->can_hold = view->can_hold && view->rules->hold;
    if (view->queue_count > agent->setup.preview) {
        view->queue_count = (uint8_t)agent->setup.preview;
        view->queue_ends = false;
    }
}

/* The agent may hold for a piece that it does not see yet; then it is asked again. */
static Move decide(tetropt_agent *agent, const tetropt_game *from, int64_t locks_left) {
    Game game = from->game;
    Watcher watcher = from->watcher;
    const Agent *kind = agent->setup.agent;
    AgentView view;
    look(agent, &watcher, &game, locks_left, &view);
    Move decision = kind->choose(agent->player, &view, &agent->rng);
    if (decision.placement.piece != PIECE_NONE)
        return decision;
    game_press(&game, KEY_HOLD);
    bool held = game.over == OVER_NOT;
    if (!held) { /* what came has no room: then without hold */
        game = from->game;
        watcher = from->watcher;
    }
    look(agent, &watcher, &game, locks_left, &view);
    view.can_hold = false;
    decision = kind->choose(agent->player, &view, &agent->rng);
    decision.hold = held;
    return decision;
}

static int choose(tetropt_agent *agent, const tetropt_game *game, int64_t locks_left,
                  tetropt_placement *placement) {
    if (!prepare(agent, game))
        return (int)agent->status.code;
    if (!agent->setup.agent->choose)
        return HANDLE_FAIL(agent, STATUS_INPUT, "%s: plays whole games, not single pieces",
                           agent->setup.agent->name);
    if (game->game.over != OVER_NOT)
        return HANDLE_FAIL(agent, STATUS_UNMET, "game: is over");
    Move decision = decide(agent, game, locks_left);
    *placement = placement_out(decision.placement, decision.hold);
    return TETROPT_OK;
}

int tetropt_agent_choose(tetropt_agent *agent, const tetropt_game *game,
                         tetropt_placement *placement) {
    if (!agent)
        return TETROPT_INPUT;
    if (!placement)
        return HANDLE_FAIL(agent, STATUS_INPUT, "placement: is NULL");
    return choose(agent, game, INT64_MAX, placement);
}

static int play_by_choice(tetropt_agent *agent, tetropt_game *game, int64_t pieces,
                          tetropt_watch *watch, void *context) {
    while (game->game.over == OVER_NOT && game->game.pieces < pieces) {
        tetropt_placement placement;
        int64_t left = pieces == INT64_MAX ? INT64_MAX : pieces - game->game.pieces;
        int code = choose(agent, game, left, &placement);
        if (code != TETROPT_OK)
            return code;
        if (tetropt_game_place(game, &placement) != TETROPT_OK)
            return HANDLE_FAIL(agent, STATUS_INPUT, "%s", tetropt_game_message(game));
        if (watch && watch(context, game) != 0)
            break;
    }
    return TETROPT_OK;
}

/* An agent that plays whole games leaves the board and the counts as they ended, but not the queue.
 * So its pieces are drawn again, each dropped onto an empty board, where it can end nothing. */
static void take_over(tetropt_game *game, const Game *played) {
    Game *now = &game->game;
    while (now->pieces < played->pieces && now->over == OVER_NOT) {
        board_init(&now->board, now->rules.width, now->rules.height);
        game_press(now, KEY_HARD_DROP);
        game_look(game);
    }
    now->board = played->board;
    now->chain = played->chain;
    now->score = played->score;
    now->lines = played->lines;
    now->pieces = played->pieces;
    now->peak_rows = played->peak_rows;
    memcpy(now->clears, played->clears, sizeof now->clears);
    memcpy(now->spins, played->spins, sizeof now->spins);
    now->over = played->over;
}

static int play_at_once(tetropt_agent *agent, tetropt_game *game, int64_t pieces,
                        tetropt_watch *watch, void *context) {
    const Agent *kind = agent->setup.agent;
    Status *status = &agent->status;
    if (game->game.pieces > 0)
        return HANDLE_FAIL(agent, STATUS_INPUT, "%s: plays from the first piece on", kind->name);
    AgentLimits limits = {pieces, INT64_MAX, UINT64_MAX, NULL};
    Game played = game->game;
    if (!kind->play(agent->player, &played, &limits, &agent->rng, NULL, status))
        return (int)status->code;
    take_over(game, &played);
    if (watch)
        watch(context, game);
    return TETROPT_OK;
}

int tetropt_agent_play(tetropt_agent *agent, tetropt_game *game, int64_t pieces,
                       tetropt_watch *watch, void *context) {
    if (!agent)
        return TETROPT_INPUT;
    if (pieces < 0)
        return HANDLE_FAIL(agent, STATUS_INPUT, "pieces: less than none");
    if (!prepare(agent, game))
        return (int)agent->status.code;
    if (pieces == 0)
        pieces = INT64_MAX;
    return agent->setup.agent->choose ? play_by_choice(agent, game, pieces, watch, context)
                                      : play_at_once(agent, game, pieces, watch, context);
}
