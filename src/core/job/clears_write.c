/* clears_write: the answer of the job `clears` as JSON, and its state. */
#include "job/clears.h"

#include "base/json.h"

#include <stdio.h>
#include <string.h>

/* ---- percent */

static void write_rate(const ClearsRun *run, JsonWriter *json, size_t first, size_t last) {
    jw_integer(json, "solvable", (int64_t)percent_count(&run->percent, first, last));
    jw_integer(json, "queues", (int64_t)(last - first));
}

/* The rates of the queues first..last-1, which share their first `depth` pieces, by their next one.
 */
static void write_tree(const ClearsRun *run, JsonWriter *json, size_t first, size_t last,
                       int depth) {
    for (size_t i = first, end; i < last; i = end) {
        char name[] = {piece_letters[queue_piece(run->queues.codes[i], depth)], 0};
        end = queues_same(&run->queues, i, last, depth + 1);
        jw_object(json, name);
        write_rate(run, json, i, end);
        if (depth + 1 < run->asked->tree_depth && depth + 1 < run->queues.length) {
            jw_object(json, "next");
            write_tree(run, json, i, end, depth + 1);
            jw_end(json);
        }
        jw_end(json);
    }
}

static void write_failed(const ClearsRun *run, JsonWriter *json) {
    int64_t listed = 0;
    jw_array(json, "failed");
    for (size_t i = 0; i < run->percent.known && listed < run->asked->failed; i++) {
        if (run->percent.solved[i])
            continue;
        char letters[PATTERN_MAX_PIECES + 1];
        queue_letters(run->queues.codes[i], run->queues.length, letters);
        jw_string(json, NULL, letters);
        listed++;
    }
    jw_end(json);
}

static void write_percent(const ClearsRun *run, JsonWriter *json) {
    const Percent *percent = &run->percent;
    jw_put(json, JI("solvable", (int64_t)percent->solvable), JI("queues", (int64_t)percent->known),
           JI("lines", run->area.lines), JI("pieces", run->pieces),
           JB("complete", clears_complete(run)));
    if (!clears_complete(run))
        jw_integer(json, "total", (int64_t)run->queues.count);
    jw_object(json, "tree");
    if (run->asked->tree_depth > 0)
        write_tree(run, json, 0, percent->known, 0);
    jw_end(json);
    jw_integer(json, "failed_count", (int64_t)(percent->known - percent->solvable));
    write_failed(run, json);
}

/* ---- chance */

static void write_move(const ChanceMove *move, JsonWriter *json) {
    jw_object(json, NULL);
    jw_bool(json, "hold", move->hold);
    if (move->placed) {
        Placement at = move->placement;
        char letter[] = {piece_letters[at.piece], 0};
        jw_put(json, JS("piece", letter), JS("rotation", rotation_names[at.rotation]),
               JI("x", at.x), JI("y", at.y));
    }
    jw_real(json, "probability", move->probability);
    jw_object(json, "next");
    for (int p = 0; p < PIECE_COUNT; p++) {
        char letter[] = {piece_letters[p], 0};
        if (move->next[p] >= 0)
            jw_real(json, letter, move->next[p]);
    }
    jw_end(json);
    jw_end(json);
}

static void write_chance(const ClearsRun *run, JsonWriter *json) {
    const Chance *chance = &run->chance;
    jw_put(json, JR("probability", chance->probability), JI("lines", run->area.lines),
           JI("pieces", run->pieces), JB("complete", run->complete));
    jw_array(json, "moves");
    for (int i = 0; i < chance->count; i++)
        write_move(&chance->moves[i], json);
    jw_end(json);
}

void clears_write(const void *given, bool times, JsonWriter *json) {
    const ClearsRun *run = given;
    (void)times;
    if (run->asked->find == FIND_PERCENT)
        write_percent(run, json);
    else if (run->asked->find == FIND_CHANCE)
        write_chance(run, json);
    else
        clears_write_solutions(run, json);
}

void clears_write_times(const void *given, JsonWriter *json) {
    const ClearsRun *run = given;
    jw_real(json, "seconds", run->seconds);
    jw_integer(json, "threads", (int64_t)pool_threads(run->pool));
}

/* ---- the state of a search */

static const char state_mark[] = "clears";

/* Options that do not change the answer. */
static bool is_setting(const Option *row) {
    static const char *const others[] = {"threads",    "time",   "resume",
                                         "tree-depth", "failed", "max-queues"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(row->name, others[i]) == 0)
            return false;
    return true;
}

