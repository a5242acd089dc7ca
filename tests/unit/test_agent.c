/* agent: every player plays by the rules, decides by its definition, and sees what it may see. */
#include <signal.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/parameters.h"
#include "player/keys.h"
#include "player/registry.h"
#include "player/setup.h"
#include "player/turn.h"
#include "player/view.h"
#include "player/weighted.h"
#include "scale.h"
#include "simulate/play.h"

typedef struct Table {
    const Agent *agent;
    AgentSetup setup;
    Parameters parameters;
    void *player;
} Table;

static void sit_down(Table *table, const Agent *agent, Rules rules, const char *parameter) {
    *table = (Table){.agent = agent, .setup.rules = rules};
    Status status = {0};
    parameters_init(&table->parameters, agent->name, agent->parameters);
    if (parameter)
        cr_assert(parameters_set_all(&table->parameters, parameter, '&', &status), "%s",
                  status.message);
    if (agent->weights)
        cr_assert(evaluator_from_preset(&table->setup.evaluator, agent->weights));
    table->player = agent->new_player(&table->setup, table->parameters.values, &status);
    cr_assert(table->player, "%s", status.message);
}

static void stand_up(Table *table) {
    table->agent->free_player(table->player);
}

static Rules rules_of(RuleSet set, bool hold, int width, int height) {
    return (Rules){.set = set,
                   .scoring = SCORING_LOCAL_SEARCH,
                   .hold = hold,
                   .width = (uint8_t)width,
                   .height = (uint8_t)height};
}

static bool is_legal(const Game *game, Placement placement) {
    Columns columns;
    columns_from_board(&columns, &game->board);
    if (placement.piece != game->current)
        return false;
    if (game->rules.set == RULES_GUIDELINE)
        return reach_contains(&columns, placement, false, false);
    Placement drops[DROP_MAX];
    int count = drop_list(&columns, (Piece)game->current, drops);
    for (int i = 0; i < count; i++)
        if (placement_same_cells(drops[i], placement))
            return true;
    return false;
}

/* Plays piece by piece and checks every decision; returns the pieces placed. */
static int64_t play_checked(Table *table, RandomizerKind kind, int preview, int64_t pieces,
                            uint64_t seed) {
    Randomizer randomizer;
    randomizer_init(&randomizer, kind, seed, 0);
    Game game;
    game_init(&game, &table->setup.rules, &randomizer);
    Rng rng;
    rng_init(&rng, seed, 1);
    Watcher watcher;
    watcher_init(&watcher, preview);
    const char *reason, *name = table->agent->name;
    while (game.over == OVER_NOT && game.pieces < pieces) {
        AgentView view;
        watcher_look(&watcher, &game, pieces - game.pieces, &view);
        Move decision = table->agent->choose(table->player, &view, &rng);
        if (decision.hold)
            cr_assert(game_press(&game, KEY_HOLD), "%s holds when it cannot", name);
        if (decision.placement.piece == PIECE_NONE) {
            cr_assert(decision.hold, "%s decides nothing", name);
            continue;
        }
        cr_assert(is_legal(&game, decision.placement), "%s: illegal placement of piece %d", name,
                  (int)game.pieces);
        game_place(&game, decision.placement);
        cr_assert(game_ok(&game, &reason), "%s: %s", name, reason);
    }
    return game.pieces;
}

Test(agent, all_play_by_the_rules) {
    static const int sizes[][2] = {{10, 20}, {5, 8}, {16, 12}, {4, 4}};
    for (int i = 0; i < agent_count(); i++) {
        const Agent *agent = agent_at(i);
        if (!agent->choose)
            continue;
        for (int set = 0; set < RULES_COUNT; set++)
            for (int hold = 0; hold <= 1; hold++)
                for (int preview = 0; preview <= 3; preview++)
                    for (int size = 0; size < 4; size++) {
                        Rules rules =
                            rules_of((RuleSet)set, hold == 1, sizes[size][0], sizes[size][1]);
                        if (!agent_check(agent, &rules, preview, NULL))
                            continue;
                        /* beam thinks for milliseconds */
                        int pieces = strcmp(agent->name, "beam") == 0 ? 3 : scaled(40);
                        Table table;
                        sit_down(&table, agent, rules, NULL);
                        play_checked(&table, RANDOMIZER_BAG, preview, pieces, (uint64_t)i);
                        play_checked(&table, RANDOMIZER_SZ, preview, pieces, (uint64_t)i);
                        stand_up(&table);
                    }
    }
}

