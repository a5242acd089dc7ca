/*
 * perfect: `descend` is the search, in numbered steps; what comes before it are its checks.
 *
 * The checks run on a Field, the few rows that are to be emptied, copied per placement; they are
 * compiled for two CPU levels because nearly all time is spent in them. Invariant: a state in
 * `memo` cannot be completed with the points it needs.
 */
#include "problem/perfect.h"

#include "base/cpu.h"
#include "clears/packing.h"
#include "engine/score.h"
#include "problem/expand.h"
#include "problem/stages.h"

#include <stdlib.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    MEMO_FIRST_BITS = 10, /* few states fail where a clear is found at once */
    MEMO_MOST_BITS = 20,  /* when these are full, failures are no longer remembered */
    MAX_STAGE_ROWS = 8,
    FIELD_WORDS = MAX_STAGE_ROWS + 4, /* four rows can be read from any of them */
    USUAL_STAGE_ROWS = 4,             /* clears of four rows are easiest to find */
    CANDIDATES = 512,                 /* of one state; a field of 8 rows and 16 columns has fewer */
    CUT_INTERVAL = 16,                /* states; one may take 50 microseconds */
    TABLES_EFFORT = 4000000,          /* the budget from which on tables of stages can be made */
    BEFORE_TABLES = 500000            /* placements to try before */
};

/* A move to try, and how untidy it leaves the field. */
typedef struct Candidate {
    Move move;
    int untidy;
} Candidate;

typedef struct Field Field;
typedef int Filter(const Field *field, int change, bool tetris, bool held, const Placement *places,
                   int total, Candidate *out, int room);

typedef struct Search {
    const PerfectSearch *setting;
    uint64_t *memo; /* keys of states that failed; 0: free */
    uint32_t memo_used;
    int memo_bits; /* it has 2^bits slots */
    uint64_t used, states;
    bool stopped;   /* by the budget or a stop: a failure proves nothing now */
    uint64_t pause; /* stop when so many placements were tried; 0: not */
    int best_score; /* only better ones count; -1: any */
    Move *moves;
    Move *deepest; /* the moves of the longest chain of clears so far */
    int deepest_length, deepest_score;
    int placements;
    Candidate *candidates; /* CANDIDATES for every depth */
    Filter *filter;
    Packer *packer; /* NULL: no memory for it */
} Search;

static uint64_t mix(uint64_t value) {
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93u;
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93u;
    return value ^ (value >> 32);
}

/* What the future depends on: field, hold, place in the queue, and the points it still needs (a
 * stage has far fewer than 256). */
static uint64_t state_key(const DecodeState *state, int left, int needed) {
    uint64_t key = mix((uint64_t)left << 32 | (uint64_t)state->next << 16 |
                       (uint64_t)state->hold << 8 | (uint64_t)(needed & 0xff));
    for (int y = 0; y < state->highest; y += 4)
        key = mix(key ^ board_window(state->board.words, y)) + (uint64_t)y;
    return key ? key : 1;
}

static uint64_t memo_slots(const Search *search) {
    return (uint64_t)1 << search->memo_bits;
}

/* The slot of a key, or the free one where it belongs. */
static uint64_t *memo_slot(const Search *search, uint64_t key) {
    uint64_t i = key >> (64 - search->memo_bits);
    while (search->memo[i] != key && search->memo[i] != 0)
        i = (i + 1) % memo_slots(search);
    return &search->memo[i];
}

static bool memo_has(const Search *search, uint64_t key) {
    return *memo_slot(search, key) == key;
}

/* Doubles the slots; false: no memory, or as many as it may have. */
static bool memo_grow(Search *search) {
    uint64_t *old = search->memo, slots = memo_slots(search);
    uint64_t *larger = search->memo_bits < MEMO_MOST_BITS ? calloc(2 * slots, sizeof *old) : NULL;
    if (!larger)
        return false;
    search->memo = larger;
    search->memo_bits++;
    for (uint64_t i = 0; i < slots; i++)
        if (old[i])
            *memo_slot(search, old[i]) = old[i];
    free(old);
    return true;
}

static void memo_add(Search *search, uint64_t key) {
    if (search->memo_used >= memo_slots(search) / 4 * 3 && !memo_grow(search))
        return;
    *memo_slot(search, key) = key;
    search->memo_used++;
}

