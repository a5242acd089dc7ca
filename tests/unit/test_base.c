/* base: the generator's known values, exp and log against the C library, options, files, the pool.
 */
#include <signal.h>

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/options.h"
#include "base/parameters.h"
#include "base/pool.h"
#include "base/real.h"
#include "base/rng.h"
#include "base/units.h"
#include "base/utf8.h"
#include "system/file.h"

Test(rng, follows_the_published_algorithm) {
    /* From the reference code with the state 1, 2, 3, 4. */
    Rng rng = {{1, 2, 3, 4}};
    cr_assert_eq(rng_next(&rng), 11520u);
    cr_assert_eq(rng_next(&rng), 0u);
    cr_assert_eq(rng_next(&rng), 1509978240u);
    cr_assert_eq(rng_next(&rng), 1215971899390074240u);
}

Test(rng, streams_differ_and_repeat) {
    Rng a, b, c;
    rng_init(&a, 7, 0);
    rng_init(&b, 7, 0);
    rng_init(&c, 7, 1);
    uint64_t first = rng_next(&a);
    cr_assert_eq(first, rng_next(&b));
    cr_assert_neq(first, rng_next(&c));
}

Test(rng, below_is_even) {
    Rng rng;
    rng_init(&rng, 1, 0);
    int counts[7] = {0};
    for (int i = 0; i < 70000; i++)
        counts[rng_below(&rng, 7)]++;
    for (int i = 0; i < 7; i++) /* 5 standard deviations of a binomial are 463 */
        cr_assert(abs(counts[i] - 10000) < 463, "%d came %d times", i, counts[i]);
}

Test(real, exp_and_log_are_close_to_the_library) {
    for (int i = -700000; i <= 700000; i += 37) {
        double x = i / 1000.0;
        cr_assert(fabs(real_exp(x) / exp(x) - 1) < 1e-14, "exp(%g)", x);
        double y = exp(x);
        cr_assert(fabs(real_log(y) - log(y)) <= 1e-14 * fmax(1, fabs(log(y))), "log(%g)", y);
    }
    cr_assert_eq(real_exp(0), 1.0);
    cr_assert_eq(real_exp(-1000), 0.0);
    cr_assert(isinf(real_exp(1000)));
    cr_assert(isinf(real_log(0)));
    cr_assert(isnan(real_log(-1)));
}

typedef struct Sample {
    bool flag;
    int64_t number;
    double real;
    const char *text;
    int choice;
    OptionList list;
} Sample;

static const Option sample_rows[] = {
    {.name = "flag", .kind = OPTION_FLAG, .offset = offsetof(Sample, flag), .help = "a flag"},
    {.name = "number",
     .kind = OPTION_INTEGER,
     .offset = offsetof(Sample, number),
     .fallback = "5",
     .min = 1,
     .max = 9,
     .argument = "N",
     .help = "a number"},
    {.name = "real",
     .kind = OPTION_REAL,
     .offset = offsetof(Sample, real),
     .fallback = "0.5",
     .min = 0,
     .max = 1,
     .argument = "X",
     .help = "a real"},
    {.name = "text",
     .kind = OPTION_TEXT,
     .offset = offsetof(Sample, text),
     .argument = "FILE",
     .help = "a text"},
    {.name = "choice",
     .kind = OPTION_CHOICE,
     .offset = offsetof(Sample, choice),
     .fallback = "two",
     .choices = "one|two|three",
     .argument = "WORD",
     .help = "a choice"},
    {.name = "list",
     .kind = OPTION_LIST,
     .offset = offsetof(Sample, list),
     .argument = "A=B",
     .help = "a list"},
};
static const OptionTable sample = {sample_rows, sizeof sample_rows / sizeof *sample_rows};

static bool set_sample(void *target, const char *name, const char *value, Status *status) {
    return options_set(sample, target, name, value, status);
}

