/*
 * tetris_tree: actions, promise, bound and key of a partial game.
 *
 * The promise orders partial boards, by weights found by random search. The bound is proved from
 * the profile's signs (bound_holds); where it does not hold, no node is excluded by it.
 */
#include "problem/tetris_tree.h"

#include "engine/score.h"
#include "problem/expand.h"
#include "problem/high_clear.h"
#include "problem/moves.h"
#include "problem/perfect.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const TetrisTree *data_of(const Tree *tree) {
    return tree->data;
}

static TreeAction action_of(Placement at, bool held) {
    return (TreeAction)at.piece | (TreeAction)at.rotation << 8 | (TreeAction)(uint8_t)at.x << 16 |
           (TreeAction)(uint8_t)at.y << 24 | (TreeAction)held << 32;
}

TreeAction tetris_tree_action(const DecodeStep *step) {
    return action_of(step->move.placement, step->move.hold);
}

static Move move_of(TreeAction action) {
    return (Move){{.piece = (uint8_t)action,
                   .rotation = (uint8_t)(action >> 8),
                   .x = (int8_t)(uint8_t)(action >> 16),
                   .y = (int8_t)(uint8_t)(action >> 24)},
                  action >> 32 & 1};
}

static void root(const Tree *tree, void *node) {
    memcpy(node, &data_of(tree)->decoder->start, sizeof(DecodeState));
}

/* The current piece after taking the next one and, when `held`, the hold; PIECE_NONE when that
 * cannot be done or its spawn is blocked. */
static Piece take(const TetrisTree *tetris, DecodeState *state, bool held) {
    Piece piece = decode_take(tetris->decoder, state);
    if (piece == PIECE_NONE || !decode_spawn_is_free(state, piece))
        return PIECE_NONE;
    if (held &&
        (!decode_swap(tetris->decoder, state, &piece) || !decode_spawn_is_free(state, piece)))
        return PIECE_NONE;
    return piece;
}

static uint32_t actions(const Tree *tree, const void *node, TreeAction *out) {
    const TetrisTree *tetris = data_of(tree);
    const DecodeState *state = node;
    uint32_t count = 0;
    if (state->topped_out)
        return 0;
    for (int held = 0; held <= (int)tetris->hold; held++) {
        DecodeState taken = *state;
        Piece piece = take(tetris, &taken, held);
        if (piece == PIECE_NONE)
            continue;
        if (held && (Piece)state->hold == piece && state->next < tetris->decoder->piece_count &&
            tetris->decoder->pieces[state->next] == piece)
            continue; /* swapping equal pieces */
        Placement places[REACH_MAX];
        int found = expand_places(tetris->decoder, &taken, piece, tetris->any, places);
        for (int i = 0; i < found; i++)
            if (places[i].y + piece_shapes[piece][places[i].rotation].min_y < state->board.height)
                out[count++] = action_of(places[i], held);
    }
    return count;
}

static void apply(const Tree *tree, const void *node, TreeAction action, void *child) {
    DecodeState *state = child;
    Move move = move_of(action);
    int lines;
    *state = *(const DecodeState *)node;
    Piece piece = decode_take(data_of(tree)->decoder, state);
    if (move.hold)
        decode_swap(data_of(tree)->decoder, state, &piece);
    decode_lock(state, move.placement, &lines);
}

static double fitness(const Tree *tree, const void *node) {
    const TetrisTree *tetris = data_of(tree);
    return fitness_of_state(tetris->profile, tetris->decoder, node);
}

/* The evaluation of a board that is not the last one. Found by random search over 120 bag sequences
 * of 6 to 27 pieces with a beam of 100: the mean fitness at the end rose from -1.7 (boards
 * evaluated as if they were the last) to 5.3, and on 120 other sequences from -2.0 to 2.9. Cells in
 * themselves count for a board: rows are better kept until several are cleared at once. */
static const double promise_weights[HEURISTIC_COUNT] = {
    [HEURISTIC_BLOCKS] = 2.16,
    [HEURISTIC_WEIGHTED_BLOCKS] = -0.49,
    [HEURISTIC_CLEARABLE_LINES] = 2.08,
    [HEURISTIC_ROUGHNESS] = -2.34,
    [HEURISTIC_COLUMN_HOLES] = -2.65,
    [HEURISTIC_CONNECTED_HOLES] = -3.92,
    [HEURISTIC_BLOCKS_ABOVE_HOLES] = -5.76,
    [HEURISTIC_PIT_HOLE_PERCENT] = -4.47,
    [HEURISTIC_DEEPEST_WELL] = -0.23,
};
static const double promise_holes = -1.96, promise_score = 0.03, promise_tidiness = 1e-2;

