/* Searches over placements: what an encoding can express, perfect clears, beam and exact. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "engine/randomizer.h"
#include "formats/fumen.h"
#include "optim/exact.h"
#include "optim/registry.h"
#include "problem/expand.h"
#include "problem/perfect.h"
#include "problem/stages.h"
#include "problem/tetris.h"
#include "problem/tetris_tree.h"
#include "scale.h"
#include "solve/refine.h"
#include "solve/solve.h"

static void random_start(Board *board, Rng *rng) {
    int width = rng_between(rng, 4, 12), height = rng_between(rng, 4, 20);
    board_init(board, width, height);
    int rows = (int)rng_below(rng, (uint32_t)board->height);
    for (int y = 0; y < rows; y++) {
        unsigned row = (unsigned)(rng_next(rng) & rng_next(rng)) & board->full;
        if (row != board->full)
            board_set_row(board, y, (uint16_t)row);
    }
}

/* Every genotype of one piece, the slow way. */
static int places_by_genes(const Decoder *decoder, Placement *out) {
    const GenotypeLayout *layout = &decoder->layout;
    int count = 0;
    int8_t genes[4] = {0};
    int low2 = layout->is_double ? layout->ranges[2].low : 0;
    int high2 = layout->is_double ? layout->ranges[2].high : 0;
    for (genes[0] = layout->ranges[0].low; genes[0] <= layout->ranges[0].high; genes[0]++)
        for (genes[1] = 0; genes[1] <= 3; genes[1]++)
            for (genes[2] = (int8_t)low2; genes[2] <= high2; genes[2]++)
                for (genes[3] = 0; genes[3] <= (layout->is_double ? 3 : 0); genes[3]++) {
                    DecodeState state = decoder->start;
                    DecodeStep step;
                    decoder_trace(decoder, &state, genes, &step);
                    if (state.placed == 0)
                        continue;
                    int i = 0;
                    while (i < count && !placement_same_cells(out[i], step.move.placement))
                        i++;
                    if (i == count)
                        out[count++] = step.move.placement;
                }
    return count;
}

Test(expand, finds_just_what_the_genes_can_do) {
    Rng rng;
    rng_init(&rng, 21, 0);
    for (int i = 0; i < 600; i++) {
        Board board;
        random_start(&board, &rng);
        uint8_t piece = (uint8_t)rng_below(&rng, PIECE_COUNT);
        Encoding encoding = rng_below(&rng, 3) ? ENCODING_DOUBLE : ENCODING_SIMPLE;
        DecodeRules rules = {.order = (DecodeOrder)(i % ORDER_COUNT),
                             .no_game_over = i & 4 && board_highest(&board) <= board.height};
        Decoder decoder;
        decoder_init(&decoder, encoding, rules, &board, &piece, 1, 1);
        if (!decode_spawn_is_free(&decoder.start, (Piece)piece))
            continue;
        static Placement fast[REACH_MAX], slow[REACH_MAX];
        int count = expand_places(&decoder, &decoder.start, (Piece)piece, false, fast);
        int expected = places_by_genes(&decoder, slow), playable = 0;
        for (int k = 0; k < count; k++) {
            if (fast[k].y + piece_shapes[piece][fast[k].rotation].min_y >= board.height)
                continue; /* locks out: not placed */
            playable++;
            int8_t genes[4] = {0};
            cr_assert(expand_genes(&decoder, &decoder.start, fast[k], genes), "case %d", i);
            DecodeState state = decoder.start;
            DecodeStep step;
            decoder_trace(&decoder, &state, genes, &step);
            cr_assert(placement_same_cells(step.move.placement, fast[k]));
            cr_assert_eq(state.noops, 0);
        }
        cr_assert(expand_is_complete(&decoder) ? playable == expected : playable <= expected,
                  "case %d: %d places, by genes %d", i, playable, expected);
    }
}

static void bag(uint8_t *pieces, int count, uint64_t seed) {
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, seed, 0);
    for (int i = 0; i < count; i++)
        pieces[i] = (uint8_t)randomizer_next(&randomizer);
}

