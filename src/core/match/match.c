/*
 * match: workers take the games by number. A result is put into its place with one atomic store, so
 * whoever sees a pointer sees a finished game.
 */
#include "match/match.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>

static const uint64_t REPORT_NS = 50000000u; /* between two reports */

/* What belongs to one thread: a player of every entrant, made when it is first needed. */
typedef struct Worker {
    void *players[MATCH_PLAYERS_MAX];
    Status status;
    uint64_t last_report_ns;
} Worker;

/* The games from the first on that are there, as far as somebody has looked. */
typedef struct Scan {
    int64_t games;
    MatchPairing so_far; /* with a rule that may end the match */
    int pair;
    int64_t end; /* after so many a rule ends it; 0: none yet */
} Scan;

typedef struct Run {
    Match *match;
    Worker *workers;
    const ProgressWatch *watch;
    uint64_t deadline_ns; /* 0: none */
    atomic_bool failed;
    atomic_flag scanning; /* one thread looks at a time; the others need not wait for it */
    Scan scan;
} Run;

Match *match_new(const MatchTask *task, Status *status) {
    Match *match = memory_new(1, sizeof *match, status);
    if (!match)
        return NULL;
    match->task = *task;
    int rows = task->gauntlet ? 1 : task->player_count;
    for (int i = 0; i < rows; i++)
        for (int j = i + 1; j < task->player_count; j++) {
            match->pairings[match->pairing_count][0] = i;
            match->pairings[match->pairing_count++][1] = j;
        }
    match->game_count = task->rounds * 2 * match->pairing_count;
    atomic_store(&match->enough, INT64_MAX);
    match->games = memory_new((size_t)match->game_count, sizeof *match->games, status);
    if (match->games)
        return match;
    free(match);
    return NULL;
}

void match_free(Match *match) {
    if (!match)
        return;
    for (int64_t i = 0; i < match->game_count; i++) {
        DuelResult *game = atomic_load(&match->games[i]);
        if (game)
            duel_release(game);
        free(game);
    }
    free(match->games);
    free(match);
}

MatchGame match_game(const Match *match, int64_t number) {
    int64_t pair = number / 2, round = pair / match->pairing_count;
    MatchGame game = {.pairing = (int)(pair % match->pairing_count),
                      .seed = match->task.seed + (uint64_t)round};
    int swapped = (int)(number & 1);
    game.sides[swapped] = match->pairings[game.pairing][0];
    game.sides[!swapped] = match->pairings[game.pairing][1];
    return game;
}

static const DuelResult *result_at(const Match *match, int64_t number) {
    return atomic_load_explicit(&match->games[number], memory_order_acquire);
}

/* The points of the first player of the pairing in halves: 2 won, 1 drawn, 0 lost. */
static int halves_of(const DuelResult *result, int64_t number) {
    int first = (int)(number & 1); /* its side */
    return result->winner < 0 ? 1 : result->winner == first ? 2 : 0;
}

/* Adds game `number`, and after a second game its pair, whose halves *pair collects. */
static void add_game(MatchPairing *pairing, int *pair, const DuelResult *result, int64_t number) {
    int halves = halves_of(result, number);
    pairing->wins += halves == 2;
    pairing->draws += halves == 1;
    pairing->losses += halves == 0;
    *pair = (number & 1 ? *pair : 0) + halves;
    if (number & 1)
        pairing->pairs.pairs[*pair]++;
}

void match_pairing(const Match *match, int index, int64_t games, MatchPairing *pairing) {
    *pairing = (MatchPairing){.players = {match->pairings[index][0], match->pairings[index][1]}};
    int pair = 0;
    for (int64_t i = 0; i < games; i++)
        if (i / 2 % match->pairing_count == index)
            add_game(pairing, &pair, result_at(match, i), i);
}

/* ---- the end of a match */

/* Looks on from where it ended, so that a long match does not look at all its games after each. */
static void look_on(const Match *match, Scan *scan) {
    const MatchTask *task = &match->task;
    bool rule = match->pairing_count == 1 && (task->test || task->first_to > 0);
    while (scan->end == 0 && scan->games < match->game_count && result_at(match, scan->games)) {
        int64_t i = scan->games++;
        if (!rule)
            continue;
        add_game(&scan->so_far, &scan->pair, result_at(match, i), i);
        int64_t wins = scan->so_far.wins, losses = scan->so_far.losses;
        if ((task->first_to > 0 && (wins >= task->first_to || losses >= task->first_to)) ||
            (task->test && (i & 1) &&
             elo_verdict(&task->elo_test, &scan->so_far.pairs) != ELO_UNDECIDED))
            scan->end = scan->games;
    }
}

