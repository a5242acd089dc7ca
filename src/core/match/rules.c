/*
 * rules: one table of options describes a rule set, for both formats and for the lists that are
 * printed. Lists of numbers are texts in that table: "0,1,2,4".
 *
 * Sources: ppt has the numbers of the match runner battletris (Puyo Puyo Tetris, as its authors
 * measured it); guideline the attack table of docs/TBP.md.
 */
#include "match/rules.h"

#include "base/json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 200, NUMBER_MAX = 1000 };

/* A rule set as its options are written. */
typedef struct RuleTexts {
    int64_t frames_per_second, start, spawn, movement, soft_drop, perfect_delay, garbage_delay;
    int64_t back_to_back, perfect, cap, preview;
    const char *clear_delay, *clear, *mini, *spin, *combo;
    double messiness;
    bool perfect_replaces, countering, blocking;
} RuleTexts;

#define FRAMES(field_, name_, help_)                                                               \
    PARAMETER_INTEGER(RuleTexts, field_, name_, "0", 0, 100000, help_)
#define LINES(field_, name_, help_)                                                                \
    PARAMETER_INTEGER(RuleTexts, field_, name_, "0", 0, NUMBER_MAX, help_)
#define NUMBERS(field_, name_, help_)                                                              \
    OPTION_ROW(RuleTexts, TEXT, field_, name_, .fallback = "0", .argument = "N,N,...",             \
               .help = help_)
#define ONOFF(field_, name_, help_)                                                                \
    OPTION_ROW(RuleTexts, FLAG, field_, name_, .fallback = "off", .help = help_)

static const Option rows[] = {
    PARAMETER_INTEGER(RuleTexts, frames_per_second, "frames-per-second", "60", 1, 1000,
                      "frames per second"),
    FRAMES(start, "start-delay", "frames before the first piece"),
    FRAMES(spawn, "spawn-delay", "frames before every piece"),
    FRAMES(movement, "movement-delay", "frames per key press"),
    FRAMES(soft_drop, "soft-drop-delay", "frames per row of a soft drop"),
    NUMBERS(clear_delay, "clear-delay", "frames of clearing one line, two, ..."),
    FRAMES(perfect_delay, "perfect-clear-delay", "frames of a perfect clear instead"),
    FRAMES(garbage_delay, "garbage-delay", "frames from an attack to its arrival"),
    NUMBERS(clear, "clear", "lines sent by clearing one line, two, ..."),
    NUMBERS(mini, "mini", "lines sent by a mini spin that clears one line, two, ..."),
    NUMBERS(spin, "spin", "lines sent by a spin that clears one line, two, ..."),
    LINES(back_to_back, "back-to-back", "more lines for a tetris or spin after another one"),
    NUMBERS(combo, "combo", "more lines for a clear after none in a row, one, ..."),
    LINES(perfect, "perfect-clear", "lines sent by a perfect clear"),
    ONOFF(perfect_replaces, "perfect-clear-replaces", "a perfect clear sends only these"),
    PARAMETER_REAL(RuleTexts, messiness, "messiness", "0", 0, 1,
                   "probability that the hole changes within an attack, per row"),
    ONOFF(countering, "countering", "lines sent cancel waiting garbage first"),
    ONOFF(blocking, "blocking", "no garbage comes up after a clear"),
    LINES(cap, "cap", "garbage rows that come up at once; 0: no limit"),
    PARAMETER_INTEGER(RuleTexts, preview, "preview", "5", 0, 14, "visible next pieces"),
};

static const OptionTable table = OPTIONS_TABLE(rows);

