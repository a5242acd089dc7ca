#include "web/seat.h"

#include "base/json_writer.h"
#include "formats/document.h"
#include "formats/fumen.h"
#include "formats/replay.h"
#include "live/thoughts.h"
#include "player/registry.h"
#include "web/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRESS_US = 60000 };

struct Seat {
    Live live;
    Setup setup; /* its agent is NULL: nobody */
    Replay replay;
    bool lost; /* the game is longer than a replay can be */
    Pilot *pilot;
    void *adviser; /* a player of the same agent, for hints */
    Rng hints;
};

/* ---- from setup to game */

static bool set_agent(Seat *seat, const SeatSetup *asked, Status *status) {
    const Setup *setup = &seat->setup;
    PilotSetup pilot = {
        .player = setup, .seed = asked->seed, .press_us = PRESS_US, .max_pieces = INT64_MAX};
    seat->pilot = pilot_new(&pilot, status);
    if (seat->pilot && setup->agent->choose)
        seat->adviser = setup_player(setup, status);
    return seat->pilot && (!setup->agent->choose || seat->adviser);
}

static bool press(void *context, Game *game, Key key) {
    Seat *seat = context;
    return seat->lost ? game_press(game, key) : replay_press(&seat->replay, game, key);
}

static void place(void *context, Game *game, Placement placement) {
    Seat *seat = context;
    if (seat->lost)
        game_place(game, placement);
    else
        replay_place(&seat->replay, game, false, placement);
}

static void begin_record(Seat *seat, const SeatSetup *setup) {
    Replay *replay = &seat->replay;
    replay_record(replay, &seat->live.game, &seat->live.grid);
    if (setup->seed <= INT64_MAX)
        replay->pieces_seed = (ReplaySeed){true, (int64_t)setup->seed};
    snprintf(replay->title, sizeof replay->title, "%s", setup->person ? "played" : setup->agent);
    seat->live.hooks = (LiveHooks){press, place, seat};
}

/* After every change: the record ends when the game gets too long for it. */
static void bound_record(Seat *seat) {
    if (seat->lost || seat->replay.move_count < REPLAY_MAX_MOVES)
        return;
    replay_release(&seat->replay);
    seat->lost = true;
}

/* An agent plays as in `watch` without further options; beside a person it sees what is shown. */
static bool set_up(Seat *seat, const SeatSetup *asked, Status *status) {
    SetupAgent agent = {.name = asked->agent,
                        .weights = asked->weights,
                        .parameter_lines = asked->parameters,
                        .by_rules = true};
    SetupGame game = SETUP_GAME_DEFAULT;
    game.rules = asked->drop ? RULES_DROP : RULES_GUIDELINE;
    if (asked->person) {
        const Agent *beside = asked->agent ? setup_find(asked->agent, status) : NULL;
        if (asked->agent && !beside)
            return false;
        game.hold = !asked->drop;
        game.preview = beside && !asked->drop && beside->abilities & AGENT_PREVIEW ? SEAT_NEXT : 0;
    }
    Rules rules = {.set = (RuleSet)game.rules,
                   .scoring = SCORING_GUIDELINE,
                   .hold = asked->person && !asked->drop,
                   .width = 10,
                   .height = 20};
    if (asked->agent) {
        if (!setup_init(&seat->setup, &agent, &game, status))
            return false;
        rules = seat->setup.made_for.rules;
    }
    LiveSetup live = {.rules = rules,
                      .max_pieces = INT64_MAX,
                      .max_lines = asked->max_lines > 0 ? asked->max_lines : INT64_MAX};
    randomizer_init(&live.randomizer, asked->randomizer, asked->seed, 0);
    live_init(&seat->live, &live);
    begin_record(seat, asked);
    rng_init(&seat->hints, asked->seed, 2);
    return !asked->agent || set_agent(seat, asked, status);
}

Seat *seat_new(const SeatSetup *setup, Status *status) {
    Seat *seat = calloc(1, sizeof *seat);
    if (!seat) {
        status_no_memory(status);
        return NULL;
    }
    if (set_up(seat, setup, status))
        return seat;
    seat_free(seat);
    return NULL;
}

void seat_free(Seat *seat) {
    if (!seat)
        return;
    pilot_free(seat->pilot);
    setup_release(&seat->setup);
    replay_release(&seat->replay);
    if (seat->adviser)
        seat->setup.agent->free_player(seat->adviser);
    free(seat);
}

/* ---- playing */

static void look_on(Seat *seat) {
    bound_record(seat);
    if (seat->pilot)
        pilot_look_on(seat->pilot, &seat->live);
}

bool seat_press(Seat *seat, Key key) {
    look_on(seat);
    bool done = live_press(&seat->live, key);
    look_on(seat);
    return done;
}

