/* decode and the offline heuristics: drawn boards, and the plain twin on random ones. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "engine/randomizer.h"
#include "plain.h"
#include "problem/fitness.h"
#include "scale.h"

static void to_plain(const Board *board, PlainBoard *plain) {
    memset(plain, 0, sizeof *plain);
    plain->width = board->width;
    plain->height = board->height;
    for (int y = 0; y < board_rows(board); y++)
        for (int x = 0; x < board->width; x++)
            plain->cells[y][x] = board_cell(board, x, y);
}

/* Rows from the top, separated by '/'; X is filled. */
static void draw(Board *board, int height, const char *rows) {
    int width = (int)strcspn(rows, "/"), count = 1;
    for (const char *at = rows; *at; at++)
        count += *at == '/';
    board_init(board, width, height);
    for (int i = 0; i < count; i++, rows += width + 1) {
        unsigned bits = 0;
        for (int x = 0; x < width; x++)
            bits |= (unsigned)(rows[x] == 'X') << x;
        board_set_row(board, count - 1 - i, (uint16_t)bits);
    }
}

static void check(const char *rows, const double expected[HEURISTIC_COUNT]) {
    Board board;
    draw(&board, 20, rows);
    Heuristics heuristics;
    heuristics_measure(&board, &heuristics);
    for (int i = 0; i < HEURISTIC_COUNT; i++)
        cr_assert_float_eq(heuristics_value(&heuristics, (Heuristic)i), expected[i], 1e-12,
                           "%s of %s is %g, not %g", heuristic_names[i], rows,
                           heuristics_value(&heuristics, (Heuristic)i), expected[i]);
}

Test(heuristics, drawn_boards) {
    /* blocks, weighted, clearable, roughness, column holes, connected, above, pit share, lowest */
    check("....", (double[]){0, 0, 0, 0, 0, 0, 0, 0, 0});
    check("X...", (double[]){1, 1, 0, 1, 0, 0, 0, 0, 0});
    check("X.XX/X.XX", (double[]){6, 9, 2, 4, 0, 0, 0, 1, 0});
    check("XX../X..X/XX.X", (double[]){7, 13, 1, 5, 1, 0, 1, 0.5, 0});
    check("X.../..../....", (double[]){1, 3, 0, 3, 1, 1, 2, 0, 0});
    check(".X../X.../.X../X...", (double[]){4, 10, 0, 5, 2, 0, 4, 0.25, 0});
}

static void randomise(Board *board, Rng *rng) {
    board_init(board, rng_between(rng, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH),
               rng_between(rng, BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT));
    int top = rng_between(rng, 0, board_rows(board) - 1);
    uint64_t thin = rng_next(rng);
    for (int y = 0; y < top; y++) {
        uint64_t bits = rng_next(rng) | (thin & 1 ? rng_next(rng) : 0);
        if (thin & 2) /* nearly full rows, so that some can be cleared */
            bits |= rng_next(rng) | rng_next(rng) | rng_next(rng);
        if (thin & 4)
            bits &= rng_next(rng);
        unsigned row = (unsigned)bits & board->full;
        if (row == board->full)
            row &= ~(1u << rng_below(rng, board->width));
        board_set_row(board, y, (uint16_t)row);
    }
}

Test(heuristics, agree_with_the_plain_twin) {
    Rng rng;
    rng_init(&rng, 11, 0);
    HeuristicsMeasure *here = heuristics_measure_here();
    int cases = scaled(200000);
    for (int i = 0; i < cases; i++) {
        Board board;
        PlainBoard plain;
        double expected[PLAIN_HEURISTICS];
        Heuristics a, b;
        randomise(&board, &rng);
        to_plain(&board, &plain);
        plain_heuristics(&plain, expected);
        heuristics_measure(&board, &a);
        here(&board, board_highest(&board), &b);
        for (int k = 0; k < HEURISTIC_COUNT; k++) {
            double value = heuristics_value(&a, (Heuristic)k);
            cr_assert(fabs(value - expected[k]) < 1e-12, "board %d: %s is %g, not %g", i,
                      heuristic_names[k], value, expected[k]);
            cr_assert_eq(value, heuristics_value(&b, (Heuristic)k));
        }
    }
}

typedef struct Case {
    Board board;
    uint8_t pieces[64];
    char letters[64];
    int count, placements;
    Encoding encoding;
    DecodeRules rules;
    int8_t genes[64 * GENOTYPE_MAX_GENES];
} Case;

