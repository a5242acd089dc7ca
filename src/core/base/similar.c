/*
 * similar: by the number of letters to add, remove, replace or swap with their neighbour. A word is
 * similar when that is at most a third of its length, or when the given one is its beginning.
 */
#include "base/similar.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int least(int a, int b) {
    return a < b ? a : b;
}

/* The optimal string alignment distance of two words shorter than SIMILAR_BYTES. */
static int distance(const char *a, const char *b) {
    size_t m = strlen(a), n = strlen(b);
    int rows[3][SIMILAR_BYTES]; /* of the last two letters of `a`, and of this one */
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        int *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

Similar similar_to(const char *given) {
    return (Similar){.given = given, .distance = INT_MAX};
}

void similar_try(Similar *similar, const char *known) {
    size_t given = strlen(similar->given), length = strlen(known);
    if (given == 0 || given >= SIMILAR_BYTES || length >= SIMILAR_BYTES)
        return;
    int found = distance(similar->given, known);
    bool begins = given >= 2 && strncmp(known, similar->given, given) == 0;
    if ((found * 3 <= (int)(length > given ? length : given) || begins) &&
        found < similar->distance) {
        similar->distance = found;
        snprintf(similar->best, sizeof similar->best, "%s", known);
    }
}

const char *similar_hint(const Similar *similar, char hint[SIMILAR_HINT_BYTES]) {
    hint[0] = '\0';
    if (similar->best[0])
        snprintf(hint, SIMILAR_HINT_BYTES, " (did you mean '%s'?)", similar->best);
    return hint;
}
