/* partition: instances, the exact search against a naive one, the game, certificates, teaching
 * boards. */
#include <signal.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "problem/high_clear.h"
#include "problem/partition_game.h"
#include "scale.h"

static Partition instance(const char *numbers, int target, int per_bucket) {
    Partition partition = {.target = target, .per_bucket = per_bucket};
    cr_assert(partition_read(&partition, numbers, NULL));
    return partition;
}

static PartitionAnswer answer(const Partition *partition, int *bucket_of) {
    uint64_t nodes;
    return partition_solve(partition, (ProblemCut){0}, bucket_of, &nodes, NULL);
}

Test(partition, every_reason_is_said) {
    Status status = {0};
    Partition bad = instance("5,5,6,9", 15, 3);
    cr_assert_not(partition_check(&bad, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert(strstr(status.message, "4 numbers are not a multiple of 3"));
    cr_assert(strstr(status.message, "9 is not between a quarter and a half of 15"));
    cr_assert(strstr(status.message, "the target 15 is odd"));
    bad = instance("5,5,7", 16, 3);
    cr_assert_not(partition_check(&bad, &status));
    cr_assert(strstr(status.message, "the sum is 17, not 16"));
    bad = instance("4,6,6", 16, 3); /* exactly a quarter */
    cr_assert_not(partition_check(&bad, &status));
    for (const char *const *text =
             (const char *const[]){"", "5,", ",5", "5,x", "0", "501", "5 6", "-1", NULL};
         *text; text++)
        cr_assert_not(partition_read(&bad, *text, &status), "'%s'", *text);
}

/* Tries all ways to give the numbers to the sets. */
static bool naive(const Partition *partition, int i, int *sums, int *sizes) {
    if (i == partition->count)
        return true;
    for (int set = 0; set < partition_sets(partition); set++) {
        if (sizes[set] == 3 || sums[set] + partition->numbers[i] > partition->target)
            continue;
        sums[set] += partition->numbers[i];
        sizes[set]++;
        bool found = naive(partition, i + 1, sums, sizes);
        sums[set] -= partition->numbers[i];
        sizes[set]--;
        if (found)
            return true;
    }
    return false;
}

Test(partition, search_agrees_with_all_assignments) {
    int yes = 0, no = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        Partition partition;
        int bucket_of[PARTITION_MAX_NUMBERS], sums[8] = {0}, sizes[8] = {0};
        int sets = 1 + (int)(seed % 4), target = 10 + 2 * (int)(seed % 17);
        Status status = {0};
        if (!partition_random(&partition, sets, target, seed, &status))
            continue;
        cr_assert(partition_check(&partition, &status), "%s", status.message);
        PartitionAnswer found = answer(&partition, bucket_of);
        cr_assert_eq(found == PARTITION_YES, naive(&partition, 0, sums, sizes), "seed %d",
                     (int)seed);
        if (found == PARTITION_YES)
            cr_assert(partition_verify(&partition, bucket_of, &status), "%s", status.message);
        yes += found == PARTITION_YES;
        no += found == PARTITION_NO;
    }
    cr_assert_gt(yes, 50);
    cr_assert_gt(no, 50);
}

/* 16s + 5sT + 3T/2 + 6 pieces, R = 6T + 22 rows, and as many empty cells as the pieces have. */
Test(partition, sizes_of_the_game) {
    for (int sets = 1; sets <= 4; sets++)
        for (int target = 16; target <= 40; target += 8) {
            Partition partition;
            cr_assert(partition_random(&partition, sets, target, 1, NULL));
            int pieces = partition_piece_count(&partition), empty = 0;
            cr_assert_eq(pieces, 16 * sets + 5 * sets * target + 3 * target / 2 + 6);
            cr_assert_eq(partition_rows(&partition), 6 * target + 22);
            cr_assert_eq(partition_columns(&partition), 6 * sets + 3);
            for (int y = 0; y < partition_rows(&partition); y++)
                for (int x = 0; x < partition_columns(&partition); x++)
                    empty += !partition_filled(&partition, x, y);
            cr_assert_eq(empty, 4 * pieces);
        }
}

Test(partition, the_worked_example) {
    Partition partition = instance("5,5,6,5,5,6", 16, 3);
    int found[PARTITION_MAX_NUMBERS], read[PARTITION_MAX_NUMBERS];
    Status status = {0};
    cr_assert(partition_check(&partition, &status));
    cr_assert_eq(answer(&partition, found), PARTITION_YES);
    PartitionMoves moves;
    PartitionGame *end;
    cr_assert(partition_moves_build(&partition, found, &moves, &status));
    cr_assert_eq(moves.count, 222);
    cr_assert(partition_moves_replay(&partition, &moves, read, &end, &status), "%s",
              status.message);
    cr_assert_eq(partition_game_lines(end), 118);
    cr_assert_eq(partition_game_cells(end), 0);
    cr_assert_eq(memcmp(found, read, 6 * sizeof *found), 0);
    partition_game_free(end);
    partition_moves_release(&moves);
}

Test(partition, wrong_triples_are_rejected) {
    Partition partition = instance("3,3,3,3,4,4", 10, 3);
    int wrong[PARTITION_MAX_NUMBERS] = {0, 0, 0, 1, 1, 1};
    Status status = {0};
    PartitionMoves moves;
    cr_assert(partition_check(&partition, &status));
    cr_assert_not(partition_verify(&partition, wrong, &status));
    cr_assert(strstr(status.message, "bucket 1 has 3 numbers of sum 9"), "%s", status.message);
    cr_assert_not(partition_moves_build(&partition, wrong, &moves, &status));
}

Test(partition, moves_are_checked_one_by_one) {
    Partition partition = instance("3,3,4", 10, 3); /* 9 columns, 82 rows */
    Status status = {0};
    static const struct {
        const char *moves, *message;
    } bad[] = {{"", "does not rest"},
               {"d", "does not rest"},
               {"d3", "is blocked at its step 3"},   /* it lies across the bucket */
               {"c l4", "is blocked at its step 4"}, /* the wall */
               {"c l d81", "does not rest"},
               {"c l d83", "is blocked at its step 83"},
               {"c x", "are not moves"},
               {"c  l", "are not moves"},
               {"c l ", "are not moves"},
               {"c0", "are not moves"},
               {"c99999", "are not moves"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        PartitionGame *game = partition_game_new(&partition, &status);
        cr_assert_not(partition_game_play(game, bad[i].moves, &status), "%s", bad[i].moves);
        cr_assert(strstr(status.message, bad[i].message), "%s: %s", bad[i].moves, status.message);
        partition_game_free(game);
    }
    PartitionGame *game = partition_game_new(&partition, &status);
    cr_assert(partition_game_play(game, "c l d82", &status), "%s", status.message);
    cr_assert_eq(partition_game_owner(game, 2, 3), 1);
    cr_assert_eq(partition_game_owner(game, 2, 4), 0);
    cr_assert_eq(partition_game_bucket(game), 0);
    partition_game_free(game);
}

Test(partition, certificates_read_back) {
    Partition partition = instance("3,3,3,3,4,4", 10, 3), back;
    int found[PARTITION_MAX_NUMBERS], read[PARTITION_MAX_NUMBERS];
    Status status = {0};
    PartitionMoves moves, again;
    PartitionGame *end;
    cr_assert_eq(answer(&partition, found), PARTITION_YES);
    cr_assert(partition_moves_build(&partition, found, &moves, &status));
    Text json = {0};
    cr_assert(partition_certificate_write(&partition, &moves, &json));
    cr_assert(partition_certificate_read(json.data, json.length, &back, &again, &status), "%s",
              status.message);
    cr_assert_eq(back.count, 6);
    cr_assert_eq(back.target, 10);
    cr_assert_eq(again.count, moves.count);
    cr_assert(partition_moves_replay(&back, &again, read, &end, &status), "%s", status.message);
    cr_assert(partition_verify(&back, read, &status));
    partition_game_free(end);
    /* One move changed: the replay finds it. */
    free(again.texts[40]);
    again.texts[40] = strdup("d");
    cr_assert_not(partition_moves_replay(&back, &again, read, &end, &status));
    cr_assert(strstr(status.message, "piece 41"), "%s", status.message);
    partition_game_free(end);
    partition_moves_release(&again);
    /* Cut anywhere it is rejected, not read halfway. */
    for (size_t length = 0; length + 2 < json.length; length += 97) {
        cr_assert_not(partition_certificate_read(json.data, length, &back, &again, &status));
        partition_moves_release(&again);
    }
    text_release(&json);
    partition_moves_release(&moves);
}

/* ---- teaching boards on the engine's own Board */

typedef struct Teaching {
    Partition partition;
    uint8_t pieces[64];
    int count;
    Decoder decoder;
} Teaching;

static void make_teaching(Teaching *teaching, const char *numbers, int target) {
    Partition *partition = &teaching->partition;
    *partition = instance(numbers, target, 1);
    Board board;
    board_init(&board, partition_columns(partition), partition_rows(partition) + 4);
    for (int y = 0; y < partition_rows(partition); y++) {
        unsigned row = 0;
        for (int x = 0; x < board.width; x++)
            row |= (unsigned)partition_filled(partition, x, y) << x;
        board_set_row(&board, y, (uint16_t)row);
    }
    teaching->count = partition_piece_count(partition);
    partition_pieces(partition, teaching->pieces);
    decoder_init(&teaching->decoder, ENCODING_SIMPLE, (DecodeRules){0}, &board, teaching->pieces,
                 teaching->count, teaching->count);
}

Test(partition, teaching_board_is_cleared) {
    if (scaled(100) < 100)
        return; /* takes long with sanitizers */
    static Teaching teaching;
    make_teaching(&teaching, "2,2", 2);
    cr_assert_eq(partition_columns(&teaching.partition), 15);
    cr_assert_eq(partition_rows(&teaching.partition), 22);
    cr_assert_eq(teaching.count, 38);
    cr_assert(high_clear_applies(&teaching.decoder.start, 38));
    PerfectSearch search = {.decoder = &teaching.decoder, .any = true, .effort = 20000000};
    Move moves[38];
    PerfectResult result;
    cr_assert(high_clear_search(&search, &teaching.decoder.start, 38, moves, &result));
    cr_assert_eq(result.length, 38);
    DecodeState state = teaching.decoder.start;
    for (int i = 0; i < 38; i++) { /* the check excludes no state on the way */
        int lines;
        cr_assert(high_clear_possible(&teaching.decoder, &state, 38 - i, 22 - state.lines),
                  "move %d", i);
        cr_assert_eq(decode_take(&teaching.decoder, &state), moves[i].placement.piece);
        cr_assert(decode_lock(&state, moves[i].placement, &lines));
    }
    cr_assert_eq(state.highest, 0);
    cr_assert_eq(state.lines, 22);
}

/* Flat over both wells at the bottom of a bucket: that cell is never filled. */
Test(partition, check_excludes_a_lost_state) {
    static Teaching teaching;
    make_teaching(&teaching, "2,2", 2);
    DecodeState state = teaching.decoder.start;
    int lines;
    decode_take(&teaching.decoder, &state);
    decode_take(&teaching.decoder, &state);
    Placement across = {.piece = PIECE_J, .rotation = NORTH, .x = 1, .y = 4};
    cr_assert(decode_lock(&state, across, &lines));
    cr_assert_not(high_clear_possible(&teaching.decoder, &state, 36, 22));
}

/* ---- the search for clears of high boards against the one for low boards */

/* Random pieces that fill four rows of a narrow board: both searches are complete there. */
Test(high_clear, agrees_with_the_search_for_low_boards) {
    int cleared = 0, not_cleared = 0;
    for (uint64_t seed = 0; seed < 240; seed++) {
        int width = 4 + (int)(seed % 3), count = width;
        bool hold = seed / 3 % 2;
        uint8_t pieces[6];
        Rng rng;
        rng_init(&rng, seed, 0);
        for (int i = 0; i < count; i++)
            pieces[i] = (uint8_t)rng_below(&rng, PIECE_COUNT);
        Board board;
        board_init(&board, width, 20);
        static Decoder decoder;
        decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){0}, &board, pieces, count, count);
        PerfectSearch search = {.decoder = &decoder, .any = true, .hold = hold, .first = true};
        Move low[6], high[6];
        PerfectResult of_low, of_high;
        cr_assert(perfect_search(&search, &decoder.start, count, low, &of_low));
        cr_assert(high_clear_search(&search, &decoder.start, count, high, &of_high));
        cr_assert_eq(of_low.length == count, of_high.length == count, "seed %d", (int)seed);
        cleared += of_high.length == count;
        not_cleared += of_high.exhausted;
        /* The check excludes no state on the way that the other search found. */
        DecodeState state = decoder.start;
        for (int i = 0, rows = 4; i < of_low.length; i++) {
            int lines;
            cr_assert(high_clear_possible(&decoder, &state, count - i, rows));
            Piece piece = decode_take(&decoder, &state);
            if (low[i].hold)
                decode_swap(&decoder, &state, &piece);
            cr_assert(decode_lock(&state, low[i].placement, &lines));
            rows -= lines;
        }
    }
    cr_assert_gt(cleared, 20);
    cr_assert_gt(not_cleared, 20);
}
