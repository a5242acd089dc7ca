/* files: a list of all files that were named, and a comparison of every pair. */
#include "cli/files.h"

#include "base/memory.h"
#include "system/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LABEL_BYTES = 48 };

typedef struct Named {
    char label[LABEL_BYTES];
    const char *path; /* as it was given */
    OptionFile use;   /* OPTION_NO_FILE: standard output or error */
    bool there;
    dev_t device;
    ino_t number;
    char *target; /* where it is not there yet, or for a store: its real name */
} Named;

typedef struct List {
    Named *items;
    size_t count, capacity;
    char standard_input[LABEL_BYTES]; /* what reads it already */
} List;

static bool is_read(OptionFile use) {
    return use == OPTION_READS || use == OPTION_READS_OR_NAME || use == OPTION_READS_AT;
}

static bool is_written(OptionFile use) {
    return use == OPTION_WRITES || use == OPTION_PRINTS;
}

/* ---- the list */

static Named *append(List *list, Status *status) {
    if (!MEMORY_HAS_PLACE(list->items, list->count, list->capacity)) {
        status_no_memory(status);
        return NULL;
    }
    list->items[list->count] = (Named){0};
    return &list->items[list->count++];
}

/* Adds what can be lost: a file, or the name of one that is to be made. Devices and pipes cannot,
 * and what is only read and not there is not there. */
static bool add(List *list, const char *label, const char *path, OptionFile use, Status *status) {
    struct stat info;
    bool there = stat(path, &info) == 0;
    if (there ? !S_ISREG(info.st_mode) : is_read(use))
        return true;
    Named *named = append(list, status);
    if (!named)
        return false;
    snprintf(named->label, sizeof named->label, "%s", label);
    named->path = path;
    named->use = use;
    named->there = there;
    if (there) {
        named->device = info.st_dev;
        named->number = info.st_ino;
    }
    named->target = file_target(path);
    return named->target || file_fail(path, errno, status);
}

static bool add_standard(List *list, int descriptor, const char *label, Status *status) {
    struct stat info;
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return true;
    Named *named = append(list, status);
    if (!named)
        return false;
    *named = (Named){.path = label,
                     .use = descriptor == STDIN_FILENO ? OPTION_READS : OPTION_NO_FILE,
                     .there = true,
                     .device = info.st_dev,
                     .number = info.st_ino};
    snprintf(named->label, sizeof named->label, "%s", label);
    return true;
}

static bool add_standard_input(List *list, const char *label, Status *status) {
    if (list->standard_input[0])
        return status_fail(status, STATUS_INPUT, "%s: standard input is for %s already", label,
                           list->standard_input);
    snprintf(list->standard_input, sizeof list->standard_input, "%s", label);
    return true;
}

/* One name as it was given. */
static bool add_given(List *list, const char *label, const char *path, OptionFile use,
                      Status *status) {
    if (use == OPTION_READS_AT && path[0] != '@')
        return true;
    path += use == OPTION_READS_AT;
    if (use == OPTION_STORE) {
        if (strncmp(path, "postgres", 8) == 0)
            return true;
        path += strncmp(path, "sqlite:", 7) == 0 ? 7 : 0;
        return path[0] == '\0' || add(list, label, path, use, status); /* the store says why */
    }
    if (path[0] == '\0')
        return status_fail(status, STATUS_INPUT, "%s: needs the name of a file", label);
    if (strcmp(path, "-") != 0 || use == OPTION_READS_OR_NAME)
        return add(list, label, path, use, status) &&
               (use != OPTION_WRITES || file_check_writable(path, status));
    if (is_read(use))
        return add_standard_input(list, label, status);
    return use == OPTION_PRINTS ||
           status_fail(status, STATUS_INPUT, "%s: must be a file; one that is called - is ./-",
                       label);
}

static bool add_row(List *list, const Option *row, const Question *question, Status *status) {
    const void *field = (const char *)question->values + row->offset;
    OptionList one = {.count = 1};
    const OptionList *values = field;
    if (row->kind != OPTION_LIST) {
        one.items[0] = question_name(question, row->name); /* also after it was read */
        if (!one.items[0] && row->file == OPTION_STORE)    /* it would be lost by default, too */
            one.items[0] = *(const char *const *)field;
        values = &one;
    }
    char label[LABEL_BYTES];
    snprintf(label, sizeof label, "--%s", row->name);
    for (int i = 0; i < values->count; i++)
        if (values->items[i] && !add_given(list, label, values->items[i], row->file, status))
            return false;
    return true;
}

static bool add_rows(List *list, const Question *question, Status *status) {
    for (int i = 0; question && i < options_count(question->table); i++) {
        Option row = options_row(question->table, i);
        if (row.file != OPTION_NO_FILE && !add_row(list, &row, question, status))
            return false;
    }
    return true;
}

static bool add_all(List *list, const CliContext *context, Status *status) {
    const char *word = context->words.count ? context->words.items[0] : "-";
    return add_rows(list, context->settings, status) && add_rows(list, context->question, status) &&
           (!context->command->reads_word ||
            add_given(list, "the argument", word, OPTION_READS, status)) &&
           add_standard(list, STDIN_FILENO, "standard input", status) &&
           add_standard(list, STDOUT_FILENO, "standard output", status) &&
           add_standard(list, STDERR_FILENO, "standard error", status);
}

/* ---- the look */

/* The files that SQLite keeps beside a database. */
static bool is_beside(const Named *store, const Named *other) {
    static const char *const endings[] = {"-wal", "-shm", "-journal"};
    size_t length = strlen(store->target);
    if (!other->target || strncmp(store->target, other->target, length) != 0)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(other->target + length, endings[i]) == 0)
            return true;
    return false;
}

static bool same_file(const Named *a, const Named *b) {
    if (a->there != b->there)
        return false;
    return a->there ? a->device == b->device && a->number == b->number
                    : strcmp(a->target, b->target) == 0;
}

/* Two that are only read may be one, a training continues in its own file, and a store may be given
 * twice. */
static bool may_share(OptionFile a, OptionFile b) {
    return (is_read(a) && is_read(b)) || (a == b && !is_written(a));
}

static bool compare(const Named *a, const Named *b, Status *status) {
    if (may_share(a->use, b->use))
        return true;
    if (!same_file(a, b) && !(a->use == OPTION_STORE && is_beside(a, b)) &&
        !(b->use == OPTION_STORE && is_beside(b, a)))
        return true;
    const Named *writer = is_written(b->use) || !is_written(a->use) ? b : a;
    const Named *other = writer == b ? a : b;
    return status_fail(status, STATUS_INPUT, "%s: %s is the file of %s too", writer->label,
                       writer->path, other->label);
}

static bool compare_all(const List *list, Status *status) {
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < i; j++)
            if (!compare(&list->items[j], &list->items[i], status))
                return false;
    return true;
}

bool cli_files_check(const CliContext *context, const CliFile *more, size_t count, Status *status) {
    List list = {0};
    bool ok = add_all(&list, context, status);
    for (size_t i = 0; ok && i < count; i++)
        ok = add_given(&list, more[i].label, more[i].path, more[i].use, status);
    ok = ok && compare_all(&list, status);
    for (size_t i = 0; i < list.count; i++)
        free(list.items[i].target);
    free(list.items);
    return ok;
}
