/* question_files: which values are paths depends on the row (Option.file). */
#include "io/question_files.h"

#include "eval/evaluator.h"
#include "system/file.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 16 << 20 };

/* The path in the value of a row; NULL: the value is not a path. */
static const char *path_in(const Option *row, const char *value) {
    Evaluator ignored;
    switch (row->file) {
    case OPTION_READS:
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
    bool exists = true;
    if (row->file == OPTION_READS_OR_NAME && !file_exists(path, &exists, status))
        return NULL;
    if (!exists) {
        status_option(status, row->name, "'%s' is neither a known name nor a file", path);
        return NULL;
    }
    size_t length;
    char *content = file_read(path, FILE_LIMIT, &length, status);
    if (content && strlen(content) == length)
        return content;
    if (content)
        status_option(status, row->name, "%s: contains a NUL byte", path);
    free(content);
    return NULL;
}

bool question_read_files(Question *question, Status *status) {
    for (int i = 0; i < options_count(question->table); i++) {
        Option row = options_row(question->table, i);
        const char *value =
            row.kind == OPTION_TEXT ? *(char **)((char *)question->values + row.offset) : NULL;
        const char *path = value ? path_in(&row, value) : NULL;
        if (!path)
            continue;
        char *content = read_file(&row, path, status);
        if (!content)
            return false;
        question_take_file(question, i, content);
    }
    return true;
}