static void make_case(Case *c, Rng *rng) {
    c->rules = (DecodeRules){.order = (DecodeOrder)rng_below(rng, ORDER_COUNT),
                             .no_game_over = rng_below(rng, 2),
                             .perfect_points = (uint8_t)(rng_below(rng, 2) * 20)};
    randomise(&c->board, rng);
    if (rng_below(rng, 2)) /* an empty board of that size */
        board_init(&c->board, c->board.width, c->board.height);
    else /* mostly low enough to play */
        for (int y = (int)rng_below(rng, c->board.height); y < board_rows(&c->board); y++)
            board_set_row(&c->board, y, 0);
    c->count = rng_between(rng, 1, 63);
    c->placements = rng_between(rng, 1, c->count);
    for (int i = 0; i < c->count; i++) {
        c->pieces[i] = (uint8_t)rng_below(rng, PIECE_COUNT);
        c->letters[i] = piece_letters[c->pieces[i]];
    }
    c->encoding = (Encoding)rng_below(rng, ENCODING_PLACEMENTS);
    GenotypeLayout layout;
    genotype_layout(&layout, c->encoding, c->board.width);
    int8_t *gene = c->genes;
    for (int i = 0; i < c->placements; i++)
        for (int k = 0; k < layout.genes; k++)
            *gene++ = (int8_t)rng_between(rng, layout.ranges[k].low, layout.ranges[k].high);
}

static void compare(const Case *c, const DecodeState *state, int number) {
    PlainGame game = {0};
    to_plain(&c->board, &game.board);
    PlainRules rules = {.has_swap = c->encoding >= ENCODING_SWAP_SIMPLE,
                        .is_double =
                            c->encoding == ENCODING_DOUBLE || c->encoding == ENCODING_SWAP_DOUBLE,
                        .order = (int)c->rules.order,
                        .no_game_over = c->rules.no_game_over,
                        .perfect_points = c->rules.perfect_points};
    plain_decode(&game, c->letters, c->count, c->placements, c->genes, rules);
    const char *reason;
    cr_assert(decode_state_ok(state, &reason), "case %d: %s", number, reason);
    PlainBoard end;
    to_plain(&state->board, &end);
    cr_assert(memcmp(end.cells, game.board.cells, sizeof end.cells) == 0, "board of case %d",
              number);
    double expected[PLAIN_HEURISTICS];
    Heuristics found;
    plain_heuristics(&game.board, expected);
    heuristics_measure(&state->board, &found);
    for (int k = 0; k < HEURISTIC_COUNT; k++)
        cr_assert(fabs(heuristics_value(&found, (Heuristic)k) - expected[k]) < 1e-12,
                  "%s of case %d", heuristic_names[k], number);
    cr_assert_eq(state->placed, game.placed, "case %d", number);
    cr_assert_eq(state->noops, game.noops, "case %d", number);
    cr_assert_eq(state->score, game.score);
    cr_assert_eq(state->lines, game.lines);
    cr_assert_eq(state->topped_out, game.over);
    cr_assert_eq(state->peak, game.peak);
    cr_assert_eq(state->hold == PIECE_NONE ? -1 : piece_letters[state->hold], game.hold);
    for (int k = 0; k < 4; k++)
        cr_assert_eq(state->clears[k], game.clears[k]);
}

Test(decode, agrees_with_the_plain_twin) {
    Rng rng;
    rng_init(&rng, 12, 0);
    int cases = scaled(20000), topped_out = 0;
    for (int i = 0; i < cases; i++) {
        Case c;
        make_case(&c, &rng);
        Decoder decoder;
        decoder_init(&decoder, c.encoding, c.rules, &c.board, c.pieces, c.count, c.placements);
        DecodeState state;
        double fitness =
            fitness_evaluate(&fitness_profiles[PROFILE_BLOCKS], &decoder, c.genes, &state);
        cr_assert(isfinite(fitness));
        compare(&c, &state, i);
        topped_out += state.topped_out;
        /* In two stretches, and traced. */
        DecodeState again = decoder.start, traced = decoder.start;
        int middle = (int)rng_below(&rng, (uint32_t)c.placements + 1);
        decoder_play(&decoder, &again, c.genes, 0, middle);
        decoder_play(&decoder, &again, c.genes, middle, c.placements);
        DecodeStep steps[64];
        decoder_trace(&decoder, &traced, c.genes, steps);
        cr_assert(memcmp(&again, &state, sizeof state) == 0);
        cr_assert(memcmp(&traced, &state, sizeof state) == 0);
    }
    cr_assert(topped_out > cases / 20, "too few games end early to test that: %d", topped_out);
}

/* The distinct places of a piece on the empty board, with one move and one turn gene. */
static int count_places(Piece piece, bool turn_first, unsigned *columns_of_upright_i) {
    Board board;
    board_init(&board, 10, 20);
    uint8_t pieces[] = {(uint8_t)piece};
    Decoder decoder;
    decoder_init(&decoder, ENCODING_SIMPLE,
                 (DecodeRules){.order = turn_first ? ORDER_TURN_FIRST : ORDER_MOVE_FIRST}, &board,
                 pieces, 1, 1);
    Board seen[44];
    int count = 0;
    for (int move = -5; move <= 5; move++)
        for (int turns = 0; turns < 4; turns++) {
            int8_t genes[] = {(int8_t)move, (int8_t)turns};
            DecodeState state = decoder.start;
            decoder_play(&decoder, &state, genes, 0, 1);
            if (piece == PIECE_I && state.highest == 4)
                *columns_of_upright_i |= board_row(&state.board, 0);
            int i = 0;
            while (i < count && !board_equal(&seen[i], &state.board))
                i++;
            if (i == count)
                seen[count++] = state.board;
        }
    return count;
}

