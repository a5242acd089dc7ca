/*
 * clears_show: the answers of `clears` as text.
 */
#ifndef TETROPT_CLI_CLEARS_SHOW_H
#define TETROPT_CLI_CLEARS_SHOW_H

#include "job/clears.h"

#define CLEARS_FIND_WORDS "percent, path, cover, setup, spin, chance"

void clears_show(const ClearsRun *run, Text *text);

#endif
