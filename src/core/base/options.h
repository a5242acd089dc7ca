/*
 * options: one table of options gives a struct's defaults, the command line, the configuration
 * file, the help text and the shell completions.
 *
 * A row names a field of a plain struct by its offset. A table can include other tables, each for a
 * struct inside its own; rows are numbered through. Wherever a value comes from (default, file,
 * command line, HTTP, library), it goes through options_set, so an invalid value gets the same
 * message everywhere.
 */
#ifndef TETROPT_BASE_OPTIONS_H
#define TETROPT_BASE_OPTIONS_H

#include "base/similar.h"
#include "base/status.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

typedef enum OptionKind {
    OPTION_FLAG,    /* bool: true/false/on/off/1/0; on the command line the name is enough, unless
                       the row has an `argument` */
    OPTION_INTEGER, /* int64_t in min..max */
    OPTION_REAL,    /* double in min..max, finite */
    OPTION_TEXT,    /* const char *, pointing to the given text */
    OPTION_CHOICE,  /* int, the index of the word in `choices` */
    OPTION_LIST,    /* OptionList; repeatable */
    OPTION_INCLUDE  /* the rows of `table`, for a struct at `offset` */
} OptionKind;

/* How the value of a text or list names a file: the files of a command are compared before it
 * begins (cli/files), and what a job reads is loaded for it (cli/files). */
typedef enum OptionFile {
    OPTION_NO_FILE,
    OPTION_READS,         /* a file that is read; - is standard input */
    OPTION_READS_OR_NAME, /* a file that is read, or a name that is not a file */
    OPTION_LOADS,         /* a shared object if it has a slash and ends with .so, else a name */
    OPTION_READS_AT,      /* @FILE is read; any other value is not a file */
    OPTION_WRITES,        /* a file that is created or replaced */
    OPTION_PRINTS,        /* a file that is created or replaced; - is standard output */
    OPTION_CONTINUES,     /* a file that is read and may be replaced by its continuation */
    OPTION_STORE          /* sqlite:FILE, or not a file */
} OptionFile;

enum { OPTION_LIST_MAX = 64 };

typedef struct OptionList {
    const char *items[OPTION_LIST_MAX];
    int count;
} OptionList;

typedef struct OptionTable {
    const struct Option *rows;
    size_t count;
} OptionTable;

typedef struct Option {
    const char *name; /* "move-time": --move-time on the command line, move-time in files */
    OptionKind kind;
    size_t offset;        /* of the field in the struct that the table describes */
    const char *fallback; /* the default, written as a user would; NULL leaves the field zero */
    double min, max;      /* for numbers; both 0: any */
    const char *choices;  /* "one|two|three", for OPTION_CHOICE; a hint for OPTION_TEXT */
    const char *(*word_at)(int index); /* for OPTION_TEXT: the names that it takes, perhaps with
                                          "?NAME=VALUE&..." behind; NULL after the last */
    const char *argument;              /* the word for the value in the help: N, FILE */
    const char *help;
    const char *only;    /* the subcommands that it is for, "path|cover"; NULL: all */
    const char *implied; /* the value when the name is followed by nothing or by another option;
                            NULL: a value must follow */
    OptionFile file;
    bool program;     /* with word_at: also takes KIND:COMMAND, a program */
    const char *tune; /* for `tune`: "LOW..HIGH", perhaps "log", perhaps "if NAME=WORD|WORD"; of a
                         choice only the last part; NULL: a number is not tuned unless asked, a
                         choice or flag is; "no": it is not either */
    const OptionTable *table; /* of OPTION_INCLUDE */
} Option;

