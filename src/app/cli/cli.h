/*
 * cli: what all commands share. One table of commands (main.c), one file per command; a command is
 * a row of text, a table of options and a function.
 *
 * A command's function returns an exit code. For a failure it fills the Status instead of printing:
 * main prints the one line and flushes stdout, whose errors count too.
 */
#ifndef TETROPT_CLI_CLI_H
#define TETROPT_CLI_CLI_H

#include "base/options.h"
#include "base/status.h"
#include "job/job.h"

typedef struct CliContext CliContext;

typedef struct Command {
    const char *name;
    const char *arguments;   /* the rest of the usage line */
    const char *summary;     /* half a line */
    const char *description; /* a paragraph */
    const char *examples;    /* whole lines */
    const char *unmet;       /* what exit code 1 means; NULL: there is none */
    const char *interrupted; /* what a signal leaves, exit code 130; NULL: nothing */
    OptionTable options;     /* its own */
    size_t settings_bytes;   /* of the struct that the table fills */
    const Job *question;     /* the job that takes all other options; NULL: none */
    StatusCode (*run)(CliContext *context, const void *settings, Status *status);
    /* Several processes that mpirun started know of each other or do each a part of the work. Those
     * of other commands would all do the same, so main refuses them. */
    bool takes_ranks;
    bool reads_word; /* its first word is a file, or another value */
} Command;

struct CliContext {
    const Command *command;
    Question *settings; /* the command's own options */
    Question *question; /* those of its job; NULL: it has none */
    OptionsWords words;
};

/* A context with the defaults of the command. */
bool cli_context_init(CliContext *context, const Command *command, Status *status);
void cli_context_release(CliContext *context);

/* Sets an option of the command or of its job, or a parameter of the job's algorithm or player. */
bool cli_set(CliContext *context, const char *name, const char *value, Status *status);

/* Prepares the run of the command's job: reads the files that the question names, then checks the
 * question. NULL with `status`. */
void *cli_prepare(CliContext *context, Status *status);

/* All options of a command, its job's too. `parts` is where the table lives. */
OptionTable cli_options(const Command *command, Option parts[2]);

/* Every command, in the order of the help; ends with a row whose name is NULL. */
extern const Command *const cli_commands[];

/* The command called `name`, or NULL. */
const Command *cli_find_command(const char *name);

/* Options that every command has. Put `CliCommon common;` into the settings and the table's rows at
 * the end of its own: OPTIONS_INCLUDE(Settings, common, cli_common_options). */
typedef struct CliCommon {
    bool help, json, quiet;
    int color; /* CliColor */
    const char *config;
} CliCommon;

typedef enum CliColor { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } CliColor;

extern const OptionTable cli_common_options;

/* How messages call a file: its path, or "standard input" for "-". */
const char *cli_path_name(const char *path);

/* Fails when there are more than `most` words that are not options. */
bool cli_words_at_most(const CliContext *context, int most, Status *status);

/* True when the option was given (not left at its default). */
bool cli_given(const CliContext *context, const char *option);

/* Fails when mpirun started more processes than this one; only the first of them has a message, the
 * code of the others is STATUS_OK, lest one of them ends the job before the first has printed it.
 */
bool cli_one_process(const char *what, Status *status);

/* The seed given, or one drawn now. */
uint64_t cli_seed(const CliContext *context, int64_t given);

/* The last line of long work that a signal ended: what was kept, and, where `format` is not NULL,
 * the command that continues it. */
void cli_interrupted(const CliContext *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether to colour what goes to `descriptor`. */
bool cli_use_color(const CliCommon *common, int descriptor);

/* Print a text as it is, with an end of line, or the document that jw_start began and this ends;
 * and release it. False with `status` when memory ran out while it was made; main checks in the end
 * whether it could be written. */
bool cli_print_text(Text *text, Status *status);
bool cli_print_line(Text *text, Status *status);
bool cli_print_json(JsonWriter *w, Status *status);

/* Prints what `--list` asks for, which is a text; rejects --json. */
StatusCode cli_print_list(const CliContext *context, void (*list)(Text *text), Status *status);

/* Reads the pieces of a file ("-" is standard input) as pieces_parse does. Returns how many there
 * are, or -1 with `status`. */
int cli_read_pieces(const char *path, uint8_t *pieces, size_t capacity, Status *status);

/* The plural ending for a count: "" for one, "s" otherwise. */
const char *cli_plural(int64_t count);

/* The columns of the terminal at `descriptor`; 80 when it is not a terminal. */
int cli_columns(int descriptor);

/* The help of one command as printed by --help, and the list of commands. */
void cli_command_help(const Command *command, Text *text);
void cli_overview(Text *text);

/* The manual page (roff) of a command, or of the program (NULL), and the shell completions, made
 * from the same tables. */
void cli_manual(const Command *command, Text *text);
bool cli_completion(const char *shell, Text *text, Status *status);

#endif
