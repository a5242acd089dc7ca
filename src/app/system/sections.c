/* sections: lines as inih sees them: comments, indented lines that continue a value, headings,
 * keys. */
#include "system/sections.h"

#include <stdio.h>
#include <string.h>

static const char BLANKS[] = " \t\r\v\f";

static const char *next_line(const char *line) {
    size_t length = strcspn(line, "\n");
    return line + length + (line[length] == '\n');
}

/* The first character that counts, or NULL for blank lines and comments. */
static const char *content(const char *line) {
    const char *start = line + strspn(line, BLANKS);
    return *start == '\0' || *start == '\n' || *start == '#' || *start == ';' ? NULL : start;
}

/* Whether a line with something in it comes before the next heading. */
static bool is_empty(const char *text) {
    for (; *text; text = next_line(text)) {
        const char *start = content(text);
        if (start)
            return *start == '[';
    }
    return true;
}

bool sections_next(const char **at, int *line, Section *section) {
    bool after_key = false;
    if (*line == 0 && strncmp(*at, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
        *at += 3;
    while (**at) {
        const char *here = *at, *start = content(here);
        *at = next_line(here);
        ++*line;
        if (start && *start == '[' && !(after_key && start > here)) {
            int length = (int)strcspn(start + 1, "]\n");
            snprintf(section->name, sizeof section->name, "%.*s", length, start + 1);
            section->line = *line;
            section->empty = is_empty(*at);
            return true;
        }
        after_key |= start != NULL;
    }
    return false;
}
