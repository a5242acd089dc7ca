/* table: widths, alignment, and columns that are left out. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>

#include "term/table.h"

static const TableColumn columns[] = {
    {"name", true, 0}, {"first", false, 0}, {"second", false, 2}, {"third", false, 1}};

static void expect(int width, const char *wanted) {
    Table table;
    Text text = {0};
    table_init(&table, columns, 4);
    table_cell(&table, "alpha");
    table_number(&table, 12345.6);
    table_number(&table, 0.5);
    table_number(&table, NAN);
    table_cell(&table, "b");
    table_number(&table, 7);
    table_number(&table, 123.46);
    table_number(&table, 1.234);
    table_print(&table, width, &text);
    cr_assert_str_eq(text.data, wanted);
    text_release(&text);
}

Test(table, aligns_and_leaves_out_the_least_important_columns) {
    expect(29, "name   first  second  third\n"
               "alpha  12346  0.5000      -\n"
               "b          7   123.5   1.23\n");
    expect(26, "name   first  third\n"
               "alpha  12346      -\n"
               "b          7   1.23\n"
               "not shown, because the terminal is narrow: second\n");
    expect(5, "name   first\n"
              "alpha  12346\n"
              "b          7\n"
              "not shown, because the terminal is narrow: second, third\n");
}
