/*
 * outside: the agent of a command, and the life of its process. The process is started with the
 * player, ended after a fault, and started again when the next game begins.
 */
#include "player/outside/outside.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "player/outside/talk.h"
#include "player/registry.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MILLISECOND_NS = 1000000, END_GRACE_MS = 500 };

static const Option rows[] = {
    PARAMETER_INTEGER(OutsideParameters, move_time_ms, "move-time", "1000", 1, 1e6,
                      "milliseconds in which an outside player answers"),
    PARAMETER_INTEGER(OutsideParameters, grace_ms, "grace", "1000", 0, 1e6,
                      "milliseconds after which it has lost"),
    PARAMETER_INTEGER(OutsideParameters, start_ms, "start", "10000", 0, 1e6,
                      "additional milliseconds for a program that was just started"),
    PARAMETER_INTEGER(OutsideParameters, think_ms, "think", "0", 0, 1e6,
                      "milliseconds between a position and the question, for bots that search "
                      "until they are asked (tbp)"),
    OPTION_ROW(OutsideParameters, FLAG, pause, "pause", .fallback = "off", .argument = "on|off",
               .help = "stop the process while it is not its turn"),
};

const OptionTable outside_parameters = OPTIONS_TABLE(rows);

static const TalkKind *const kinds[] = {&talk_tbp, &talk_lines};

/* What an agent that was added is made of; it lives as long as the process. */
typedef struct Made {
    Agent agent;
    const TalkKind *kind;
    const ChildHost *host;
    const char *command;
} Made;

/* ---- names */

/* The kind of a name, and where its command begins; NULL: it is not an outside player. */
static const TalkKind *parse(const char *name, const char **command) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i]->prefix);
        const char *colon = strchr(name, ':');
        if (strncmp(name, kinds[i]->prefix, length) != 0 || !colon ||
            (name[length] != ':' && name[length] != '?'))
            continue;
        *command = colon + 1;
        return kinds[i];
    }
    return NULL;
}

bool outside_is(const char *name) {
    const char *command;
    return parse(name, &command) != NULL;
}

void outside_query(const char *name, char *text) {
    size_t before = strcspn(name, "?:");
    size_t length = name[before] == '?' ? strcspn(name + before + 1, ":") : 0;
    snprintf(text, OUTSIDE_NAME_BYTES, "%.*s", (int)length, name[before] ? name + before + 1 : "");
}

/* ---- talking */

bool talk_fail(Talk *talk, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char raw[TALK_FAULT_BYTES];
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    if (!talk->fault[0]) { /* what it sent may be anything: status_fail makes it printable */
        Status printable = {0};
        status_fail(&printable, STATUS_INPUT, "%s", raw);
        snprintf(talk->fault, sizeof talk->fault, "%s", printable.message);
    }
    return false;
}

static int64_t limit_ms(const Talk *talk) {
    return talk->parameters.move_time_ms + talk->parameters.grace_ms +
           (talk->starting ? talk->parameters.start_ms : 0);
}

uint64_t talk_deadline(const Talk *talk) {
    return clock_now_ns() + (uint64_t)limit_ms(talk) * MILLISECOND_NS;
}

static bool fail_by(Talk *talk, ChildRead how) {
    if (how == CHILD_LATE)
        return talk_fail(talk, "no answer within %lld ms", (long long)limit_ms(talk));
    if (how == CHILD_ENDED)
        return talk_fail(talk, "the program %s", talk->host->ending(talk->child));
    if (how == CHILD_STOPPED) {
        talk->stopped = true;
        return talk_fail(talk, "interrupted");
    }
    return talk_fail(talk, "sent more than %d bytes without an end of line", CHILD_LINE_MAX);
}

bool talk_send(Talk *talk) {
    text_add_char(&talk->line, '\n');
    bool ok = !talk->line.failed || talk_fail(talk, "out of memory");
    ChildRead how =
        ok ? talk->host->write(talk->child, talk->line.data, talk->line.length, talk_deadline(talk))
           : CHILD_LINE;
    talk->line.failed = false;
    text_clear(&talk->line);
    return ok && (how == CHILD_LINE || fail_by(talk, how));
}

bool talk_read(Talk *talk, uint64_t deadline_ns, const char **line, size_t *length) {
    ChildRead how = talk->host->read(talk->child, deadline_ns, line, length);
    return how == CHILD_LINE || fail_by(talk, how);
}

int talk_find(const Talk *talk, Placement placement) {
    int found = -1;
    for (int i = 0; i < talk->move_count; i++) {
        if (!placement_same_cells(talk->moves[i].placement, placement))
            continue;
        if (talk->moves[i].placement.spin == placement.spin)
            return i;
        found = found < 0 ? i : found;
    }
    return found;
}

bool talk_placement(const Json *object, const char *piece_name, const char *rotation_name,
                    Placement *placement) {
    const char *letter = json_text(json_get(object, piece_name));
    const char *rotation = json_text(json_get(object, rotation_name));
    Piece piece = letter && strlen(letter) == 1 ? piece_from_letter(letter[0]) : PIECE_NONE;
    int state = rotation ? rotation_from_name(rotation) : -1;
    int x = INT8_MIN, y = INT8_MIN;
    Status ignored = {0};
    if (piece == PIECE_NONE || state < 0 ||
        !json_read_int(object, "x", -4, BOARD_MAX_WIDTH + 4, &x, &ignored) ||
        !json_read_int(object, "y", -4, BOARD_MAX_ROWS + 4, &y, &ignored) || x == INT8_MIN ||
        y == INT8_MIN)
        return false;
    const char *label = json_text(json_get(object, "spin"));
    int spin = SPIN_NONE;
    for (int i = 0; label && i < SPIN_COUNT; i++)
        spin = strcmp(label, spin_names[i]) == 0 ? i : spin;
    *placement = (Placement){(uint8_t)piece, (uint8_t)state, (int8_t)x, (int8_t)y, (uint8_t)spin};
    return true;
}

