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
typedef bool ReportPanel(const ReportScope *scope, const void *context, PlotPanel *panel);

/* Sets count, x, y and perhaps low and high of the series of a group. */
typedef bool ReportFill(const ReportScope *scope, const ReportGroup *group, PlotSeries *series);

/* A figure. Series by the groups of a key come from `fill`, box plots from `values`. */
typedef struct ReportPlot {
    const char *name, *title, *caption;
    const RunKey *key; /* NULL: all runs are one group */
    bool plain;        /* name and title do not mention the key */
    bool together;     /* sizes share a panel; else there is one per size */
    PlotAxis x, y;
    PlotMark mark;
    ReportFill *fill;
    void (*adjust)(PlotPanel *panel); /* after the series are there; may be NULL */
    Numbers (*values)(RunList runs, const char *member, Arena *arena);
    const char *member;
    ReportPanel *panel; /* instead of `fill` and `values` */
} ReportPlot;

/* Adds the figure; nothing where no panel has anything to draw. */
void report_plot(const ReportScope *scope, ReportPlot plot);

/* `count` numbers in the arena; NULL without memory. */
double *report_numbers(const ReportScope *scope, size_t count);

/* The values of box plots from all games. */
Numbers report_games_of(RunList runs, const char *member, Arena *arena);

/* A line through the medians of a curve, with its quartiles as a band. False for an empty curve. */
bool report_curve(Curve curve, PlotSeries *series);

/* The statistics of numbers; all NaN where there are none. */
Sample report_sample(Numbers numbers);

/* ---- the sections */

void report_solve(const ReportScope *scope);
void report_games(const ReportScope *scope);
void report_train(const ReportScope *scope);

/* For every command: comparison by every key, scaling with threads. */
void report_comparisons(const ReportScope *scope);
void report_scaling(const ReportScope *scope);

/* The sentences about a grid, as list items. */
void report_summary(const ReportScope *scope);

#endif