int64_t match_length(const Match *match) {
    Scan all = {0};
    look_on(match, &all);
    return all.games;
}

/* ---- playing */

bool match_put(Match *match, int64_t number, const DuelResult *result) {
    DuelResult *copy = malloc(sizeof *copy);
    if (!copy)
        return false;
    *copy = *result;
    atomic_store_explicit(&match->games[number], copy, memory_order_release);
    atomic_fetch_add(&match->finished, 1);
    return true;
}

static void *player_of(Run *run, Worker *worker, int index) {
    if (!worker->players[index])
        worker->players[index] = setup_player(run->match->task.players[index], &worker->status);
    return worker->players[index];
}

static bool play_one(Run *run, Worker *worker, int64_t number) {
    Match *match = run->match;
    MatchGame game = match_game(match, number);
    DuelPlayer players[DUEL_SIDES];
    for (int i = 0; i < DUEL_SIDES; i++) {
        players[i] =
            (DuelPlayer){match->task.players[game.sides[i]], player_of(run, worker, game.sides[i])};
        if (!players[i].player)
            return false;
    }
    DuelSetup setup = {.rules = &match->task.rules,
                       .timing = match->task.timing,
                       .seed = game.seed,
                       .max_pieces = match->task.max_pieces,
                       .record = match->task.record,
                       .stop = run->watch->stop,
                       .deadline_ns = run->deadline_ns};
    DuelResult result;
    bool ok = duel_play(&setup, players, &result, &worker->status);
    if (ok && !result.cut) {
        ok = match_put(match, number, &result) || status_no_memory(&worker->status);
        if (ok)
            return true;
    }
    duel_release(&result);
    return ok;
}

static void look_for_end(Run *run) {
    if (atomic_flag_test_and_set(&run->scanning))
        return;
    look_on(run->match, &run->scan);
    if (run->scan.end > 0)
        atomic_store(&run->match->enough, run->scan.end);
    atomic_flag_clear(&run->scanning);
}

/* Only the thread that started the match reports, between its games. */
static void report(Run *run, Worker *worker) {
    Match *match = run->match;
    look_for_end(run);
    if (worker != run->workers || !run->watch->report)
        return;
    uint64_t now = clock_now_ns();
    if (now - worker->last_report_ns < REPORT_NS)
        return;
    worker->last_report_ns = now;
    Progress progress = {.done = (uint64_t)atomic_load(&match->finished),
                         .total = (uint64_t)match->game_count};
    run->watch->report(run->watch->context, &progress);
}

static void work(void *context, size_t first, size_t last, unsigned number) {
    Run *run = context;
    Match *match = run->match;
    Worker *worker = &run->workers[number];
    for (size_t i = first; i < last; i++) {
        bool stopped = (run->watch->stop && atomic_load(run->watch->stop)) ||
                       (run->deadline_ns > 0 && clock_now_ns() >= run->deadline_ns);
        if (stopped || atomic_load(&run->failed) || (int64_t)i >= atomic_load(&match->enough))
            return;
        if (result_at(match, (int64_t)i))
            continue; /* played before */
        if (!play_one(run, worker, (int64_t)i))
            atomic_store(&run->failed, true);
        report(run, worker);
    }
}

static void free_players(const Match *match, Worker *worker) {
    for (int i = 0; i < match->task.player_count; i++)
        if (worker->players[i])
            match->task.players[i]->agent->free_player(worker->players[i]);
}

