/*
 * options: one table of options, from which come the struct's defaults, the command line, the
 * configuration file, the help text and the shell completions.
 *
 * A row names a field of a plain struct by its offset. Whatever the value came from (default, file,
 * command line) it goes through options_set, so a bad value gets the same clear message everywhere.
 */
#ifndef TETROPT_BASE_OPTIONS_H
#define TETROPT_BASE_OPTIONS_H

#include "base/status.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

typedef enum OptionKind {
    OPTION_FLAG,    /* bool; on the command line the name alone, in files true/false/on/off/1/0 */
    OPTION_INTEGER, /* int64_t in min..max */
    OPTION_REAL,    /* double in min..max, finite */
    OPTION_TEXT,    /* const char *, pointing to what was given */
    OPTION_CHOICE,  /* int, the index of the word in `choices` */
    OPTION_LIST     /* OptionList; may be given again and again */
} OptionKind;

/* What the value of a text or list names, so that the files of a command can be compared before it
 * begins (cli/files). */
typedef enum OptionFile {
    OPTION_NO_FILE,
    OPTION_READS,         /* a file that is read; - is standard input */
    OPTION_READS_OR_NAME, /* that, or the name of something that is no file */
    OPTION_READS_AT,      /* a file behind an @; something else without */
    OPTION_WRITES,        /* a file that is made or replaced */
    OPTION_PRINTS,        /* that; - is standard output, where nothing else is printed then */
    OPTION_CONTINUES,     /* a file that is read and may be replaced by what follows from it */
    OPTION_STORE          /* sqlite:FILE, or no file */
} OptionFile;

enum { OPTION_LIST_MAX = 64 };

typedef struct OptionList {
    const char *items[OPTION_LIST_MAX];
    int count;
} OptionList;

typedef struct Option {
    const char *name; /* "move-time": --move-time on the command line, move-time in files */
    OptionKind kind;
    size_t offset;        /* of the field in the struct that the table describes */
    const char *fallback; /* the default, written as a user would; NULL leaves the field zero */
    double min, max;      /* for numbers; both 0: any */
    const char *choices;  /* "one|two|three", for OPTION_CHOICE; a hint for OPTION_TEXT */
    const char *argument; /* the word for the value in the help: N, FILE */
    const char *help;
    const char *implied; /* the value when the name stands at the end of the line or before another
                            option; NULL: a value must follow */
    OptionFile file;
} Option;

typedef struct OptionTable {
    const Option *rows;
    size_t count;
} OptionTable;

enum { OPTIONS_MAX_ROWS = 64, OPTIONS_MAX_WORDS = 8 };

/* What was given: a bit for every row, and the words that are no options. */
typedef struct OptionsGiven {
    uint64_t rows;
    const char *words[OPTIONS_MAX_WORDS];
    int word_count;
} OptionsGiven;

/* Fills `target` with the defaults of the table (its other fields are left alone). */
void options_defaults(OptionTable table, void *target);

/* The row called `name`, or NULL. */
const Option *options_find(OptionTable table, const char *name);

/* Sets one field from text. `value` must live as long as `target`. On failure the message is
 * "NAME: WHY". */
bool options_set(OptionTable table, void *target, const char *name, const char *value,
                 Status *status);

/* Writes the value of a row as a user would, so that options_set takes it back exactly; of a list
 * the item number `item`. A text or item that is not there adds nothing and gives false. */
bool options_get(const Option *row, const void *target, int item, Text *text);

/* Reads a number as every option takes it: decimal, with nothing before or after it, finite. */
bool options_read_real(const char *text, double *number);

/* Reads the command line (`arguments` without the program and the command): --name value,
 * --name=value, "--" ends the options. Messages name the option as the user typed it. */
bool options_parse(OptionTable table, void *target, int count, char *const *arguments,
                   OptionsGiven *given, Status *status);

/* True when the row called `name` was given. */
bool options_given(OptionTable table, const OptionsGiven *given, const char *name);

/* Notes that the row called `name`, which exists, was given. */
void options_mark(OptionTable table, OptionsGiven *given, const char *name);

/* Adds what a row is, its choices and its range, without its default. */
void options_describe(const Option *option, Text *text);

/* Adds one help line a row: name, argument, what it is, its choices, range and default. `dashes` is
 * "--" for a command's options and "" for the parameters of an algorithm. */
void options_help(OptionTable table, const char *dashes, Text *text);

/* The number of choices in "a|b|c", and the word at `index` copied to `word`. */
int options_choice_count(const char *choices);
const char *options_choice_word(const char *choices, int index, char *word, size_t bytes);

#endif
