/* decided: reads and writes the entries of the log. */
#include "clears/decided.h"

#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789abcdef";

void decided_release(Decided *decided) {
    text_release(&decided->log);
    *decided = (Decided){0};
}

/* ---- writing */

static void add_zeros(Text *log, size_t count) {
    while (count >= 2) {
        int power = 63 - __builtin_clzll(count);
        power = power < 20 ? power : 20;
        text_add_char(log, (char)('f' + power));
        count -= (size_t)1 << power;
    }
    if (count > 0)
        text_add_char(log, '0');
}

void decided_add(Decided *decided, const uint64_t *set, size_t queues) {
    size_t number = decided->count++, zeros = 0;
    if (!set)
        return;
    text_format(&decided->log, "%zu=", number);
    for (size_t i = 0; i < queues; i += 4) {
        unsigned digit = (unsigned)(set[i / 64] >> (i % 64) & 15);
        if (digit == 0) {
            zeros++;
            continue;
        }
        add_zeros(&decided->log, zeros);
        zeros = 0;
        text_add_char(&decided->log, digits[digit]);
    }
    text_add_char(&decided->log, ' ');
}

/* ---- reading */

/* Reads a set up to the space behind it and adds it to `set` (NULL: it is only checked). Returns
 * what follows the space; NULL: malformed, or the set is empty. */
static const char *read_set(const char *text, uint64_t *set, size_t queues) {
    size_t i = 0;
    bool any = false;
    for (; *text && *text != ' '; text++) {
        if (*text >= 'g' && *text <= 'z') {
            i += (size_t)4 << (*text - 'f');
            continue;
        }
        const char *found = strchr(digits, *text);
        if (!found || i >= queues)
            return NULL;
        uint64_t digit = (uint64_t)(found - digits);
        if (i + 4 > queues && digit >> (queues - i))
            return NULL;
        if (set)
            set[i / 64] |= digit << (i % 64);
        any |= digit != 0;
        i += 4;
    }
    return any && *text == ' ' ? text + 1 : NULL;
}

/* Reads the number of an entry and '='. NULL: malformed. */
static const char *read_number(const char *text, size_t *number) {
    char *end;
    if (*text < '0' || *text > '9')
        return NULL;
    *number = strtoull(text, &end, 10);
    return *end == '=' ? end + 1 : NULL;
}

bool decided_restore(Decided *decided, size_t known, const char *log, size_t queues) {
    size_t next = 0, number;
    for (const char *text = log; *text; next = number + 1) {
        text = read_number(text, &number);
        if (!text || number < next || number >= known)
            return false;
        text = read_set(text, NULL, queues);
        if (!text)
            return false;
    }
    decided->known = known;
    text_add(&decided->log, log);
    return !decided->log.failed;
}

bool decided_recall(Decided *decided, uint64_t *set, size_t queues) {
    size_t number, candidate = decided->count++;
    const char *text = decided->log.data ? decided->log.data + decided->at : "";
    const char *digits_at = read_number(text, &number);
    if (!digits_at || number != candidate)
        return false;
    decided->at = (size_t)(read_set(digits_at, set, queues) - decided->log.data);
    return true;
}
