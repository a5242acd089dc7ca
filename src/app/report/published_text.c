/* published_text: the comparison as tables: HTML, Markdown, JSON. */
#include "report/published.h"
#include "report/report_page.h"

#include <math.h>
#include <string.h>

/* Called for every number of the chosen works; `first` of its work, `opens` a table of it. */
typedef struct Row {
    const PublishedWork *work;
    const PublishedNumber *number;
    PublishedAnswer answer;
    bool first, opens;
} Row;
typedef void RowVisit(void *context, const Row *row);

static void each_row(const PublishedWork *work, RunList done, Arena *arena, RowVisit *visit,
                     void *context) {
    for (size_t i = 0; i < work->count; i++) {
        const PublishedNumber *number = &work->numbers[i];
        bool opens = i == 0 || strcmp(number->table, work->numbers[i - 1].table) != 0;
        visit(context, &(Row){work, number, published_compare(number, done, arena), i == 0, opens});
    }
}

static void each_work(RunList done, unsigned chosen, Arena *arena, RowVisit *visit, void *context) {
    const PublishedWork *work;
    for (size_t i = 0; (work = published_at(i)); i++)
        if (chosen >> i & 1)
            each_row(work, done, arena, visit, context);
}

/* About four digits, large numbers in full. */
static const char *number(double value, Arena *arena) {
    return fabs(value) >= 1000 ? arena_format(arena, "%.0f", value)
                               : arena_format(arena, "%.4g", value);
}

/* "-16.5 (-18 to -14)", or "-". */
static const char *ours_text(const PublishedAnswer *answer, Arena *arena) {
    if (answer->count == 0)
        return "-";
    if (answer->low == answer->high)
        return number(answer->ours, arena);
    return arena_format(arena, "%s (%s to %s)", number(answer->ours, arena),
                        number(answer->low, arena), number(answer->high, arena));
}

/* ---- the page */

typedef struct PageContext {
    Report *report;
    const char *grid; /* only the numbers of this grid, in a section of it; NULL: all */
    bool open;        /* a table */
} PageContext;

static void page_row(void *context, const Row *row) {
    static const char *const columns[] = {"number", "published", "ours (95 %)",
                                          "n",      "verdict",   "command of the first run"};
    PageContext *page = context;
    Report *report = page->report;
    if (page->grid && (!row->number->grid || strcmp(page->grid, row->number->grid) != 0))
        return;
    if (row->opens && page->open)
        report_table_end(report);
    if (row->first && !page->grid)
        report_heading(report, 2, row->work->name, row->work->title);
    if (row->opens) {
        report_heading(report, 3, NULL, row->number->table);
        report_table(report, columns, sizeof columns / sizeof *columns);
        page->open = true;
    }
    report_row(report);
    report_cell(report, "%s", row->number->label);
    report_cell(report, "%s", number(row->number->theirs, &report->arena));
    report_cell(report, "%s", ours_text(&row->answer, &report->arena));
    report_cell(report, "%zu", row->answer.count);
    report_cell(report, "%s%s%s", published_verdicts[row->answer.verdict],
                row->number->remark ? ": " : "", row->number->remark ? row->number->remark : "");
    report_cell(report, "%s", row->answer.command);
}

void published_page(Report *report, RunList done, unsigned works) {
    PageContext page = {.report = report};
    each_work(done, works, &report->arena, page_row, &page);
    if (page.open)
        report_table_end(report);
}

void published_grid(Report *report, const char *grid, RunList runs) {
    PageContext page = {.report = report, .grid = grid};
    const PublishedWork *work;
    for (size_t i = 0; (work = published_at(i)); i++)
        for (size_t k = 0; work->grids[k]; k++)
            if (strcmp(work->grids[k], grid) == 0)
                each_row(work, runs, &report->arena, page_row, &page);
    if (page.open)
        report_table_end(report);
}

/* ---- Markdown */

typedef struct MarkdownContext {
    Text *text;
    Arena *arena;
    bool commands;
} MarkdownContext;

static void markdown_row(void *context, const Row *row) {
    const MarkdownContext *markdown = context;
    Text *text = markdown->text;
    if (row->first)
        text_format(text, "%s## %s\n", text->length > 0 ? "\n" : "", row->work->title);
    if (row->opens)
        text_format(text, "\n**%s**\n\n| %-26s | %10s | %-30s | %5s | %-8s |%s\n|%s|%s\n",
                    row->number->table, "number", "published", "ours (95 %)", "n", "verdict",
                    markdown->commands ? " command of the first run |" : "",
                    "----------------------------|-----------:|--------------------------------|"
                    "------:|----------",
                    markdown->commands ? "---|" : "");
    text_format(text, "| %-26s | %10s | %-30s | %5zu | %-8s |", row->number->label,
                number(row->number->theirs, markdown->arena),
                ours_text(&row->answer, markdown->arena), row->answer.count,
                published_verdicts[row->answer.verdict]);
    if (markdown->commands && row->answer.command[0])
        text_format(text, " <code>%s</code> |", row->answer.command);
    text_add_char(text, '\n');
}

void published_markdown(Text *text, RunList done, unsigned works, bool commands, Arena *arena) {
    MarkdownContext markdown = {text, arena, commands};
    each_work(done, works, arena, markdown_row, &markdown);
}

/* ---- JSON */

static void json_row(void *context, const Row *row) {
    const PublishedAnswer *answer = &row->answer;
    bool run = answer->count > 0;
    jw_object(context, NULL);
    jw_put(context, JS("work", row->work->name), JS("table", row->number->table),
           JS("number", row->number->label), JR("published", row->number->theirs),
           JR("ours", run ? answer->ours : NAN), JR("low", run ? answer->low : NAN),
           JR("high", run ? answer->high : NAN), JI("runs", (int64_t)answer->count),
           JS("verdict", published_verdicts[answer->verdict]), JS("command", answer->command));
    jw_end(context);
}

void published_json(JsonWriter *json, RunList done, unsigned works, Arena *arena) {
    jw_array(json, "numbers");
    each_work(done, works, arena, json_row, json);
    jw_end(json);
}
