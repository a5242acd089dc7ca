/*
 * session: a live game with a pilot (live/pilot) for the agent, a second player of the same agent
 * for hints, and a replay of every key.
 */
#include "web/session.h"

#include "base/json_writer.h"
#include "formats/document.h"
#include "formats/fumen.h"
#include "formats/replay.h"
#include "formats/weights.h"
#include "live/thoughts.h"
#include "match/race.h"
#include "player/registry.h"
#include "web/parameters.h"
#include "web/position.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRESS_US = 60000 };

struct WebSession {
    Live live;
    Setup setup; /* its agent is NULL: none */
    uint8_t
        *pieces; /* of a game that starts from a position; NULL: they come from the randomizer */
    Replay replay;
    bool lost; /* the game is longer than a replay can be */
    RaceSide side;
    Pilot *pilot;
    void *adviser; /* a player of the same agent, for hints */
    Rng hints;
};

/* ---- from setup to game */

static bool set_agent(WebSession *session, const WebSessionSetup *asked, Status *status) {
    const Setup *setup = &session->setup;
    PilotSetup pilot = {.player = setup,
                        .seed = asked->seed,
                        .press_us = PRESS_US,
                        .max_pieces = INT64_MAX,
                        .waiting = &session->side.waiting};
    session->pilot = pilot_new(&pilot, status);
    if (session->pilot && setup->agent->choose)
        session->adviser = setup_player(setup, status);
    return session->pilot && (!setup->agent->choose || session->adviser);
}

static bool press(void *context, Game *game, Key key) {
    WebSession *session = context;
    return session->lost ? game_press(game, key) : replay_press(&session->replay, game, key);
}

static void place(void *context, Game *game, Placement placement) {
    WebSession *session = context;
    if (session->lost)
        game_place(game, placement);
    else
        replay_place(&session->replay, game, false, placement);
}

/* ---- a race */

static void rise(void *context, Game *game, const uint8_t *holes, int count) {
    WebSession *session = context;
    if (session->lost)
        game_rise(game, holes, count);
    else
        replay_rise(&session->replay, game, holes, count);
}

static void locked(void *context, Live *live) {
    WebSession *session = context;
    race_locked(&session->side, live);
}

int web_session_take_sent(WebSession *session) {
    return race_take_sent(&session->side);
}

void web_session_receive(WebSession *session, int rows) {
    race_receive(&session->side, rows);
}

static void begin_record(WebSession *session, const WebSessionSetup *setup) {
    Replay *replay = &session->replay;
    replay_record(replay, &session->live.game, &session->live.grid);
    if (setup->seed <= INT64_MAX)
        replay->pieces_seed = (ReplaySeed){true, (int64_t)setup->seed};
    snprintf(replay->title, sizeof replay->title, "%s", setup->person ? "played" : setup->agent);
    session->live.hooks = (LiveHooks){
        .press = press, .place = place, .rise = rise, .locked = locked, .context = session};
}

/* After every change: the record ends when the game gets too long for it. */
static void bound_record(WebSession *session) {
    if (session->lost || session->replay.move_count < REPLAY_MAX_MOVES)
        return;
    replay_release(&session->replay);
    session->lost = true;
}

/* The rules are those of the setup; the board and the pieces those of the position, if any. */
static bool start_game(WebSession *session, const WebSessionSetup *asked, const Rules *rules,
                       const Position *position, Status *status) {
    LiveSetup live = {.rules = *rules,
                      .start = position ? &position->start : NULL,
                      .drop_points = rules->bonus,
                      .max_pieces = INT64_MAX,
                      .max_lines = asked->max_lines > 0 ? asked->max_lines : INT64_MAX};
    randomizer_init(&live.randomizer, asked->randomizer, asked->seed, 0);
    if (position) {
        size_t count;
        session->pieces = position_list(position, asked->seed, &count, status);
        if (!session->pieces)
            return false;
        randomizer_init_list(&live.randomizer, session->pieces, count);
    }
    live_init(&session->live, &live);
    if (position && rules->hold) {
        session->live.game.hold = position->hold;
        session->live.game.hold_used = session->live.held = position->hold_used;
    }
    begin_record(session, asked);
    return true;
}

