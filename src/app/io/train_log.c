/* train_log: one row per generation is appended and synced; a log is read line by line. */
#include "io/train_log.h"

#include "base/json.h"
#include "base/json_writer.h"
#include "system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_row(const TrainLog *log, const TrainRow *row, double seconds, JsonWriter *w) {
    jw_object(w, NULL);
    jw_put(w, JI("generation", row->generation), JR("best", row->best), JR("mean", row->mean),
           JR("points_per_piece", row->points_per_piece),
           JR("lines_per_piece", row->lines_per_piece));
    if (row->pieces_allowed == INT64_MAX)
        jw_null(w, "pieces_allowed");
    else
        jw_integer(w, "pieces_allowed", row->pieces_allowed);
    jw_put(w, JI("candidates", row->candidates), JI("games", row->games),
           JI("pieces", row->pieces));
    if (row->spread_name)
        jw_real(w, row->spread_name, row->spread);
    jw_object(w, "weights");
    for (int i = 0; i < log->count; i++)
        jw_real(w, log->names[i], row->weights[i]);
    jw_end(w);
    jw_put(w, JR("seconds", seconds), JS("training", log->training));
    jw_end(w);
}

static double number_of(const Json *document, const char *name) {
    const Json *value = json_get(document, name);
    return json_is_number(value) ? json_number(value) : NAN;
}

/* Reads the row's numbers back; the weights in the order of the names. */
static bool read_row(const TrainLog *log, const Json *document, TrainRow *row, Status *status) {
    const Json *generation = json_get(document, "generation");
    const Json *weights = json_get(document, "weights");
    if (!json_is_integer(generation) || !json_is_object(weights))
        return status_fail(status, STATUS_INPUT, "not a row of a training");
    const Json *training = json_get(document, "training");
    if (training && (!json_is_string(training) || strcmp(json_text(training), log->training) != 0))
        return status_fail(status, STATUS_INPUT, "a row of another training");
    const Json *limit = json_get(document, "pieces_allowed");
    *row = (TrainRow){
        .generation = json_int(generation),
        .best = number_of(document, "best"),
        .mean = number_of(document, "mean"),
        .points_per_piece = number_of(document, "points_per_piece"),
        .lines_per_piece = number_of(document, "lines_per_piece"),
        .pieces_allowed = json_is_integer(limit) ? json_int(limit) : INT64_MAX,
        .candidates = json_int(json_get(document, "candidates")),
        .games = json_int(json_get(document, "games")),
        .pieces = json_int(json_get(document, "pieces")),
    };
    for (int i = 0; i < log->count; i++) {
        row->weights[i] = number_of(weights, log->names[i]);
        if (isnan(row->weights[i]))
            return status_fail(status, STATUS_INPUT, "weights.%s: missing", log->names[i]);
    }
    return true;
}

/* The number of bytes to keep, or -1 with `status`. */
static ssize_t kept_bytes(const TrainLog *log, int64_t generation, TrainLogVisit *visit,
                          void *context, const char *text, size_t length, Status *status) {
    size_t at = 0;
    for (int line = 1; at < length; line++) {
        const char *end = memchr(text + at, '\n', length - at);
        if (!end)
            break; /* a half-written line */
        size_t bytes = (size_t)(end - (text + at));
        TrainRow row;
        Json *document = json_parse(text + at, bytes, status);
        bool ok = document && read_row(log, document, &row, status);
        json_free(document);
        if (!ok) {
            status_prefix(status, "%s:%d", log->path, line);
            return -1;
        }
        if (row.generation > generation)
            break;
        if (visit)
            visit(context, &row);
        at += bytes + 1;
    }
    return (ssize_t)at;
}

bool train_log_cut(const TrainLog *log, int64_t generation, TrainLogVisit *visit, void *context,
                   Status *status) {
    bool exists;
    if (!file_exists(log->path, &exists, status))
        return false;
    if (!exists)
        return file_replace(log->path, "", 0, status);
    size_t length;
    char *text = file_read(log->path, TRAIN_LOG_LIMIT, &length, status);
    if (!text)
        return false;
    ssize_t kept = kept_bytes(log, generation, visit, context, text, length, status);
    bool ok = kept >= 0 &&
              ((size_t)kept == length || file_replace(log->path, text, (size_t)kept, status));
    free(text);
    return ok;
}

bool train_log_append(const TrainLog *log, const TrainRow *row, double seconds, Status *status) {
    Text text = {0};
    JsonWriter w;
    jw_init(&w, &text);
    write_row(log, row, seconds, &w);
    text_add_char(&text, '\n');
    if (text.failed) {
        text_release(&text);
        return status_no_memory(status);
    }
    int descriptor = open(log->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    bool ok = descriptor >= 0;
    for (size_t done = 0; ok && done < text.length;) {
        ssize_t written = write(descriptor, text.data + done, text.length - done);
        if (written < 0 && errno == EINTR)
            continue;
        ok = written >= 0;
        done += ok ? (size_t)written : 0;
    }
    /* Pipes and devices cannot be synced; that is not a failure. */
    if (ok && fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS)
        ok = false;
    if (!ok)
        file_fail(log->path, errno, status);
    if (descriptor >= 0)
        close(descriptor);
    text_release(&text);
    return ok;
}