Test(agent, the_sensible_ones_survive) {
    static const char *const names[] = {"hill", "anneal", "genetic", "weighted", "bcts", "dt20"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const Agent *agent = agent_find(names[i]);
        Rules rules = rules_of(RULES_DROP, false, 10, 20);
        Table table;
        sit_down(&table, agent, rules, NULL);
        cr_assert_eq(play_checked(&table, RANDOMIZER_BAG, 0, 100, 3), 100, "%s died", names[i]);
        stand_up(&table);
    }
}

/* ---- definitions */

static void look_at(AgentView *view, const Rules *rules, Board *board, Piece current) {
    *view = (AgentView){.rules = rules,
                        .board = board,
                        .current = (uint8_t)current,
                        .hold = PIECE_NONE,
                        .unseen = 127,
                        .locks_left = INT64_MAX};
    columns_from_board(&view->columns, board);
}

/* On the empty board an O lies equally well in both corners, and nowhere better. */
Test(agent, hill_breaks_ties_by_chance) {
    Rules rules = rules_of(RULES_DROP, false, 10, 20);
    Table table;
    sit_down(&table, agent_find("hill"), rules, NULL);
    Board board;
    board_init(&board, 10, 20);
    AgentView view;
    look_at(&view, &rules, &board, PIECE_O);
    int left = 0, right = 0;
    Rng rng;
    rng_init(&rng, 1, 0);
    for (int i = 0; i < 1000; i++) {
        Placement at = table.agent->choose(table.player, &view, &rng).placement;
        left += at.x == 0;
        right += at.x == 8;
    }
    cr_assert_eq(left + right, 1000);
    cr_assert(left > 400 && right > 400, "left %d, right %d", left, right);
    stand_up(&table);
}

/* The value that hill gives to what an agent plays, less hill's best. */
static double loss_of(Table *table, const AgentView *view, Rng *rng) {
    Evaluator *evaluator = &table->setup.evaluator;
    Placement placements[REACH_MAX];
    bool dead;
    int count =
        turn_placements(view, &view->columns, (Piece)view->current, true, placements, &dead);
    double best = -1e300;
    for (int i = -1; i < count; i++) {
        Placement at =
            i < 0 ? table->agent->choose(table->player, view, rng).placement : placements[i];
        EvaluatorMove move = {&view->columns, at, PIECE_NONE};
        Columns after;
        EvaluatorValue value = evaluator_judge(evaluator, &move, &after);
        if (i < 0)
            placements[REACH_MAX - 1] = at;
        best = value.move + value.board > best ? value.move + value.board : best;
    }
    EvaluatorMove move = {&view->columns, placements[REACH_MAX - 1], PIECE_NONE};
    Columns after;
    EvaluatorValue value = evaluator_judge(evaluator, &move, &after);
    return best - value.move - value.board;
}

static double mean_loss(const char *name, const char *parameter) {
    Rules rules = rules_of(RULES_DROP, false, 10, 20);
    Table table;
    sit_down(&table, agent_find(name), rules, parameter);
    Rng rng;
    rng_init(&rng, 9, 0);
    double sum = 0;
    int count = 0;
    for (int round = 0; round < 300; round++) {
        Board board;
        board_init(&board, 10, 20);
        for (int x = 0; x < 10; x++) {
            int height = rng_between(&rng, 0, 6);
            for (int y = 0; y < height; y++)
                board_set_row(&board, y, (uint16_t)(board_row(&board, y) | 1u << x));
        }
        board_clear_rows(&board);
        AgentView view;
        look_at(&view, &rules, &board, (Piece)rng_below(&rng, PIECE_COUNT));
        sum += loss_of(&table, &view, &rng);
        count++;
    }
    stand_up(&table);
    return sum / count;
}

/* Cold from the start anneal only climbs; hot to the end it plays at random; as published it lies
 * between. */
Test(agent, anneal_follows_its_temperature) {
    double cold = mean_loss("anneal", "temperature=0.1");
    double usual = mean_loss("anneal", NULL);
    double hot = mean_loss("anneal", "end=7");
    cr_assert(usual < 0.5, "%g", usual);
    cr_assert(hot > usual, "%g %g", hot, usual);
    cr_assert(cold > usual, "one step is not enough: %g", cold);
}

