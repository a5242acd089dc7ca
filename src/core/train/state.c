/*
 * state: the trainer visits its numbers through an archive, which writes them into the
 * member `state` or reads them from it.
 */
#include "train/state.h"

#include "base/json.h"
#include "base/json_writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char FORMAT[] = "tetropt-training";

/* The archive over a JSON object that is written or read. */
typedef struct JsonArchive {
    TrainArchive archive; /* first */
    JsonWriter *writer;
    const Json *object;
    Status status; /* the first failure of loading */
} JsonArchive;

/* Keeps the first error only: later ones may follow from it. */
static void reject(JsonArchive *self, const char *name, const char *why) {
    if (self->status.code == STATUS_OK)
        status_fail(&self->status, STATUS_INPUT, "state.%s: %s", name, why);
}

static void visit_integer(TrainArchive *archive, const char *name, int64_t *value, int64_t low,
                          int64_t high) {
    JsonArchive *self = (JsonArchive *)archive;
    if (!archive->loading) {
        jw_integer(self->writer, name, *value);
        return;
    }
    const Json *member = json_get(self->object, name);
    int64_t number = json_int(member);
    if (!json_is_integer(member))
        reject(self, name, member ? "not an integer" : "missing");
    else if (number < low || number > high)
        reject(self, name, "out of range");
    else
        *value = number;
}

static void load_reals(JsonArchive *self, const char *name, double *values, int count, double low) {
    const Json *array = json_get(self->object, name);
    if (!json_is_array(array) || json_count(array) != (size_t)count) {
        reject(self, name, array ? "not as many numbers as there are weights" : "missing");
        return;
    }
    for (int i = 0; i < count; i++) {
        const Json *value = json_at(array, (size_t)i);
        double number = json_number(value);
        if (!json_is_number(value) || !isfinite(number) || number < low) {
            reject(self, name, "a number is out of range");
            return;
        }
        values[i] = number;
    }
}

static void visit_reals(TrainArchive *archive, const char *name, double *values, int count,
                        double low) {
    JsonArchive *self = (JsonArchive *)archive;
    if (archive->loading)
        load_reals(self, name, values, count, low);
    else
        jw_reals(self->writer, name, values, (size_t)count);
}

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

/* As 16 hexadecimal digits, of the document as it would be without the checksum: the text up to
 * there and a closing brace. */
static void checksum_of(const char *text, size_t length, char *digits) {
    uint64_t hash = hash_bytes(hash_bytes(0xcbf29ce484222325u, text, length), "}", 1);
    snprintf(digits, 17, "%016llx", (unsigned long long)hash);
}

void train_identify(TrainIdentity *identity, const Text *settings, const Json *resumed) {
    const char *known = json_text(json_get(resumed, "training"));
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, settings->data, settings->length);
    for (int i = 0; i < identity->count; i++) {
        char number[32];
        snprintf(number, sizeof number, ",%.17g", identity->start[i]);
        hash = hash_bytes(hash, number, strlen(number));
    }
    snprintf(identity->id, sizeof identity->id, "%016llx", (unsigned long long)hash);
    if (known)
        snprintf(identity->id, sizeof identity->id, "%s", known);
}

/* What stands behind the part that is summed: the last member and the end of the document. */
static const char TAIL_FORMAT[] = ",\"checksum\":\"%s\"}\n";
enum { TAIL_BYTES = 32 }; /* its length with the 16 digits */

bool train_state_write(const Text *settings, const TrainIdentity *identity, Trainer *trainer,
                       Text *text) {
    size_t begin = text->length;
    JsonWriter w;
    jw_init(&w, text);
    jw_object(&w, NULL);
    jw_put(&w, JS("format", FORMAT), JI("version", TRAIN_STATE_VERSION),
           JS("program", TETROPT_VERSION));
    jw_raw(&w, "settings", settings->data, settings->length);
    jw_string(&w, "features", identity->features);
    jw_reals(&w, "start", identity->start, (size_t)identity->count);
    jw_string(&w, "training", identity->id);
    jw_object(&w, "state");
    JsonArchive archive = {.archive = {false, visit_integer, visit_reals}, .writer = &w};
    trainer_visit(trainer, &archive.archive);
    jw_end(&w);
    if (text->failed || settings->failed)
        return false;
    char digits[17];
    checksum_of(text->data + begin, text->length - begin, digits);
    text_format(text, TAIL_FORMAT, digits);
    return !text->failed;
}

/* Everything but the checksum is there and of the right type. */
static bool check_shape(const Json *document, Status *status) {
    static const char *const names[] = {"format",   "version",  "program", "checksum", "training",
                                        "settings", "features", "start",   "state"};
    const char *format = json_text(json_get(document, "format"));
    if (!format || strcmp(format, FORMAT) != 0)
        return status_fail(status, STATUS_INPUT, "not a state of a training");
    int version = 0;
    if (!json_read_int(document, "version", 0, INT32_MAX, &version, status))
        return false;
    if (version != TRAIN_STATE_VERSION)
        return status_fail(status, STATUS_INPUT,
                           "version: %d, but this program reads version %d only", version,
                           TRAIN_STATE_VERSION);
    if (!json_only_members(document, names, sizeof names / sizeof *names, status))
        return false;
    if (!json_is_object(json_get(document, "settings")))
        return status_fail(status, STATUS_INPUT, "settings: not an object");
    if (!json_is_object(json_get(document, "state")))
        return status_fail(status, STATUS_INPUT, "state: not an object");
    const Json *training = json_get(document, "training");
    if (training && (!json_is_string(training) || strlen(json_text(training)) >= TRAIN_ID_BYTES))
        return status_fail(status, STATUS_INPUT, "training: not an id");
    return json_read_string(document, "features", status) != NULL;
}

/* The text ends as train_state_write ended it. */
static bool check_sum(const char *text, size_t length, Status *status) {
    char digits[17], tail[TAIL_BYTES + 1];
    if (length > TAIL_BYTES) {
        checksum_of(text, length - TAIL_BYTES, digits);
        snprintf(tail, sizeof tail, TAIL_FORMAT, digits);
        if (memcmp(text + length - TAIL_BYTES, tail, TAIL_BYTES) == 0)
            return true;
    }
    return status_fail(status, STATUS_INPUT, "checksum: the file was changed or damaged");
}

Json *train_state_parse(const char *text, size_t length, Status *status) {
    Json *document = json_parse(text, length, status);
    if (document && check_shape(document, status) && check_sum(text, length, status))
        return document;
    json_free(document);
    return NULL;
}

bool train_state_start(const Json *document, double *start, int count, Status *status) {
    const Json *array = json_get(document, "start");
    if (!json_is_array(array) || json_count(array) != (size_t)count)
        return status_fail(status, STATUS_INPUT,
                           "start: %zu weights, but the features '%s' have %d", json_count(array),
                           json_text(json_get(document, "features")), count);
    for (int i = 0; i < count; i++) {
        const Json *value = json_at(array, (size_t)i);
        if (!json_is_number(value) || !isfinite(json_number(value)))
            return status_fail(status, STATUS_INPUT, "start[%d]: not a number", i);
        start[i] = json_number(value);
    }
    return true;
}

bool train_state_load(const Json *document, Trainer *trainer, Status *status) {
    JsonArchive archive = {.archive = {true, visit_integer, visit_reals},
                           .object = json_get(document, "state")};
    trainer_visit(trainer, &archive.archive);
    if (archive.status.code == STATUS_OK)
        return true;
    *status = archive.status;
    return false;
}