/* The rows that are to be emptied, and nothing else: small enough to try a piece on a copy. */
struct Field {
    uint16_t rows[FIELD_WORDS]; /* those at and above `count` are 0 */
    int count;
    unsigned full, width;
};

INLINE void field_of(const Board *board, int rows, Field *field) {
    memset(field->rows, 0, sizeof field->rows);
    for (int y = 0; y < rows; y++)
        field->rows[y] = board_row(board, y);
    field->count = rows;
    field->full = board->full;
    field->width = board->width;
}

/* Fills the cells of the piece and takes out the full rows. */
INLINE void field_place(Field *field, Placement at) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    uint16_t *place = field->rows + at.y + shape->min_y;
    uint64_t window;
    memcpy(&window, place, sizeof window);
    window |= shape->mask << (at.x + shape->min_x);
    memcpy(place, &window, sizeof window);
    int kept = 0;
    for (int y = 0; y < field->count; y++) {
        field->rows[kept] = field->rows[y];
        kept += field->rows[y] != field->full;
    }
    for (int y = kept; y < field->count; y++)
        field->rows[y] = 0;
    field->count = kept;
}

/* True when the empty cells left of each cut that no row crosses are a multiple of 4. */
INLINE bool cuts_are_even(const Field *field) {
    unsigned crossable = 0; /* bit x: in some row columns x and x+1 are both empty */
    for (int y = 0; y < field->count; y++) {
        unsigned empty = ~(unsigned)field->rows[y];
        crossable |= empty & empty >> 1;
    }
    unsigned closed = ~crossable & (field->full >> 1);
    for (; closed; closed &= closed - 1) {
        unsigned left = (2u << __builtin_ctz(closed)) - 1;
        int count = 0;
        for (int y = 0; y < field->count; y++)
            count += __builtin_popcount(~(unsigned)field->rows[y] & left);
        if (count % 4 != 0)
            return false;
    }
    return true;
}

/* Empty cells in even columns less those in odd ones. */
INLINE int column_difference(const Field *field) {
    const unsigned even = 0x5555;
    int difference = 0;
    for (int y = 0; y < field->count; y++) {
        unsigned empty = field->full & ~(unsigned)field->rows[y];
        difference += __builtin_popcount(empty & even) - __builtin_popcount(empty & ~even);
    }
    return difference;
}

/* True when every connected region of these cells, four rows of 16 bits, has a multiple of 4. Where
 * no row is cleared before all are filled, no piece crosses from one region to another. */
INLINE bool regions_are_even(uint64_t cells) {
    while (cells) {
        uint64_t region = cells & -cells, before = 0;
        while (region != before) {
            before = region;
            region |= (region << 1 | region >> 1 | region << 16 | region >> 16) & cells;
        }
        if (__builtin_popcountll(region) % 4 != 0)
            return false;
        cells &= ~region;
    }
    return true;
}

/* False proves that the four rows of the field cannot be completed by one I as the last piece: a
 * column must stay empty for it, and the other pieces fill the rest. */
INLINE bool tetris_is_possible(const Field *field, int change) {
    if (field->count != 4)
        return false;
    unsigned wells = field->full;
    for (int y = 0; y < 4; y++)
        wells &= ~(unsigned)field->rows[y];
    int difference = column_difference(field);
    uint64_t filled, rows = 0x0001000100010001u;
    memcpy(&filled, field->rows, sizeof filled);
    for (; wells; wells &= wells - 1) {
        unsigned well = wells & -wells;
        int rest = difference - (well & 0x5555 ? 4 : -4);
        if (abs(rest) <= change - 4 && regions_are_even(rows * (field->full & ~well) & ~filled))
            return true;
    }
    return false;
}

/* The most that the pieces to come can change that difference: L, J and an upright T by 2 each, an
 * upright I by 4. */
static int largest_change(const Decoder *decoder, const DecodeState *state, int left) {
    static const uint8_t changes[PIECE_COUNT + 1] = {
        [PIECE_I] = 4, [PIECE_T] = 2, [PIECE_J] = 2, [PIECE_L] = 2};
    int sum = changes[state->hold];
    /* With something in hold one piece more than will be placed may come: that only loosens it. */
    for (int i = state->next; i < state->next + left + 1 && i < decoder->piece_count; i++)
        sum += changes[decoder->pieces[i]];
    return sum;
}

