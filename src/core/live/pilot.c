/*
 * pilot: decide, find keys, press, in this order below (`prepare` is the policy of one press).
 *
 * Invariant: `decided` is false, or `keys` lead from the present state to `goal` unless gravity has
 * overtaken them, which is checked before every press.
 */
#include "live/pilot.h"

#include "base/memory.h"
#include "live/steer.h"
#include "live/thoughts.h"
#include "movegen/path.h"
#include "movegen/reach.h"
#include "player/view.h"

#include <math.h>
#include <stdlib.h>

enum {
    MINDS_MAX = 12, /* changes of mind in a turn, after which the piece is dropped where it is */
    KEYS_MAX = (int)PATH_KEYS_MAX + (int)STEER_POSITIONS /* room for either, and hold before it */
};

struct Pilot {
    const Agent *agent;
    void *player;
    Evaluator evaluator;
    int64_t press_us, max_pieces; /* see PilotSetup */
    const int *waiting;
    Rng rng;
    Watcher watcher;
    AgentView view;
    int64_t looked;  /* the turn that `view` shows; -1: none yet */
    int64_t next_us; /* of the next press, in the game's time */
    /* Of the present turn. */
    bool decided;
    int64_t turn; /* pieces placed before it */
    Move goal;
    bool overtaken;
    int minds; /* decisions and changes of way so far */
    uint8_t keys[KEYS_MAX];
    int key_count, key_next;
    /* Of agents that play whole games. */
    AgentRecord plan;
    bool plan_broken; /* the game went another way */
    PathScratch scratch;
    Steer steer;
    Placement landings[REACH_MAX];
};

Pilot *pilot_new(const PilotSetup *setup, Status *status) {
    Pilot *pilot = memory_new(1, sizeof *pilot, status);
    if (!pilot)
        return NULL;
    pilot->agent = setup->player->agent;
    pilot->press_us = setup->press_us > 0 ? setup->press_us : 1;
    pilot->next_us = pilot->press_us;
    pilot->max_pieces = setup->max_pieces;
    pilot->waiting = setup->waiting;
    pilot->evaluator = setup->player->made_for.evaluator;
    pilot->looked = -1;
    if (!pilot->agent->weights)
        evaluator_from_preset(&pilot->evaluator, PILOT_FALLBACK_WEIGHTS);
    rng_init(&pilot->rng, setup->seed, 1);
    watcher_init(&pilot->watcher, setup->player->preview);
    pilot->player = setup_player(setup->player, status);
    if (!pilot->player) {
        free(pilot);
        return NULL;
    }
    agent_begin(pilot->agent, pilot->player);
    return pilot;
}

void pilot_free(Pilot *pilot) {
    if (!pilot)
        return;
    pilot->agent->free_player(pilot->player);
    free(pilot->plan.moves);
    free(pilot);
}

bool pilot_needs_plan(const Pilot *pilot) {
    return pilot->agent->play && !pilot->plan.moves;
}

bool pilot_plan(Pilot *pilot, const Game *game, int64_t pieces, const atomic_bool *stop,
                Status *status) {
    pilot->plan = (AgentRecord){.capacity = pieces};
    pilot->plan.moves = malloc((size_t)pieces * sizeof *pilot->plan.moves);
    if (!pilot->plan.moves)
        return status_no_memory(status);
    Game copy = *game;
    AgentLimits limits = {
        .pieces = pieces, .lines = INT64_MAX, .deadline_ns = UINT64_MAX, .stop = stop};
    return pilot->agent->play(pilot->player, &copy, &limits, &pilot->rng, &pilot->plan, status);
}

/* ---- deciding */

void pilot_look_on(Pilot *pilot, Live *live) {
    const Game *game = &live->game;
    if (live->end != LIVE_RUNNING)
        return;
    if (pilot->looked == game->pieces && pilot->view.current == game->current &&
        pilot->view.hold == game->hold)
        return;
    pilot->looked = game->pieces;
    watcher_look(&pilot->watcher, game,
                 pilot->max_pieces == INT64_MAX ? INT64_MAX : pilot->max_pieces - game->pieces,
                 &pilot->view);
    if (pilot->waiting) /* as the rules of races say */
        pilot->view.garbage = (AgentGarbage){.waiting = *pilot->waiting,
                                             .due = *pilot->waiting,
                                             .countering = true,
                                             .blocking = true};
}

bool pilot_follows_plan(const Pilot *pilot, const Game *game) {
    return !pilot->plan_broken && game->pieces < pilot->plan.count;
}

/* The decision of the plan for this turn, if it fits the pieces at hand. */
static bool planned(const Pilot *pilot, const Game *game, Move *decision) {
    if (!pilot_follows_plan(pilot, game))
        return false;
    *decision = pilot->plan.moves[game->pieces];
    Piece piece = decision->hold ? game_hold_brings(game) : (Piece)game->current;
    const Placement *at = &decision->placement;
    return piece == at->piece && piece != PIECE_NONE &&
           board_fits(&game->board, piece, (Rotation)at->rotation, at->x, at->y);
}