/* An agent plays as in `watch` without further options; beside a person it sees what is shown. */
static bool set_up(WebSession *session, const WebSessionSetup *asked, Status *status) {
    SetupAgent agent = {.name = asked->agent,
                        .weights = asked->weights,
                        .parameter_lines = asked->parameters,
                        .recorded = true};
    SetupGame game = SETUP_GAME_DEFAULT;
    game.rules = asked->drop ? RULES_DROP : RULES_GUIDELINE;
    if (asked->person) {
        const Agent *beside = asked->agent ? setup_find(asked->agent, "agent", status) : NULL;
        if (asked->agent && !beside)
            return false;
        game.hold = !asked->drop;
        game.preview =
            beside && !asked->drop && beside->abilities & AGENT_PREVIEW ? WEB_SESSION_NEXT : 0;
    }
    Position position;
    bool placed = asked->position && asked->position[0];
    if (placed && !position_read(&position, asked->position, status))
        return false;
    Rules rules = {.set = (RuleSet)game.rules,
                   .scoring = SCORING_GUIDELINE,
                   .hold = asked->person && !asked->drop,
                   .width = placed ? position.start.width : 10,
                   .height = placed ? position.start.height : 20};
    if (placed) {
        game.width = rules.width;
        game.height = rules.height;
    }
    if (asked->agent) {
        Evaluator trained;
        if (asked->weights && asked->weights[0] == '{') {
            if (!weights_read(asked->weights, NULL, &trained, status))
                return false;
            agent.weights = NULL;
            agent.own_weights = &trained;
        }
        if (!setup_init(&session->setup, &agent, &game, status))
            return false;
        if (agent.own_weights)
            session->setup.weights = "the given weights";
        rules = session->setup.made_for.rules;
    }
    /* A person plays as in `play`. */
    rules.bonus = rules.rotate180 = asked->person && rules.set == RULES_GUIDELINE;
    if (!start_game(session, asked, &rules, placed ? &position : NULL, status))
        return false;
    rng_init(&session->hints, asked->seed, 2);
    if (!race_init(&session->side, asked->seed, status))
        return false;
    return !asked->agent || set_agent(session, asked, status);
}

WebSession *web_session_new(const WebSessionSetup *setup, Status *status) {
    WebSession *session = calloc(1, sizeof *session);
    if (!session) {
        status_no_memory(status);
        return NULL;
    }
    if (set_up(session, setup, status))
        return session;
    web_session_free(session);
    return NULL;
}

void web_session_free(WebSession *session) {
    if (!session)
        return;
    pilot_free(session->pilot);
    setup_release(&session->setup);
    replay_release(&session->replay);
    if (session->adviser)
        session->setup.agent->free_player(session->adviser);
    free(session->pieces);
    free(session);
}

/* ---- playing */

static void look_on(WebSession *session) {
    bound_record(session);
    if (session->pilot)
        pilot_look_on(session->pilot, &session->live);
}

bool web_session_press(WebSession *session, Key key) {
    look_on(session);
    bool done = live_press(&session->live, key);
    look_on(session);
    return done;
}

void web_session_advance(WebSession *session, int64_t microseconds, bool agent) {
    if (agent && session->pilot)
        pilot_advance(session->pilot, &session->live, microseconds);
    else
        live_advance(&session->live, microseconds);
    look_on(session);
}

void web_session_step(WebSession *session) {
    if (session->pilot && session->live.end == LIVE_RUNNING)
        pilot_step(session->pilot, &session->live);
    bound_record(session);
}

void web_session_pause(WebSession *session, bool paused) {
    session->live.paused = paused;
}

bool web_session_needs_plan(const WebSession *session) {
    return session->pilot && pilot_needs_plan(session->pilot);
}