bool match_run(Match *match, const ProgressWatch *watch, Status *status) {
    Run run = {.match = match, .watch = watch, .scanning = ATOMIC_FLAG_INIT};
    if (match->task.seconds > 0)
        run.deadline_ns = clock_now_ns() + (uint64_t)(match->task.seconds * 1e9);
    look_for_end(&run);
    Pool *pool = pool_new(match->task.threads, status);
    run.workers = pool ? memory_new(match->task.threads, sizeof *run.workers, status) : NULL;
    bool ok = run.workers != NULL;
    /* What cannot be started at all is refused before the first game. */
    bool ready = ok;
    for (int i = 0; ready && i < match->task.player_count; i++)
        ready = player_of(&run, &run.workers[0], i);
    if (ready)
        pool_run(pool, (size_t)match->game_count, 1, work, &run);
    for (unsigned i = 0; run.workers && i < match->task.threads; i++) {
        const Status *failure = &run.workers[i].status;
        if (ok && failure->code != STATUS_OK && failure->code != STATUS_INTERRUPTED) {
            *status = *failure;
            ok = false;
        }
        free_players(match, &run.workers[i]);
    }
    free(run.workers);
    pool_free(pool);
    return ok;
}

bool match_repeat(const Match *match, int64_t number, DuelResult *result, Status *status) {
    Match copy = *match;
    copy.task.record = true;
    ProgressWatch watch = {0};
    Worker worker = {.status = {.code = STATUS_OK}};
    Run run = {.match = &copy, .workers = &worker, .watch = &watch};
    MatchGame game = match_game(match, number);
    DuelPlayer players[DUEL_SIDES];
    bool ok = true;
    for (int i = 0; ok && i < DUEL_SIDES; i++) {
        players[i] = (DuelPlayer){match->task.players[game.sides[i]],
                                  player_of(&run, &worker, game.sides[i])};
        ok = players[i].player != NULL;
    }
    DuelSetup setup = {.rules = &copy.task.rules,
                       .timing = copy.task.timing,
                       .seed = game.seed,
                       .max_pieces = copy.task.max_pieces,
                       .record = true};
    ok = ok && duel_play(&setup, players, result, &worker.status);
    if (!ok)
        *status = worker.status;
    free_players(&copy, &worker);
    return ok;
}

/* ---- sums */

static void add_side(DuelSide *sum, const DuelSide *side) {
    sum->pieces += side->pieces;
    sum->lines += side->lines;
    sum->attack += side->attack;
    sum->sent += side->sent;
    sum->received += side->received;
    for (int i = 0; i < 4; i++)
        sum->clears[i] += side->clears[i];
    for (int i = 0; i < SPIN_COUNT; i++)
        sum->spins[i] += side->spins[i];
    sum->perfect_clears += side->perfect_clears;
    sum->back_to_backs += side->back_to_backs;
    if (side->longest_combo > sum->longest_combo)
        sum->longest_combo = side->longest_combo;
    sum->frames += side->frames;
    sum->think_ns += side->think_ns;
    sum->decisions += side->decisions;
    if (side->think_max_ns > sum->think_max_ns)
        sum->think_max_ns = side->think_max_ns;
}

void match_totals(const Match *match, int player, int64_t games, MatchTotals *totals) {
    *totals = (MatchTotals){0};
    for (int64_t i = 0; i < games; i++) {
        MatchGame game = match_game(match, i);
        const DuelResult *result = result_at(match, i);
        for (int s = 0; s < DUEL_SIDES; s++) {
            if (game.sides[s] != player)
                continue;
            const DuelSide *side = &result->sides[s];
            totals->games++;
            totals->wins += result->winner == s;
            totals->draws += result->winner < 0;
            totals->losses += result->winner == !s;
            totals->faults += side->fault;
            if (result->winner == !s && !side->fault)
                totals->overs[side->over]++;
            add_side(&totals->sum, side);
        }
    }
}

void match_ratings(const Match *match, int64_t games, double *elo, double *error) {
    int count = match->task.player_count;
    double points[MATCH_PLAYERS_MAX * MATCH_PLAYERS_MAX] = {0};
    double played[MATCH_PLAYERS_MAX * MATCH_PLAYERS_MAX] = {0};
    for (int k = 0; k < match->pairing_count; k++) {
        MatchPairing pairing;
        match_pairing(match, k, games, &pairing);
        int i = pairing.players[0] * count + pairing.players[1];
        int j = pairing.players[1] * count + pairing.players[0];
        double total = (double)(pairing.wins + pairing.draws + pairing.losses);
        points[i] = (double)pairing.wins + 0.5 * (double)pairing.draws;
        points[j] = total - points[i];
        played[i] = played[j] = total;
    }
    elo_ratings(count, points, played, elo, error);
}
