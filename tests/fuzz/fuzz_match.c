/*
 * Any bytes as a rule file, as the state of a match, and as the answers of an outside player. By
 * the first byte: rules are refused with a message or read and usable; a state likewise; a player
 * makes legal moves until it loses with a reason.
 */
#include "job/match.h"
#include "match/rules.h"
#include "movegen/reach.h"
#include "player/outside/outside.h"
#include "player/view.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- a program whose output is the input */

static char *script;
static size_t script_length, script_at;
static char line_copy[1 << 16];

static void *host_start(const char *command, Status *status) {
    (void)command;
    (void)status;
    return &script;
}

static ChildRead host_write(void *child, const char *bytes, size_t count, uint64_t deadline_ns) {
    (void)child;
    (void)bytes;
    (void)deadline_ns;
    return count > 0 ? CHILD_LINE : CHILD_ENDED;
}

static ChildRead host_read(void *child, uint64_t deadline_ns, const char **line, size_t *length) {
    (void)child;
    (void)deadline_ns;
    if (script_at >= script_length)
        return CHILD_ENDED;
    size_t rest = script_length - script_at;
    char *end = memchr(script + script_at, '\n', rest);
    size_t count = end ? (size_t)(end - (script + script_at)) : rest;
    if (count >= sizeof line_copy)
        return CHILD_TOO_LONG;
    memcpy(line_copy, script + script_at, count);
    line_copy[count] = '\0';
    script_at += count + 1;
    *line = line_copy;
    *length = count;
    return CHILD_LINE;
}

static const char *host_ending(void *child) {
    (void)child;
    return "ended";
}

static void host_pause(void *child, bool paused) {
    (void)child;
    (void)paused;
}

static void host_end(void *child, int grace_ms) {
    (void)child;
    (void)grace_ms;
}

static const ChildHost host = {host_start,  host_write, host_read,
                               host_ending, host_pause, host_end};

static void play(const char *name) {
    Status status = {0};
    Setup setup;
    SetupAgent agent = {.name = name};
    SetupGame game_setup = SETUP_GAME_DEFAULT;
    if (!outside_add(name, &host, &status) || !setup_init(&setup, &agent, &game_setup, &status))
        abort();
    void *player = setup_player(&setup, &status);
    if (player) {
        Randomizer randomizer;
        randomizer_init(&randomizer, RANDOMIZER_BAG, 1, 0);
        Game game;
        game_init(&game, &setup.made_for.rules, &randomizer);
        Watcher watcher;
        watcher_init(&watcher, setup.preview);
        agent_begin(setup.agent, player);
        Rng rng;
        rng_init(&rng, 1, 1);
        for (int i = 0; i < 100 && game.over == OVER_NOT; i++) {
            AgentView view;
            watcher_look(&watcher, &game, INT64_MAX, &view);
            Move move = setup.agent->choose(player, &view, &rng);
            if (move.placement.piece == PIECE_NONE) {
                if (!setup.agent->fault(player))
                    abort();
                break;
            }
            if (!reach_contains(&view.columns, move.placement, 0, true))
                abort();
            if (move.hold)
                game_press(&game, KEY_HOLD);
            if (game.current != move.placement.piece)
                abort();
            game_place(&game, move.placement);
        }
        setup.agent->free_player(player);
    } else if (!status.message[0])
        abort();
    setup_release(&setup);
}

static void resume(const char *text) {
    Status status = {0};
    Question *question = job_question(&match_job, &status);
    const char *const options[][2] = {{"player", "weighted"}, {"player", "random"},
                                      {"games", "4"},         {"max-pieces", "2"},
                                      {"threads", "1"},       {"resume", text}};
    bool ok = question != NULL;
    for (size_t i = 0; ok && i < sizeof options / sizeof *options; i++)
        ok = job_set(&match_job, question, options[i][0], options[i][1], &status);
    MatchRun *run = ok ? match_job.prepare(question, &status) : NULL;
    if (run) {
        Text document = {0};
        job_write(&match_job, run, true, &document);
        text_release(&document);
        match_job.free_run(run);
    } else if (!status.message[0])
        abort();
    question_free(question);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    script = malloc(size);
    if (!script)
        return 0;
    script_length = size - 1;
    script_at = 0;
    memcpy(script, data + 1, size - 1);
    script[size - 1] = '\0';
    switch (data[0] % 4) {
    case 0: {
        MatchRules rules;
        Status status = {0};
        if (match_rules_read(script, &rules, &status))
            match_attack(&rules, (ScoreLock){4, SPIN_NONE, true}, (ScoreChain){99, true});
        else if (status.code != STATUS_INPUT || !status.message[0])
            abort();
        break;
    }
    case 1:
        resume(script);
        break;
    case 2:
        play("lines:x");
        break;
    default:
        play("tbp:x");
    }
    free(script);
    return 0;
}
