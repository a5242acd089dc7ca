/* pattern: an element is a set of pieces and a number of draws; a pattern is the product of its
 * elements. The size is known, and checked, before the first queue is made. */
#include "clears/pattern.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct Element {
    unsigned set; /* bit p: piece p */
    int draws;
} Element;

typedef struct Pattern {
    Element elements[PATTERN_MAX_PIECES];
    int count, length;
    double queues;
} Pattern;

typedef struct Reader {
    const char *line, *at, *end;
    int number; /* of the line */
    Status *status;
} Reader;

static bool fail(const Reader *reader, const char *why) {
    return status_fail(reader->status, STATUS_INPUT, "line %d, character %d: %s", reader->number,
                       (int)(reader->at - reader->line) + 1, why);
}

/* [SZ] or [^TI], from the bracket on. */
static bool read_set(Reader *reader, unsigned *set) {
    reader->at++;
    bool others = reader->at < reader->end && *reader->at == '^';
    reader->at += others;
    *set = 0;
    for (; reader->at < reader->end && *reader->at != ']'; reader->at++) {
        Piece piece = piece_from_letter(*reader->at);
        if (*reader->at == ',' || *reader->at == ' ')
            continue;
        if (piece == PIECE_NONE)
            return fail(reader, "not a piece; one of IOTSZJL is expected");
        if (*set >> piece & 1)
            return fail(reader, "this piece is in the brackets already");
        *set |= 1u << piece;
    }
    if (reader->at == reader->end)
        return fail(reader, "the bracket is not closed");
    *set = others ? *set ^ ((1u << PIECE_COUNT) - 1) : *set;
    if (*set == 0)
        return fail(reader, "the brackets contain no piece");
    reader->at++;
    return true;
}

