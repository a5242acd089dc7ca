/*
 * stages: `explore` is the search over the stages; `make_table` fills the table of one of them in
 * numbered steps.
 */
#include "problem/stages.h"

#include "base/memory.h"
#include "clears/graph.h"
#include "engine/score.h"
#include "problem/expand.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_STAGES = 16,
    MAX_PIECES = 11,         /* a graph of twelve takes seconds and gigabytes */
    HOLDS = PIECE_COUNT + 1, /* the last: the queue has ended */
    BOARD_PLACEMENTS = 8     /* counted for every board of a graph, which takes as long */
};

/* How one stage ends with a given piece held. */
typedef struct StageEnd {
    int score; /* -1: it cannot */
    uint8_t pieces[MAX_PIECES];
    Placement places[MAX_PIECES];
} StageEnd;

typedef struct StageTable {
    bool made;
    StageEnd ends[HOLDS];
} StageTable;

typedef struct Stages {
    const PerfectSearch *search;
    const DecodeState *start;
    int count, first[MAX_STAGES + 1]; /* placements before stage i */
    int rows[MAX_STAGES];
    int most_after[MAX_STAGES + 1];           /* points of the stages from i on */
    StageTable (*tables)[HOLDS];              /* by stage and the piece held at its start */
    int chosen[MAX_STAGES], best[MAX_STAGES]; /* the piece held at the end of every stage */
    int best_score;
    bool improved, stopped, failed;
    uint64_t used, boards; /* boards: of the layer so far */
} Stages;

/* The best way to a node with a piece held. */
typedef struct Way {
    int16_t score; /* -1: none */
    uint8_t held;  /* before */
    uint32_t node; /* before */
} Way;

/* ---- limits */

static bool asked(void *context) {
    const Stages *stages = context;
    const PerfectSearch *search = stages->search;
    return (search->effort && stages->used >= search->effort) ||
           (search->cut.asked && search->cut.asked(search->cut.context));
}

static void count_boards(void *context, size_t done, size_t total, int placed) {
    Stages *stages = context;
    (void)total;
    (void)placed;
    if (done == 0)
        stages->boards = 0;
    stages->used += (done - stages->boards) * BOARD_PLACEMENTS;
    stages->boards = done;
}

/* ---- one stage */

/* What the encoding can express, for clears/area. */
static int list_expressible(const void *context, const Columns *columns, Piece piece,
                            Placement *out) {
    const Stages *stages = context;
    DecodeState state = stages->search->decoder->start;
    columns_to_board(columns, &state.board);
    state.highest = 0;
    for (int x = 0; x < columns->width; x++) {
        state.heights[x] =
            (uint8_t)(columns->column[x] ? 64 - __builtin_clzll(columns->column[x]) : 0);
        state.highest = state.heights[x] > state.highest ? state.heights[x] : state.highest;
    }
    return expand_places(stages->search->decoder, &state, piece, false, out);
}

/* The pieces of a stage: the held one first, where there is hold. */
static Queues stage_queue(const Stages *stages, int stage, int held, QueueCode *code) {
    const Decoder *decoder = stages->search->decoder;
    Queues queues = {.codes = code, .count = 1};
    int size = stages->first[stage + 1] - stages->first[stage], next = stages->first[stage];
    *code = 0;
    if (stages->search->hold) {
        *code = queue_with(*code, queues.length++, (Piece)held);
        next++;
    }
    for (; next < decoder->piece_count && queues.length < size + stages->search->hold; next++)
        *code = queue_with(*code, queues.length++, (Piece)decoder->pieces[next]);
    return queues;
}

static void improve_way(Way *ways, int held, int score, uint8_t before, uint32_t node) {
    if (score > ways[held].score)
        ways[held] = (Way){(int16_t)score, before, node};
}

