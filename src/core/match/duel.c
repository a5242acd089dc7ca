/*
 * duel: a step is one placement of one side, in five parts (`step`): decide, lock, attack, garbage,
 * time.
 */
#include "match/duel.h"

#include "base/clock.h"
#include "base/memory.h"
#include "movegen/path.h"
#include "player/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Streams of the seed. Both sides draw the same holes. */
enum { PIECE_STREAM = 0, DECISION_STREAM = 1, HOLE_STREAM = 3 };

/* Rows that wait: one attack. */
typedef struct Batch {
    int rows;
    int64_t frame; /* when they arrive */
} Batch;

/* One side while the duel runs. */
typedef struct Fighter {
    const Agent *agent;
    void *player;
    Game game;
    Watcher watcher;
    Rng decisions, holes;
    int hole; /* of the last row that came up */
    Batch waiting[DUEL_QUEUE];
    int batches;
    int64_t next_frame; /* when it can place again */
    int64_t pressed;    /* frames that its key presses took so far */
    DuelSide *out;
} Fighter;

typedef struct Duel {
    const DuelSetup *setup;
    Fighter fighters[DUEL_SIDES];
    PathScratch scratch;
    uint8_t keys[PATH_KEYS_MAX];
} Duel;

void duel_pieces(uint64_t seed, Randomizer *randomizer) {
    randomizer_init(randomizer, RANDOMIZER_BAG, seed, PIECE_STREAM);
}

static void begin(const DuelSetup *setup, int side, const DuelPlayer *player, Fighter *fighter,
                  DuelSide *out) {
    Randomizer randomizer;
    duel_pieces(setup->seed, &randomizer);
    fighter->agent = player->setup->agent;
    fighter->player = player->player;
    fighter->out = out;
    game_init(&fighter->game, &player->setup->made_for.rules, &randomizer);
    watcher_init(&fighter->watcher, player->setup->preview);
    rng_init(&fighter->decisions, setup->seed, (uint64_t)(DECISION_STREAM + side));
    rng_init(&fighter->holes, setup->seed, HOLE_STREAM);
    fighter->next_frame = setup->rules->start;
    agent_begin(fighter->agent, fighter->player);
}

/* ---- garbage */

static int waiting_rows(const Fighter *fighter) {
    int rows = 0;
    for (int i = 0; i < fighter->batches; i++)
        rows += fighter->waiting[i].rows;
    return rows;
}

/* Takes up to `rows` of those that wait and have arrived at `frame`, the oldest first. Returns how
 * many were taken. */
static int take_waiting(Fighter *fighter, int rows, int64_t frame) {
    int taken = 0, kept = 0;
    for (int i = 0; i < fighter->batches; i++) {
        Batch batch = fighter->waiting[i];
        if (batch.frame <= frame && taken < rows) {
            int part = batch.rows < rows - taken ? batch.rows : rows - taken;
            taken += part;
            batch.rows -= part;
        }
        if (batch.rows > 0)
            fighter->waiting[kept++] = batch;
    }
    fighter->batches = kept;
    return taken;
}

static void send_rows(Fighter *to, int rows, int64_t frame) {
    if (rows <= 0)
        return;
    if (to->batches == DUEL_QUEUE) { /* as one attack with the last */
        to->waiting[DUEL_QUEUE - 1].rows += rows;
        return;
    }
    to->waiting[to->batches++] = (Batch){rows, frame};
}

static bool record_garbage(DuelRecord *record, const uint8_t *holes, int count) {
    DuelMove *move = &record->moves[record->count - 1];
    move->garbage = (uint16_t)count;
    move->first_hole = (uint32_t)record->hole_count;
    for (int i = 0; i < count; i++) {
        if (!MEMORY_HAS_PLACE(record->holes, record->hole_count, record->hole_capacity))
            return false;
        record->holes[record->hole_count++] = holes[i];
    }
    return true;
}

/* Lets the garbage come up that has arrived: attack by attack. False: no memory. */
static bool receive(const DuelSetup *setup, Fighter *fighter, int64_t frame) {
    enum { ROWS_MAX = BOARD_MAX_ROWS }; /* more would only push more off the board */
    int left =
        setup->rules->cap > 0 && setup->rules->cap < ROWS_MAX ? (int)setup->rules->cap : ROWS_MAX;
    uint8_t holes[ROWS_MAX];
    int count = 0;
    while (left > 0 && fighter->batches > 0 && fighter->waiting[0].frame <= frame) {
        int rows = fighter->waiting[0].rows < left ? fighter->waiting[0].rows : left;
        match_holes(setup->rules, fighter->game.board.width, &fighter->holes, &fighter->hole,
                    holes + count, rows);
        take_waiting(fighter, rows, fighter->waiting[0].frame);
        count += rows;
        left -= rows;
    }
    if (count == 0)
        return true;
    fighter->out->received += count;
    game_rise(&fighter->game, holes, count);
    return !setup->record || record_garbage(&fighter->out->record, holes, count);
}

