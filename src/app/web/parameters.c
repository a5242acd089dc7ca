/* parameters: a parameter table as JSON; see the header. */
#include "web/parameters.h"

#include "base/json_writer.h"

#include <stdio.h>

/* Integral bounds are written as integers. */
static void write_bound(JsonWriter *w, const char *name, double value) {
    char digits[32];
    jw_raw(w, name, digits, (size_t)snprintf(digits, sizeof digits, "%.17g", value));
}

void parameters_row_json(JsonWriter *w, const Option *row, const ParameterBound *bounds) {
    static const char *const kinds[] = {"flag", "integer", "real", "text", "choice", "list"};
    char word[64];
    jw_object(w, NULL);
    jw_put(w, JS("name", row->name), JS("kind", kinds[row->kind]),
           JS("default", row->fallback ? row->fallback : ""));
    if (row->min != 0 || row->max != 0) {
        write_bound(w, "min", row->min);
        write_bound(w, "max", parameters_max(row, bounds));
    }
    if (row->choices || row->word_at) {
        jw_array(w, "choices");
        for (int i = 0; row->choices && i < options_choice_count(row->choices); i++)
            jw_string(w, NULL, options_choice_word(row->choices, i, word, sizeof word));
        for (int i = 0; row->word_at && row->word_at(i); i++)
            jw_string(w, NULL, row->word_at(i));
        jw_end(w);
    }
    Text help = {0};
    options_purpose(row, &help);
    jw_string(w, "help", help.data ? help.data : "");
    w->text->failed |= help.failed;
    text_release(&help);
    jw_end(w);
}

void parameters_json(JsonWriter *w, const char *name, OptionTable table,
                     const ParameterBound *bounds) {
    jw_array(w, name);
    for (int i = 0; i < options_count(table); i++) {
        Option row = options_row(table, i);
        parameters_row_json(w, &row, bounds);
    }
    jw_end(w);
}