static double promise(const Tree *tree, const void *node) {
    const TetrisTree *tetris = data_of(tree);
    const DecodeState *state = node;
    Heuristics heuristics;
    tetris->decoder->measure(&state->board, state->highest, &heuristics);
    double value = promise_score * state->score + promise_holes * heuristics.holes;
    for (int i = 0; i < HEURISTIC_COUNT; i++)
        value += promise_weights[i] * heuristics_value(&heuristics, (Heuristic)i);
    /* Where the profile has no board terms, what it counts comes before tidiness. */
    if (tetris->profile->heuristics == 0)
        value = value * promise_tidiness +
                fitness_value(tetris->profile, state, &heuristics, state->placed);
    return value;
}

/* The least that `blocks` cells weigh by the numbers of their rows while no row is full. */
static int least_weighted(int blocks, int width) {
    int rows = blocks / (width - 1), rest = blocks % (width - 1);
    return (width - 1) * rows * (rows + 1) / 2 + rest * (rows + 1);
}

/* At least this much is lost by `blocks` cells of this weight on the final board. */
static double least_cost(const FitnessProfile *profile, int blocks, int weighted, int width) {
    if (blocks == 0)
        return 0;
    const double *w = profile->weights;
    int clearable = blocks / (width - 1) < 4 ? blocks / (width - 1) : 4;
    double gain = w[HEURISTIC_BLOCKS] * blocks + w[HEURISTIC_WEIGHTED_BLOCKS] * weighted +
                  w[HEURISTIC_CLEARABLE_LINES] * clearable;
    /* Either the heights differ somewhere, or some column has a hole. */
    double uneven = w[HEURISTIC_ROUGHNESS], hollow = w[HEURISTIC_COLUMN_HOLES];
    gain += uneven > hollow ? uneven : hollow;
    return -gain * profile->heuristics;
}

/* What the bound knows of a board: its filled cells row by row, and what completing rows takes. */
typedef struct RowCount {
    int cells, rows;
    int filled[BOARD_MAX_ROWS];  /* of each row */
    int missing[BOARD_MAX_ROWS]; /* empty cells of each row, fewest first */
} RowCount;

static void count_rows(const DecodeState *state, RowCount *count) {
    int width = state->board.width;
    *count = (RowCount){.rows = state->highest};
    for (int y = 0; y < count->rows; y++) {
        int filled = __builtin_popcount(board_row(&state->board, y)), k = y;
        count->filled[y] = filled;
        count->cells += filled;
        for (; k > 0 && count->missing[k - 1] > width - filled; k--)
            count->missing[k] = count->missing[k - 1];
        count->missing[k] = width - filled;
    }
}

/* The least that the final board weighs by the numbers of its rows after `lines` more lines, if
 * `added` cells are added. A row sinks by at most `lines`, and at most `lines` rows go. */
static int least_weighted_after(const RowCount *count, int width, int added, int lines) {
    int sum = added - width * lines, gone[BOARD_MAX_ROWS] = {0};
    for (int y = 0; y < count->rows; y++) {
        int weight = y + 1 > lines ? y + 1 - lines : 1, saved = count->filled[y] * (weight - 1);
        sum += count->filled[y] * weight;
        for (int k = 0; k < lines && k < count->rows && saved > 0; k++)
            if (saved > gone[k]) {
                int swap = gone[k];
                gone[k] = saved;
                saved = swap;
            }
    }
    for (int k = 0; k < lines && k < count->rows; k++)
        sum -= gone[k];
    int loose = least_weighted(count->cells + added - width * lines, width);
    return sum > loose ? sum : loose;
}

/* The best fitness with `left` more pieces of which `unplaced` stay out, when `lines` more lines
 * are cleared. */
static double best_end(const TetrisTree *tetris, const DecodeState *state, const RowCount *count,
                       int left, int unplaced, int lines) {
    const FitnessProfile *profile = tetris->profile;
    int width = state->board.width, added = 4 * (left - unplaced);
    int blocks = count->cells + added - width * lines;
    double value =
        profile->score * (double)(state->score + score_lines(SCORING_UNIT, lines, 1)) -
        profile->noop * state->noops - profile->unplaced * unplaced -
        least_cost(profile, blocks, least_weighted_after(count, width, added, lines), width);
    return value + profile->lines * (state->lines + lines) +
           profile->placed * (state->placed + left - unplaced) +
           profile->tetrises * (state->clears[3] + lines / 4) - profile->peak * state->peak;
}

