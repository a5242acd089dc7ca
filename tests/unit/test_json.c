/* JSON when there is no memory: documents that are built, and texts that are read. */
#include "io/json.h"
#include "io/json_memory.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

Test(json, what_is_built_from_a_missing_part_is_missing) {
    json_t *object = json_object();
    json_put(&object, "a", json_integer(1));
    cr_assert_eq(json_object_size(object), 1);
    json_put(&object, "b", NULL);
    cr_assert_null(object);
    json_put(&object, "c", json_integer(3)); /* and what comes later is not kept */
    cr_assert_null(object);
    json_t *array = json_array();
    json_add(&array, json_true());
    json_add(&array, object);
    cr_assert_null(array);
    json_add(&array, json_integer(5));
    cr_assert_null(array);
    json_t *both = json_pack("{s:i}", "a", 1);
    json_merge(&both, json_pack("{s:i}", "b", 2));
    cr_assert_eq(json_object_size(both), 2);
    json_merge(&both, NULL);
    cr_assert_null(both);
    cr_assert_null(json_write(both));
}

Test(json, numbers_come_back_as_they_went) {
    json_t *document = json_pack("[f, f, I, s]", 0.1, 1e-300, (json_int_t)INT64_MAX, "\xc3\xa4");
    char *text = json_write(document);
    cr_assert_str_eq(text, "[0.10000000000000001,1e-300,9223372036854775807,"
                           "\"\xc3\xa4\"]");
    Status status = {.code = STATUS_OK};
    json_t *again = json_parse(text, strlen(text), &status);
    cr_assert(json_equal(document, again));
    json_decref(document);
    json_decref(again);
    free(text);
}

Test(json, a_text_that_is_wrong_is_bad_input) {
    json_memory_watch();
    Status status = {.code = STATUS_OK};
    cr_assert_null(json_parse("[1, x]", 6, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert(strstr(status.message, "line 1 column 5"), "%s", status.message);
}

/* Memory that runs out at any moment of the reading. Sanitizers take theirs otherwise. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
Test(json, a_text_there_is_no_memory_for_is_the_failure_of_the_system) {
    enum { BYTES = 1 << 20 };
    json_memory_watch();
    char *text = malloc(BYTES);
    memset(text, 'x', BYTES);
    text[0] = '[', text[1] = text[BYTES - 2] = '"', text[BYTES - 1] = ']';
    struct rlimit before, less;
    getrlimit(RLIMIT_AS, &before);
    int refused = 0, read = 0;
    for (rlim_t megabytes = 1; megabytes < 4096; megabytes += 1) {
        less = (struct rlimit){megabytes << 20, before.rlim_max};
        Status status = {.code = STATUS_OK};
        setrlimit(RLIMIT_AS, &less);
        json_t *document = json_parse(text, BYTES, &status);
        setrlimit(RLIMIT_AS, &before);
        cr_assert(document || status.code == STATUS_SYSTEM, "%s", status.message);
        refused += !document;
        read += document != NULL;
        cr_assert(!document || json_string_length(json_array_get(document, 0)) == BYTES - 4);
        json_decref(document);
        if (read > 3)
            break;
    }
    cr_assert(refused > 0 && read > 0, "%d refused, %d read", refused, read);
    free(text);
}
#endif
