/* Files and streams: replacing keeps what a file was, lines are bounded, headings are found. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/options.h"
#include "system/file.h"
#include "system/lines.h"
#include "system/sections.h"

static char folder[] = "/tmp/tetropt-file-XXXXXX";

static void enter(void) {
    cr_assert(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
}

static void leave(void) {
    cr_assert_eq(chdir("/"), 0);
    cr_assert_eq(rmdir(folder), 0, "something was left behind");
}

TestSuite(file, .init = enter, .fini = leave);

static void expect(const char *path, const char *text) {
    Status status;
    char *found = file_read(path, 100, NULL, &status);
    cr_assert_str_eq(found, text);
    free(found);
}

Test(file, a_link_stays_one) {
    Status status;
    struct stat info;
    cr_assert_eq(mkdir("far", 0777), 0);
    cr_assert_eq(symlink("far/two", "one"), 0);
    cr_assert_eq(symlink("three", "far/two"), 0);
    for (int i = 0; i < 2; i++) { /* once to make it, once to replace it */
        cr_assert(file_check_writable("one", &status));
        cr_assert(file_replace("one", i ? "b" : "a", 1, &status), "%s", status.message);
        cr_assert(lstat("one", &info) == 0 && S_ISLNK(info.st_mode));
        cr_assert(lstat("far/two", &info) == 0 && S_ISLNK(info.st_mode));
        expect("far/three", i ? "b" : "a");
    }
    cr_assert_eq(symlink("round", "round"), 0);
    cr_assert_not(file_replace("round", "x", 1, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    unlink("one"), unlink("far/two"), unlink("far/three"), unlink("round");
    rmdir("far");
}

Test(file, the_mode_stays) {
    static const mode_t modes[] = {0600, 0644, 0666, 0700};
    Status status;
    struct stat info;
    umask(027);
    cr_assert(file_replace("f", "a", 1, &status));
    cr_assert(stat("f", &info) == 0 && (info.st_mode & 0777) == 0640);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        cr_assert_eq(chmod("f", modes[i]), 0);
        cr_assert(file_replace("f", "b", 1, &status));
        cr_assert(stat("f", &info) == 0 && (info.st_mode & 0777) == modes[i]);
    }
    unlink("f");
}

Test(file, what_is_closed_to_writing_stays) {
    Status status;
    cr_assert(file_replace("f", "a", 1, &status));
    cr_assert_eq(chmod("f", 0444), 0);
    if (geteuid() != 0) {
        cr_assert_not(file_check_writable("f", &status));
        cr_assert_not(file_replace("f", "b", 1, &status));
        cr_assert_eq(status.code, STATUS_INPUT);
        expect("f", "a");
    }
    unlink("f");
}

Test(file, names_as_long_as_they_can_be) {
    char name[257];
    Status status;
    memset(name, 'n', sizeof name);
    name[255] = '\0';
    cr_assert(file_replace(name, "a", 1, &status), "%s", status.message);
    cr_assert(file_replace(name, "b", 1, &status), "%s", status.message);
    expect(name, "b");
    unlink(name);
    name[255] = 'n', name[256] = '\0';
    cr_assert_not(file_replace(name, "a", 1, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
}

Test(file, targets_have_one_name) {
    char path[64];
    cr_assert_eq(mkdir("a", 0777), 0);
    cr_assert_eq(symlink("a", "b"), 0);
    cr_assert_eq(symlink("b/later", "link"), 0);
    static const char *const names[] = {"a/later", "./a/later", "b/later", "b/../a//later", "link"};
    snprintf(path, sizeof path, "%s/a/later", folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *target = file_target(names[i]);
        cr_assert_str_eq(target, path);
        free(target);
    }
    char *target = file_target("/file");
    cr_assert_str_eq(target, "/file");
    free(target);
    unlink("link"), unlink("b"), rmdir("a");
}

/* ---- lines */

/* The events of `text`: a letter each, and for a line its length. */
static void events(const char *text, size_t limit, char *told) {
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    Lines lines = {.descriptor = ends[0], .name = "it", .limit = limit};
    Status status;
    *told = '\0';
    for (;;) {
        const char *line;
        size_t length;
        LinesEvent event = lines_next(&lines, &line, &length, &status);
        if (event == LINES_LINE)
            told += sprintf(told, "%.*s,", (int)length, line);
        else
            told += sprintf(told, "%s",
                            event == LINES_TOO_LONG ? "!"
                            : event == LINES_END    ? "."
                                                    : "?");
        if (event != LINES_LINE && event != LINES_TOO_LONG)
            break;
    }
    lines_release(&lines);
    close(ends[0]);
}

Test(lines, every_line_once) {
    static const struct {
        const char *text, *told;
    } cases[] = {{"", "."},
                 {"a", "a,."},
                 {"a\n", "a,."},
                 {"\n\nb\n", ",,b,."},
                 {"abc\n", "abc,."},
                 {"abcd\n", "!."},
                 {"abcd", "!."},
                 {"abcd\nx", "!x,."},
                 {"a\nabcdef\nb\n", "a,!b,."},
                 {"abcd\nabcd\n\n", "!!,."}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char told[64];
        events(cases[i].text, 3, told);
        cr_assert_str_eq(told, cases[i].told, "'%s' gave %s", cases[i].text, told);
    }
}

Test(lines, memory_is_bounded) {
    int zeros = open("/dev/zero", O_RDONLY);
    Lines lines = {.descriptor = zeros, .name = "zeros", .limit = 100000};
    Status status;
    const char *line;
    size_t length;
    cr_assert_eq(lines_next(&lines, &line, &length, &status), LINES_TOO_LONG);
    cr_assert_leq(lines.capacity, 100000 + (1 << 16));
    lines_release(&lines);
    lines = (Lines){.descriptor = -1, .name = "none", .limit = 10};
    cr_assert_eq(lines_next(&lines, &line, &length, &status), LINES_FAILED);
    cr_assert(strstr(status.message, "none: "));
    lines_release(&lines);
    close(zeros);
}

/* ---- headings and numbers */

Test(sections, with_keys_and_without) {
    const char *text =
        "\xef\xbb\xbf[one]\n\n# [no]\n  [two] ; x\nkey = 1\n  [more of it]\n[three]\n"
        "; [no]\n";
    static const Section expected[] = {{"one", 1, true}, {"two", 4, false}, {"three", 7, true}};
    Section section;
    int line = 0;
    for (int i = 0; i < 3; i++) {
        cr_assert(sections_next(&text, &line, &section));
        cr_assert_str_eq(section.name, expected[i].name);
        cr_assert_eq(section.line, expected[i].line);
        cr_assert_eq(section.empty, expected[i].empty, "%s", section.name);
    }
    cr_assert_not(sections_next(&text, &line, &section));
}

Test(options, numbers_follow_one_rule) {
    static const char *const good[] = {"0", "1.5", "-2", ".5", "-.5", "1e3", "1E-3", "007"};
    static const char *const bad[] = {"",      " 1", "1 ", "+1",  "0x10", "-0x1", "inf", "nan",
                                      "1e400", "-",  ".",  "1,5", "--1",  "1e",   "\t1"};
    double number;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_assert(options_read_real(good[i], &number), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_not(options_read_real(bad[i], &number), "'%s'", bad[i]);
}
