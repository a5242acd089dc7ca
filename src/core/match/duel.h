/*
 * duel: one game between two players, who get the same pieces and send each other garbage until
 * one of them tops out.
 *
 * With TURNS they place alternately, and nothing depends on the machine: players that are
 * repeatable play the same duel again. With FRAMES a placement costs its key presses and the delays
 * of the rules in virtual frames, and the one whose next placement comes first is next; thinking
 * takes no time. With REAL_TIME the time that a player took to decide is added. Players never
 * think at the same time, so they do not take the machine from each other.
 */
#ifndef TETROPT_MATCH_DUEL_H
#define TETROPT_MATCH_DUEL_H

#include "match/rules.h"
#include "player/setup.h"

typedef enum DuelTiming { DUEL_TURNS, DUEL_FRAMES, DUEL_REAL_TIME } DuelTiming;

#define DUEL_TIMING_CHOICES "turns|frames|real-time"

enum { DUEL_SIDES = 2, DUEL_REASON_BYTES = 120, DUEL_QUEUE = 256 };

/* A placement, and the garbage that came up after it. */
typedef struct DuelMove {
    Move move;
    uint16_t garbage;    /* rows */
    uint32_t first_hole; /* in DuelRecord.holes */
} DuelMove;

/* Everything that a replay of one board needs. */
typedef struct DuelRecord {
    DuelMove *moves;
    uint8_t *holes;
    size_t count, capacity, hole_count, hole_capacity;
} DuelRecord;

typedef struct DuelSide {
    int64_t pieces, lines, attack, sent, received; /* attack: before cancelling */
    int64_t clears[4], spins[SPIN_COUNT];          /* spins that cleared a line */
    int64_t perfect_clears, longest_combo, back_to_backs;
    int64_t frames;                  /* of its game; 0 with turns */
    uint8_t over;                    /* GameOver */
    char reason[DUEL_REASON_BYTES];  /* why it lost; "": it did not */
    bool fault;                      /* by a fault of the program */
    uint64_t think_ns, think_max_ns; /* differ from run to run */
    int64_t decisions;               /* that think_ns measured: 0 in a game from a saved state */
    DuelRecord record;               /* if asked for */
} DuelSide;

typedef struct DuelResult {
    DuelSide sides[DUEL_SIDES];
    int winner; /* 0, 1, or -1: draw */
    bool cut;   /* stopped before its end */
    uint64_t total_ns;
} DuelResult;

/* Who plays, with a player of its own. */
typedef struct DuelPlayer {
    const Setup *setup;
    void *player;
} DuelPlayer;

typedef struct DuelSetup {
    const MatchRules *rules;
    DuelTiming timing;
    uint64_t seed;      /* of the pieces, the holes and the decisions */
    int64_t max_pieces; /* per side; then it is a draw */
    bool record;
    const atomic_bool *stop; /* may be NULL */
    uint64_t deadline_ns;    /* ends it early (clock_now_ns); 0: none */
    /* After every placement, for views; may be NULL. */
    void (*watch)(void *context, int side, const Game *game, int waiting, const DuelSide *state);
    void *context;
} DuelSetup;

/* Plays; side 0 begins. False with `status` when memory runs out. To be released either way. */
bool duel_play(const DuelSetup *setup, const DuelPlayer players[DUEL_SIDES], DuelResult *result,
               Status *status);
void duel_release(DuelResult *result);

/* The pieces of a duel, from the first. */
void duel_pieces(uint64_t seed, Randomizer *randomizer);

#endif
