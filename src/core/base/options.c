/*
 * options: text to a field and back, by the kind of the row. Every value is set by set_row, so
 * there is one message for each mistake.
 */
#include "base/options.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_INDENT = 28, WORD_BYTES = 64, LISTED_MAX = 8, KNOWN_BYTES = 256 };

static void *field(const Option *option, void *target) {
    return (char *)target + option->offset;
}

int options_choice_count(const char *choices) {
    int count = 1;
    for (const char *at = choices; *at; at++)
        count += *at == '|';
    return count;
}

const char *options_choice_word(const char *choices, int index, char *word, size_t bytes) {
    while (index-- > 0) {
        choices = strchr(choices, '|');
        assert(choices);
        choices++;
    }
    snprintf(word, bytes, "%.*s", (int)strcspn(choices, "|"), choices);
    return word;
}

static int choice_index(const char *choices, const char *value) {
    char word[WORD_BYTES];
    int count = options_choice_count(choices);
    for (int i = 0; i < count; i++)
        if (strcmp(options_choice_word(choices, i, word, sizeof word), value) == 0)
            return i;
    return -1;
}

static bool set_flag(bool *flag, const char *value, const char *name, Status *status) {
    static const char *const yes[] = {"true", "on", "yes", "1"};
    static const char *const no[] = {"false", "off", "no", "0"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(value, yes[i]) == 0 || strcmp(value, no[i]) == 0) {
            *flag = strcmp(value, yes[i]) == 0;
            return true;
        }
    }
    return status_option(status, name, "'%s' is not on or off", value);
}

static bool in_range(const Option *option, double value) {
    return (option->min == 0 && option->max == 0) || (value >= option->min && value <= option->max);
}

static bool out_of_range(const Option *option, const char *value, Status *status) {
    if (option->min == 0 && option->max == 0)
        return status_option(status, option->name, "%s is out of range", value);
    if (option->kind == OPTION_INTEGER) /* never 1e+15 */
        return status_option(status, option->name, "%s is not in %.0f..%.0f", value, option->min,
                             option->max);
    return status_option(status, option->name, "%s is not in %.15g..%.15g", value, option->min,
                         option->max);
}

bool options_read_real(const char *text, double *number) {
    /* strtod also accepts blanks, a plus, hexadecimal numbers and words. */
    const char *first = text + (text[0] == '-');
    if ((!isdigit((unsigned char)*first) && *first != '.') || strpbrk(text, "xX"))
        return false;
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && isfinite(*number);
}

/* 1e6, 2.5e3, 10k, 1.5M: decimal numbers that are integers when they are multiplied out. */
static bool read_scaled(const char *value, long long *number) {
    static const struct {
        const char *ending;
        double factor;
    } scales[] = {{"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"", 1}};
    char digits[WORD_BYTES];
    double parsed;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        size_t length = strlen(value), ending = strlen(scales[i].ending);
        if (length <= ending || length >= sizeof digits ||
            strcmp(value + length - ending, scales[i].ending) != 0)
            continue;
        snprintf(digits, sizeof digits, "%.*s", (int)(length - ending), value);
        if (!options_read_real(digits, &parsed))
            return false;
        parsed *= scales[i].factor;
        *number = (long long)(fabs(parsed) < 1e15 ? parsed : 0);
        return fabs(parsed) < 1e15 && (double)*number == parsed;
    }
    return false;
}

static bool set_integer(const Option *option, int64_t *number, const char *value, Status *status) {
    char *end;
    errno = 0;
    long long parsed = strtoll(value, &end, 10);
    bool plain = end != value && !*end && !isspace((unsigned char)value[0]) && value[0] != '+';
    if (!plain && !read_scaled(value, &parsed))
        return status_option(status, option->name, "'%s' is not an integer", value);
    if ((plain && errno == ERANGE) || !in_range(option, (double)parsed))
        return out_of_range(option, value, status);
    *number = parsed;
    return true;
}

static bool set_real(const Option *option, double *number, const char *value, Status *status) {
    double parsed;
    if (!options_read_real(value, &parsed))
        return status_option(status, option->name, "'%s' is not a number", value);
    if (!in_range(option, parsed))
        return out_of_range(option, value, status);
    *number = parsed;
    return true;
}

static bool set_list(OptionList *list, const char *name, const char *value, Status *status) {
    if (list->count == OPTION_LIST_MAX)
        return status_option(status, name, "given more than %d times", OPTION_LIST_MAX);
    list->items[list->count++] = value;
    return true;
}

/* True when the list of the row has the name, with or without "?PARAMETERS" behind it. */
static bool is_word(const Option *option, const char *value) {
    size_t length = strcspn(value, "?");
    for (int i = 0; option->word_at(i); i++)
        if (strlen(option->word_at(i)) == length && memcmp(option->word_at(i), value, length) == 0)
            return true;
    return false;
}

static bool unknown_word(const Option *option, const char *value, Status *status) {
    char bare[WORD_BYTES], hint[SIMILAR_HINT_BYTES];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(value, "?"), value);
    Similar similar = similar_to(bare);
    for (int i = 0; option->word_at(i); i++)
        similar_try(&similar, option->word_at(i));
    return status_option(status, option->name, "unknown %s '%.40s'%s", option->name, value,
                         similar_hint(&similar, hint));
}

