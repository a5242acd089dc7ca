/* table: the cells are kept as lines of one text and read twice: for the widths, and to print. */
#include "term/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CELL_BYTES = 128, GAP = 2 };

void table_init(Table *table, const TableColumn *columns, int count) {
    *table = (Table){.columns = columns, .count = count};
}

void table_cell(Table *table, const char *format, ...) {
    char cell[CELL_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cell, sizeof cell, format, arguments);
    va_end(arguments);
    text_format(&table->cells, "%s\n", cell);
}

void table_number(Table *table, double value) {
    double size = fabs(value);
    if (isnan(value))
        table_cell(table, "-");
    else if (size >= 1e9)
        table_cell(table, "%.4g", value);
    else {
        bool whole = value == floor(value) || size >= 10000;
        table_cell(table, "%.*f", whole ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4, value);
    }
}

void table_fixed(Table *table, int decimals, double value, const char *unit) {
    if (isnan(value))
        table_cell(table, "-");
    else
        table_cell(table, "%.*f%s", decimals, value, unit);
}

/* The columns shown, as bits: all, or without those of the highest ranks. */
static unsigned choose_columns(const Table *table, const size_t *widths, int width) {
    unsigned shown = (1u << table->count) - 1;
    for (;;) {
        size_t total = 0;
        int last = -1;
        for (int i = 0; i < table->count; i++) {
            if (!(shown >> i & 1))
                continue;
            total += widths[i] + (total > 0 ? GAP : 0);
            if (table->columns[i].rank > (last < 0 ? 0 : table->columns[last].rank))
                last = i;
        }
        if (total <= (size_t)width || last < 0)
            return shown;
        shown &= ~(1u << last);
    }
}

static void print_cell(const Table *table, int column, unsigned shown, size_t width,
                       const char *cell, size_t length, Text *text) {
    bool left = table->columns[column].left;
    bool first = (shown & ((1u << column) - 1)) == 0, last = shown >> (column + 1) == 0;
    int space = (int)(width - length);
    text_format(text, "%*s%*s%.*s%*s", first ? 0 : GAP, "", left ? 0 : space, "", (int)length, cell,
                left && !last ? space : 0, "");
}

void table_print(Table *table, int width, Text *text) {
    const char *cells = table->cells.data ? table->cells.data : "";
    size_t widths[TABLE_MAX_COLUMNS];
    /* 1. The widths. */
    for (int i = 0; i < table->count; i++)
        widths[i] = strlen(table->columns[i].head);
    int column = 0;
    for (const char *cell = cells; *cell; cell += strcspn(cell, "\n") + 1) {
        size_t length = strcspn(cell, "\n");
        widths[column] = length > widths[column] ? length : widths[column];
        column = (column + 1) % table->count;
    }
    unsigned shown = choose_columns(table, widths, width);
    /* 2. The heads and the rows. */
    for (int i = 0; i < table->count; i++)
        if (shown >> i & 1)
            print_cell(table, i, shown, widths[i], table->columns[i].head,
                       strlen(table->columns[i].head), text);
    text_add_char(text, '\n');
    column = 0;
    for (const char *cell = cells; *cell; cell += strcspn(cell, "\n") + 1) {
        if (shown >> column & 1)
            print_cell(table, column, shown, widths[column], cell, strcspn(cell, "\n"), text);
        column = (column + 1) % table->count;
        if (column == 0)
            text_add_char(text, '\n');
    }
    /* 3. What did not fit. */
    const char *before = "not shown, because the terminal is narrow: ";
    for (int i = 0; i < table->count; i++)
        if (!(shown >> i & 1)) {
            text_format(text, "%s%s", before, table->columns[i].head);
            before = ", ";
        }
    if (shown != (1u << table->count) - 1)
        text_add_char(text, '\n');
    text->failed |= table->cells.failed;
    text_release(&table->cells);
}
