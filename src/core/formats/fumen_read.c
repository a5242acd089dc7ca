/*
 * fumen_read: the reader of fumens. Everything that comes in is checked, since fumens come from
 * addresses and clipboards; nothing is read past its end.
 */
#include "formats/fumen_code.h"

#include <stdlib.h>
#include <string.h>

/* The digits of a fumen as values, without its '?' and white space. */
typedef struct Reader {
    const uint8_t *digits;
    size_t count, at;
    int rows; /* of the field: 23, in v110 21 */
    size_t page;
    Status *status;
} Reader;

static int digit_value(char character) {
    const char *at = character ? strchr(fumen_digits, character) : NULL;
    return at ? (int)(at - fumen_digits) : -1;
}

/* Finds "v115@" (v, d or m; 115 or 110). Returns what follows it, or NULL. */
static const char *find_mark(const char *text, size_t length, int *rows) {
    for (size_t i = 0; i + 5 <= length; i++) {
        if (text[i + 4] != '@' || !strchr("vdm", text[i]) || !text[i])
            continue;
        if (memcmp(text + i + 1, "115", 3) == 0 || memcmp(text + i + 1, "110", 3) == 0) {
            *rows = text[i + 3] == '5' ? FUMEN_ROWS : FUMEN_ROWS - 2;
            return text + i + 5;
        }
    }
    return NULL;
}

bool fumen_is_inside(const char *text, size_t length) {
    int rows;
    return find_mark(text, length, &rows) != NULL;
}

/* Copies the digits. '&' and '#' end the part of an address that is the fumen. */
static bool collect_digits(const char *from, const char *end, uint8_t *digits, size_t *count,
                           Status *status) {
    *count = 0;
    for (const char *at = from; at < end && *at != '&' && *at != '#'; at++) {
        if (*at && strchr("? \t\r\n\f\v", *at))
            continue;
        int value = digit_value(*at);
        if (value < 0)
            return status_fail(status, STATUS_INPUT,
                               "'%c', character %zu after the @, does not belong there", *at,
                               (size_t)(at - from) + 1);
        digits[(*count)++] = (uint8_t)value;
    }
    return true;
}

static bool fail(Reader *reader, const char *what) {
    return status_fail(reader->status, STATUS_INPUT, "page %zu, digit %zu: %s", reader->page + 1,
                       reader->at + 1, what);
}

static bool read_number(Reader *reader, int digits, unsigned *value) {
    *value = 0;
    if (reader->count - reader->at < (size_t)digits)
        return fail(reader, "it ends too early");
    for (int i = digits - 1; i >= 0; i--)
        *value = *value * 64 + reader->digits[reader->at + (size_t)i];
    reader->at += (size_t)digits;
    return true;
}

static char *cell_at(FumenField *field, int rows, int index) {
    int row = index / FUMEN_WIDTH, x = index % FUMEN_WIDTH;
    return row < rows ? &field->cells[rows - 1 - row][x] : &field->under[x];
}

/* Adds the runs of differences to `field`, which is what the page before left. */
static bool read_field(Reader *reader, FumenField *field, bool *changed) {
    int cells = (reader->rows + 1) * FUMEN_WIDTH;
    *changed = true;
    for (int index = 0; index < cells;) {
        unsigned value;
        if (!read_number(reader, 2, &value))
            return false;
        int difference = (int)value / cells - FUMEN_SAME, run = (int)value % cells + 1;
        if (run > cells - index)
            return fail(reader, "a run goes past the end of the field");
        *changed = difference != 0 || run != cells;
        for (; run > 0; run--, index++) {
            char *cell = cell_at(field, reader->rows, index);
            int number = fumen_cell_number(*cell) + difference;
            if (number < 0 || number >= FUMEN_CELL_COUNT)
                return fail(reader, "unknown cell");
            *cell = fumen_cells[number];
        }
    }
    return true;
}

static bool read_action(Reader *reader, FumenPage *page, bool *comment) {
    unsigned value, cells = (unsigned)(reader->rows + 1) * FUMEN_WIDTH;
    if (!read_number(reader, 3, &value))
        return false;
    unsigned piece = value % 8, rotation = value / 8 % 4, position = value / 32 % cells;
    value /= 32 * cells;
    page->rise = value & 1;
    page->mirror = value >> 1 & 1;
    page->colored = value >> 2 & 1;
    *comment = value >> 3 & 1;
    page->lock = !(value >> 4 & 1);
    if (piece == 0)
        return true;
    Placement at = {.piece = (uint8_t)piece_from_letter(fumen_cells[piece]),
                    .rotation = (uint8_t)fumen_rotation_from_number((int)rotation)};
    Cell shift = fumen_origin_shift((Piece)at.piece, (Rotation)at.rotation);
    at.x = (int8_t)((int)(position % FUMEN_WIDTH) - shift.x);
    at.y = (int8_t)(reader->rows - 1 - (int)(position / FUMEN_WIDTH) - shift.y);
    if (!fumen_placement_inside(at))
        return fail(reader, "the piece is outside the field");
    page->placement = at;
    return true;
}

