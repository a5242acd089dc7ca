/*
 * One side of the round trip against another implementation of fumen (roundtrip.js is the other).
 *   fumen_probe games SEED COUNT   prints random games and random pages, a JSON object a line:
 *                                  {"fumen": "v115@...", "pages": [...]}
 *   fumen_probe read               reads a fumen a line and prints the same for each, written again
 */
#include "base/json_writer.h"
#include "base/rng.h"
#include "engine/game.h"
#include "formats/fumen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PAGES = 200 };

static void write_field(JsonWriter *w, const FumenField *field) {
    Text text;
    text_init(&text);
    for (int y = FUMEN_ROWS - 1; y >= 0; y--)
        text_add_bytes(&text, field->cells[y], FUMEN_WIDTH);
    text_add_bytes(&text, field->under, FUMEN_WIDTH);
    for (size_t i = 0; i < text.length; i++)
        text.data[i] = text.data[i] == '.' ? '_' : text.data[i] == 'G' ? 'X' : text.data[i];
    jw_string(w, "field", text.data);
    text_release(&text);
}

static void write_page(JsonWriter *w, const FumenPage *page) {
    static const char *const names[ROTATION_COUNT] = {"spawn", "right", "reverse", "left"};
    Placement at = page->placement;
    jw_object(w, NULL);
    write_field(w, &page->field);
    if (at.piece == PIECE_NONE)
        jw_null(w, "operation");
    else {
        jw_object(w, "operation");
        jw_stringn(w, "type", &piece_letters[at.piece], 1);
        jw_put(w, JS("rotation", names[at.rotation]), JI("x", at.x), JI("y", at.y));
        jw_end(w);
    }
    jw_put(w, JB("lock", page->lock), JB("mirror", page->mirror), JB("rise", page->rise),
           JB("colorize", page->colored), JS("comment", page->comment ? page->comment : ""));
    jw_end(w);
}

static void fail(const Status *status) {
    fprintf(stderr, "fumen_probe: %s\n", status->message);
    exit(1);
}

static void print_pages(const FumenPage *pages, size_t count) {
    Text text;
    text_init(&text);
    Status status = {0};
    if (!fumen_encode(pages, count, &text, &status))
        fail(&status);
    Text line;
    JsonWriter w;
    text_init(&line);
    jw_init(&w, &line);
    jw_object(&w, NULL);
    jw_string(&w, "fumen", text.data);
    jw_array(&w, "pages");
    for (size_t i = 0; i < count; i++)
        write_page(&w, &pages[i]);
    jw_end(&w);
    jw_end(&w);
    puts(line.data);
    text_release(&line);
    text_release(&text);
}

/* Boards with colours, gaps and holes. */
static void random_field(Rng *rng, FumenField *field) {
    fumen_field_init(field);
    int rows = rng_between(rng, 0, 12);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < FUMEN_WIDTH; x++)
            if (rng_chance(rng, 0.7))
                field->cells[y][x] = "IOTSZJLG"[rng_below(rng, 8)];
    for (int y = 0; y < rows; y++)
        field->cells[y][rng_below(rng, FUMEN_WIDTH)] = '.';
}

