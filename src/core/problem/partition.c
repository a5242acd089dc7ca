/*
 * partition: the instance, its exact search, and the board and pieces of its game.
 *
 * The search takes the largest number that is left, which must be in some bucket, and completes its
 * bucket in every way; of equal numbers it only tries one. Sets of numbers left that failed are
 * remembered by 64-bit keys.
 */
#include "problem/partition.h"

#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int partition_sets(const Partition *partition) {
    return partition->count / partition->per_bucket;
}

bool partition_read(Partition *partition, const char *numbers, Status *status) {
    partition->count = 0;
    for (const char *at = numbers;; at++) {
        char *end;
        long number = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : 0;
        if (number < 1 || number > PARTITION_MAX_TARGET || (*end != ',' && *end != '\0'))
            return status_option(status, "numbers",
                                 "'%.40s' is not a list of integers in 1..%d, as 5,5,6", numbers,
                                 PARTITION_MAX_TARGET);
        if (partition->count == PARTITION_MAX_NUMBERS)
            return status_option(status, "numbers", "more than %d", PARTITION_MAX_NUMBERS);
        partition->numbers[partition->count++] = (int)number;
        at = end;
        if (*at == '\0')
            return true;
    }
}

/* The numbers strictly between target/4 and target/2. */
static int least(int target) {
    return target / 4 + 1;
}

static int most(int target) {
    return (target - 1) / 2;
}

bool partition_random(Partition *partition, int sets, int target, uint64_t seed, Status *status) {
    if (least(target) > most(target) || 3 * least(target) > target || 3 * most(target) < target)
        return status_option(status, "target", "no three numbers between %d/4 and %d/2 sum to %d",
                             target, target, target);
    /* Larger numbers than this one fit with no two others. */
    int low = least(target), high = target - 2 * low;
    if (high > most(target))
        high = most(target);
    Rng rng;
    rng_init(&rng, seed, 0);
    partition->count = PARTITION_PER_BUCKET * sets;
    partition->target = target;
    partition->per_bucket = PARTITION_PER_BUCKET;
    int excess = -sets * target;
    for (int i = 0; i < partition->count; i++)
        excess += partition->numbers[i] = rng_between(&rng, low, high);
    while (excess != 0) {
        int *number = &partition->numbers[rng_below(&rng, (uint32_t)partition->count)];
        int changed = *number + (excess > 0 ? -1 : 1);
        if (changed < low || changed > high)
            continue;
        excess += changed - *number;
        *number = changed;
    }
    return true;
}

static void add_reason(Text *reasons, const char *format, int a, int b) {
    if (reasons->length)
        text_add(reasons, "; ");
    text_format(reasons, format, a, b);
}

bool partition_check(const Partition *partition, Status *status) {
    Text reasons = {0};
    int target = partition->target, per_bucket = partition->per_bucket, sum = 0;
    bool three = per_bucket == PARTITION_PER_BUCKET;
    if (partition->count == 0 || partition->count % per_bucket != 0)
        add_reason(&reasons, "%d numbers are not a multiple of %d", partition->count, per_bucket);
    else if (partition_sets(partition) > PARTITION_MAX_SETS)
        add_reason(&reasons, "%d sets are more than %d", partition_sets(partition),
                   PARTITION_MAX_SETS);
    for (int i = 0; i < partition->count; i++) {
        int number = partition->numbers[i];
        sum += number;
        bool repeated = false;
        for (int j = 0; j < i; j++)
            repeated = repeated || partition->numbers[j] == number;
        if (three && !repeated && (4 * number <= target || 2 * number >= target))
            add_reason(&reasons, "%d is not between a quarter and a half of %d", number, target);
    }
    if (partition->count % per_bucket == 0 && sum != partition_sets(partition) * target)
        add_reason(&reasons, "the sum is %d, not %d", sum, partition_sets(partition) * target);
    /* The lock is 6 (target + per_bucket) + 2 rows deep and must be filled by whole I pieces. */
    if (target % 2 != 0)
        add_reason(&reasons, "the target %d is odd (multiply everything by %d)", target, 2);
    if (target > PARTITION_MAX_TARGET)
        add_reason(&reasons, "the target %d is above %d", target, PARTITION_MAX_TARGET);
    if (reasons.failed)
        status_no_memory(status);
    else if (reasons.length)
        status_fail(status, STATUS_INPUT, "not an instance: %s", reasons.data);
    bool ok = !reasons.failed && reasons.length == 0;
    text_release(&reasons);
    return ok;
}

/* ---- the search */

typedef struct Search {
    const Partition *partition;
    int order[PARTITION_MAX_NUMBERS]; /* the numbers by size, the largest first */
    int *bucket_of;                   /* -1: not in a bucket yet */
    uint64_t *failed; /* keys of what was left when the buckets could not be completed */
    uint64_t left;    /* the key of what is left now: the sum of the keys of the numbers */
    ProblemCut cut;
    bool stopped;
    uint64_t nodes;
} Search;

enum { FAILED_BITS = 18, CUT_INTERVAL = 1 << 12 };

static uint64_t key_of(int number) {
    return rng_derive(0x9a7717101, (uint64_t)number);
}

static int number_at(const Search *search, int place) {
    return search->partition->numbers[search->order[place]];
}

