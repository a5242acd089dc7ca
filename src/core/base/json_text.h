/*
 * json_text: JSON that is written as text, where there is no library for it (the browser) or no
 * need for one. What it adds is JSON as long as the caller puts brackets and commas where they
 * belong.
 */
#ifndef TETROPT_BASE_JSON_TEXT_H
#define TETROPT_BASE_JSON_TEXT_H

#include "base/text.h"
#include "engine/grid.h"

/* Adds a string in quotes; what is no UTF-8 in it becomes U+FFFD. */
void json_text_string(Text *text, const char *string);

/* Adds "name": before a value, with a comma in front where `more`. The name needs no escapes. */
void json_text_name(Text *text, bool more, const char *name);

/* Adds the lowest rows of a board as an array of strings, the top one first. */
void json_text_rows(Text *text, const Grid *grid, int rows);

#endif
