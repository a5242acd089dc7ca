/* randomizer: one switch over the kinds, and the two notations of a piece sequence. */
#include "engine/randomizer.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static const char *const csv_names[PIECE_COUNT] = {
    [PIECE_I] = "I",  [PIECE_O] = "Sq", [PIECE_T] = "T",  [PIECE_S] = "RS",
    [PIECE_Z] = "LS", [PIECE_J] = "LG", [PIECE_L] = "RG",
};

void randomizer_init(Randomizer *randomizer, RandomizerKind kind, uint64_t seed, uint64_t stream) {
    assert(kind != RANDOMIZER_LIST);
    *randomizer = (Randomizer){.kind = kind};
    rng_init(&randomizer->rng, seed, stream);
}

void randomizer_init_list(Randomizer *randomizer, const uint8_t *list, size_t count) {
    *randomizer = (Randomizer){.kind = RANDOMIZER_LIST, .list = list, .list_count = count};
}

static Piece next_of_bag(Randomizer *randomizer) {
    if (randomizer->bag_left == 0) {
        for (uint8_t i = 0; i < PIECE_COUNT; i++)
            randomizer->bag[i] = i;
        randomizer->bag_left = PIECE_COUNT;
    }
    /* Drawing without putting back: the last of the rest fills the gap. */
    uint32_t index = rng_below(&randomizer->rng, randomizer->bag_left);
    uint8_t piece = randomizer->bag[index];
    randomizer->bag[index] = randomizer->bag[--randomizer->bag_left];
    return (Piece)piece;
}

Piece randomizer_next(Randomizer *randomizer) {
    switch (randomizer->kind) {
    case RANDOMIZER_BAG:
        return next_of_bag(randomizer);
    case RANDOMIZER_UNIFORM:
        return (Piece)rng_below(&randomizer->rng, PIECE_COUNT);
    case RANDOMIZER_LIST:
        if (randomizer->list_next == randomizer->list_count)
            return PIECE_NONE;
        return (Piece)randomizer->list[randomizer->list_next++];
    case RANDOMIZER_SZ:
        randomizer->next_is_z = !randomizer->next_is_z;
        return randomizer->next_is_z ? PIECE_S : PIECE_Z;
    case RANDOMIZER_SZ_RANDOM:
        return rng_next(&randomizer->rng) >> 63 ? PIECE_S : PIECE_Z;
    case RANDOMIZER_COUNT:
        break;
    }
    return PIECE_NONE;
}

const char *pieces_csv_name(Piece piece) {
    return csv_names[piece];
}

static Piece piece_from_csv_name(const char *name, size_t length) {
    for (int i = 0; i < PIECE_COUNT; i++)
        if (strlen(csv_names[i]) == length && strncmp(csv_names[i], name, length) == 0)
            return (Piece)i;
    return PIECE_NONE;
}

/* Letters and names are told apart by the whole text: names have separators, or characters that no
 * letter of a piece is. */
static bool looks_like_csv(const char *text) {
    return strpbrk(text, ",;RGq") != NULL;
}

static bool add_piece(Piece piece, uint8_t *pieces, size_t capacity, size_t *count,
                      Status *status) {
    if (*count == capacity)
        return status_fail(status, STATUS_INPUT, "more than %zu pieces", capacity);
    pieces[(*count)++] = (uint8_t)piece;
    return true;
}

static int parse_csv(const char *text, uint8_t *pieces, size_t capacity, Status *status) {
    static const char separators[] = ",; \t\r\n";
    size_t count = 0;
    const char *at = text + strspn(text, separators);
    while (*at) {
        size_t length = strcspn(at, separators);
        Piece piece = piece_from_csv_name(at, length);
        if (piece == PIECE_NONE && length == 1)
            piece = piece_from_letter(*at);
        if (piece == PIECE_NONE) {
            status_fail(status, STATUS_INPUT, "'%.*s' at position %zu is not a piece name",
                        length > 20 ? 20 : (int)length, at, (size_t)(at - text) + 1);
            return -1;
        }
        if (!add_piece(piece, pieces, capacity, &count, status))
            return -1;
        at += length;
        at += strspn(at, separators);
    }
    return (int)count;
}

int pieces_parse(const char *text, uint8_t *pieces, size_t capacity, Status *status) {
    if (looks_like_csv(text))
        return parse_csv(text, pieces, capacity, status);
    size_t count = 0;
    for (const char *at = text; *at; at++) {
        if (isspace((unsigned char)*at))
            continue;
        Piece piece = piece_from_letter(*at);
        if (piece == PIECE_NONE) {
            status_fail(status, STATUS_INPUT, "'%c' at position %zu is not a piece (IOTSZJL)", *at,
                        (size_t)(at - text) + 1);
            return -1;
        }
        if (!add_piece(piece, pieces, capacity, &count, status))
            return -1;
    }
    return (int)count;
}