void seat_advance(Seat *seat, int64_t microseconds, bool agent) {
    if (agent && seat->pilot)
        pilot_advance(seat->pilot, &seat->live, microseconds);
    else
        live_advance(&seat->live, microseconds);
    look_on(seat);
}

void seat_step(Seat *seat) {
    if (seat->pilot && seat->live.end == LIVE_RUNNING)
        pilot_step(seat->pilot, &seat->live);
    bound_record(seat);
}

void seat_pause(Seat *seat, bool paused) {
    seat->live.paused = paused;
}

bool seat_needs_plan(const Seat *seat) {
    return seat->pilot && pilot_needs_plan(seat->pilot);
}

bool seat_plan(Seat *seat, Status *status) {
    return !seat_needs_plan(seat) ||
           pilot_plan(seat->pilot, &seat->live.game, SEAT_PLAN, NULL, status);
}

/* ---- the state as JSON */

static void write_current(JsonWriter *w, const Live *live) {
    const Game *game = &live->game;
    Placement now = {game->current, game->rotation, game->x, game->y, SPIN_NONE};
    Placement ghost = {.piece = PIECE_NONE};
    if (live->end == LIVE_RUNNING)
        ghost = game_landing(game);
    else
        now.piece = PIECE_NONE;
    document_write_piece(w, "piece", (Piece)now.piece);
    document_write_cells(w, "cells", now);
    document_write_cells(w, "ghost", ghost);
}

void seat_tell(const Seat *seat, Text *text) {
    static const char *const ends[] = {"running", "over", "lines", "pieces"};
    const Live *live = &seat->live;
    const Game *game = &live->game;
    int highest = grid_highest(&live->grid);
    JsonWriter w;
    jw_init(&w, text);
    jw_object(&w, NULL);
    jw_put(&w, JI("width", game->rules.width), JI("height", game->rules.height));
    jw_array(&w, "board");
    for (int y = highest > game->rules.height ? highest : game->rules.height; y-- > 0;)
        jw_stringn(&w, NULL, live->grid.cells[y], live->grid.width);
    jw_end(&w);
    write_current(&w, live);
    document_write_piece(&w, "hold", (Piece)game->hold);
    jw_bool(&w, "hold_used", game->hold_used);
    char next[SEAT_NEXT];
    size_t count = 0;
    for (int i = 0; i < SEAT_NEXT; i++)
        if (game_next(game, i) != PIECE_NONE)
            next[count++] = piece_letters[game_next(game, i)];
    jw_stringn(&w, "next", next, count);
    jw_put(&w, JI("score", game->score), JI("lines", game->lines), JI("level", live_level(live)),
           JI("pieces", game->pieces), JI("ms", (int64_t)(live->time_us / 1000)),
           JS("end", ends[live->end]), JB("paused", live->paused), JI("cleared", live->last.lines),
           JI("points", live->last.points));
    PilotGoal goal = {0};
    if (seat->pilot && live->end == LIVE_RUNNING)
        goal = pilot_goal(seat->pilot);
    if (goal.known)
        document_write_cells(&w, "goal", goal.decision.placement);
    else
        jw_null(&w, "goal");
    jw_end(&w);
}

/* Six digits are enough to look at. */
static void write_short(JsonWriter *w, const char *name, double value) {
    char digits[32];
    if (isfinite(value))
        jw_raw(w, name, digits, (size_t)snprintf(digits, sizeof digits, "%.6g", value));
    else
        jw_null(w, name);
}

static void write_thought(JsonWriter *w, const Thought *thought, const EvaluatorKind *kind) {
    jw_object(w, NULL);
    document_write_piece(w, "piece", (Piece)thought->decision.placement.piece);
    jw_bool(w, "hold", thought->decision.hold);
    write_short(w, "value", thought->value);
    document_write_cells(w, "cells", thought->decision.placement);
    jw_object(w, "features");
    for (int i = 0; i < kind->count; i++)
        if (thought->features[i] != 0) /* most patterns of a surface are not there */
            write_short(w, kind->names[i], thought->features[i]);
    jw_end(w);
    jw_end(w);
}

/* What the agent itself goes by, which the thoughts need not be. */
static const char *goes_by(const Seat *seat) {
    if (pilot_follows_plan(seat->pilot, &seat->live.game))
        return "plan";
    return seat->setup.weights                             ? "weights"
           : seat->setup.agent->abilities & AGENT_SEARCHES ? "search"
                                                           : "chance";
}

