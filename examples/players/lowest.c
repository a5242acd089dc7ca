/*
 * A player in C without any library: takes the placement whose cells lie lowest.
 *
 * It reads the cells of every placement from the position, which is one line of JSON, and answers
 * the number of a placement.
 *
 *     cc -O2 -o lowest examples/players/lowest.c
 *     tetropt simulate --agent 'lines:./lowest' --games 1 --max-pieces 100
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sum of the heights in "cells":[[x,y],[x,y],[x,y],[x,y]]. */
static long height_of(const char *cells) {
    long sum = 0;
    for (int i = 0; i < 4; i++) {
        cells = strchr(cells, ',');
        char *end;
        sum += strtol(cells + 1, &end, 10);
        cells = i < 3 ? strchr(end + 2, '[') : end;
    }
    return sum;
}

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        long best = 0, lowest = -1, index = 0;
        for (char *at = strstr(line, "\"cells\":[["); at;
             at = strstr(at + 1, "\"cells\":[["), index++) {
            long height = height_of(at + strlen("\"cells\":["));
            if (lowest < 0 || height < lowest) {
                lowest = height;
                best = index;
            }
        }
        printf("%ld\n", best);
        fflush(stdout);
    }
    free(line);
    return 0;
}
