/* scores: the file is one object with a table per kind of game; a new score replaces its table. */
#include "io/scores.h"

#include "base/json.h"
#include "base/json_writer.h"
#include "io/data_files.h"
#include "system/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_LIMIT = 1 << 20 }; /* bytes; the tables of all kinds of games take a few thousand */

char *scores_path(void) {
    return data_file("scores.json");
}

/* ---- reading */

static bool read_number(const Json *object, const char *name, int64_t *value) {
    const Json *number = json_get(object, name);
    *value = json_int(number);
    return json_is_integer(number) && *value >= 0;
}

static bool read_entry(const Json *object, ScoreEntry *entry) {
    const char *date = json_text(json_get(object, "date"));
    if (!date || strlen(date) >= sizeof entry->date)
        return false;
    snprintf(entry->date, sizeof entry->date, "%s", date);
    return read_number(object, "score", &entry->score) &&
           read_number(object, "lines", &entry->lines) &&
           read_number(object, "pieces", &entry->pieces) &&
           read_number(object, "time_ms", &entry->time_ms);
}

static bool read_table(const Json *document, const char *mode, Scores *scores, Status *status) {
    const Json *table = json_get(document, mode);
    scores->count = 0;
    if (!table)
        return true;
    size_t count = json_count(table);
    if (!json_is_array(table) || count > SCORES_MAX)
        return status_fail(status, STATUS_INPUT, "%s: not a table of scores", mode);
    for (size_t i = 0; i < count; i++)
        if (!read_entry(json_at(table, i), &scores->entries[scores->count++])) {
            scores->count = 0;
            return status_fail(status, STATUS_INPUT, "%s[%zu]: not a score", mode, i);
        }
    return true;
}

/* The whole file; an empty object when there is none. NULL with `status`. */
static Json *read_document(const char *path, Status *status) {
    bool exists;
    if (!file_exists(path, &exists, status))
        return NULL;
    if (!exists)
        return json_parse("{}", 2, status);
    size_t length;
    char *text = file_read(path, FILE_LIMIT, &length, status);
    if (!text)
        return NULL;
    Json *document = json_parse(text, length, status);
    free(text);
    if (!document)
        status_prefix(status, "%s", path);
    else if (!json_is_object(document)) {
        json_free(document);
        status_fail(status, STATUS_INPUT, "%s: not a file of scores", path);
        return NULL;
    }
    return document;
}

/* What is there but not a file is left alone: a game must not wait for a FIFO. */
static bool is_file(const char *path, Status *status) {
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode) ||
           status_fail(status, STATUS_INPUT, "%s: is not a regular file", path);
}

bool scores_read(const char *path, const char *mode, Scores *scores, Status *status) {
    scores->count = 0;
    Json *document = is_file(path, status) ? read_document(path, status) : NULL;
    if (!document)
        return false;
    bool ok = read_table(document, mode, scores, status) || status_prefix(status, "%s", path);
    json_free(document);
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

static void write_table(JsonWriter *w, const char *mode, const Scores *scores) {
    jw_array(w, mode);
    for (int i = 0; i < scores->count; i++) {
        const ScoreEntry *entry = &scores->entries[i];
        jw_object(w, NULL);
        jw_put(w, JI("score", entry->score), JI("lines", entry->lines), JI("pieces", entry->pieces),
               JI("time_ms", entry->time_ms), JS("date", entry->date));
        jw_end(w);
    }
    jw_end(w);
}

/* Writes the old document with the new table of `mode` in its place, or at the end. */
static bool write_document(const char *path, const Json *old, const char *mode,
                           const Scores *scores, Status *status) {
    JsonWriter w;
    jw_start(&w);
    for (size_t i = 0; i < json_count(old); i++) {
        const char *name = json_name_at(old, i);
        if (strcmp(name, mode) == 0)
            write_table(&w, mode, scores);
        else
            jw_json(&w, name, json_at(old, i));
    }
    if (!json_get(old, mode))
        write_table(&w, mode, scores);
    jw_end(&w);
    Text *text = w.text;
    text_add_char(text, '\n');
    bool ok = text->failed ? status_no_memory(status)
                           : file_replace(path, text->data, text->length, status);
    text_release(text);
    return ok;
}

/* Renames a damaged file and begins a new one. NULL with `status`, perhaps still that of the
 * damage. */
static Json *begin_anew(const char *path, Status *status) {
    size_t bytes = strlen(path) + sizeof ".bad";
    char *aside = malloc(bytes);
    if (aside)
        snprintf(aside, bytes, "%s.bad", path);
    Json *document = aside ? json_parse("{}", 2, status) : NULL;
    if (!aside)
        status_no_memory(status);
    if (document && rename(path, aside) != 0) {
        json_free(document);
        document = NULL;
    }
    if (document)
        *status = (Status){.code = STATUS_OK};
    free(aside);
    return document;
}

bool scores_enter(const char *path, const char *mode, const ScoreEntry *entry, bool by_time,
                  Scores *scores, int *rank, Status *status) {
    *rank = -1;
    if (!data_file_directories(path, status) || !is_file(path, status))
        return false;
    Json *document = read_document(path, status);
    if (document && !read_table(document, mode, scores, status)) {
        status_prefix(status, "%s", path);
        json_free(document);
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
        ok = write_document(path, document, mode, scores, status);
        if (!ok)
            *rank = -1;
    }
    json_free(document);
    return ok;
}
