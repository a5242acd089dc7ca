/*
 * sections: the section headings of an INI text, also of empty sections, which inih does not
 * report. A mistyped heading with nothing under it would otherwise pass unseen.
 */
#ifndef TETROPT_SYSTEM_SECTIONS_H
#define TETROPT_SYSTEM_SECTIONS_H

#include <stdbool.h>

enum { SECTION_NAME_BYTES = 64 };

typedef struct Section {
    char name[SECTION_NAME_BYTES]; /* cut where it is longer */
    int line;
    bool empty; /* no key follows before the next heading */
} Section;

/* The first heading behind `*at`, which begins as a text that inih takes with *line 0; both move
 * on. False at the end. */
bool sections_next(const char **at, int *line, Section *section);

#endif
