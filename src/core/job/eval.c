/* eval: the question is a document with a solution (formats/solution.h). */
#include "job/eval.h"

#include "base/memory.h"
#include "formats/solution.h"

#include <stdlib.h>
#include <string.h>

typedef struct EvalQuestion {
    const char *document;
    EvalOptions options;
} EvalQuestion;

static const Option option_rows[] = {
    OPTION_ROW(EvalOptions, TEXT, fumen, "fumen", .argument = "TEXT",
               .help =
                   "start from the field of the first page of a fumen (v115@...), for a document "
                   "without a board"),
    OPTION_ROW(EvalOptions, CHOICE, order, "order", .choices = DECODE_ORDER_CHOICES,
               .argument = "NAME",
               .help = "whether genes move or rotate a piece first (default: that of the document, "
                       "else move-first)"),
    OPTION_ROW(EvalOptions, FLAG, game_over, "game-over", .argument = "on|off",
               .help = "off: a game never ends, pieces also spawn and lock on filled cells "
                       "(default: that of the document, else on)"),
    PARAMETER_INTEGER(EvalOptions, perfect_points, "perfect-clear-points", NULL, 0,
                      DECODE_MAX_PERFECT_POINTS,
                      "score of a perfect clear (default: that of the document, else 0)"),
};

const OptionTable eval_options = OPTIONS_TABLE(option_rows);

static const Option rows[] = {
    OPTION_ROW(EvalQuestion, TEXT, document, "document", .argument = "FILE", .file = OPTION_READS,
               .help = "a solve document, an eval document or a replay"),
    OPTIONS_INCLUDE(EvalQuestion, options, eval_options),
};

SolutionGiven eval_given(const EvalOptions *options, EvalIsGiven *is_given, const void *context) {
    return (SolutionGiven){.fumen = options->fumen,
                           .rules = {.order = (DecodeOrder)options->order,
                                     .no_game_over = !options->game_over,
                                     .perfect_points = (uint8_t)options->perfect_points},
                           .order = is_given(context, "order"),
                           .game_over = is_given(context, "game-over"),
                           .perfect_points = is_given(context, "perfect-clear-points")};
}

bool eval_document(EvalRun *run, const char *text, size_t length, const SolutionGiven *given,
                   Status *status) {
    if (!solution_read(text, length, given, &run->request, &run->solution, status))
        return false;
    if (!eval_same_problem(&run->request, &run->decoded)) {
        run->decoded = run->request;
        eval_change_decoder(&run->decoded, &run->decoder);
    }
    return eval_play(&run->request, &run->decoder, &run->solution,
                     &fitness_profiles[PROFILE_BLOCKS], &run->result, status);
}

static bool question_has(const void *question, const char *name) {
    return question_given(question, name);
}

/* Whether moves can be made is found by playing them, so the work is done here. */
static void *prepare(const Question *question, Status *status) {
    const EvalQuestion *asked = question->values;
    if (!asked->document) {
        status_option(status, "document", "missing");
        return NULL;
    }
    SolutionGiven given = eval_given(&asked->options, question_has, question);
    EvalRun *run = memory_new(1, sizeof *run, status);
    if (run && eval_document(run, asked->document, strlen(asked->document), &given, status))
        return run;
    free(run);
    return NULL;
}

static bool run_eval(void *run, const ProgressWatch *watch, Status *status) {
    (void)run, (void)watch, (void)status;
    return true;
}

static void write(const void *run, bool times, JsonWriter *json) {
    (void)times;
    solution_write_result(json, &((const EvalRun *)run)->result);
}

const Job eval_job = {
    .name = "eval",
    .options = OPTIONS_TABLE(rows),
    .question_bytes = sizeof(EvalQuestion),
    .prepare = prepare,
    .run = run_eval,
    .write = write,
    .free_run = free,
};
