/* Any bytes as a saved search of `clears`, and as options, a line NAME=VALUE each: refused with a
 * message, or prepared, stopped at once, answered, and saved as a state that can be read again. */
#include "job/clears.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Question *ask(Status *status) {
    Question *question = job_question(&clears_job, status);
    if (!question || !job_set(&clears_job, question, "threads", "1", status) ||
        !job_set(&clears_job, question, "max-queues", "2000", status))
        abort();
    return question;
}

/* Prepares and stops; returns the state, which the caller releases. */
static bool answer(const Question *question, Text *state) {
    Status status = {0};
    ClearsRun *run = clears_job.prepare(question, &status);
    if (!run) {
        if (!status.message[0])
            abort();
        return false;
    }
    atomic_bool stop = true;
    ProgressWatch watch = {.stop = &stop};
    Text document = {0};
    bool ok = clears_job.run(run, &watch, &status);
    if (!ok && !status.message[0])
        abort();
    if (ok)
        job_write(&clears_job, run, true, &document);
    ok = ok && run->asked->find != FIND_CHANCE && clears_job.write_state(run, state);
    text_release(&document);
    clears_job.free_run(run);
    return ok;
}

static void resume(const char *text, int depth) {
    Status status = {0};
    Text state = {0};
    Question *question = ask(&status);
    bool ok = job_set(&clears_job, question, "resume", text, &status) && answer(question, &state);
    if (depth > 0 && !ok)
        abort(); /* what was written can be read */
    if (ok && depth == 0)
        resume(state.data, 1);
    text_release(&state);
    question_free(question);
}

static void options(char *text) {
    Status status = {0};
    Text state = {0};
    Question *question = ask(&status);
    for (char *next, *line = text; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        char *value = strchr(line, '=');
        if (!value || strncmp(line, "max-queues", 10) == 0 || strncmp(line, "threads", 7) == 0)
            continue;
        *value++ = '\0';
        for (char *c = value; *c; c++)
            *c = *c == '|' ? '\n' : *c; /* rows of a board */
        status = (Status){0};
        if (!job_set(&clears_job, question, line, value, &status) && !status.message[0])
            abort();
    }
    if (answer(question, &state))
        resume(state.data, 1);
    text_release(&state);
    question_free(question);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (text[0] == '{')
        resume(text, 0);
    else
        options(text);
    free(text);
    return 0;
}