Test(perfect, clears_every_bag_sequence_with_hold) {
    for (uint64_t seed = 0; seed < (uint64_t)scaled(20); seed++) {
        uint8_t pieces[21];
        bag(pieces, 21, seed);
        Board board;
        board_init(&board, 10, 20);
        Decoder decoder;
        decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){0}, &board, pieces, 21, 20);
        PerfectSearch search = {.decoder = &decoder, .any = true, .hold = true};
        search.effort = 1500000;
        PerfectResult result;
        Move moves[20];
        cr_assert(perfect_search(&search, &decoder.start, 20, moves, &result));
        cr_assert_eq(result.length, 20, "seed %d", (int)seed);
        DecodeState state = decoder.start;
        Status status;
        cr_assert(moves_play(&decoder, &state, moves, 20, &status), "%s", status.message);
        cr_assert_eq(state.highest, 0);
        cr_assert_eq(state.score, result.score);
    }
}

/* Stages of four rows. */
static int four_rows(const DecodeState *state, int placements) {
    int pieces = (4 * state->board.width - board_count(&state->board)) / 4;
    return pieces <= placements ? pieces : 0;
}

/* Tables of stages find the same best score as a search of the whole tree. */
Test(perfect, chain_of_clears_with_the_most_points) {
    int compared = 0, better = 0;
    for (uint64_t seed = 0; seed < 160; seed++) {
        int width = seed & 1 ? 5 : 4, count = 2 * width;
        bool any = seed & 2, hold = !any || seed & 4;
        uint8_t pieces[11];
        bag(pieces, count + 1, seed);
        Board board;
        board_init(&board, width, 20);
        Decoder decoder;
        decoder_init(&decoder, ENCODING_SWAP_DOUBLE, (DecodeRules){0}, &board, pieces, count + 1,
                     count);
        PerfectSearch search = {
            .decoder = &decoder, .any = any, .hold = hold, .effort = 3000000}; /* no tables */
        PerfectResult whole, first, result;
        Move moves[10];
        cr_assert(perfect_search(&search, &decoder.start, count, moves, &whole));
        if (whole.length < count || !whole.exhausted)
            continue;
        search.first = true;
        search.effort = 0;
        cr_assert(perfect_search(&search, &decoder.start, count, moves, &first));
        cr_assert(stages_apply(&search, &decoder.start, count, four_rows));
        result = first;
        cr_assert(stages_improve(&search, &decoder.start, count, four_rows, moves, &result));
        cr_assert(result.exhausted);
        cr_expect_eq(result.score, whole.score, "seed %d: %d, by search %d", (int)seed,
                     result.score, whole.score);
        DecodeState state = decoder.start;
        Status status;
        cr_assert(moves_play(&decoder, &state, moves, count, &status), "%s", status.message);
        cr_expect(state.highest == 0 && state.score == result.score);
        compared++;
        better += result.score > first.score;
    }
    cr_expect(compared >= 20 && better > 0, "%d compared, %d better", compared, better);
}

Test(perfect, finishes_the_known_opener_as_often_as_published) {
    static const char opener[] = "v115@9gE8DeG8CeH8BeG8CeA8JeAgH";
    Grid grid;
    Status status;
    grid_init(&grid, 10, 20);
    cr_assert(fumen_read_board(opener, strlen(opener), &grid, &status), "%s", status.message);
    Board board;
    grid_to_board(&grid, &board);
    int solvable = 0, queues = 0;
    for (int code = 0; code < 7 * 7 * 7 * 7; code++) {
        uint8_t pieces[4] = {(uint8_t)(code / 343), (uint8_t)(code / 49 % 7),
                             (uint8_t)(code / 7 % 7), (uint8_t)(code % 7)};
        unsigned seen = 1u << pieces[0] | 1u << pieces[1] | 1u << pieces[2] | 1u << pieces[3];
        if (__builtin_popcount(seen) < 4)
            continue;
        Decoder decoder;
        decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){0}, &board, pieces, 4, 3);
        PerfectSearch search = {.decoder = &decoder, .any = true, .hold = true, .first = true};
        PerfectResult result;
        Move moves[3];
        cr_assert(perfect_search(&search, &decoder.start, 3, moves, &result));
        solvable += result.length == 3;
        queues++;
    }
    cr_assert_eq(queues, 840);
    cr_assert_eq(solvable, 514, "%d", solvable);
}

