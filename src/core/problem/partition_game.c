/*
 * partition_game: the grid, its moves, the construction of a clear and its certificate.
 *
 * The construction keeps one invariant per bucket: before a number its columns x and x + 1 are
 * filled up to row h + 3 and column x + 2 up to row h - 1, where h is a multiple of 6. The pieces
 * of a number a bring it back with h + 6 (a + 1).
 */
#include "problem/partition_game.h"

#include "base/json.h"
#include "base/json_writer.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPAWN_ROWS = 4,
    SPAWN_UP = 2,    /* of the centre above the board: a piece rotated clockwise fits */
    MOVE_MAX = 10000 /* more of one move than any board has columns or rows */
};

typedef struct Spot {
    int x, y, rotation;
} Spot;

struct PartitionGame {
    const Partition *partition;
    int columns, height; /* height: with the rows above the board */
    int32_t **rows;      /* pointers into `cells`: removing a row moves pointers */
    int32_t *cells;
    uint8_t *pieces;
    int piece_count, placed, lines;
    Spot last;
    uint64_t steps;
};

static Spot spawn(const Partition *partition) {
    return (Spot){partition_columns(partition) / 2 - 1, partition_rows(partition) + SPAWN_UP,
                  NORTH};
}

PartitionGame *partition_game_new(const Partition *partition, Status *status) {
    PartitionGame *game = memory_new(1, sizeof *game, status);
    if (!game)
        return NULL;
    game->partition = partition;
    game->columns = partition_columns(partition);
    game->height = partition_rows(partition) + SPAWN_ROWS;
    game->piece_count = partition_piece_count(partition);
    game->rows = memory_new((size_t)game->height, sizeof *game->rows, status);
    game->cells = memory_new((size_t)game->height * (size_t)game->columns, sizeof(int32_t), status);
    game->pieces = memory_new((size_t)game->piece_count, 1, status);
    if (!game->rows || !game->cells || !game->pieces) {
        partition_game_free(game);
        return NULL;
    }
    partition_pieces(partition, game->pieces);
    for (int y = 0; y < game->height; y++) {
        game->rows[y] = game->cells + (size_t)y * (size_t)game->columns;
        for (int x = 0; x < game->columns && y < partition_rows(partition); x++)
            game->rows[y][x] = partition_filled(partition, x, y) ? -1 : 0;
    }
    return game;
}

void partition_game_free(PartitionGame *game) {
    if (!game)
        return;
    free(game->rows);
    free(game->cells);
    free(game->pieces);
    free(game);
}

static bool fits(const PartitionGame *game, Piece piece, Spot at) {
    const Cell *cells = piece_shapes[piece][at.rotation].cells;
    for (int i = 0; i < 4; i++) {
        int x = at.x + cells[i].x, y = at.y + cells[i].y;
        if (x < 0 || x >= game->columns || y < 0 || y >= game->height || game->rows[y][x] != 0)
            return false;
    }
    return true;
}

static bool is_full(const PartitionGame *game, int y) {
    int filled = 0;
    while (filled < game->columns && game->rows[y][filled] != 0)
        filled++;
    return filled == game->columns;
}

/* Removes a row: those above move down by one, and an empty one is on top. */
static void remove_row(PartitionGame *game, int y) {
    int32_t *row = game->rows[y];
    size_t above = (size_t)(game->height - 1 - y);
    memset(row, 0, (size_t)game->columns * sizeof *row);
    memmove(&game->rows[y], &game->rows[y + 1], above * sizeof *game->rows);
    game->rows[game->height - 1] = row;
    game->lines++;
}

/* The spot after one move; false for an unknown letter. */
static bool moved(Piece piece, char letter, Spot *at) {
    switch (letter) {
    case 'l':
        at->x--;
        return true;
    case 'r':
        at->x++;
        return true;
    case 'd':
        at->y--;
        return true;
    case 'c':
    case 'a':
        if (piece != PIECE_O)
            at->rotation = (int)rotation_after((Rotation)at->rotation,
                                               letter == 'c' ? TURN_CLOCKWISE : TURN_COUNTER);
        return true;
    default:
        return false;
    }
}

