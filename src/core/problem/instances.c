/* instances: fields of a row are found when they are asked for; nothing is kept. */
#include "problem/instances.h"

#include "base/similar.h"
#include "engine/board_text.h"
#include "engine/randomizer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fields of a row, in their order. */
enum {
    FIELD_NAME,
    FIELD_WIDTH,
    FIELD_HEIGHT,
    FIELD_BOARD,
    FIELD_PIECES,
    FIELD_PLACEMENTS,
    FIELD_BEST,
    FIELD_BOUND,
    FIELD_OPTIMAL,
    FIELD_ENCODING,
    FIELD_SOLUTION
};

/* Where a field begins; its length is in *length. */
static const char *field(const char *row, int number, size_t *length) {
    while (number-- > 0)
        row += strcspn(row, ";") + 1;
    *length = strcspn(row, ";");
    return row;
}

static double number(const char *row, int which) {
    size_t length;
    return strtod(field(row, which, &length), NULL); /* ends at the separator */
}

int instances_count(void) {
    int count = 0;
    while (instances_rows[count])
        count++;
    return count;
}

BenchInstance instances_at(int index) {
    const char *row = instances_rows[index];
    size_t length;
    const char *name = field(row, FIELD_NAME, &length);
    BenchInstance instance = {.row = row,
                              .width = (int)number(row, FIELD_WIDTH),
                              .height = (int)number(row, FIELD_HEIGHT),
                              .placements = (int)number(row, FIELD_PLACEMENTS),
                              .best = number(row, FIELD_BEST),
                              .bound = number(row, FIELD_BOUND),
                              .optimal = number(row, FIELD_OPTIMAL) > 0};
    assert(length < sizeof instance.name && instance.placements <= INSTANCE_MOVES_MAX);
    snprintf(instance.name, sizeof instance.name, "%.*s", (int)length, name);
    instance.family = (int)(strrchr(instance.name, '-') - instance.name);
    return instance;
}

int instances_find(const char *name) {
    size_t length = strlen(name);
    for (int i = 0; instances_rows[i]; i++)
        if (strncmp(instances_rows[i], name, length) == 0 && instances_rows[i][length] == ';')
            return i;
    return -1;
}

bool instances_unknown(const char *name, Status *status) {
    Similar similar = similar_to(name);
    char hint[SIMILAR_HINT_BYTES];
    BenchInstance instance;
    for (int i = 0; instances_rows[i]; i++) {
        instance = instances_at(i);
        similar_try(&similar, instance.name);
    }
    return status_fail(status, STATUS_INPUT, "unknown instance '%.40s'%s", name,
                       similar_hint(&similar, hint));
}

/* ---- the problem */

void instance_problem(const BenchInstance *instance, EvalRequest *request) {
    size_t length;
    const char *text = field(instance->row, FIELD_BOARD, &length);
    char rows[BOARD_MAX_ROWS * (BOARD_MAX_WIDTH + 1)];
    assert(length < sizeof rows);
    for (size_t i = 0; i < length; i++)
        rows[i] = text[i] == '/' ? '\n' : text[i];
    grid_init(&request->grid, instance->width, instance->height);
    bool ok = board_text_read(&request->grid, rows, length, NULL);
    text = field(instance->row, FIELD_PIECES, &length);
    char pieces[EVAL_MAX_QUEUE];
    snprintf(pieces, sizeof pieces, "%.*s", (int)length, text);
    request->piece_count = pieces_parse(pieces, request->pieces, EVAL_MAX_QUEUE, NULL);
    request->placements = instance->placements;
    assert(ok && request->piece_count >= request->placements);
    (void)ok;
}

Encoding instance_encoding(const BenchInstance *instance) {
    size_t length;
    const char *name = field(instance->row, FIELD_ENCODING, &length);
    int encoding = 0;
    while (encoding < ENCODING_COUNT && (strncmp(encoding_names[encoding], name, length) != 0 ||
                                         encoding_names[encoding][length] != '\0'))
        encoding++;
    assert(encoding < ENCODING_COUNT);
    return (Encoding)encoding;
}

bool instance_is(const BenchInstance *instance, const EvalRequest *request) {
    EvalRequest own; /* some 11 KB; a copy that could fail would say that they differ */
    instance_problem(instance, &own);
    Board a, b;
    grid_to_board(&own.grid, &a);
    grid_to_board(&request->grid, &b);
    return own.grid.width == request->grid.width && own.grid.height == request->grid.height &&
           own.placements == request->placements && own.piece_count == request->piece_count &&
           memcmp(own.pieces, request->pieces, (size_t)own.piece_count) == 0 && board_equal(&a, &b);
}

bool instance_rules_ok(const DecodeRules *rules) {
    return !rules->no_game_over && rules->perfect_points == 0;
}

/* ---- the best-known solution: "hTe4,0" is hold, T, east, column 4, row 0 */

static bool read_move(const char **text, Move *move) {
    static const char rotations[] = "nesw";
    const char *at = *text;
    *move = (Move){.hold = *at == 'h'};
    at += move->hold;
    const char *piece = *at ? strchr(piece_letters, *at) : NULL;
    const char *rotation = piece && at[1] ? strchr(rotations, at[1]) : NULL;
    if (!rotation)
        return false;
    char *end;
    long x = strtol(at + 2, &end, 10);
    if (*end != ',')
        return false;
    long y = strtol(end + 1, &end, 10);
    move->placement.piece = (uint8_t)(piece - piece_letters);
    move->placement.rotation = (uint8_t)(rotation - rotations);
    move->placement.x = (int8_t)x;
    move->placement.y = (int8_t)y;
    *text = *end == ' ' ? end + 1 : end;
    return true;
}

bool instance_play_best(const BenchInstance *instance, EvalRequest *request,
                        Move moves[INSTANCE_MOVES_MAX], EvalResult *result, Status *status) {
    instance_problem(instance, request);
    request->encoding = ENCODING_PLACEMENTS;
    request->rules = (DecodeRules){0};
    size_t length;
    const char *text = field(instance->row, FIELD_SOLUTION, &length);
    memset(moves, 0, INSTANCE_MOVES_MAX * sizeof *moves);
    for (int i = 0; i < instance->placements; i++)
        if (!read_move(&text, &moves[i]))
            return status_fail(status, STATUS_INPUT, "%s: move %d of its solution is wrong",
                               instance->name, i + 1);
    return eval_run(request, moves, &fitness_profiles[PROFILE_BLOCKS], result, status);
}

/* ---- listing */

bool instance_has_prefix(const BenchInstance *instance, const char *prefix) {
    size_t length = prefix ? strlen(prefix) : 0;
    return !prefix || (strncmp(instance->name, prefix, length) == 0 &&
                       (instance->name[length] == '-' || instance->name[length] == '\0'));
}

void instances_write(JsonWriter *json, const char *prefix) {
    jw_string(json, "version", INSTANCES_VERSION);
    jw_array(json, "instances");
    for (int i = 0; instances_rows[i]; i++) {
        BenchInstance instance = instances_at(i);
        if (!instance_has_prefix(&instance, prefix))
            continue;
        jw_object(json, NULL);
        jw_put(json, JS("name", instance.name), JI("width", instance.width),
               JI("height", instance.height), JI("placements", instance.placements),
               JR("best", instance.best), JR("bound", instance.bound),
               JR("gap", instance.bound - instance.best), JB("optimal", instance.optimal),
               JS("encoding", encoding_names[instance_encoding(&instance)]));
        jw_end(json);
    }
    jw_end(json);
}