/* The best fitness that `left` more pieces can end with, when at most `most_lines` more lines are
 * cleared. A line takes the empty cells of its row, so the fullest rows bound their number; with
 * fewer lines there are fewer points and more cells (see bound_holds). */
static double bound(const TetrisTree *tetris, const DecodeState *state, const RowCount *count,
                    int left, int most_lines) {
    double best = -INFINITY;
    for (int unplaced = 0; unplaced <= left; unplaced++) {
        int cells = 4 * (left - unplaced), lines = 0;
        for (; lines < most_lines; lines++) {
            cells -= lines < count->rows ? count->missing[lines] : state->board.width;
            if (cells < 0)
                break;
        }
        double value = best_end(tetris, state, count, left, unplaced, lines);
        best = value > best ? value : best;
    }
    return best;
}

/* The same with a closer look at a final perfect clear, where only that would exceed `threshold`.
 */
static double closer_bound(const TetrisTree *tetris, const DecodeState *state, int left,
                           double threshold) {
    RowCount count;
    count_rows(state, &count);
    int cells = count.cells + 4 * left, width = state->board.width, lines = cells / width;
    double best = bound(tetris, state, &count, left, lines);
    if (best <= threshold || cells % width != 0 || lines == 0)
        return best;
    double otherwise = bound(tetris, state, &count, left, lines - 1);
    if (otherwise > threshold)
        return best;
    return perfect_possible(tetris->decoder, state, left, lines) ? best : otherwise;
}

static bool hopeless(const Tree *tree, const void *node, uint32_t made, double threshold) {
    const TetrisTree *tetris = data_of(tree);
    return tetris->bounded &&
           closer_bound(tetris, node, (int)(tree->depth - made), threshold) <= threshold;
}

/* The best fitness of all games that do not end with a perfect clear. */
static double bound_without_clear(const TetrisTree *tetris) {
    const DecodeState *start = &tetris->decoder->start;
    RowCount count;
    count_rows(start, &count);
    int left = tetris->decoder->placements, cells = count.cells + 4 * left;
    int width = start->board.width, lines = cells / width;
    return bound(tetris, start, &count, left, cells % width == 0 ? lines - 1 : lines);
}

static double root_bound(const Tree *tree) {
    const TetrisTree *tetris = data_of(tree);
    if (!tetris->bounded)
        return INFINITY;
    return closer_bound(tetris, &tetris->decoder->start, (int)tree->depth,
                        bound_without_clear(tetris));
}

static uint64_t mix(uint64_t value) {
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93u;
    return value ^ (value >> 32);
}

static uint64_t key(const Tree *tree, const void *node) {
    const DecodeState *state = node;
    int peak = data_of(tree)->profile->peak != 0 ? state->peak : 0;
    uint64_t sum = mix((uint64_t)state->next << 24 | (uint64_t)state->hold << 16 |
                       (uint64_t)peak << 1 | state->topped_out);
    for (int y = 0; y < state->highest; y += 4)
        sum = mix(sum ^ board_window(state->board.words, y)) + 0x9e3779b97f4a7c15u;
    return sum;
}

static double gain(const Tree *tree, const void *node) {
    const FitnessProfile *profile = data_of(tree)->profile;
    const DecodeState *state = node;
    return profile->score * state->score + profile->lines * state->lines +
           profile->placed * state->placed + profile->tetrises * state->clears[3] -
           profile->noop * state->noops;
}

static uint32_t guess(const Tree *tree, uint64_t effort, ProblemCut cut, TreeAction *path,
                      uint64_t *used, double *upper, bool *final) {
    const TetrisTree *tetris = data_of(tree);
    const Decoder *decoder = tetris->decoder;
    Move *moves = malloc(tree->depth * sizeof *moves);
    PerfectSearch search = {
        .decoder = decoder, .any = tetris->any, .hold = tetris->hold, .effort = effort, .cut = cut};
    PerfectResult result = {0};
    bool high = high_clear_applies(&decoder->start, (int)tree->depth);
    bool ok = moves && (high ? high_clear_search : perfect_search)(
                           &search, &decoder->start, (int)tree->depth, moves, &result);
    *used += result.used;
    for (int i = 0; ok && i < result.length; i++)
        path[i] = action_of(moves[i].placement, moves[i].hold);
    free(moves);
    *final = result.exhausted;
    /* All final perfect clears were compared by their points: what else there is lies below the
     * bound with one line less. They differ by tetrises and the peak too. */
    bool points_decide = tetris->profile->tetrises == 0 && tetris->profile->peak == 0;
    bool clear = result.length == (int)tree->depth;
    if (ok && result.exhausted && result.one_stage && tetris->bounded &&
        (points_decide || !clear)) {
        double proved = bound_without_clear(tetris);
        double reached = tetris->profile->score * (decoder->start.score + result.score);
        proved = clear && reached > proved ? reached : proved;
        *upper = proved < *upper ? proved : *upper;
    }
    return ok ? (uint32_t)result.length : 0;
}

