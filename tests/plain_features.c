#include "plain_features.h"

#include <string.h>

/* Walls and floor are filled, above everything it is empty. */
static bool filled(const PlainBoard *board, int x, int y) {
    if (x < 0 || x >= board->width || y < 0)
        return true;
    return y < PLAIN_ROWS && board->cells[y][x];
}

/* Rows that count: the visible ones, and more if the stack is taller. */
static int counted_rows(const PlainBoard *board) {
    int rows = board->height;
    for (int x = 0; x < board->width; x++)
        if (plain_height(board, x) > rows)
            rows = plain_height(board, x);
    return rows;
}

static int row_transitions(const PlainBoard *board) {
    int count = 0, rows = counted_rows(board);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x <= board->width; x++)
            count += filled(board, x - 1, y) != filled(board, x, y);
    return count;
}

static int column_transitions(const PlainBoard *board) {
    int count = 0;
    int rows = counted_rows(board);
    for (int x = 0; x < board->width; x++)
        for (int y = 0; y <= rows; y++)
            count += filled(board, x, y - 1) != filled(board, x, y);
    return count;
}

static int wells(const PlainBoard *board) {
    int count = 0, rows = counted_rows(board);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < board->width; x++)
            if (!filled(board, x, y) && filled(board, x - 1, y) && filled(board, x + 1, y))
                for (int below = y; !filled(board, x, below); below--)
                    count++;
    return count;
}

static int hole_depth(const PlainBoard *board) {
    int count = 0, rows = counted_rows(board);
    for (int x = 0; x < board->width; x++) {
        int lowest_empty = 0;
        while (filled(board, x, lowest_empty))
            lowest_empty++;
        for (int y = lowest_empty; y < rows; y++)
            count += filled(board, x, y);
    }
    return count;
}

static int diversity(const PlainBoard *board) {
    int count = 0;
    for (int step = -2; step <= 2; step++) {
        bool found = false;
        for (int x = 0; x + 1 < board->width; x++)
            found = found || plain_height(board, x + 1) - plain_height(board, x) == step;
        count += found;
    }
    return count;
}

void plain_board_features(const PlainBoard *board, double values[PLAIN_FEATURES]) {
    int holes = 0, rows_with_holes = 0;
    bool seen_filled[PLAIN_WIDTH] = {false}; /* above the row that is looked at */
    for (int y = counted_rows(board); y >= 0; y--) {
        int in_row = 0;
        for (int x = 0; x < board->width; x++) {
            in_row += !filled(board, x, y) && seen_filled[x];
            seen_filled[x] = seen_filled[x] || filled(board, x, y);
        }
        holes += in_row;
        rows_with_holes += in_row > 0;
    }
    values[0] = values[1] = values[9] = 0;
    values[2] = row_transitions(board);
    values[3] = column_transitions(board);
    values[4] = holes;
    values[5] = wells(board);
    values[6] = hole_depth(board);
    values[7] = rows_with_holes;
    values[8] = diversity(board);
}

/* Offsets of the cells from the leftmost column and the lowest row. */
static void offsets_of(char piece, int state, int cells[4][2]) {
    memset(cells, 0, 8 * sizeof(int));
    static const struct {
        char piece;
        const char *states[4]; /* x y x y ... */
    } table[] = {
        {'I', {"00102030", "00010203", "00102030", "00010203"}},
        {'O', {"00100111", "00100111", "00100111", "00100111"}},
        {'T', {"00102011", "00010211", "01112110", "10111201"}},
        {'S', {"00101121", "10110102", "00101121", "10110102"}},
        {'Z', {"01111020", "00011112", "01111020", "00011112"}},
        {'J', {"00102001", "00010212", "01112120", "00101112"}},
        {'L', {"00102021", "00100102", "01112100", "10111202"}},
    };
    for (int i = 0; i < 7; i++)
        if (table[i].piece == piece)
            for (int k = 0; k < 8; k++)
                cells[k / 2][k % 2] = table[i].states[state][k] - '0';
}

int plain_drop_columns(const PlainBoard *board, char piece, int state) {
    int cells[4][2], last = 0;
    offsets_of(piece, state, cells);
    for (int i = 0; i < 4; i++)
        last = cells[i][0] > last ? cells[i][0] : last;
    return board->width - last;
}

static bool collides(const PlainBoard *board, int cells[4][2], int left, int low) {
    for (int i = 0; i < 4; i++)
        if (filled(board, left + cells[i][0], low + cells[i][1]))
            return true;
    return false;
}

static bool row_is_full(const PlainBoard *board, int y) {
    for (int x = 0; x < board->width; x++)
        if (!board->cells[y][x])
            return false;
    return true;
}

static void remove_row(PlainBoard *board, int y) {
    for (; y + 1 < PLAIN_ROWS; y++)
        memcpy(board->cells[y], board->cells[y + 1], sizeof board->cells[y]);
    memset(board->cells[PLAIN_ROWS - 1], 0, sizeof board->cells[0]);
}

bool plain_drop(PlainBoard *board, char piece, int state, int left, double values[PLAIN_FEATURES]) {
    int cells[4][2], low = PLAIN_ROWS - 4, rows = 0, removed = 0, eroded = 0;
    bool inside = true;
    offsets_of(piece, state, cells);
    while (!collides(board, cells, left, low - 1))
        low--;
    for (int i = 0; i < 4; i++) {
        board->cells[low + cells[i][1]][left + cells[i][0]] = true;
        rows = cells[i][1] + 1 > rows ? cells[i][1] + 1 : rows;
        inside = inside && low + cells[i][1] < board->height;
    }
    if (!inside)
        return false;
    for (int i = 0; i < 4; i++)
        eroded += row_is_full(board, low + cells[i][1]);
    for (int y = board->height - 1; y >= 0; y--)
        if (row_is_full(board, y)) {
            remove_row(board, y);
            removed++;
        }
    plain_board_features(board, values);
    values[0] = low + (rows - 1) / 2.0;
    values[1] = removed * eroded;
    values[9] = removed;
    return true;
}