void seat_tell_thoughts(Seat *seat, Text *text) {
    if (!seat->pilot || seat->live.end != LIVE_RUNNING) {
        text_add(text, "null");
        return;
    }
    Thoughts thoughts;
    look_on(seat);
    thoughts_of(pilot_view(seat->pilot), pilot_evaluator(seat->pilot), &thoughts);
    JsonWriter w;
    jw_init(&w, text);
    jw_object(&w, NULL);
    jw_put(&w, JS("by", goes_by(seat)),
           JS("weights", seat->setup.weights ? seat->setup.weights : PILOT_FALLBACK_WEIGHTS),
           JI("placements", thoughts.placements));
    jw_array(&w, "best");
    for (int i = 0; i < thoughts.count && i < SEAT_THOUGHTS; i++)
        write_thought(&w, &thoughts.best[i], thoughts.kind);
    jw_end(&w);
    jw_end(&w);
}

void seat_tell_hint(Seat *seat, Text *text) {
    Move decision = {.placement.piece = PIECE_NONE};
    if (seat->adviser && seat->live.end == LIVE_RUNNING) {
        look_on(seat);
        decision = seat->setup.agent->choose(seat->adviser, pilot_view(seat->pilot), &seat->hints);
    }
    if (decision.placement.piece == PIECE_NONE && !decision.hold) {
        text_add(text, "null");
        return;
    }
    JsonWriter w;
    jw_init(&w, text);
    jw_object(&w, NULL);
    document_write_piece(&w, "piece", (Piece)decision.placement.piece);
    jw_bool(&w, "hold", decision.hold);
    document_write_cells(&w, "cells", decision.placement);
    jw_end(&w);
}

/* ---- saving */

/* The record with its end. What was still to come is taken out again: the game goes on. */
static bool finished_record(Seat *seat, bool (*tell)(const Replay *, Text *, Status *), Text *text,
                            Status *status) {
    if (seat->lost)
        return status_fail(status, STATUS_INPUT, "the game has more than %d moves",
                           REPLAY_MAX_MOVES);
    Replay *replay = &seat->replay;
    size_t pieces = replay->piece_count;
    replay_finish(replay, &seat->live.game);
    bool ok = tell(replay, text, status);
    replay->piece_count = pieces;
    return ok;
}

static bool tell_fumen(const Replay *replay, Text *text, Status *status) {
    DecodeStep *steps = calloc(replay->move_count + 1, sizeof *steps);
    if (!steps)
        return status_no_memory(status);
    Game end;
    bool ok = replay_play(replay, true, steps, &end, status);
    int count = ok ? (int)end.pieces : 0;
    if (ok && !fumen_fits(&replay->start, steps, count))
        ok = status_fail(status, STATUS_INPUT, "the game does not fit a fumen");
    ok = ok && fumen_write_game(&replay->start, steps, count, NULL, text, status);
    free(steps);
    return ok;
}

bool seat_tell_replay(Seat *seat, Text *text, Status *status) {
    return finished_record(seat, replay_write, text, status);
}

bool seat_tell_fumen(Seat *seat, Text *text, Status *status) {
    return finished_record(seat, tell_fumen, text, status);
}

/* ---- what there is */

static void write_sets(JsonWriter *w, const Agent *agent) {
    jw_array(w, "sets");
    for (int i = 0; agent->weights && i < evaluator_preset_count(); i++) {
        EvaluatorPreset preset = evaluator_preset_at(i);
        if (agent->only_kind && preset.kind != agent->only_kind)
            continue;
        jw_object(w, NULL);
        jw_put(w, JS("name", preset.name), JS("kind", preset.kind->name));
        jw_end(w);
    }
    jw_end(w);
}

void seat_tell_agents(Text *text) {
    JsonWriter w;
    jw_init(&w, text);
    jw_array(&w, NULL);
    for (int i = 0; i < agent_count(); i++) {
        const Agent *agent = agent_at(i);
        unsigned can = agent->abilities;
        jw_object(&w, NULL);
        jw_put(&w, JS("name", agent->name), JS("summary", agent->summary),
               JB("drop", can & AGENT_DROP), JB("guideline", can & AGENT_GUIDELINE),
               JB("drop_first", can & AGENT_DROP_FIRST), JB("plans", agent->play),
               JB("advises", agent->choose && can & AGENT_GUIDELINE && can & AGENT_HOLD),
               JS("weights", agent->weights));
        write_sets(&w, agent);
        parameters_json(&w, "parameters", agent->parameters, NULL);
        jw_end(&w);
    }
    jw_end(&w);
}

void seat_tell_pieces(uint64_t seed, int count, Text *text) {
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, seed, 0);
    for (int i = 0; i < count && i < SEAT_MAX_PIECES; i++)
        text_add_char(text, piece_letters[randomizer_next(&randomizer)]);
}