Test(perfect, knows_when_there_is_none) {
    /* Five S fill ten columns and two rows by area, but no two rows can be made of them. */
    static const uint8_t pieces[5] = {PIECE_S, PIECE_S, PIECE_S, PIECE_S, PIECE_S};
    Board board;
    board_init(&board, 10, 20);
    Decoder decoder;
    decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){0}, &board, pieces, 5, 5);
    PerfectSearch search = {.decoder = &decoder, .any = true, .hold = false};
    PerfectResult result;
    Move moves[5];
    cr_assert(perfect_search(&search, &decoder.start, 5, moves, &result));
    cr_assert_eq(result.length, 0);
    cr_assert(result.exhausted);
}

/* Three pieces fill no whole rows of ten: more effort will find nothing either. */
Test(perfect, is_done_at_once_where_no_rows_can_be_filled) {
    static const uint8_t pieces[3] = {PIECE_I, PIECE_O, PIECE_T};
    Board board;
    board_init(&board, 10, 20);
    Decoder decoder;
    decoder_init(&decoder, ENCODING_SIMPLE, (DecodeRules){0}, &board, pieces, 3, 3);
    PerfectSearch search = {.decoder = &decoder, .any = true, .hold = true};
    PerfectResult result;
    Move moves[3];
    cr_assert(perfect_search(&search, &decoder.start, 3, moves, &result));
    cr_assert_eq(result.length, 0);
    cr_assert(result.exhausted);
}

static EvalRequest request;
static SolveAnswer answer;

static void prepare(SolveTask *task, const char *letters, int placements, Encoding encoding,
                    int width, int height, const char *algorithm) {
    Status status;
    memset(&request, 0, sizeof request);
    request.encoding = encoding;
    grid_init(&request.grid, width, height);
    request.piece_count = pieces_parse(letters, request.pieces, EVAL_MAX_QUEUE, &status);
    request.placements = placements;
    *task = (SolveTask){.request = &request,
                        .hold = true,
                        .profile = fitness_profiles[PROFILE_BLOCKS],
                        .optimiser = optim_find(algorithm),
                        .seed = 1,
                        .threads = 1};
    cr_assert_not_null(task->optimiser);
}

/* The best fitness of all genotypes, by trying every one. */
static double best_of_all(int8_t *genes, int piece, const Decoder *decoder,
                          const DecodeState *state) {
    if (piece == decoder->placements || state->topped_out)
        return fitness_of_state(&fitness_profiles[PROFILE_BLOCKS], decoder, state);
    const GenotypeLayout *layout = &decoder->layout;
    int8_t *mine = genes + piece * layout->genes;
    double best = -INFINITY;
    int first = layout->has_swap ? 1 : 0;
    for (int swap = 0; swap <= first; swap++)
        for (int move = layout->ranges[first].low; move <= layout->ranges[first].high; move++)
            for (int turns = 0; turns <= 3; turns++) {
                mine[0] = (int8_t)swap;
                mine[first] = (int8_t)move;
                mine[first + 1] = (int8_t)turns;
                DecodeState next = *state;
                decoder_play(decoder, &next, genes, piece, piece + 1);
                double value = best_of_all(genes, piece + 1, decoder, &next);
                best = value > best ? value : best;
            }
    return best;
}

/* The best fitness of all paths of a tree. */
static double best_of_tree(const Tree *tree, const DecodeState *node, uint32_t made) {
    TreeAction actions[2 * REACH_MAX];
    uint32_t count = made < tree->depth ? tree->actions(tree, node, actions) : 0;
    double best = count == 0 ? tree->fitness(tree, node) : -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        DecodeState child;
        tree->apply(tree, node, actions[i], &child);
        best = fmax(best, best_of_tree(tree, &child, made + 1));
    }
    return best;
}

