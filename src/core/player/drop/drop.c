/*
 * drop: the plain kernel, the choice among the kernels, and what all of them play with: shapes and
 * streams.
 */
#include "player/drop/drop.h"

#include "movegen/reach.h"
#include "player/drop/kernel.h"

#include <assert.h>

/* The choice and its score. */
static DropChoice choose_plain(const DropController *controller, const Columns *board, Piece piece,
                               int64_t *best) {
    Placement placements[DROP_MAX];
    int count = drop_list(board, piece, placements);
    DropChoice choice = {.placement = placements[0], .dead = true};
    for (int i = 0; i < count; i++) {
        Placement placement = placements[i];
        if (placement.y + piece_shapes[piece][placement.rotation].max_y >= board->height)
            continue;
        Columns after = *board;
        Features features;
        features_of_placement(&after, placement, &features);
        int64_t score = weights_score(&controller->weights, &features) +
                        weights_surface_score(&controller->weights, &after);
        if (choice.dead || score > *best) {
            choice = (DropChoice){.placement = placement, .dead = false};
            *best = score;
        }
    }
    return choice;
}

static DropChoice choose_one_plain(const DropController *controller, const Columns *board,
                                   Piece piece) {
    int64_t score;
    return choose_plain(controller, board, piece, &score);
}

/* The weighted features of a move itself. */
static int64_t move_score(const FixedWeights *weights, const Features *features) {
    Features only = {{0}};
    static const Feature of_moves[] = {FEATURE_LANDING_HEIGHT, FEATURE_ERODED_CELLS,
                                       FEATURE_ROWS_REMOVED};
    for (size_t i = 0; i < sizeof of_moves / sizeof *of_moves; i++)
        only.values[of_moves[i]] = features->values[of_moves[i]];
    return weights_score(weights, &only);
}

static DropChoice choose_two_plain(const DropController *controller, const Columns *board,
                                   Piece piece, Piece next) {
    Placement placements[DROP_MAX];
    int count = drop_list(board, piece, placements);
    DropChoice choice = choose_one_plain(controller, board, piece);
    bool found = false;
    int64_t best = 0, score;
    for (int i = 0; next != PIECE_NONE && i < count; i++) {
        Placement placement = placements[i];
        if (placement.y + piece_shapes[piece][placement.rotation].max_y >= board->height)
            continue;
        Columns after = *board;
        Features features;
        features_of_placement(&after, placement, &features);
        if (choose_plain(controller, &after, next, &score).dead)
            continue;
        score += move_score(&controller->weights, &features);
        if (!found || score > best) {
            found = true;
            choice.placement = placement;
            best = score;
        }
    }
    return choice;
}

