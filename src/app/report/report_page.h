/*
 * report_page: the parts that a report is written with: headings, words, tables, figures, and the
 * groups of runs that figures compare.
 */
#ifndef TETROPT_REPORT_REPORT_PAGE_H
#define TETROPT_REPORT_REPORT_PAGE_H

#include "draw/plot.h"
#include "report/report.h"
#include "stats/compare.h"
#include "stats/curves.h"

/* What a section is about: the runs of one grid that are done. */
typedef struct ReportScope {
    Report *report;
    Arena *arena;
    const char *grid, *command;
    RunList runs;
    RunKey *keys; /* what varies, the number of pieces left out */
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
 * digit or a minus are set to the right. */
void report_table(Report *report, const char *const *columns, size_t count);
void report_row(Report *report);
void report_cell(Report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_table_end(Report *report);

/* Adds the figure to the page and to the list. The name gets the grid in front. */
void report_figure(const ReportScope *scope, ReportFigure figure);

/* The same for a plot, which is copied; without panels nothing is added. */
void report_plot(const ReportScope *scope, const char *name, Plot plot, const char *caption);

/* The same for one panel that fills the figure; without series nothing is added. */
void report_one_panel(const ReportScope *scope, const char *name, const char *title,
                      PlotPanel panel, const char *caption);

/* A line through the medians of a curve, with its quartiles as a band. */
PlotSeries report_curve(const Curve *curve, const char *name, size_t style);

/* ---- numbers for people */

/* About four digits; thousands apart. "-" for NaN. */
const char *report_number(Arena *arena, double value);
/* 0.4 s, 2 min 5 s, 3 h 20 min. */
const char *report_duration(Arena *arena, double seconds);
/* "p = 0.012", "p < 0.001". */
const char *report_p(Arena *arena, double p);

/* ---- groups */

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
ReportGroups report_groups(const ReportScope *scope, const RunKey *key, RunList runs, size_t most);

/* More lines than this in one panel cannot be told apart. */
enum { REPORT_LINES = PALETTE_SERIES_COUNT, REPORT_BOXES = 24, REPORT_PANELS = 6 };

/* The runs of panel number i: those of a size, or all. The number of panels, and the title. */
size_t report_panels(const ReportScope *scope);
RunList report_panel_runs(const ReportScope *scope, size_t i);
const char *report_panel_title(const ReportScope *scope, size_t i);

/* The key by which players or algorithms are told apart: agent, algorithm or method when it
 * varies, else the first that does; NULL: none. */
const RunKey *report_main_key(const ReportScope *scope);

/* A sentence when values were left out of a figure; "" otherwise. */
const char *report_left_out(const ReportScope *scope, const RunKey *key, ReportGroups groups);

/* Box plots of a measure by a key, a panel a size. */
void report_boxes(const ReportScope *scope, const RunKey *key, const char *measure,
                  const char *title, const char *axis, bool log, const char *caption);

/* ---- the sections, one file each */

void report_solve(const ReportScope *scope);
void report_games(const ReportScope *scope);
void report_bees(const ReportScope *scope);
void report_train(const ReportScope *scope);

/* What holds for every command: comparison by every key, scaling with threads. */
void report_comparisons(const ReportScope *scope);
void report_scaling(const ReportScope *scope);

/* The sentences about a grid, as list items. */
void report_summary(const ReportScope *scope);

#endif
