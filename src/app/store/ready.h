/* ready: the grids that come with the program. Their text is compiled in from the directory grids.
 */
#ifndef TETROPT_STORE_READY_H
#define TETROPT_STORE_READY_H

typedef struct EmbeddedText {
    const char *name, *text;
} EmbeddedText;

/* Ends with a row whose name is NULL. */
extern const EmbeddedText ready_grids[];

#endif