static bool parse(Sample *target, OptionsWords *given, Status *status, int count, ...) {
    char *arguments[16];
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        arguments[i] = va_arg(list, char *);
    va_end(list);
    *target = (Sample){0};
    options_defaults(sample, target);
    return options_parse(sample, count, arguments, set_sample, target, given, status);
}

Test(options, defaults_and_all_kinds) {
    Sample s;
    OptionsWords given;
    Status status;
    cr_assert(parse(&s, &given, &status, 0));
    cr_assert(!s.flag && s.number == 5 && s.real == 0.5 && !s.text && s.choice == 1);
    cr_assert(parse(&s, &given, &status, 8, "--flag", "--number=7", "--real", "1e-1", "word",
                    "--choice", "three", "--list=a=b"));
    cr_assert(s.flag && s.number == 7 && s.real == 0.1 && s.choice == 2);
    cr_assert_str_eq(s.list.items[0], "a=b");
    cr_assert_eq(given.count, 1);
    cr_assert_str_eq(given.items[0], "word");
}

Test(options, bad_values_say_what_is_wrong) {
    Sample s;
    OptionsWords given;
    Status status;
    cr_assert(!parse(&s, &given, &status, 1, "--number=10"));
    cr_assert_str_eq(status.message, "number: 10 is not in 1..9");
    cr_assert(!parse(&s, &given, &status, 1, "--number=1x"));
    cr_assert_str_eq(status.message, "number: '1x' is not an integer");
    cr_assert(!parse(&s, &given, &status, 1, "--number=99999999999999999999"));
    cr_assert(!parse(&s, &given, &status, 1, "--real=nan"));
    cr_assert_str_eq(status.message, "real: 'nan' is not a number");
    cr_assert(!parse(&s, &given, &status, 1, "--choice=four"));
    cr_assert_str_eq(status.message, "choice: 'four' is not one of one|two|three");
    cr_assert(!parse(&s, &given, &status, 1, "--numbers=1"));
    cr_assert(!parse(&s, &given, &status, 1, "--number"));
    cr_assert_str_eq(status.message, "number: requires a value");
    cr_assert(!parse(&s, &given, &status, 1, "--number=\r7"), "white space is no digit");
    cr_assert(!parse(&s, &given, &status, 1, "--real=\v0.5"));
    cr_assert(!parse(&s, &given, &status, 1, "-x"));
    cr_assert_eq(status.code, STATUS_INPUT);
}

Test(options, a_number_without_limits_must_fit_all_the_same) {
    static const Option any = {
        .name = "any", .kind = OPTION_INTEGER, .offset = offsetof(Sample, number)};
    Sample s = {0};
    Status status;
    const OptionTable table = {&any, 1};
    cr_assert(options_set(table, &s, "any", "-9223372036854775808", &status));
    cr_assert_eq(s.number, INT64_MIN);
    cr_assert(!options_set(table, &s, "any", "9223372036854775808", &status));
    cr_assert_str_eq(status.message, "any: 9223372036854775808 is out of range");
}

Test(parameters, own_values_and_texts) {
    Parameters parameters;
    Status status;
    const Sample *s = (const Sample *)parameters.values;
    parameters_init(&parameters, "owner", sample);
    cr_assert(s->number == 5 && s->choice == 1 && !parameters_given(&parameters, "number"));
    char text[] = "text=abc";
    OptionList list = {.items = {"number=3", text, "list=a", "list=b"}, .count = 4};
    cr_assert(parameters_set_list(&parameters, &list, &status), "%s", status.message);
    memset(text, 'x', sizeof text - 1); /* the texts are copies */
    cr_assert_eq(s->number, 3);
    cr_assert_str_eq(s->text, "abc");
    cr_assert_str_eq(s->list.items[1], "b");
    cr_assert(parameters_given(&parameters, "number") && !parameters_given(&parameters, "real"));
    Parameters moved = parameters;
    parameters_release(&moved);
}