/* A beam of one gives poor first answers, so that the proof has work to do. */
static const ExactParameters weak_start = {
    .beam_width = 1, .guess_effort = 100000, .table_bits = 12};

/* Weights as a training might leave them: the usual signs, any size. */
static FitnessProfile random_profile(Rng *rng) {
    FitnessProfile profile = {.heuristics = 1, .unplaced = 100};
    double *factors[] = {&profile.score, &profile.lines, &profile.tetrises, &profile.peak};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        *factors[i] = rng_below(rng, 2) ? 10 * rng_real(rng) : 0;
    for (int i = 0; i < HEURISTIC_COUNT; i++) {
        double size = rng_below(rng, 2) ? 5 * rng_real(rng) : 0;
        profile.weights[i] = i == HEURISTIC_CLEARABLE_LINES ? 4 * size : -size;
    }
    return profile;
}

/* Boards as people give them, and profiles of all kinds: what is called optimal is. */
Test(exact, calls_nothing_optimal_that_is_not, .timeout = 120) {
    Rng rng;
    rng_init(&rng, 5, 0);
    for (int i = 0; i < 2000; i++) {
        static const char letters[] = "IOTLJSZ";
        const char list[] = {letters[rng_below(&rng, 7)], letters[rng_below(&rng, 7)], '\0'};
        SolveTask task;
        Status status = {0};
        int width = rng_between(&rng, 4, 6);
        Encoding encoding = (Encoding)rng_below(&rng, ENCODING_COUNT);
        prepare(&task, list, 2, encoding, width, 8, "exact");
        for (int y = 0, rows = (int)rng_below(&rng, 4); y < rows; y++) {
            int gap = (int)rng_below(&rng, (uint32_t)width);
            for (int x = 0; x < width; x++)
                if (x != gap && rng_below(&rng, 4))
                    request.grid.cells[y][x] = 'G';
            if (rng_below(&rng, 4) == 0)
                memset(request.grid.cells[y], '.', (size_t)width);
        }
        task.profile = random_profile(&rng);
        task.parameters = &weak_start;
        cr_assert(solve_run(&task, &answer, &status), "%s", status.message);
        cr_assert(answer.optimal);
        Decoder decoder;
        TetrisTree tetris;
        Tree tree;
        eval_decoder(&request, &decoder);
        tetris_tree_init(&tetris, &decoder, &task.profile, encoding == ENCODING_PLACEMENTS, true,
                         &tree);
        double best = best_of_tree(&tree, &decoder.start, 0);
        cr_assert_float_eq(answer.result.fitness, best, 1e-9, "case %d, %s: %g, the best is %g", i,
                           list, answer.result.fitness, best);
        cr_assert(tree.bound(&tree) >= best - 1e-9, "case %d, %s: bound %g, the best is %g", i,
                  list, tree.bound(&tree), best);
    }
}

/* Five pieces fill four rows of five columns: what the search for perfect clears proves about
 * their points, and about their absence, agrees with trying everything. */
Test(exact, proves_the_best_clear, .timeout = 120) {
    Rng rng;
    rng_init(&rng, 11, 0);
    int clears = 0, tetrises = 0, cases = scaled(40);
    for (int i = 0; i < cases; i++) {
        char list[6] = "OOOOI";
        for (int k = 0; i > 0 && k < 5; k++)
            list[k] = "IOTLJSZIO"[rng_below(&rng, 9)];
        SolveTask task;
        Status status = {0};
        prepare(&task, list, 5, ENCODING_PLACEMENTS, 5, 10, "exact");
        task.hold = false;
        cr_assert(solve_run(&task, &answer, &status), "%s", status.message);
        cr_assert(answer.optimal, "%s", list);
        cr_assert_eq(answer.bound, answer.result.fitness);
        Decoder decoder;
        TetrisTree tetris;
        Tree tree;
        eval_decoder(&request, &decoder);
        tetris_tree_init(&tetris, &decoder, &task.profile, true, false, &tree);
        double best = best_of_tree(&tree, &decoder.start, 0);
        cr_assert_float_eq(answer.result.fitness, best, 1e-9, "%s: %g, the best is %g", list,
                           answer.result.fitness, best);
        clears += answer.perfect_clear;
        tetrises += answer.perfect_clear && answer.result.fitness == 20;
    }
    cr_assert(tetrises > 0 && (clears > tetrises || cases < 40), "%d, %d", clears, tetrises);
}