Test(agent, genetic_gets_better_with_generations) {
    double none = mean_loss("genetic", "generations=0");
    double usual = mean_loss("genetic", NULL);
    double all = mean_loss("genetic", "population=64");
    cr_assert(usual < none, "%g %g", usual, none);
    cr_assert_float_eq(all, 0, 1e-9, "with every drop in the population the best is there");
}

/* As the text has it, mutants are any drops of their rotation and join the children, so the best
 * drop is found. As in the program, without mutants, a column or rotation that is not in the
 * population stays missing; mutants that replace their children lose some of these. */
Test(agent, genetic_mutants) {
    double added = mean_loss("genetic", "mutants=add");
    double replaced = mean_loss("genetic", "mutants=replace");
    double none = mean_loss("genetic", "mutants=none");
    cr_assert_float_eq(replaced, mean_loss("genetic", NULL), 0);
    cr_assert_float_eq(added, 0, 1e-3, "%g", added);
    cr_assert(none > 10 * added && replaced > none, "%g %g", none, replaced);
}

/* An O on four columns lies better in a corner than in the middle. Cold, with one draw in one step,
 * anneal leaves the middle (a third of all starts), unless the middle is drawn again. */
Test(agent, anneal_redraws_its_current_drop) {
    static const char *const parameters[] = {"draws=1&steps=1&temperature=1e-6&end=1e-9",
                                             "draws=1&steps=1&temperature=1e-6&end=1e-9&redraw=on"};
    Rules rules = rules_of(RULES_DROP, false, 4, 20);
    Board board;
    board_init(&board, 4, 20);
    AgentView view;
    look_at(&view, &rules, &board, PIECE_O);
    int middle[2] = {0, 0};
    for (int redraw = 0; redraw < 2; redraw++) {
        Table table;
        sit_down(&table, agent_find("anneal"), rules, parameters[redraw]);
        Rng rng;
        rng_init(&rng, 5, 0);
        for (int i = 0; i < 900; i++)
            middle[redraw] += table.agent->choose(table.player, &view, &rng).placement.x == 1;
        stand_up(&table);
    }
    cr_assert_eq(middle[0], 0);
    cr_assert(middle[1] > 60 && middle[1] < 140, "a ninth of 900: %d", middle[1]);
}

/* True when the drops of the current piece have one of that state whose centre is in column x. */
static bool has_drop(const AgentView *view, TurnSlide how, Rotation rotation, int x) {
    Placement drops[REACH_MAX];
    bool dead;
    int count = turn_slides(view, how, drops, &dead);
    for (int i = 0; i < count; i++)
        if (drops[i].rotation == rotation && drops[i].x == x)
            return true;
    return false;
}

/* The published program's moves: one upright T, J and L does not reach column 0, and nothing passes
 * over a tower that reaches into the top rows. */
Test(agent, published_moves) {
    static const TurnSlide slide = {.slide = true}, box = {.box = true};
    Rules rules = rules_of(RULES_DROP, false, 10, 22);
    Board board;
    board_init(&board, 10, 22);
    AgentView view;
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        bool pointed = piece == PIECE_T || piece == PIECE_J || piece == PIECE_L;
        Placement all[REACH_MAX], some[REACH_MAX];
        bool dead;
        look_at(&view, &rules, &board, (Piece)piece);
        int count = turn_placements(&view, &view.columns, (Piece)piece, true, all, &dead);
        cr_assert_eq(turn_slides(&view, slide, some, &dead), count);
        cr_assert_eq(turn_slides(&view, box, some, &dead), count - pointed);
        cr_assert_neq(has_drop(&view, box, EAST, 0),
                      pointed || piece_distinct_rotations[piece] == 1);
    }
    /* The box of a T stands in rows 19 to 21 from column 3 on: a column of 20 cells lets it pass
     * lying (rows 20 and 21), not upright. */
    for (int y = 0; y < 20; y++)
        board_set_row(&board, y, 1u << 7);
    look_at(&view, &rules, &board, PIECE_T);
    cr_assert(has_drop(&view, slide, NORTH, 8) && has_drop(&view, slide, EAST, 5));
    cr_assert_not(has_drop(&view, slide, EAST, 8) || has_drop(&view, slide, SOUTH, 8));
    /* Where the spawn is blocked, what is left ends the game. */
    board_set_row(&board, 20, 1u << 4);
    look_at(&view, &rules, &board, PIECE_I);
    Placement last[REACH_MAX];
    bool dead;
    cr_assert_eq(turn_slides(&view, slide, last, &dead), 1);
    cr_assert(dead);
}