Test(parameters, a_bad_pair_is_named_with_its_owner) {
    static const char *const bad[][2] = {
        {"nothing=3",
         "owner: nothing: unknown parameter (known: flag, number, real, text, choice, list)"},
        {"number", "owner: 'number' is not NAME=VALUE"},
        {"=3", "owner: '=3' is not NAME=VALUE"},
        {"number=11", "owner: number: 11 is not in 1..9"},
        {"choice=four", "owner: choice: 'four' is not one of one|two|three"},
        {"real=9&number=9x", "owner: real: 9 is not in 0..1"},
    };
    Parameters parameters;
    Status status;
    parameters_init(&parameters, "owner", sample);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_expect(!parameters_set_all(&parameters, bad[i][0], '&', &status));
        cr_expect_str_eq(status.message, bad[i][1]);
    }
    char longest[PARAMETERS_PAIR_BYTES + 10] = "number=";
    memset(longest + 7, '1', sizeof longest - 8);
    longest[sizeof longest - 1] = '\0';
    cr_expect(!parameters_set(&parameters, longest, &status));
    cr_expect(strstr(status.message, "is too long"), "%s", status.message);
    cr_expect(!parameters_set_all(&parameters, longest, '&', &status));
    cr_expect(strstr(status.message, "is too long"), "%s", status.message);
    static const ParameterBound bounds[] = {{"number", 7}, {NULL, 0}};
    parameters.bounds = bounds;
    cr_expect(!parameters_set(&parameters, "number=8", &status));
    cr_expect_str_eq(status.message, "owner: number: 8 is not in 1..7");
}

Test(parameters, a_name_carries_parameters) {
    char name[16];
    Parameters parameters;
    Status status;
    const Sample *s = (const Sample *)parameters.values;
    parameters_init(&parameters, "sample", sample);
    const char *query = parameters_split("sample?number=4&&real=0.25&", name, sizeof name);
    cr_assert_str_eq(name, "sample");
    cr_assert(parameters_set_all(&parameters, query, '&', &status));
    cr_assert(s->number == 4 && s->real == 0.25);
    cr_assert_null(parameters_split("sample", name, sizeof name));
    cr_assert(parameters_set_all(&parameters, NULL, '&', &status));
}