/* A run that proves nothing itself still has the bound of the instance. */
Test(solve, every_algorithm_has_a_bound) {
    for (size_t i = 0; i < optim_count(); i++) {
        SolveTask task;
        Status status = {0};
        prepare(&task, "TOZLIJSTIO", 10, ENCODING_SWAP_DOUBLE, 10, 20, optim_at(i)->name);
        task.evaluations = 2000;
        cr_assert(solve_run(&task, &answer, &status), "%s", status.message);
        cr_assert(answer.bound <= 20 && answer.bound >= answer.result.fitness, "%s: %g",
                  optim_at(i)->name, answer.bound);
        cr_assert_eq(answer.optimal, answer.bound == answer.result.fitness);
    }
}

/* Two rows that hang above an empty one: they can be emptied without filling it. */
Test(exact, an_empty_row_under_others_need_not_be_filled) {
    SolveTask task;
    Status status = {0};
    prepare(&task, "LJ", 2, ENCODING_PLACEMENTS, 5, 10, "exact");
    memcpy(request.grid.cells[2], "GG.G.", 5);
    memcpy(request.grid.cells[1], "GGGG.", 5);
    task.parameters = &weak_start;
    cr_assert(solve_run(&task, &answer, &status), "%s", status.message);
    cr_assert(answer.optimal);
    cr_assert(answer.perfect_clear);
    cr_assert_float_eq(answer.result.fitness, 12.5, 1e-9, "%g", answer.result.fitness);
}

/* Four I on four columns: upright they are a tetris, flat they never pile up. Which is better is up
 * to the profile, and the guess knows points alone. */
Test(exact, a_guess_proves_nothing_where_more_than_points_counts) {
    for (int peak = 0; peak <= 1; peak++) {
        SolveTask task;
        prepare(&task, "IIII", 4, ENCODING_PLACEMENTS, 4, 8, "exact");
        task.profile.peak = 100 * peak;
        Decoder decoder;
        TetrisTree tetris;
        Tree tree;
        eval_decoder(&request, &decoder);
        tetris_tree_init(&tetris, &decoder, &task.profile, true, true, &tree);
        TreeAction path[4];
        uint64_t used = 0;
        bool final;
        double bound = 1000;
        cr_assert_eq(tree.guess(&tree, 1000000, (ProblemCut){0}, path, &used, &bound, &final), 4);
        cr_assert(final);
        cr_assert_eq(bound, peak ? 1000 : 20);
    }
}

Test(exact, proves_what_trying_everything_finds) {
    static const char *const lists[] = {"TIOS", "SZLJ", "OTTI", "JJSZ"};
    for (int i = 0; i < 4; i++)
        for (int swap = 0; swap <= 1; swap++) {
            SolveTask task;
            prepare(&task, lists[i], 3, swap ? ENCODING_SWAP_SIMPLE : ENCODING_SIMPLE, 6, 8,
                    "exact");
            Status status;
            cr_assert(solve_run(&task, &answer, &status), "%s", status.message);
            cr_assert(answer.optimal, "%s", lists[i]);
            Decoder decoder;
            eval_decoder(&request, &decoder);
            int8_t genes[3 * GENOTYPE_MAX_GENES] = {0};
            double best = best_of_all(genes, 0, &decoder, &decoder.start);
            cr_assert_float_eq(answer.result.fitness, best, 1e-9, "%s: %g, the best is %g",
                               lists[i], answer.result.fitness, best);
        }
}

