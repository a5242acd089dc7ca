/* Any bytes as the lines of an outside optimiser: the run ends with a best or with a message. */
#include "optim/outside.h"
#include "problem/queens.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Script {
    char *text, *next, *end;
} Script;

static Script script;

static void *start(const char *command, Status *status) {
    (void)command, (void)status;
    return &script;
}

static ChildRead write_any(void *child, const char *bytes, size_t count, uint64_t deadline_ns) {
    (void)child, (void)bytes, (void)count, (void)deadline_ns;
    return CHILD_LINE;
}

static ChildRead read_line(void *child, uint64_t deadline_ns, const char **line, size_t *length) {
    (void)deadline_ns;
    Script *own = child;
    if (own->next >= own->end)
        return CHILD_ENDED;
    char *stop = memchr(own->next, '\n', (size_t)(own->end - own->next));
    stop = stop ? stop : own->end;
    *line = own->next;
    *length = (size_t)(stop - own->next);
    *stop = '\0';
    own->next = stop + 1;
    return CHILD_LINE;
}

static const char *ending(void *child) {
    (void)child;
    return "ended";
}

static void pause_none(void *child, bool paused) {
    (void)child, (void)paused;
}

static void end(void *child, int grace_ms) {
    (void)child, (void)grace_ms;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ChildHost host = {start, write_any, read_line, ending, pause_none, end};
    script.text = malloc(size + 1);
    memcpy(script.text, data, size);
    script.next = script.text;
    script.end = script.text + size;
    Queens queens;
    queens_init(&queens, 5, NULL);
    Pool *pool = pool_new(1, NULL);
    int16_t best[8];
    OptimRun run = {.problem = &queens.problem, .evaluations = 50, .pool = pool};
    OptimOutcome outcome = {.genotype = best};
    OptimOutsideParameters parameters = {.answer_seconds = 1, .command = "x", .host = &host};
    Status status = {0};
    bool ok = outside_optimiser.run(&run, &parameters, &outcome, &status);
    if (ok ? outcome.evaluations == 0 || outcome.evaluations > 50 : !status.message[0])
        abort();
    pool_free(pool);
    free(script.text);
    return 0;
}
