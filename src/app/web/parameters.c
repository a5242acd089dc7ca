/* parameters: a parameter table as JSON; see the header. */
#include "web/parameters.h"

#include "base/json_text.h"

static void write_choices(const char *choices, Text *text) {
    char word[64];
    json_text_name(text, true, "choices");
    text_add_char(text, '[');
    for (int i = 0; i < options_choice_count(choices); i++) {
        if (i > 0)
            text_add_char(text, ',');
        json_text_string(text, options_choice_word(choices, i, word, sizeof word));
    }
    text_add_char(text, ']');
}

static void write_row(const Option *row, const ParameterBound *bounds, Text *text) {
    static const char *const kinds[] = {"flag", "integer", "real", "text", "choice", "list"};
    text_add(text, "{\"name\":");
    json_text_string(text, row->name);
    text_format(text, ",\"kind\":\"%s\",\"default\":", kinds[row->kind]);
    json_text_string(text, row->fallback ? row->fallback : "");
    if (row->min != 0 || row->max != 0)
        text_format(text, ",\"min\":%.17g,\"max\":%.17g", row->min, parameters_max(row, bounds));
    if (row->choices)
        write_choices(row->choices, text);
    json_text_name(text, true, "help");
    json_text_string(text, row->help ? row->help : "");
    text_add_char(text, '}');
}

void parameters_json(OptionTable table, const ParameterBound *bounds, Text *text) {
    text_add_char(text, '[');
    for (int i = 0; i < options_count(table); i++) {
        Option row = options_row(table, i);
        if (i > 0)
            text_add_char(text, ',');
        write_row(&row, bounds, text);
    }
    text_add_char(text, ']');
}
