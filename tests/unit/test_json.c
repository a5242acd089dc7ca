/* JSON: what the reader accepts and rejects, what the writer writes, and both without memory. */
#include "base/json.h"
#include "base/json_writer.h"

#include <criterion/criterion.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* ---- reading */

static Json *parse(const char *text) {
    Status status = {.code = STATUS_OK};
    Json *document = json_parse(text, strlen(text), &status);
    cr_assert(document, "%s: %s", text, status.message);
    return document;
}

Test(json, values_of_every_type_are_read) {
    Json *document = parse(" {\"i\": -7, \"r\": 2.5e1, \"s\": \"x\", \"t\": true, \"f\": false,"
                           "\r\n\t\"n\": null, \"a\": [1, []], \"o\": {}} ");
    cr_expect(json_is_object(document) && json_count(document) == 8);
    cr_expect(json_is_integer(json_get(document, "i")) && json_int(json_get(document, "i")) == -7);
    cr_expect(json_is_number(json_get(document, "i")));
    cr_expect_eq(json_number(json_get(document, "i")), -7);
    cr_expect(!json_is_integer(json_get(document, "r")));
    cr_expect_eq(json_number(json_get(document, "r")), 25);
    cr_expect_str_eq(json_text(json_get(document, "s")), "x");
    cr_expect(json_is_true(json_get(document, "t")) && json_is_bool(json_get(document, "t")));
    cr_expect(!json_is_true(json_get(document, "f")) && json_is_bool(json_get(document, "f")));
    cr_expect(json_is_null(json_get(document, "n")));
    const Json *array = json_get(document, "a");
    cr_expect(json_is_array(array) && json_count(array) == 2 && !json_at(array, 2));
    cr_expect_eq(json_int(json_at(array, 0)), 1);
    cr_expect(json_is_array(json_at(array, 1)) && json_count(json_at(array, 1)) == 0);
    cr_expect_str_eq(json_name_at(document, 7), "o");
    cr_expect(json_is_object(json_at(document, 7)));
    json_free(document);
}

Test(json, a_missing_node_has_no_type_and_no_value) {
    cr_expect(!json_get(NULL, "x") && !json_at(NULL, 0) && json_count(NULL) == 0);
    cr_expect(!json_text(NULL) && json_int(NULL) == 0 && json_number(NULL) == 0);
    cr_expect(!json_is_null(NULL) && !json_is_object(NULL) && !json_is_number(NULL));
    json_free(NULL);
}

Test(json, strings_are_decoded) {
    Json *document = parse("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u00e4\\uD83D\\uDE00\\u20ac\", "
                           "\"\xc3\xa4\", \"\"]");
    cr_expect_str_eq(json_text(json_at(document, 0)), "\"\\/\b\f\n\r\t");
    cr_expect_str_eq(json_text(json_at(document, 1)), "\xc3\xa4\xf0\x9f\x98\x80\xe2\x82\xac");
    cr_expect_str_eq(json_text(json_at(document, 2)), "\xc3\xa4");
    cr_expect_str_eq(json_text(json_at(document, 3)), "");
    json_free(document);
}

