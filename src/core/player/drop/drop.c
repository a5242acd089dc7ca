/*
 * drop: the plain kernel, the choice among the kernels, and what all of them play with: shapes and
 * streams.
 */
#include "player/drop/drop.h"

#include "movegen/reach.h"
#include "player/drop/kernel.h"

#include <assert.h>

static DropChoice choose_plain(const DropController *controller, const Columns *board,
                               Piece piece) {
    Placement placements[DROP_MAX];
    int count = drop_list(board, piece, placements);
    DropChoice choice = {.placement = placements[0], .dead = true};
    int64_t best = 0;
    for (int i = 0; i < count; i++) {
        Placement placement = placements[i];
        if (placement.y + piece_shapes[piece][placement.rotation].max_y >= board->height)
            continue;
        Columns after = *board;
        Features features;
        features_of_placement(&after, placement, &features);
        int64_t score = weights_score(&controller->weights, &features) +
                        weights_surface_score(&controller->weights, &after);
        if (choice.dead || score > best) {
            choice = (DropChoice){.placement = placement, .dead = false};
            best = score;
        }
    }
    return choice;
}

static void play_plain(const DropController *controller, GameStream *stream, int64_t pieces,
                       bool one_game) {
    while (pieces > 0 && drop_stream_refill(stream, pieces)) {
        Piece piece = drop_stream_next(stream);
        DropChoice choice = choose_plain(controller, &stream->board, piece);
        if (choice.dead) {
            stream->deaths++;
            stream->signature = drop_fold(stream->signature, DROP_DEATH_ROTATION, DROP_DEATH_LEFT);
            memset(stream->board.column, 0, sizeof stream->board.column);
            if (one_game)
                return;
            continue;
        }
        Placement at = choice.placement;
        int left = at.x + piece_shapes[piece][at.rotation].min_x;
        stream->signature = drop_fold(stream->signature, at.rotation, (unsigned)left);
        int removed = columns_lock(&stream->board, piece, (Rotation)at.rotation, at.x, at.y);
        if (removed)
            stream->clears[removed - 1]++;
        stream->lines += removed;
        stream->pieces++;
        pieces--;
    }
}

static const DropKernel kernel_plain = {
    .name = "plain",
    .level = CPU_BASELINE,
    .max_width = BOARD_MAX_WIDTH,
    .max_height = BOARD_MAX_HEIGHT,
    .choose = choose_plain,
    .play = play_plain,
};

/* Fastest first. */
static const DropKernel *const kernels[] = {
#if defined(__x86_64__)
    &drop_kernel_avx512_low, &drop_kernel_avx512,
    &drop_kernel_avx2,       &drop_kernel_sse2,
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
    int index = 0;
    while (!drop_kernel_can(kernels[index], width, height))
        index++;
    *controller = (DropController){.weights = weights_fix(weights),
                                   .width = (uint8_t)width,
                                   .height = (uint8_t)height,
                                   .kernel = kernels[index]};
    fill_shapes(controller);
}

DropChoice drop_choose(const DropController *controller, const Columns *board, Piece piece) {
    assert(board->width == controller->width && board->height == controller->height);
    return controller->kernel->choose(controller, board, piece);
}

bool drop_stream_refill(GameStream *stream, int64_t wanted) {
    if (stream->ahead_next < stream->ahead_count)
        return true;
    stream->ahead_next = stream->ahead_count = 0;
    while (stream->ahead_count < STREAM_AHEAD && stream->ahead_count < wanted) {
        Piece piece = randomizer_next(&stream->randomizer);
        if (piece == PIECE_NONE)
            break;
        stream->ahead[stream->ahead_count++] = (uint8_t)piece;
    }
    stream->out_of_pieces = stream->ahead_count == 0;
    return !stream->out_of_pieces;
}

void drop_play(const DropController *controller, GameStream *stream, int64_t pieces,
               bool one_game) {
    controller->kernel->play(controller, stream, pieces, one_game);
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