/* ---- a placement */

static bool record_move(DuelSide *out, Move move) {
    DuelRecord *record = &out->record;
    if (!MEMORY_HAS_PLACE(record->moves, record->count, record->capacity))
        return false;
    record->moves[record->count++] = (DuelMove){.move = move};
    return true;
}

static void lose(Fighter *fighter, bool fault, const char *reason) {
    fighter->out->fault = fault;
    snprintf(fighter->out->reason, sizeof fighter->out->reason, "%s", reason);
}

/* What the player may know of the garbage that waits. Frames that its placement will take are not
 * known before: as many as its placements took so far. */
static AgentGarbage garbage_of(const DuelSetup *setup, const Fighter *fighter) {
    AgentGarbage garbage = {.waiting = waiting_rows(fighter),
                            .cap = (int)setup->rules->cap,
                            .countering = setup->rules->countering,
                            .blocking = setup->rules->blocking};
    const DuelSide *side = fighter->out;
    int64_t frame = 0;
    if (setup->timing != DUEL_TURNS)
        frame = fighter->next_frame + (side->pieces > 0 ? fighter->pressed / side->pieces : 0);
    for (int i = 0; i < fighter->batches && fighter->waiting[i].frame <= frame; i++)
        garbage.due += fighter->waiting[i].rows;
    return garbage;
}

/* Asks for a move, and again after a hold that brought an unseen piece. False: it has none. */
static bool decide(const DuelSetup *setup, Fighter *fighter, Move *move) {
    bool held = false;
    AgentLimits limits = {.deadline_ns = setup->deadline_ns > 0 ? setup->deadline_ns : UINT64_MAX,
                          .stop = setup->stop};
    for (;;) {
        AgentView view;
        watcher_look(&fighter->watcher, &fighter->game, INT64_MAX, &view);
        view.garbage = garbage_of(setup, fighter);
        view.limits = &limits;
        uint64_t start = clock_now_ns();
        *move = fighter->agent->choose(fighter->player, &view, &fighter->decisions);
        uint64_t spent = clock_now_ns() - start;
        fighter->out->think_ns += spent;
        fighter->out->decisions++;
        if (spent > fighter->out->think_max_ns)
            fighter->out->think_max_ns = spent;
        if (move->placement.piece != PIECE_NONE || !move->hold)
            break;
        game_press(&fighter->game, KEY_HOLD);
        held = true;
        if (fighter->game.over != OVER_NOT)
            return true;
    }
    if (move->placement.piece == PIECE_NONE) {
        lose(fighter, true, agent_fault(fighter->agent, fighter->player));
        return false;
    }
    if (move->hold)
        game_press(&fighter->game, KEY_HOLD);
    move->hold |= held;
    return true;
}

/* The frames of the presses that lead to the placement; the hold that came before is one. */
static int64_t press_frames(Duel *duel, const Fighter *fighter, Move move) {
    const MatchRules *rules = duel->setup->rules;
    Columns columns;
    columns_from_board(&columns, &fighter->game.board);
    Placement goal = move.placement;
    int count = path_fewest(&columns, goal, rules_moves(&fighter->game.rules),
                            goal.spin != SPIN_NONE, &duel->scratch, duel->keys);
    int64_t frames = move.hold ? rules->movement : 0;
    for (int i = 0; i < count; i++)
        frames += duel->keys[i] == KEY_SOFT_DROP ? rules->soft_drop : rules->movement;
    return frames;
}

static void count_lock(DuelSide *out, ScoreLock lock, ScoreChain before, int attack) {
    out->pieces++;
    out->lines += lock.lines;
    out->attack += attack;
    if (lock.lines == 0)
        return;
    out->clears[lock.lines - 1]++;
    out->spins[lock.spin]++;
    out->perfect_clears += lock.board_empty;
    out->back_to_backs += before.back_to_back && (lock.spin != SPIN_NONE || lock.lines >= 4);
    if (before.combo > out->longest_combo)
        out->longest_combo = before.combo;
}