bool perfect_possible(const Decoder *decoder, const DecodeState *state, int left, int rows) {
    if (state->highest > rows)
        return false;
    if (rows > MAX_STAGE_ROWS)
        return true; /* not checked */
    Field field;
    field_of(&state->board, rows, &field);
    return cuts_are_even(&field) &&
           abs(column_difference(&field)) <= largest_change(decoder, state, left);
}

/* Rows left, edges between filled and empty cells, and covered cells. Fields with few of them are
 * easy to finish and are tried first. */
INLINE int untidiness(const Field *field) {
    int count = 4 * field->count;
    unsigned full = field->full, above = 0;
    for (int y = field->count - 1; y >= 0; y--) {
        unsigned row = field->rows[y], walled = row << 1 | 1u | 2u << field->width;
        count += __builtin_popcount((walled ^ walled >> 1) & (2 * full + 1));
        count += __builtin_popcount(row ^ above);
        count += 4 * __builtin_popcount(above & ~row); /* covered */
        above = row;
    }
    return count;
}

static int rows_of(const DecodeState *state, int pieces) {
    return (board_count(&state->board) + 4 * pieces) / state->board.width;
}

/* The most points that the `rows` of this stage and those of the stages after it can still bring.
 */
static int most_points(const Search *search, int rows, int pieces_after) {
    int width = search->setting->decoder->start.board.width;
    return (int)score_lines(SCORING_UNIT, rows + 4 * pieces_after / width, 1);
}

/* True when at least `needed` points from the last `left` pieces take a tetris by the very last
 * one: four rows cleared otherwise bring fewer. */
static bool needs_tetris(const Search *search, int needed, int made, int left, int rows) {
    int three_and_one = (int)(score_lines(SCORING_UNIT, 3, 1) + score_lines(SCORING_UNIT, 1, 1));
    return rows == 4 && left > 1 && made + left == search->placements && needed > three_and_one;
}

static bool may_continue(Search *search) {
    const PerfectSearch *setting = search->setting;
    search->used++;
    search->states++;
    if ((setting->effort && search->used >= setting->effort) ||
        (search->pause && search->used >= search->pause))
        search->stopped = true;
    if (search->states % CUT_INTERVAL == 0 && setting->cut.asked &&
        setting->cut.asked(setting->cut.context))
        search->stopped = true;
    return !search->stopped;
}

/* Keeps those of the `total` places after which the checks do not exclude a perfect clear (by a
 * tetris, if `tetris`). */
INLINE int filter(const Field *field, int change, bool tetris, bool held, const Placement *places,
                  int total, Candidate *out, int room) {
    int count = 0;
    for (int i = 0; i < total && count < room; i++) {
        const Placement *at = &places[i];
        if (at->y + piece_shapes[at->piece][at->rotation].max_y >= field->count)
            continue;
        Field after = *field;
        field_place(&after, *at);
        if (cuts_are_even(&after) && abs(column_difference(&after)) <= change &&
            (!tetris || tetris_is_possible(&after, change)))
            out[count++] = (Candidate){{*at, held}, untidiness(&after)};
    }
    return count;
}

static int filter_baseline(const Field *field, int change, bool tetris, bool held,
                           const Placement *places, int total, Candidate *out, int room) {
    return filter(field, change, tetris, held, places, total, out, room);
}

#if defined(__x86_64__)
CPU_TARGET_AVX2 static int filter_avx2(const Field *field, int change, bool tetris, bool held,
                                       const Placement *places, int total, Candidate *out,
                                       int room) {
    return filter(field, change, tetris, held, places, total, out, room);
}
#endif

static Filter *choose_filter(void) {
#if defined(__x86_64__)
    if (cpu_level() >= CPU_AVX2)
        return filter_avx2;
#endif
    return filter_baseline;
}

static bool is_listed(const Placement *places, int count, Placement at) {
    for (int i = 0; i < count; i++)
        if (placement_same_cells(places[i], at))
            return true;
    return false;
}

