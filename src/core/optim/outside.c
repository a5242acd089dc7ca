/*
 * outside: `run` is the conversation in numbered steps.
 *
 * Nothing waits without an end: reads come back every POLL_MS, so that a stop or the time limit
 * ends a run whose program is busy. A program that sends something else than a batch of valid
 * genotypes fails the run with a message.
 */
#include "optim/outside.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "optim/control.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_MS = 100, END_MS = 500, BATCH_MAX = 100000 };

static const char prefix[] = "lines";

static const Option rows[] = {
    OPTION_ROW(OptimOutsideParameters, REAL, answer_seconds, "answer", .fallback = "60", .min = 0.1,
               .max = 1e6, .argument = "SECONDS",
               .help = "seconds after which a program that does not answer has failed"),
};

const char *optim_outside_command(const char *name, char *query) {
    size_t length = sizeof prefix - 1;
    const char *colon = strchr(name, ':');
    if (strncmp(name, prefix, length) != 0 || !colon ||
        (name[length] != ':' && name[length] != '?'))
        return NULL;
    size_t given = name[length] == '?' ? (size_t)(colon - name) - length - 1 : 0;
    snprintf(query, OUTSIDE_QUERY_BYTES, "%.*s", (int)given, name + length + 1);
    return colon + 1;
}

typedef struct Talk {
    Control control;
    const OptimOutsideParameters *parameters;
    void *child;
    size_t genes;
    Text line;
    unsigned char *genotype;
    double *fitness; /* of the last batch */
    size_t count;
} Talk;

static size_t gene_count(const Problem *problem) {
    return problem->genotype_bytes / problem->gene_bytes;
}

/* ---- messages */

static bool fail(const Talk *talk, ChildRead how, Status *status) {
    if (how == CHILD_ENDED)
        return status_fail(status, STATUS_SYSTEM, "lines: the program %s",
                           talk->parameters->host->ending(talk->child));
    if (how == CHILD_LATE)
        return status_fail(status, STATUS_SYSTEM, "lines: no answer within %g s",
                           talk->parameters->answer_seconds);
    return status_fail(status, STATUS_SYSTEM, "lines: more than %d bytes without an end of line",
                       CHILD_LINE_MAX);
}

static bool send(Talk *talk, Status *status) {
    text_add_char(&talk->line, '\n');
    if (talk->line.failed)
        return status_no_memory(status);
    uint64_t deadline = clock_now_ns() + (uint64_t)(talk->parameters->answer_seconds * 1e9);
    ChildRead how =
        talk->parameters->host->write(talk->child, talk->line.data, talk->line.length, deadline);
    text_clear(&talk->line);
    return how == CHILD_LINE || how == CHILD_STOPPED || fail(talk, how, status);
}

static bool send_problem(Talk *talk, Status *status) {
    const OptimRun *run = talk->control.run;
    const Problem *problem = run->problem;
    JsonWriter w;
    jw_init(&w, &talk->line);
    jw_object(&w, NULL);
    jw_put(&w, JS("type", "problem"), JS("problem", problem->name), JI("units", problem->units),
           JI("genes", (int64_t)talk->genes), JI("seed", (int64_t)(run->seed & INT64_MAX)));
    if (run->evaluations > 0)
        jw_integer(&w, "evaluations", (int64_t)run->evaluations);
    else
        jw_null(&w, "evaluations");
    jw_array(&w, "ranges");
    for (size_t i = 0; i < talk->genes; i++) {
        int low, high;
        problem->range(problem, i, &low, &high);
        jw_integers(&w, NULL, (int64_t[]){low, high}, 2);
    }
    jw_end(&w);
    jw_end(&w);
    return send(talk, status);
}

static bool send_fitness(Talk *talk, bool over, Status *status) {
    JsonWriter w;
    jw_init(&w, &talk->line);
    jw_object(&w, NULL);
    jw_reals(&w, "tell", talk->fitness, talk->count);
    jw_put(&w, JR("best", talk->control.outcome->fitness),
           JI("evaluations", (int64_t)talk->control.outcome->evaluations), JB("stop", over));
    jw_end(&w);
    return send(talk, status);
}

/* The next message; NULL with a status, or without one at the end of the run or of the program. */
static Json *receive(Talk *talk, Status *status) {
    uint64_t begin = clock_now_ns();
    const char *line;
    size_t length;
    while (!control_cut(&talk->control)) {
        uint64_t now = clock_now_ns();
        ChildRead how = talk->parameters->host->read(talk->child, now + (uint64_t)POLL_MS * 1000000,
                                                     &line, &length);
        if (how == CHILD_LINE) {
            Json *message = json_parse(line, length, status);
            if (!message)
                status_prefix(status, "lines");
            return message;
        }
        if (how == CHILD_STOPPED || (how == CHILD_ENDED && talk->control.outcome->evaluations > 0))
            return NULL; /* we or it have enough */
        if (how != CHILD_LATE || clock_seconds_since(begin) > talk->parameters->answer_seconds) {
            fail(talk, how, status);
            return NULL;
        }
    }
    return NULL;
}

