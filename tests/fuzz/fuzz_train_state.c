/* Any bytes as the state of a training: refused with a message, or loaded into a training that can
 * go on. The checksum would stop almost everything, so the bytes are the part that it covers. */
#include "train/registry.h"
#include "train/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool play(const void *context, size_t candidate, const double *weights, uint64_t seed,
                 int64_t trial, int64_t pieces, TrialResult *result, Status *status) {
    (void)candidate;
    (void)context, (void)seed, (void)trial, (void)pieces, (void)status;
    for (int i = 0; i < COUNT; i++)
        if (!isfinite(weights[i]))
            abort();
    *result = (TrialResult){.score = weights[0] > 0, .complete = 1};
    return true;
}

static double score(const void *context, const TrialResult *results, size_t count) {
    (void)context, (void)count;
    return (double)results[0].score;
}

/* The text with the checksum that it should have, NULs included; the caller frees it. */
static char *sealed(const uint8_t *data, size_t size, size_t *length) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 0x100000001b3u;
    hash = (hash ^ '}') * 0x100000001b3u;
    char *text = malloc(size + 40);
    memcpy(text, data, size);
    *length = size + (size_t)snprintf(text + size, 40, ",\"checksum\":\"%016llx\"}\n",
                                      (unsigned long long)hash);
    return text;
}

static void try_method(const TrainMethod *method, const Json *document) {
    static const TrainObjective objective = {.measure = "score", .play = play, .score = score};
    _Alignas(max_align_t) unsigned char parameters[TRAIN_PARAMETERS_MAX_BYTES] = {0};
    Status status = {0};
    options_defaults(method->parameters, parameters);
    TrainTask task = {.method = method,
                      .parameters = parameters,
                      .objective = &objective,
                      .space = {.count = COUNT, .low = {-INFINITY, -INFINITY, 0}},
                      .weights = COUNT,
                      .trained = {0, 1, 2},
                      .games = 1,
                      .max_pieces = 10,
                      .pool = pool_new(1, &status)};
    Trainer *trainer = trainer_new(&task, &status);
    if (!task.pool || !trainer)
        abort();
    if (train_state_load(document, trainer, &status)) {
        TrainRow row;
        for (int i = 0; i < 2; i++)
            if (trainer_step(trainer, &row, &status) != TRAINER_DONE)
                abort();
    } else if (status.code != STATUS_INPUT || !status.message[0])
        abort();
    trainer_free(trainer);
    pool_free(task.pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Status status = {0};
    size_t length;
    char *text = sealed(data, size, &length);
    Json *document = train_state_parse(text, length, &status);
    free(text);
    if (!document && (status.code != STATUS_INPUT || !status.message[0]))
        abort();
    double start[COUNT];
    if (document)
        train_state_start(document, start, COUNT, &status);
    for (int i = 0; document && i < train_count(); i++)
        try_method(train_at(i), document);
    json_free(document);
    return 0;
}
