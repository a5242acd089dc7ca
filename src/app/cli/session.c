/* session: a loop of keys, time and drawing, about 60 times per second. */
#include "cli/session.h"

#include "base/clock.h"
#include "term/terminal.h"

#include <stdio.h>
#include <string.h>

enum {
    FRAME_MS = 16,
    SECOND_US = 1000000,
    PRAISE_US = 1500000,     /* how long a clear is named */
    FLAT_OUT_MS = 25,        /* of work between two frames */
    MOST_ELAPSED_US = 250000 /* what passes at once, however long the program was stopped */
};

static const double SLOWEST = 1.0 / 16, FASTEST = 64;

/* Why the game is over. */
static const char *end_text(const Session *session) {
    const Live *live = &session->live;
    switch (live->end) {
    case LIVE_RUNNING:
        return "not over";
    case LIVE_LINES:
        return "all lines done";
    case LIVE_PIECES:
        return "all pieces placed";
    case LIVE_FAULT:
        return pilot_fault(session->pilot);
    case LIVE_WON:
        return "you win";
    case LIVE_OVER:
        break;
    }
    if (session->rival)
        return "you lose";
    return live->game.over == OVER_NO_PIECES ? "no pieces left" : "game over";
}

/* ---- time */

static void fly_flat_out(Session *session) {
    uint64_t start = clock_now_ns();
    while (session->live.end == LIVE_RUNNING && !session->live.paused &&
           clock_now_ns() - start < (uint64_t)FLAT_OUT_MS * 1000000)
        pilot_step(session->pilot, &session->live);
}

/* Lets the time since *last_ns pass. */
static void advance(Session *session, uint64_t *last_ns) {
    uint64_t now = clock_now_ns();
    int64_t elapsed = (int64_t)((now - *last_ns) / 1000);
    *last_ns += (uint64_t)elapsed * 1000;
    if (session->piloted && session->flat_out) {
        fly_flat_out(session);
        return;
    }
    elapsed = elapsed < MOST_ELAPSED_US ? elapsed : MOST_ELAPSED_US;
    if (session->countdown_us > 0) {
        session->countdown_us -= session->live.paused ? 0 : elapsed;
        return;
    }
    if (session->piloted)
        pilot_advance(session->pilot, &session->live, (int64_t)((double)elapsed * session->speed));
    else
        live_advance(&session->live, elapsed);
    if (session->pilot)
        pilot_look_on(session->pilot, &session->live);
    if (session->rival)
        rival_advance(session->rival, &session->live, elapsed);
}

/* ---- keys */

static void change_speed(Session *session, bool faster) {
    if (session->flat_out) {
        session->flat_out = faster;
        return;
    }
    session->speed *= faster ? 2 : 0.5;
    if (session->speed > FASTEST) {
        session->speed = FASTEST;
        session->flat_out = true;
    } else if (session->speed < SLOWEST)
        session->speed = SLOWEST;
}

static void act_on_pilot(Session *session, Action action) {
    Live *live = &session->live;
    switch (action) {
    case ACTION_TAKE:
        session->piloted = !session->piloted;
        if (session->piloted)
            pilot_take(session->pilot, live);
        break;
    case ACTION_STEP:
        live->paused = true;
        if (session->piloted)
            pilot_step(session->pilot, live);
        break;
    case ACTION_FASTER:
    case ACTION_SLOWER:
        change_speed(session, action == ACTION_FASTER);
        break;
    default:
        break;
    }
}

/* Leaving a game that runs takes a second press: the first one pauses it. */
static bool may_leave(Session *session) {
    Live *live = &session->live;
    if (session->pilot || live->paused || live->end != LIVE_RUNNING)
        return true;
    live->paused = true;
    return false;
}

/* True when the session ends with *end. */
static bool act(Session *session, Action action, SessionEnd *end) {
    int key = keymap_game_key(action);
    if (key >= 0 && action != ACTION_NONE) {
        if (!session->piloted && session->countdown_us <= 0)
            live_press(&session->live, (Key)key);
        return false;
    }
    if (action == ACTION_PAUSE) {
        session->live.paused = !session->live.paused;
        session->countdown_us = session->countdown * SECOND_US;
    }
    if (action == ACTION_QUIT || action == ACTION_RESTART) {
        *end = action == ACTION_QUIT ? SESSION_QUIT : SESSION_AGAIN;
        return may_leave(session);
    }
    if (session->pilot)
        act_on_pilot(session, action);
    return false;
}

/* ---- showing */

