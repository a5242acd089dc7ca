/*
 * units: times, counts and rates as text, the same everywhere: "350 ms", "12.3 s", "1:05",
 * "1:05:34"; "9.5 M"; "9.5 M/s".
 *
 * Three significant digits; a value that is not finite is "-". The text lives until the end of the
 * full expression: printf("%s", units_time(seconds).text).
 */
#ifndef TETROPT_BASE_UNITS_H
#define TETROPT_BASE_UNITS_H

typedef struct UnitsText {
    char text[24];
} UnitsText;

/* A duration: with a unit below a minute, then minutes:seconds, then hours:minutes:seconds. */
UnitsText units_time(double seconds);

/* A count with a prefix from 10,000 on: "9999", "10 k", "2.36 M", "1.2 G". */
UnitsText units_count(double count);

/* A count per second. */
UnitsText units_rate(double per_second);

#endif
