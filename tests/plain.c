#include "plain.h"

#include <stdlib.h>
#include <string.h>

/* x0 y0 x1 y1 ... in the north state. */
static void north_cells(char piece, int cells[4][2]) {
    memset(cells, 0, 8 * sizeof(int));
    static const struct {
        char piece;
        int cells[4][2];
    } table[] = {
        {'I', {{-1, 0}, {0, 0}, {1, 0}, {2, 0}}}, {'O', {{0, 0}, {1, 0}, {0, 1}, {1, 1}}},
        {'T', {{-1, 0}, {0, 0}, {1, 0}, {0, 1}}}, {'S', {{-1, 0}, {0, 0}, {0, 1}, {1, 1}}},
        {'Z', {{-1, 1}, {0, 1}, {0, 0}, {1, 0}}}, {'J', {{-1, 1}, {-1, 0}, {0, 0}, {1, 0}}},
        {'L', {{1, 1}, {-1, 0}, {0, 0}, {1, 0}}},
    };
    for (int i = 0; i < 7; i++)
        if (table[i].piece == piece)
            memcpy(cells, table[i].cells, sizeof table[i].cells);
}

static void cells_of(char piece, int state, int cells[4][2]) {
    north_cells(piece, cells);
    for (; state > 0; state--)
        for (int i = 0; i < 4; i++) {
            int x = cells[i][0];
            cells[i][0] = cells[i][1];
            cells[i][1] = -x;
        }
}

static bool is_filled(const PlainBoard *board, int x, int y) {
    int rows = board->closed ? board->height : board->height + 20;
    if (x < 0 || x >= board->width || y < 0 || y >= rows)
        return true;
    return board->cells[y][x];
}

bool plain_fits(const PlainBoard *board, char piece, int state, int x, int y) {
    int cells[4][2];
    cells_of(piece, state, cells);
    for (int i = 0; i < 4; i++)
        if (is_filled(board, x + cells[i][0], y + cells[i][1]))
            return false;
    return true;
}

static void offset(char piece, int state, int test, int *x, int *y) {
    static const int others[4][5][2] = {
        {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}},
        {{0, 0}, {1, 0}, {1, -1}, {0, 2}, {1, 2}},
        {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}},
        {{0, 0}, {-1, 0}, {-1, -1}, {0, 2}, {-1, 2}},
    };
    static const int long_one[4][5][2] = {
        {{0, 0}, {-1, 0}, {2, 0}, {-1, 0}, {2, 0}},
        {{-1, 0}, {0, 0}, {0, 0}, {0, 1}, {0, -2}},
        {{-1, 1}, {1, 1}, {-2, 1}, {1, 0}, {-2, 0}},
        {{0, 1}, {0, 1}, {0, 1}, {0, -1}, {0, 2}},
    };
    static const int square[4][2] = {{0, 0}, {0, -1}, {-1, -1}, {-1, 0}};
    const int *found = piece == 'O'   ? square[state]
                       : piece == 'I' ? long_one[state][test]
                                      : others[state][test];
    *x = found[0];
    *y = found[1];
}

bool plain_turn(const PlainBoard *board, char piece, int direction, int *state, int *x, int *y) {
    int next = (*state + direction + 4) % 4;
    for (int test = 0; test < (piece == 'O' ? 1 : 5); test++) {
        int ax, ay, bx, by;
        offset(piece, *state, test, &ax, &ay);
        offset(piece, next, test, &bx, &by);
        if (plain_fits(board, piece, next, *x + ax - bx, *y + ay - by)) {
            *state = next;
            *x += ax - bx;
            *y += ay - by;
            return true;
        }
    }
    return false;
}

static int clear_rows(PlainBoard *board) {
    int count = 0;
    for (int y = 0; y < board->height + 20; y++) {
        bool full = true;
        for (int x = 0; x < board->width; x++)
            full = full && board->cells[y][x];
        if (!full)
            continue;
        for (int above = y; above < board->height + 19; above++)
            memcpy(board->cells[above], board->cells[above + 1], sizeof board->cells[above]);
        memset(board->cells[board->height + 19], 0, sizeof board->cells[0]);
        count++;
        y--;
    }
    return count;
}

typedef struct Hand {
    char piece;
    int state, x, y;
} Hand;

static int move(const PlainGame *game, Hand *hand, int steps) {
    int way = steps < 0 ? -1 : 1, left = abs(steps);
    while (left > 0 && plain_fits(&game->board, hand->piece, hand->state, hand->x + way, hand->y)) {
        hand->x += way;
        left--;
    }
    return left;
}

static int turn(const PlainGame *game, Hand *hand, int turns) {
    while (turns > 0 && plain_turn(&game->board, hand->piece, 1, &hand->state, &hand->x, &hand->y))
        turns--;
    return turns;
}

static void fall(const PlainGame *game, Hand *hand) {
    while (plain_fits(&game->board, hand->piece, hand->state, hand->x, hand->y - 1))
        hand->y--;
}

static void lock(PlainGame *game, const Hand *hand, PlainRules rules) {
    int cells[4][2];
    cells_of(hand->piece, hand->state, cells);
    bool some_below = false;
    for (int i = 0; i < 4; i++)
        some_below = some_below || hand->y + cells[i][1] < game->board.height;
    if (!some_below) {
        game->over = true;
        return;
    }
    for (int i = 0; i < 4; i++)
        game->board.cells[hand->y + cells[i][1]][hand->x + cells[i][0]] = true;
    static const int points[5] = {0, 1, 3, 5, 8};
    int lines = clear_rows(&game->board);
    game->placed++;
    game->lines += lines;
    game->score += points[lines];
    if (lines > 0)
        game->clears[lines - 1]++;
    bool empty = true;
    for (int x = 0; x < game->board.width; x++) {
        empty = empty && plain_height(&game->board, x) == 0;
        if (plain_height(&game->board, x) > game->peak)
            game->peak = plain_height(&game->board, x);
    }
    if (empty)
        game->score += rules.perfect_points;
}