/* A row for the member `field_` of `struct_`; the other members of Option follow by name. */
#define OPTION_ROW(struct_, kind_, field_, name_, ...)                                             \
    { .name = name_, .kind = OPTION_##kind_, .offset = offsetof(struct_, field_), __VA_ARGS__ }

/* Rows that all have the same members: a number in min_..max_, and one of the words of choices_. */
#define PARAMETER_INTEGER(struct_, field_, name_, default_, min_, max_, help_)                     \
    OPTION_ROW(struct_, INTEGER, field_, name_, .fallback = default_, .min = min_, .max = max_,    \
               .argument = "N", .help = help_)
#define PARAMETER_REAL(struct_, field_, name_, default_, min_, max_, help_)                        \
    OPTION_ROW(struct_, REAL, field_, name_, .fallback = default_, .min = min_, .max = max_,       \
               .argument = "N", .help = help_)
#define PARAMETER_CHOICE(struct_, field_, name_, default_, choices_, help_)                        \
    OPTION_ROW(struct_, CHOICE, field_, name_, .fallback = default_, .choices = choices_,          \
               .argument = "WORD", .help = help_)

/* The same, with what `tune` may try. */
#define TUNED_INTEGER(struct_, field_, name_, default_, min_, max_, tune_, help_)                  \
    OPTION_ROW(struct_, INTEGER, field_, name_, .fallback = default_, .min = min_, .max = max_,    \
               .argument = "N", .help = help_, .tune = tune_)
#define TUNED_REAL(struct_, field_, name_, default_, min_, max_, tune_, help_)                     \
    OPTION_ROW(struct_, REAL, field_, name_, .fallback = default_, .min = min_, .max = max_,       \
               .argument = "N", .help = help_, .tune = tune_)

#define OPTIONS_TABLE(rows)                                                                        \
    { (rows), sizeof(rows) / sizeof *(rows) }

/* A row that includes `table_` for the member `member_` of `struct_`. */
#define OPTIONS_INCLUDE(struct_, member_, table_)                                                  \
    { .name = "", .kind = OPTION_INCLUDE, .offset = offsetof(struct_, member_), .table = &(table_) }

enum { OPTIONS_MAX_ROWS = 64, OPTIONS_MAX_WORDS = 8 };

/* The arguments that are not options. */
typedef struct OptionsWords {
    const char *items[OPTIONS_MAX_WORDS];
    int count;
} OptionsWords;

/* Receives an option of the command line. */
typedef bool OptionsSet(void *context, const char *name, const char *value, Status *status);

/* The number of rows, and a row by its number with its offset in the whole struct. */
int options_count(OptionTable table);
Option options_row(OptionTable table, int index);

/* Offers the names of all rows as what was meant. */
void options_similar(OptionTable table, Similar *similar);

/* Fails with "NAME: unknown WHAT", and which row was probably meant. False. */
bool options_unknown(OptionTable table, const char *what, const char *name, Status *status);

/* The number of the row called `name`, or -1. */
int options_find(OptionTable table, const char *name);

/* Fills `target` with the defaults of the table; fields without a row are not changed. */
void options_defaults(OptionTable table, void *target);

/* Sets one field from text. `value` must live as long as `target`. On failure the message is
 * "NAME: WHY". */
bool options_set(OptionTable table, void *target, const char *name, const char *value,
                 Status *status);

/* Writes the value of a row so that options_set reads it back exactly; of a list the item number
 * `item`. False, and nothing is added, for a text or item that is not set. */
bool options_get(const Option *row, const void *target, int item, Text *text);

/* Reads a number as every option takes it: decimal, with nothing before or after it, finite. */
bool options_read_real(const char *text, double *number);

/* Reads the command line (`arguments` without the program and the command): --name value,
 * --name=value, "--" ends the options. Options go to `set`, also those that are not in the table;
 * an empty value is rejected. */
bool options_parse(OptionTable table, int count, char *const *arguments, OptionsSet *set,
                   void *context, OptionsWords *words, Status *status);

/* Whether the row is for that subcommand. */
bool options_is_for(const Option *option, const char *subcommand);

/* Adds the subcommands that a row is for, "path, cover"; nothing if it is for all. */
void options_only(const Option *option, Text *text);

/* Adds the help of a row, behind the subcommands that it is for: "path, cover: HELP". */
void options_purpose(const Option *option, Text *text);

/* The same with its choices and range, without its default. */
void options_describe(const Option *option, Text *text);

/* The default that help shows; NULL: none. That of a flag without a value goes without saying. */
const char *options_shown_default(const Option *option);

/* Adds one help line per row: name, argument, help, choices, range and default. `dashes` is "--"
 * for the options of a command and "" for the parameters of an algorithm. */
void options_help(OptionTable table, const char *dashes, Text *text);

/* Adds the choices of a row with `separator` between them. */
void options_words(const Option *option, char separator, Text *text);

/* The number of choices in "a|b|c", and the word at `index` copied to `word`. */
int options_choice_count(const char *choices);
const char *options_choice_word(const char *choices, int index, char *word, size_t bytes);

#endif
