/*
 * kicks: the reader of files, and a breadth-first search over single positions for the key presses.
 * Where a piece can go is found by movegen/reach_table.
 */
#include "clears/kicks.h"

#include "movegen/reach_table.h"

#include <stdlib.h>
#include <string.h>

static int turned(int from, int quarter) {
    return (from + quarter) & 3;
}

void kicks_srs(KickTable *table) {
    reach_table_srs(table);
}

void kicks_none(KickTable *table) {
    kicks_srs(table);
    for (int p = 0; p < PIECE_COUNT; p++)
        for (int r = 0; r < ROTATION_COUNT; r++)
            for (int to = 0; to < ROTATION_COUNT; to++)
                if (table->from[p][r][to].count > 1)
                    table->from[p][r][to].count = 1;
}

/* ---- files */

typedef struct KickReader {
    const char *at, *end;
    int number;
    Status *status;
} KickReader;

static bool fail(const KickReader *reader, const char *why) {
    return status_fail(reader->status, STATUS_INPUT, "line %d: %s", reader->number, why);
}

static void skip_spaces(KickReader *reader) {
    while (reader->at < reader->end &&
           (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r'))
        reader->at++;
}

static bool take(KickReader *reader, char wanted) {
    skip_spaces(reader);
    if (reader->at == reader->end || *reader->at != wanted)
        return false;
    reader->at++;
    return true;
}

static int read_state(KickReader *reader) {
    static const char letters[] = "NESW";
    skip_spaces(reader);
    const char *found = reader->at < reader->end ? strchr(letters, *reader->at) : NULL;
    if (!found || !*found)
        return -1;
    reader->at++;
    return (int)(found - letters);
}

/* An offset of at most 4, so that no position leaves the words. */
static bool read_offset(KickReader *reader, int8_t *offset) {
    skip_spaces(reader);
    bool minus = take(reader, '-');
    if (!minus)
        take(reader, '+');
    if (reader->at == reader->end || *reader->at < '0' || *reader->at > '4')
        return fail(reader, "an offset from -4 to 4 is expected");
    *offset = (int8_t)(minus ? '0' - *reader->at : *reader->at - '0');
    reader->at++;
    return true;
}

static bool read_tests(KickReader *reader, KickTests *tests) {
    while (take(reader, '(')) {
        if (tests->count == KICK_TABLE_TESTS)
            return fail(reader, "more than 16 tests");
        Cell *test = &tests->tests[tests->count++];
        if (!read_offset(reader, &test->x))
            return false;
        if (!take(reader, ','))
            return fail(reader, "a comma is expected between x and y");
        if (!read_offset(reader, &test->y))
            return false;
        if (!take(reader, ')'))
            return fail(reader, "the parenthesis is not closed");
    }
    skip_spaces(reader);
    if (reader->at < reader->end)
        return fail(reader, "(x,y) is expected");
    return tests->count > 0 || fail(reader, "no tests");
}

/* PIECES FROM>TO (x,y)... */
static bool read_rotation(KickReader *reader, KickTable *table) {
    unsigned pieces = 0;
    for (; reader->at < reader->end && *reader->at != ' ' && *reader->at != '\t'; reader->at++) {
        Piece piece = piece_from_letter(*reader->at);
        if (piece == PIECE_NONE)
            return fail(reader, "pieces (IOTSZJL) are expected");
        pieces |= 1u << piece;
    }
    int from = read_state(reader), to = -1;
    if (from >= 0 && take(reader, '>'))
        to = read_state(reader);
    if (to < 0 || from == to)
        return fail(reader, "FROM>TO is expected, two different ones of N E S W");
    KickTests tests = {.count = 0};
    if (!read_tests(reader, &tests))
        return false;
    for (int p = 0; p < PIECE_COUNT; p++) {
        if (!(pieces >> p & 1))
            continue;
        if (table->from[p][from][to].count > 0)
            return fail(reader, "this rotation has a line already");
        table->from[p][from][to] = tests;
    }
    return true;
}

bool kicks_parse(const char *text, KickTable *table, Status *status) {
    memset(table, 0, sizeof *table);
    int number = 1, lines = 0;
    for (const char *line = text; *line; number++) {
        size_t length = strcspn(line, "\n");
        const char *comment = memchr(line, '#', length);
        KickReader reader = {line, comment ? comment : line + length, number, status};
        skip_spaces(&reader);
        if (reader.at < reader.end && ++lines && !read_rotation(&reader, table))
            return false;
        line += length + (line[length] == '\n');
    }
    return lines > 0 || status_fail(status, STATUS_INPUT, "no rotation");
}

int kicks_list(const KickTable *table, const Columns *columns, Piece piece, bool rotate180,
               Placement *out, int room) {
    return reach_table_list(table, columns, piece, rotate180, out, room);
}

/* ---- key presses */

bool kicks_press(const KickTable *table, const Board *board, Key key, Placement *at) {
    Placement to = *at;
    int quarter = key == KEY_CLOCKWISE ? 1 : key == KEY_COUNTER ? 3 : key == KEY_TURN_180 ? 2 : 0;
    if (quarter > 0) {
        to.rotation = (uint8_t)turned(at->rotation, quarter);
        const KickTests *tests = &table->from[at->piece][at->rotation][to.rotation];
        for (int k = 0; k < tests->count; k++) {
            to.x = (int8_t)(at->x + tests->tests[k].x);
            to.y = (int8_t)(at->y + tests->tests[k].y);
            if (to.y + piece_shapes[to.piece][to.rotation].min_y >= 0 &&
                to.y + piece_shapes[to.piece][to.rotation].max_y < board_rows(board) &&
                board_fits(board, (Piece)to.piece, (Rotation)to.rotation, to.x, to.y)) {
                *at = to;
                return true;
            }
        }
        return false;
    }
    to.x = (int8_t)(at->x + (key == KEY_RIGHT) - (key == KEY_LEFT));
    to.y = (int8_t)(key == KEY_SOFT_DROP ? at->y - 1
                    : key == KEY_HARD_DROP
                        ? board_rest(board, (Piece)at->piece, (Rotation)at->rotation, at->x, at->y)
                        : at->y);
    if (!board_fits(board, (Piece)to.piece, (Rotation)to.rotation, to.x, to.y))
        return false;
    *at = to;
    return true;
}

typedef struct Step {
    Placement at;
    int16_t parent;
    uint8_t key, depth;
} Step;

enum { PATH_STEPS = ROTATION_COUNT * BOARD_MAX_WIDTH * 64 };

int kicks_path(const KickTable *table, const Columns *columns, Placement goal, bool rotate180,
               bool hard, uint8_t *keys, int room) {
    static const Key order[] = {KEY_LEFT,    KEY_RIGHT,     KEY_CLOCKWISE,
                                KEY_COUNTER, KEY_SOFT_DROP, KEY_TURN_180};
    Board board;
    columns_to_board(columns, &board);
    Placement spawn = {goal.piece, NORTH, (int8_t)board_spawn_x(&board),
                       (int8_t)board_spawn_y(&board), SPIN_NONE};
    if (!board_fits(&board, (Piece)goal.piece, NORTH, spawn.x, spawn.y))
        return -1;
    Step *steps = malloc(PATH_STEPS * sizeof *steps);
    bool(*seen)[BOARD_MAX_WIDTH][64] = calloc(ROTATION_COUNT, sizeof *seen);
    int head = 0, tail = 0, count = -1;
    if (steps && seen) {
        steps[tail++] = (Step){spawn, -1, KEY_COUNT, 0};
        seen[NORTH][spawn.x][spawn.y] = true;
    }
    while (head < tail && count < 0) {
        Step step = steps[head];
        Placement down = step.at;
        kicks_press(table, &board, KEY_HARD_DROP, &down);
        if (placement_same_cells(down, goal)) {
            count = step.depth;
            keys[count] = KEY_HARD_DROP;
            for (int s = head, i = count; i > 0; s = steps[s].parent)
                keys[--i] = steps[s].key;
            count++;
        }
        for (size_t i = 0; i < sizeof order / sizeof *order && count < 0; i++) {
            Placement to = step.at;
            if ((order[i] == KEY_TURN_180 && !rotate180) || (order[i] == KEY_SOFT_DROP && hard) ||
                step.depth + 2 > room || !kicks_press(table, &board, order[i], &to) || to.y < 0 ||
                seen[to.rotation][to.x][to.y])
                continue;
            seen[to.rotation][to.x][to.y] = true;
            steps[tail++] = (Step){to, (int16_t)head, (uint8_t)order[i], (uint8_t)(step.depth + 1)};
        }
        head++;
    }
    free(steps);
    free(seen);
    return count;
}
