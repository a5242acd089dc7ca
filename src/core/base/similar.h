/* similar: finds the known word that a mistyped one was probably meant to be. */
#ifndef TETROPT_BASE_SIMILAR_H
#define TETROPT_BASE_SIMILAR_H

enum { SIMILAR_BYTES = 64 };

typedef struct Similar {
    const char *given;
    char best[SIMILAR_BYTES]; /* "": none is similar */
    int distance;
} Similar;

/* Starts a search. Then similar_try offers every known word, and similar_hint gives what to add to
 * a message: " (did you mean 'WORD'?)" or "". The hint lives in `hint`. */
Similar similar_to(const char *given);
void similar_try(Similar *similar, const char *known);

enum { SIMILAR_HINT_BYTES = SIMILAR_BYTES + 24 };
const char *similar_hint(const Similar *similar, char hint[SIMILAR_HINT_BYTES]);

#endif