static bool set_row(const Option *option, void *target, const char *value, Status *status) {
    void *place = field(option, target);
    switch (option->kind) {
    case OPTION_FLAG:
        return set_flag(place, value, option->name, status);
    case OPTION_INTEGER:
        return set_integer(option, place, value, status);
    case OPTION_REAL:
        return set_real(option, place, value, status);
    case OPTION_TEXT:
        if (option->word_at && !is_word(option, value) &&
            !(option->file == OPTION_LOADS && strchr(value, '/')) &&
            !(option->program && strchr(value, ':')))
            return unknown_word(option, value, status);
        *(const char **)place = value;
        return true;
    case OPTION_LIST:
        return set_list(place, option->name, value, status);
    case OPTION_CHOICE:
    case OPTION_INCLUDE:
        break;
    }
    int index = choice_index(option->choices, value);
    if (index < 0)
        return status_option(status, option->name, "'%s' is not one of %s", value, option->choices);
    *(int *)place = index;
    return true;
}

int options_count(OptionTable table) {
    int count = 0;
    for (size_t i = 0; i < table.count; i++)
        count += table.rows[i].kind == OPTION_INCLUDE ? options_count(*table.rows[i].table) : 1;
    return count;
}

Option options_row(OptionTable table, int index) {
    for (size_t i = 0; i < table.count; i++) {
        const Option *row = &table.rows[i];
        int count = row->kind == OPTION_INCLUDE ? options_count(*row->table) : 1;
        if (index < count) {
            Option found = row->kind == OPTION_INCLUDE ? options_row(*row->table, index) : *row;
            found.offset += row->kind == OPTION_INCLUDE ? row->offset : 0;
            return found;
        }
        index -= count;
    }
    assert(false && "a row of the table");
    return (Option){0};
}

int options_find(OptionTable table, const char *name) {
    int count = options_count(table);
    for (int i = 0; i < count; i++)
        if (strcmp(options_row(table, i).name, name) == 0)
            return i;
    return -1;
}

void options_defaults(OptionTable table, void *target) {
    int count = options_count(table);
    assert(count <= OPTIONS_MAX_ROWS);
    for (int i = 0; i < count; i++) {
        Option row = options_row(table, i);
        Status status = {0};
        bool ok = !row.fallback || set_row(&row, target, row.fallback, &status);
        assert(ok && "a default must be a legal value");
        (void)ok;
    }
}

/* " (known: a, b, c)" for a table of few names, else "". */
static const char *known_names(OptionTable table, char *names, size_t bytes) {
    int count = options_count(table);
    size_t used = 0;
    names[0] = '\0';
    for (int i = 0; i < count && count <= LISTED_MAX && used < bytes; i++)
        used += (size_t)snprintf(names + used, bytes - used, "%s%s%s", i == 0 ? " (known: " : ", ",
                                 options_row(table, i).name, i == count - 1 ? ")" : "");
    return names;
}

bool options_unknown(OptionTable table, const char *what, const char *name, Status *status) {
    Similar similar = similar_to(name);
    char hint[SIMILAR_HINT_BYTES], names[KNOWN_BYTES];
    options_similar(table, &similar);
    if (similar_hint(&similar, hint)[0] == '\0')
        return status_option(status, name, "unknown %s%s", what,
                             known_names(table, names, sizeof names));
    return status_option(status, name, "unknown %s%s", what, hint);
}

void options_similar(OptionTable table, Similar *similar) {
    int count = options_count(table);
    for (int i = 0; i < count; i++)
        similar_try(similar, options_row(table, i).name);
}

bool options_set(OptionTable table, void *target, const char *name, const char *value,
                 Status *status) {
    int index = options_find(table, name);
    if (index < 0)
        return options_unknown(table, "option", name, status);
    Option row = options_row(table, index);
    return set_row(&row, target, value, status);
}

bool options_get(const Option *row, const void *target, int item, Text *text) {
    const void *place = (const char *)target + row->offset;
    const char *string = NULL;
    char word[WORD_BYTES];
    switch (row->kind) {
    case OPTION_FLAG:
        string = *(const bool *)place ? "on" : "off";
        break;
    case OPTION_INTEGER:
        snprintf(word, sizeof word, "%lld", (long long)*(const int64_t *)place);
        string = word;
        break;
    case OPTION_REAL:
        snprintf(word, sizeof word, "%.17g", *(const double *)place);
        string = word;
        break;
    case OPTION_TEXT:
        string = *(const char *const *)place;
        break;
    case OPTION_CHOICE:
        string = options_choice_word(row->choices, *(const int *)place, word, sizeof word);
        break;
    case OPTION_LIST:
        if (item < ((const OptionList *)place)->count)
            string = ((const OptionList *)place)->items[item];
        break;
    case OPTION_INCLUDE:
        break;
    }
    if (string)
        text_add(text, string);
    return string != NULL;
}

/* The value of an option that came without "=": the next argument, or the one implied by the name;
 * NULL when there is none. */
