/* race: attack and garbage of a live game. */
#include "match/race.h"

enum { WAITING_MAX = BOARD_MAX_ROWS }; /* more would only push more off the board */

bool race_init(RaceSide *side, uint64_t seed, Status *status) {
    enum { HOLE_STREAM = 3 };
    *side = (RaceSide){0};
    rng_init(&side->holes, seed, HOLE_STREAM);
    return match_rules_read("guideline", &side->rules, status);
}

static void rise(RaceSide *side, Live *live) {
    uint8_t holes[WAITING_MAX];
    int count = side->rules.cap > 0 && side->rules.cap < side->waiting ? (int)side->rules.cap
                                                                       : side->waiting;
    match_holes(&side->rules, live->grid.width, &side->holes, &side->hole, holes, count);
    side->waiting -= count;
    live_rise(live, holes, count);
}

void race_locked(RaceSide *side, Live *live) {
    const LiveLock *last = &live->last;
    ScoreLock lock = {last->lines, (Spin)last->placement.spin, grid_highest(&live->grid) == 0};
    ScoreChain before = {last->combo, last->chained};
    int attack = match_attack(&side->rules, lock, before);
    int cancelled = attack < side->waiting ? attack : side->waiting;
    side->attack += attack;
    side->waiting -= cancelled;
    side->sent += attack - cancelled;
    if (side->waiting > 0 && last->lines == 0)
        rise(side, live);
}

int race_take_sent(RaceSide *side) {
    int sent = side->sent;
    side->sent = 0;
    return sent;
}

void race_receive(RaceSide *side, int rows) {
    int most = WAITING_MAX - side->waiting;
    side->waiting += rows < 0 ? 0 : rows < most ? rows : most;
}

void race_exchange(RaceSide *a, RaceSide *b) {
    race_receive(a, race_take_sent(b));
    race_receive(b, race_take_sent(a));
}
