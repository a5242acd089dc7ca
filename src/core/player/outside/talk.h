/*
 * talk: what the two protocols of outside players share: the process, the legal moves of a turn,
 * and why the player lost.
 */
#ifndef TETROPT_PLAYER_OUTSIDE_TALK_H
#define TETROPT_PLAYER_OUTSIDE_TALK_H

#include "base/child.h"
#include "base/json_writer.h"
#include "player/bot/position.h"
#include "player/player.h"
#include "player/turn.h"

enum { TALK_MOVES = TURN_OPTIONS * REACH_SPINS_MAX, TALK_FAULT_BYTES = 200 };

typedef struct OutsideParameters {
    int64_t move_time_ms, grace_ms, start_ms, think_ms;
    bool pause;
} OutsideParameters;

typedef struct Talk {
    const struct TalkKind *kind;
    const ChildHost *host;
    const char *command;
    OutsideParameters parameters;
    void *child;   /* NULL: not running */
    bool starting; /* it has not yet shown that it is ready */
    bool stopped;  /* this program was told to end */
    char fault[TALK_FAULT_BYTES];
    Text line; /* to send */
    /* The legal moves of the turn. */
    Placement found[REACH_SPINS_MAX];
    Move moves[TALK_MOVES];
    int move_count;
    /* Of tbp: what the bot was told. */
    bool greeted; /* the rules were accepted */
    bool in_game; /* `position` is what it believes */
    Position position;
    bool takes_garbage, takes_incoming; /* messages that it understands */
} Talk;

/* One way of talking. */
typedef struct TalkKind {
    const char *prefix; /* of the name: "tbp" */
    /* Waits for the first words of a program that was just started. NULL: it says nothing. */
    bool (*meet)(Talk *talk);
    /* Asks for the move of a turn: an index in `moves`, or -1 with a fault. */
    int (*ask)(Talk *talk, const AgentView *view);
    /* A new game begins; NULL: nothing to say. */
    void (*begin)(Talk *talk);
    /* Says goodbye; NULL: the end of its input is enough. */
    void (*leave)(Talk *talk);
    Agent agent; /* what all agents of this kind have in common */
} TalkKind;

extern const TalkKind talk_tbp, talk_lines;

/* Keeps the first reason for which the player loses. Returns false. */
bool talk_fail(Talk *talk, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last moment at which it may answer a question that is asked now. */
uint64_t talk_deadline(const Talk *talk);

/* Sends talk->line with an end of line, and clears it. False with a fault. */
bool talk_send(Talk *talk);

/* The next line that the program sends; false with a fault. */
bool talk_read(Talk *talk, uint64_t deadline_ns, const char **line, size_t *length);

/* The legal move that fills the cells of `placement`: with its spin label if that can be had, else
 * with the first label that can. -1: there is none. */
int talk_find(const Talk *talk, Placement placement);

/* A placement from the members piece (or `piece_name`), rotation (or `rotation_name`), x, y and
 * spin. False: it is not one. */
typedef struct Json Json;
bool talk_placement(const Json *object, const char *piece_name, const char *rotation_name,
                    Placement *placement);

#endif