/* pN or !, where they follow. */
static bool read_draws(Reader *reader, Element *element) {
    int most = __builtin_popcount(element->set);
    element->draws = 1;
    if (reader->at < reader->end && *reader->at == '!') {
        element->draws = most;
        reader->at++;
    } else if (reader->at < reader->end && *reader->at == 'p') {
        reader->at++;
        if (reader->at == reader->end || *reader->at < '1' || *reader->at > '0' + most)
            return status_fail(reader->status, STATUS_INPUT,
                               "line %d, character %d: after p, a number from 1 to %d is expected",
                               reader->number, (int)(reader->at - reader->line) + 1, most);
        element->draws = *reader->at++ - '0';
        if (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
            return fail(reader, "more draws than pieces");
    }
    return true;
}

static bool read_element(Reader *reader, Element *element) {
    Piece piece = piece_from_letter(*reader->at);
    if (*reader->at == '[') {
        if (!read_set(reader, &element->set))
            return false;
    } else if (*reader->at == '*' || piece != PIECE_NONE) {
        element->set = piece == PIECE_NONE ? (1u << PIECE_COUNT) - 1 : 1u << piece;
        reader->at++;
    } else
        return fail(reader, "a piece (IOTSZJL), * or [ is expected");
    return read_draws(reader, element);
}

/* Reads one line; a line without elements gives count 0. */
static bool read_line(Reader *reader, Pattern *pattern) {
    *pattern = (Pattern){.queues = 1};
    for (; reader->at < reader->end;) {
        if (*reader->at == ',' || *reader->at == ' ' || *reader->at == '\t' ||
            *reader->at == '\r') {
            reader->at++;
            continue;
        }
        Element element;
        if (!read_element(reader, &element))
            return false;
        pattern->length += element.draws;
        if (pattern->length > PATTERN_MAX_PIECES)
            return status_fail(reader->status, STATUS_INPUT, "line %d: more than %d pieces",
                               reader->number, PATTERN_MAX_PIECES);
        int choices = __builtin_popcount(element.set);
        for (int i = 0; i < element.draws; i++)
            pattern->queues *= choices - i;
        pattern->elements[pattern->count++] = element;
    }
    return true;
}

/* Sets of pieces have four bits per piece. */
static bool check_repeats(const Reader *reader, const Pattern *pattern) {
    for (int p = 0; p < PIECE_COUNT; p++) {
        int most = 0;
        for (int i = 0; i < pattern->count; i++)
            most += (int)(pattern->elements[i].set >> p & 1);
        if (most > PATTERN_MAX_REPEATS)
            return status_fail(reader->status, STATUS_INPUT,
                               "line %d: %c can come more than %d times", reader->number,
                               piece_letters[p], PATTERN_MAX_REPEATS);
    }
    return true;
}

typedef struct Writer {
    const Pattern *pattern;
    QueueCode *next;
} Writer;

/* All queues that continue `code`, of which `length` pieces and elements before `index` are there.
 * `left` are the pieces that element `index` may still draw, `draws` how many it must. */
static void expand(Writer *writer, int index, unsigned left, int draws, QueueCode code,
                   int length) {
    if (draws == 0) {
        if (++index == writer->pattern->count) {
            *writer->next++ = code;
            return;
        }
        left = writer->pattern->elements[index].set;
        draws = writer->pattern->elements[index].draws;
    }
    for (int p = 0; p < PIECE_COUNT; p++)
        if (left >> p & 1)
            expand(writer, index, left & ~(1u << p), draws - 1, queue_with(code, length, (Piece)p),
                   length + 1);
}

static int compare(const void *a, const void *b) {
    QueueCode x = *(const QueueCode *)a, y = *(const QueueCode *)b;
    return x < y ? -1 : x > y;
}

/* One pattern gives its queues sorted and distinct; several may not. */
static void sort(Queues *queues) {
    if (queues->count == 0)
        return;
    qsort(queues->codes, queues->count, sizeof *queues->codes, compare);
    size_t kept = 1;
    for (size_t i = 1; i < queues->count; i++)
        if (queues->codes[i] != queues->codes[kept - 1])
            queues->codes[kept++] = queues->codes[i];
    queues->count = kept;
}

static bool too_many(double count, size_t most, Status *status) {
    return status_fail(status, STATUS_INPUT, "%.0f queues; max-queues is %zu", count, most);
}

static bool add(const Pattern *pattern, size_t most, Queues *queues, int number, Status *status) {
    if (queues->count > 0 && queues->length != pattern->length)
        return status_fail(status, STATUS_INPUT, "line %d: %d pieces, but %d in the lines before",
                           number, pattern->length, queues->length);
    if ((double)queues->count + pattern->queues > PATTERN_MAX_QUEUES)
        return status_fail(status, STATUS_INPUT, "%.0f queues; at most %d are possible",
                           (double)queues->count + pattern->queues, PATTERN_MAX_QUEUES);
    if (pattern->queues > (double)most)
        return too_many(pattern->queues, most, status);
    size_t more = (size_t)pattern->queues;
    if (queues->count + more > 2 * most) { /* rarely, since it takes as long as all lines before */
        sort(queues);
        if (queues->count > most)
            return too_many((double)queues->count, most, status);
    }
    QueueCode *codes = realloc(queues->codes, (queues->count + more) * sizeof *codes);
    if (!codes)
        return status_no_memory(status);
    queues->codes = codes;
    queues->length = pattern->length;
    Writer writer = {pattern, codes + queues->count};
    expand(&writer, -1, 0, 0, 0, 0);
    queues->count += more;
    return true;
}

bool queues_parse(const char *text, size_t most, Queues *queues, Status *status) {
    *queues = (Queues){0};
    int lines = 0, number = 1;
    bool ok = true;
    for (const char *line = text; ok && *line; number++) {
        size_t length = strcspn(line, "\n");
        const char *comment = memchr(line, '#', length);
        Reader reader = {line, line, comment ? comment : line + length, number, status};
        Pattern pattern;
        ok = read_line(&reader, &pattern) && check_repeats(&reader, &pattern);
        if (ok && pattern.count > 0) {
            ok = add(&pattern, most, queues, number, status);
            lines++;
        }
        line += length + (line[length] == '\n');
    }
    if (ok && lines == 0)
        ok = status_fail(status, STATUS_INPUT, "no pattern");
    if (ok && lines > 1)
        sort(queues);
    if (ok && queues->count > most)
        ok = too_many((double)queues->count, most, status);
    if (!ok)
        queues_release(queues);
    return ok;
}

void queues_release(Queues *queues) {
    free(queues->codes);
    *queues = (Queues){0};
}

void queue_letters(QueueCode code, int length, char letters[PATTERN_MAX_PIECES + 1]) {
    for (int i = 0; i < length; i++)
        letters[i] = piece_letters[queue_piece(code, i)];
    letters[length] = 0;
}

size_t queues_same(const Queues *queues, size_t first, size_t end, int depth) {
    QueueCode mask = depth == 0 ? 0 : ~(QueueCode)0 << (64 - 3 * depth);
    QueueCode prefix = queues->codes[first] & mask;
    /* Gallop, then halve: most groups are short. */
    size_t low = first, step = 1;
    while (low + step < end && (queues->codes[low + step] & mask) == prefix) {
        low += step;
        step *= 2;
    }
    size_t high = low + step < end ? low + step : end;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if ((queues->codes[middle] & mask) == prefix)
            low = middle;
        else
            high = middle;
    }
    return high;
}