/* The ways to the nodes of the next layer. */
static void advance(const Graph *graph, const Area *area, int k, const Queues *queues, bool hold,
                    const Way *from, Way *to) {
    const GraphLayer *layer = &graph->layers[k];
    int comes = k + hold; /* its number in the queue */
    int piece = comes < queues->length ? (int)queue_piece(queues->codes[0], comes) : PIECE_COUNT;
    for (size_t i = 0; i < layer->count; i++) {
        int full = __builtin_popcount(area_full_rows(area, layer->cells[i]));
        for (uint64_t e = layer->first[i]; e < layer->first[i + 1]; e++) {
            uint32_t next = edge_next(layer->edges[e]);
            int placed = (int)edge_piece(layer->edges[e]);
            int lines = __builtin_popcount(area_full_rows(area, layer[1].cells[next])) - full;
            int points = (int)score_lines(SCORING_UNIT, lines, 1);
            for (int held = 0; held < HOLDS; held++) {
                int score = from[i * HOLDS + (size_t)held].score;
                if (score < 0)
                    continue;
                if (placed == piece)
                    improve_way(to + next * HOLDS, held, score + points, (uint8_t)held,
                                (uint32_t)i);
                if (hold && placed == held)
                    improve_way(to + next * HOLDS, piece, score + points, (uint8_t)held,
                                (uint32_t)i);
            }
        }
    }
}

/* The placements of the best way to the goal, whose nodes differ by the pieces that were placed. */
static void trace(const Graph *graph, const Area *area, Way *const *ways, int held, StageEnd *end) {
    uint32_t node = 0;
    const Way *last = ways[graph->pieces] + held;
    for (uint32_t i = 1; i < graph->layers[graph->pieces].count; i++)
        if (last[i * HOLDS].score > last[node * HOLDS].score)
            node = i;
    end->score = last[node * HOLDS].score;
    for (int k = graph->pieces; end->score >= 0 && k > 0; k--) {
        Way way = ways[k][node * HOLDS + (size_t)held];
        Cells before = graph->layers[k - 1].cells[way.node];
        Cells added = graph->layers[k].cells[node] & ~before;
        const GraphLayer *layer = &graph->layers[k - 1];
        for (uint64_t e = layer->first[way.node]; e < layer->first[way.node + 1]; e++) {
            Placement at;
            Piece piece = edge_piece(layer->edges[e]);
            if (edge_next(layer->edges[e]) != node ||
                !area_placement(area, before, piece, added, &at))
                continue;
            end->pieces[k - 1] = (uint8_t)piece;
            end->places[k - 1] = at;
        }
        node = way.node;
        held = way.held;
    }
}

static bool fill_ends(const Stages *stages, const Graph *graph, const Area *area,
                      const Queues *queues, int held, StageTable *table) {
    Way *ways[MAX_PIECES + 1] = {NULL};
    bool ok = true, hold = stages->search->hold;
    for (int k = 0; k <= graph->pieces; k++) {
        size_t count = (graph->layers[k].count + 1) * HOLDS;
        ways[k] = memory_new(count, sizeof(Way), NULL);
        ok = ok && ways[k];
        for (size_t i = 0; ways[k] && i < count; i++)
            ways[k][i].score = -1;
    }
    if (ok && graph->layers[0].count > 0)
        ways[0][held].score = 0;
    for (int k = 0; ok && k < graph->pieces; k++)
        advance(graph, area, k, queues, hold, ways[k], ways[k + 1]);
    for (int g = 0; ok && g < HOLDS; g++)
        if (graph->layers[graph->pieces].count > 0)
            trace(graph, area, ways, g, &table->ends[g]);
    for (int k = 0; k <= graph->pieces; k++)
        free(ways[k]);
    return ok;
}

static bool make_table(Stages *stages, int stage, int held, StageTable *table) {
    const PerfectSearch *search = stages->search;
    for (int g = 0; g < HOLDS; g++)
        table->ends[g].score = -1;
    /* 1. The rows that are to be emptied. */
    Board board = stages->start->board;
    if (stage > 0)
        board_init(&board, board.width, board.height);
    ClearsRules rules = {.list = search->any ? NULL : list_expressible, .context = stages};
    Area area;
    if (!area_init(&area, &board, stages->rows[stage], &rules, NULL))
        return false;
    /* 2. The sets of pieces that can be placed. */
    QueueCode code;
    Queues queues = stage_queue(stages, stage, held, &code);
    Stock stock;
    Graph graph;
    Status status = {.code = STATUS_OK};
    if (!stock_init(&stock, &queues, area_pieces(&area), search->hold, &status))
        return false;
    /* 3. All boards on the way. */
    bool ok =
        graph_build(&graph, &area, &stock, NULL, (ClearsCut){asked, stages, count_boards}, &status);
    stock_release(&stock);
    if (!ok) {
        stages->stopped = status.code == STATUS_INTERRUPTED;
        return false;
    }
    /* 4. The best score for every piece that is held in the end. */
    ok = fill_ends(stages, &graph, &area, &queues, search->hold ? held : PIECE_COUNT, table);
    graph_release(&graph);
    table->made = ok;
    return ok;
}