/* The named sets, in the format of rule files. */
static const struct {
    const char *name, *text;
} sets[] = {
    {"ppt", "start-delay = 180\nspawn-delay = 7\nmovement-delay = 2\nsoft-drop-delay = 2\n"
            "clear-delay = 36,41,41,46\nperfect-clear-delay = 1\ngarbage-delay = 30\n"
            "clear = 0,1,2,4\nmini = 0,1,2\nspin = 2,4,6\nback-to-back = 1\n"
            "combo = 0,0,1,1,2,2,3,3,4,4,4,5\nperfect-clear = 10\nperfect-clear-replaces = on\n"
            "messiness = 0.3\ncountering = on\nblocking = off\npreview = 5\n"},
    {"guideline", "start-delay = 180\nspawn-delay = 7\nmovement-delay = 2\nsoft-drop-delay = 2\n"
                  "clear-delay = 36,41,41,46\nperfect-clear-delay = 1\ngarbage-delay = 30\n"
                  "clear = 0,1,2,4\nmini = 0,1\nspin = 2,4,6\nback-to-back = 1\n"
                  "combo = 0,0,1,1,2,2,3,3,4,4,4,5\nperfect-clear = 10\n"
                  "perfect-clear-replaces = off\nmessiness = 0.3\ncountering = on\nblocking = on\n"
                  "preview = 5\n"},
};

enum { SET_COUNT = sizeof sets / sizeof *sets, DEFAULT_SET = 0 };

const char *match_rules_name(int index) {
    return index < SET_COUNT ? sets[index].name : NULL;
}

/* ---- reading */

/* The values that were given, each a copy, since the table keeps pointers. */
typedef struct Reader {
    RuleTexts texts;
    char values[sizeof rows / sizeof *rows][VALUE_BYTES];
} Reader;

static bool set_value(Reader *reader, const char *name, const char *value, Status *status) {
    int row = options_find(table, name);
    if (row < 0)
        return options_unknown(table, "rule", name, status);
    if (snprintf(reader->values[row], VALUE_BYTES, "%s", value) >= VALUE_BYTES)
        return status_fail(status, STATUS_INPUT, "%s: '%.40s...' is too long", name, value);
    return options_set(table, &reader->texts, name, reader->values[row], status);
}

/* Copies what stands between `from` and `to`, without the spaces around it. False: it is too long.
 */
static bool copy_trimmed(const char *from, const char *to, char *out, size_t bytes) {
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    snprintf(out, bytes, "%.*s", (int)(to - from), from);
    return (size_t)(to - from) < bytes;
}

/* "base" names the set that the others change; it comes first in both formats. */
static bool read_lines(Reader *reader, const char *text, bool with_base, Status *status);

static bool read_base(Reader *reader, const char *name, Status *status) {
    for (int i = 0; i < SET_COUNT; i++)
        if (strcmp(sets[i].name, name) == 0)
            return read_lines(reader, sets[i].text, false, status);
    return status_fail(status, STATUS_INPUT, "base: '%.40s' is neither ppt nor guideline", name);
}

static bool read_lines(Reader *reader, const char *text, bool with_base, Status *status) {
    int number = 0;
    bool any = false, section = false;
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        char line[2 * VALUE_BYTES], name[VALUE_BYTES], value[VALUE_BYTES];
        bool fits = copy_trimmed(text, end, line, sizeof line);
        text = *end ? end + 1 : end;
        number++;
        if (line[0] == '\0' || line[0] == '#' || line[0] == ';')
            continue;
        if (line[0] == '[') { /* of --list-rules, say; the output has several sets */
            if (section || any)
                return status_fail(status, STATUS_INPUT,
                                   "line %d: a second section; a file has one set of rules",
                                   number);
            section = true;
            continue;
        }
        const char *equals = strchr(line, '=');
        if (!equals)
            return status_fail(status, STATUS_INPUT, "line %d: not NAME = VALUE", number);
        copy_trimmed(line, equals, name, sizeof name); /* a long one is unknown */
        fits = copy_trimmed(equals + 1, line + strlen(line), value, sizeof value) && fits;
        if (!fits)
            return status_fail(status, STATUS_INPUT, "line %d: '%.40s...' is too long", number,
                               line);
        bool is_base = with_base && strcmp(name, "base") == 0;
        if (is_base && any)
            return status_fail(status, STATUS_INPUT, "line %d: base must be the first", number);
        any = true;
        if (is_base ? !read_base(reader, value, status) : !set_value(reader, name, value, status))
            return status_prefix(status, "line %d", number);
    }
    return true;
}