/* Adds the places of the current piece that pass the checks. `state` has the piece taken (and
 * held). */
static int collect(Search *search, const DecodeState *state, Piece piece, bool held, bool tetris,
                   int left, int rows, Candidate *out, int count) {
    const PerfectSearch *setting = search->setting;
    if (!decode_spawn_is_free(state, piece))
        return count;
    Placement places[REACH_MAX];
    int first = count, total = expand_places(setting->decoder, state, piece, true, places);
    Field field;
    field_of(&state->board, rows, &field);
    count += search->filter(&field, largest_change(setting->decoder, state, left - 1), tetris, held,
                            places, total, out + count, CANDIDATES - count);
    search->used += (uint64_t)total;
    if (setting->any || count == first)
        return count;
    /* Rarely reached, so only now find out what the encoding can express. */
    total = expand_places(setting->decoder, state, piece, false, places);
    int kept = first;
    for (int i = first; i < count; i++)
        if (is_listed(places, total, out[i].move.placement))
            out[kept++] = out[i];
    return kept;
}

static void sort_candidates(Candidate *list, int count) {
    for (int i = 1; i < count; i++) {
        Candidate moving = list[i];
        int k = i;
        for (; k > 0 && list[k - 1].untidy > moving.untidy; k--)
            list[k] = list[k - 1];
        list[k] = moving;
    }
}

/* The pieces out of which `left` are placed next. */
static PieceCounts pieces_left(const Search *search, const DecodeState *state, int left) {
    const Decoder *decoder = search->setting->decoder;
    PieceCounts counts = state->hold != PIECE_NONE ? COUNTS_ONE(state->hold) : 0;
    int count = left + (search->setting->hold && state->hold == PIECE_NONE);
    for (int i = state->next; i < state->next + count && i < decoder->piece_count; i++)
        counts += COUNTS_ONE(decoder->pieces[i]);
    return counts;
}

/* The state with the current piece taken, and swapped with the hold when `held`. */
static bool take(const Search *search, const DecodeState *state, bool held, DecodeState *taken,
                 Piece *piece) {
    *taken = *state;
    *piece = decode_take(search->setting->decoder, taken);
    if (*piece == PIECE_NONE)
        return false;
    return !held || (search->setting->hold && decode_swap(search->setting->decoder, taken, piece));
}

/* The number of pieces after which a stage may end: it fills whole rows, is not lower than the
 * stack, and not too high. Smallest first. */
static int stage_sizes(const DecodeState *state, int placements, int sizes[MAX_STAGE_ROWS]) {
    int width = state->board.width, cells = board_count(&state->board), count = 0;
    for (int rows = state->highest > 1 ? state->highest : 1; rows <= MAX_STAGE_ROWS; rows++) {
        int empty = rows * width - cells;
        if (empty > 0 && empty % 4 == 0 && empty / 4 <= placements)
            sizes[count++] = empty / 4;
    }
    return count;
}

/* The stage to try: the whole rest if it is short enough, else the one nearest to four rows that
 * leaves a rest which can be a stage too (or nothing better). */
static int choose_stage(const DecodeState *state, int placements) {
    int sizes[MAX_STAGE_ROWS], best = 0, best_distance = 1000;
    int count = stage_sizes(state, placements, sizes);
    for (int i = 0; i < count; i++) {
        int rows = rows_of(state, sizes[i]);
        int distance = abs(rows - USUAL_STAGE_ROWS) * 2;
        int rest = placements - sizes[i];
        if (rest == 0 && rows <= USUAL_STAGE_ROWS + 2)
            distance = 0;
        else if (rest * 4 % state->board.width == 0 && rest * 4 / state->board.width < 4)
            distance += 5; /* the rest would be a clear of one to three rows */
        if (distance < best_distance) {
            best_distance = distance;
            best = sizes[i];
        }
    }
    return best;
}

/* Empties `rows` rows with `left` pieces, then the stages after them; `made` moves are in
 * search->moves. True: all stages are done. */
