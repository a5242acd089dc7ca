/* clears: patterns, kicks against movegen, graphs and walks against trying everything, set covers.
 */
#include <signal.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "clears/decided.h"
#include "clears/minimal.h"
#include "clears/path.h"
#include "clears/percent.h"
#include "movegen/reach.h"
#include "random_boards.h"
#include "scale.h"

static size_t count_of(const char *text, int *length) {
    Queues queues;
    Status status = {0};
    cr_assert(queues_parse(text, PATTERN_MAX_QUEUES, &queues, &status), "%s: %s", text,
              status.message);
    size_t count = queues.count;
    *length = queues.length;
    queues_release(&queues);
    return count;
}

Test(clears, patterns_have_their_queues) {
    static const struct {
        const char *text;
        size_t count;
        int length;
    } cases[] = {{"I", 1, 1},
                 {"[SZ]", 2, 1},
                 {"[^TI]", 5, 1},
                 {"*", 7, 1},
                 {"[SZLJ]p2", 12, 2},
                 {"*p4", 840, 4},
                 {"*!", 5040, 7},
                 {"[SZ]!", 2, 2},
                 {"I,*p4", 840, 5},
                 {"I *p4", 840, 5},
                 {"IOT", 1, 3},
                 {"*p7,*p3", 1058400, 10},
                 {"IO\nOI # x\nIO\n", 2, 2},
                 {"#\n\n*p2", 42, 2},
                 {"*,*", 49, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int length;
        cr_assert_eq(count_of(cases[i].text, &length), cases[i].count, "%s", cases[i].text);
        cr_assert_eq(length, cases[i].length, "%s", cases[i].text);
    }
}

/* The places of a piece with the engine's table are those of movegen. */
Test(clears, kicks_reach_what_movegen_reaches) {
    KickTable table;
    Rng rng;
    kicks_srs(&table);
    rng_init(&rng, 22, 0);
    for (int i = 0; i < scaled(3000); i++) {
        Board board;
        Columns columns;
        board_init(&board, rng_between(&rng, 4, 16), 20);
        random_noise(&board, &rng, rng_between(&rng, 1, 16));
        columns_from_board(&columns, &board);
        Piece piece = (Piece)rng_below(&rng, PIECE_COUNT);
        bool rotate180 = rng_below(&rng, 2);
        Placement expected[REACH_MAX], got[REACH_MAX];
        int count = reach_list(&columns, piece, rotate180, expected);
        cr_assert_eq(kicks_list(&table, &columns, piece, rotate180, got, REACH_MAX), count);
        for (int k = 0; k < count; k++)
            cr_assert(placement_same_cells(expected[k], got[k]));
    }
}

/* ---- trying everything */

/* Whether pieces index.. of the queue, and what is held, clear the lowest `lines` rows. */
static bool clear_all(const Columns *columns, int lines, QueueCode queue, int length, int index,
                      Piece held, bool hold) {
    if (lines == 0)
        return true;
    Piece current = index < length ? queue_piece(queue, index) : PIECE_NONE;
    Piece second = index + 1 < length ? queue_piece(queue, index + 1) : PIECE_NONE;
    for (int swap = 0; swap < (hold ? 2 : 1); swap++) {
        Piece piece = !swap ? current : held != PIECE_NONE ? held : second;
        if (piece == PIECE_NONE)
            continue;
        int next = index + (swap && held == PIECE_NONE ? 2 : 1);
        Placement places[REACH_MAX];
        int count = reach_list(columns, piece, false, places);
        for (int i = 0; i < count; i++) {
            Placement at = places[i];
            if (at.y + piece_shapes[piece][at.rotation].max_y >= lines)
                continue;
            Columns after = *columns;
            int cleared = columns_lock(&after, piece, (Rotation)at.rotation, at.x, at.y);
            if (clear_all(&after, lines - cleared, queue, length, next, swap ? current : held,
                          hold))
                return true;
        }
    }
    return false;
}

/* Rows with 4 * pieces empty cells, none of them full. */
static void random_field(Rng *rng, int width, int lines, int pieces, Board *board) {
    do {
        board_init(board, width, 20);
        for (int y = 0; y < lines; y++)
            board_set_row(board, y, board->full);
        for (int empty = 4 * pieces; empty > 0;) {
            int x = rng_between(rng, width / 2 - 3, width / 2 + 2),
                y = rng_between(rng, 0, lines - 1);
            if (!board_cell(board, x, y))
                continue;
            board_set_row(board, y, (uint16_t)(board_row(board, y) & ~(1u << x)));
            empty--;
        }
    } while (!board_ok(board, &(const char *){NULL}));
}

/* What several lines have in common counts once; what is too much is not made first. */
Test(clears, patterns_keep_their_limit) {
    static const struct {
        const char *text;
        size_t most;
        bool fits;
    } cases[] = {{"*p4", 840, true},
                 {"*p4", 839, false},
                 {"*p4\n*p4\n*p4\n*p4", 840, true},
                 {"*p4\n*p4\n*p4\n*p4", 839, false},
                 {"Ip1,*p3\nO,*p3\nT,*p3", 630, true},
                 {"Ip1,*p3\nO,*p3\nT,*p3", 629, false},
                 {"*p7*p4", 10, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Queues queues;
        Status status = {0};
        bool fits = queues_parse(cases[i].text, cases[i].most, &queues, &status);
        cr_assert_eq(fits, cases[i].fits, "%s: %s", cases[i].text, status.message);
        cr_assert(fits || strstr(status.message, "max-queues is"), "%s", status.message);
        cr_assert(fits || !queues.codes);
        queues_release(&queues);
    }
}

Test(clears, percent_is_what_trying_everything_finds) {
    Rng rng;
    rng_init(&rng, 4, 0);
    Queues queues;
    Status status = {0};
    cr_assert(queues_parse("*p4", PATTERN_MAX_QUEUES, &queues, &status));
    uint8_t *solved = malloc(queues.count);
    Pool *pool = pool_new(2, &status);
    size_t any = 0;
    for (int i = 0; i < 20 || i < scaled(60); i++) { /* of the first few, none can be cleared */
        int pieces = rng_between(&rng, 2, 3), lines = rng_between(&rng, 2, 4);
        bool hold = rng_below(&rng, 2);
        Board board;
        Area area;
        Columns columns;
        random_field(&rng, rng_between(&rng, 6, 16), lines, pieces, &board);
        ClearsRules rules = {.drop = DROP_SOFT};
        cr_assert(area_init(&area, &board, lines, &rules, &status));
        Percent percent = {.solved = solved};
        cr_assert(
            percent_run(&percent, &area, &queues, hold, pool, (ClearsCut){0}, NULL, NULL, &status));
        cr_assert_eq(percent.known, queues.count);
        any += percent.solvable;
        columns_from_board(&columns, &board);
        for (size_t q = 0; q < queues.count; q += 11)
            cr_assert_eq(solved[q],
                         clear_all(&columns, lines, queues.codes[q], 4, 0, PIECE_NONE, hold));
        Solutions list = {0};
        bool complete;
        cr_assert(path_run(&list, &area, &queues, hold, pool, (ClearsCut){0}, NULL, NULL, &complete,
                           &status));
        cr_assert_eq(solutions_served(&list, false, queues.count), percent.solvable);
        solutions_release(&list);
    }
    cr_assert_gt(any, 0);
    free(solved);
    pool_free(pool);
    queues_release(&queues);
}

/* What can be cleared must not be excluded: fields and queues at random. */
Test(clears, packer_excludes_no_clear) {
    Rng rng;
    rng_init(&rng, 31, 0);
    Queues queues;
    Status status = {0};
    cr_assert(queues_parse("*p4", PATTERN_MAX_QUEUES, &queues, &status));
    Packer *packer = packer_new(10);
    cr_assert_not_null(packer);
    size_t cleared = 0, excluded = 0;
    for (int i = 0; i < scaled(400); i++) {
        int pieces = rng_between(&rng, 2, 3), lines = rng_between(&rng, 2, 4);
        Board board;
        Columns columns;
        random_field(&rng, 10, lines, pieces, &board);
        columns_from_board(&columns, &board);
        for (int k = 0; k < 20; k++) {
            QueueCode queue = queues.codes[rng_below(&rng, (uint32_t)queues.count)];
            PieceCounts available = 0;
            for (int p = 0; p <= pieces; p++)
                available += COUNTS_ONE(queue_piece(queue, p));
            bool clears = clear_all(&columns, lines, queue, pieces + 1, 0, PIECE_NONE, true);
            bool possible = packer_possible(packer, &board, lines, available);
            cr_assert(possible || !clears);
            cleared += clears;
            excluded += !possible;
        }
    }
    cr_assert_gt(cleared, 0);
    cr_assert_gt(excluded, 0);
    packer_free(packer);
    queues_release(&queues);
}

/* ---- the smallest set */

static size_t smallest_by_trying(const Solutions *list) {
    uint64_t all = 0;
    size_t best = list->count;
    for (size_t i = 0; i < list->count; i++)
        all |= list->items[i].queues[0];
    for (unsigned set = 0; set < 1u << list->count; set++) {
        uint64_t served = 0;
        for (size_t i = 0; i < list->count; i++)
            served |= set >> i & 1 ? list->items[i].queues[0] : 0;
        if (served == all && (size_t)__builtin_popcount(set) < best)
            best = (size_t)__builtin_popcount(set);
    }
    return best;
}

Test(clears, minimal_is_the_smallest_cover) {
    Rng rng;
    rng_init(&rng, 9, 0);
    for (int i = 0; i < scaled(300); i++) {
        Solutions list = {0};
        Status status = {0};
        size_t queues = (size_t)rng_between(&rng, 1, 40);
        int solutions = rng_between(&rng, 1, 12);
        double share = 0.1 + 0.4 * rng_real(&rng);
        Place place = {.cells = 15};
        for (int k = 0; k < solutions; k++) {
            uint8_t solved[40];
            for (size_t q = 0; q < queues; q++)
                solved[q] = rng_chance(&rng, share);
            cr_assert(solutions_decide(&list, &place, 1, solved, queues, &status));
        }
        Minimal minimal;
        cr_assert(minimal_find(&list, (ClearsCut){0}, &minimal, &status));
        cr_assert(minimal.proved);
        cr_assert_eq(minimal.count, smallest_by_trying(&list));
        uint64_t all = 0, chosen = 0;
        for (size_t k = 0; k < list.count; k++)
            all |= list.items[k].queues[0];
        for (size_t k = 0; k < minimal.count; k++)
            chosen |= list.items[minimal.items[k]].queues[0];
        cr_assert_eq(all, chosen);
        minimal_release(&minimal);
        solutions_release(&list);
    }
}

/* What a search writes about its candidates is what it reads when it is continued. */
Test(clears, decided_candidates_are_recalled) {
    Rng rng;
    rng_init(&rng, 5, 0);
    for (int round = 0; round < scaled(200); round++) {
        enum { WORDS = 8, CANDIDATES = 40 };
        size_t queues = 1 + rng_below(&rng, 64 * WORDS);
        unsigned rare = 1 + rng_below(&rng, 200);
        uint64_t sets[CANDIDATES][WORDS] = {{0}};
        Decided first = {0}, second = {0};
        for (int i = 0; i < CANDIDATES; i++) {
            bool any = false;
            for (size_t q = 0; i % 3 && q < queues; q++)
                if (rng_below(&rng, rare) == 0) {
                    sets[i][q / 64] |= (uint64_t)1 << (q % 64);
                    any = true;
                }
            decided_add(&first, any ? sets[i] : NULL, queues);
        }
        const char *log = first.log.data ? first.log.data : "";
        cr_assert(decided_restore(&second, CANDIDATES, log, queues), "%s", log);
        for (int i = 0; i < CANDIDATES; i++) {
            uint64_t set[WORDS] = {0};
            cr_assert(decided_next(&second));
            decided_recall(&second, set, queues);
            cr_assert_arr_eq(set, sets[i], sizeof set, "%s", log);
        }
        cr_assert(!decided_next(&second));
        decided_release(&first);
        decided_release(&second);
    }
}