/* Puts `missing` more numbers of sum `sum` into `bucket`, from `place` of the order on, then fills
 * the buckets after it. */
static bool fill(Search *search, int bucket, int missing, int sum, int place) {
    const Partition *partition = search->partition;
    if (++search->nodes % CUT_INTERVAL == 0 && search->cut.asked &&
        search->cut.asked(search->cut.context))
        search->stopped = true;
    if (missing == 0) {
        if (sum != 0)
            return false;
        if (bucket + 1 == partition_sets(partition))
            return true;
        bucket++;
        missing = partition->per_bucket;
        sum = partition->target;
        place = 0;
    }
    bool first = missing == partition->per_bucket;
    uint64_t *failed = first ? &search->failed[search->left >> (64 - FAILED_BITS)] : NULL;
    if (first && *failed == search->left)
        return false;
    int tried = 0; /* the last number that failed here */
    for (; place < partition->count && !search->stopped; place++) {
        int *in = &search->bucket_of[search->order[place]], number = number_at(search, place);
        if (*in >= 0 || number == tried)
            continue;
        if (number <= sum) {
            *in = bucket;
            search->left -= key_of(number);
            if (fill(search, bucket, missing - 1, sum - number, place + 1))
                return true;
            *in = -1;
            search->left += key_of(number);
        }
        if (first) { /* the largest one left is in no bucket: it never will be */
            if (!search->stopped)
                *failed = search->left;
            return false;
        }
        tried = number;
    }
    return false;
}

PartitionAnswer partition_solve(const Partition *partition, ProblemCut cut,
                                int bucket_of[PARTITION_MAX_NUMBERS], uint64_t *nodes,
                                Status *status) {
    Search search = {.partition = partition, .bucket_of = bucket_of, .cut = cut};
    search.failed = memory_new((size_t)1 << FAILED_BITS, sizeof *search.failed, status);
    if (!search.failed)
        return PARTITION_UNKNOWN;
    for (int i = 0; i < partition->count; i++) {
        bucket_of[i] = -1;
        search.left += key_of(partition->numbers[i]);
        int place = i; /* insertion: equal numbers keep their order */
        for (; place > 0 && number_at(&search, place - 1) < partition->numbers[i]; place--)
            search.order[place] = search.order[place - 1];
        search.order[place] = i;
    }
    bool found = fill(&search, 0, partition->per_bucket, partition->target, 0);
    *nodes = search.nodes;
    free(search.failed);
    return found ? PARTITION_YES : search.stopped ? PARTITION_UNKNOWN : PARTITION_NO;
}

bool partition_verify(const Partition *partition, const int bucket_of[PARTITION_MAX_NUMBERS],
                      Status *status) {
    for (int bucket = 0; bucket < partition_sets(partition); bucket++) {
        int sum = 0, members = 0;
        for (int i = 0; i < partition->count; i++) {
            if (bucket_of[i] != bucket)
                continue;
            sum += partition->numbers[i];
            members++;
        }
        if (members != partition->per_bucket || sum != partition->target)
            return status_fail(status, STATUS_INPUT, "bucket %d has %d numbers of sum %d",
                               bucket + 1, members, sum);
    }
    return true;
}

/* ---- the game */

int partition_columns(const Partition *partition) {
    return 6 * partition_sets(partition) + 3;
}

int partition_rows(const Partition *partition) {
    return 6 * (partition->target + partition->per_bucket) + 4;
}

bool partition_filled(const Partition *partition, int x, int y) {
    int lock = 6 * partition_sets(partition), top = partition_rows(partition) - 1;
    if (x >= lock)
        return y == top ? false : y == top - 1 ? x != lock : x != lock + 2;
    int column = x % 6;
    if (y < 4)
        return column != 2;
    return column > (y % 6 == 4 ? 4 : 2);
}

static const char head[] = "IJO", unit[] = "JZJJO", tail[] = "OO";
enum { HEAD = sizeof head - 1, UNIT = sizeof unit - 1, TAIL = sizeof tail - 1 };

int partition_number_pieces(int number) {
    return HEAD + UNIT * number + TAIL;
}

int partition_end_of_number(const Partition *partition, int i) {
    int end = 0;
    for (int j = 0; j <= i; j++)
        end += partition_number_pieces(partition->numbers[j]);
    return end;
}

int partition_piece_count(const Partition *partition) {
    return partition_end_of_number(partition, partition->count - 1) + partition_sets(partition) +
           1 + (partition_rows(partition) - 2) / 4;
}

static uint8_t *add(uint8_t *pieces, const char *letters, int times) {
    for (int i = 0; i < times; i++)
        for (const char *letter = letters; *letter; letter++)
            *pieces++ = (uint8_t)piece_from_letter(*letter);
    return pieces;
}

void partition_pieces(const Partition *partition, uint8_t *pieces) {
    uint8_t *end = pieces;
    for (int i = 0; i < partition->count; i++)
        end = add(add(add(end, head, 1), unit, partition->numbers[i]), tail, 1);
    end = add(add(end, "I", partition_sets(partition)), "L", 1);
    end = add(end, "I", (partition_rows(partition) - 2) / 4);
    assert(end - pieces == partition_piece_count(partition));
}
