/* Any bytes as a finished tuning in a store, which the report shows, and as texts of --space, a
 * line each: refused with a message, or a page that is drawn, or configurations within their
 * ranges. */
#include "report/report_page.h"
#include "tune/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void show(const char *text) {
    Report report;
    Status status = {0};
    report_init(&report);
    report.figures = arena_zeroed(&report.arena, REPORT_MAX_FIGURES, sizeof *report.figures);
    if (!report_tuning(&report, text, &status) && !status.message[0])
        abort();
    for (size_t i = 0; i < report.figure_count; i++) {
        Text csv = {0}, svg = {0};
        if (report.figures[i].csv)
            report.figures[i].csv(report.figures[i].page.data, &csv);
        drawing_svg(&report.figures[i].page, DRAWING_IN_FILE, &svg);
        text_release(&csv);
        text_release(&svg);
    }
    report_release(&report);
}

static void check(const Space *space, const SpaceConfig *config) {
    for (int i = 0; i < space->count; i++) {
        const SpaceParameter *own = &space->items[i];
        double value = config->values[i];
        char text[SPACE_VALUE_BYTES];
        bool active = space_is_active(space, config, i);
        if (active == isnan(value) ||
            (active && (value < own->low || value > own->high) && own->kind != SPACE_WORD) ||
            (active && own->kind == SPACE_WORD && (value < 0 || value >= own->word_count)))
            abort();
        space_text(own, value, text);
        double unit = space_to_unit(own, value);
        if (active && !(unit >= 0 && unit <= 1))
            abort();
    }
}

static void narrow(char *text) {
    static Space space;
    static const Option row = {.name = "number", .kind = OPTION_REAL, .min = -1e9, .max = 1e9};
    space = (Space){0};
    Status status = {0};
    for (char *next, *line = text; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        status = (Status){0};
        if (!space_set(&space, line, line[0] == 'n' ? &row : NULL, &status) && !status.message[0])
            abort();
    }
    status = (Status){0};
    if (!space_finish(&space, &status)) {
        if (!status.message[0])
            abort();
        return;
    }
    Rng rng;
    rng_init(&rng, 1, 1);
    SpaceConfig config = space_default(&space);
    check(&space, &config);
    for (int i = 0; i < 4; i++) {
        SpaceConfig other = space_random(&space, &rng);
        check(&space, &other);
        config = space_near(&space, &other, 0.3, 0.5, &rng);
        check(&space, &config);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (text[0] == '{')
        show(text);
    else
        narrow(text);
    free(text);
    return 0;
}