static const char *value_after(const Option *option, int count, char *const *arguments, int *at) {
    if (option->kind == OPTION_FLAG && !option->argument)
        return "on";
    bool last = *at + 1 == count;
    if (option->implied && (last || strncmp(arguments[*at + 1], "--", 2) == 0))
        return option->implied;
    return last ? NULL : arguments[++*at];
}

/* Reads the option at arguments[*at] and its value; *at is then the last argument used. */
static bool parse_option(OptionTable table, int count, char *const *arguments, int *at,
                         OptionsSet *set, void *context, Status *status) {
    static const Option unknown = {.kind = OPTION_TEXT, .implied = "on"};
    char name[WORD_BYTES];
    const char *argument = arguments[*at] + 2;
    size_t length = strcspn(argument, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, argument);
    int index = options_find(table, name);
    Option row = index < 0 ? unknown : options_row(table, index);
    const char *value =
        argument[length] == '=' ? argument + length + 1 : value_after(&row, count, arguments, at);
    if (!value || !*value)
        return status_option(status, name, "requires a value");
    return set(context, name, value, status);
}

bool options_parse(OptionTable table, int count, char *const *arguments, OptionsSet *set,
                   void *context, OptionsWords *words, Status *status) {
    *words = (OptionsWords){0};
    bool only_words = false;
    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i];
        if (only_words || argument[0] != '-' || argument[1] == '\0') {
            if (words->count == OPTIONS_MAX_WORDS)
                return status_fail(status, STATUS_INPUT, "'%s': too many arguments", argument);
            words->items[words->count++] = argument;
        } else if (strcmp(argument, "--") == 0)
            only_words = true;
        else if (strcmp(argument, "-h") == 0) {
            if (!set(context, "help", "on", status))
                return false;
        } else if (argument[1] == 'n' && options_find(table, "n") >= 0) { /* -n 20, -n20 */
            const char *value = argument[2] ? argument + 2 : i + 1 < count ? arguments[++i] : "";
            if (!*value)
                return status_option(status, "n", "requires a value");
            if (!set(context, "n", value, status))
                return false;
        } else if (argument[1] != '-')
            return status_fail(status, STATUS_INPUT, "%s: unknown option (see --help)", argument);
        else if (!parse_option(table, count, arguments, &i, set, context, status))
            return false;
    }
    return true;
}

void options_words(const Option *option, char separator, Text *text) {
    for (const char *at = option->choices ? option->choices : ""; *at; at++)
        text_add_char(text, *at == '|' ? separator : *at);
    for (int i = 0; option->word_at && option->word_at(i); i++)
        text_format(text, "%.*s%s", i > 0, &separator, option->word_at(i));
}

bool options_is_for(const Option *option, const char *subcommand) {
    size_t length = strlen(subcommand);
    for (const char *at = option->only ? option->only : ""; *at;
         at += strcspn(at, "|"), at += *at == '|')
        if (strcspn(at, "|") == length && strncmp(at, subcommand, length) == 0)
            return true;
    return !option->only;
}

void options_only(const Option *option, Text *text) {
    for (const char *at = option->only ? option->only : ""; *at; at++)
        text_add_bytes(text, *at == '|' ? ", " : at, *at == '|' ? 2 : 1);
}

void options_purpose(const Option *option, Text *text) {
    options_only(option, text);
    text_format(text, "%s%s", option->only ? ": " : "", option->help ? option->help : "");
}

/* A limit of 1e15 or more means no limit. */
void options_describe(const Option *option, Text *text) {
    options_purpose(option, text);
    if (option->choices || option->word_at) {
        text_add(text, ": ");
        options_words(option, option->word_at ? ' ' : '|', text); /* a long list must wrap */
    }
    bool numeric = option->kind == OPTION_INTEGER || option->kind == OPTION_REAL;
    if (numeric && option->max >= 1e15)
        text_format(text, ", at least %.15g", option->min);
    else if (numeric && (option->min != 0 || option->max != 0))
        text_format(text, ", %.15g..%.15g", option->min, option->max);
}

const char *options_shown_default(const Option *option) {
    return option->kind == OPTION_FLAG && !option->argument ? NULL : option->fallback;
}

void options_help(OptionTable table, const char *dashes, Text *text) {
    int count = options_count(table);
    for (int i = 0; i < count; i++) {
        Option row = options_row(table, i), *option = &row;
        Text line = {0};
        text_format(&line, "  %s%s%s%s", dashes, option->name, option->argument ? " " : "",
                    option->argument ? option->argument : "");
        text_format(text, "%-*s", HELP_INDENT - 1, line.data ? line.data : "");
        if (line.length >= HELP_INDENT - 1)
            text_format(text, "\n%*s", HELP_INDENT - 1, "");
        text_add_char(text, ' ');
        text_clear(&line);
        options_describe(option, &line);
        if (options_shown_default(option))
            text_format(&line, " (%s)", options_shown_default(option));
        text_wrap(text, line.data ? line.data : "", HELP_INDENT, TEXT_COLUMNS);
        text_add_char(text, '\n');
        text->failed |= line.failed;
        text_release(&line);
    }
}
