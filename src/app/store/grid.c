/*
 * grid: from the text of an INI file to runs.
 *
 * 1. inih calls on_value for every key; sections become parts with lists of values (dimensions). 2.
 * Every part gets the dimensions of the plain section. 3. A run is a combination of values,
 * computed from its number.
 */
#include "store/grid.h"

#include "base/memory.h"
#include "base/rng.h"
#include "system/sections.h"

#include <assert.h>
#include <ctype.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_LIMIT = 190, /* inih is built for lines of 200 bytes and would cut longer ones */
    WORD_BYTES = 64,
    PARTS_MAX = 64
};

typedef struct Dimension {
    char key[WORD_BYTES];
    int line;
    char **values;
    int *lines; /* of the values */
    int count;
} Dimension;

typedef struct Part {
    char command[WORD_BYTES], name[WORD_BYTES]; /* [command name]; no name: for all parts */
    int line;
    Dimension own[STORE_PARAMETERS_MAX];
    int own_count;
    const Dimension *all[STORE_PARAMETERS_MAX]; /* those of the plain section too */
    int all_count;
    int64_t combinations;
} Part;

struct RunGrid {
    const char *name;
    char command[WORD_BYTES];
    int command_line;
    int64_t repeat;
    bool lists_per_run; /* else one list of pieces per repeat */
    Part *parts[PARTS_MAX];
    int part_count;
    int64_t combinations;
    StoreParameter pinned; /* for runs that do not name it; no name: none */
};

typedef struct Reader {
    RunGrid *grid;
    const char *text; /* its rest */
    int line;         /* of what was read last */
    bool continued;   /* it began with a space */
    int fault;        /* the line of the complaint in `status` */
    bool has_repeat, has_lists;
    Status *status;
} Reader;

/* ---- reading */

/* Gives inih one line, as fgets would. */
static char *next_line(char *line, int bytes, void *stream) {
    Reader *reader = stream;
    if (*reader->text == '\0')
        return NULL;
    size_t length = strcspn(reader->text, "\n");
    length += reader->text[length] == '\n';
    reader->line++;
    reader->continued = *reader->text == ' ' || *reader->text == '\t';
    if ((length > LINE_LIMIT || (int)length >= bytes) && reader->fault == 0) {
        reader->fault = reader->line;
        status_fail(reader->status, STATUS_INPUT,
                    "the line is longer than %d bytes; a list can continue on indented lines",
                    LINE_LIMIT);
    }
    size_t taken = length < (size_t)bytes ? length : (size_t)bytes - 1;
    memcpy(line, reader->text, taken);
    line[taken] = '\0';
    reader->text += length;
    return line;
}

/* A word copied to where it belongs. */
static bool copy_word(char word[WORD_BYTES], const char *from, size_t length, Status *status) {
    if (length >= WORD_BYTES)
        return status_fail(status, STATUS_INPUT, "'%.20s...' is too long a name", from);
    memcpy(word, from, length);
    word[length] = '\0';
    return true;
}

static bool read_repeat(Reader *reader, const char *value) {
    char *end;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end || !isdigit((unsigned char)value[0]) || number < 1 ||
        number > GRID_MAX_RUNS)
        return status_fail(reader->status, STATUS_INPUT, "repeat: '%s' is not in 1..%d", value,
                           GRID_MAX_RUNS);
    reader->grid->repeat = number;
    reader->has_repeat = true;
    return true;
}

static bool read_lists(Reader *reader, const char *value) {
    reader->has_lists = true;
    reader->grid->lists_per_run = strcmp(value, "run") == 0;
    return reader->grid->lists_per_run || strcmp(value, "repeat") == 0 ||
           status_fail(reader->status, STATUS_INPUT, "lists: '%s' is not one of repeat|run", value);
}

static bool read_setting(Reader *reader, const char *key, const char *value) {
    RunGrid *grid = reader->grid;
    bool command = strcmp(key, "command") == 0, lists = strcmp(key, "lists") == 0;
    if (!command && !lists && strcmp(key, "repeat") != 0)
        return status_fail(reader->status, STATUS_INPUT,
                           "%s: unknown key in [experiment]; it has command, repeat and lists",
                           key);
    if (command ? grid->command[0] != '\0' : lists ? reader->has_lists : reader->has_repeat)
        return status_fail(reader->status, STATUS_INPUT, "%s: given twice", key);
    if (lists)
        return read_lists(reader, value);
    if (!command)
        return read_repeat(reader, value);
    grid->command_line = reader->line;
    return copy_word(grid->command, value, strlen(value), reader->status);
}