static Move by_weights(Pilot *pilot) {
    Thoughts thoughts;
    thoughts_of(&pilot->view, &pilot->evaluator, &thoughts);
    return thoughts.count > 0 ? thoughts.best[0].decision : (Move){.placement.piece = PIECE_NONE};
}

static Move ask(Pilot *pilot, Live *live) {
    Move decision;
    pilot_look_on(pilot, live);
    if (pilot->agent->choose)
        return pilot->agent->choose(pilot->player, &pilot->view, &pilot->rng);
    if (planned(pilot, &live->game, &decision))
        return decision;
    pilot->plan_broken = true;
    return by_weights(pilot);
}

/* ---- finding keys */

/* Rows that the piece falls from one press to the next, for sure. */
static int fall_rows(const Pilot *pilot, const Live *live) {
    int64_t rows = pilot->press_us / live_gravity_us(live);
    return rows > BOARD_MAX_ROWS ? BOARD_MAX_ROWS : (int)rows;
}

/* True when the keys that are left, pressed now, end in the cells of the goal. A soft drop that
 * would collide is skipped; every other press must do something. */
static bool keys_lead_there(const Pilot *pilot, const Live *live) {
    Live copy = *live;
    copy.hooks = (LiveHooks){0};
    int fall = fall_rows(pilot, live);
    for (int i = pilot->key_next; i < pilot->key_count; i++) {
        Key key = (Key)pilot->keys[i];
        if (key == KEY_HARD_DROP)
            return placement_same_cells(game_landing(&copy.game), pilot->goal.placement);
        if (!live_press(&copy, key) && key != KEY_SOFT_DROP)
            return false;
        for (int row = 0; row < fall; row++)
            game_press(&copy.game, KEY_SOFT_DROP);
        if (copy.end != LIVE_RUNNING)
            return false;
    }
    return false;
}

static void set_key(Pilot *pilot, Key key) {
    pilot->keys[0] = (uint8_t)key;
    pilot->key_count = 1;
    pilot->key_next = 0;
}

/* The agent's own way: from the spawn, turning first; only where nothing has happened yet. */
static bool find_path(Pilot *pilot, const Live *live) {
    if (live->game.rules.set != RULES_GUIDELINE)
        return false;
    int first = 0;
    if (pilot->goal.hold)
        pilot->keys[first++] = KEY_HOLD;
    int count =
        path_turn_first(&pilot->view.columns, pilot->goal.placement, rules_moves(&live->game.rules),
                        &pilot->scratch, pilot->keys + first);
    if (count < 0)
        return false;
    pilot->key_count = first + count;
    pilot->key_next = 0;
    return keys_lead_there(pilot, live);
}

/* Looks where the piece can get to from where it is, falling while it moves. */
static void flood(Pilot *pilot, const Live *live) {
    bool straight = live->game.rules.set == RULES_DROP;
    steer_flood(&pilot->steer, &live->game, fall_rows(pilot, live), straight);
}

/* The keys to the goal from wherever the piece is. `flood` was here. */
static bool find_flooded_way(Pilot *pilot) {
    int count = steer_keys(&pilot->steer, pilot->goal.placement, pilot->keys);
    if (count < 0)
        return false;
    pilot->key_count = count;
    pilot->key_next = 0;
    return true;
}

static bool find_way(Pilot *pilot, const Live *live) {
    flood(pilot, live);
    return find_flooded_way(pilot);
}

/* Keys to the goal. A hold is pressed first and by itself; the path is searched after it. */
static bool find_keys(Pilot *pilot, const Live *live) {
    if (find_path(pilot, live))
        return true;
    if (!pilot->goal.hold)
        return find_way(pilot, live);
    if (game_hold_brings(&live->game) != pilot->goal.placement.piece)
        return false;
    set_key(pilot, KEY_HOLD);
    return true;
}

/* The best of what can still be reached; what locks out only where there is nothing else. */
static void take_best_left(Pilot *pilot, const Live *live) {
    flood(pilot, live);
    int count = steer_landings(&pilot->steer, pilot->landings, REACH_MAX);
    double best = 0;
    for (int i = 0; i < count; i++) {
        Move decision = {pilot->landings[i], false};
        Thought thought = thoughts_evaluate(&pilot->view, &pilot->evaluator, decision);
        bool dead = reach_locks_out(&pilot->view.columns, decision.placement);
        double value = dead ? -INFINITY : thought.value;
        if (i > 0 && value <= best)
            continue;
        best = value;
        pilot->goal = decision;
    }
    if (!find_flooded_way(pilot))
        set_key(pilot, KEY_HARD_DROP);
}

/* ---- flying */

