/*
 * clears_files: the solutions of `clears` as files: CSV, JSON Lines, fumens, and an HTML page with
 * a picture of each.
 */
#ifndef TETROPT_CLI_CLEARS_FILES_H
#define TETROPT_CLI_CLEARS_FILES_H

#include "job/clears.h"

void clears_csv(const ClearsRun *run, Text *text);   /* one row per solution, with a head */
void clears_lines(const ClearsRun *run, Text *text); /* one JSON object per line */
void clears_fumens(const ClearsRun *run, Text *text);
void clears_html(const ClearsRun *run, Text *text);

#endif
