/* temporary: the bytes of a fuzzer as a file, for readers that open one by its name. */
#ifndef TETROPT_TESTS_FUZZ_TEMPORARY_H
#define TETROPT_TESTS_FUZZ_TEMPORARY_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Writes them to the one file of this process; its name. */
static inline const char *temporary_file(const uint8_t *data, size_t size) {
    static char path[64];
    snprintf(path, sizeof path, "/dev/shm/tetropt-fuzz-%ld", (long)getpid());
    FILE *file = fopen(path, "w");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

#endif