/* One placement of side `side`. False with `status`: no memory. */
static bool step(Duel *duel, int side, Status *status) {
    const DuelSetup *setup = duel->setup;
    Fighter *fighter = &duel->fighters[side], *other = &duel->fighters[!side];
    Game *game = &fighter->game;
    bool timed = setup->timing != DUEL_TURNS;
    uint64_t thought_before = fighter->out->think_ns;

    /* 1. The decision. */
    Move move;
    if (!decide(setup, fighter, &move))
        return true;
    int64_t frames = timed && game->over == OVER_NOT ? press_frames(duel, fighter, move) : 0;
    if (setup->timing == DUEL_REAL_TIME) {
        double seconds = (double)(fighter->out->think_ns - thought_before) * 1e-9;
        frames += (int64_t)(seconds * (double)setup->rules->frames_per_second + 0.5);
    }
    int64_t now = timed ? fighter->next_frame + frames : 0;
    fighter->pressed += frames;

    /* 2. The lock. */
    ScoreChain before = game->chain;
    int64_t lines = game->lines, pieces = game->pieces, spun[SPIN_COUNT];
    memcpy(spun, game->spins, sizeof spun);
    if (game->over == OVER_NOT) {
        if (setup->record && !record_move(fighter->out, move))
            return status_no_memory(status);
        game_place(game, move.placement);
    }
    if (game->pieces > pieces) {
        ScoreLock lock = {(int)(game->lines - lines), SPIN_NONE, false};
        for (int i = 0; i < SPIN_COUNT; i++)
            lock.spin = game->spins[i] > spun[i] ? (Spin)i : lock.spin;
        lock.board_empty = lock.lines > 0 && board_highest(&game->board) == 0;

        /* 3. The attack: what it cancels is not sent. */
        int attack = match_attack(setup->rules, lock, before), sent = attack;
        count_lock(fighter->out, lock, before, attack);
        if (setup->rules->countering)
            sent -= take_waiting(fighter, sent, INT64_MAX);
        fighter->out->sent += sent;
        send_rows(other, sent, timed ? now + setup->rules->garbage_delay : 0);

        /* 4. The garbage. */
        if (game->over == OVER_NOT && !(setup->rules->blocking && lock.lines > 0) &&
            !receive(setup, fighter, now))
            return status_no_memory(status);

        /* 5. The time. */
        frames = match_clear_frames(setup->rules, lock) + setup->rules->spawn;
    }
    fighter->next_frame = now + (timed ? frames : 0);
    fighter->out->frames = timed ? now : 0;
    fighter->out->over = game->over;
    if (game->over != OVER_NOT)
        lose(fighter, false, game_over_names[game->over]);
    if (setup->watch)
        setup->watch(setup->context, side, game, waiting_rows(fighter), fighter->out);
    return true;
}

/* Whose placement comes next. */
static int next_side(const Duel *duel, int last) {
    const Fighter *sides = duel->fighters;
    if (duel->setup->timing == DUEL_TURNS)
        return !last;
    return sides[1].next_frame < sides[0].next_frame ? 1 : 0;
}

bool duel_play(const DuelSetup *setup, const DuelPlayer players[DUEL_SIDES], DuelResult *result,
               Status *status) {
    *result = (DuelResult){.winner = -1};
    Duel *duel = memory_new(1, sizeof *duel, status);
    if (!duel)
        return false;
    uint64_t start = clock_now_ns();
    duel->setup = setup;
    for (int i = 0; i < DUEL_SIDES; i++)
        begin(setup, i, &players[i], &duel->fighters[i], &result->sides[i]);
    bool ok = true;
    int side = 1;
    while (ok && result->winner < 0) {
        side = next_side(duel, side);
        if (result->sides[side].pieces >= setup->max_pieces) /* the other one has as many, or will
                                                                not catch up */
            break;
        ok = step(duel, side, status);
        /* Also a player that did not answer because of the stop has not lost. */
        result->cut = (setup->stop && atomic_load_explicit(setup->stop, memory_order_relaxed)) ||
                      (setup->deadline_ns > 0 && clock_now_ns() >= setup->deadline_ns);
        if (result->cut)
            break;
        if (result->sides[side].reason[0])
            result->winner = !side;
    }
    result->total_ns = clock_now_ns() - start;
    free(duel);
    return ok;
}

void duel_release(DuelResult *result) {
    for (int i = 0; i < DUEL_SIDES; i++) {
        free(result->sides[i].record.moves);
        free(result->sides[i].record.holes);
        result->sides[i].record = (DuelRecord){0};
    }
}
