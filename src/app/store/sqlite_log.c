/*
 * sqlite_log: reads the headers of database and log as the file format of SQLite describes them.
 * All numbers are big-endian.
 */
#include "store/sqlite_log.h"

#include "base/text.h"
#include "system/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    LOG_HEADER = 32,
    FRAME_HEADER = 24,
    PAGES_AT = 28,  /* the pages of the database, in the first page */
    NUMBER_AT = 60, /* the user version in the first page */
    PAGE_MIN = 512,
    PAGE_MAX = 65536
};

static uint32_t number_at(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool read_at(FILE *file, long place, unsigned char *bytes, size_t count) {
    return fseek(file, place, SEEK_SET) == 0 && fread(bytes, 1, count, file) == count;
}

/* Whose a file is: the number of the store and the pages of its database. 0: not known. */
typedef struct Owner {
    uint32_t number, pages;
} Owner;

static Owner owner_of_database(const char *path) {
    unsigned char number[4] = {0}, pages[4] = {0};
    FILE *file = fopen(path, "rb");
    bool ok = file && read_at(file, NUMBER_AT, number, sizeof number) &&
              read_at(file, PAGES_AT, pages, sizeof pages);
    if (file)
        fclose(file);
    return ok ? (Owner){number_at(number), number_at(pages)} : (Owner){0};
}

/* The number in the last copy of the first page that the log has, and the pages after its last
 * commit. Frames of an earlier use of the log have another salt. */
static Owner owner_of_log(FILE *log) {
    unsigned char header[LOG_HEADER], frame[FRAME_HEADER], bytes[4];
    Owner found = {0};
    if (!read_at(log, 0, header, sizeof header))
        return found;
    uint32_t page = number_at(header + 8);
    if (page < PAGE_MIN || page > PAGE_MAX)
        return found;
    for (long at = LOG_HEADER;
         read_at(log, at, frame, sizeof frame) && memcmp(frame + 8, header + 16, 8) == 0;
         at += FRAME_HEADER + (long)page) {
        if (number_at(frame) == 1 &&
            read_at(log, at + FRAME_HEADER + NUMBER_AT, bytes, sizeof bytes))
            found.number = number_at(bytes);
        if (number_at(frame + 4) > 0)
            found.pages = number_at(frame + 4);
    }
    return found;
}

/* A log without the first page has not changed the size of its database, which is in that page. */
static bool is_foreign(Owner database, Owner log) {
    if (log.number > 0)
        return database.number > 0 && database.number != log.number;
    return database.pages > 0 && log.pages > 0 && database.pages != log.pages;
}

static bool check(const char *path, const char *name, Status *status) {
    struct stat info, database;
    if (stat(name, &info) != 0 || info.st_size <= LOG_HEADER)
        return true;
    if (stat(path, &database) != 0 && errno == ENOENT)
        return status_fail(
            status, STATUS_INPUT,
            "%s: belongs to a store that was moved; move it beside that store, under "
            "the same name with -wal, or delete it",
            name);
    FILE *log = fopen(name, "rb");
    if (!log)
        return file_fail(name, errno, status);
    bool foreign = is_foreign(owner_of_database(path), owner_of_log(log));
    fclose(log);
    return !foreign ||
           status_fail(status, STATUS_INPUT,
                       "%s: belongs to another store than %s; move it beside its own", name, path);
}

bool sqlite_log_check(const char *path, Status *status) {
    Text name = {0};
    text_format(&name, "%s-wal", path);
    bool ok = name.failed ? status_no_memory(status) : check(path, name.data, status);
    text_release(&name);
    return ok;
}
