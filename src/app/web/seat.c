#include "web/seat.h"

#include "base/json_text.h"
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

/* ---- telling */

static void tell_cells(Piece piece, Rotation rotation, int x, int y, Text *text) {
    const Shape *shape = &piece_shapes[piece][rotation];
    for (int i = 0; i < 4; i++)
        text_format(text, "%s[%d,%d]", i ? "," : "[", x + shape->cells[i].x, y + shape->cells[i].y);
    text_add_char(text, ']');
}

static void tell_placement_cells(Placement at, Text *text) {
    tell_cells((Piece)at.piece, (Rotation)at.rotation, at.x, at.y, text);
}

/* A letter in quotes, or null. */
static void tell_piece(Piece piece, Text *text) {
    if (piece == PIECE_NONE)
        text_add(text, "null");
    else
        text_format(text, "\"%c\"", piece_letters[piece]);
}

static void tell_current(const Live *live, Text *text) {
    const Game *game = &live->game;
    bool running = live->end == LIVE_RUNNING;
    text_add(text, ",\"piece\":");
    tell_piece(running ? (Piece)game->current : PIECE_NONE, text);
    if (!running) {
        text_add(text, ",\"cells\":[],\"ghost\":[]");
        return;
    }
    text_add(text, ",\"cells\":");
    tell_cells((Piece)game->current, (Rotation)game->rotation, game->x, game->y, text);
    text_add(text, ",\"ghost\":");
    tell_placement_cells(game_landing(game), text);
}

static void tell_next(const Game *game, Text *text) {
    text_add(text, ",\"next\":\"");
    for (int i = 0; i < SEAT_NEXT; i++)
        if (game_next(game, i) != PIECE_NONE)
            text_add_char(text, piece_letters[game_next(game, i)]);
    text_add_char(text, '"');
}

static void tell_goal(const Seat *seat, Text *text) {
    PilotGoal goal = {0};
    if (seat->pilot && seat->live.end == LIVE_RUNNING)
        goal = pilot_goal(seat->pilot);
    text_add(text, ",\"goal\":");
    if (goal.known)
        tell_placement_cells(goal.decision.placement, text);
    else
        text_add(text, "null");
}

void seat_tell(const Seat *seat, Text *text) {
    static const char *const ends[] = {"running", "over", "lines", "pieces"};
    const Live *live = &seat->live;
    const Game *game = &live->game;
    text_format(text, "{\"width\":%d,\"height\":%d,\"board\":", game->rules.width,
                game->rules.height);
    int highest = grid_highest(&live->grid);
    json_text_rows(text, &live->grid, highest > game->rules.height ? highest : game->rules.height);
    tell_current(live, text);
    text_add(text, ",\"hold\":");
    tell_piece((Piece)game->hold, text);
    text_format(text, ",\"hold_used\":%s", game->hold_used ? "true" : "false");
    tell_next(game, text);
    text_format(text,
                ",\"score\":%lld,\"lines\":%lld,\"level\":%lld,\"pieces\":%lld,\"ms\":%lld,"
                "\"end\":\"%s\",\"paused\":%s,\"cleared\":%d,\"points\":%lld",
                (long long)game->score, (long long)game->lines, (long long)live_level(live),
                (long long)game->pieces, (long long)(live->time_us / 1000), ends[live->end],
                live->paused ? "true" : "false", live->last.lines, (long long)live->last.points);
    tell_goal(seat, text);
    text_add_char(text, '}');
}

/* JSON has no infinity. */
static void tell_real(double value, Text *text) {
    if (isfinite(value))
        text_format(text, "%.6g", value);
    else
        text_add(text, "null");
}

static void tell_thought(const Thought *thought, const EvaluatorKind *kind, Text *text) {
    text_add(text, "{\"piece\":");
    tell_piece((Piece)thought->decision.placement.piece, text);
    text_format(text, ",\"hold\":%s,\"value\":", thought->decision.hold ? "true" : "false");
    tell_real(thought->value, text);
    text_add(text, ",\"cells\":");
    tell_placement_cells(thought->decision.placement, text);
    text_add(text, ",\"features\":{");
    bool first = true;
    for (int i = 0; i < kind->count; i++) {
        if (thought->features[i] == 0) /* most patterns of an outline are not there */
            continue;
        text_format(text, "%s\"%s\":", first ? "" : ",", kind->names[i]);
        tell_real(thought->features[i], text);
        first = false;
    }
    text_add(text, "}}");
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
    text_format(text, "{\"by\":\"%s\",\"weights\":\"%s\",\"placements\":%d,\"best\":[",
                goes_by(seat), seat->setup.weights ? seat->setup.weights : PILOT_FALLBACK_WEIGHTS,
                thoughts.placements);
    for (int i = 0; i < thoughts.count && i < SEAT_THOUGHTS; i++) {
        if (i > 0)
            text_add_char(text, ',');
        tell_thought(&thoughts.best[i], thoughts.kind, text);
    }
    text_add(text, "]}");
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
    text_add(text, "{\"piece\":");
    tell_piece((Piece)decision.placement.piece, text);
    text_format(text, ",\"hold\":%s,\"cells\":", decision.hold ? "true" : "false");
    if (decision.placement.piece == PIECE_NONE)
        text_add(text, "[]");
    else
        tell_placement_cells(decision.placement, text);
    text_add_char(text, '}');
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

static void tell_sets(const Agent *agent, Text *text) {
    text_add_char(text, '[');
    bool more = false;
    for (int i = 0; agent->weights && i < evaluator_preset_count(); i++) {
        EvaluatorPreset preset = evaluator_preset_at(i);
        if (agent->only_kind && preset.kind != agent->only_kind)
            continue;
        text_format(text, "%s{\"name\":\"%s\",\"kind\":\"%s\"}", more ? "," : "", preset.name,
                    preset.kind->name);
        more = true;
    }
    text_add_char(text, ']');
}

void seat_tell_agents(Text *text) {
    for (int i = 0; i < agent_count(); i++) {
        const Agent *agent = agent_at(i);
        text_format(
            text,
            "%s{\"name\":\"%s\",\"summary\":\"%s\",\"drop\":%s,\"guideline\":%s,"
            "\"drop_first\":%s,\"plans\":%s,\"advises\":%s,\"weights\":",
            i ? "," : "[", agent->name, agent->summary,
            agent->abilities & AGENT_DROP ? "true" : "false",
            agent->abilities & AGENT_GUIDELINE ? "true" : "false",
            agent->abilities & AGENT_DROP_FIRST ? "true" : "false", agent->play ? "true" : "false",
            agent->choose && agent->abilities & AGENT_GUIDELINE && agent->abilities & AGENT_HOLD
                ? "true"
                : "false");
        if (agent->weights)
            json_text_string(text, agent->weights);
        else
            text_add(text, "null");
        json_text_name(text, true, "sets");
        tell_sets(agent, text);
        json_text_name(text, true, "parameters");
        parameters_json(agent->parameters, NULL, text);
        text_add_char(text, '}');
    }
    text_add_char(text, ']');
}

void seat_tell_pieces(uint64_t seed, int count, Text *text) {
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, seed, 0);
    for (int i = 0; i < count && i < SEAT_MAX_PIECES; i++)
        text_add_char(text, piece_letters[randomizer_next(&randomizer)]);
}