bool web_session_plan(WebSession *session, Status *status) {
    return !web_session_needs_plan(session) ||
           pilot_plan(session->pilot, &session->live.game, WEB_SESSION_PLAN, NULL, status);
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

void web_session_write(const WebSession *session, Text *text) {
    static const char *const ends[] = {"running", "over", "lines", "pieces", "fault", "won"};
    const Live *live = &session->live;
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
    char next[WEB_SESSION_NEXT];
    size_t count = 0;
    for (int i = 0; i < WEB_SESSION_NEXT; i++)
        if (game_next(game, i) != PIECE_NONE)
            next[count++] = piece_letters[game_next(game, i)];
    jw_stringn(&w, "next", next, count);
    jw_put(&w, JI("score", live_score(live)), JI("drop_points", live->drop_points),
           JI("lines", game->lines), JI("level", live_level(live)), JI("pieces", game->pieces),
           JI("ms", (int64_t)(live->time_us / 1000)), JS("end", ends[live->end]),
           JB("paused", live->paused), JI("cleared", live->last.lines),
           JI("points", live->last.points), JS("spin", spin_names[live->last.placement.spin]),
           JI("combo", live->last.combo), JB("chained", live->last.chained),
           JB("empty", highest == 0), JI("attack", session->side.attack),
           JI("waiting", session->side.waiting));
    PilotGoal goal = {0};
    if (session->pilot && live->end == LIVE_RUNNING)
        goal = pilot_goal(session->pilot);
    if (goal.known)
        document_write_cells(&w, "goal", goal.decision.placement);
    else
        jw_null(&w, "goal");
    jw_end(&w);
}

/* Six digits are enough for display. */
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
static const char *goes_by(const WebSession *session) {
    if (pilot_follows_plan(session->pilot, &session->live.game))
        return "plan";
    return session->setup.weights                             ? "weights"
           : session->setup.agent->abilities & AGENT_SEARCHES ? "search"
                                                              : "chance";
}

void web_session_write_thoughts(WebSession *session, Text *text) {
    if (!session->pilot || session->live.end != LIVE_RUNNING) {
        text_add(text, "null");
        return;
    }
    Thoughts thoughts;
    look_on(session);
    thoughts_of(pilot_view(session->pilot), pilot_evaluator(session->pilot), &thoughts);
    JsonWriter w;
    jw_init(&w, text);
    jw_object(&w, NULL);
    jw_put(&w, JS("by", goes_by(session)),
           JS("weights", session->setup.weights ? session->setup.weights : PILOT_FALLBACK_WEIGHTS),
           JI("placements", thoughts.placements));
    jw_array(&w, "best");
    for (int i = 0; i < thoughts.count && i < WEB_SESSION_THOUGHTS; i++)
        write_thought(&w, &thoughts.best[i], thoughts.kind);
    jw_end(&w);
    jw_end(&w);
}

void web_session_write_hint(WebSession *session, Text *text) {
    Move decision = {.placement.piece = PIECE_NONE};
    if (session->adviser && session->live.end == LIVE_RUNNING) {
        look_on(session);
        decision = session->setup.agent->choose(session->adviser, pilot_view(session->pilot),
                                                &session->hints);
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
    write_short(&w, "value", web_session_value(session, decision));
    document_write_cells(&w, "cells", decision.placement);
    jw_end(&w);
}

double web_session_value(WebSession *session, Move move) {
    Placement at = move.placement;
    if (!session->pilot || session->live.end != LIVE_RUNNING || at.piece >= PIECE_COUNT)
        return NAN;
    const Board *board = &session->live.game.board;
    const Shape *shape = &piece_shapes[at.piece][at.rotation % ROTATION_COUNT];
    if (at.y + shape->min_y < 0 || at.y + shape->max_y >= board_rows(board) ||
        !board_fits(board, (Piece)at.piece, (Rotation)(at.rotation % ROTATION_COUNT), at.x, at.y))
        return NAN;
    look_on(session);
    return thoughts_evaluate(pilot_view(session->pilot), pilot_evaluator(session->pilot), move)
        .value;
}

/* ---- saving */

/* The record with its end. What was still to come is taken out again: the game continues. */
static bool finished_record(WebSession *session, bool (*write)(const Replay *, Text *, Status *),
                            Text *text, Status *status) {
    if (session->lost)
        return status_fail(status, STATUS_INPUT, "the game has more than %d moves",
                           REPLAY_MAX_MOVES);
    Replay *replay = &session->replay;
    size_t pieces = replay->piece_count;
    replay_finish(replay, &session->live.game);
    bool ok = write(replay, text, status);
    replay->piece_count = pieces;
    return ok;
}

static bool write_fumen(const Replay *replay, Text *text, Status *status) {
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

bool web_session_write_replay(WebSession *session, Text *text, Status *status) {
    return finished_record(session, replay_write, text, status);
}

bool web_session_write_fumen(WebSession *session, Text *text, Status *status) {
    return finished_record(session, write_fumen, text, status);
}

/* ---- state */

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

void web_session_write_agents(Text *text) {
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

void web_session_write_pieces(uint64_t seed, int count, Text *text) {
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, seed, 0);
    for (int i = 0; i < count && i < WEB_SESSION_MAX_PIECES; i++)
        text_add_char(text, piece_letters[randomizer_next(&randomizer)]);
}
