/* Any bytes as calls of the C library (include/tetropt.h), a line each: a word for the call and its
 * arguments. Nothing crashes or writes beyond what the caller gave (the buffers are exactly as
 * large as the header says), and a call that fails says why. Numbers are kept small, and what
 * computes is stopped at once: this is about what the calls take, not about what they find. */
#include "tetropt.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CALLS = 60, TEXT_BYTES = 64, BATCH = 3, GENES_MAX = 2000, LIST = 300 };

typedef struct Handles {
    tetropt_game *game;
    tetropt_job *job;
    tetropt_env *env;
    tetropt_env_layout layout;
    tetropt_env_buffers buffers; /* of the environment; all NULL: not bound */
    tetropt_problem *problem;
    tetropt_search *search;
    tetropt_agent *agent;
} Handles;

static void expect(int code, const char *message) {
    if (code < TETROPT_OK || (code != TETROPT_OK && (!message || !message[0])))
        abort();
}

static int stop_at_once(void *context, uint64_t evaluations, double best) {
    (void)context, (void)evaluations, (void)best;
    return 1;
}

/* A number of the input, small: large ones would take memory and time as they should. */
static int number(const char *text) {
    long value = strtol(text, NULL, 10);
    return (int)(value % 50);
}

/* The value of an option: of digits in a row two stay, an e behind a digit goes, so numbers are
 * small; a bar ends the row of a board. */
static const char *value_of(char *text) {
    int digits = 0;
    char *out = text;
    for (const char *c = text; *c; c++) {
        bool digit = *c >= '0' && *c <= '9';
        bool exponent = digits > 0 && (*c == 'e' || *c == 'E' || *c == '.');
        digits = digit ? digits + 1 : 0;
        if (digits <= 2 && !exponent)
            *out++ = (char)(*c == '|' ? '\n' : *c);
    }
    *out = '\0';
    return text;
}

/* ---- the environment */

static void free_buffers(Handles *h) {
    free(h->buffers.observations), free(h->buffers.final_observations), free(h->buffers.rewards);
    free(h->buffers.terminated), free(h->buffers.truncated), free(h->buffers.masks);
    h->buffers = (tetropt_env_buffers){0};
}

static void free_env(Handles *h) {
    tetropt_env_free(h->env);
    h->env = NULL;
    free_buffers(h);
}

static void bind_env(Handles *h, bool all) {
    int code = tetropt_env_sizes(h->env, &h->layout);
    expect(code, tetropt_env_message(h->env));
    if (code != TETROPT_OK || h->layout.observation_bytes > 1 << 20)
        return;
    tetropt_env_buffers own = {.observations = malloc(h->layout.observation_bytes),
                               .rewards = malloc(h->layout.reward_bytes),
                               .terminated = malloc(h->layout.flag_bytes),
                               .truncated = malloc(h->layout.flag_bytes)};
    if (all) {
        own.final_observations = malloc(h->layout.observation_bytes);
        own.masks = malloc(h->layout.mask_bytes);
    }
    code = tetropt_env_bind(h->env, &own);
    expect(code, tetropt_env_message(h->env));
    tetropt_env_buffers old = h->buffers;
    h->buffers = code == TETROPT_OK ? own : old;
    if (code == TETROPT_OK)
        own = old;
    Handles unused = {.buffers = own};
    free_buffers(&unused);
}

static void step_env(Handles *h, const char *arguments) {
    int32_t actions[50] = {0};
    for (int i = 0; i < 50 && *arguments; i++)
        actions[i] = (int32_t)strtol(arguments, (char **)&arguments, 10),
        arguments += *arguments != '\0';
    expect(tetropt_env_step(h->env, actions), tetropt_env_message(h->env));
}

static void call_env(Handles *h, const char *name, char *first, char *second) {
    tetropt_env_info info;
    tetropt_placement places[LIST];
    if (!strcmp(name, "new")) {
        free_env(h);
        h->env = tetropt_env_new(number(first));
    } else if (!strcmp(name, "set"))
        expect(tetropt_env_set(h->env, first, value_of(second)), tetropt_env_message(h->env));
    else if (!strcmp(name, "bind"))
        bind_env(h, first[0] == '1');
    else if (!strcmp(name, "reset"))
        expect(tetropt_env_reset(h->env, NULL), tetropt_env_message(h->env));
    else if (!strcmp(name, "step"))
        step_env(h, first);
    else if (!strcmp(name, "look"))
        expect(tetropt_env_look(h->env, number(first), &info), tetropt_env_message(h->env));
    else if (!strcmp(name, "placements") &&
             tetropt_env_placements(h->env, number(first), places, LIST) < 0)
        abort();
}

/* ---- games and agents */

static void call_game(Handles *h, const char *name, char *first, char *second) {
    static tetropt_placement places[LIST];
    char text[TEXT_BYTES];
    int keys[20];
    if (!strcmp(name, "set"))
        expect(tetropt_game_set(h->game, first, value_of(second)), tetropt_game_message(h->game));
    else if (!strcmp(name, "start"))
        expect(tetropt_game_start(h->game), tetropt_game_message(h->game));
    else if (!strcmp(name, "press"))
        expect(tetropt_game_press(h->game, number(first)), tetropt_game_message(h->game));
    else if (!strcmp(name, "text"))
        tetropt_game_text(h->game, text, sizeof text);
    else if (!strcmp(name, "place")) {
        int count = tetropt_game_placements(h->game, places, LIST);
        int index = abs(number(first));
        if (count > LIST)
            count = LIST;
        if (index >= count)
            return;
        places[index].x += number(second);
        if (tetropt_game_keys(h->game, &places[index], keys, 20) < -1)
            abort();
        expect(tetropt_game_place(h->game, &places[index]), tetropt_game_message(h->game));
    } else if (!strcmp(name, "choose"))
        expect(tetropt_agent_choose(h->agent, h->game, places), tetropt_agent_message(h->agent));
    else if (!strcmp(name, "agent"))
        expect(tetropt_agent_set(h->agent, first, value_of(second)),
               tetropt_agent_message(h->agent));
}

