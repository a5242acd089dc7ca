#include "io/train_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char FORMAT[] = "tetropt-training";

/* The archive over a JSON object. */
typedef struct JsonArchive {
    TrainArchive archive; /* first */
    json_t *object;
    Status status; /* the first failure of loading */
    bool no_memory;
} JsonArchive;

/* Only the first complaint is kept: what follows may come of it. */
static void complain(JsonArchive *self, const char *name, const char *why) {
    if (self->status.code == STATUS_OK)
        status_fail(&self->status, STATUS_INPUT, "state.%s: %s", name, why);
}

static void visit_integer(TrainArchive *archive, const char *name, int64_t *value, int64_t low,
                          int64_t high) {
    JsonArchive *self = (JsonArchive *)archive;
    if (!archive->loading) {
        self->no_memory |= json_object_set_new(self->object, name, json_integer(*value)) != 0;
        return;
    }
    const json_t *member = json_object_get(self->object, name);
    int64_t number = json_integer_value(member);
    if (!json_is_integer(member))
        complain(self, name, member ? "not a whole number" : "missing");
    else if (number < low || number > high)
        complain(self, name, "out of range");
    else
        *value = number;
}

static void load_reals(JsonArchive *self, const char *name, double *values, int count, double low) {
    const json_t *array = json_object_get(self->object, name);
    if (!json_is_array(array) || json_array_size(array) != (size_t)count) {
        complain(self, name, array ? "not as many numbers as there are weights" : "missing");
        return;
    }
    for (int i = 0; i < count; i++) {
        const json_t *value = json_array_get(array, (size_t)i);
        double number = json_number_value(value);
        if (!json_is_number(value) || !isfinite(number) || number < low) {
            complain(self, name, "a number is out of range");
            return;
        }
        values[i] = number;
    }
}

static json_t *array_of(const double *values, int count) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_add(&array, json_real(values[i]));
    return array;
}

static void visit_reals(TrainArchive *archive, const char *name, double *values, int count,
                        double low) {
    JsonArchive *self = (JsonArchive *)archive;
    if (archive->loading)
        load_reals(self, name, values, count, low);
    else
        self->no_memory |= json_object_set_new(self->object, name, array_of(values, count)) != 0;
}

static JsonArchive archive_over(json_t *object, bool loading) {
    return (JsonArchive){{loading, visit_integer, visit_reals}, object, {0}, object == NULL};
}

/* FNV-1a, as 16 hexadecimal digits, of the document as it would be without the checksum: the text
 * up to there and a closing brace. */
static void checksum_of(const char *text, size_t length, char *digits) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    hash = (hash ^ '}') * 0x100000001b3u;
    snprintf(digits, 17, "%016llx", (unsigned long long)hash);
}

/* What stands behind the part that is summed: the last member and the end of the document. */
static const char TAIL_FORMAT[] = ",\"checksum\":\"%s\"}\n";
enum { TAIL_BYTES = 32 }; /* its length with the 16 digits */

bool train_state_write(const json_t *settings, const char *features, const double *start, int count,
                       Trainer *trainer, Text *text) {
    JsonArchive archive = archive_over(json_object(), false);
    trainer_visit(trainer, &archive.archive);
    json_t *document =
        json_pack("{s:s, s:i, s:s, s:O, s:s, s:o, s:o}", "format", FORMAT, "version",
                  TRAIN_STATE_VERSION, "program", TETROPT_VERSION, "settings", (json_t *)settings,
                  "features", features, "start", array_of(start, count), "state", archive.object);
    char *body = document && !archive.no_memory ? json_write(document) : NULL;
    json_decref(document);
    if (!body)
        return false;
    char digits[17];
    size_t length = strlen(body) - 1; /* without the brace at the end */
    checksum_of(body, length, digits);
    text_add_bytes(text, body, length);
    text_format(text, TAIL_FORMAT, digits);
    free(body);
    return !text->failed;
}

/* Everything but the checksum is there and of the right type. */
static bool check_shape(const json_t *document, Status *status) {
    static const char *const names[] = {"format",   "version",  "program", "checksum",
                                        "settings", "features", "start",   "state"};
    const char *format = json_string_value(json_object_get(document, "format"));
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
    if (!json_is_object(json_object_get(document, "settings")))
        return status_fail(status, STATUS_INPUT, "settings: not an object");
    if (!json_is_object(json_object_get(document, "state")))
        return status_fail(status, STATUS_INPUT, "state: not an object");
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

json_t *train_state_parse(const char *text, size_t length, Status *status) {
    json_t *document = json_parse(text, length, status);
    if (document && check_shape(document, status) && check_sum(text, length, status))
        return document;
    json_decref(document);
    return NULL;
}

bool train_state_start(const json_t *document, double *start, int count, Status *status) {
    const json_t *array = json_object_get(document, "start");
    if (!json_is_array(array) || json_array_size(array) != (size_t)count)
        return status_fail(status, STATUS_INPUT,
                           "start: %zu weights, but the features '%s' have %d",
                           json_array_size(array),
                           json_string_value(json_object_get(document, "features")), count);
    for (int i = 0; i < count; i++) {
        const json_t *value = json_array_get(array, (size_t)i);
        if (!json_is_number(value) || !isfinite(json_number_value(value)))
            return status_fail(status, STATUS_INPUT, "start[%d]: not a number", i);
        start[i] = json_number_value(value);
    }
    return true;
}

bool train_state_load(const json_t *document, Trainer *trainer, Status *status) {
    JsonArchive archive = archive_over(json_object_get(document, "state"), true);
    trainer_visit(trainer, &archive.archive);
    if (archive.status.code == STATUS_OK)
        return true;
    *status = archive.status;
    return false;
}