Test(json, invalid_text_is_rejected_with_its_place) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[1, x]", "JSON, line 1 column 5: invalid token near 'x'"},
        {"", "JSON, line 1 column 0: '[' or '{' expected near end of file"},
        {"1", "JSON, line 1 column 1: '[' or '{' expected near '1'"},
        {"{\"a\":1,\n \"b\":2,\n \"a\":3}", "line 3 column 4: duplicate object key near '\"a\"'"},
        {"[1] 2", "line 1 column 5: end of file expected near '2'"},
        {"[1,]", "unexpected token near ']'"},
        {"{\"a\":1,}", "string or '}' expected near '}'"},
        {"{\"a\" 1}", "':' expected near '1'"},
        {"[1 2]", "']' expected near '2'"},
        {"{\"a\":1 ]", "'}' expected near ']'"},
        {"[\"\xc3\xa4\", y]", "line 1 column 7: invalid token"}, /* columns are characters */
        {"[9223372036854775808]", "too big integer near '9223372036854775808'"},
        {"[-9223372036854775809]", "too big negative integer"},
        {"[1e999]", "real number overflow near '1e999'"},
        {"[01]", "invalid token"},
        {"[1.]", "invalid token near '1.'"},
        {"[-]", "invalid token near '-'"},
        {"[.5]", "invalid token"},
        {"[+1]", "invalid token"},
        {"[1e]", "invalid token near '1e'"},
        {"[nul]", "invalid token near 'nul'"},
        {"[NaN]", "invalid token near 'NaN'"},
        {"[\"\\u0000\"]", "\\u0000 is not allowed"},
        {"{\"\\u0000\":1}", "\\u0000 is not allowed"},
        {"[\"\\ud800\"]", "invalid Unicode '\\uD800'"},
        {"[\"\\ud800\\u0041\"]", "invalid Unicode '\\uD800'"},
        {"[\"\\udc00\"]", "invalid Unicode '\\uDC00'"},
        {"[\"\\x\"]", "invalid escape near '\"\\x'"},
        {"[\"\\u12g4\"]", "invalid escape"},
        {"[\"a\nb\"]", "unexpected newline"},
        {"[\"a\tb\"]", "control character 0x9"},
        {"[\"abc", "premature end of input near '\"abc'"},
        {"[\"abc\\", "premature end of input"},
        {"[\"\xff\"]", "unable to decode byte 0xff"},
        {"[\"\xc0\x80\"]", "unable to decode byte 0xc0"},
        {"[\"\xed\xa0\x80\"]", "unable to decode byte 0xed"},
        {"[\xff]", "unable to decode byte 0xff"},
        {"[", "near end of file"},
        {"{", "string or '}' expected near end of file"},
        {"[1", "']' expected near end of file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Status status = {.code = STATUS_OK};
        cr_expect_null(json_parse(cases[i].text, strlen(cases[i].text), &status));
        cr_expect_eq(status.code, STATUS_INPUT);
        cr_expect(strstr(status.message, cases[i].message), "%s: %s", cases[i].text,
                  status.message);
    }
    Status status = {.code = STATUS_OK};
    cr_expect_null(json_parse("[1\0]", 4, &status));
    cr_expect_null(json_parse("[\"\0\"]", 5, &status));
    cr_expect(strstr(status.message, "control character 0x0"), "%s", status.message);
}

Test(json, depth_is_limited) {
    enum { MOST = JSON_MAX_DEPTH };
    char *text = malloc(2 * MOST + 3);
    memset(text, '[', MOST);
    memset(text + MOST, ']', MOST);
    Status status = {.code = STATUS_OK};
    Json *document = json_parse(text, 2 * MOST, &status);
    cr_assert(document, "%s", status.message);
    Text again;
    text_init(&again);
    JsonWriter w;
    jw_init(&w, &again);
    jw_json(&w, NULL, document);
    cr_expect(again.length == 2 * MOST && memcmp(again.data, text, again.length) == 0);
    text_release(&again);
    json_free(document);
    memset(text, '[', MOST + 1);
    cr_expect_null(json_parse(text, MOST + 1, &status));
    cr_expect(strstr(status.message, "maximum parsing depth reached"), "%s", status.message);
    free(text);
}

Test(json, large_objects_keep_their_order_and_are_searched_by_name) {
    enum { MEMBERS = 20000 };
    Text text;
    text_init(&text);
    JsonWriter w;
    jw_init(&w, &text);
    jw_object(&w, NULL);
    for (int i = 0; i < MEMBERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", i * 7919 % MEMBERS);
        jw_integer(&w, name, i);
    }
    size_t length = text.length;
    jw_end(&w);
    Json *document = parse(text.data);
    cr_assert_eq(json_count(document), MEMBERS);
    for (int i = 0; i < MEMBERS; i++) {
        const char *name = json_name_at(document, (size_t)i);
        cr_assert_eq(json_int(json_at(document, (size_t)i)), i);
        cr_assert(json_get(document, name) == json_at(document, (size_t)i), "%s", name);
    }
    cr_expect_null(json_get(document, "m"));
    cr_expect_null(json_get(document, "zzz"));
    json_free(document);
    text.length = length; /* one more member, with a name from the middle */
    text_add(&text, ",\"m77\":0}");
    Status status = {.code = STATUS_OK};
    cr_expect_null(json_parse(text.data, text.length, &status));
    cr_expect(strstr(status.message, "duplicate object key near '\"m77\"'"), "%s", status.message);
    text_release(&text);
}