/* The part called [command name], made when it is new. */
static Part *find_part(Reader *reader, const char *section) {
    RunGrid *grid = reader->grid;
    size_t length = strcspn(section, " \t");
    const char *name = section + length + strspn(section + length, " \t");
    for (int i = 0; i < grid->part_count; i++) {
        Part *part = grid->parts[i];
        if (strlen(part->command) == length && strncmp(part->command, section, length) == 0 &&
            strcmp(part->name, name) == 0)
            return part;
    }
    if (grid->part_count == PARTS_MAX) {
        status_fail(reader->status, STATUS_INPUT, "more than %d sections", PARTS_MAX);
        return NULL;
    }
    Part *part = memory_new(1, sizeof *part, reader->status);
    if (!part)
        return NULL;
    grid->parts[grid->part_count++] = part;
    part->line = reader->line;
    bool ok = copy_word(part->command, section, length, reader->status) &&
              copy_word(part->name, name, strlen(name), reader->status);
    return ok ? part : NULL;
}

static bool add_value(Dimension *dimension, const char *from, size_t length, int line,
                      Status *status) {
    while (length > 0 && isspace((unsigned char)from[length - 1]))
        length--;
    if (length == 0)
        return status_fail(status, STATUS_INPUT, "%s: a value is empty", dimension->key);
    for (int i = 0; i < dimension->count; i++)
        if (strlen(dimension->values[i]) == length &&
            strncmp(dimension->values[i], from, length) == 0)
            return status_fail(status, STATUS_INPUT, "%s: %s is there twice", dimension->key,
                               dimension->values[i]);
    size_t count = (size_t)dimension->count;
    char **values = realloc(dimension->values, (count + 1) * sizeof *values);
    dimension->values = values ? values : dimension->values;
    int *lines = realloc(dimension->lines, (count + 1) * sizeof *lines);
    dimension->lines = lines ? lines : dimension->lines;
    char *copy = strndup(from, length);
    if (!values || !lines || !copy) {
        free(copy);
        return status_no_memory(status);
    }
    values[count] = copy;
    lines[count] = line;
    dimension->count++;
    return true;
}

/* The length of a list without a comment behind it; inih leaves comments on continued lines. */
static size_t without_remark(const char *list) {
    size_t length = 0;
    while (list[length] &&
           !(list[length] == ';' && (length == 0 || isspace((unsigned char)list[length - 1]))))
        length++;
    return length;
}

/* "a, b, c"; a comma at the end of a line continues on the next line. */
static bool add_values(Dimension *dimension, const char *list, int line, Status *status) {
    const char *end = list + without_remark(list);
    for (;;) {
        list += strspn(list, " \t\r");
        const char *comma = memchr(list, ',', (size_t)(end - list));
        size_t length = (size_t)((comma ? comma : end) - list);
        if (!add_value(dimension, list, length, line, status))
            return false;
        list += length + 1;
        if (list >= end || list + strspn(list, " \t\r") >= end)
            return true;
    }
}

static bool read_dimension(Reader *reader, const char *section, const char *key,
                           const char *value) {
    Part *part = find_part(reader, section);
    if (!part)
        return false;
    Dimension *dimension = part->own;
    while (dimension < part->own + part->own_count && strcmp(dimension->key, key) != 0)
        dimension++;
    bool is_new = dimension == part->own + part->own_count;
    if (!is_new && !reader->continued)
        return status_fail(reader->status, STATUS_INPUT, "%s: given twice", key);
    if (is_new) {
        if (part->own_count == STORE_PARAMETERS_MAX)
            return status_fail(reader->status, STATUS_INPUT, "more than %d keys",
                               STORE_PARAMETERS_MAX);
        if (!copy_word(dimension->key, key, strlen(key), reader->status))
            return false;
        dimension->line = reader->line;
        part->own_count++;
    }
    return add_values(dimension, value, reader->line, reader->status);
}

/* Called for every "key = value"; only the first error is kept. */
static int on_value(void *user, const char *section, const char *key, const char *value) {
    Reader *reader = user;
    if (reader->fault != 0)
        return 1;
    bool ok = strcmp(section, "experiment") == 0 ? read_setting(reader, key, value)
                                                 : read_dimension(reader, section, key, value);
    if (!ok)
        reader->fault = reader->line;
    return ok;
}

/* ---- from sections to runs */

/* Like status_fail, with the place in front. */
static bool fail_at(const RunGrid *grid, int line, Status *status) {
    return status_prefix(status, "%s:%d", grid->name, line);
}