/* A JSON value as the table takes it. */
static bool value_text(const Json *node, char *out, size_t bytes) {
    if (json_is_string(node))
        snprintf(out, bytes, "%s", json_text(node));
    else if (json_is_bool(node))
        snprintf(out, bytes, "%s", json_is_true(node) ? "on" : "off");
    else if (json_is_integer(node))
        snprintf(out, bytes, "%lld", (long long)json_int(node));
    else if (json_is_number(node)) {
        Text number = {0};
        JsonWriter w;
        jw_init(&w, &number);
        jw_real(&w, NULL, json_number(node));
        snprintf(out, bytes, "%s", number.data ? number.data : "");
        text_release(&number);
    } else if (json_is_array(node)) {
        size_t used = 0;
        out[0] = '\0';
        for (size_t i = 0; i < json_count(node) && used < bytes; i++) {
            if (!json_is_integer(json_at(node, i)))
                return false;
            used += (size_t)snprintf(out + used, bytes - used, "%s%lld", i ? "," : "",
                                     (long long)json_int(json_at(node, i)));
        }
    } else
        return false;
    return true;
}

static bool read_json(Reader *reader, const char *text, Status *status) {
    Json *object = json_parse(text, strlen(text), status);
    bool ok = object != NULL;
    if (ok && !json_is_object(object))
        ok = status_fail(status, STATUS_INPUT, "not an object");
    const char *base = json_text(json_get(object, "base"));
    ok = ok && (!base || read_base(reader, base, status));
    for (size_t i = 0; ok && i < json_count(object); i++) {
        const char *name = json_name_at(object, i);
        char value[VALUE_BYTES + 1];
        if (strcmp(name, "base") == 0 && base)
            continue;
        ok = value_text(json_at(object, i), value, sizeof value)
                 ? set_value(reader, name, value, status)
                 : status_fail(status, STATUS_INPUT,
                               "%s: not a number, a text, true, false or a list of integers", name);
    }
    json_free(object);
    return ok;
}

static bool read_numbers(const char *name, const char *text, MatchNumbers *numbers,
                         Status *status) {
    numbers->count = 0;
    for (const char *at = text;; at++) {
        char *end;
        long value = strtol(at, &end, 10);
        if (end == at || value < 0 || value > NUMBER_MAX || (*end && *end != ','))
            return status_fail(status, STATUS_INPUT, "%s: '%.40s' is not a list of 0..%d", name,
                               text, NUMBER_MAX);
        if (numbers->count == MATCH_LIST_MAX)
            return status_fail(status, STATUS_INPUT, "%s: more than %d numbers", name,
                               MATCH_LIST_MAX);
        numbers->values[numbers->count++] = (int)value;
        if (!*end)
            return true;
        at = end;
    }
}

static bool take(const RuleTexts *texts, MatchRules *rules, Status *status) {
    *rules = (MatchRules){.frames_per_second = texts->frames_per_second,
                          .start = texts->start,
                          .spawn = texts->spawn,
                          .movement = texts->movement,
                          .soft_drop = texts->soft_drop,
                          .perfect_delay = texts->perfect_delay,
                          .garbage_delay = texts->garbage_delay,
                          .back_to_back = texts->back_to_back,
                          .perfect = texts->perfect,
                          .perfect_replaces = texts->perfect_replaces,
                          .messiness = texts->messiness,
                          .countering = texts->countering,
                          .blocking = texts->blocking,
                          .cap = texts->cap,
                          .preview = texts->preview};
    return read_numbers("clear-delay", texts->clear_delay, &rules->clear_delay, status) &&
           read_numbers("clear", texts->clear, &rules->clear, status) &&
           read_numbers("mini", texts->mini, &rules->mini, status) &&
           read_numbers("spin", texts->spin, &rules->spin, status) &&
           read_numbers("combo", texts->combo, &rules->combo, status);
}