/* ---- all stages */

/* Chooses the ends of the stages from `stage` on; `score` points were made before. */
static void explore(Stages *stages, int stage, int held, int score) {
    if (stage == stages->count) {
        stages->best_score = score;
        stages->improved = true;
        memcpy(stages->best, stages->chosen, sizeof stages->best);
        return;
    }
    StageTable *table = &stages->tables[stage][held];
    if (!table->made && !make_table(stages, stage, held, table)) {
        stages->failed = !stages->stopped;
        return;
    }
    bool done[HOLDS] = {false};
    for (int i = 0; i < HOLDS && !stages->stopped && !stages->failed; i++) {
        int best = -1;
        for (int g = 0; g < HOLDS; g++)
            if (!done[g] && (best < 0 || table->ends[g].score > table->ends[best].score))
                best = g;
        int points = table->ends[best].score;
        if (points < 0 || score + points + stages->most_after[stage + 1] <= stages->best_score)
            return;
        done[best] = true;
        stages->chosen[stage] = best;
        explore(stages, stage + 1, best, score + points);
    }
}

/* Writes the best chain as moves. The piece decides whether hold is pressed: where the current and
 * the held one are the same, both ways lead to the same state. */
static bool write_moves(const Stages *stages, Move *moves) {
    const Decoder *decoder = stages->search->decoder;
    DecodeState state = *stages->start;
    int held = stages->search->hold ? (int)decoder->pieces[0] : PIECE_COUNT, made = 0;
    for (int s = 0; s < stages->count; s++) {
        const StageEnd *end = &stages->tables[s][held].ends[stages->best[s]];
        for (int i = 0; i < stages->first[s + 1] - stages->first[s]; i++) {
            Piece piece = decode_take(decoder, &state);
            bool swap = piece != end->pieces[i];
            if (swap && (!decode_swap(decoder, &state, &piece) || piece != end->pieces[i]))
                return false;
            int lines;
            moves[made++] = (Move){end->places[i], swap};
            decode_lock(&state, end->places[i], &lines);
        }
        held = stages->best[s];
    }
    return state.highest == 0;
}

static bool divide(Stages *stages, int placements, StageSize *size) {
    DecodeState state = *stages->start;
    int made = 0;
    while (made < placements) {
        int pieces = size(&state, placements - made), cells = board_count(&state.board);
        int rows = (cells + 4 * pieces) / state.board.width;
        if (pieces == 0 || pieces > MAX_PIECES || stages->count == MAX_STAGES ||
            rows * state.board.width > 64)
            return false;
        stages->rows[stages->count] = rows;
        stages->first[stages->count++] = made;
        stages->first[stages->count] = made += pieces;
        board_init(&state.board, state.board.width, state.board.height);
        state.highest = 0;
    }
    for (int s = stages->count; s-- > 0;)
        stages->most_after[s] =
            stages->most_after[s + 1] + (int)score_lines(SCORING_UNIT, stages->rows[s], 1);
    return true;
}

bool stages_apply(const PerfectSearch *search, const DecodeState *start, int placements,
                  StageSize *size) {
    const Decoder *decoder = search->decoder;
    Stages stages = {.search = search, .start = start};
    /* Pieces must be able to appear above the highest stage. */
    return decoder->rules.perfect_points == 0 && !decoder->rules.no_game_over &&
           expand_is_complete(decoder) && start->hold == PIECE_NONE && start->next == 0 &&
           start->board.height >= 10 && divide(&stages, placements, size) && stages.count > 1;
}

bool stages_improve(const PerfectSearch *search, const DecodeState *start, int placements,
                    StageSize *size, Move *moves, PerfectResult *result) {
    Stages stages = {
        .search = search, .start = start, .best_score = result->score, .used = result->used};
    divide(&stages, placements, size);
    stages.tables = memory_new((size_t)stages.count, sizeof *stages.tables, NULL);
    if (!stages.tables)
        return false;
    explore(&stages, 0, search->hold ? (int)search->decoder->pieces[0] : PIECE_COUNT, 0);
    if (stages.improved && write_moves(&stages, moves))
        result->score = stages.best_score;
    result->exhausted = !stages.stopped && !stages.failed;
    result->used = stages.used;
    free(stages.tables);
    return !stages.failed;
}