static void expect_merged(const char *text, const char *more, const char *wanted) {
    Status status = {.code = STATUS_OK};
    Json *document = json_parse_merged(text, more, &status);
    cr_assert(document, "%s", status.message);
    Text written;
    text_init(&written);
    JsonWriter w;
    jw_init(&w, &written);
    jw_json(&w, NULL, document);
    cr_expect_str_eq(written.data, wanted);
    for (size_t i = 0; i < json_count(document); i++)
        cr_expect(json_get(document, json_name_at(document, i)) == json_at(document, i));
    text_release(&written);
    json_free(document);
}

Test(json, two_objects_are_merged) {
    expect_merged("{\"a\":1,\"b\":{\"c\":2,\"d\":[3]},\"e\":4}",
                  "{\"z\":0,\"b\":{\"d\":5,\"y\":6},\"a\":{}}",
                  "{\"a\":{},\"b\":{\"c\":2,\"d\":5,\"y\":6},\"e\":4,\"z\":0}");
    expect_merged("{\"a\":1}", NULL, "{\"a\":1}");
    expect_merged("{}", "{}", "{}");
    expect_merged("{\"a\":{}}", "{\"a\":{\"b\":[]}}", "{\"a\":{\"b\":[]}}");
    expect_merged("{\"1\":1,\"2\":2,\"3\":3,\"4\":4,\"5\":5}",
                  "{\"9\":9,\"8\":8,\"7\":7,\"6\":6,\"5\":0}",
                  "{\"1\":1,\"2\":2,\"3\":3,\"4\":4,\"5\":0,\"9\":9,\"8\":8,\"7\":7,\"6\":6}");
    Status status = {.code = STATUS_OK};
    cr_expect_null(json_parse_merged("{}", "[]", &status));
    cr_expect_null(json_parse_merged("[]", "{}", &status));
    cr_expect_null(json_parse_merged("{}", "{", &status));
    cr_expect_eq(status.code, STATUS_INPUT);
}

Test(json, members_are_read_with_messages) {
    static const char *const names[] = {"a", "b"};
    Json *document = parse("{\"a\": 5, \"b\": \"x\"}");
    Status status = {.code = STATUS_OK};
    int value = 1;
    cr_expect(json_only_members(document, names, 2, &status));
    cr_expect(!json_only_members(document, names, 1, &status));
    cr_expect_str_eq(status.message, "b: unknown member");
    cr_expect(!json_only_members(json_get(document, "a"), names, 1, &status));
    cr_expect_str_eq(status.message, "not a JSON object");
    cr_expect(json_read_int(document, "z", 0, 9, &value, &status) && value == 1);
    cr_expect(json_read_int(document, "a", 0, 9, &value, &status) && value == 5);
    cr_expect(!json_read_int(document, "a", 0, 4, &value, &status));
    cr_expect_str_eq(status.message, "a: 5 is not in 0..4");
    cr_expect(!json_read_int(document, "b", 0, 4, &value, &status));
    cr_expect_str_eq(json_read_string(document, "b", &status), "x");
    cr_expect_null(json_read_string(document, "a", &status));
    cr_expect_str_eq(status.message, "a: not a string");
    cr_expect_null(json_read_string(document, "z", &status));
    cr_expect_str_eq(status.message, "z: missing");
    json_free(document);
}

/* ---- writing */

Test(json, documents_are_written_compactly) {
    Text text;
    text_init(&text);
    JsonWriter w;
    jw_init(&w, &text);
    jw_object(&w, NULL);
    jw_integer(&w, "lines", 4);
    jw_array(&w, "clears");
    jw_integer(&w, NULL, INT64_MIN);
    jw_integer(&w, NULL, INT64_MAX);
    jw_object(&w, NULL);
    jw_end(&w);
    jw_array(&w, NULL);
    jw_end(&w);
    jw_end(&w);
    jw_bool(&w, "t", true);
    jw_bool(&w, "f", false);
    jw_null(&w, "n");
    jw_string(&w, "none", NULL);
    jw_real(&w, "inf", INFINITY);
    jw_real(&w, "nan", NAN);
    jw_stringn(&w, "s", "abc", 2);
    jw_raw(&w, "raw", "[1]", 3);
    jw_integers(&w, "i", (int64_t[]){1, 2}, 2);
    jw_reals(&w, "r", (double[]){0.5}, 1);
    jw_put(&w, JS("ps", "x"), JI("pi", 7), JR("pr", 0.5), JB("pb", true), JS("pn", NULL));
    jw_end(&w);
    cr_expect_str_eq(text.data,
                     "{\"lines\":4,\"clears\":[-9223372036854775808,9223372036854775807,{},[]],"
                     "\"t\":true,\"f\":false,\"n\":null,\"none\":null,\"inf\":null,\"nan\":null,"
                     "\"s\":\"ab\",\"raw\":[1],\"i\":[1,2],\"r\":[0.5],\"ps\":\"x\",\"pi\":7,"
                     "\"pr\":0.5,\"pb\":true,\"pn\":null}");
    text_release(&text);
}