/* Adds the comment, with its NUL, to `comments` and says where. */
static bool read_comment(Reader *reader, Text *comments, size_t *offset) {
    unsigned length;
    if (!read_number(reader, 2, &length))
        return false;
    char escaped[FUMEN_MAX_COMMENT + 4];
    for (unsigned i = 0; i < length; i += 4) {
        unsigned value;
        if (!read_number(reader, 5, &value))
            return false;
        for (unsigned k = 0; k < 4; k++, value /= 96)
            escaped[i + k] = (char)(' ' + value % 96);
    }
    *offset = comments->length;
    fumen_unescape(escaped, length, comments);
    text_add_char(comments, '\0');
    return !comments->failed || status_no_memory(reader->status);
}

/* State that carries from page to page. */
typedef struct Carried {
    FumenField field;
    unsigned repeats; /* pages to come whose field is not stored */
    size_t offset;    /* of the comment, not its address: the text moves as it grows */
} Carried;

static bool read_page(Reader *reader, Carried *carried, FumenPage *page, Text *comments) {
    fumen_page_init(page);
    page->field = carried->field;
    bool changed, comment;
    if (carried->repeats > 0)
        carried->repeats--;
    else if (!read_field(reader, &page->field, &changed) ||
             (!changed && !read_number(reader, 1, &carried->repeats)))
        return false;
    if (!read_action(reader, page, &comment) ||
        (comment && !read_comment(reader, comments, &carried->offset)))
        return false;
    fumen_page_leave(page, &carried->field);
    return true;
}

/* Room for one page more, and for its comment's offset. */
static bool grow(Fumen *fumen, size_t **offsets, size_t *capacity, Status *status) {
    if (fumen->count < *capacity)
        return true;
    if (fumen->count == FUMEN_MAX_PAGES)
        return status_fail(status, STATUS_INPUT, "more than %d pages", FUMEN_MAX_PAGES);
    *capacity = *capacity ? *capacity * 2 : 16;
    if (*capacity > FUMEN_MAX_PAGES)
        *capacity = FUMEN_MAX_PAGES;
    FumenPage *pages = realloc(fumen->pages, *capacity * sizeof *pages);
    if (pages)
        fumen->pages = pages;
    size_t *more = realloc(*offsets, *capacity * sizeof **offsets);
    if (more)
        *offsets = more;
    return (pages && more) || status_no_memory(status);
}

static bool read_pages(Reader *reader, Fumen *fumen) {
    Carried carried = {.repeats = 0};
    fumen_field_init(&carried.field);
    text_add_char(&fumen->comments, '\0'); /* the empty comment, at 0 */
    size_t *offsets = NULL, capacity = 0;
    bool ok = !fumen->comments.failed || status_no_memory(reader->status);
    if (reader->count == 0)
        ok = fail(reader, "there is nothing");
    while (ok && reader->at < reader->count) {
        reader->page = fumen->count;
        ok = grow(fumen, &offsets, &capacity, reader->status) &&
             read_page(reader, &carried, &fumen->pages[fumen->count], &fumen->comments);
        if (ok)
            offsets[fumen->count++] = carried.offset;
    }
    for (size_t i = 0; ok && i < fumen->count; i++)
        fumen->pages[i].comment = fumen->comments.data + offsets[i];
    free(offsets);
    return ok;
}

bool fumen_decode(const char *text, size_t length, Fumen *fumen, Status *status) {
    *fumen = (Fumen){0};
    if (length > FUMEN_MAX_BYTES)
        return status_fail(status, STATUS_INPUT, "longer than %d characters", FUMEN_MAX_BYTES);
    Reader reader = {.status = status};
    const char *from = find_mark(text, length, &reader.rows);
    if (!from)
        return status_fail(status, STATUS_INPUT, "not a fumen: v115@ (or v110@) is missing");
    if (memchr(text, '\0', length))
        return status_fail(status, STATUS_INPUT, "has a NUL in it");
    uint8_t *digits = malloc(length + 1);
    if (!digits)
        return status_no_memory(status);
    reader.digits = digits;
    bool ok = collect_digits(from, text + length, digits, &reader.count, status) &&
              read_pages(&reader, fumen);
    free(digits);
    if (!ok)
        fumen_release(fumen);
    return ok;
}
