/* train_document: the member `training` of a file of trained weights. */
#include "io/train_document.h"

#include <math.h>

static void write_held_out(JsonWriter *w, const TrainTask *task, const TrainHeldOut *held_out) {
    if (!held_out) {
        jw_null(w, "held_out");
        return;
    }
    const TrialSummary *summary = &held_out->summary;
    jw_object(w, "held_out");
    jw_put(w, JS("measure", task->objective->measure), JR("mean", summary->mean));
    if (isnan(summary->low))
        jw_null(w, "ci95");
    else
        jw_reals(w, "ci95", (double[]){summary->low, summary->high}, 2);
    jw_put(w, JI("games", held_out->games), JI("pieces", held_out->pieces),
           JI("lines", held_out->lines), JI("deaths", held_out->deaths),
           JI("seed", (int64_t)held_out->seed));
    jw_end(w);
}

void train_document_write(JsonWriter *w, const Text *settings, const TrainTask *task,
                          const Trainer *trainer, const TrainHeldOut *held_out,
                          const char *const *names) {
    jw_object(w, "training");
    jw_string(w, "program", TETROPT_VERSION);
    jw_raw(w, "settings", settings->data, settings->length);
    jw_put(w, JI("generations", trainer_generation(trainer)), JI("games", trainer_games(trainer)),
           JI("pieces", trainer_pieces(trainer)));
    jw_array(w, "dropped");
    for (int i = 0; i < task->weights; i++)
        if (trainer_dropped(trainer) >> i & 1)
            jw_string(w, NULL, names[i]);
    jw_end(w);
    write_held_out(w, task, held_out);
    jw_end(w);
}
