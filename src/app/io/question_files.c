/* question_files: which values are paths depends on the row (Option.file). */
#include "io/question_files.h"

#include "eval/evaluator.h"
#include "io/agent_file.h"
#include "player/outside/outside.h"
#include "system/child.h"
#include "system/file.h"

#include <stdlib.h>
#include <string.h>

/* The state of a search of hours may be larger than what people write. */
enum { FILE_LIMIT = 64 << 20, STATE_LIMIT = 1 << 30 };

/* The path in the value of a row; NULL: the value is not a path. */
static const char *path_in(const Option *row, const char *value) {
    Evaluator ignored;
    switch (row->file) {
    case OPTION_READS:
    case OPTION_CONTINUES:
        return value;
    case OPTION_READS_AT:
        return value[0] == '@' ? value + 1 : NULL;
    case OPTION_READS_OR_NAME:
        return evaluator_from_preset(&ignored, value) ? NULL : value;
    default:
        return NULL;
    }
}

static char *read_file(const Option *row, const char *path, Status *status) {
    size_t length;
    size_t limit = row->file == OPTION_CONTINUES ? STATE_LIMIT : FILE_LIMIT;
    char *content = file_read(path, limit, &length, status);
    if (content && strlen(content) == length)
        return content;
    if (content)
        status_option(status, row->name, "%s: contains a NUL byte", path);
    free(content);
    return NULL;
}

/* Makes the outside players in a list of agents known. */
static bool add_outside(const OptionList *agents, Status *status) {
    for (int i = 0; i < agents->count; i++)
        if (agents->items[i] && outside_is(agents->items[i]) &&
            !outside_add(agents->items[i], &child_host, status))
            return false;
    return true;
}

/* Replaces the shared objects in a list of agents by the names of their agents. */
static bool load_agents(Question *question, const Option *row, Status *status) {
    bool is_list = row->kind == OPTION_LIST;
    void *field = (char *)question->values + row->offset;
    OptionList asked = {.items = {*(const char **)field}, .count = 1};
    if (is_list)
        asked = *(OptionList *)field;
    char *names[OPTION_LIST_MAX] = {0};
    bool ok = add_outside(&asked, status), any = false;
    for (int i = 0; ok && i < asked.count; i++) {
        bool is_file = asked.items[i] && agent_file_is(asked.items[i]);
        any = any || is_file;
        names[i] = is_file          ? agent_file_load(asked.items[i], status)
                   : asked.items[i] ? strdup(asked.items[i])
                                    : NULL;
        ok = names[i] || !asked.items[i] || status->code != STATUS_OK || status_no_memory(status);
        ok = ok && status->code == STATUS_OK;
    }
    if (ok && any && is_list)
        ok = question_set(question, row->name, "", status);
    for (int i = 0; i < asked.count; i++) {
        ok = ok && (!any || !names[i] || question_set(question, row->name, names[i], status));
        free(names[i]);
    }
    return ok || status_prefix_option(status, row->name);
}

/* Replaces the path in row number `index`, if there is one. */
static bool read_row(Question *question, int index, Status *status) {
    Option row = options_row(question->table, index);
    if (row.file == OPTION_LOADS)
        return load_agents(question, &row, status);
    const char *value =
        row.kind == OPTION_TEXT ? *(char **)((char *)question->values + row.offset) : NULL;
    const char *path = value ? path_in(&row, value) : NULL;
    bool exists = path != NULL;
    if (row.file == OPTION_READS_OR_NAME && path && !file_exists(path, &exists, status))
        return false;
    if (!exists) /* a name */
        return true;
    char *content = read_file(&row, path, status);
    if (content)
        question_take_file(question, index, content);
    return content != NULL;
}

bool question_read_file(Question *question, const char *name, Status *status) {
    return read_row(question, options_find(question->table, name), status);
}

bool question_read_files(Question *question, Status *status) {
    question->host = &child_host;
    for (int i = 0; i < options_count(question->table); i++)
        if (!read_row(question, i, status))
            return false;
    return true;
}