Test(file, replace_and_read) {
    char folder[] = "/tmp/tetropt-test-XXXXXX";
    cr_assert(mkdtemp(folder));
    char path[64];
    snprintf(path, sizeof path, "%s/file", folder);
    Status status;
    cr_assert(file_replace(path, "one", 3, &status));
    cr_assert(file_replace(path, "second", 6, &status));
    size_t length;
    char *text = file_read(path, 100, &length, &status);
    cr_assert_str_eq(text, "second");
    cr_assert_eq(length, 6);
    free(text);
    cr_assert_null(file_read(path, 5, NULL, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    unlink(path);
    cr_assert_null(file_read(path, 100, NULL, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert(!file_replace("/nowhere/at/all", "x", 1, &status));
    cr_assert_eq(rmdir(folder), 0, "a temporary file was left behind");
}

Test(file, what_is_there) {
    Status status = {.code = STATUS_OK};
    bool exists;
    cr_assert(file_exists("/tmp", &exists, &status) && exists);
    cr_assert(file_exists("/nowhere/at/all", &exists, &status) && !exists);
    cr_assert(file_exists("/dev/null/below", &exists, &status) && !exists);
    char longest[5000] = "";
    memset(longest, 'T', sizeof longest - 1); /* as a list of pieces may be */
    cr_assert(file_exists(longest, &exists, &status) && !exists);
}

Test(utf8, takes_text_and_nothing_else) {
    static const char *const good[] = {"",
                                       "abc",
                                       "\xc3\xa4",
                                       "\xe2\x82\xac",
                                       "\xf0\x9f\x98\x80",
                                       "\xed\x9f\xbf",
                                       "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {"\x80",         "\xc3",         "a\xc0\x80",
                                      "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                      "\xff",         "\xe2\x82",     "\xf0\x80\x80\x80"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_assert(utf8_is_text(good[i], strlen(good[i])), "%zu", i);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert(!utf8_is_text(bad[i], strlen(bad[i])), "%zu", i);
    cr_assert(!utf8_is_text("a\0b", 3));
    cr_assert(!utf8_is_text("\xe2\x82\xac", 2));
}

Test(status, messages_are_one_line_of_text) {
    Status status;
    status_fail(&status, STATUS_INPUT, "%s", "a\nb\x7f \xc3\xa4 \xc2\xa0\xff");
    cr_assert_str_eq(status.message, "a?b? \xc3\xa4 \xc2\xa0?");
    status_fail(&status, STATUS_INPUT, "%s", "\xc2\x9bK"); /* to a terminal the same as ESC [ K */
    cr_assert_str_eq(status.message, "??K");
    char longest[STATUS_MESSAGE_BYTES + 2];
    memset(longest, 'x', sizeof longest);
    memcpy(longest + STATUS_MESSAGE_BYTES - 2, "\xc3\xa4", 3);
    status_fail(&status, STATUS_INPUT, "%s", longest);
    cr_assert_eq(status.message[STATUS_MESSAGE_BYTES - 2], '?', "half a character at the cut");
}

/* In the locale C this character has no bytes, so the formatting fails, as it does beyond 2 GB. */
static const wchar_t no_bytes[] = {0x20ac, 0};

Test(text, what_cannot_be_formatted_is_a_failure) {
    setlocale(LC_ALL, "C");
    Text text;
    text_init(&text);
    text_add(&text, "before");
    text_format(&text, "%ls", no_bytes);
    cr_assert(text.failed);
    text_add(&text, "after");
    cr_assert_str_eq(text.data, "before");
    text_release(&text);
    Arena arena;
    arena_init(&arena);
    cr_assert_str_eq(arena_format(&arena, "%ls", no_bytes), "");
    cr_assert(arena.failed);
    arena_release(&arena);
}

static void square(void *context, size_t first, size_t last, unsigned worker) {
    (void)worker;
    size_t *values = context;
    for (size_t i = first; i < last; i++)
        values[i] += i * i;
}

Test(pool, does_every_item_once) {
    for (unsigned threads = 1; threads <= 4; threads++) {
        Status status;
        Pool *pool = pool_new(threads, &status);
        cr_assert_not_null(pool);
        size_t values[1000] = {0};
        for (int round = 1; round <= 50; round++) {
            pool_run(pool, 1000, 7, square, values);
            for (size_t i = 0; i < 1000; i++)
                cr_assert_eq(values[i], (size_t)round * i * i);
        }
        pool_free(pool);
    }
}

Test(units, shows_times_and_rates_in_one_format) {
    const struct {
        double seconds;
        const char *text;
    } times[] = {{0, "0 s"},        {2.5e-6, "2.5 us"},    {0.0123, "12.3 ms"}, {0.9999, "1 s"},
                 {12.34, "12.3 s"}, {59.97, "1:00"},       {65, "1:05"},        {3599.6, "1:00:00"},
                 {3934, "1:05:34"}, {360000, "100:00:00"}, {NAN, "-"},          {INFINITY, "-"}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        cr_expect_str_eq(units_time(times[i].seconds).text, times[i].text);
    cr_expect_str_eq(units_rate(9500000).text, "9.5 M/s");
    cr_expect_str_eq(units_rate(999.7).text, "1 k/s");
    cr_expect_str_eq(units_rate(12.34).text, "12.3 /s");
    cr_expect_str_eq(units_rate(0).text, "0 /s");
    cr_expect_str_eq(units_rate(999700).text, "1 M/s");
    cr_expect_str_eq(units_count(9999).text, "9999");
    cr_expect_str_eq(units_count(2356107).text, "2.36 M");
    cr_expect_str_eq(units_count(5e15).text, "5000 T");
    cr_expect_str_eq(units_count(NAN).text, "-");
}
