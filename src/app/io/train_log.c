#include "io/train_log.h"

#include "io/json.h"
#include "system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

json_t *train_log_row(const TrainRow *row, const char *const *names, int count, double seconds) {
    json_t *weights = json_object();
    for (int i = 0; i < count; i++)
        json_put(&weights, names[i], json_real(row->weights[i]));
    json_t *limit =
        row->pieces_allowed == INT64_MAX ? json_null() : json_integer(row->pieces_allowed);
    json_t *document = json_pack(
        "{s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I}", "generation", (json_int_t)row->generation,
        "best", json_finite(row->best), "mean", json_finite(row->mean), "points_per_piece",
        json_finite(row->points_per_piece), "lines_per_piece", json_finite(row->lines_per_piece),
        "pieces_allowed", limit, "candidates", (json_int_t)row->candidates, "games",
        (json_int_t)row->games, "pieces", (json_int_t)row->pieces);
    if (row->spread_name)
        json_put(&document, row->spread_name, json_finite(row->spread));
    json_put(&document, "weights", weights);
    json_put(&document, "seconds", json_real(seconds));
    return document;
}

static double number_of(const json_t *document, const char *name) {
    const json_t *value = json_object_get(document, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Reads the row's numbers back; the weights in the order of `names`. */
static bool read_row(const json_t *document, const char *const *names, int count, TrainRow *row,
                     Status *status) {
    const json_t *generation = json_object_get(document, "generation");
    const json_t *weights = json_object_get(document, "weights");
    if (!json_is_integer(generation) || !json_is_object(weights))
        return status_fail(status, STATUS_INPUT, "not a row of a training");
    const json_t *limit = json_object_get(document, "pieces_allowed");
    *row = (TrainRow){
        .generation = json_integer_value(generation),
        .best = number_of(document, "best"),
        .mean = number_of(document, "mean"),
        .points_per_piece = number_of(document, "points_per_piece"),
        .lines_per_piece = number_of(document, "lines_per_piece"),
        .pieces_allowed = json_is_integer(limit) ? json_integer_value(limit) : INT64_MAX,
        .candidates = json_integer_value(json_object_get(document, "candidates")),
        .games = json_integer_value(json_object_get(document, "games")),
        .pieces = json_integer_value(json_object_get(document, "pieces")),
    };
    for (int i = 0; i < count; i++) {
        row->weights[i] = number_of(weights, names[i]);
        if (isnan(row->weights[i]))
            return status_fail(status, STATUS_INPUT, "weights.%s: missing", names[i]);
    }
    return true;
}

/* How a log is walked. */
typedef struct Walk {
    const char *path;
    int64_t generation;
    const char *const *names;
    int count;
    TrainLogVisit *visit;
    void *context;
} Walk;

/* The number of bytes to keep, or -1 with `status`. */
static ssize_t kept_bytes(const Walk *walk, const char *text, size_t length, Status *status) {
    size_t at = 0;
    for (int line = 1; at < length; line++) {
        const char *end = memchr(text + at, '\n', length - at);
        if (!end)
            break; /* a half-written line */
        size_t bytes = (size_t)(end - (text + at));
        TrainRow row;
        json_t *document = json_parse(text + at, bytes, status);
        bool ok = document && read_row(document, walk->names, walk->count, &row, status);
        json_decref(document);
        if (!ok) {
            status_prefix(status, "%s:%d", walk->path, line);
            return -1;
        }
        if (row.generation > walk->generation)
            break;
        if (walk->visit)
            walk->visit(walk->context, &row);
        at += bytes + 1;
    }
    return (ssize_t)at;
}

bool train_log_cut(const char *path, int64_t generation, const char *const *names, int count,
                   TrainLogVisit *visit, void *context, Status *status) {
    bool exists;
    if (!file_exists(path, &exists, status))
        return false;
    if (!exists)
        return file_replace(path, "", 0, status);
    size_t length;
    char *text = file_read(path, TRAIN_LOG_LIMIT, &length, status);
    if (!text)
        return false;
    Walk walk = {path, generation, names, count, visit, context};
    ssize_t kept = kept_bytes(&walk, text, length, status);
    bool ok =
        kept >= 0 && ((size_t)kept == length || file_replace(path, text, (size_t)kept, status));
    free(text);
    return ok;
}

bool train_log_append(const char *path, const json_t *row, Status *status) {
    char *text = row ? json_write(row) : NULL;
    if (!text)
        return status_no_memory(status);
    size_t length = strlen(text);
    text[length] = '\n'; /* in place of the end: write takes a length */
    int descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    bool ok = descriptor >= 0;
    for (size_t done = 0; ok && done < length + 1;) {
        ssize_t count = write(descriptor, text + done, length + 1 - done);
        if (count < 0 && errno == EINTR)
            continue;
        ok = count >= 0;
        done += ok ? (size_t)count : 0;
    }
    /* Pipes and devices cannot be synced; that is no failure. */
    if (ok && fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS)
        ok = false;
    if (!ok)
        file_fail(path, errno, status);
    if (descriptor >= 0)
        close(descriptor);
    free(text);
    return ok;
}
