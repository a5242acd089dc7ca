/* Answers questions to jobs through the public library. Standard input: for every question a line
 * with the job, then for every option a line with its name, a line with the length of its value and
 * the value itself, then a line with a dot. Standard output: one line for each, the document or
 * {"error": ...} (made by hand: messages need no escapes but quotes and backslashes). */
#include "tetropt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 256 };

static int read_line(char *line) {
    if (!fgets(line, LINE, stdin))
        return 0;
    line[strcspn(line, "\n")] = '\0';
    return 1;
}

static void print_error(const char *message) {
    fputs("{\"error\":\"", stdout);
    for (; *message; message++) {
        if (*message == '"' || *message == '\\')
            putchar('\\');
        putchar(*message);
    }
    puts("\"}");
}

/* Sets what follows up to the dot; returns the first code that is not TETROPT_OK. */
static int set_options(tetropt_job *job) {
    char name[LINE], number[LINE];
    int code = TETROPT_OK;
    while (read_line(name) && strcmp(name, ".") != 0) {
        if (!read_line(number))
            exit(1);
        size_t length = (size_t)strtoul(number, NULL, 10);
        char *value = malloc(length + 2);
        if (!value || fread(value, 1, length + 1, stdin) != length + 1)
            exit(1);
        value[length] = '\0';
        if (code == TETROPT_OK)
            code = tetropt_job_set(job, name, value);
        free(value);
    }
    return code;
}

int main(void) {
    char name[LINE];
    while (read_line(name)) {
        tetropt_job *job = tetropt_job_new(name);
        if (!job)
            return 1;
        int code = set_options(job);
        if (code == TETROPT_OK)
            code = tetropt_job_run(job);
        if (code == TETROPT_OK) {
            size_t length = tetropt_job_document(job, NULL, 0);
            char *text = malloc(length + 1);
            if (!text)
                return 1;
            tetropt_job_document(job, text, length + 1);
            puts(text);
            free(text);
        } else
            print_error(tetropt_job_message(job));
        tetropt_job_free(job);
    }
    return 0;
}
