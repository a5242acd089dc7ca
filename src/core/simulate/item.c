/* item: plays a game or a stream of games of a task; see the header. */
#include "simulate/item.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIECE_STREAM = 0,
    DECISION_STREAM = 1,
    STREAM_CHUNK = 1 << 16 /* pieces between two looks at the clock */
};

void simulate_pieces(const SimulateTask *task, int64_t index, Randomizer *randomizer) {
    uint64_t offset = task->same_pieces ? 0 : (uint64_t)index;
    if (task->randomizer == RANDOMIZER_LIST)
        randomizer_init_list(randomizer, task->list, task->list_count);
    else
        randomizer_init(randomizer, task->randomizer, task->piece_seed + offset, PIECE_STREAM);
}

void simulate_decisions(const SimulateTask *task, int64_t index, Rng *rng) {
    rng_init(rng, task->seed + (uint64_t)index, DECISION_STREAM);
}

bool item_can_stream(const SimulateTask *task) {
    /* A stream shows the next piece to agents that look at it. */
    bool blind = task->agent->abilities & AGENT_PREVIEW && task->preview == 0;
    return task->agent->stream && task->max_lines == INT64_MAX && !blind;
}

static int count_holes(const Board *board) {
    Columns columns;
    columns_from_board(&columns, board);
    int holes = 0;
    for (int x = 0; x < columns.width; x++)
        holes += columns_height(columns.column[x]) - __builtin_popcountll(columns.column[x]);
    return holes;
}

/* Adds a game to what `out` has. */
static void note(const Game *game, SimulateGame *out) {
    out->score += game->score;
    out->lines += game->lines;
    out->pieces += game->pieces;
    out->level = score_level(game->lines);
    for (int i = 0; i < 4; i++)
        out->clears[i] += game->clears[i];
    if (game->peak_rows > out->max_height)
        out->max_height = game->peak_rows;
    out->holes = count_holes(&game->board);
    out->over = play_died(game);
    out->deaths += play_died(game);
}

static AgentLimits limits_of(const ItemPlayer *item) {
    const SimulateTask *task = item->task;
    return (AgentLimits){task->max_pieces, task->max_lines, item->deadline_ns, task->stop};
}

static PlayEnd play_here(const ItemPlayer *item, Game *game, const AgentLimits *limits, Rng *rng,
                         Status *status) {
    return play_game(item->task->agent, item->player, item->task->preview, game, limits, rng,
                     &item->observer, status);
}

/* Keeps the reason of a game that the player lost by a fault. False with `status`: no memory. */
static bool note_fault(const ItemPlayer *item, SimulateGame *out, Status *status) {
    free(out->fault);
    out->fault = strdup(agent_fault(item->task->agent, item->player));
    return out->fault || status_no_memory(status);
}

/* By the agent's `stream`; with `one_game` until the first top-out. */
static void stream_here(const ItemPlayer *item, int64_t index, int64_t pieces, bool one_game,
                        SimulateGame *out) {
    const SimulateTask *task = item->task;
    AgentLimits limits = limits_of(item);
    Randomizer randomizer;
    simulate_pieces(task, index, &randomizer);
    GameStream stream;
    stream_init(&stream, task->setup.rules.width, task->setup.rules.height, &randomizer);
    out->complete = true;
    while (stream.pieces < pieces && !stream.out_of_pieces && out->complete &&
           !(one_game && stream.deaths > 0)) {
        int64_t before = stream.pieces, left = pieces - before;
        task->agent->stream(item->player, &stream, left < STREAM_CHUNK ? left : STREAM_CHUNK,
                            one_game);
        if (item->observer.tick)
            item->observer.tick(item->observer.context, stream.pieces - before);
        if (item->observer.dropped)
            item->observer.dropped(item->observer.context, &stream.board, stream.pieces,
                                   stream.lines);
        out->complete = stream.pieces >= pieces || !agent_cut(&limits, clock_now_ns());
    }
    out->lines = stream.lines;
    out->pieces = stream.pieces;
    out->deaths = stream.deaths;
    out->over = one_game && stream.deaths > 0;
    memcpy(out->clears, stream.clears, sizeof out->clears);
}

bool item_game(const ItemPlayer *item, int64_t index, SimulateGame *out, Status *status) {
    const SimulateTask *task = item->task;
    if (item->stream) {
        stream_here(item, index, task->max_pieces, true, out);
        return true;
    }
    AgentLimits limits = limits_of(item);
    Randomizer randomizer;
    simulate_pieces(task, index, &randomizer);
    Rng rng;
    simulate_decisions(task, index, &rng);
    Game game;
    game_init(&game, &task->setup.rules, &randomizer);
    PlayEnd end = play_here(item, &game, &limits, &rng, status);
    out->complete = end == PLAY_DONE || end == PLAY_FAULT;
    note(&game, out);
    if (end == PLAY_FAULT && !note_fault(item, out, status))
        return false;
    if (task->agent->nectar)
        out->nectar = task->agent->nectar(task->parameters, &game);
    return end != PLAY_FAILED;
}

/* The randomizer as it is behind the pieces that a game has seen. */
static void skip_pieces(Randomizer *randomizer, const Game *game) {
    int64_t seen = game->pieces + (game->current != PIECE_NONE) + (game->hold != PIECE_NONE);
    for (int64_t i = 0; i < seen; i++)
        randomizer_next(randomizer);
}

bool item_stream(const ItemPlayer *item, int64_t index, int64_t pieces, SimulateGame *out,
                 Status *status) {
    const SimulateTask *task = item->task;
    if (item->stream) {
        stream_here(item, index, pieces, false, out);
        return true;
    }
    Randomizer randomizer;
    simulate_pieces(task, index, &randomizer);
    Rng rng;
    simulate_decisions(task, index, &rng);
    out->complete = true;
    while (out->complete && out->pieces < pieces) {
        AgentLimits limits = limits_of(item);
        int64_t left = pieces - out->pieces;
        limits.pieces = left < limits.pieces ? left : limits.pieces;
        Game game;
        game_init(&game, &task->setup.rules, &randomizer);
        PlayEnd end = play_here(item, &game, &limits, &rng, status);
        if (end == PLAY_FAILED)
            return false;
        out->complete = end == PLAY_DONE || end == PLAY_FAULT;
        note(&game, out);
        if (end == PLAY_FAULT) /* it may fail at every first piece: no more games */
            return note_fault(item, out, status);
        skip_pieces(&randomizer, &game);
        if (game.over == OVER_NO_PIECES)
            break;
    }
    return true;
}