bool partition_game_play(PartitionGame *game, const char *moves, Status *status) {
    int number = game->placed + 1;
    if (game->placed == game->piece_count)
        return status_fail(status, STATUS_INPUT, "there are only %d pieces", game->piece_count);
    Piece piece = (Piece)game->pieces[game->placed];
    char letter_of = piece_letters[piece];
    Spot at = spawn(game->partition);
    if (!fits(game, piece, at))
        return status_fail(status, STATUS_INPUT, "piece %d (%c): its spawn is blocked", number,
                           letter_of);
    /* 1. Every single move leads to empty cells. */
    for (const char *next = moves; *next;) {
        char letter = *next++;
        long count = 1;
        if (*next >= '1' && *next <= '9') {
            char *end;
            count = strtol(next, &end, 10);
            next = end;
        }
        bool more = *next == ' ' && next[1] != '\0';
        if (count > MOVE_MAX || (*next != '\0' && !more))
            letter = ' '; /* malformed */
        next += more;
        for (long i = 0; i < count; i++, game->steps++) {
            if (!moved(piece, letter, &at))
                return status_fail(status, STATUS_INPUT,
                                   "piece %d (%c): '%.40s' are not moves, as c l3 d95 r2", number,
                                   letter_of, moves);
            if (!fits(game, piece, at))
                return status_fail(status, STATUS_INPUT,
                                   "piece %d (%c): move %c%ld is blocked at its step %ld", number,
                                   letter_of, letter, count, i + 1);
        }
    }
    /* 2. The piece rests. */
    Spot below = {at.x, at.y - 1, at.rotation};
    if (fits(game, piece, below))
        return status_fail(status, STATUS_INPUT, "piece %d (%c): does not rest where it locks",
                           number, letter_of);
    /* 3. It locks; full rows are removed, of which only its own can be full. */
    const Shape *shape = &piece_shapes[piece][at.rotation];
    for (int i = 0; i < 4; i++)
        game->rows[at.y + shape->cells[i].y][at.x + shape->cells[i].x] = number;
    for (int y = at.y + shape->max_y; y >= at.y + shape->min_y; y--)
        if (is_full(game, y))
            remove_row(game, y);
    game->last = at;
    game->placed++;
    return true;
}

int partition_game_placed(const PartitionGame *game) {
    return game->placed;
}

int partition_game_lines(const PartitionGame *game) {
    return game->lines;
}

uint64_t partition_game_steps(const PartitionGame *game) {
    return game->steps;
}

int partition_game_cells(const PartitionGame *game) {
    int count = 0;
    for (int y = 0; y < game->height; y++)
        for (int x = 0; x < game->columns; x++)
            count += game->rows[y][x] != 0;
    return count;
}

int partition_game_owner(const PartitionGame *game, int x, int y) {
    return game->rows[y][x];
}

int partition_game_bucket(const PartitionGame *game) {
    const Shape *shape = &piece_shapes[game->pieces[game->placed - 1]][game->last.rotation];
    int first = (game->last.x + shape->min_x) / 6, last = (game->last.x + shape->max_x) / 6;
    return first == last && first < partition_sets(game->partition) ? first : -1;
}

/* ---- construction */

typedef struct Builder {
    const Partition *partition;
    PartitionMoves *moves;
    int capacity;
    bool failed;
} Builder;

static void add_run(Text *text, char letter, int count) {
    if (count > 0)
        text_format(text, count > 1 ? "%s%c%d" : "%s%c", text->length ? " " : "", letter, count);
}

/* One piece: rotated clockwise and moved above the board, let down, and then slid to the right
 * under an overhang. */
static void put(Builder *builder, int rotation, int x, int y, int slide) {
    if (builder->failed)
        return;
    Spot from = spawn(builder->partition);
    int across = x - slide - from.x;
    Text text = {0};
    add_run(&text, 'c', rotation);
    add_run(&text, 'l', -across);
    add_run(&text, 'r', across);
    add_run(&text, 'd', from.y - y);
    add_run(&text, 'r', slide);
    builder->moves->texts[builder->moves->count++] = text.data;
    builder->failed = text.failed;
}