Test(solve, every_algorithm_gives_the_same_on_any_number_of_threads) {
    for (size_t i = 0; i < optim_count(); i++) {
        double fitness[3];
        int8_t genes[3][8 * GENOTYPE_MAX_GENES];
        static const unsigned threads[3] = {1, 2, 4};
        for (int k = 0; k < 3; k++) {
            SolveTask task;
            prepare(&task, "TOZLIJSTI", 8, ENCODING_SWAP_DOUBLE, 10, 20, optim_at(i)->name);
            task.threads = threads[k];
            task.evaluations = 30000;
            Status status;
            cr_assert(solve_run(&task, &answer, &status), "%s", status.message);
            cr_assert(answer.evaluations <= 30000, "%s: %d", optim_at(i)->name,
                      (int)answer.evaluations);
            fitness[k] = answer.result.fitness;
            memcpy(genes[k], answer.best.genes, sizeof genes[k]);
        }
        cr_assert_eq(fitness[0], fitness[1], "%s", optim_at(i)->name);
        cr_assert_eq(fitness[0], fitness[2], "%s", optim_at(i)->name);
        cr_assert_arr_eq(genes[0], genes[1], sizeof genes[0], "%s", optim_at(i)->name);
        cr_assert_arr_eq(genes[0], genes[2], sizeof genes[0], "%s", optim_at(i)->name);
    }
}

