/*
 * question: the options of a job or handle, set by name.
 *
 * A table of base/options describes a struct. The caller may free a text after setting it, so texts
 * are copied. Setting an option again replaces its value; a list of NAME=VALUE keeps the newest
 * value of each name, in the order in which the names were first set.
 */
#ifndef TETROPT_JOB_QUESTION_H
#define TETROPT_JOB_QUESTION_H

#include "base/child.h"
#include "base/options.h"
#include "base/parameters.h"

/* A text that the struct points to. */
typedef struct QuestionText {
    int row;
    char *text;
    char *path; /* of the file that the text was read from; NULL: none */
} QuestionText;

typedef struct Question {
    OptionTable table;
    void *values; /* the struct */
    size_t bytes;
    uint64_t given;
    const ParameterBound *bounds; /* of parameters; NULL: none */
    const ChildHost *host;        /* runs programs that options name; NULL: not allowed */
    QuestionText *texts;
    size_t count, capacity;
} Question;

enum {
    QUESTION_VALUE_BYTES = 256, /* of every value that is neither a text nor in a list */
    QUESTION_ITEM_BYTES = 1024  /* of each in a list, such as a player with all its weights */
};

/* A question with the defaults of the table, for a struct of `bytes` bytes. NULL: no memory. */
Question *question_new(OptionTable table, size_t bytes, Status *status);
void question_free(Question *question); /* NULL is allowed */

/* Sets one option; an empty value restores the default (0 or none where the table has none). */
bool question_set(Question *question, const char *name, const char *value, Status *status);

/* Replaces the text of row number `row`, the path of a file, by the content of that file, which the
 * question owns from now on. */
void question_take_file(Question *question, int row, char *content);

/* Adds the path to a message about an option that was read from a file. */
void question_name_file(const Question *question, Status *status);

/* How a text option was given: its path if it was read from a file, else its value; NULL: not at
 * all. */
const char *question_name(const Question *question, const char *name);

/* True when the option was set. */
bool question_given(const Question *question, const char *name);

/* Rejects an option that was set and is not for this subcommand. */
bool question_only(const Question *question, const char *subcommand, Status *status);

/* Another question with the same values. NULL: no memory. */
Question *question_copy(const Question *from, Status *status);

#endif