bool match_rules_read(const char *value, MatchRules *rules, Status *status) {
    Reader reader = {0};
    options_defaults(table, &reader.texts);
    bool text = strpbrk(value, "={\n") != NULL;
    bool ok = read_base(&reader, text ? sets[DEFAULT_SET].name : value, status);
    if (!ok) {
        *status = (Status){0};
        return status_fail(status, STATUS_INPUT,
                           "unknown rules '%.60s' (a name of --list-rules, or a file)", value);
    }
    if (text)
        ok = value[strspn(value, " \t\r\n")] == '{' ? read_json(&reader, value, status)
                                                    : read_lines(&reader, value, true, status);
    return ok && take(&reader.texts, rules, status);
}

/* ---- writing */

void match_rules_list(const char *name, Text *text) {
    Reader reader = {0};
    Status ignored = {0};
    options_defaults(table, &reader.texts);
    read_base(&reader, name, &ignored);
    text_format(text, "[%s]\n", name);
    for (int i = 0; i < options_count(table); i++) {
        Option row = options_row(table, i);
        text_format(text, "# %s\n%s = ", row.help, row.name);
        if (row.kind == OPTION_REAL) /* shorter than options_get writes it: 0.3 */
            text_format(text, "%.15g", *(const double *)((const char *)&reader.texts + row.offset));
        else
            options_get(&row, &reader.texts, 0, text);
        text_add_char(text, '\n');
    }
}

static void write_numbers(JsonWriter *json, const char *name, const MatchNumbers *numbers) {
    jw_array(json, name);
    for (int i = 0; i < numbers->count; i++)
        jw_integer(json, NULL, numbers->values[i]);
    jw_end(json);
}

void match_rules_write(const MatchRules *rules, JsonWriter *json) {
    jw_put(json, JI("frames-per-second", rules->frames_per_second), JI("start-delay", rules->start),
           JI("spawn-delay", rules->spawn), JI("movement-delay", rules->movement),
           JI("soft-drop-delay", rules->soft_drop));
    write_numbers(json, "clear-delay", &rules->clear_delay);
    jw_put(json, JI("perfect-clear-delay", rules->perfect_delay),
           JI("garbage-delay", rules->garbage_delay));
    write_numbers(json, "clear", &rules->clear);
    write_numbers(json, "mini", &rules->mini);
    write_numbers(json, "spin", &rules->spin);
    jw_integer(json, "back-to-back", rules->back_to_back);
    write_numbers(json, "combo", &rules->combo);
    jw_put(json, JI("perfect-clear", rules->perfect),
           JB("perfect-clear-replaces", rules->perfect_replaces), JR("messiness", rules->messiness),
           JB("countering", rules->countering), JB("blocking", rules->blocking),
           JI("cap", rules->cap), JI("preview", rules->preview));
}

/* ---- using */

static int number_at(const MatchNumbers *numbers, int index) {
    return numbers->values[index < numbers->count ? index : numbers->count - 1];
}

int match_attack(const MatchRules *rules, ScoreLock lock, ScoreChain before) {
    if (lock.lines == 0)
        return 0;
    if (lock.board_empty && rules->perfect_replaces)
        return (int)rules->perfect;
    const MatchNumbers *table_of = lock.spin == SPIN_FULL   ? &rules->spin
                                   : lock.spin == SPIN_MINI ? &rules->mini
                                                            : &rules->clear;
    int sent = number_at(table_of, lock.lines - 1);
    if (before.back_to_back && (lock.spin != SPIN_NONE || lock.lines >= 4))
        sent += (int)rules->back_to_back;
    return sent + number_at(&rules->combo, before.combo) +
           (lock.board_empty ? (int)rules->perfect : 0);
}

void match_holes(const MatchRules *rules, int width, Rng *rng, int *hole, uint8_t *holes,
                 int count) {
    for (int i = 0; i < count; i++) {
        if (i == 0 || rng_chance(rng, rules->messiness)) {
            int other = (int)rng_below(rng, (uint32_t)(width - 1));
            *hole = other + (other >= *hole);
        }
        holes[i] = (uint8_t)*hole;
    }
}

int match_clear_frames(const MatchRules *rules, ScoreLock lock) {
    return lock.lines == 0    ? 0
           : lock.board_empty ? (int)rules->perfect_delay
                              : number_at(&rules->clear_delay, lock.lines - 1);
}
