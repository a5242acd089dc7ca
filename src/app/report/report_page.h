/*
 * report_page: the parts of a report: headings, text, tables, figures, and the groups of runs that
 * figures compare.
 */
#ifndef TETROPT_REPORT_REPORT_PAGE_H
#define TETROPT_REPORT_REPORT_PAGE_H

#include "draw/plot.h"
#include "report/report.h"
#include "stats/compare.h"
#include "stats/curves.h"

/* The subject of a section: the runs of one grid that are done. */
typedef struct ReportScope {
    Report *report;
    Arena *arena;
    const char *grid, *command;
    RunList runs;
    RunKey *keys; /* the parameters that vary, except the number of pieces */
    size_t key_count;
    RunKey sizes; /* the number of pieces; one value where it does not vary */
} ReportScope;

/* ---- HTML */

/* A paragraph or a list item; the text is escaped. */
void report_paragraph(Report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void report_item(Report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_heading(Report *report, int level, const char *anchor, const char *string);

/* A table row by row: columns are given once, cells one after the other. Cells that begin with a
 * digit or a minus are right-aligned. */
void report_table(Report *report, const char *const *columns, size_t count);
void report_row(Report *report);
void report_cell(Report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_table_end(Report *report);

/* The same for numbers: one, and a range. "-" where it is not known. */
void report_cell_number(Report *report, double value);
void report_cell_range(Report *report, double low, double high);

/* Adds the figure to the page and to the list. The name gets the grid in front. */
void report_figure(const ReportScope *scope, ReportFigure figure);

/* ---- numbers for people */

/* About four digits; thousands apart. "-" for NaN. */
const char *report_number(Arena *arena, double value);
/* 0.4 s, 2 min 5 s, 3 h 20 min. */
const char *report_duration(Arena *arena, double seconds);
/* "p = 0.012", "p < 0.001". */
const char *report_p(Arena *arena, double p);

/* ---- groups of runs */

typedef struct ReportGroup {
    const char *name;  /* for a legend */
    const char *value; /* for an axis */
    RunList runs;
} ReportGroup;

typedef struct ReportGroups {
    ReportGroup *items;
    size_t count;
    size_t values; /* of the key, more than `count` when some were left out */
} ReportGroups;

/* The runs by the values of a key, at most `most` of them, evenly chosen. Without a key (NULL) one
 * group of all. Groups without runs are left out. */
ReportGroups report_groups(const ReportScope *scope, const RunKey *key, size_t most);

/* More series or boxes than this in one panel cannot be told apart. */
enum { REPORT_LINES = PALETTE_SERIES_COUNT, REPORT_BOXES = 24, REPORT_PANELS = 6 };

/* The key of that name, when it varies; else NULL. */
const RunKey *report_key(const ReportScope *scope, const char *name);

/* The key by which players or algorithms are told apart: agent, algorithm or method when it
 * varies, else the first that does; NULL: none. */
const RunKey *report_main_key(const ReportScope *scope);

/* How many panels a figure with one panel per size has, and the scope of panel number i. */
size_t report_sizes(const ReportScope *scope);
ReportScope report_size(const ReportScope *scope, size_t i);

/* ---- plots */

/* Makes the panel of a plot from scope->runs. False: there is nothing to draw. */
typedef bool ReportPanel(const ReportScope *scope, PlotPanel *panel);

/* Sets count, x, y and perhaps low and high of the series of a group. */
typedef bool ReportFill(const ReportScope *scope, const ReportGroup *group, PlotSeries *series);

/* The kind of a figure. */
typedef enum ReportFlag {
    REPORT_X_LOG = 1,
    REPORT_X_ZERO = 2, /* the axis begins at 0 */
    REPORT_X_WHOLE = 4,
    REPORT_Y_LOG = 8,
    REPORT_Y_ZERO = 16,
    REPORT_PLAIN = 32,    /* name and title do not mention the key */
    REPORT_TOGETHER = 64, /* sizes share a panel; else there is one per size */
    REPORT_FOCUS = 128,   /* leave out early values that would squeeze the rest */
    REPORT_PERCENT = 256  /* y goes from 0 to 100 */
} ReportFlag;

/* A figure with one series per group of a key. */
typedef struct ReportPlot {
    const char *name, *title, *x, *y; /* titles of the axes */
    int flags;
    PlotMark mark;
    ReportFill *fill;
    const char *caption;
} ReportPlot;

/* Adds the figure; nothing where no panel has anything to draw. Without a key (NULL) all runs are
 * one group. */
void report_plot(const ReportScope *scope, const RunKey *key, const ReportPlot *plot);

/* The same with panels that are made by a function. */
void report_panels(const ReportScope *scope, const ReportPlot *plot, ReportPanel *panel);

/* The same with box plots of a member of runs (runs_measures) or games (report_games_of), whose
 * name the figure gets. */
typedef Numbers ReportValues(RunList runs, const char *member, Arena *arena);
void report_boxes(const ReportScope *scope, const RunKey *key, ReportValues *values,
                  const char *member, const char *title, const char *y, int flags,
                  const char *caption);

/* Gives a panel one series per group of a key. */
bool report_series(const ReportScope *scope, const RunKey *key, PlotMark mark, ReportFill *fill,
                   PlotPanel *panel);

/* `count` numbers in the arena; NULL without memory. */
double *report_numbers(const ReportScope *scope, size_t count);

Numbers report_games_of(RunList runs, const char *member, Arena *arena);

/* Sets count, x and y of a series; true. */
bool report_xy(PlotSeries *series, size_t count, const double *x, const double *y);

/* A line through the medians of a curve, with its quartiles as a band. False for an empty curve. */
bool report_curve(Curve curve, PlotSeries *series);

/* The statistics of numbers; all NaN where there are none. */
Sample report_sample(Numbers numbers);

/* ---- the sections */

void report_solve(const ReportScope *scope);
void report_single(const ReportScope *scope); /* single runs; part of report_solve */
void report_games(const ReportScope *scope);
void report_train(const ReportScope *scope);
void report_match(const ReportScope *scope);

/* A tuning, from its document. */
bool report_tuning(Report *report, const char *document, Status *status);

/* For every command: comparison by every key, scaling with threads. */
void report_comparisons(const ReportScope *scope);
void report_scaling(const ReportScope *scope);

/* The sentences about a grid, as list items. */
void report_summary(const ReportScope *scope);

#endif
