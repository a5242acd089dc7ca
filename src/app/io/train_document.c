#include "io/train_document.h"

#include <math.h>

static json_t *held_out_json(const TrainTask *task, const TrainHeldOut *held_out) {
    if (!held_out)
        return json_null();
    const TrialSummary *summary = &held_out->summary;
    json_t *interval = isnan(summary->low)
                           ? json_null()
                           : json_pack("[f, o]", summary->low, json_finite(summary->high));
    return json_pack("{s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:I}", "measure",
                     task->objective->measure, "mean", json_finite(summary->mean), "ci95", interval,
                     "games", (json_int_t)held_out->games, "pieces", (json_int_t)held_out->pieces,
                     "lines", (json_int_t)held_out->lines, "deaths", (json_int_t)held_out->deaths,
                     "seed", (json_int_t)held_out->seed);
}

void train_document_add(json_t **document, const json_t *settings, const TrainTask *task,
                        const Trainer *trainer, const TrainHeldOut *held_out,
                        const char *const *names) {
    json_t *dropped = json_array();
    for (int i = 0; i < task->weights; i++)
        if (trainer_dropped(trainer) >> i & 1)
            json_add(&dropped, json_string(names[i]));
    json_t *training = json_pack(
        "{s:s, s:O, s:I, s:I, s:I, s:o, s:o}", "program", TETROPT_VERSION, "settings",
        (json_t *)settings, "generations", (json_int_t)trainer_generation(trainer), "games",
        (json_int_t)trainer_games(trainer), "pieces", (json_int_t)trainer_pieces(trainer),
        "dropped", dropped, "held_out", held_out_json(task, held_out));
    json_put(document, "training", training);
}
