/* Fumen: known texts, the way there and back, and what is refused. */
#include <signal.h>

#include "base/rng.h"
#include "formats/fumen.h"
#include "formats/fumen_code.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static bool encode(const FumenPage *pages, size_t count, Text *text) {
    Status status = {0};
    text_init(text);
    return fumen_encode(pages, count, text, &status);
}

static Fumen decode(const char *text) {
    Fumen fumen;
    Status status = {0};
    cr_assert(fumen_decode(text, strlen(text), &fumen, &status), "%s", status.message);
    return fumen;
}

static void refuses(const char *text, const char *why) {
    Fumen fumen;
    Status status = {0};
    cr_assert_not(fumen_decode(text, strlen(text), &fumen, &status), "%s", text);
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert(strstr(status.message, why), "%s: %s", text, status.message);
}

/* The texts below were written by the npm package tetris-fumen 1.1.3. */

Test(fumen, an_empty_board) {
    Grid grid;
    grid_init(&grid, 10, 20);
    Text text;
    text_init(&text);
    Status status = {0};
    cr_assert(fumen_write_board(&grid, NULL, &text, &status));
    cr_assert_str_eq(text.data, "v115@vhAAgH");
    text_release(&text);
}

Test(fumen, a_game) {
    const DecodeStep steps[] = {
        {.move.placement = {.piece = PIECE_T, .rotation = NORTH, .x = 4, .y = 0}},
        {.move.placement = {.piece = PIECE_I, .rotation = WEST, .x = 0, .y = 1}},
        {.move.placement = {.piece = PIECE_O, .rotation = SOUTH, .x = 9, .y = 1}},
    };
    Grid grid;
    grid_init(&grid, 10, 20);
    Text text;
    text_init(&text);
    Status status = {0};
    cr_assert(fumen_write_game(&grid, steps, 3, NULL, &text, &status));
    cr_assert_str_eq(text.data, "v115@vhCVQJZkBDtB");
    Fumen fumen = decode(text.data);
    cr_assert_eq(fumen.count, 3);
    for (int i = 0; i < 3; i++) {
        cr_assert(fumen.pages[i].lock);
        cr_assert_eq(memcmp(&fumen.pages[i].placement, &steps[i].move.placement, sizeof(Placement)),
                     0);
    }
    cr_assert_eq(fumen.pages[2].field.cells[1][4], 'T');
    fumen_release(&fumen);
    text_release(&text);
}

static const char colored[] =
    "v115@RhF8AeC8hlxwR4AeRpwhA8IeAgWoAFmfIElXOSASom?2AwngHBFbcRAVFFIBDoo2Al/SSBzEEfEkJD+B";

Test(fumen, colors_the_row_under_the_floor_and_a_comment) {
    Fumen fumen = decode(colored);
    cr_assert_eq(fumen.count, 1);
    const FumenField *field = &fumen.pages[0].field;
    cr_assert_eq(memcmp(field->cells[1], "GGGGGG.GGG", 10), 0);
    cr_assert_eq(memcmp(field->cells[0], "LLTTSS.OOI", 10), 0);
    cr_assert_eq(memcmp(field->under, "G.........", 10), 0);
    cr_assert_str_eq(fumen.pages[0].comment,
                     "\xc3\x9cn\xc3\xaf 100% \xe8\xad\x9c \xf0\x9f\x8e\xae");
    Text text;
    cr_assert(encode(fumen.pages, fumen.count, &text));
    cr_assert_str_eq(text.data, colored);
    text_release(&text);
    fumen_release(&fumen);
}

Test(fumen, addresses_spaces_and_breaks) {
    const char *const forms[] = {"https://example.org/?v115@vhAAgH&english=1", "m115@vhAAgH",
                                 " d115@vh\nAA?gH ", "see v115@vhAAgH#here"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        Fumen fumen = decode(forms[i]);
        cr_assert_eq(fumen.count, 1);
        cr_assert_eq(fumen.pages[0].placement.piece, PIECE_NONE);
        fumen_release(&fumen);
    }
    Fumen old = decode("v110@7eAA4G"); /* 22 rows: 8*220+219 is another number */
    cr_assert_eq(old.count, 1);
    cr_assert(old.pages[0].colored && old.pages[0].lock);
    fumen_release(&old);
}

