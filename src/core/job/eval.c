/* eval: the question is a document with a solution (formats/solution.h). */
#include "job/eval.h"

#include "base/memory.h"
#include "formats/solution.h"

#include <stdlib.h>
#include <string.h>

typedef struct EvalQuestion {
    const char *document, *fumen;
} EvalQuestion;

static const Option rows[] = {
    OPTION_ROW(EvalQuestion, TEXT, document, "document", .argument = "FILE", .file = OPTION_READS,
               .help = "a solve document, an eval document or a replay"),
    OPTION_ROW(
        EvalQuestion, TEXT, fumen, "fumen", .argument = "TEXT",
        .help = "the board at the start: the field of the first page of a fumen (v115@...), for a "
                "document without one"),
};

static bool read(EvalRun *run, const char *text, size_t length, const char *fumen, Status *status) {
    return solution_read(text, length, fumen, &run->request, &run->solution, status);
}

static bool evaluate(EvalRun *run, Status *status) {
    return eval_run(&run->request, &run->solution, &fitness_profiles[PROFILE_BLOCKS], &run->result,
                    status);
}

bool eval_document(EvalRun *run, const char *text, size_t length, const char *fumen,
                   Status *status) {
    return read(run, text, length, fumen, status) && evaluate(run, status);
}

/* Whether moves can be made is found by playing them, so the work is done here. */
static void *prepare(const Question *question, Status *status) {
    const EvalQuestion *asked = question->values;
    if (!asked->document) {
        status_option(status, "document", "missing");
        return NULL;
    }
    EvalRun *run = memory_new(1, sizeof *run, status);
    if (run && eval_document(run, asked->document, strlen(asked->document), asked->fumen, status))
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
