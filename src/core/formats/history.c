/*
 * history: the published pieces and their turns, one move after the other.
 *
 * Cells are relative to the centre of a piece, x to the right and y upwards. I, S and Z have two
 * states and T, J and L four, each the one before rotated clockwise about the centre.
 */
#include "formats/history.h"

#include "engine/board.h"

#include <ctype.h>
#include <string.h>

enum { WIDTH = 10, HEIGHT = 20, SPAWN_X = WIDTH / 2, SPAWN_Y = HEIGHT - 3 };

typedef struct Kind {
    Cell cells[4];
    int states;
} Kind;

static const Kind kinds[PIECE_COUNT] = {
    [PIECE_I] = {{{-1, 0}, {0, 0}, {1, 0}, {2, 0}}, 2},
    [PIECE_O] = {{{0, 0}, {1, 0}, {0, -1}, {1, -1}}, 1},
    [PIECE_T] = {{{-1, 0}, {0, 0}, {0, 1}, {1, 0}}, 4},
    [PIECE_S] = {{{-1, -1}, {0, -1}, {0, 0}, {1, 0}}, 2},
    [PIECE_Z] = {{{-1, 0}, {0, 0}, {0, -1}, {1, -1}}, 2},
    [PIECE_J] = {{{0, 1}, {0, 0}, {1, 0}, {2, 0}}, 4},
    [PIECE_L] = {{{-2, 0}, {-1, 0}, {0, 0}, {0, 1}}, 4},
};

static const char *const words[] = {"DER", "IZQ", "CAE", "GIR", "FIJ"};
typedef enum Word { RIGHT, LEFT, DOWN, ROTATE, LOCK, WORDS } Word;

/* The next word of the text that is not "Movimiento"; WORDS for any other word, -1 at the end. */
static int next_word(const char **text) {
    for (;;) {
        const char *at = *text;
        while (*at && !isalpha((unsigned char)*at))
            at++;
        size_t length = 0;
        while (isalpha((unsigned char)at[length]))
            length++;
        *text = at + length;
        if (length == 0)
            return -1;
        if (length == strlen("Movimiento") && strncmp(at, "Movimiento", length) == 0)
            continue;
        for (int i = 0; i < WORDS; i++)
            if (length == strlen(words[i]) && strncmp(at, words[i], length) == 0)
                return i;
        return WORDS;
    }
}

bool history_is_inside(const char *text) {
    const char *at = text;
    int word = next_word(&at);
    return word >= 0 && word < WORDS;
}

/* The current piece. */
typedef struct Falling {
    Piece piece;
    int x, y, state;
} Falling;

static void cells_of(const Falling *at, Cell out[4]) {
    const Kind *kind = &kinds[at->piece];
    for (int i = 0; i < 4; i++) {
        Cell cell = kind->cells[i];
        for (int turn = 0; turn < at->state; turn++)
            cell = (Cell){cell.y, (int8_t)-cell.x};
        out[i] = (Cell){(int8_t)(at->x + cell.x), (int8_t)(at->y + cell.y)};
    }
}

static bool fits(const Board *board, const Falling *at) {
    Cell cells[4];
    cells_of(at, cells);
    for (int i = 0; i < 4; i++)
        if (cells[i].x < 0 || cells[i].x >= WIDTH || cells[i].y < 0 || cells[i].y >= HEIGHT ||
            board_cell(board, cells[i].x, cells[i].y))
            return false;
    return true;
}

static void press(const Board *board, Falling *at, Word word) {
    Falling next = *at;
    next.x += (word == RIGHT) - (word == LEFT);
    next.y -= word == DOWN;
    if (word == ROTATE)
        next.state = (next.state + 1) % kinds[at->piece].states;
    if (fits(board, &next))
        *at = next;
}

/* The same cells as a placement of the engine. */
static Placement placement_of(const Falling *at) {
    Cell cells[4];
    cells_of(at, cells);
    int left = WIDTH, low = HEIGHT;
    for (int i = 0; i < 4; i++) {
        left = cells[i].x < left ? cells[i].x : left;
        low = cells[i].y < low ? cells[i].y : low;
    }
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint64_t)1 << (cells[i].x - left + 16 * (cells[i].y - low));
    Rotation rotation = NORTH;
    while (piece_shapes[at->piece][rotation].mask != mask)
        rotation++;
    const Shape *shape = &piece_shapes[at->piece][rotation];
    return (Placement){(uint8_t)at->piece, (uint8_t)rotation, (int8_t)(left - shape->min_x),
                       (int8_t)(low - shape->min_y), SPIN_NONE};
}

/* Locks the piece; false when nothing is below it. */
static bool lock(Board *board, const Falling *at, Placement *placement) {
    Falling below = *at;
    below.y--;
    if (fits(board, &below))
        return false;
    *placement = placement_of(at);
    board_fill(board, at->piece, (Rotation)placement->rotation, placement->x, placement->y);
    board_clear_rows(board);
    return true;
}

static bool play(Replay *replay, const char *text, const uint8_t *pieces, size_t piece_count,
                 Status *status) {
    Board board;
    board_init(&board, WIDTH, HEIGHT);
    Falling at = {.piece = PIECE_NONE};
    size_t placed = 0;
    for (int word; (word = next_word(&text)) >= 0;) {
        if (word == WORDS)
            return status_fail(status, STATUS_INPUT, "piece %zu: an unknown move", placed + 1);
        if (placed == piece_count && word != LOCK)
            continue;
        if (placed == piece_count)
            return status_fail(status, STATUS_INPUT, "more moves than the %zu pieces", piece_count);
        if (at.piece == PIECE_NONE) {
            at = (Falling){(Piece)pieces[placed], SPAWN_X, SPAWN_Y, 0};
            if (!fits(&board, &at))
                return status_fail(status, STATUS_INPUT, "piece %zu: its spawn is blocked",
                                   placed + 1);
        }
        if (word != LOCK) {
            press(&board, &at, (Word)word);
            continue;
        }
        Placement placement;
        if (!lock(&board, &at, &placement))
            return status_fail(status, STATUS_INPUT, "piece %zu: locks where it does not rest",
                               placed + 1);
        replay_add_move(replay, placement, false);
        at.piece = PIECE_NONE;
        placed++;
    }
    return placed > 0 || status_fail(status, STATUS_INPUT, "no piece locks");
}

bool replay_from_history(Replay *replay, const char *text, const uint8_t *pieces,
                         size_t piece_count, Status *status) {
    Rules rules = {
        .set = RULES_GUIDELINE, .scoring = SCORING_UNIT, .width = WIDTH, .height = HEIGHT};
    Grid start;
    grid_init(&start, WIDTH, HEIGHT);
    replay_init(replay, &rules, &start);
    replay->foreign = true;
    for (size_t i = 0; i < piece_count; i++)
        replay_add_piece(replay, (Piece)pieces[i]);
    if (play(replay, text, pieces, piece_count, status) && replay_complete(replay, status))
        return true;
    replay_release(replay);
    return false;
}