Test(solve, placements_need_a_tree_search) {
    SolveTask task;
    Status status = {0};
    prepare(&task, "TOZLIJS", 7, ENCODING_PLACEMENTS, 10, 20, "ga");
    cr_assert(!solve_run(&task, &answer, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    prepare(&task, "TOZLIJS", 7, ENCODING_PLACEMENTS, 10, 20, "beam");
    cr_assert(solve_run(&task, &answer, &status));
    cr_assert_eq(answer.result.state.placed, 7);
}

Test(solve, a_board_that_ends_the_game_is_no_error) {
    for (int e = 0; e < ENCODING_COUNT; e++) {
        SolveTask task;
        Status status = {0};
        prepare(&task, "OOOOOOOOOOOO", 12, (Encoding)e, 5, 4, "auto");
        task.evaluations = 20000;
        cr_assert(solve_run(&task, &answer, &status), "%s: %s", encoding_names[e], status.message);
        cr_assert(answer.result.state.topped_out);
    }
}

/* No perfect clear to wait for: wider beams, then the proof, and that is the end. */
Test(solve, auto_ends_with_a_proof_where_no_board_can_be_emptied, .timeout = 60) {
    SolveTask task;
    Status status = {0};
    prepare(&task, "IOT", 3, ENCODING_PLACEMENTS, 10, 20, "auto");
    cr_assert(solve_run(&task, &answer, &status), "%s", status.message);
    cr_assert(answer.optimal);
    cr_assert_eq(answer.end, OPTIM_FINISHED);
    double fitness = answer.result.fitness;
    prepare(&task, "IOT", 3, ENCODING_PLACEMENTS, 10, 20, "exact");
    cr_assert(solve_run(&task, &answer, &status), "%s", status.message);
    cr_assert(answer.optimal);
    cr_assert_eq(answer.result.fitness, fitness);
}

typedef struct Reports {
    const SolveTask *task;
    int count;
} Reports;

/* The genotype that a report shows is worth what the report says. */
static void check_progress(void *context, const Progress *progress) {
    static EvalResult result;
    Reports *reports = context;
    reports->count++;
    if (progress->genotype) {
        Status status = {0};
        cr_assert(eval_run(&request, progress->genotype, &reports->task->profile, &result, &status),
                  "%s", status.message);
        cr_assert_float_eq(result.fitness, progress->best, 1e-9);
    }
    cr_assert(progress->current <= progress->best, "%g is above the best, %g", progress->current,
              progress->best);
    cr_assert_eq(isfinite(progress->best), isfinite(progress->current));
}

/* On the curve that a search draws nothing lies above the best. */
Test(solve, no_report_is_above_the_best) {
    for (size_t i = 0; i < optim_count(); i++)
        for (int encoding = ENCODING_SIMPLE; encoding < ENCODING_COUNT; encoding++) {
            SolveTask task;
            Status status = {0};
            Reports reports = {&task, 0};
            prepare(&task, "TOZLIJSTOZ", 8, (Encoding)encoding, 10, 20, optim_at(i)->name);
            if (encoding == ENCODING_PLACEMENTS && !task.optimiser->searches_tree)
                continue;
            task.evaluations = 40000;
            task.report = check_progress;
            task.report_context = &reports;
            cr_assert(solve_run(&task, &answer, &status), "%s", status.message);
            cr_assert(reports.count > 0, "%s", optim_at(i)->name);
        }
}

/* Says yes from the third time on. */
static bool soon(const void *context) {
    int *asked = (int *)(uintptr_t)context;
    return ++*asked >= 3;
}

/* A refinement looks at the limits of its run all the time, not only before it begins. */
Test(solve, refinements_can_be_cut) {
    static const ProblemRefine searches[] = {REFINE_BEAM, REFINE_EXACT};
    for (int i = 0; i < 2; i++) {
        SolveTask task;
        prepare(&task, "TOZLIJSTOZLIJSTOZLIJS", 20, ENCODING_SWAP_DOUBLE, 10, 20, "hybrid");
        static TetrisProblem tetris;
        Problem problem;
        TetrisTree tetris_tree;
        Tree tree;
        eval_decoder(&request, &tetris.decoder);
        tetris_problem_init(&tetris, &task.profile, &problem);
        tetris_tree_init(&tetris_tree, &tetris.decoder, &tetris.profile, false, false, &tree);
        problem.tree = &tree;
        Rng rng;
        rng_init(&rng, 1, 0);
        problem.random(&problem, &rng, answer.best.genes);
        double before = problem.evaluate(&problem, NULL, answer.best.genes), after = before;
        int asked = 0;
        uint64_t used = refine_tail(&problem, searches[i], 1000000, 2, (ProblemCut){soon, &asked},
                                    answer.best.genes, &after);
        cr_assert(used < 10000, "search %d: %d evaluations", i, (int)used);
        cr_assert(asked >= 3 && after >= before);
        cr_assert_eq(problem.evaluate(&problem, NULL, answer.best.genes), after);
    }
}

/* A swap flips, a rotation takes a quarter turn more or less, a move any value. */
Test(tetris, mutates_as_published) {
    SolveTask task;
    prepare(&task, "TOZLIJSTOZLIJSTOZLIJS", 20, ENCODING_SWAP_DOUBLE, 10, 20, "ga");
    static TetrisProblem tetris;
    Problem problem;
    eval_decoder(&request, &tetris.decoder);
    tetris_problem_init(&tetris, &task.profile, &problem);
    Rng rng;
    rng_init(&rng, 1, 0);
    problem.random(&problem, &rng, answer.best.genes);
    bool seen[2][19] = {{false}};
    for (int i = 0; i < 20000; i++) {
        int8_t genes[100];
        memcpy(genes, answer.best.genes, sizeof genes);
        uint32_t undo, unit = rng_below(&rng, 20);
        uint32_t number = problem.pick(&problem, &rng, genes, unit, PICK_PUBLISHED);
        uint32_t changed = problem.change(&problem, genes, number, &undo);
        cr_assert(changed == unit || changed == PROBLEM_UNCHANGED);
        for (int k = 0; k < 100; k++) {
            int before = answer.best.genes[k], after = genes[k], gene = k % 5;
            if (before == after)
                continue;
            cr_assert_eq((uint32_t)k / 5, unit);
            if (gene == 0)
                cr_assert_eq(after, 1 - before);
            else if (gene % 2 == 0)
                cr_assert(((after - before) & 3) == 1 || ((after - before) & 3) == 3);
            else
                seen[gene == 3][after + 9] = true;
        }
    }
    for (int value = -9; value <= 9; value++) {
        cr_assert(seen[1][value + 9], "move2 never became %d", value);
        cr_assert(seen[0][value + 9] == (value >= -5 && value <= 5), "move1 and %d", value);
    }
}