/* ---- genotypes */

static bool read_genotype(Talk *talk, const Json *genes, size_t number, Status *status) {
    const Problem *problem = talk->control.problem;
    if (json_count(genes) != talk->genes || !json_is_array(genes))
        return status_fail(status, STATUS_INPUT, "lines: ask[%zu]: is not an array of %zu genes",
                           number, talk->genes);
    for (size_t i = 0; i < talk->genes; i++) {
        const Json *gene = json_at(genes, i);
        int low, high;
        problem->range(problem, i, &low, &high);
        int64_t value = json_is_integer(gene) ? json_int(gene) : (int64_t)high + 1;
        if (value < low || value > high)
            return status_fail(status, STATUS_INPUT,
                               "lines: ask[%zu][%zu]: is not an integer in %d..%d", number, i, low,
                               high);
        if (problem->gene_bytes == 1)
            ((int8_t *)talk->genotype)[i] = (int8_t)value;
        else
            ((int16_t *)(void *)talk->genotype)[i] = (int16_t)value;
    }
    void *scratch = control_scratch(&talk->control, 0);
    return !problem->valid || problem->valid(problem, scratch, talk->genotype) ||
           status_fail(status, STATUS_INPUT, "lines: ask[%zu]: is not a valid genotype", number);
}

/* Evaluates a batch, as far as the limits allow. */
static bool evaluate(Talk *talk, const Json *batch, Status *status) {
    const Problem *problem = talk->control.problem;
    size_t count = json_count(batch);
    if (!json_is_array(batch) || count == 0 || count > BATCH_MAX)
        return status_fail(status, STATUS_INPUT, "lines: ask: is not an array of 1..%d genotypes",
                           BATCH_MAX);
    double *grown = realloc(talk->fitness, count * sizeof *grown);
    if (!grown)
        return status_no_memory(status);
    talk->fitness = grown;
    talk->count = 0;
    for (size_t i = 0; i < count && control_left(&talk->control) > 0; i++) {
        if (!read_genotype(talk, json_at(batch, i), i, status))
            return false;
        double fitness =
            problem->evaluate(problem, control_scratch(&talk->control, 0), talk->genotype);
        control_spend(&talk->control, 1);
        control_offer(&talk->control, talk->genotype, fitness);
        talk->fitness[talk->count++] = fitness;
    }
    return true;
}

/* ---- the run */

static bool converse(Talk *talk, Status *status) {
    OptimOutcome *outcome = talk->control.outcome;
    /* 1. The problem. */
    if (!send_problem(talk, status))
        return false;
    for (;;) {
        /* 2. A batch, or the end. */
        Json *message = receive(talk, status);
        if (!message)
            break;
        const Json *batch = json_get(message, "ask");
        bool done = !batch && json_is_true(json_get(message, "done"));
        bool ok = done || evaluate(talk, batch, status);
        json_free(message);
        if (done || !ok)
            break;
        /* 3. Its fitness, and whether that was the last. */
        outcome->generations++;
        control_report_population(&talk->control, talk->fitness, talk->count,
                                  (Progress){.generation = outcome->generations});
        bool over = control_over(&talk->control);
        if (!send_fitness(talk, over, status) || over)
            break;
    }
    if (status->code == STATUS_OK && outcome->evaluations == 0) {
        if (control_over(&talk->control) && outcome->end == OPTIM_STOPPED)
            return status_fail(status, STATUS_INTERRUPTED,
                               "lines: interrupted before the program asked for anything");
        return status_fail(status, STATUS_SYSTEM, "lines: the program asked for nothing");
    }
    if (status->code == STATUS_OK)
        control_over(&talk->control); /* says why it ended */
    return status->code == STATUS_OK;
}

static bool run(const OptimRun *run, const void *parameters, OptimOutcome *outcome,
                Status *status) {
    const OptimOutsideParameters *own = parameters;
    Talk talk = {.parameters = own};
    Status local = {.code = STATUS_OK};
    bool ok = control_init(&talk.control, run, outcome, status);
    talk.genes = gene_count(run->problem);
    talk.genotype = ok ? control_allocate(1, run->problem->genotype_bytes, status) : NULL;
    talk.child = talk.genotype ? own->host->start(own->command, status) : NULL;
    ok = talk.child != NULL;
    if (ok) {
        ok = converse(&talk, &local);
        if (!ok && status)
            *status = local;
        own->host->end(talk.child, END_MS);
    }
    text_release(&talk.line);
    free(talk.genotype);
    free(talk.fitness);
    control_release(&talk.control);
    return ok;
}

const Optimiser outside_optimiser = {
    .name = "lines",
    .summary = "a program that asks for batches of genotypes and gets their fitness",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(OptimOutsideParameters),
    .run = run,
};