/* The moves of a path. A path that ends early ended because whatever comes next locks out: one such
 * move is added, so that playing them shows it. */
static void encode_moves(const Tree *tree, const TreeAction *path, uint32_t length, Move *moves) {
    memset(moves, 0, tree->depth * sizeof *moves);
    DecodeState state = data_of(tree)->decoder->start, next;
    for (uint32_t i = 0; i < length; i++) {
        moves[i] = move_of(path[i]);
        apply(tree, &state, path[i], &next);
        state = next;
    }
    if (length == tree->depth)
        return;
    Placement places[REACH_MAX];
    Piece piece = take(data_of(tree), &state, false);
    if (piece != PIECE_NONE &&
        expand_places(data_of(tree)->decoder, &state, piece, true, places) > 0)
        moves[length].placement = places[0];
}

static void encode(const Tree *tree, const TreeAction *path, uint32_t length, void *genotype) {
    const TetrisTree *tetris = data_of(tree);
    const Decoder *decoder = tetris->decoder;
    if (tetris->any) {
        encode_moves(tree, path, length, genotype);
        return;
    }
    const GenotypeLayout *layout = &decoder->layout;
    int8_t *genes = genotype;
    memset(genes, 0, tree->depth * (size_t)layout->genes);
    DecodeState state = decoder->start;
    for (uint32_t i = 0; i < length; i++, genes += layout->genes) {
        Move move = move_of(path[i]);
        DecodeState next;
        if (layout->has_swap)
            genes[0] = move.hold;
        bool found = expand_genes(decoder, &state, move.placement, genes + layout->has_swap);
        assert(found);
        (void)found;
        apply(tree, &state, path[i], &next);
        state = next;
    }
}

/* What the bound counts on: every term has its usual sign, and keeping a row never pays. One more
 * row on the board is `width` cells of height 1 or more, and two more clearable lines at the most.
 */
static bool bound_holds(const FitnessProfile *profile, int width) {
    const double *weights = profile->weights;
    for (int i = 0; i < HEURISTIC_COUNT; i++)
        if (i == HEURISTIC_CLEARABLE_LINES ? weights[i] < 0 : weights[i] > 0)
            return false;
    if (-width * (weights[HEURISTIC_BLOCKS] + weights[HEURISTIC_WEIGHTED_BLOCKS]) <
        2 * weights[HEURISTIC_CLEARABLE_LINES])
        return false;
    return profile->score >= 0 && profile->noop >= 0 && profile->heuristics >= 0 &&
           profile->unplaced >= 0 && profile->lines >= 0 && profile->placed >= 0 &&
           profile->tetrises >= 0 && profile->peak >= 0;
}

/* Whether the given board has an empty row under filled ones, which play never makes. Such a row
 * need not be filled for a perfect clear, while the checks of `perfect` count it. */
static bool has_hollow_row(const DecodeState *start) {
    for (int y = 0; y < start->highest; y++)
        if (board_row(&start->board, y) == 0)
            return true;
    return false;
}

void tetris_tree_init(TetrisTree *tetris, const Decoder *decoder, const FitnessProfile *profile,
                      bool any, bool hold, Tree *tree) {
    *tetris = (TetrisTree){.decoder = decoder,
                           .profile = profile,
                           .any = any,
                           .hold = any ? hold : decoder->layout.has_swap,
                           .bounded = bound_holds(profile, decoder->start.board.width) &&
                                      !has_hollow_row(&decoder->start) &&
                                      !decoder->rules.no_game_over && /* cells can be overwritten */
                                      decoder->rules.perfect_points == 0};
    *tree = (Tree){
        .data = tetris,
        .depth = (uint32_t)decoder->placements,
        .node_bytes = sizeof(DecodeState),
        .max_actions = 2 * REACH_MAX,
        .root = root,
        .actions = actions,
        .apply = apply,
        .promise = promise,
        .fitness = fitness,
        .hopeless = hopeless,
        .bound = root_bound,
        .key = key,
        .gain = gain,
        .guess = guess,
        .encode = encode,
    };
}