static void think(Session *session) {
    const Game *game = &session->live.game;
    if (session->live.end != LIVE_RUNNING ||
        (session->thought_pieces == game->pieces && session->thought_piece == game->current))
        return;
    pilot_look_on(session->pilot, &session->live);
    thoughts_of(pilot_view(session->pilot), pilot_evaluator(session->pilot), &session->thoughts);
    session->thought_pieces = game->pieces;
    session->thought_piece = game->current;
}

/* Names the last clear or T-spin of a person, and its points. */
static bool praise(const Session *session, char *text, char *more, size_t bytes) {
    static const char *const spins[] = {"", "mini T-spin", "T-spin"};
    static const char *const clears[] = {"", "single", "double", "triple", "tetris"};
    const LiveLock *last = &session->live.last;
    Spin spin = session->live.game.rules.bonus ? (Spin)last->placement.spin : SPIN_NONE;
    if (session->piloted || (last->lines == 0 && spin == SPIN_NONE) ||
        session->live.time_us - last->time_us >= PRAISE_US)
        return false;
    snprintf(text, bytes, "%s%s%s", spins[spin], spin != SPIN_NONE && last->lines > 0 ? " " : "",
             clears[last->lines]);
    int used = snprintf(more, bytes, "+%lld", (long long)last->points);
    if (session->live.game.rules.bonus && last->lines > 0 && last->chained)
        used += snprintf(more + used, bytes - (size_t)used, " B2B");
    if (session->live.game.rules.bonus && last->lines > 0 && last->combo > 0)
        snprintf(more + used, bytes - (size_t)used, " combo %d", last->combo);
    return true;
}

static const char *state_text(const Session *session, char *text, char *more, size_t bytes) {
    more[0] = '\0';
    if (session->live.end != LIVE_RUNNING)
        return "over";
    if (session->live.paused)
        return "paused";
    if (praise(session, text, more, bytes))
        return text;
    if (!session->pilot)
        return NULL;
    if (!session->piloted)
        return "you play";
    if (session->flat_out)
        return "as fast as it goes";
    snprintf(text, bytes, "speed %gx", session->speed);
    return text;
}

/* A hint: one or two keys and what they do. */
typedef struct Hint {
    Action first, second; /* the second may be ACTION_NONE */
    const char *word;
} Hint;

static const Hint person_hints[] = {
    {ACTION_LEFT, ACTION_RIGHT, "move"},     {ACTION_COUNTER, ACTION_ROTATE, "rotate"},
    {ACTION_ROTATE_180, ACTION_NONE, "180"}, {ACTION_DROP, ACTION_NONE, "drop"},
    {ACTION_HOLD, ACTION_NONE, "hold"},      {ACTION_PAUSE, ACTION_NONE, "pause"},
    {ACTION_TAKE, ACTION_NONE, "agent"},     {ACTION_QUIT, ACTION_NONE, "quit"}};

static const Hint agent_hints[] = {
    {ACTION_PAUSE, ACTION_NONE, "pause"},       {ACTION_STEP, ACTION_NONE, "step"},
    {ACTION_FASTER, ACTION_SLOWER, "speed"},    {ACTION_TAKE, ACTION_NONE, "take over"},
    {ACTION_RESTART, ACTION_NONE, "next game"}, {ACTION_QUIT, ACTION_NONE, "quit"}};

/* " left/right move  z/x rotate ..." with the keys as they are mapped. */
static void hint_text(const Session *session, char *text, size_t bytes) {
    const Hint *hints = session->piloted ? agent_hints : person_hints;
    size_t count = session->piloted ? sizeof agent_hints / sizeof *agent_hints
                                    : sizeof person_hints / sizeof *person_hints;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < bytes; i++) {
        char first[16], second[16] = "";
        const Rules *rules = &session->live.game.rules;
        if ((hints[i].first == ACTION_ROTATE_180 && !(rules_moves(rules) & MOVES_180)) ||
            (hints[i].first == ACTION_HOLD && !rules->hold))
            continue;
        if (!*keymap_name(session->keymap, hints[i].first, first, sizeof first))
            continue;
        if (hints[i].second != ACTION_NONE)
            keymap_name(session->keymap, hints[i].second, second, sizeof second);
        used += (size_t)snprintf(text + used, bytes - used, "%s%s%s%s %s", used ? "  " : " ", first,
                                 *second ? "/" : "", second, hints[i].word);
    }
}

typedef struct Box {
    char lines[PLAY_VIEW_LINES][SESSION_LINE_BYTES];
    int count;
} Box;