Test(decode, turning_first_reaches_every_open_place) {
    unsigned turned = 0, moved = 0;
    cr_assert_eq(count_places(PIECE_I, true, &turned), 17);
    cr_assert_eq(turned, 0x3ff);
    cr_assert_eq(count_places(PIECE_I, false, &moved), 15);
    cr_assert_eq(moved, 0x1fe, "moving first, an upright I gets into columns %x", moved);
    static const Piece others[] = {PIECE_T, PIECE_J, PIECE_L};
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(count_places(others[i], true, &turned), 34);
        cr_assert_eq(count_places(others[i], false, &turned), 32);
    }
}

Test(decode, without_game_over_a_piece_locks_where_it_appears) {
    Board board;
    board_init(&board, 10, 20);
    uint8_t pieces[12];
    memset(pieces, PIECE_O, sizeof pieces);
    int8_t genes[24] = {0};
    genes[18] = 1; /* the tenth wants to the right, onto filled cells */
    Decoder decoder;
    DecodeState state;
    decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){.no_game_over = true}, &board, pieces, 12,
                 12);
    fitness_evaluate(&fitness_profiles[PROFILE_BLOCKS], &decoder, genes, &state);
    /* Nine are stacked in columns 4 and 5 up to row 17. The others appear in rows 16 and 17 of the
       same columns and stay there. */
    cr_assert_eq(state.placed, 12);
    cr_assert_not(state.topped_out);
    cr_assert_eq(state.noops, 1);
    cr_assert_eq(state.highest, 18);
    cr_assert_eq(board_count(&state.board), 36);
    decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){0}, &board, pieces, 12, 12);
    fitness_evaluate(&fitness_profiles[PROFILE_BLOCKS], &decoder, genes, &state);
    cr_assert(state.topped_out);
    cr_assert_eq(state.placed, 10);
}

Test(decode, a_perfect_clear_adds_its_points) {
    Board board;
    board_init(&board, 4, 10);
    static const uint8_t pieces[] = {PIECE_I, PIECE_O};
    static const int8_t genes[] = {0, 0, 0, 0};
    Decoder decoder;
    DecodeState state;
    decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){.perfect_points = 20}, &board, pieces, 2,
                 2);
    double fitness = fitness_evaluate(&fitness_profiles[PROFILE_BLOCKS], &decoder, genes, &state);
    cr_assert_eq(state.score, 21);
    decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){0}, &board, pieces, 2, 2);
    double without = fitness_evaluate(&fitness_profiles[PROFILE_BLOCKS], &decoder, genes, &state);
    cr_assert_eq(state.score, 1);
    cr_assert_float_eq(fitness - without, 50, 1e-12);
}

Test(fitness, weighs_what_the_profile_says) {
    Board board;
    board_init(&board, 10, 20);
    static const uint8_t pieces[] = {PIECE_O, PIECE_O};
    static const int8_t genes[] = {5, 0, -5, 0}; /* one past the right wall, one past the left */
    Decoder decoder;
    decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){0}, &board, pieces, 2, 2);
    /* By hand: the O starts at columns 4 and 5, so 4 of the 5 steps are possible on either side:
       blocks 8, weighted blocks 12, roughness 4, no-ops 2. */
    double fitness = fitness_evaluate(&fitness_profiles[PROFILE_BLOCKS], &decoder, genes, NULL);
    cr_assert_float_eq(fitness, -8 - 0.75 * 12 - 4 - 2, 1e-12, "%g", fitness);
    cr_assert_float_eq(fitness_evaluate(&fitness_profiles[PROFILE_PIECES], &decoder, genes, NULL),
                       2, 0);
    cr_assert_float_eq(fitness_evaluate(&fitness_profiles[PROFILE_HEIGHT], &decoder, genes, NULL),
                       -2, 0);
}

Test(genotype, sizes_of_the_search_spaces) {
    static const double per_piece[] = {44, 44 * 76, 88, 6688};
    static const int values[] = {15, 38, 17, 40};
    for (int i = 0; i < ENCODING_PLACEMENTS; i++) {
        GenotypeLayout layout;
        genotype_layout(&layout, (Encoding)i, 10);
        cr_assert_float_eq(genotype_log10(&layout, 20), 20 * log10(per_piece[i]), 1e-9);
        cr_assert_eq(layout.values, values[i]);
    }
}