Test(agent, fit_counts_gaps_that_are_covered) {
    Columns columns = {.width = 10, .height = 20};
    /* heights 1 1 0 1 1 ...: the gap in column 2 is one that T fits with its point. */
    for (int x = 0; x < 10; x++)
        columns.column[x] = x == 2 ? 0 : 1;
    Placement over = {PIECE_I, NORTH, 2, 1, 0}; /* columns 1..4 */
    Placement aside = {PIECE_O, NORTH, 6, 1, 0};
    double t_over = weighted_fit(&columns, over, 1u << PIECE_T);
    double t_aside = weighted_fit(&columns, aside, 1u << PIECE_T);
    cr_assert(t_over > t_aside, "%g %g", t_over, t_aside);
    cr_assert_float_eq(weighted_fit(&columns, over, 0), 0, 0);
    /* Of width 3 from column 1 only T fits; it alone counts whole. */
    cr_assert(t_over >= 1);
}

/* Heights 2 2 2 2 1 2 2 2 0 2. On the flat first three columns J, L and T lie exactly; the point of
 * T fills column 4 between its neighbours alone; I fills column 8. */
Test(agent, perfect_fit_rewards_what_few_pieces_fit) {
    Columns columns = {.width = 10, .height = 20};
    for (int x = 0; x < 10; x++)
        columns.column[x] = x == 4 ? 1 : x == 8 ? 0 : 3;
    static const struct {
        Placement at;
        double reward;
    } cases[] = {
        {{PIECE_T, NORTH, 1, 2, 0}, 1 / 3.0}, /* flat below */
        {{PIECE_O, NORTH, 0, 2, 0}, 1 / 3.0}, /* two columns: O, and J and L upright */
        {{PIECE_I, NORTH, 1, 2, 0}, 1},       /* four columns: only I */
        {{PIECE_T, SOUTH, 4, 2, 0}, 1},       /* its point in column 4 */
        {{PIECE_I, EAST, 8, 2, 0}, 1},        /* upright in the well */
        {{PIECE_I, EAST, 0, 4, 0}, 0},        /* upright on a flat place is not a gap */
        {{PIECE_T, NORTH, 4, 2, 0}, 0},       /* over column 4: leaves a hole */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_float_eq(weighted_perfect_fit(&columns, cases[i].at), cases[i].reward, 1e-12,
                           "%zu: %g", i, weighted_perfect_fit(&columns, cases[i].at));
}

/* ---- what is seen */

Test(agent, a_bag_tells_what_can_come) {
    Rules rules = rules_of(RULES_GUIDELINE, true, 10, 20);
    for (int preview = 0; preview <= 14; preview++) {
        Randomizer randomizer;
        randomizer_init(&randomizer, RANDOMIZER_BAG, 5, 0);
        Randomizer dealt = randomizer;
        uint8_t pieces[200];
        for (int i = 0; i < 200; i++)
            pieces[i] = (uint8_t)randomizer_next(&dealt);
        Game game;
        game_init(&game, &rules, &randomizer);
        Watcher watcher;
        watcher_init(&watcher, preview);
        Rng rng;
        rng_init(&rng, 1, 1);
        while (game.over == OVER_NOT && game.pieces < 100) {
            AgentView view;
            watcher_look(&watcher, &game, INT64_MAX, &view);
            cr_assert_eq(view.queue_count, preview);
            int64_t seen = game.pieces + 1 + (game.hold != PIECE_NONE) + preview;
            uint8_t expected = 127;
            for (int64_t i = seen / 7 * 7; i < seen; i++)
                expected &= (uint8_t) ~(1u << pieces[i]);
            cr_assert_eq(view.unseen, expected, "preview %d piece %d", preview, (int)game.pieces);
            if (rng_chance(&rng, 0.3) && game_press(&game, KEY_HOLD))
                continue;
            Placement places[REACH_MAX];
            int count = reach_list(&view.columns, (Piece)game.current, false, places);
            game_place(&game, places[rng_below(&rng, (uint32_t)count)]);
        }
    }
}

static void expect_option(const TurnOption *option, Piece piece, bool hold, Piece current,
                          Piece held) {
    cr_assert_eq(option->piece, piece);
    cr_assert_eq(option->hold, hold);
    cr_assert_eq(option->after.current, current);
    cr_assert_eq(option->after.hold, held);
}

Test(agent, hold_offers_two_pieces) {
    Rules rules = rules_of(RULES_GUIDELINE, true, 10, 20);
    Board board;
    board_init(&board, 10, 20);
    AgentView view;
    look_at(&view, &rules, &board, PIECE_T);
    view.can_hold = true;
    view.queue_count = 2;
    view.queue[0] = PIECE_S;
    view.queue[1] = PIECE_L;
    TurnOption options[TURN_OPTIONS];
    /* Nothing held: hold brings the next one. */
    cr_assert_eq(turn_options(&view, turn_hand(&view), options), 2);
    expect_option(&options[0], PIECE_T, false, PIECE_S, PIECE_NONE);
    expect_option(&options[1], PIECE_S, true, PIECE_L, PIECE_T);
    /* Something held: they change places. */
    view.hold = PIECE_I;
    cr_assert_eq(turn_options(&view, turn_hand(&view), options), 2);
    expect_option(&options[0], PIECE_T, false, PIECE_S, PIECE_I);
    expect_option(&options[1], PIECE_I, true, PIECE_S, PIECE_T);
    /* The same letter counts once; hold used up leaves one. */
    view.hold = PIECE_T;
    cr_assert_eq(turn_options(&view, turn_hand(&view), options), 1);
    view.hold = PIECE_I;
    view.can_hold = false;
    cr_assert_eq(turn_options(&view, turn_hand(&view), options), 1);
    /* The last piece of a list: the held one comes back. */
    view.can_hold = true;
    view.queue_count = 0;
    view.queue_ends = true;
    cr_assert_eq(turn_options(&view, turn_hand(&view), options), 2);
    expect_option(&options[0], PIECE_T, false, PIECE_I, PIECE_NONE);
    expect_option(&options[1], PIECE_I, true, PIECE_T, PIECE_NONE);
    /* The next piece not known: what is held can still be played. */
    view.queue_ends = false;
    cr_assert_eq(turn_options(&view, turn_hand(&view), options), 2);
    expect_option(&options[0], PIECE_T, false, PIECE_NONE, PIECE_I);
    cr_assert_eq(turn_options(&view, options[0].after, options), 1);
    expect_option(&options[0], PIECE_I, true, PIECE_NONE, PIECE_NONE);
}

Test(agent, rules_that_do_not_go_with_an_agent_are_refused) {
    Status status = {0};
    Rules drop = rules_of(RULES_DROP, false, 10, 20), modern = drop, hold = drop;
    modern.set = RULES_GUIDELINE;
    hold.hold = true;
    const Agent *bcts = agent_find("bcts");
    cr_assert(agent_check(bcts, &drop, 0, &status));
    cr_assert_not(agent_check(bcts, &modern, 0, &status));
    cr_assert_not(agent_check(bcts, &hold, 0, &status));
    cr_assert_not(agent_check(bcts, &drop, 1, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert_null(agent_find("nobody"));
}

Test(agent, the_list_is_sound) {
    for (int i = 0; i < agent_count(); i++) {
        const Agent *agent = agent_at(i);
        cr_expect_eq(agent_find(agent->name), agent, "%s", agent->name);
        cr_expect(agent->parameters_bytes <= PARAMETERS_BYTES, "%s", agent->name);
        cr_expect((agent->choose != NULL) != (agent->play != NULL), "%s", agent->name);
        cr_expect(!agent->stream || (agent->choose && agent->abilities & AGENT_DROP), "%s",
                  agent->name);
        Parameters parameters;
        Status status = {0};
        parameters_init(&parameters, agent->name, agent->parameters);
        cr_expect(!agent->cannot_record || !agent->cannot_record(parameters.values, 1000, &status),
                  "%s: by default every game can be saved", agent->name);
        parameters_release(&parameters);
    }
}

/* What was not asked for suits the agent; what was asked for is checked. */
Test(setup, resolves_and_checks) {
    static const struct {
        const char *name;
        RuleSet rules;
        bool hold;
        int preview;
        RandomizerKind randomizer;
    } usual[] = {
        {NULL, RULES_GUIDELINE, true, 1, RANDOMIZER_BAG},
        {"lookahead?breadth=3", RULES_GUIDELINE, true, 1, RANDOMIZER_BAG},
        {"dt20", RULES_DROP, false, 0, RANDOMIZER_UNIFORM},
        {"bees", RULES_GUIDELINE, false, 0, RANDOMIZER_BAG},
        {"bot?nodes=10", RULES_GUIDELINE, true, 5, RANDOMIZER_BAG},
    };
    Status status = {0};
    Setup setup;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        SetupAgent asked = {.name = usual[i].name};
        SetupGame game = SETUP_GAME_DEFAULT;
        cr_assert(setup_init(&setup, &asked, &game, &status), "%s", status.message);
        cr_expect_eq(setup.made_for.rules.set, usual[i].rules, "%s", setup.agent->name);
        cr_expect_eq(setup.made_for.rules.hold, usual[i].hold, "%s", setup.agent->name);
        cr_expect_eq(setup.preview, usual[i].preview, "%s", setup.agent->name);
        cr_expect_eq(setup.randomizer, usual[i].randomizer, "%s", setup.agent->name);
        setup_release(&setup);
    }
    static const struct {
        SetupAgent asked;
        int rules, hold, preview, height;
        const char *why;
    } bad[] = {
        {{.name = "nobody"}, -1, -1, -1, -1, "agent: unknown agent 'nobody'"},
        {{.name = "dt20"}, RULES_GUIDELINE, -1, -1, -1, "dt20: plays by the rules drop only"},
        {{.name = "dt20"}, -1, 1, -1, -1, "dt20: does not use hold"},
        {{.name = "hill"}, -1, -1, 2, -1, "hill: does not look at next pieces"},
        {{.name = "bot"}, RULES_DROP, -1, -1, -1, "bot: plays by the rules guideline only"},
        {{.name = "bot"}, -1, -1, -1, 16, "bot: plays on boards of 10x20 only, not 10x16"},
        {{.name = "bot", .weights = "dt20"}, -1, -1, -1, -1, "bot: takes no weights"},
        {{.name = "bot?nodes=0"}, -1, -1, -1, -1, "bot: nodes: 0 is not in 1.."},
        {{.name = "dt20", .weights = "tetris"}, -1, -1, -1, -1, "dt20: takes weights of the"},
        {{.name = "dt20", .weights = "none"}, -1, -1, -1, -1, "weights: unknown weights 'none'"},
        {{.name = "beam?x=1"}, -1, -1, -1, -1, "beam: x: unknown parameter"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        SetupGame game = SETUP_GAME_DEFAULT;
        game.rules = bad[i].rules;
        game.hold = bad[i].hold;
        game.preview = bad[i].preview;
        game.height = bad[i].height;
        cr_expect_not(setup_init(&setup, &bad[i].asked, &game, &status), "%s", bad[i].why);
        cr_expect(strstr(status.message, bad[i].why) == status.message, "'%s', not '%s'",
                  status.message, bad[i].why);
        setup_release(&setup);
    }
}

/* A game of somebody else: hold and preview that the agent does not use are ignored; and an agent
 * that plays whole games keeps to the rules where that is asked for. */
Test(setup, shared_games_and_rules) {
    Status status = {0};
    Setup setup;
    SetupGame game = SETUP_GAME_DEFAULT;
    game.hold = 1;
    game.preview = 5;
    game.shared = true;
    SetupAgent asked = {.name = "bees", .recorded = true};
    cr_assert(setup_init(&setup, &asked, &game, &status), "%s", status.message);
    cr_expect(!setup.made_for.rules.hold && setup.preview == 0);
    setup_release(&setup);
    asked.name = "bees?scout-piece=on&clean-scouts=off";
    cr_expect_not(setup_init(&setup, &asked, &game, &status));
    cr_expect(strstr(status.message, "clean-scouts=off"), "%s", status.message);
    setup_release(&setup);
    asked.recorded = false;
    cr_expect(setup_init(&setup, &asked, &game, &status), "%s", status.message);
    setup_release(&setup);
}

Test(agent, random_keys_end_at_rest) {
    Board board;
    board_init(&board, 10, 20);
    Rng rng;
    rng_init(&rng, 4, 0);
    KeysTrail *trail = malloc(sizeof *trail);
    double steps = 0;
    for (int i = 0; i < 2000; i++) {
        Piece piece = (Piece)rng_below(&rng, PIECE_COUNT);
        keys_begin(trail, &board);
        keys_walk(trail, &board, piece, &rng);
        KeysPosition at = trail->positions[trail->count - 1];
        cr_assert(board_fits(&board, piece, (Rotation)at.rotation, at.x, at.y));
        cr_assert_not(board_fits(&board, piece, (Rotation)at.rotation, at.x, at.y - 1));
        steps += trail->count;
    }
    /* 18 rows or so, a fall every fourth press or a little more often at the walls. */
    cr_assert(steps / 2000 > 50 && steps / 2000 < 120, "%g", steps / 2000);
    free(trail);
}
