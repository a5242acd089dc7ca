/* question: copies of the given texts, one per option, or per name in a list. */
#include "job/question.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

Question *question_new(OptionTable table, size_t bytes, Status *status) {
    Question *question = calloc(1, sizeof *question);
    void *values = calloc(1, bytes);
    if (!question || !values) {
        free(question);
        free(values);
        status_no_memory(status);
        return NULL;
    }
    *question = (Question){.table = table, .values = values, .bytes = bytes};
    options_defaults(table, values);
    return question;
}

void question_free(Question *question) {
    if (!question)
        return;
    for (size_t i = 0; i < question->count; i++) {
        free(question->texts[i].text);
        free(question->texts[i].path);
    }
    free(question->texts);
    free(question->values);
    free(question);
}

/* True when `value` replaces `other`: always for a text, in a list of NAME=VALUE when the names are
 * equal. */
static bool replaces(const Option *row, const char *value, const char *other) {
    size_t length = strcspn(value, "=");
    bool pairs = row->argument && strchr(row->argument, '=');
    return row->kind == OPTION_TEXT ||
           (pairs && strcspn(other, "=") == length && memcmp(value, other, length) == 0);
}

static void replace_item(OptionList *list, const char *old, const char *item) {
    for (int i = 0; i < list->count; i++)
        if (list->items[i] == old)
            list->items[i] = item;
}

/* Points the struct to `text`, which the question owns from now on. */
static bool keep(Question *question, int index, const Option *row, char *text, Status *status) {
    void *field = (char *)question->values + row->offset;
    for (size_t i = 0; i < question->count; i++) {
        QuestionText *kept = &question->texts[i];
        if (kept->row != index || !replaces(row, text, kept->text))
            continue;
        if (row->kind == OPTION_LIST)
            replace_item(field, kept->text, text);
        else
            *(const char **)field = text;
        free(kept->text);
        kept->text = text;
        return true;
    }
    if (!options_set(question->table, question->values, row->name, text, status))
        return false;
    question->texts[question->count++] = (QuestionText){index, text, NULL};
    return true;
}

static bool set_row(Question *question, int index, const char *value, Status *status) {
    Option row = options_row(question->table, index);
    question->given |= (uint64_t)1 << index;
    if (row.kind != OPTION_TEXT && row.kind != OPTION_LIST)
        return options_set(question->table, question->values, row.name, value, status);
    bool has_place = MEMORY_HAS_PLACE(question->texts, question->count, question->capacity);
    char *copy = has_place ? strdup(value) : NULL;
    if (!copy)
        return status_no_memory(status);
    bool ok = keep(question, index, &row, copy, status);
    if (!ok)
        free(copy);
    return ok;
}

/* Frees the texts of a row and restores the default of its field. */
static void reset_row(Question *question, int index) {
    static const size_t sizes[] = {
        [OPTION_FLAG] = sizeof(bool),   [OPTION_INTEGER] = sizeof(int64_t),
        [OPTION_REAL] = sizeof(double), [OPTION_TEXT] = sizeof(const char *),
        [OPTION_CHOICE] = sizeof(int),  [OPTION_LIST] = sizeof(OptionList),
    };
    size_t left = 0;
    for (size_t i = 0; i < question->count; i++)
        if (question->texts[i].row == index) {
            free(question->texts[i].text);
            free(question->texts[i].path);
        } else
            question->texts[left++] = question->texts[i];
    question->count = left;
    question->given &= ~((uint64_t)1 << index);
    Option row = options_row(question->table, index);
    memset((char *)question->values + row.offset, 0, sizes[row.kind]);
    options_defaults((OptionTable){&row, 1}, question->values);
}

bool question_set(Question *question, const char *name, const char *value, Status *status) {
    int index = options_find(question->table, name);
    if (index < 0)
        return options_unknown(question->table, "option", name, status);
    OptionKind kind = options_row(question->table, index).kind;
    size_t limit = kind == OPTION_LIST ? QUESTION_ITEM_BYTES : QUESTION_VALUE_BYTES;
    if (kind != OPTION_TEXT &&
        strlen(value) >= limit) /* the message would be truncated before its end */
        return status_option(status, name, "'%.40s...' is too long", value);
    if (*value)
        return set_row(question, index, value, status);
    reset_row(question, index);
    return true;
}

void question_take_file(Question *question, int row, char *content) {
    for (size_t i = 0; i < question->count; i++) {
        QuestionText *kept = &question->texts[i];
        if (kept->row != row)
            continue;
        free(kept->path);
        kept->path = kept->text;
        kept->text = content;
        *(const char **)((char *)question->values + options_row(question->table, row).offset) =
            content;
    }
}

void question_name_file(const Question *question, Status *status) {
    for (size_t i = 0; status->option && i < question->count; i++) {
        const QuestionText *kept = &question->texts[i];
        const char *name = options_row(question->table, kept->row).name;
        size_t length = strlen(name);
        if (!kept->path || strncmp(status->message, name, length) != 0 ||
            status->message[length] != ':')
            continue;
        char why[STATUS_MESSAGE_BYTES];
        memcpy(why, status->message, sizeof why);
        status_option(status, name, "%s:%s", kept->path, why + length + 1);
        return;
    }
}

const char *question_name(const Question *question, const char *name) {
    int row = options_find(question->table, name);
    for (size_t i = 0; i < question->count; i++)
        if (question->texts[i].row == row)
            return question->texts[i].path ? question->texts[i].path : question->texts[i].text;
    return NULL;
}

bool question_given(const Question *question, const char *name) {
    int index = options_find(question->table, name);
    return index >= 0 && (question->given >> index & 1);
}

bool question_only(const Question *question, const char *subcommand, Status *status) {
    for (int i = 0; i < options_count(question->table); i++) {
        Option row = options_row(question->table, i);
        if (!(question->given >> i & 1) || options_is_for(&row, subcommand))
            continue;
        Text words = {0};
        options_only(&row, &words);
        bool ok = !words.failed ? status_option(status, row.name, "not for %s, only for %s",
                                                subcommand, words.data)
                                : status_no_memory(status);
        text_release(&words);
        return ok;
    }
    return true;
}

Question *question_copy(const Question *from, Status *status) {
    Question *question = question_new(from->table, from->bytes, status);
    if (!question)
        return NULL;
    memcpy(question->values, from->values, from->bytes);
    for (int i = 0; i < options_count(question->table); i++) {
        OptionKind kind = options_row(question->table, i).kind;
        if (kind == OPTION_TEXT || kind == OPTION_LIST)
            reset_row(question, i);
    }
    for (size_t i = 0; i < from->count; i++) {
        const QuestionText *text = &from->texts[i];
        bool ok = set_row(question, text->row, text->text, status);
        if (ok && text->path && !(question->texts[question->count - 1].path = strdup(text->path)))
            ok = status_no_memory(status);
        if (!ok) {
            question_free(question);
            return NULL;
        }
    }
    question->given = from->given;
    return question;
}