static bool descend(Search *search, const DecodeState *state, int made, int left, int rows) {
    /* 1. The stage is over. If the board is empty, keep the longest chain of clears and begin the
     * next stage; after the last one only a better score counts. */
    if (left == 0) {
        if (state->highest > 0)
            return false;
        int size = choose_stage(state, search->placements - made);
        bool last = size == 0;
        if (last && state->score <= search->best_score)
            return false;
        if (last || made > search->deepest_length) {
            memcpy(search->deepest, search->moves, (size_t)made * sizeof *search->moves);
            search->deepest_length = made;
            search->deepest_score = state->score;
        }
        return last || descend(search, state, made, size, rows_of(state, size));
    }
    /* 2. Too few points can still be made, or the budget is spent. */
    int needed = search->best_score < 0 ? -1 : search->best_score + 1 - state->score;
    if (needed > most_points(search, rows, search->placements - made - left) ||
        !may_continue(search))
        return false;
    /* 3. The same state failed before. */
    uint64_t key = state_key(state, left, needed);
    if (memo_has(search, key))
        return false;
    /* 4. The pieces to come cannot fill the field exactly. */
    if (search->packer && left < PATTERN_MAX_REPEATS &&
        !packer_possible(search->packer, &state->board, rows, pieces_left(search, state, left)))
        return false;
    /* 5. The placements, without and with hold, that pass the checks. */
    Candidate *list = search->candidates + (size_t)made * CANDIDATES;
    int count = 0;
    bool tetris = needs_tetris(search, needed, made, left, rows);
    DecodeState taken;
    Piece piece;
    for (int held = 0; held <= 1; held++)
        if (take(search, state, held, &taken, &piece))
            count = collect(search, &taken, piece, held, tetris, left, rows, list, count);
    /* 6. Tidy fields first: they are easiest to finish. */
    sort_candidates(list, count);
    for (int i = 0; i < count && !search->stopped; i++) {
        int lines;
        search->moves[made] = list[i].move;
        take(search, state, list[i].move.hold, &taken, &piece);
        decode_lock(&taken, list[i].move.placement, &lines);
        if (descend(search, &taken, made + 1, left - 1, rows - lines))
            return true;
    }
    /* 7. All failed: remember that, unless the search was stopped, which proves nothing. */
    if (!search->stopped)
        memo_add(search, key);
    return false;
}

bool perfect_search(const PerfectSearch *setting, const DecodeState *start, int placements,
                    Move *moves, PerfectResult *result) {
    *result = (PerfectResult){0};
    int size = choose_stage(start, placements);
    if (size == 0) {
        result->exhausted = true; /* no number of pieces fills whole rows: nothing to search */
        return true;
    }
    Search search = {.setting = setting,
                     .filter = choose_filter(),
                     .packer = packer_new(start->board.width),
                     .best_score = -1,
                     .memo_bits = MEMO_FIRST_BITS,
                     .moves = malloc((size_t)placements * sizeof(Move)),
                     .deepest = moves,
                     .deepest_score = start->score,
                     .placements = placements,
                     .memo = calloc((size_t)1 << MEMO_FIRST_BITS, sizeof *search.memo),
                     .candidates = malloc((size_t)placements * CANDIDATES * sizeof(Candidate))};
    bool ok = search.memo && search.candidates && search.moves;
    if (ok) {
        bool found = descend(&search, start, 0, size, rows_of(start, size));
        bool staged = found && !setting->first && size < placements &&
                      (setting->effort == 0 || setting->effort >= TABLES_EFFORT) &&
                      stages_apply(setting, start, placements, choose_stage);
        if (staged) /* the first improvements are found sooner in this way than with tables */
            search.pause = search.used + BEFORE_TABLES;
        /* All pieces are placed: search again for a higher score until there is none. */
        while (found && !setting->first && search.deepest_length == placements) {
            search.best_score = search.deepest_score;
            memset(search.memo, 0, memo_slots(&search) * sizeof *search.memo);
            search.memo_used = 0;
            found = descend(&search, start, 0, size, rows_of(start, size));
        }
        result->length = search.deepest_length;
        result->score = search.deepest_score - start->score;
        result->exhausted = !search.stopped;
        result->one_stage = size == placements;
        result->used = search.used;
        if (staged && search.stopped)
            ok = stages_improve(setting, start, placements, choose_stage, moves, result);
    }
    free(search.moves);
    free(search.candidates);
    free(search.memo);
    packer_free(search.packer);
    return ok;
}