/* percent: the queues that are known, four to a hexadecimal digit. */
static void write_solved(const ClearsRun *run, JsonWriter *json) {
    Text digits = {0};
    jw_integer(json, "known", (int64_t)run->percent.known);
    for (size_t i = 0; i < run->percent.known; i += 4) {
        unsigned digit = 0;
        for (size_t k = 0; k < 4 && i + k < run->percent.known; k++)
            digit |= (unsigned)run->percent.solved[i + k] << k;
        text_add_char(&digits, "0123456789abcdef"[digit]);
    }
    jw_stringn(json, "solved", digits.data ? digits.data : "", digits.length);
    json->text->failed |= digits.failed;
    text_release(&digits);
}

/* The others: the candidates that are known, and their queues. */
static void write_decided(const Decided *decided, JsonWriter *json) {
    size_t known = decided->count > decided->known ? decided->count : decided->known;
    jw_integer(json, "known", (int64_t)known);
    jw_stringn(json, "found", decided->log.data ? decided->log.data : "", decided->log.length);
    json->text->failed |= decided->log.failed;
}

bool clears_write_state(void *given, Text *text) {
    const ClearsRun *run = given;
    const Question *question = run->question;
    JsonWriter json;
    jw_init(&json, text);
    jw_object(&json, NULL);
    jw_string(&json, "search", state_mark);
    jw_object(&json, "settings");
    for (int i = 0; i < options_count(question->table); i++) {
        Option row = options_row(question->table, i);
        Text value = {0};
        if (is_setting(&row) && options_get(&row, question->values, 0, &value) && value.length > 0)
            jw_stringn(&json, row.name, value.data, value.length);
        text->failed |= value.failed;
        text_release(&value);
    }
    jw_end(&json);
    if (run->asked->find == FIND_PERCENT)
        write_solved(run, &json);
    else
        write_decided(&run->solutions.decided, &json);
    jw_end(&json);
    return !text->failed;
}

static Json *parse_state(const char *text, Status *status) {
    Json *state = json_parse(text, strlen(text), status);
    if (!state)
        status_prefix_option(status, "resume");
    else if (!json_text(json_get(state, "search")) ||
             strcmp(json_text(json_get(state, "search")), state_mark) != 0) {
        status_option(status, "resume", "not a saved search of clears");
        json_free(state);
        state = NULL;
    }
    return state;
}

static bool is_same(const Question *question, const Option *row, const char *value) {
    Text text = {0};
    bool same = options_get(row, question->values, 0, &text) && !text.failed &&
                strcmp(text.data, value) == 0;
    text_release(&text);
    return same;
}

bool clears_restore(Question *question, Status *status) {
    const char *text = ((const ClearsQuestion *)question->values)->resume;
    if (!text)
        return true;
    Json *state = parse_state(text, status);
    const Json *settings = json_get(state, "settings");
    bool ok = state != NULL;
    for (size_t i = 0; ok && i < json_count(settings); i++) {
        const char *name = json_name_at(settings, i), *value = json_text(json_at(settings, i));
        int row = options_find(question->table, name);
        Option option = row >= 0 ? options_row(question->table, row) : (Option){0};
        if (row < 0 || !value || !*value || !is_setting(&option))
            ok = status_option(status, "resume", "settings: '%.40s' is not valid", name);
        else if (question_given(question, name))
            ok = is_same(question, &option, value) ||
                 status_option(status, name, "differs from the saved search");
        else
            ok = question_set(question, name, value, status) ||
                 status_prefix_option(status, "resume");
    }
    json_free(state);
    return ok;
}

static bool read_solved(ClearsRun *run, int64_t known, const char *digits) {
    bool ok = digits && known >= 0 && known <= (int64_t)run->queues.count &&
              strlen(digits) == ((size_t)known + 3) / 4 &&
              strspn(digits, "0123456789abcdef") == strlen(digits);
    for (size_t i = 0; ok && i < (size_t)known; i++) {
        unsigned digit = (unsigned char)digits[i / 4];
        digit = digit <= '9' ? digit - '0' : digit - 'a' + 10;
        run->percent.solved[i] = digit >> (i % 4) & 1;
    }
    run->percent.known = ok ? (size_t)known : 0;
    return ok;
}

bool clears_read_state(ClearsRun *run, Status *status) {
    Json *state = parse_state(run->asked->resume, status);
    if (!state)
        return false;
    int64_t known = json_int(json_get(state, "known"));
    const char *found = json_text(json_get(state, "found"));
    Decided *decided = &run->solutions.decided;
    bool ok = run->asked->find == FIND_PERCENT
                  ? read_solved(run, known, json_text(json_get(state, "solved")))
                  : found && known >= 0 &&
                        decided_restore(decided, (size_t)known, found, run->queues.count);
    json_free(state);
    if (decided->log.failed)
        return status_no_memory(status);
    return ok || status_option(status, "resume", "does not belong to its settings");
}