/* Makes the choice for the next piece of the stream. False: the game is over. */
static bool place(GameStream *stream, DropChoice choice) {
    if (choice.dead) {
        stream->deaths++;
        stream->signature = drop_fold(stream->signature, DROP_DEATH_ROTATION, DROP_DEATH_LEFT);
        memset(stream->board.column, 0, sizeof stream->board.column);
        return false;
    }
    Placement at = choice.placement;
    int left = at.x + piece_shapes[at.piece][at.rotation].min_x;
    stream->signature = drop_fold(stream->signature, at.rotation, (unsigned)left);
    int removed = columns_lock(&stream->board, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    if (removed)
        stream->clears[removed - 1]++;
    stream->lines += removed;
    stream->pieces++;
    return true;
}

static void play_plain(const DropController *controller, GameStream *stream, int64_t pieces,
                       bool one_game) {
    while (pieces > 0 && drop_stream_refill(stream, pieces)) {
        DropChoice choice = choose_one_plain(controller, &stream->board, drop_stream_next(stream));
        if (place(stream, choice))
            pieces--;
        else if (one_game)
            return;
    }
}

static const DropKernel kernel_plain = {
    .name = "plain",
    .level = CPU_BASELINE,
    .max_width = BOARD_MAX_WIDTH,
    .max_height = BOARD_MAX_HEIGHT,
    .choose = choose_one_plain,
    .choose_two = choose_two_plain,
    .play = play_plain,
};

/* Fastest first. */
static const DropKernel *const kernels[] = {
#if defined(__x86_64__)
    &drop_kernel_avx512_low, &drop_kernel_avx512,
    &drop_kernel_avx2,       &drop_kernel_sse2_low,
    &drop_kernel_sse2,
#endif
    &kernel_plain,           NULL,
};

const DropKernel *drop_kernel(int index) {
    return kernels[index];
}

const char *drop_kernel_name(const DropKernel *kernel) {
    return kernel->name;
}

bool drop_kernel_can(const DropKernel *kernel, int width, int height) {
    return width <= kernel->max_width && height <= kernel->max_height &&
           kernel->level <= cpu_level();
}

bool drop_kernel_sees_two(const DropKernel *kernel) {
    return kernel->choose_two != NULL;
}

static DropShape shape_of(const Shape *shape, int height) {
    int rows = shape->max_y - shape->min_y + 1;
    DropShape result = {
        .middle = (uint32_t)(rows - 3),
        .highest_landing = (uint32_t)(height - rows + 1),
    };
    for (int i = 0; i <= shape->max_x - shape->min_x; i++) {
        uint32_t cells = shape->column[i];
        result.cells[i] = cells;
        result.low[i] = cells & (0u - cells);
        result.bottom[i] = (uint32_t)(shape->bottom[i] - shape->min_y);
        result.top[i] = (uint32_t)(shape->top[i] - shape->min_y + 1);
        result.count[i] = (uint32_t)__builtin_popcount(cells);
        result.used[i] = UINT32_MAX;
    }
    return result;
}

static uint32_t halves(uint32_t a, uint32_t b) {
    return (a & 0xffff) | b << 16;
}

/* Where one has no column the other has, it must not reach the board: nothing lands there. `b`
 * NULL: no placement of the second half is inside. */
static DropShape pair_of(const DropShape *a, const DropShape *b) {
    static const DropShape nothing = {.highest_landing = (uint32_t)INT16_MIN};
    const uint32_t far_below = 64, highest = DROP_LOW_ROWS + 1;
    b = b ? b : &nothing;
    DropShape result = {.middle = halves(a->middle, b->middle)};
    for (int i = 0; i < 4; i++) {
        result.cells[i] = halves(a->cells[i], b->cells[i]);
        result.low[i] = halves(a->low[i], b->low[i]);
        result.bottom[i] =
            halves(a->used[i] ? a->bottom[i] : far_below, b->used[i] ? b->bottom[i] : far_below);
        result.top[i] = halves(a->top[i], b->top[i]);
        result.count[i] = halves(a->count[i], b->count[i]);
        result.used[i] = halves(a->used[i], b->used[i]);
    }
    /* Walls are lower in 16 bits, so the limit is too; no landing on a low board is higher. */
    int32_t first = (int32_t)a->highest_landing, second = (int32_t)b->highest_landing;
    result.highest_landing = halves(first < (int32_t)highest ? (uint32_t)first : highest,
                                    second < (int32_t)highest ? (uint32_t)second : highest);
    return result;
}

static void fill_shapes(DropController *controller) {
    for (int p = 0; p < PIECE_COUNT; p++) {
        DropShape *shapes = controller->shapes[p];
        for (int r = 0; r < ROTATION_COUNT; r++)
            shapes[r] = shape_of(&piece_shapes[p][r], controller->height);
        for (int r = 0; r < ROTATION_COUNT; r += 2)
            controller->pairs[p][r / 2] =
                pair_of(&shapes[r], piece_distinct_rotations[p] > r + 1 ? &shapes[r + 1] : NULL);
    }
}

void drop_init(DropController *controller, const Weights *weights, int width, int height) {
    assert(width >= BOARD_MIN_WIDTH && width <= BOARD_MAX_WIDTH);
    assert(height >= BOARD_MIN_HEIGHT && height <= BOARD_MAX_HEIGHT);
    int index = 0, two = 0;
    while (!drop_kernel_can(kernels[index], width, height))
        index++;
    while (!drop_kernel_can(kernels[two], width, height) || !kernels[two]->choose_two)
        two++;
    *controller = (DropController){.weights = weights_fix(weights),
                                   .width = (uint8_t)width,
                                   .height = (uint8_t)height,
                                   .kernel = kernels[index],
                                   .kernel_two = kernels[two]};
    fill_shapes(controller);
}

DropChoice drop_choose(const DropController *controller, const Columns *board, Piece piece) {
    assert(board->width == controller->width && board->height == controller->height);
    return controller->kernel->choose(controller, board, piece);
}

DropChoice drop_choose_two(const DropController *controller, const Columns *board, Piece piece,
                           Piece next) {
    assert(board->width == controller->width && board->height == controller->height);
    return controller->kernel_two->choose_two(controller, board, piece, next);
}

/* Draws pieces until there are `wanted`, or as many as can be kept. */
static void draw(GameStream *stream, int64_t wanted) {
    while (stream->ahead_count < STREAM_AHEAD && stream->ahead_count < wanted) {
        Piece piece = randomizer_next(&stream->randomizer);
        if (piece == PIECE_NONE)
            break;
        stream->ahead[stream->ahead_count++] = (uint8_t)piece;
    }
    stream->out_of_pieces = stream->ahead_count == 0;
}

bool drop_stream_refill(GameStream *stream, int64_t wanted) {
    if (stream->ahead_next < stream->ahead_count)
        return true;
    stream->ahead_next = stream->ahead_count = 0;
    draw(stream, wanted);
    return !stream->out_of_pieces;
}

/* The same, and draws the piece after it, too. */
static bool refill_two(GameStream *stream, int64_t wanted) {
    if (stream->ahead_next + 1 < stream->ahead_count)
        return true;
    stream->ahead_count = (uint8_t)(stream->ahead_count - stream->ahead_next);
    stream->ahead[0] = stream->ahead[stream->ahead_next];
    stream->ahead_next = 0;
    draw(stream, wanted + 1);
    return !stream->out_of_pieces;
}

void drop_play(const DropController *controller, GameStream *stream, int64_t pieces,
               bool one_game) {
    controller->kernel->play(controller, stream, pieces, one_game);
}

void drop_play_two(const DropController *controller, GameStream *stream, int64_t pieces,
                   bool one_game) {
    while (pieces > 0 && refill_two(stream, pieces)) {
        Piece piece = drop_stream_next(stream);
        Piece next = stream->ahead_next < stream->ahead_count
                         ? (Piece)stream->ahead[stream->ahead_next]
                         : PIECE_NONE;
        if (place(stream, drop_choose_two(controller, &stream->board, piece, next)))
            pieces--;
        else if (one_game)
            return;
    }
}

uint64_t drop_bench(const DropKernel *kernel, int64_t pieces) {
    DropController controller;
    drop_init(&controller, &weight_set_find("bcts")->weights, 10, 20);
    if (kernel)
        controller.kernel = kernel;
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_UNIFORM, 1, 0);
    GameStream stream;
    stream_init(&stream, controller.width, controller.height, &randomizer);
    drop_play(&controller, &stream, pieces, false);
    return stream.signature;
}