/* A game by random keys from the engine, as a solution is written. */
static void print_game(Rng *rng) {
    static DecodeStep steps[MOST_PAGES];
    FumenField field;
    Grid start;
    random_field(rng, &field);
    grid_init(&start, FUMEN_WIDTH, 20);
    for (int y = 0; y < FUMEN_ROWS; y++)
        memcpy(start.cells[y], field.cells[y], FUMEN_WIDTH);
    Board board;
    grid_to_board(&start, &board);
    Rules rules = {.hold = true, .width = FUMEN_WIDTH, .height = 20};
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, rng_next(rng), 0);
    Game game;
    game_init_board(&game, &rules, &randomizer, &board);
    int count = 0, most = rng_between(rng, 0, MOST_PAGES);
    while (count < most && game.over == OVER_NOT) {
        for (int keys = rng_between(rng, 0, 12); keys > 0; keys--)
            game_press(&game, (Key)rng_below(rng, KEY_HARD_DROP));
        Game before = game;
        int rest =
            board_rest(&game.board, (Piece)game.current, (Rotation)game.rotation, game.x, game.y);
        game_press(&game, KEY_HARD_DROP);
        if (game.pieces > before.pieces)
            steps[count++].move.placement = (Placement){.piece = before.current,
                                                        .rotation = before.rotation,
                                                        .x = before.x,
                                                        .y = (int8_t)rest};
    }
    Text text;
    text_init(&text);
    Status status = {0};
    if (!fumen_write_game(&start, steps, count, "a game", &text, &status))
        fail(&status);
    Fumen fumen;
    if (!fumen_decode(text.data, text.length, &fumen, &status))
        fail(&status);
    print_pages(fumen.pages, fumen.count);
    fumen_release(&fumen);
    text_release(&text);
}

/* Pages that follow no rules: edited fields, flags, pieces anywhere, comments. */
static void print_pages_at_random(Rng *rng) {
    static const char *const comments[] = {"",
                                           "one",
                                           "100% of it",
                                           "\xc3\xa9t\xc3\xa9",
                                           "a\"b\\c",
                                           "\xe3\x83\x86\xe3\x83\x88\xe8\xad\x9c",
                                           "\xf0\x9f\x8e\xae and more, @*_+-./"};
    static FumenPage pages[MOST_PAGES];
    size_t count = (size_t)rng_between(rng, 1, MOST_PAGES);
    bool still = rng_chance(rng, 0.3); /* long runs of unchanged fields */
    for (size_t i = 0; i < count; i++) {
        FumenPage *page = &pages[i];
        fumen_page_init(page);
        if (i > 0)
            fumen_page_leave(page - 1, &page->field);
        if (!still && rng_chance(rng, 0.2))
            random_field(rng, &page->field);
        if (!still && rng_chance(rng, 0.2))
            page->field.under[rng_below(rng, FUMEN_WIDTH)] = 'G';
        Placement at = {.piece = (uint8_t)rng_below(rng, PIECE_COUNT),
                        .rotation = (uint8_t)rng_below(rng, ROTATION_COUNT)};
        const Shape *shape = &piece_shapes[at.piece][at.rotation];
        at.x = (int8_t)rng_between(rng, -shape->min_x, FUMEN_WIDTH - 1 - shape->max_x);
        at.y = (int8_t)rng_between(rng, -shape->min_y, FUMEN_ROWS - 1 - shape->max_y);
        if (!still && rng_chance(rng, 0.8))
            page->placement = at;
        page->lock = !rng_chance(rng, 0.2);
        page->mirror = rng_chance(rng, 0.1);
        page->rise = !still && rng_chance(rng, 0.1);
        page->colored = i == 0;
        page->comment = i == 0 ? "" : page[-1].comment;
        if (rng_chance(rng, 0.1))
            page->comment = comments[rng_below(rng, sizeof comments / sizeof *comments)];
    }
    print_pages(pages, count);
}

static void read_lines(void) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, stdin)) >= 0) {
        Fumen fumen;
        Status status = {0};
        if (!fumen_decode(line, (size_t)length, &fumen, &status))
            fail(&status);
        print_pages(fumen.pages, fumen.count);
        fumen_release(&fumen);
    }
    free(line);
}

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "games") == 0) {
        Rng rng;
        rng_init(&rng, strtoull(arguments[2], NULL, 10), 0);
        for (int left = atoi(arguments[3]); left > 0; left--) {
            if (left % 2)
                print_game(&rng);
            else
                print_pages_at_random(&rng);
        }
    } else if (count == 2 && strcmp(arguments[1], "read") == 0)
        read_lines();
    else
        return 2;
    return fflush(stdout) == 0 ? 0 : 1;
}
