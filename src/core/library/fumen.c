/* fumen: the boards of fumens, as text and back. There is no handle: a failure is the text. */
#include "formats/fumen.h"
#include "engine/board_text.h"
#include "library/handles.h"

/* Copies the text, or the reason why there is none; returns the length of the text, 0: failed. */
static size_t give(bool ok, Text *whole, Status *status, char *text, size_t bytes) {
    if (ok && whole->failed)
        ok = status_no_memory(status);
    size_t length = 0;
    if (ok) {
        length = handle_copy_text(whole, text, bytes);
    } else if (text && bytes > 0) {
        size_t kept = strlen(status->message);
        kept = kept < bytes ? kept : bytes - 1;
        memcpy(text, status->message, kept);
        text[kept] = '\0';
    }
    text_release(whole);
    return length;
}

int tetropt_fumen_pages(const char *fumen) {
    Fumen read;
    if (!fumen || !fumen_decode(fumen, strlen(fumen), &read, NULL))
        return 0;
    int count = (int)read.count;
    fumen_release(&read);
    return count;
}

size_t tetropt_fumen_board(const char *fumen, int page, char *text, size_t bytes) {
    Status status = {0};
    Text whole = {0};
    Fumen read;
    bool ok = fumen ? fumen_decode(fumen, strlen(fumen), &read, &status)
                    : status_fail(&status, STATUS_INPUT, "fumen: is NULL");
    if (!ok)
        return give(false, &whole, &status, text, bytes);
    if (page < 1 || (size_t)page > read.count)
        ok = status_fail(&status, STATUS_INPUT, "page %d: the fumen has %zu", page, read.count);
    for (int y = FUMEN_ROWS - 1; ok && y >= 0; y--) {
        text_add_bytes(&whole, read.pages[page - 1].field.cells[y], FUMEN_WIDTH);
        text_add_char(&whole, '\n');
    }
    fumen_release(&read);
    return give(ok, &whole, &status, text, bytes);
}

size_t tetropt_board_fumen(const char *board, char *text, size_t bytes) {
    Status status = {0};
    Text whole = {0};
    Grid grid;
    grid_init(&grid, FUMEN_WIDTH, FUMEN_ROWS);
    bool ok = board ? board_text_read(&grid, board, strlen(board), &status) &&
                          fumen_write_board(&grid, NULL, &whole, &status)
                    : status_fail(&status, STATUS_INPUT, "board: is NULL");
    return give(ok, &whole, &status, text, bytes);
}