static void decide(Pilot *pilot, Live *live) {
    if (pilot->turn != live->game.pieces) {
        pilot->turn = live->game.pieces;
        pilot->minds = 0;
        pilot->overtaken = false;
    }
    pilot->decided = true;
    if (pilot->minds++ >= MINDS_MAX) {
        set_key(pilot, KEY_HARD_DROP);
        return;
    }
    pilot->goal = ask(pilot, live);
    if (pilot->goal.placement.piece == PIECE_NONE) {
        /* Hold, and search again; or nothing can be done at all. */
        if (!pilot->goal.hold && pilot->agent->fault && pilot->agent->fault(pilot->player))
            live->end = LIVE_FAULT;
        set_key(pilot, pilot->goal.hold ? KEY_HOLD : KEY_HARD_DROP);
        return;
    }
    if (find_keys(pilot, live))
        return;
    pilot->overtaken = true;
    if (pilot_follows_plan(pilot, &live->game))
        pilot->key_count = pilot->key_next = 0; /* see place_planned */
    else
        take_best_left(pilot, live);
}

/* The lock delay ends before the next press: the piece would lock short of its place. */
static bool lock_is_near(const Pilot *pilot, const Live *live) {
    return live_grounded(live) && live->lock_us + pilot->press_us >= LIVE_LOCK_US;
}

/* Makes sure that the next key is the right one. */
static void prepare(Pilot *pilot, Live *live) {
    if (pilot->turn != live->game.pieces || pilot->key_next >= pilot->key_count)
        pilot->decided = false;
    if (!pilot->decided) {
        decide(pilot, live);
        return;
    }
    bool whole_way = pilot->keys[pilot->key_count - 1] == KEY_HARD_DROP && pilot->minds < MINDS_MAX;
    if (!whole_way || keys_lead_there(pilot, live))
        return;
    /* Overtaken: another way to the same goal, or another goal. */
    pilot->minds++;
    if (!pilot->goal.hold && find_way(pilot, live))
        return;
    decide(pilot, live);
}

/* A plan that was followed to its end ends the game. */
static bool plan_is_over(const Pilot *pilot, const Live *live) {
    return pilot->plan.moves && !pilot->plan_broken && live->game.pieces >= pilot->plan.count;
}

/* A placement of the plan that no keys lead to any more is made at once. */
static bool place_planned(Pilot *pilot, Live *live) {
    if (!pilot_follows_plan(pilot, &live->game) || pilot->goal.hold ||
        (pilot->key_next < pilot->key_count && !lock_is_near(pilot, live)))
        return false;
    pilot->key_next = pilot->key_count;
    live_place(live, pilot->goal.placement);
    return true;
}

static void press_next(Pilot *pilot, Live *live) {
    if (plan_is_over(pilot, live)) {
        live->end = LIVE_PIECES;
        return;
    }
    prepare(pilot, live);
    if (live->end != LIVE_RUNNING || place_planned(pilot, live))
        return;
    while (pilot->key_next < pilot->key_count) {
        Key key = (Key)pilot->keys[pilot->key_next++];
        if (key == KEY_HOLD)
            pilot->goal.hold = false; /* done; what follows is about the piece it brings */
        bool done = live_press(live, key);
        /* A soft drop that gravity has made already takes no time. */
        if (done || key != KEY_SOFT_DROP)
            return;
    }
}

static bool flies(const Live *live) {
    return live->end == LIVE_RUNNING && !live->paused;
}

void pilot_advance(Pilot *pilot, Live *live, int64_t microseconds) {
    while (microseconds > 0 && flies(live)) {
        int64_t until = pilot->next_us - live->time_us;
        if (until > microseconds) {
            live_advance(live, microseconds);
            return;
        }
        int64_t before = live->time_us;
        if (until > 0)
            live_advance(live, until);
        microseconds -= live->time_us - before;
        if (!flies(live))
            return;
        press_next(pilot, live);
        pilot->next_us += pilot->press_us;
    }
}

void pilot_step(Pilot *pilot, Live *live) {
    int64_t until = pilot->next_us - live->time_us;
    bool paused = live->paused;
    live->paused = false;
    pilot_advance(pilot, live, until > 0 ? until : 1);
    live->paused = paused;
}

void pilot_take(Pilot *pilot, const Live *live) {
    pilot->decided = false;
    pilot->key_count = pilot->key_next = 0;
    pilot->minds = 0;
    if (pilot->next_us < live->time_us)
        pilot->next_us = live->time_us;
}

PilotGoal pilot_goal(const Pilot *pilot) {
    bool known =
        pilot->decided && pilot->turn == pilot->looked && pilot->goal.placement.piece != PIECE_NONE;
    return (PilotGoal){known, pilot->goal, pilot->key_count - pilot->key_next, pilot->overtaken};
}

const char *pilot_fault(const Pilot *pilot) {
    return agent_fault(pilot->agent, pilot->player);
}

const AgentView *pilot_view(const Pilot *pilot) {
    return &pilot->view;
}

const Evaluator *pilot_evaluator(const Pilot *pilot) {
    return &pilot->evaluator;
}