Test(fumen, breaks_stand_after_42_and_every_47) {
    static FumenPage pages[100];
    for (size_t i = 0; i < 100; i++)
        fumen_page_init(&pages[i]);
    for (size_t count = 1; count <= 100; count++) {
        Text text;
        cr_assert(encode(pages, count, &text));
        for (size_t i = 5; i < text.length; i++)
            cr_assert_eq(text.data[i] == '?', i >= 47 && (i - 47) % 48 == 0);
        cr_assert_neq(text.data[text.length - 1], '?');
        Fumen fumen = decode(text.data);
        cr_assert_eq(fumen.count, count);
        fumen_release(&fumen);
        text_release(&text);
    }
}

Test(fumen, what_happens_when_a_page_is_left) {
    FumenPage page;
    fumen_page_init(&page);
    memcpy(page.field.cells[0], "GGGGGG....", 10);
    memcpy(page.field.under, "S.........", 10);
    page.placement = (Placement){.piece = PIECE_I, .rotation = NORTH, .x = 7, .y = 0};
    page.field.cells[1][2] = 'T';
    FumenField field;
    fumen_page_leave(&page, &field);
    cr_assert_eq(memcmp(field.cells[0], "..T.......", 10), 0);
    page.rise = page.mirror = true;
    fumen_page_leave(&page, &field);
    cr_assert_eq(memcmp(field.cells[0], ".........S", 10), 0);
    cr_assert_eq(memcmp(field.cells[1], ".......T..", 10), 0);
    cr_assert_eq(memcmp(field.under, "..........", 10), 0);
    page.lock = false;
    fumen_page_leave(&page, &field);
    cr_assert_eq(memcmp(&field, &page.field, sizeof field), 0);
}

Test(fumen, comments_there_and_back) {
    const char *const plain[] = {
        "",    "a",      "abcd",     "100%",
        "%41", "%u0041", "\x01\x7f", "\xf0\x9f\x8e\xae\xe8\xad\x9c\xc3\xa9"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        Text escaped, back;
        text_init(&escaped);
        text_init(&back);
        fumen_escape(plain[i], &escaped);
        text_add(&back, "");
        fumen_unescape(escaped.data ? escaped.data : "", escaped.length, &back);
        cr_assert_str_eq(back.data, plain[i]);
        text_release(&escaped);
        text_release(&back);
    }
    Text text;
    text_init(&text);
    fumen_escape("\xff"
                 "a\xc3",
                 &text);
    cr_assert_str_eq(text.data, "%uFFFDa%uFFFD");
    text_clear(&text);
    fumen_unescape("%ud800x%u12%", 12, &text);
    cr_assert_str_eq(text.data, "\xef\xbf\xbdx%u12%");
    text_release(&text);
}

Test(fumen, long_comments_are_cut_between_characters) {
    char *comment = malloc(3 * 1000 + 1);
    for (int i = 0; i < 1000; i++)
        memcpy(comment + 3 * i, "\xe8\xad\x9c", 3);
    comment[3000] = '\0';
    Text escaped;
    text_init(&escaped);
    fumen_escape(comment, &escaped);
    cr_assert_eq(escaped.length, FUMEN_MAX_COMMENT / 6 * 6);
    FumenPage page;
    fumen_page_init(&page);
    page.comment = comment;
    Text text;
    cr_assert(encode(&page, 1, &text));
    Fumen fumen = decode(text.data);
    cr_assert_eq(strlen(fumen.pages[0].comment), FUMEN_MAX_COMMENT / 6 * 3);
    fumen_release(&fumen);
    text_release(&text);
    text_release(&escaped);
    free(comment);
}