static bool check_values(const RunGrid *grid, const Part *part, const ExperimentCommands *commands,
                         Status *status) {
    for (int i = 0; i < part->own_count; i++) {
        const Dimension *dimension = &part->own[i];
        for (int k = 0; k < dimension->count; k++)
            if (!commands->check_value(grid->command, dimension->key, dimension->values[k], status))
                return fail_at(grid, dimension->lines[k], status);
    }
    return true;
}

static bool check_sections(RunGrid *grid, const ExperimentCommands *commands, Status *status) {
    if (!grid->command[0])
        return status_fail(status, STATUS_INPUT, "%s: [experiment] names no command", grid->name);
    if (!commands->known(grid->command)) {
        status_fail(status, STATUS_INPUT,
                    "command: '%s' cannot be run from a grid; solve, eval, simulate, train, match "
                    "and clears can",
                    grid->command);
        return fail_at(grid, grid->command_line, status);
    }
    for (int i = 0; i < grid->part_count; i++) {
        const Part *part = grid->parts[i];
        if (strcmp(part->command, grid->command) != 0) {
            status_fail(status, STATUS_INPUT, "[%s]: the command of this grid is %s", part->command,
                        grid->command);
            return fail_at(grid, part->line, status);
        }
        if (!check_values(grid, part, commands, status))
            return false;
    }
    return grid->part_count > 0 ||
           status_fail(status, STATUS_INPUT, "%s: there is nothing in [%s] to run", grid->name,
                       grid->command);
}

static const Dimension *find_dimension(const Part *part, const char *key) {
    for (int i = 0; i < part->own_count; i++)
        if (strcmp(part->own[i].key, key) == 0)
            return &part->own[i];
    return NULL;
}

/* Joins the dimensions of the plain section to those of a part. */
static bool join(const RunGrid *grid, const Part *plain, Part *part, Status *status) {
    for (int i = 0; plain && plain != part && i < plain->own_count; i++)
        if (!find_dimension(part, plain->own[i].key))
            part->all[part->all_count++] = &plain->own[i];
    if (part->all_count + part->own_count >= STORE_PARAMETERS_MAX) { /* one is for `pinned` */
        status_fail(status, STATUS_INPUT, "more than %d keys", STORE_PARAMETERS_MAX - 1);
        return fail_at(grid, part->line, status);
    }
    for (int i = 0; i < part->own_count; i++)
        part->all[part->all_count++] = &part->own[i];
    part->combinations = 1;
    for (int i = 0; i < part->all_count && part->combinations <= GRID_MAX_RUNS; i++)
        part->combinations *= part->all[i]->count;
    return true;
}

static bool expand(RunGrid *grid, Status *status) {
    Part *plain = NULL;
    for (int i = 0; i < grid->part_count; i++)
        if (!grid->parts[i]->name[0])
            plain = grid->parts[i];
    for (int i = 0; i < grid->part_count; i++) {
        Part *part = grid->parts[i];
        if (!join(grid, plain, part, status))
            return false;
        if (part == plain && grid->part_count > 1)
            part->combinations = 0; /* it is in all the others */
        grid->combinations += part->combinations;
        if (grid->combinations > GRID_MAX_RUNS / grid->repeat)
            return status_fail(status, STATUS_INPUT, "%s: more than %d runs", grid->name,
                               GRID_MAX_RUNS);
    }
    return true;
}

static bool parse(RunGrid *grid, const char *text, Status *status) {
    Reader reader = {.grid = grid, .text = text, .status = status};
    int line = ini_parse_stream(next_line, &reader, on_value, &reader);
    if (line < 0)
        return status_no_memory(status);
    if (line > 0 && (reader.fault == 0 || line < reader.fault))
        return status_fail(status, STATUS_INPUT, "%s:%d: not of the form [section] or key = values",
                           grid->name, line);
    if (reader.fault != 0)
        return fail_at(grid, reader.fault, status);
    Section section;
    for (line = 0; sections_next(&text, &line, &section);)
        if (section.empty && strcmp(section.name, "experiment") != 0)
            return status_fail(status, STATUS_INPUT, "%s:%d: [%s]: the section is empty",
                               grid->name, section.line, section.name);
    return true;
}

RunGrid *run_grid_parse(const char *name, const char *text, const ExperimentCommands *commands,
                        Status *status) {
    RunGrid *grid = memory_new(1, sizeof *grid, status);
    if (!grid)
        return NULL;
    grid->name = name;
    grid->repeat = 1;
    if (parse(grid, text, status) && check_sections(grid, commands, status) &&
        expand(grid, status)) {
        if (commands->pinned)
            grid->pinned = commands->pinned(grid->command);
        return grid;
    }
    run_grid_free(grid);
    return NULL;
}