/* ---- jobs, problems and searches */

static void call_job(Handles *h, const char *name, char *first, char *second) {
    char text[TEXT_BYTES];
    if (!strcmp(name, "new")) {
        tetropt_job_free(h->job);
        h->job = tetropt_job_new(first);
        tetropt_job_on_progress(h->job, stop_at_once, NULL);
    } else if (!strcmp(name, "set"))
        expect(tetropt_job_set(h->job, first, value_of(second)), tetropt_job_message(h->job));
    else if (!strcmp(name, "run")) {
        tetropt_job_set(h->job, "threads", "1");
        tetropt_job_set(h->job, "time", "0.01");
        tetropt_job_set(h->job, "evaluations", "50");
        expect(tetropt_job_run(h->job), tetropt_job_message(h->job));
    } else if (!strcmp(name, "document"))
        tetropt_job_document(h->job, text, (size_t)abs(number(first)));
    else if (!strcmp(name, "state"))
        tetropt_job_state(h->job, text, (size_t)abs(number(first)));
}

static void use_problem(Handles *h, const char *first) {
    int genes = tetropt_problem_genes(h->problem);
    if (genes <= 0 || genes > GENES_MAX) {
        expect(genes > 0 ? TETROPT_OK : TETROPT_INPUT, tetropt_problem_message(h->problem));
        return;
    }
    size_t count = (size_t)genes * BATCH;
    int16_t *rows = malloc(count * sizeof *rows);
    double fitness[BATCH];
    char text[TEXT_BYTES];
    expect(tetropt_problem_random(h->problem, 1, BATCH, rows), tetropt_problem_message(h->problem));
    rows[abs(number(first)) % genes] += (int16_t)(number(first) / 10);
    expect(tetropt_problem_evaluate16(h->problem, rows, BATCH, fitness, 1),
           tetropt_problem_message(h->problem));
    tetropt_problem_document(h->problem, rows, text, sizeof text);
    free(rows);
}

static void use_search(Handles *h) {
    int genes = tetropt_problem_genes(h->problem);
    if (genes <= 0 || genes > GENES_MAX)
        return;
    int16_t *rows = malloc((size_t)genes * 100 * sizeof *rows);
    double fitness[100] = {0};
    for (int i = 0; i < 3; i++) {
        int asked = (int)tetropt_search_ask(h->search, rows, 100);
        if (asked <= 0 || asked > 100)
            break;
        expect(tetropt_search_tell(h->search, fitness, (size_t)asked),
               tetropt_search_message(h->search));
    }
    tetropt_search_best(h->search, rows, fitness);
    free(rows);
}

static void call_problem(Handles *h, const char *name, char *first, char *second) {
    if (!strcmp(name, "new")) {
        tetropt_search_free(h->search);
        tetropt_problem_free(h->problem);
        h->search = NULL;
        h->problem = tetropt_problem_new(first);
    } else if (!strcmp(name, "set"))
        expect(tetropt_problem_set(h->problem, first, value_of(second)),
               tetropt_problem_message(h->problem));
    else if (!strcmp(name, "use"))
        use_problem(h, first);
    else if (!strcmp(name, "search")) {
        tetropt_search_free(h->search);
        h->search = tetropt_search_new(h->problem, first);
        tetropt_search_set(h->search, "evaluations", "50");
    } else if (!strcmp(name, "option"))
        expect(tetropt_search_set(h->search, first, value_of(second)),
               tetropt_search_message(h->search));
    else if (!strcmp(name, "ask"))
        use_search(h);
}

static void call(Handles *h, char *line) {
    char *words[4] = {line, "", "", ""};
    static char empty[3][1];
    for (int i = 1; i < 4; i++) {
        words[i] = empty[i - 1];
        empty[i - 1][0] = '\0';
    }
    for (int i = 1; i < 4; i++) {
        char *space = strchr(words[i - 1], i == 3 ? '=' : ' ');
        if (!space)
            break;
        *space = '\0';
        words[i] = space + 1;
    }
    if (!strcmp(words[0], "env"))
        call_env(h, words[1], words[2], words[3]);
    else if (!strcmp(words[0], "game"))
        call_game(h, words[1], words[2], words[3]);
    else if (!strcmp(words[0], "job"))
        call_job(h, words[1], words[2], words[3]);
    else if (!strcmp(words[0], "problem"))
        call_problem(h, words[1], words[2], words[3]);
    else if (!strcmp(words[0], "fumen")) {
        char text[TEXT_BYTES];
        tetropt_fumen_pages(words[1]);
        tetropt_fumen_board(words[1], 1, text, sizeof text);
        tetropt_board_fumen(value_of(words[1]), text, sizeof text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    Handles h = {.game = tetropt_game_new(), .agent = tetropt_agent_new()};
    int calls = 0;
    for (char *next, *line = text; line && calls < CALLS; line = next, calls++) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        call(&h, line);
    }
    tetropt_search_free(h.search);
    tetropt_problem_free(h.problem);
    tetropt_job_free(h.job);
    tetropt_agent_free(h.agent);
    tetropt_game_free(h.game);
    free_env(&h);
    free(text);
    return 0;
}