static void add_line(Box *box, const char *line) {
    if (box->count < PLAY_VIEW_LINES)
        snprintf(box->lines[box->count++], SESSION_LINE_BYTES, "%s", line);
}

static void add_key(Box *box, const Session *session, Action action, const char *word) {
    char name[16], line[SESSION_LINE_BYTES];
    keymap_name(session->keymap, action, name, sizeof name);
    snprintf(line, sizeof line, "%5s  %-11s", name, word);
    add_line(box, line);
}

static void fill_box(const Session *session, Box *box) {
    bool over = session->live.end != LIVE_RUNNING;
    if (!over && !session->live.paused && session->countdown_us > 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", (int)((session->countdown_us - 1) / SECOND_US) + 1);
        add_line(box, number);
        return;
    }
    if (!over && (!session->live.paused || session->piloted))
        return;
    add_line(box, over ? end_text(session) : "paused");
    for (int i = 0; over && i < SESSION_END_LINES; i++)
        if (session->end_lines[i][0])
            add_line(box, session->end_lines[i]);
    add_line(box, "");
    if (!over)
        add_key(box, session, ACTION_PAUSE, "continue");
    add_key(box, session, ACTION_RESTART, "new game");
    add_key(box, session, ACTION_QUIT, "quit");
}

static void show(Session *session) {
    char state[32], more[32], hints[160];
    Box box = {.count = 0};
    hint_text(session, hints, sizeof hints);
    fill_box(session, &box);
    PlayView view = {.live = &session->live,
                     .mode = session->mode,
                     .state = state_text(session, state, more, sizeof state),
                     .more = more,
                     .hints = hints,
                     /* A pause is not for planning. */
                     .hidden = session->live.paused && !session->pilot &&
                               session->live.end == LIVE_RUNNING,
                     .next_count = session->next_count};
    memcpy(view.facts, session->facts, sizeof view.facts);
    if (session->rival) {
        const RaceSide *own = &session->rival->own;
        view.rival = &session->rival->live;
        view.facts[0].label = "sent";
        view.facts[1].label = "coming";
        snprintf(view.facts[0].value, sizeof view.facts[0].value, "%lld", (long long)own->attack);
        snprintf(view.facts[1].value, sizeof view.facts[1].value, "%d", own->waiting);
    }
    for (int i = 0; i < box.count; i++)
        view.box[i] = box.lines[i];
    if (session->pilot) {
        think(session);
        view.thoughts = &session->thoughts;
        view.evaluator = pilot_evaluator(session->pilot);
        view.weights = session->weights;
        view.goal = session->piloted ? pilot_goal(session->pilot) : (PilotGoal){0};
        if (view.goal.known)
            view.goal_thought =
                thoughts_evaluate(pilot_view(session->pilot), view.evaluator, view.goal.decision);
    }
    if (!play_view_draw(&view, session->screen))
        session->live.paused = true;
    terminal_show(session->screen);
}

/* ---- the loop */

static int wait_ms(const Session *session) {
    if (session->live.paused || session->live.end != LIVE_RUNNING)
        return -1;
    return session->piloted && session->flat_out ? 0 : FRAME_MS;
}

/* Takes every key that is there. True when the session ends. */
static bool take_keys(Session *session, uint64_t *last_ns, SessionEnd *end) {
    int wait = wait_ms(session);
    for (;;) {
        int key = terminal_key(session->screen, wait);
        if (wait < 0)
            *last_ns = clock_now_ns(); /* a pause does not count */
        if (key == TERMINAL_STOPPED) {
            *end = SESSION_STOPPED;
            return true;
        }
        if (key == TERMINAL_NONE || key == TERMINAL_RESIZED)
            return false;
        advance(session, last_ns);
        if (act(session, keymap_action(session->keymap, key), end))
            return true;
        wait = 0;
    }
}

static void tell_end(Session *session) {
    if (session->live.end == LIVE_RUNNING || session->told_end)
        return;
    session->told_end = true;
    if (session->ended)
        session->ended(session->context, session);
}

SessionEnd session_run(Session *session) {
    uint64_t last = clock_now_ns();
    SessionEnd end = SESSION_QUIT;
    session->thought_pieces = -1;
    session->countdown_us = session->countdown * SECOND_US;
    for (;;) {
        tell_end(session);
        show(session);
        if (session->live.end != LIVE_RUNNING && session->leave_at_end)
            return SESSION_QUIT;
        if (take_keys(session, &last, &end))
            return end;
        advance(session, &last);
    }
}
