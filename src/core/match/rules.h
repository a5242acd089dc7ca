/*
 * rules: what two players do to each other: how many lines a clear sends, how they arrive, and how
 * long everything takes.
 *
 * All numbers are data. A rule set is a name (ppt, guideline) or a text in JSON or INI that gives
 * some of them; the others are those of the set that it is based on (docs/MATCH.md).
 */
#ifndef TETROPT_MATCH_RULES_H
#define TETROPT_MATCH_RULES_H

#include "base/json_writer.h"
#include "base/options.h"
#include "base/rng.h"
#include "engine/placement.h"
#include "engine/score.h"

enum { MATCH_LIST_MAX = 24 };

/* A list of numbers of which the last one counts for everything beyond it. */
typedef struct MatchNumbers {
    int values[MATCH_LIST_MAX];
    int count;
} MatchNumbers;

typedef struct MatchRules {
    /* Delays in frames. */
    int64_t frames_per_second;
    int64_t start, spawn, movement, soft_drop; /* movement: a key press; soft_drop: a row */
    MatchNumbers clear_delay;                  /* of one line, two, ... */
    int64_t perfect_delay;                     /* of a perfect clear, instead */
    int64_t garbage_delay;                     /* from an attack to its arrival */
    /* Lines sent. */
    MatchNumbers clear, mini, spin; /* of one line, two, ...; without a spin, mini, full */
    int64_t back_to_back;           /* more, for a tetris or spin after another one */
    MatchNumbers combo;             /* more, by the clears in a row before it */
    int64_t perfect;                /* of a perfect clear */
    bool perfect_replaces;          /* instead of everything else; otherwise more */
    /* Garbage. */
    double messiness; /* probability that the hole changes from a row to the next of an attack */
    bool countering;  /* lines sent cancel lines that wait */
    bool blocking;    /* nothing comes up after a clear */
    int64_t cap;      /* rows that come up at once; 0: no limit */
    int64_t preview;  /* visible pieces */
} MatchRules;

/* What a lock sends, given the chain before it. */
int match_attack(const MatchRules *rules, ScoreLock lock, ScoreChain before);

/* Chooses the holes of an attack of `count` rows: the first is another one than *hole, that of the
 * row before, and the others change with the probability of the rules. */
void match_holes(const MatchRules *rules, int width, Rng *rng, int *hole, uint8_t *holes,
                 int count);

/* The frames that a clear takes. */
int match_clear_frames(const MatchRules *rules, ScoreLock lock);

/* Reads a name or a text. False with `status`. */
bool match_rules_read(const char *value, MatchRules *rules, Status *status);

/* The named sets: number `index`, NULL after the last; and one of them for people to read, as a
 * rule file in INI. */
const char *match_rules_name(int index);
void match_rules_list(const char *name, Text *text);

/* The members of an object with all numbers. */
void match_rules_write(const MatchRules *rules, JsonWriter *json);

#endif
