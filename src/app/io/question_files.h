/*
 * question_files: reads the files that a question names, for front ends whose users have files: the
 * command line and grids.
 */
#ifndef TETROPT_IO_QUESTION_FILES_H
#define TETROPT_IO_QUESTION_FILES_H

#include "job/question.h"

/* Replaces the path of every file that the question names by its content ("-" is standard input).
 * False with `status`, which names the option and the file. */
bool question_read_files(Question *question, Status *status);

/* The same for one option, which exists. */
bool question_read_file(Question *question, const char *name, Status *status);

#endif