Test(fumen, boards_for_other_commands) {
    Grid grid;
    grid_init(&grid, 10, 20);
    Status status = {0};
    cr_assert(fumen_read_board(colored, strlen(colored), &grid, &status), "%s", status.message);
    cr_assert_eq(grid.height, 20);
    cr_assert_eq(memcmp(grid.cells[0], "LLTTSS.OOI", 10), 0);
    grid_init(&grid, 9, 20);
    cr_assert_not(fumen_read_board(colored, strlen(colored), &grid, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    FumenPage page;
    fumen_page_init(&page);
    memset(page.field.cells[3], 'Z', 10);
    grid_init(&grid, 10, 20);
    cr_assert_not(fumen_page_grid(&page, &grid, &status));
    cr_assert(strstr(status.message, "full"));
}

Test(fumen, only_what_fits_is_written) {
    Grid grid;
    grid_init(&grid, 10, 20);
    DecodeStep step = {.move.placement = {.piece = PIECE_I, .rotation = EAST, .x = 5, .y = 21}};
    cr_assert(fumen_fits(&grid, &step, 1));
    step.move.placement.y = 22;
    cr_assert_not(fumen_fits(&grid, &step, 1));
    grid.cells[23][0] = 'G';
    cr_assert_not(fumen_fits(&grid, NULL, 0));
    grid_init(&grid, 8, 20);
    cr_assert_not(fumen_fits(&grid, NULL, 0));
    Text text;
    text_init(&text);
    Status status = {0};
    cr_assert_not(fumen_write_board(&grid, NULL, &text, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
}

Test(fumen, bad_texts_are_refused) {
    refuses("", "v115@");
    refuses("v116@vhAAgH", "v115@");
    refuses("v115@", "nothing");
    refuses("v115@vhAAg", "too early");
    refuses("v115@vhAAgHv", "page 2");
    refuses("v115@v!AAgH", "'!'");
    refuses("v115@AAAgH", "unknown cell");
    refuses("v115@BA", "unknown cell");
    refuses("v115@7eugAgH", "past the end");
}

Test(fumen, too_much_is_refused) {
    Text text;
    text_init(&text);
    text_add(&text, "v115@");
    for (int i = 0; i <= FUMEN_MAX_PAGES; i++)
        text_add(&text, "vhAAgH");
    refuses(text.data, "pages");
    while (text.length <= FUMEN_MAX_BYTES)
        text_add(&text, "????????????????????????????????");
    refuses(text.data, "longer");
    text_release(&text);
}

/* Every state of every piece at every place keeps its cells. */
Test(fumen, all_placements_there_and_back) {
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int rotation = 0; rotation < ROTATION_COUNT; rotation++)
            for (int y = 0; y < FUMEN_ROWS; y++)
                for (int x = 0; x < FUMEN_WIDTH; x++) {
                    FumenPage page;
                    fumen_page_init(&page);
                    page.placement = (Placement){.piece = (uint8_t)piece,
                                                 .rotation = (uint8_t)rotation,
                                                 .x = (int8_t)x,
                                                 .y = (int8_t)y};
                    if (!fumen_placement_inside(page.placement))
                        continue;
                    Text text;
                    cr_assert(encode(&page, 1, &text));
                    Fumen fumen = decode(text.data);
                    cr_assert_eq(
                        memcmp(&fumen.pages[0].placement, &page.placement, sizeof page.placement),
                        0);
                    fumen_release(&fumen);
                    text_release(&text);
                }
}

Test(fumen, no_more_pages_than_are_read) {
    Grid grid;
    grid_init(&grid, 10, 20);
    DecodeStep *steps = calloc(FUMEN_MAX_PAGES + 1, sizeof *steps);
    for (int i = 0; i <= FUMEN_MAX_PAGES; i++)
        steps[i].move.placement = (Placement){.piece = PIECE_O, .rotation = NORTH, .x = 4, .y = 0};
    cr_assert(fumen_fits(&grid, steps, FUMEN_MAX_PAGES));
    cr_assert_not(fumen_fits(&grid, steps, FUMEN_MAX_PAGES + 1));
    free(steps);
}

Test(fumen, nothing_hides_behind_a_nul) {
    static const char text[] = "v115@vhAAgH\0and more";
    Fumen fumen;
    Status status;
    cr_assert(fumen_decode(text, strlen(text), &fumen, &status), "%s", status.message);
    fumen_release(&fumen);
    cr_assert_not(fumen_decode(text, sizeof text - 1, &fumen, &status));
    cr_assert(strstr(status.message, "NUL"));
}