/* J and O that complete a row with a notch and the row above it, from a flat surface at `row`. The
 * J slides two columns under the overhang. */
static void put_notch(Builder *builder, int x, int row) {
    put(builder, NORTH, x + 3, row, 2);
    put(builder, NORTH, x, row, 0);
}

/* The pieces of one number, in a bucket at column x that is filled up to row h (see above). */
static void put_number(Builder *builder, int x, int h, int number) {
    put(builder, EAST, x + 2, h + 2, 0); /* I: the surface is flat at row h + 4 */
    put_notch(builder, x, h + 4);
    for (int i = 0; i < number; i++) {
        int row = h + 6 * (i + 1);
        put(builder, NORTH, x + 1, row, 0);     /* J */
        put(builder, NORTH, x + 1, row + 1, 0); /* Z */
        put(builder, SOUTH, x + 1, row + 3, 0); /* J: flat again, four rows higher */
        put_notch(builder, x, row + 4);
    }
    put(builder, NORTH, x, h + 6 * (number + 1), 0); /* O O: four rows, column x + 2 stays open */
    put(builder, NORTH, x, h + 6 * (number + 1) + 2, 0);
}

bool partition_moves_build(const Partition *partition, const int bucket_of[PARTITION_MAX_NUMBERS],
                           PartitionMoves *moves, Status *status) {
    int sets = partition_sets(partition), rows = partition_rows(partition);
    int filled[PARTITION_MAX_SETS] = {0};
    *moves = (PartitionMoves){0};
    if (!partition_verify(partition, bucket_of, status))
        return false;
    *moves = (PartitionMoves){
        .texts = memory_new((size_t)partition_piece_count(partition), sizeof(char *), status)};
    if (!moves->texts)
        return false;
    Builder builder = {.partition = partition, .moves = moves};
    for (int i = 0; i < partition->count; i++) {
        int *h = &filled[bucket_of[i]];
        put_number(&builder, 6 * bucket_of[i], *h, partition->numbers[i]);
        *h += 6 * (partition->numbers[i] + 1);
    }
    for (int bucket = 0; bucket < sets; bucket++)
        put(&builder, EAST, 6 * bucket + 2, filled[bucket] + 2, 0);
    put(&builder, SOUTH, 6 * sets + 1, rows - 1, 0); /* L opens the lock: two rows go */
    for (int i = 0; i < (rows - 2) / 4; i++)
        put(&builder, EAST, 6 * sets + 2, 2, 0); /* I: the lowest four rows go */
    return builder.failed ? status_no_memory(status) : true;
}

void partition_moves_release(PartitionMoves *moves) {
    for (int i = 0; moves->texts && i < moves->count; i++)
        free(moves->texts[i]);
    free(moves->texts);
    *moves = (PartitionMoves){0};
}

bool partition_moves_replay(const Partition *partition, const PartitionMoves *moves,
                            int bucket_of[PARTITION_MAX_NUMBERS], PartitionGame **end,
                            Status *status) {
    PartitionGame *game = *end = partition_game_new(partition, status);
    if (!game)
        return false;
    if (moves->count != game->piece_count)
        return status_fail(status, STATUS_INPUT, "moves of %d pieces, the game has %d",
                           moves->count, game->piece_count);
    for (int i = 0, played = 0; i <= partition->count; i++) {
        bool is_number = i < partition->count;
        int last = is_number ? partition_end_of_number(partition, i) : game->piece_count;
        for (int first = played; played < last; played++) {
            if (!partition_game_play(game, moves->texts[played], status))
                return false;
            int bucket = partition_game_bucket(game);
            if (is_number && played == first)
                bucket_of[i] = bucket;
            if (is_number && (bucket < 0 || bucket != bucket_of[i]))
                return status_fail(status, STATUS_INPUT,
                                   "piece %d: the pieces of number %d are not in one bucket",
                                   played + 1, i + 1);
        }
    }
    int left = partition_game_cells(game);
    if (left > 0)
        return status_fail(status, STATUS_INPUT, "%d cells are still filled at the end", left);
    return true;
}

