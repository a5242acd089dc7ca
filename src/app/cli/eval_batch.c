/*
 * eval_batch: reads as much as there is, evaluates it on all threads, prints it in order.
 *
 * Whoever sends one line and waits for its answer gets it at once: what was read is always answered
 * before the next read that may block. Workers have memory of their own, so the only shared thing
 * is the block of lines. Threads are started when a block is worth it.
 */
#include "cli/eval_batch.h"

#include "base/memory.h"
#include "base/pool.h"
#include "system/lines.h"
#include "system/stop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_LINES = 512,      /* answered together at most */
    LINES_A_TURN = 4,       /* that a thread takes at once */
    THREADS_FROM = 16,      /* lines; fewer are done by this thread */
    BLOCK_GENOTYPES = 8192, /* of the binary form */
    GENOTYPES_A_TURN = 64
};

/* ---- JSON lines */

typedef struct Line {
    size_t first, length; /* in Block.text */
    bool too_long;
    Text answer;
    Status failure; /* of this line */
} Line;

typedef struct Block {
    const EvalBatch *batch;
    Pool *pool;     /* NULL: not started */
    EvalRun **runs; /* one per thread; NULL: not needed yet */
    Text text;      /* the lines, one after the other */
    Line *lines;
    size_t count;
    bool all_good;
    Status *status; /* why the program cannot continue */
} Block;

static void write_answer(Line *line, const EvalRun *run) {
    JsonWriter json;
    jw_init(&json, &line->answer);
    jw_object(&json, NULL);
    if (run)
        solution_write_result(&json, &run->result);
    else
        jw_string(&json, "error", line->failure.message);
    jw_end(&json);
    text_add_char(&line->answer, '\n');
}

static void answer(const Block *block, Line *line, EvalRun *run) {
    const EvalBatch *batch = block->batch;
    line->failure = (Status){.code = STATUS_OK};
    text_clear(&line->answer);
    bool ok = line->too_long ? status_fail(&line->failure, STATUS_INPUT,
                                           "line longer than %zu bytes", batch->document_limit)
                             : eval_document(run, block->text.data + line->first, line->length,
                                             batch->given, &line->failure);
    write_answer(line, ok ? run : NULL);
    if (line->answer.failed)
        status_no_memory(&line->failure);
}

static void answer_task(void *context, size_t first, size_t last, unsigned worker) {
    const Block *block = context;
    if (!block->runs[worker])
        block->runs[worker] = memory_new(1, sizeof(EvalRun), NULL);
    for (size_t i = first; i < last; i++)
        if (block->runs[worker])
            answer(block, &block->lines[i], block->runs[worker]);
        else
            status_no_memory(&block->lines[i].failure);
}

/* Answers the lines that were read. False with the status: the program cannot continue. */
static bool answer_block(Block *block) {
    if (block->text.failed)
        return status_no_memory(block->status);
    if (!block->pool && block->count >= THREADS_FROM && block->batch->threads > 1) {
        block->pool = pool_new(block->batch->threads, block->status);
        if (!block->pool)
            return false;
    }
    if (block->pool)
        pool_run(block->pool, block->count, LINES_A_TURN, answer_task, block);
    else
        answer_task(block, 0, block->count, 0);
    for (size_t i = 0; i < block->count; i++) {
        const Line *line = &block->lines[i];
        if (line->failure.code != STATUS_OK && line->failure.code != STATUS_INPUT) {
            *block->status = line->failure;
            return false;
        }
        block->all_good = block->all_good && line->failure.code == STATUS_OK;
        fwrite(line->answer.data, 1, line->answer.length, stdout);
    }
    block->count = 0;
    text_clear(&block->text);
    return true;
}

/* Before a read that may block. */
static bool answer_first(void *context) {
    Block *block = context;
    return block->count == 0 || (answer_block(block) && fflush(stdout) == 0);
}

static bool is_blank(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r' && line[i] != '\n')
            return false;
    return true;
}

static void add_line(Block *block, const char *text, size_t length, bool too_long) {
    Line *line = &block->lines[block->count++];
    line->first = block->text.length;
    line->length = too_long ? 0 : length;
    line->too_long = too_long;
    text_add_bytes(&block->text, text, line->length);
}

static LinesEvent read_lines(Block *block, Lines *lines) {
    for (;;) {
        const char *line;
        size_t length;
        LinesEvent event = lines_next(lines, &line, &length, block->status);
        if (event == LINES_TOO_LONG || (event == LINES_LINE && !is_blank(line, length)))
            add_line(block, line, length, event == LINES_TOO_LONG);
        else if (event != LINES_LINE)
            return event;
        if (ferror(stdout))
            return LINES_END;
        if (block->count == BLOCK_LINES && !answer_block(block))
            return LINES_FAILED;
    }
}

StatusCode eval_batch_lines(const EvalBatch *batch, Status *status) {
    Block block = {.batch = batch, .all_good = true, .status = status};
    Lines lines = {.descriptor = batch->input,
                   .name = batch->name,
                   .limit = batch->document_limit,
                   .wait = answer_first,
                   .context = &block};
    LinesEvent event = LINES_FAILED;
    block.lines = memory_new(BLOCK_LINES, sizeof *block.lines, status);
    block.runs = memory_new(batch->threads, sizeof *block.runs, status);
    if (block.lines && block.runs) {
        event = read_lines(&block, &lines);
        if (event == LINES_END && block.count > 0 && !answer_block(&block))
            event = LINES_FAILED;
    }
    for (size_t i = 0; block.lines && i < BLOCK_LINES; i++)
        text_release(&block.lines[i].answer);
    for (unsigned i = 0; block.runs && i < batch->threads; i++)
        free(block.runs[i]);
    free(block.lines);
    free(block.runs);
    pool_free(block.pool);
    text_release(&block.text);
    lines_release(&lines);
    if (status->code != STATUS_OK)
        return status->code;
    if (event == LINES_STOPPED)
        return ferror(stdout) ? STATUS_OK : STATUS_INTERRUPTED;
    return block.all_good ? STATUS_OK : STATUS_INPUT;
}

