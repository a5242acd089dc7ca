/*
 * sampler: the weights of the softmax are summed in parallel, one block per task; the sums of
 * blocks are added in order by one thread.
 */
#include "optim/sampler.h"

#include "base/real.h"
#include "optim/control.h"

#include <assert.h>
#include <stdlib.h>

bool sampler_init(Sampler *sampler, size_t capacity, Status *status) {
    *sampler = (Sampler){.capacity = capacity};
    size_t blocks = (capacity + SAMPLER_BLOCK - 1) / SAMPLER_BLOCK;
    sampler->cumulative = control_allocate(capacity, sizeof(double), status);
    sampler->before = control_allocate(blocks, sizeof(double), status);
    return sampler->cumulative && sampler->before;
}

void sampler_release(Sampler *sampler) {
    free(sampler->cumulative);
    free(sampler->before);
    *sampler = (Sampler){0};
}

static size_t block_count(const Sampler *sampler) {
    return (sampler->count + SAMPLER_BLOCK - 1) / SAMPLER_BLOCK;
}

/* One past the last item of a block. */
static size_t block_end(const Sampler *sampler, size_t block) {
    size_t end = (block + 1) * SAMPLER_BLOCK;
    return end < sampler->count ? end : sampler->count;
}

static void sum_blocks(Sampler *sampler) {
    double sum = 0;
    for (size_t block = 0; block < block_count(sampler); block++) {
        sampler->before[block] = sum;
        sum += sampler->cumulative[block_end(sampler, block) - 1];
    }
    sampler->total = sum;
}

typedef struct Softmax {
    Sampler *sampler;
    const double *values;
    double largest, temperature;
} Softmax;

static void softmax_blocks(void *context, size_t first, size_t last, unsigned worker) {
    (void)worker;
    const Softmax *work = context;
    for (size_t block = first; block < last; block++) {
        double sum = 0;
        for (size_t i = block * SAMPLER_BLOCK; i < block_end(work->sampler, block); i++) {
            sum += real_exp((work->values[i] - work->largest) / work->temperature);
            work->sampler->cumulative[i] = sum;
        }
    }
}

void sampler_softmax(Sampler *sampler, Pool *pool, const double *values, size_t count,
                     double temperature) {
    assert(count > 0 && count <= sampler->capacity && temperature > 0);
    sampler->count = count;
    Softmax work = {sampler, values, values[0], temperature};
    for (size_t i = 1; i < count; i++)
        if (values[i] > work.largest)
            work.largest = values[i];
    pool_run(pool, block_count(sampler), 1, softmax_blocks, &work);
    sum_blocks(sampler);
}

void sampler_roulette(Sampler *sampler, const double *values, size_t count) {
    assert(count > 0 && count <= sampler->capacity);
    sampler->count = count;
    double smallest = values[0], largest = values[0];
    for (size_t i = 1; i < count; i++) {
        smallest = values[i] < smallest ? values[i] : smallest;
        largest = values[i] > largest ? values[i] : largest;
    }
    double base = largest > smallest ? (largest - smallest) / 100 : 1;
    for (size_t block = 0; block < block_count(sampler); block++) {
        double sum = 0;
        for (size_t i = block * SAMPLER_BLOCK; i < block_end(sampler, block); i++) {
            sum += values[i] - smallest + base;
            sampler->cumulative[i] = sum;
        }
    }
    sum_blocks(sampler);
}

/* The first index in low..high-1 whose running sum is above `point`, or high - 1. */
static size_t search(const double *sums, size_t low, size_t high, double point) {
    high--;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle] > point)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t sampler_draw(const Sampler *sampler, Rng *rng) {
    double point = rng_real(rng) * sampler->total;
    size_t low = 0, high = block_count(sampler);
    while (high - low > 1) { /* the last block that begins at or before the point */
        size_t middle = low + (high - low) / 2;
        if (sampler->before[middle] <= point)
            low = middle;
        else
            high = middle;
    }
    return search(sampler->cumulative, low * SAMPLER_BLOCK, block_end(sampler, low),
                  point - sampler->before[low]);
}