/* ---- certificate */

static const char format_name[] = "tetropt-partition";

bool partition_certificate_write(const Partition *partition, const PartitionMoves *moves,
                                 Text *json) {
    JsonWriter w;
    jw_init(&w, json);
    jw_object(&w, NULL);
    jw_put(&w, JS("format", format_name), JI("version", 1), JI("target", partition->target),
           JI("per-bucket", partition->per_bucket));
    jw_array(&w, "numbers");
    for (int i = 0; i < partition->count; i++)
        jw_integer(&w, NULL, partition->numbers[i]);
    jw_end(&w);
    jw_array(&w, "moves");
    for (int i = 0; i < moves->count; i++)
        jw_string(&w, NULL, moves->texts[i]);
    jw_end(&w);
    jw_end(&w);
    text_add_char(json, '\n');
    return !json->failed;
}

static bool read_numbers(const Json *root, Partition *partition, Status *status) {
    static const char *const members[] = {"format",     "version", "target",
                                          "per-bucket", "numbers", "moves"};
    const Json *numbers = json_get(root, "numbers");
    int version = 0;
    if (!json_only_members(root, members, 6, status))
        return false;
    const char *format = json_read_string(root, "format", status);
    if (!format)
        return false;
    if (strcmp(format, format_name) != 0)
        return status_fail(status, STATUS_INPUT, "format: '%.40s' is not %s", format, format_name);
    *partition = (Partition){.per_bucket = PARTITION_PER_BUCKET};
    if (!json_read_int(root, "version", 1, 1, &version, status) ||
        !json_read_int(root, "target", 1, PARTITION_MAX_TARGET, &partition->target, status) ||
        !json_read_int(root, "per-bucket", 1, PARTITION_PER_BUCKET, &partition->per_bucket, status))
        return false;
    if (version == 0 || partition->target == 0)
        return status_fail(status, STATUS_INPUT, "version or target is missing");
    if (partition->per_bucket == 2)
        return status_fail(status, STATUS_INPUT, "per-bucket: must be 1 or 3");
    if (!json_is_array(numbers) || json_count(numbers) > PARTITION_MAX_NUMBERS)
        return status_fail(status, STATUS_INPUT, "numbers: must be an array of at most %d",
                           PARTITION_MAX_NUMBERS);
    for (size_t i = 0; i < json_count(numbers); i++) {
        const Json *number = json_at(numbers, i);
        if (!json_is_integer(number) || json_int(number) < 1 ||
            json_int(number) > PARTITION_MAX_TARGET)
            return status_fail(status, STATUS_INPUT, "numbers: item %zu is not an integer in 1..%d",
                               i + 1, PARTITION_MAX_TARGET);
        partition->numbers[partition->count++] = (int)json_int(number);
    }
    return partition_check(partition, status);
}

static bool read_moves(const Json *root, const Partition *partition, PartitionMoves *moves,
                       Status *status) {
    const Json *texts = json_get(root, "moves");
    if (!json_is_array(texts) || json_count(texts) != (size_t)partition_piece_count(partition))
        return status_fail(status, STATUS_INPUT, "moves: must be an array of %d texts",
                           partition_piece_count(partition));
    moves->texts = memory_new(json_count(texts), sizeof(char *), status);
    if (!moves->texts)
        return false;
    for (size_t i = 0; i < json_count(texts); i++) {
        if (!json_is_string(json_at(texts, i)))
            return status_fail(status, STATUS_INPUT, "moves: item %zu is not a string", i + 1);
        moves->texts[i] = strdup(json_text(json_at(texts, i)));
        if (!moves->texts[i])
            return status_no_memory(status);
        moves->count++;
    }
    return true;
}

bool partition_certificate_read(const char *json, size_t length, Partition *partition,
                                PartitionMoves *moves, Status *status) {
    *moves = (PartitionMoves){0};
    Json *root = json_parse(json, length, status);
    bool ok =
        root && read_numbers(root, partition, status) && read_moves(root, partition, moves, status);
    json_free(root);
    return ok;
}