/* ---- the binary form */

typedef struct Rows {
    Decoder decoder;
    EvalRequest request;
    size_t bytes;                                         /* of a genotype */
    int8_t low[GENOTYPE_MAX_PIECES * GENOTYPE_MAX_GENES]; /* the ranges of all genes */
    int8_t high[GENOTYPE_MAX_PIECES * GENOTYPE_MAX_GENES];
    const int8_t *genes;
    double *fitness;
} Rows;

static void fitness_task(void *context, size_t first, size_t last, unsigned worker) {
    const Rows *rows = context;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        const int8_t *genes = rows->genes + i * rows->bytes;
        rows->fitness[i] =
            genotype_in_range(genes, rows->low, rows->high, rows->bytes)
                ? fitness_evaluate(&fitness_profiles[PROFILE_BLOCKS], &rows->decoder, genes, NULL)
                : NAN;
    }
}

/* Reads the problem from the first line. */
static bool read_problem(const EvalBatch *batch, Lines *lines, Rows *rows, Status *status) {
    const char *line;
    size_t length;
    LinesEvent event = lines_next(lines, &line, &length, status);
    if (event == LINES_FAILED || event == LINES_STOPPED)
        return false;
    if (event != LINES_LINE)
        return status_fail(status, STATUS_INPUT, "%s: the line with the problem is missing",
                           batch->name);
    if (!solution_read_problem(line, length, batch->given, &rows->request, status))
        return status_prefix(status, "%s: line 1", batch->name);
    eval_decoder(&rows->request, &rows->decoder);
    rows->bytes = eval_solution_bytes(&rows->request);
    const GenotypeLayout *layout = &rows->decoder.layout;
    for (size_t i = 0; i < rows->bytes; i++) {
        rows->low[i] = layout->ranges[i % (size_t)layout->genes].low;
        rows->high[i] = layout->ranges[i % (size_t)layout->genes].high;
    }
    return true;
}

/* Names the first gene of row number `row` that is out of range. */
static bool reject_row(const EvalBatch *batch, const Rows *rows, const int8_t *genes, uint64_t row,
                       Status *status) {
    size_t i = 0;
    while (genes[i] >= rows->low[i] && genes[i] <= rows->high[i])
        i++;
    return status_fail(status, STATUS_INPUT, "%s: genotype %llu, gene %zu: %d is not in %d..%d",
                       batch->name, (unsigned long long)row, i, genes[i], rows->low[i],
                       rows->high[i]);
}

static StatusCode answer_rows(const EvalBatch *batch, Lines *lines, Rows *rows, int8_t *genes,
                              double *fitness, Pool *pool, Status *status) {
    uint64_t done = 0;
    size_t kept = 0; /* bytes of a genotype whose rest has not come yet */
    rows->genes = genes;
    rows->fitness = fitness;
    for (;;) {
        size_t bytes;
        LinesEvent event = lines_read(lines, (char *)genes + kept,
                                      BLOCK_GENOTYPES * rows->bytes - kept, &bytes, status);
        if (event == LINES_STOPPED)
            return STATUS_INTERRUPTED;
        if (event == LINES_FAILED)
            return status->code;
        if (bytes == 0 && kept > 0 && status->code == STATUS_OK)
            status_fail(status, STATUS_INPUT, "%s: the last genotype has %zu of %zu bytes",
                        batch->name, kept, rows->bytes);
        if (bytes == 0 || ferror(stdout))
            return status->code;
        size_t count = (kept + bytes) / rows->bytes;
        pool_run(pool, count, GENOTYPES_A_TURN, fitness_task, rows);
        for (size_t i = 0; i < count && status->code == STATUS_OK; i++)
            if (isnan(fitness[i]))
                reject_row(batch, rows, genes + i * rows->bytes, done + i, status);
        fwrite(fitness, sizeof *fitness, count, stdout);
        fflush(stdout);
        done += count;
        kept = kept + bytes - count * rows->bytes;
        memmove(genes, genes + count * rows->bytes, kept);
    }
}

StatusCode eval_batch_binary(const EvalBatch *batch, Status *status) {
    Lines lines = {.descriptor = batch->input, .name = batch->name, .limit = batch->document_limit};
    Rows *rows = memory_new(1, sizeof *rows, status);
    double *fitness = memory_new(BLOCK_GENOTYPES, sizeof *fitness, status);
    int8_t *genes = NULL;
    Pool *pool = NULL;
    StatusCode code = STATUS_SYSTEM;
    if (rows && fitness && read_problem(batch, &lines, rows, status)) {
        genes = memory_new(BLOCK_GENOTYPES, rows->bytes, status);
        pool = genes ? pool_new(batch->threads, status) : NULL;
        if (pool)
            code = answer_rows(batch, &lines, rows, genes, fitness, pool, status);
    }
    if (!pool)
        code = status->code != STATUS_OK ? status->code : STATUS_INTERRUPTED;
    pool_free(pool);
    free(genes);
    free(fitness);
    free(rows);
    lines_release(&lines);
    return code;
}