/* ---- the player */

static void end_child(Talk *talk, int grace_ms) {
    if (talk->child)
        talk->host->pause(talk->child, false);
    if (talk->child && grace_ms > 0 && talk->kind->leave)
        talk->kind->leave(talk);
    talk->host->end(talk->child, grace_ms);
    talk->child = NULL;
    talk->greeted = talk->in_game = false;
}

/* False with a fault; *code says whose it is. */
static bool start_child(Talk *talk, StatusCode *code) {
    Status status = {0};
    talk->child = talk->host->start(talk->command, &status);
    *code = status.code;
    if (!talk->child)
        return talk_fail(talk, "%s", status.message);
    talk->starting = true;
    bool ok = !talk->kind->meet || talk->kind->meet(talk);
    *code = talk->stopped ? STATUS_INTERRUPTED : STATUS_INPUT;
    return ok;
}

static void free_player(void *given) {
    Talk *talk = given;
    end_child(talk, END_GRACE_MS);
    text_release(&talk->line);
    free(talk);
}

static void *new_player(const AgentSetup *setup, const void *parameters, Status *status) {
    const Made *made = setup->agent->data;
    Talk *talk = memory_new(1, sizeof *talk, status);
    if (!talk)
        return NULL;
    talk->kind = made->kind;
    talk->host = made->host;
    talk->command = made->command;
    talk->parameters = *(const OutsideParameters *)parameters;
    StatusCode code;
    if (start_child(talk, &code)) {
        talk->host->pause(talk->child, talk->parameters.pause);
        return talk;
    }
    status_fail(status, code, "%.100s: %s", made->agent.name, talk->fault);
    free_player(talk);
    return NULL;
}

static void begin(void *given) {
    Talk *talk = given;
    if (talk->fault[0] && talk->child)
        end_child(talk, 0);
    talk->fault[0] = '\0';
    if (talk->child && talk->kind->begin)
        talk->kind->begin(talk);
}

static const char *fault(const void *given) {
    const Talk *talk = given;
    return talk->fault[0] ? talk->fault : NULL;
}

/* Every legal move of the turn, also those that lock out. */
static void list_moves(Talk *talk, const AgentView *view) {
    TurnOption options[TURN_OPTIONS];
    int option_count = turn_options(view, turn_hand(view), options);
    talk->move_count = 0;
    for (int k = 0; k < option_count; k++) {
        Piece piece = (Piece)options[k].piece;
        bool dead;
        int count =
            view->rules->set == RULES_DROP
                ? turn_placements(view, &view->columns, piece, false, talk->found, &dead)
                : reach_list_spins(&view->columns, piece, rules_moves(view->rules), talk->found);
        for (int i = 0; i < count; i++)
            talk->moves[talk->move_count++] = (Move){talk->found[i], options[k].hold};
    }
}

static Move choose(void *given, const AgentView *view, Rng *rng) {
    (void)rng;
    Talk *talk = given;
    static const Move none = {{.piece = PIECE_NONE}, false};
    if (talk->fault[0])
        return none;
    list_moves(talk, view);
    if (talk->move_count == 0)
        return turn_last_resort(view);
    if (!talk->child && !start_child(talk, &(StatusCode){0})) {
        end_child(talk, 0);
        return none;
    }
    talk->host->pause(talk->child, false);
    int index = talk->kind->ask(talk, view);
    if (talk->parameters.pause)
        talk->host->pause(talk->child, true);
    if (index >= 0)
        return talk->moves[index];
    end_child(talk, 0);
    return none;
}

/* ---- adding */

bool outside_add(const char *name, const ChildHost *host, Status *status) {
    if (agent_find(name))
        return true;
    const char *command;
    const TalkKind *kind = parse(name, &command);
    if (!kind || strlen(name) >= OUTSIDE_NAME_BYTES)
        return status_fail(status, STATUS_INPUT, "'%.40s...' has more than %d bytes", name,
                           OUTSIDE_NAME_BYTES - 1);
    if (command[strspn(command, " \t")] == '\0')
        return status_fail(status, STATUS_INPUT, "'%.40s' has no command", name);
    Made *made = memory_new(1, sizeof *made, status);
    char *copy = made ? strdup(name) : NULL;
    if (!copy) {
        free(made);
        return status_no_memory(status);
    }
    made->kind = kind;
    made->host = host;
    made->command = copy + (command - name);
    made->agent = kind->agent;
    made->agent.name = copy;
    made->agent.data = made;
    made->agent.abilities |= AGENT_OUTSIDE;
    made->agent.few_pieces = 200;
    made->agent.parameters = outside_parameters;
    made->agent.parameters_bytes = sizeof(OutsideParameters);
    made->agent.new_player = new_player;
    made->agent.free_player = free_player;
    made->agent.begin = begin;
    made->agent.fault = fault;
    made->agent.choose = choose;
    if (agent_add(&made->agent, NULL, status))
        return true;
    free(copy);
    free(made);
    return false;
}
