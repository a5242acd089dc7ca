/*
 * table: rows of cells, each column as wide as its widest cell. Where a table is wider than the
 * terminal, the least important columns are left out and named below it.
 *
 * Use: table_init, then table_cell for every cell in order, then table_print, which releases it.
 */
#ifndef TETROPT_TERM_TABLE_H
#define TETROPT_TERM_TABLE_H

#include "base/text.h"

enum { TABLE_MAX_COLUMNS = 16 };

typedef struct TableColumn {
    const char *head;
    bool left; /* aligned; numbers are aligned right */
    int rank;  /* 0: always shown; of the others the highest is left out first */
} TableColumn;

typedef struct Table {
    const TableColumn *columns;
    int count;
    Text cells; /* each followed by a line end */
} Table;

void table_init(Table *table, const TableColumn *columns, int count);
void table_cell(Table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A number with about five digits, an integer without decimals; NaN is "-". */
void table_number(Table *table, double value);

/* A number with so many decimals and what follows it, such as " %"; NaN is "-". */
void table_fixed(Table *table, int decimals, double value, const char *unit);

/* Adds the table to `text`, at most `width` columns wide if its columns of rank 0 fit. */
void table_print(Table *table, int width, Text *text);

#endif