void run_grid_free(RunGrid *grid) {
    if (!grid)
        return;
    for (int i = 0; i < grid->part_count; i++) {
        Part *part = grid->parts[i];
        for (int k = 0; k < part->own_count; k++) {
            for (int v = 0; v < part->own[k].count; v++)
                free(part->own[k].values[v]);
            free(part->own[k].values);
            free(part->own[k].lines);
        }
        free(part);
    }
    free(grid);
}

int64_t run_grid_runs(const RunGrid *grid) {
    return grid->combinations * grid->repeat;
}

int64_t run_grid_repeat(const RunGrid *grid) {
    return grid->repeat;
}

const char *run_grid_command(const RunGrid *grid) {
    return grid->command;
}

/* ---- the runs */

/* The part and values of a combination; returns the part. */
static const Part *pick(const RunGrid *grid, int64_t combination, StoreParameter *parameters) {
    int index = 0;
    while (combination >= grid->parts[index]->combinations)
        combination -= grid->parts[index++]->combinations;
    const Part *part = grid->parts[index];
    for (int i = part->all_count - 1; i >= 0; i--) {
        const Dimension *dimension = part->all[i];
        parameters[i] =
            (StoreParameter){dimension->key, dimension->values[combination % dimension->count]};
        combination /= dimension->count;
    }
    return part;
}

/* 53 bits, so that every reader of JSON gets the same number. */
static uint64_t seed_of(uint64_t seed, uint64_t kind, int64_t index) {
    return rng_derive(rng_derive(seed, kind), (uint64_t)index) >> 11;
}

const char *run_grid_part(const RunGrid *grid, int64_t index) {
    StoreParameter ignored[STORE_PARAMETERS_MAX];
    return pick(grid, index / grid->repeat, ignored)->name;
}

bool run_grid_next(void *given, StoreRun *run, Status *status) {
    (void)status;
    RunGridWalk *walk = given;
    const RunGrid *grid = walk->grid;
    if (walk->next == run_grid_runs(grid))
        return false;
    const Part *part = pick(grid, walk->next / grid->repeat, walk->parameters);
    memset(run, 0, sizeof *run);
    run->command = grid->command;
    run->repeat = walk->next % grid->repeat + 1;
    run->parameters = walk->parameters;
    run->parameter_count = (size_t)part->all_count;
    if (grid->pinned.name && !store_parameter(run, grid->pinned.name) &&
        !store_parameter(run, "preset")) /* which decides about it */
        walk->parameters[run->parameter_count++] = grid->pinned;
    run->piece_seed = grid->lists_per_run ? seed_of(walk->seed, 2, walk->next)
                                          : seed_of(walk->seed, 0, run->repeat);
    run->seed = seed_of(walk->seed, 1, walk->next);
    walk->next++;
    return true;
}

static bool is_letter(char character) {
    return isalnum((unsigned char)character) || character == '_';
}

/* True for "seed" in "--seed", not in "piece-seed". */
static bool begins_word(const char *message, const char *at) {
    if (at > message && at[-1] == '-')
        return at - message < 2 || !is_letter(at[-2]);
    return at == message || !is_letter(at[-1]);
}

/* Whether the message has "KEY:" as a word of its own. */
static bool names_key(const char *message, const char *key) {
    char mark[WORD_BYTES + 2];
    snprintf(mark, sizeof mark, "%s:", key);
    for (const char *at = message; (at = strstr(at, mark)) != NULL; at++)
        if (begins_word(message, at))
            return true;
    return false;
}

/* The line that a complaint about a combination is about: that of the key which it names, else that
 * of the part. */
static int line_of(const Part *part, const StoreParameter *parameters, const char *message) {
    for (int i = part->all_count - 1; i >= 0; i--) {
        const char *key = part->all[i]->key, *dot = strchr(key, '.');
        if (!names_key(message, dot ? dot + 1 : key))
            continue;
        for (int k = 0; k < part->all[i]->count; k++)
            if (part->all[i]->values[k] == parameters[i].value)
                return part->all[i]->lines[k];
    }
    return part->line;
}

bool run_grid_check(const RunGrid *grid, const ExperimentCommands *commands, Status *status) {
    for (int64_t i = 0; i < grid->combinations; i++) {
        StoreParameter parameters[STORE_PARAMETERS_MAX];
        const Part *part = pick(grid, i, parameters);
        StoreRun run = {.command = grid->command,
                        .repeat = 1,
                        .parameters = parameters,
                        .parameter_count = (size_t)part->all_count};
        if (!commands->check(&run, status))
            return fail_at(grid, line_of(part, parameters, status->message), status);
    }
    return true;
}
