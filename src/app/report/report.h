/*
 * report: the runs of a store as one HTML page: text, tables and figures.
 *
 * The page is self-contained: no scripts, no fonts, no pictures from elsewhere. Figures are
 * inline SVG whose colours follow the reader's light or dark setting and are light on paper. The
 * same runs give the same bytes.
 */
#ifndef TETROPT_REPORT_REPORT_H
#define TETROPT_REPORT_REPORT_H

#include "draw/drawing.h"
#include "stats/runs.h"

/* Something drawn, with its numbers. */
typedef struct ReportFigure {
    const char *name;    /* of its files, without an ending; letters, digits and dashes */
    const char *caption; /* how to read it */
    DrawingPage page;    /* its label is the title */
    void (*csv)(const void *data, Text *csv); /* of the page's data */
} ReportFigure;

enum { REPORT_MAX_FIGURES = 500 };

typedef struct Report {
    Arena arena;
    Text html;
    ReportFigure *figures;
    size_t figure_count;
    bool row_open; /* of the table that is being written */
} Report;

void report_init(Report *report);
void report_release(Report *report);

/* Where the runs are from. */
typedef struct ReportSource {
    const char *title;
    const char *store; /* its name, without a password; NULL: there is none */
    StoreCounts counts;
    /* What comes first on the page, behind the navigation; may be NULL. */
    void (*opening)(Report *report, const void *context);
    const void *opening_context;
} ReportSource;

/* Whether the grid of this name holds the document of a tuning (tune/tune_store). */
bool report_is_tuning(const char *grid);

/* Writes the page about `runs`, which must stay as long as the figures are used. Fails only
 * without memory. */
bool report_write(Report *report, const Runs *runs, const ReportSource *source, Status *status);

#endif
