/* Any bytes as the log of a training that is resumed: refused with a message that names the file,
 * which stays as it is; or cut back to whole rows of the first generations, after which it reads as
 * it was cut. The first byte says how many generations are kept. */
#include "io/train_log.h"
#include "temporary.h"

#include "system/file.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"holes", "roughness"};
enum { COUNT = sizeof names / sizeof *names };

typedef struct Seen {
    int64_t rows, most;
} Seen;

static void visit(void *context, const TrainRow *row) {
    Seen *seen = context;
    seen->rows++;
    if (row->generation > seen->most)
        abort();
    for (int i = 0; i < COUNT; i++)
        if (!isfinite(row->weights[i]))
            abort();
}

/* The bytes of the file; the caller frees them. */
static char *bytes_of(const char *path, size_t *length) {
    Status status = {0};
    char *bytes = file_read(path, TRAIN_LOG_LIMIT, length, &status);
    if (!bytes)
        abort();
    return bytes;
}

static void check_cut(const char *path, const uint8_t *data, size_t size, Seen seen) {
    size_t length;
    char *bytes = bytes_of(path, &length);
    if (length > size || (length > 0 && memcmp(bytes, data, length) != 0))
        abort();
    free(bytes);
    Seen again = {.most = seen.most};
    Status status = {0};
    if (!train_log_cut(&(TrainLog){path, "0123456789abcdef", names, COUNT}, seen.most, visit,
                       &again, &status) ||
        again.rows != seen.rows)
        abort();
    size_t after;
    free(bytes_of(path, &after));
    if (after != length)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    Seen seen = {.most = data[0] % 8};
    const char *path = temporary_file(data + 1, size - 1);
    Status status = {0};
    if (train_log_cut(&(TrainLog){path, "0123456789abcdef", names, COUNT}, seen.most, visit, &seen,
                      &status)) {
        check_cut(path, data + 1, size - 1, seen);
    } else {
        if (status.code != STATUS_INPUT || !strstr(status.message, path))
            abort();
        size_t length;
        char *bytes = bytes_of(path, &length);
        if (length != size - 1 || memcmp(bytes, data + 1, length) != 0)
            abort();
        free(bytes);
    }
    unlink(path);
    return 0;
}
