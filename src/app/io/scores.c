#include "io/scores.h"

#include "base/text.h"
#include "io/json.h"
#include "system/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_LIMIT = 1 << 20 }; /* bytes; the tables of all kinds of games take a few thousand */

static char *join(const char *folder, const char *rest) {
    size_t bytes = strlen(folder) + strlen(rest) + 1;
    char *path = malloc(bytes);
    if (path)
        snprintf(path, bytes, "%s%s", folder, rest);
    return path;
}

char *scores_path(void) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/') /* the XDG specification: relative paths are to be ignored */
        return join(data, "/tetropt/scores.json");
    return home && *home ? join(home, "/.local/share/tetropt/scores.json") : NULL;
}

/* ---- reading */

static bool read_number(const json_t *object, const char *name, int64_t *value) {
    const json_t *number = json_object_get(object, name);
    *value = json_integer_value(number);
    return json_is_integer(number) && *value >= 0;
}

static bool read_entry(const json_t *object, ScoreEntry *entry) {
    const char *date = json_string_value(json_object_get(object, "date"));
    if (!date || strlen(date) >= sizeof entry->date)
        return false;
    snprintf(entry->date, sizeof entry->date, "%s", date);
    return read_number(object, "score", &entry->score) &&
           read_number(object, "lines", &entry->lines) &&
           read_number(object, "pieces", &entry->pieces) &&
           read_number(object, "time_ms", &entry->time_ms);
}

static bool read_table(const json_t *document, const char *mode, Scores *scores, Status *status) {
    const json_t *table = json_object_get(document, mode);
    scores->count = 0;
    if (!table)
        return true;
    size_t count = json_array_size(table);
    if (!json_is_array(table) || count > SCORES_MAX)
        return status_fail(status, STATUS_INPUT, "%s: not a table of scores", mode);
    for (size_t i = 0; i < count; i++)
        if (!read_entry(json_array_get(table, i), &scores->entries[scores->count++])) {
            scores->count = 0;
            return status_fail(status, STATUS_INPUT, "%s[%zu]: not a score", mode, i);
        }
    return true;
}

/* The whole file; an empty object when there is none. NULL with `status`. */
static json_t *read_document(const char *path, Status *status) {
    bool exists;
    if (!file_exists(path, &exists, status))
        return NULL;
    if (!exists) {
        json_t *empty = json_object();
        if (!empty)
            status_no_memory(status);
        return empty;
    }
    size_t length;
    char *text = file_read(path, FILE_LIMIT, &length, status);
    if (!text)
        return NULL;
    json_t *document = json_parse(text, length, status);
    free(text);
    if (!document)
        status_prefix(status, "%s", path);
    else if (!json_is_object(document)) {
        json_decref(document);
        status_fail(status, STATUS_INPUT, "%s: not a file of scores", path);
        return NULL;
    }
    return document;
}

bool scores_read(const char *path, const char *mode, Scores *scores, Status *status) {
    scores->count = 0;
    json_t *document = read_document(path, status);
    if (!document)
        return false;
    bool ok = read_table(document, mode, scores, status) || status_prefix(status, "%s", path);
    json_decref(document);
    return ok;
}

/* ---- entering */

static bool better(const ScoreEntry *a, const ScoreEntry *b, bool by_time) {
    return by_time ? a->time_ms < b->time_ms : a->score > b->score;
}

/* The place (0 is the best) that `entry` would take, or -1. */
static int rank_of(const Scores *scores, const ScoreEntry *entry, bool by_time) {
    int rank = 0;
    while (rank < scores->count && !better(entry, &scores->entries[rank], by_time))
        rank++;
    return rank < SCORES_MAX ? rank : -1;
}

static void insert(Scores *scores, int rank, const ScoreEntry *entry) {
    int last = scores->count < SCORES_MAX ? scores->count++ : SCORES_MAX - 1;
    for (int i = last; i > rank; i--)
        scores->entries[i] = scores->entries[i - 1];
    scores->entries[rank] = *entry;
}

static json_t *table_json(const Scores *scores) {
    json_t *table = json_array();
    for (int i = 0; i < scores->count; i++) {
        const ScoreEntry *entry = &scores->entries[i];
        json_add(&table,
                 json_pack("{s:I, s:I, s:I, s:I, s:s}", "score", (json_int_t)entry->score, "lines",
                           (json_int_t)entry->lines, "pieces", (json_int_t)entry->pieces, "time_ms",
                           (json_int_t)entry->time_ms, "date", entry->date));
    }
    return table;
}

/* Every folder on the way to the file. */
static bool make_folders(const char *path, Status *status) {
    char *copy = strdup(path);
    if (!copy)
        return status_no_memory(status);
    bool ok = true;
    for (char *slash = strchr(copy + 1, '/'); ok && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST)
            ok = file_fail(copy, errno, status);
        *slash = '/';
    }
    free(copy);
    return ok;
}

static bool write_document(const char *path, json_t *document, Status *status) {
    char *text = json_write(document);
    if (!text)
        return status_no_memory(status);
    Text line;
    text_init(&line);
    text_add(&line, text);
    text_add_char(&line, '\n');
    free(text);
    bool ok =
        line.failed ? status_no_memory(status) : file_replace(path, line.data, line.length, status);
    text_release(&line);
    return ok;
}

/* Puts a damaged file aside and begins a new one. NULL with `status`, perhaps still that of the
 * damage. */
static json_t *begin_anew(const char *path, Status *status) {
    char *aside = join(path, ".bad");
    json_t *document = json_object();
    if (!aside || !document)
        status_no_memory(status);
    else if (rename(path, aside) == 0) {
        *status = (Status){.code = STATUS_OK};
        free(aside);
        return document;
    }
    free(aside);
    json_decref(document);
    return NULL;
}

bool scores_enter(const char *path, const char *mode, const ScoreEntry *entry, bool by_time,
                  Scores *scores, int *rank, Status *status) {
    *rank = -1;
    if (!make_folders(path, status))
        return false;
    json_t *document = read_document(path, status);
    if (document && !read_table(document, mode, scores, status)) {
        status_prefix(status, "%s", path);
        json_decref(document);
        document = NULL;
    }
    if (!document) {
        scores->count = 0;
        if (status->code == STATUS_INPUT)
            document = begin_anew(path, status);
    }
    if (!document)
        return false;
    bool ok = true;
    *rank = rank_of(scores, entry, by_time);
    if (*rank >= 0) {
        insert(scores, *rank, entry);
        json_put(&document, mode, table_json(scores));
        ok = write_document(path, document, status);
        if (!ok)
            *rank = -1;
    }
    json_decref(document);
    return ok;
}
