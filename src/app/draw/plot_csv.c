/* plot_csv: the numbers of a plot as CSV, to draw it with other tools. */
#include "draw/plot.h"

static void add_start(Text *csv, const PlotPanel *panel, const PlotSeries *series, size_t i) {
    text_add_csv(csv, panel->title ? panel->title : "");
    text_add_char(csv, ',');
    text_add_csv(csv, series->name ? series->name : "");
    text_add_char(csv, ',');
    size_t word = series->x[i] >= 0 ? (size_t)series->x[i] : 0;
    if (word < panel->x.word_count)
        text_add_csv(csv, panel->x.words[word]);
    else
        text_format(csv, "%.10g", series->x[i]);
}

static bool has_x_range(const PlotSeries *series) {
    return series->x_low && series->x_high;
}

static void add_series(Text *csv, const PlotPanel *panel, const PlotSeries *series, bool wide) {
    for (size_t i = 0; i < series->count; i++) {
        if (series->boxes && series->boxes[i].count == 0)
            continue;
        add_start(csv, panel, series, i);
        if (series->boxes) {
            const PlotBox *box = &series->boxes[i];
            text_format(csv, ",%.10g,%.10g,%.10g,%.10g,%.10g,%zu", box->median, box->lower,
                        box->upper, box->low, box->high, box->count);
        } else if (series->low && series->high)
            text_format(csv, ",%.10g,%.10g,%.10g,,,", series->y[i], series->low[i],
                        series->high[i]);
        else
            text_format(csv, ",%.10g,,,,,", series->y[i]);
        if (has_x_range(series))
            text_format(csv, ",%.10g,%.10g", series->x_low[i], series->x_high[i]);
        else if (wide)
            text_add(csv, ",,");
        text_add_char(csv, '\n');
    }
}

void plot_csv(const void *data, Text *csv) {
    const Plot *plot = data;
    bool wide = false;
    for (size_t i = 0; i < plot->panel_count; i++)
        for (size_t j = 0; j < plot->panels[i].series_count; j++)
            wide |= has_x_range(&plot->panels[i].series[j]);
    text_format(csv, "panel,series,x,y,low,high,least,most,values%s\n",
                wide ? ",x_low,x_high" : "");
    for (size_t i = 0; i < plot->panel_count; i++)
        for (size_t j = 0; j < plot->panels[i].series_count; j++)
            add_series(csv, &plot->panels[i], &plot->panels[i].series[j], wide);
}