static bool appears(PlainGame *game, Hand *hand, int piece) {
    hand->piece = (char)piece;
    hand->state = 0;
    hand->x = game->board.width / 2 - 1;
    hand->y = game->board.height - 1;
    if (game->board.closed) {
        hand->y = game->board.height - 4;
        return true;
    }
    game->over = !plain_fits(&game->board, hand->piece, 0, hand->x, hand->y);
    return !game->over;
}

static bool swap(PlainGame *game, Hand *hand, const char *pieces, int count) {
    int brought = game->hold;
    if (brought < 0 && game->next < count)
        brought = pieces[game->next++];
    if (brought < 0)
        return true;
    game->hold = hand->piece;
    return appears(game, hand, brought);
}

static bool turn_once(const PlainGame *game, Hand *hand, int direction) {
    return plain_turn(&game->board, hand->piece, direction, &hand->state, &hand->x, &hand->y);
}

/* The published program: the short way; a half turn first counter-clockwise, then clockwise, and a
 * quarter that cannot go on is turned back. */
static int turn_published(const PlainGame *game, Hand *hand, int turns) {
    if (turns == 0)
        return 0;
    if (turns != 2)
        return turn_once(game, hand, turns == 1 ? 1 : -1) ? 0 : 1;
    for (int direction = -1; direction <= 1; direction += 2) {
        if (!turn_once(game, hand, direction))
            continue;
        if (turn_once(game, hand, direction))
            return 0;
        turn_once(game, hand, -direction);
    }
    return 1;
}

/* A move gene and a turn gene of one half. */
static void steer(PlainGame *game, Hand *hand, const signed char *genes, int half,
                  PlainRules rules) {
    bool published = rules.order == PLAIN_PUBLISHED;
    bool turn_first = rules.order == PLAIN_TURN_FIRST || (published && half == 0);
    if (!turn_first)
        game->noops += move(game, hand, genes[0]);
    game->noops += published ? turn_published(game, hand, genes[1]) : turn(game, hand, genes[1]);
    if (turn_first)
        game->noops += move(game, hand, genes[0]);
}

void plain_decode(PlainGame *game, const char *pieces, int count, int placements,
                  const signed char *genes, PlainRules rules) {
    game->board.closed = rules.no_game_over;
    int peak = 0;
    for (int x = 0; x < game->board.width; x++)
        if (plain_height(&game->board, x) > peak)
            peak = plain_height(&game->board, x);
    game->peak = peak;
    game->hold = -1;
    for (int i = 0; i < placements && !game->over; i++) {
        Hand hand;
        int piece;
        if (game->next < count)
            piece = pieces[game->next++];
        else { /* the queue is used up: the held piece comes */
            piece = game->hold;
            game->hold = -1;
        }
        if (piece < 0)
            return;
        if (!appears(game, &hand, piece))
            return;
        if (rules.has_swap && *genes++ && !swap(game, &hand, pieces, count))
            return;
        for (int half = 0; half <= rules.is_double; half++, genes += 2) {
            steer(game, &hand, genes, half, rules);
            fall(game, &hand);
        }
        lock(game, &hand, rules);
    }
}

int plain_height(const PlainBoard *board, int x) {
    for (int y = board->height + 19; y >= 0; y--)
        if (board->cells[y][x])
            return y + 1;
    return 0;
}

static bool is_hole(const PlainBoard *board, int x, int y) {
    return !board->cells[y][x] && y < plain_height(board, x);
}

static int clearable_in(const PlainBoard *board, int x) {
    int h = plain_height(board, x), count = 0;
    if (h + 3 >= board->height)
        return 0;
    for (int y = h; y <= h + 3; y++) {
        int others = 0;
        for (int k = 0; k < board->width; k++)
            others += k != x && board->cells[y][k];
        count += others == board->width - 1;
    }
    return count;
}

void plain_heuristics(const PlainBoard *board, double values[PLAIN_HEURISTICS]) {
    int blocks = 0, weighted = 0, clearable = 0, rough = 0, hole_columns = 0, connected = 0;
    int above = 0, pits = 0, holes = 0, lowest = 1000;
    for (int x = 0; x < board->width; x++) {
        int h = plain_height(board, x), column_holes = 0;
        for (int y = 0; y < board->height + 20; y++) {
            blocks += board->cells[y][x];
            weighted += board->cells[y][x] ? y + 1 : 0;
            if (!is_hole(board, x, y))
                continue;
            column_holes++;
            connected += is_hole(board, x, y + 1);
            for (int k = y + 1; k < h; k++)
                above += board->cells[k][x];
        }
        holes += column_holes;
        hole_columns += column_holes > 0;
        int y = board->closed && h == board->height ? h - 1 : h; /* no row above the ceiling */
        pits += is_filled(board, x - 1, y) && is_filled(board, x + 1, y);
        if (clearable_in(board, x) > clearable)
            clearable = clearable_in(board, x);
        if (x > 0)
            rough += abs(h - plain_height(board, x - 1));
        if (h < lowest)
            lowest = h;
    }
    double found[PLAIN_HEURISTICS] = {
        blocks,       weighted,  clearable, rough,
        hole_columns, connected, above,     pits + holes > 0 ? (double)pits / (pits + holes) : 0,
        lowest};
    memcpy(values, found, sizeof found);
}