static void expect_string(const char *string, const char *written) {
    Text text;
    text_init(&text);
    JsonWriter w;
    jw_init(&w, &text);
    jw_string(&w, NULL, string);
    cr_expect_str_eq(text.data, written);
    text_release(&text);
}

Test(json, strings_are_escaped) {
    expect_string("", "\"\"");
    expect_string("a\"b\\c/", "\"a\\\"b\\\\c/\"");
    expect_string("\b\f\n\r\t\x01\x1f\x7f", "\"\\b\\f\\n\\r\\t\\u0001\\u001F\x7f\"");
    expect_string("\xc3\xa4\xf0\x9f\x98\x80", "\"\xc3\xa4\xf0\x9f\x98\x80\"");
    expect_string("a\xff"
                  "b\xc3",
                  "\"a\xef\xbf\xbd"
                  "b\xef\xbf\xbd\"");
}

static void expect_real(double value, const char *written) {
    Text text;
    text_init(&text);
    JsonWriter w;
    jw_init(&w, &text);
    jw_array(&w, NULL);
    jw_real(&w, NULL, value);
    jw_end(&w);
    cr_expect(strncmp(text.data + 1, written, strlen(written)) == 0, "%s", text.data);
    Json *document = parse(text.data);
    double again = json_number(json_at(document, 0));
    cr_expect(memcmp(&again, &value, sizeof again) == 0, "%s", text.data);
    cr_expect(!json_is_integer(json_at(document, 0)), "%s", text.data);
    json_free(document);
    text_release(&text);
}

static void expect_reals(void) {
    expect_real(0, "0.0]");
    expect_real(-0.0, "-0.0]");
    expect_real(0.1, "0.10000000000000001]");
    expect_real(-2.5, "-2.5]");
    expect_real(100, "100.0]");
    expect_real(-123456789012345, "-123456789012345.0]");
    expect_real(1e15, "1000000000000000.0]");
    expect_real(1e16, "10000000000000000.0]");
    expect_real(1e17, "1e17]");
    expect_real(1e-5, "1.0000000000000001e-5]");
    expect_real(1e-300, "1e-300]");
    expect_real(1.5e300, "1.5000000000000001e300]");
    expect_real(DBL_MAX, "1.7976931348623157e308]");
    expect_real(4.9406564584124654e-324, "4.9406564584124654e-324]");
}

Test(json, reals_come_back_as_they_were) {
    expect_reals();
}

/* With a decimal comma. Where no such locale is installed there is nothing to test. */
Test(json, numbers_do_not_depend_on_the_locale) {
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++)
        if (setlocale(LC_NUMERIC, locales[i])) {
            expect_reals();
            break;
        }
    setlocale(LC_ALL, "C");
}

/* ---- without memory; sanitizers allocate in another way */

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
Test(json, a_text_that_does_not_fit_into_memory_is_a_failure_of_the_system) {
    enum { BYTES = 1 << 20 };
    char *text = malloc(BYTES);
    memset(text, 'x', BYTES);
    text[0] = '[', text[1] = text[BYTES - 2] = '"', text[BYTES - 1] = ']';
    struct rlimit before, less;
    getrlimit(RLIMIT_AS, &before);
    int refused = 0, read = 0;
    for (rlim_t megabytes = 1; megabytes < 4096 && read <= 3; megabytes += 1) {
        less = (struct rlimit){megabytes << 20, before.rlim_max};
        Status status = {.code = STATUS_OK};
        setrlimit(RLIMIT_AS, &less);
        Json *document = json_parse(text, BYTES, &status);
        setrlimit(RLIMIT_AS, &before);
        cr_assert(document || status.code == STATUS_SYSTEM, "%s", status.message);
        refused += !document;
        read += document != NULL;
        cr_assert(!document || strlen(json_text(json_at(document, 0))) == BYTES - 4);
        json_free(document);
    }
    cr_assert(refused > 0 && read > 0, "%d refused, %d read", refused, read);
    free(text);
}
#endif
