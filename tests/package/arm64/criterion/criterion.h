/*
 * criterion: the part of Criterion that the unit tests use, for programs under qemu-user.
 *
 * Criterion executes its own program again for every test. An emulated program cannot do that
 * unless the kernel knows the emulator. Here every test runs in a forked child, so it still has its
 * own memory and may crash. The report is TAP, as from Criterion with --tap. scripts/check-arm64
 * installs this header where meson looks for Criterion. All other builds use the real one.
 */
#ifndef CRITERION_CRITERION_H
#define CRITERION_CRITERION_H
#pragma GCC system_header /* macros without arguments for `...` are no warning */

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* <unistd.h> would bring names that tests use for their own functions. */
extern pid_t fork(void);
extern unsigned alarm(unsigned seconds);
extern void _exit(int status) __attribute__((noreturn));

typedef struct CriterionTest {
    const char *suite, *name;
    void (*run)(void), (*init)(void), (*fini)(void);
    int signal; /* how it must end; 0: by itself */
    double timeout;
    struct CriterionTest *next;
} CriterionTest;

/* In the order of the file: constructors run in that order. */
static CriterionTest *criterion_tests, **criterion_end = &criterion_tests;
static CriterionTest *criterion_suites;
static bool criterion_failed;

#define Test(suite_, name_, ...)                                                                   \
    static void suite_##_##name_##_test(void);                                                     \
    __attribute__((constructor)) static void suite_##_##name_##_add(void) {                        \
        static CriterionTest test = {                                                              \
            .suite = #suite_, .name = #name_, .run = suite_##_##name_##_test, __VA_ARGS__};        \
        *criterion_end = &test;                                                                    \
        criterion_end = &test.next;                                                                \
    }                                                                                              \
    static void suite_##_##name_##_test(void)

#define TestSuite(suite_, ...)                                                                     \
    __attribute__((constructor)) static void suite_##_add_suite(void) {                            \
        static CriterionTest suite = {.suite = #suite_, __VA_ARGS__};                              \
        suite.next = criterion_suites;                                                             \
        criterion_suites = &suite;                                                                 \
    }                                                                                              \
    struct CriterionTest

static void criterion_report(bool fatal, const char *file, int line, const char *what, ...) {
    va_list arguments;
    va_start(arguments, what);
    const char *format = va_arg(arguments, const char *);
    printf("# %s:%d: %s", file, line, what);
    if (format) {
        printf(": ");
        vprintf(format, arguments);
    }
    printf("\n");
    va_end(arguments);
    criterion_failed = true;
    if (fatal) {
        fflush(stdout);
        _exit(1);
    }
}

static int criterion_run(const CriterionTest *test) {
    const CriterionTest *suite = criterion_suites;
    while (suite && strcmp(suite->suite, test->suite) != 0)
        suite = suite->next;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (test->timeout > 0)
            alarm(20 * (unsigned)test->timeout); /* an emulator is slow */
        if (suite && suite->init)
            suite->init();
        test->run();
        if (suite && suite->fini)
            suite->fini();
        fflush(stdout);
        _exit(criterion_failed);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return test->signal ? !(WIFSIGNALED(status) && WTERMSIG(status) == test->signal) : status;
}

/* CRITERION_SKIP: tests to leave out, as suite::name, each with a space after it. */
static bool criterion_skips(const char *name) {
    const char *list = getenv("CRITERION_SKIP"), *found = list ? strstr(list, name) : NULL;
    return found && found[strlen(name)] == ' ';
}

int main(void) {
    int number = 0, failed = 0;
    for (const CriterionTest *test = criterion_tests; test; test = test->next) {
        char name[256];
        snprintf(name, sizeof name, "%s::%s", test->suite, test->name);
        bool skipped = criterion_skips(name), good = skipped || criterion_run(test) == 0;
        failed += !good;
        printf("%s %d - %s%s\n", good ? "ok" : "not ok", ++number, name, skipped ? " # SKIP" : "");
    }
    printf("1..%d\n", number);
    return failed > 0;
}

