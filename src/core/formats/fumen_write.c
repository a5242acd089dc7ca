/*
 * fumen_write: the writer of fumens. Fields that stay are counted and comments that stay are left
 * out, as other tools do, so that the same pages give the same text (tests/npm compares).
 */
#include "formats/fumen_code.h"

#include <string.h>

enum {
    CELLS = (FUMEN_ROWS + 1) * FUMEN_WIDTH,
    /* Other tools put a '?' after 42 characters, which are 47 with "v115@", and after every 47. */
    FIRST_BREAK = 42,
    BREAK = 47
};

static void add_number(Text *data, unsigned value, int digits) {
    for (; digits > 0; digits--, value /= 64)
        text_add_char(data, fumen_digits[value % 64]);
}

/* Cell `index` of the field in the order of the format: from the top, the row under the floor last.
 */
static int cell_at(const FumenField *field, int index) {
    int row = index / FUMEN_WIDTH, x = index % FUMEN_WIDTH;
    return fumen_cell_number(row < FUMEN_ROWS ? field->cells[FUMEN_ROWS - 1 - row][x]
                                              : field->under[x]);
}

static int difference_at(const FumenField *before, const FumenField *field, int index) {
    return cell_at(field, index) - cell_at(before, index) + FUMEN_SAME;
}

/* The runs of equal differences. */
static void add_differences(const FumenField *before, const FumenField *field, Text *data) {
    int run = 0, value = difference_at(before, field, 0);
    for (int i = 1; i < CELLS; i++) {
        int next = difference_at(before, field, i);
        if (next != value) {
            add_number(data, (unsigned)(value * CELLS + run), 2);
            value = next;
            run = 0;
        } else
            run++;
    }
    add_number(data, (unsigned)(value * CELLS + run), 2);
}

/* The count of unchanged pages that was written last. */
typedef struct Repeat {
    bool open; /* it can still grow */
    size_t at; /* where its digit stands */
    int count;
} Repeat;

static void add_field(const FumenField *before, const FumenField *field, Repeat *repeat,
                      Text *data) {
    if (memcmp(before, field, sizeof *field) != 0) {
        repeat->open = false;
        add_differences(before, field, data);
    } else if (repeat->open && repeat->count < FUMEN_MAX_REPEAT) {
        repeat->count++;
        if (!data->failed)
            data->data[repeat->at] = fumen_digits[repeat->count];
    } else {
        add_differences(before, field, data);
        *repeat = (Repeat){.open = true, .at = data->length};
        add_number(data, 0, 1);
    }
}

static void add_action(const FumenPage *page, bool comment, Text *data) {
    unsigned value = !page->lock;
    value = value * 2 + comment;
    value = value * 2 + page->colored;
    value = value * 2 + page->mirror;
    value = value * 2 + page->rise;
    Placement at = page->placement;
    unsigned position = 0, rotation = 0, piece = 0;
    if (at.piece != PIECE_NONE) {
        Cell shift = fumen_origin_shift((Piece)at.piece, (Rotation)at.rotation);
        position = (unsigned)((FUMEN_ROWS - 1 - at.y - shift.y) * FUMEN_WIDTH + at.x + shift.x);
        rotation = (unsigned)fumen_rotation_number((Rotation)at.rotation);
        piece = (unsigned)fumen_cell_number(piece_letters[at.piece]);
    }
    add_number(data, ((value * CELLS + position) * 4 + rotation) * 8 + piece, 3);
}

static void add_comment(const char *comment, Text *data) {
    Text escaped = {0};
    fumen_escape(comment, &escaped);
    if (escaped.failed)
        data->failed = true;
    add_number(data, (unsigned)escaped.length, 2);
    for (size_t i = 0; i < escaped.length && !escaped.failed; i += 4) {
        unsigned value = 0, scale = 1;
        for (size_t k = i; k < i + 4 && k < escaped.length; k++, scale *= 96)
            value += (unsigned)(escaped.data[k] - ' ') * scale;
        add_number(data, value, 5);
    }
    text_release(&escaped);
}

static void add_page(const FumenPage *page, const FumenField *before, const char **comment,
                     Repeat *repeat, Text *data) {
    bool changed = page->comment && strcmp(page->comment, *comment) != 0;
    add_field(before, &page->field, repeat, data);
    add_action(page, changed, data);
    if (changed) {
        add_comment(page->comment, data);
        *comment = page->comment;
    }
}

static void add_broken(const Text *data, Text *text) {
    text_add(text, "v115@");
    size_t end = FIRST_BREAK;
    for (size_t i = 0; i < data->length; i = end, end += BREAK) {
        if (i > 0)
            text_add_char(text, '?');
        text_add_bytes(text, data->data + i, (end < data->length ? end : data->length) - i);
    }
}

bool fumen_encode(const FumenPage *pages, size_t count, Text *text, Status *status) {
    for (size_t i = 0; i < count; i++)
        if (pages[i].placement.piece != PIECE_NONE && !fumen_placement_inside(pages[i].placement))
            return status_fail(status, STATUS_INPUT,
                               "fumen: the piece of page %zu is outside the field", i + 1);
    Text data = {0};
    FumenField before;
    fumen_field_init(&before);
    const char *comment = "";
    Repeat repeat = {.open = false};
    for (size_t i = 0; i < count; i++) {
        add_page(&pages[i], &before, &comment, &repeat, &data);
        fumen_page_leave(&pages[i], &before);
    }
    if (!data.failed)
        add_broken(&data, text);
    bool ok = !data.failed && !text->failed;
    text_release(&data);
    return ok || status_no_memory(status);
}