#define CRITERION_CHECK(fatal, good, what, ...)                                                    \
    ((good) ? (void)0                                                                              \
            : criterion_report(fatal, __FILE__, __LINE__, what, ##__VA_ARGS__, (char *)NULL))

#define cr_assert(good, ...) CRITERION_CHECK(true, good, #good, ##__VA_ARGS__)
#define cr_assert_not(good, ...) CRITERION_CHECK(true, !(good), "!(" #good ")", ##__VA_ARGS__)
#define cr_assert_null(a, ...) CRITERION_CHECK(true, (a) == NULL, #a " == NULL", ##__VA_ARGS__)
#define cr_assert_not_null(a, ...) CRITERION_CHECK(true, (a) != NULL, #a " != NULL", ##__VA_ARGS__)
#define cr_assert_fail(...) CRITERION_CHECK(true, false, "fail", ##__VA_ARGS__)
#define cr_assert_eq(a, b, ...) CRITERION_CHECK(true, (a) == (b), #a " == " #b, ##__VA_ARGS__)
#define cr_assert_neq(a, b, ...) CRITERION_CHECK(true, (a) != (b), #a " != " #b, ##__VA_ARGS__)
#define cr_assert_lt(a, b, ...) CRITERION_CHECK(true, (a) < (b), #a " < " #b, ##__VA_ARGS__)
#define cr_assert_leq(a, b, ...) CRITERION_CHECK(true, (a) <= (b), #a " <= " #b, ##__VA_ARGS__)
#define cr_assert_gt(a, b, ...) CRITERION_CHECK(true, (a) > (b), #a " > " #b, ##__VA_ARGS__)
#define cr_assert_geq(a, b, ...) CRITERION_CHECK(true, (a) >= (b), #a " >= " #b, ##__VA_ARGS__)
#define cr_assert_float_eq(a, b, e, ...)                                                           \
    CRITERION_CHECK(true, (a) - (b) <= (e) && (b) - (a) <= (e), #a " == " #b, ##__VA_ARGS__)
#define cr_assert_str_eq(a, b, ...)                                                                \
    CRITERION_CHECK(true, strcmp(a, b) == 0, #a " is " #b, ##__VA_ARGS__)
#define cr_assert_str_neq(a, b, ...)                                                               \
    CRITERION_CHECK(true, strcmp(a, b) != 0, #a " is not " #b, ##__VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...)                                                          \
    CRITERION_CHECK(true, memcmp(a, b, size) == 0, #a " is " #b, ##__VA_ARGS__)

#define cr_expect(good, ...) CRITERION_CHECK(false, good, #good, ##__VA_ARGS__)
#define cr_expect_not(good, ...) CRITERION_CHECK(false, !(good), "!(" #good ")", ##__VA_ARGS__)
#define cr_expect_null(a, ...) CRITERION_CHECK(false, (a) == NULL, #a " == NULL", ##__VA_ARGS__)
#define cr_expect_eq(a, b, ...) CRITERION_CHECK(false, (a) == (b), #a " == " #b, ##__VA_ARGS__)
#define cr_expect_neq(a, b, ...) CRITERION_CHECK(false, (a) != (b), #a " != " #b, ##__VA_ARGS__)
#define cr_expect_lt(a, b, ...) CRITERION_CHECK(false, (a) < (b), #a " < " #b, ##__VA_ARGS__)
#define cr_expect_leq(a, b, ...) CRITERION_CHECK(false, (a) <= (b), #a " <= " #b, ##__VA_ARGS__)
#define cr_expect_gt(a, b, ...) CRITERION_CHECK(false, (a) > (b), #a " > " #b, ##__VA_ARGS__)
#define cr_expect_geq(a, b, ...) CRITERION_CHECK(false, (a) >= (b), #a " >= " #b, ##__VA_ARGS__)
#define cr_expect_float_eq(a, b, e, ...)                                                           \
    CRITERION_CHECK(false, (a) - (b) <= (e) && (b) - (a) <= (e), #a " == " #b, ##__VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)                                                                \
    CRITERION_CHECK(false, strcmp(a, b) == 0, #a " is " #b, ##__VA_ARGS__)
#define cr_expect_str_neq(a, b, ...)                                                               \
    CRITERION_CHECK(false, strcmp(a, b) != 0, #a " is not " #b, ##__VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...)                                                          \
    CRITERION_CHECK(false, memcmp(a, b, size) == 0, #a " is " #b, ##__VA_ARGS__)

#endif
