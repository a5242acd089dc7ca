/* live: gravity, lock delay, soft drop; agents that play under gravity by real key presses. */
#include <signal.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "engine/board_text.h"
#include "formats/replay.h"
#include "live/live.h"
#include "live/pilot.h"
#include "live/steer.h"
#include "live/thoughts.h"
#include "movegen/reach.h"
#include "player/registry.h"

static const Rules usual = {
    .set = RULES_GUIDELINE, .scoring = SCORING_GUIDELINE, .hold = true, .width = 10, .height = 20};

/* A game of these pieces on a board of text, top row first. */
static void begin(Live *live, const char *letters, const char *rows) {
    static uint8_t pieces[64];
    Status status = {0};
    int count = pieces_parse(letters, pieces, sizeof pieces, &status);
    cr_assert_gt(count, 0);
    LiveSetup setup = {.rules = usual, .max_pieces = INT64_MAX, .max_lines = INT64_MAX};
    randomizer_init_list(&setup.randomizer, pieces, (size_t)count);
    Grid grid;
    grid_init(&grid, 10, 20);
    cr_assert(board_text_read(&grid, rows, strlen(rows), &status), "%s", status.message);
    setup.start = &grid;
    live_init(live, &setup);
}

enum { SECOND = 1000000 };

Test(live, gravity_is_the_guidelines) {
    static Live live;
    begin(&live, "TTTT", "");
    cr_assert_eq(live_gravity_us(&live), SECOND);
    live_advance(&live, SECOND - 1);
    cr_assert_eq(live.game.y, 19);
    live_advance(&live, 1);
    cr_assert_eq(live.game.y, 18);
    live_advance(&live, 3 * SECOND);
    cr_assert_eq(live.game.y, 15);
    live.game.lines = 50; /* level 6: (0.8 - 5 * 0.007)^5 seconds */
    cr_assert_eq(live_gravity_us(&live), 262003);
    live.game.lines = 100000; /* no faster than level 20 */
    cr_assert_eq(live_gravity_us(&live), 455);
}

Test(live, a_piece_locks_half_a_second_after_it_landed) {
    static Live live;
    begin(&live, "OOOO", "");
    live_advance(&live, 19 * SECOND);
    cr_assert_eq(live.game.y, 0);
    cr_assert(live_grounded(&live));
    live_advance(&live, LIVE_LOCK_US - 1);
    cr_assert_eq(live.game.pieces, 0);
    live_advance(&live, 1);
    cr_assert_eq(live.game.pieces, 1);
    cr_assert_eq(live.grid.cells[0][4], 'O');
    cr_assert_eq(live.time_us, 19 * SECOND + LIVE_LOCK_US);
    cr_assert_eq(live.game.y, 19);
}

static void land(Live *live) {
    while (live_press(live, KEY_SOFT_DROP))
        ;
    live->soft_held = false; /* and lets go */
}

Test(live, moves_reset_the_lock_delay_fifteen_times) {
    static Live live;
    begin(&live, "TTTT", "");
    land(&live);
    for (int i = 0; i < LIVE_LOCK_RESETS; i++) {
        live_advance(&live, LIVE_LOCK_US - 1);
        cr_assert_eq(live.game.pieces, 0);
        cr_assert(live_press(&live, i % 2 ? KEY_LEFT : KEY_RIGHT));
    }
    live_advance(&live, LIVE_LOCK_US - 1);
    cr_assert_eq(live.game.pieces, 0);
    cr_assert(live_press(&live, KEY_LEFT)); /* it moves, but the time runs on */
    live_advance(&live, 1);
    cr_assert_eq(live.game.pieces, 1);
}

Test(live, a_blocked_move_resets_nothing) {
    static Live live;
    begin(&live, "OOOO", "");
    land(&live);
    while (live_press(&live, KEY_LEFT))
        ;
    live_advance(&live, LIVE_LOCK_US - 1);
    cr_assert_not(live_press(&live, KEY_LEFT));
    live_advance(&live, 1);
    cr_assert_eq(live.game.pieces, 1);
}

Test(live, falling_lower_gives_the_resets_back) {
    static Live live;
    /* The piece lands on the block under the spawn, walks off it and falls. */
    begin(&live, "OOOO", "....GG....\n....GG....\n");
    land(&live);
    for (int i = 0; i < 10; i++)
        cr_assert(live_press(&live, i % 2 ? KEY_LEFT : KEY_RIGHT));
    cr_assert_eq(live.lock_resets, 10);
    live_press(&live, KEY_LEFT);
    live_press(&live, KEY_LEFT);
    cr_assert_not(live_grounded(&live));
    live_advance(&live, SECOND);
    cr_assert_eq(live.lock_resets, 0);
    cr_assert_eq(live.game.y, 1);
}

Test(live, a_held_soft_drop_falls_twenty_times_as_fast) {
    static Live live;
    begin(&live, "TTTT", "");
    live_press(&live, KEY_SOFT_DROP);
    live_advance(&live, LIVE_SOFT_HELD_US); /* one press alone is one row */
    cr_assert_eq(live.game.y, 18);
    live_press(&live, KEY_SOFT_DROP); /* the second in time: it is held */
    cr_assert_eq(live.game.y, 17);
    live_advance(&live, SECOND / LIVE_SOFT_FACTOR);
    cr_assert_eq(live.game.y, 16);
    live_advance(&live, SECOND / 2); /* let go: two more rows, then slowly */
    cr_assert_eq(live.game.y, 15);
}

Test(live, time_can_be_cut_anyhow) {
    static Live whole, cut;
    begin(&whole, "TIOSZJLTIOSZJL", "");
    begin(&cut, "TIOSZJLTIOSZJL", "");
    live_advance(&whole, 60 * SECOND);
    Rng rng;
    rng_init(&rng, 1, 0);
    for (int64_t left = 60 * SECOND; left > 0;) {
        int64_t part = rng_between(&rng, 1, 300000);
        part = part < left ? part : left;
        live_advance(&cut, part);
        left -= part;
    }
    cr_assert_eq(memcmp(&whole.game.board, &cut.game.board, sizeof whole.game.board), 0);
    cr_assert_eq(whole.game.pieces, cut.game.pieces);
    cr_assert_eq(whole.game.y, cut.game.y);
    cr_assert_gt(whole.game.pieces, 2);
}

Test(live, pause_stops_everything) {
    static Live live;
    begin(&live, "TTTT", "");
    live.paused = true;
    live_advance(&live, 100 * SECOND);
    cr_assert_eq(live.game.y, 19);
    cr_assert_eq(live.time_us, 0);
    cr_assert_not(live_press(&live, KEY_LEFT));
}

Test(live, a_sprint_ends_with_its_lines) {
    static Live live;
    begin(&live, "IIII", "GGGG....GG\nGGGG....GG\n");
    live.max_lines = 2;
    live_press(&live, KEY_RIGHT);
    live_press(&live, KEY_HARD_DROP);
    cr_assert_eq(live.last.lines, 1);
    cr_assert_eq(live.last.rows, 1);
    cr_assert_eq(live.last.points, 100);
    cr_assert_eq(live.end, LIVE_RUNNING);
    live_press(&live, KEY_RIGHT);
    live_press(&live, KEY_HARD_DROP);
    cr_assert_eq(live.end, LIVE_LINES);
    cr_assert_not(live_press(&live, KEY_LEFT));
}

/* Steering without gravity finds what movegen finds. */
Test(steer, agrees_with_movegen_from_the_spawn) {
    static Live live;
    static Steer steer;
    static Placement reached[REACH_MAX], landed[REACH_MAX];
    begin(&live, "TIOSZJLT", "GG...GGGGG\nG....GGGGG\nGGG.GGGGGG\nGG..GGGGGG\n");
    for (; live.end == LIVE_RUNNING && live.game.pieces < 6; live_press(&live, KEY_HARD_DROP)) {
        Columns columns;
        columns_from_board(&columns, &live.game.board);
        int expected = reach_list(&columns, (Piece)live.game.current, false, reached);
        steer_flood(&steer, &live.game, 0, false);
        int count = steer_landings(&steer, landed, REACH_MAX);
        cr_assert_eq(count, expected);
        for (int i = 0; i < count; i++) {
            uint8_t keys[STEER_POSITIONS + 1];
            int key_count = steer_keys(&steer, landed[i], keys);
            cr_assert_gt(key_count, 0);
            Game game = live.game;
            for (int k = 0; k < key_count - 1; k++)
                cr_assert(game_press(&game, (Key)keys[k]));
            cr_assert(placement_same_cells(game_landing(&game), landed[i]));
        }
    }
}

Test(steer, a_falling_piece_reaches_less) {
    static Live live;
    static Steer steer;
    static Placement landed[REACH_MAX];
    /* It falls at once; the wall on the left cannot be crossed then. */
    begin(&live, "OOOO", ".G........\n.G........\n.G........\n.G........\n");
    steer_flood(&steer, &live.game, 0, false);
    int all = steer_landings(&steer, landed, REACH_MAX);
    steer_flood(&steer, &live.game, 40, false);
    int few = steer_landings(&steer, landed, REACH_MAX);
    cr_assert_eq(all, 9);
    cr_assert_lt(few, all);
    for (int i = 0; i < few; i++)
        cr_assert_geq(landed[i].x, 2);
}

/* ---- pilots */

typedef struct Flight {
    Live live;
    Pilot *pilot;
    Replay replay;
    Setup setup;
} Flight;

static bool press(void *context, Game *game, Key key) {
    return replay_press(context, game, key);
}

static void place(void *context, Game *game, Placement placement) {
    replay_place(context, game, false, placement);
}

static Flight *take_off(const char *name, RuleSet rules, int64_t lines, int64_t press_us) {
    Flight *flight = calloc(1, sizeof *flight);
    Status status = {0};
    const Agent *agent = setup_find(name, "agent", &status);
    SetupAgent asked = {.name = name, .recorded = true};
    SetupGame game = SETUP_GAME_DEFAULT;
    game.rules = (int)rules;
    game.hold = (agent->abilities & AGENT_HOLD) != 0;
    game.preview = agent->abilities & AGENT_PREVIEW ? 3 : 0;
    game.scoring = (int)usual.scoring;
    game.bonus = usual.bonus;
    game.rotate180 = usual.rotate180;
    cr_assert(setup_init(&flight->setup, &asked, &game, &status), "%s", status.message);
    LiveSetup setup = {
        .rules = flight->setup.made_for.rules, .max_pieces = INT64_MAX, .max_lines = INT64_MAX};
    randomizer_init(&setup.randomizer, RANDOMIZER_BAG, 5, 0);
    live_init(&flight->live, &setup);
    flight->live.game.lines = lines;
    replay_record(&flight->replay, &flight->live.game, &flight->live.grid);
    flight->live.hooks = (LiveHooks){.press = press, .place = place, .context = &flight->replay};
    PilotSetup pilot = {
        .player = &flight->setup, .seed = 5, .press_us = press_us, .max_pieces = INT64_MAX};
    flight->pilot = pilot_new(&pilot, &status);
    cr_assert(flight->pilot, "%s", status.message);
    return flight;
}

static void fly(Flight *flight, int64_t pieces) {
    const char *reason = NULL;
    flight->live.max_pieces = pieces;
    for (int i = 0; i < 1000000 && flight->live.end == LIVE_RUNNING; i++) {
        pilot_advance(flight->pilot, &flight->live, 7001);
        if (flight->live.end == LIVE_RUNNING)
            cr_assert(game_ok(&flight->live.game, &reason), "%s", reason);
    }
    cr_assert_neq(flight->live.end, LIVE_RUNNING);
}

/* The recorded keys make the same game by the rules of the engine. Where the game was told that it
 * began with lines the score differs. */
static void set_down(Flight *flight, bool check_result) {
    Status status = {0};
    Game end;
    replay_finish(&flight->replay, &flight->live.game);
    cr_assert(replay_play(&flight->replay, check_result, NULL, &end, &status), "%s",
              status.message);
    cr_assert(board_equal(&end.board, &flight->live.game.board));
    Board board;
    grid_to_board(&flight->live.grid, &board);
    cr_assert(board_equal(&board, &flight->live.game.board));
    replay_release(&flight->replay);
    pilot_free(flight->pilot);
    free(flight);
}

Test(pilot, plays_hundreds_of_pieces_at_the_usual_speed) {
    Flight *flight = take_off("weighted", RULES_GUIDELINE, 0, 50000);
    fly(flight, 300);
    cr_assert_eq(flight->live.end, LIVE_PIECES);
    cr_assert_geq(flight->live.game.lines, 100);
    set_down(flight, true);
}

Test(pilot, plays_legally_under_the_strongest_gravity) {
    Flight *flight = take_off("weighted", RULES_GUIDELINE, 190, 50000);
    fly(flight, 300);
    cr_assert_geq(flight->live.game.pieces, 100, "%d pieces", (int)flight->live.game.pieces);
    set_down(flight, false);
}

Test(pilot, every_agent_flies) {
    for (int i = 0; i < agent_count(); i++) {
        const Agent *agent = agent_at(i);
        if (agent->play)
            continue;
        RuleSet rules = agent->abilities & AGENT_DROP_FIRST ? RULES_DROP : RULES_GUIDELINE;
        if (!(agent->abilities & (rules == RULES_DROP ? AGENT_DROP : AGENT_GUIDELINE)))
            rules = rules == RULES_DROP ? RULES_GUIDELINE : RULES_DROP;
        Flight *flight = take_off(agent->name, rules, 0, 30000);
        fly(flight, 30);
        cr_assert_geq(flight->live.game.pieces, 10, "%s", agent->name);
        set_down(flight, true);
    }
}

Test(pilot, drop_rules_make_the_same_game_as_without_time) {
    Flight *flight = take_off("dt20", RULES_DROP, 0, 20000);
    fly(flight, 200);
    cr_assert_eq(flight->live.game.pieces, 200);
    cr_assert_geq(flight->live.game.lines, 60);
    set_down(flight, true);
}

Test(pilot, the_game_does_not_depend_on_how_time_is_cut) {
    Flight *a = take_off("weighted", RULES_GUIDELINE, 120, 40000);
    Flight *b = take_off("weighted", RULES_GUIDELINE, 120, 40000);
    fly(a, 120);
    b->live.max_pieces = 120;
    while (b->live.end == LIVE_RUNNING)
        pilot_advance(b->pilot, &b->live, 1000003);
    cr_assert_eq(a->live.time_us, b->live.time_us);
    cr_assert(board_equal(&a->live.game.board, &b->live.game.board));
    set_down(a, false);
    set_down(b, false);
}

Test(pilot, hands_over_and_takes_back) {
    Flight *flight = take_off("weighted", RULES_GUIDELINE, 0, 50000);
    Live *live = &flight->live;
    Rng rng;
    rng_init(&rng, 3, 0);
    while (live->game.pieces < 40)
        pilot_advance(flight->pilot, live, 100000);
    for (int round = 0; round < 20; round++) {
        /* Somebody presses keys at random for a while, with the piece somewhere in the air. */
        for (int i = 0; i < 12; i++) {
            static const Key keys[] = {KEY_LEFT, KEY_RIGHT, KEY_CLOCKWISE, KEY_SOFT_DROP, KEY_HOLD};
            live_press(live, keys[rng_below(&rng, 5)]);
            live_advance(live, 40000);
            pilot_look_on(flight->pilot, live);
        }
        pilot_take(flight->pilot, live);
        int64_t pieces = live->game.pieces;
        while (live->game.pieces < pieces + 10 && live->end == LIVE_RUNNING)
            pilot_advance(flight->pilot, live, 50000);
    }
    cr_assert_eq(live->end, LIVE_RUNNING);
    cr_assert_geq(live->game.pieces, 240);
    set_down(flight, true);
}

Test(pilot, a_step_is_one_key) {
    Flight *flight = take_off("weighted", RULES_GUIDELINE, 0, 50000);
    flight->live.paused = true;
    size_t keys = 0;
    for (int i = 0; i < 5; i++) {
        pilot_step(flight->pilot, &flight->live);
        cr_assert_eq(flight->replay.key_count, keys + 1);
        keys = flight->replay.key_count;
        cr_assert(flight->live.paused);
    }
    set_down(flight, true);
}

/* In a race the agent knows the rows that wait. */
Test(pilot, sees_garbage_that_waits) {
    Flight *flight = take_off("bot?nodes=50", RULES_GUIDELINE, 0, 50000);
    int waiting = 3;
    Status status = {0};
    PilotSetup race = {.player = &flight->setup,
                       .seed = 5,
                       .press_us = 50000,
                       .max_pieces = INT64_MAX,
                       .waiting = &waiting};
    cr_expect_eq(pilot_view(flight->pilot)->garbage.waiting, 0);
    pilot_free(flight->pilot);
    flight->pilot = pilot_new(&race, &status);
    cr_assert(flight->pilot, "%s", status.message);
    pilot_step(flight->pilot, &flight->live);
    const AgentGarbage *garbage = &pilot_view(flight->pilot)->garbage;
    cr_expect(garbage->waiting == 3 && garbage->due == 3 && garbage->blocking);
    waiting = 0;
    fly(flight, 3);
    cr_expect_eq(pilot_view(flight->pilot)->garbage.waiting, 0);
    set_down(flight, true);
}

Test(pilot, follows_a_plan_of_whole_games) {
    Flight *flight = take_off("bees", RULES_GUIDELINE, 0, 30000);
    Status status = {0};
    cr_assert(pilot_needs_plan(flight->pilot));
    cr_assert(pilot_plan(flight->pilot, &flight->live.game, 40, NULL, &status), "%s",
              status.message);
    cr_assert_not(pilot_needs_plan(flight->pilot));
    /* The same colony plays the same game without a clock. */
    const Agent *agent = agent_find("bees");
    Move moves[40];
    AgentRecord record = {.moves = moves, .capacity = 40};
    AgentLimits limits = {.pieces = 40, .lines = INT64_MAX, .deadline_ns = UINT64_MAX};
    Game game = flight->live.game;
    Rng rng;
    rng_init(&rng, 5, 1);
    void *player = setup_player(&flight->setup, &status);
    cr_assert(player && agent->play(player, &game, &limits, &rng, &record, &status));
    agent->free_player(player);
    fly(flight, 40);
    cr_assert_gt(record.count, 20);
    cr_assert_eq(flight->live.game.pieces, record.count);
    cr_assert(board_equal(&game.board, &flight->live.game.board));
    set_down(flight, true);
}

/* The plan is shown to its end and no further, also where gravity leaves no time for its keys. */
Test(pilot, follows_a_plan_to_its_end_under_any_gravity) {
    static const int64_t lines[] = {0, 90, 190};
    for (int i = 0; i < 3; i++) {
        Flight *flight = take_off("bees?bees=60", RULES_GUIDELINE, lines[i], 100000);
        Status status = {0};
        Game start = flight->live.game;
        cr_assert(pilot_plan(flight->pilot, &start, 150, NULL, &status), "%s", status.message);
        Move moves[150];
        AgentRecord record = {.moves = moves, .capacity = 150};
        AgentLimits limits = {.pieces = 150, .lines = INT64_MAX, .deadline_ns = UINT64_MAX};
        Game game = start;
        Rng rng;
        rng_init(&rng, 5, 1);
        void *player = setup_player(&flight->setup, &status);
        cr_assert(flight->setup.agent->play(player, &game, &limits, &rng, &record, &status));
        flight->setup.agent->free_player(player);
        cr_assert_neq(game.over, OVER_NOT); /* a small colony tops out */
        fly(flight, INT64_MAX);
        cr_assert_eq(flight->live.game.pieces, game.pieces, "from %d lines", (int)lines[i]);
        cr_assert_eq(flight->live.game.over, game.over);
        cr_assert(board_equal(&game.board, &flight->live.game.board));
        set_down(flight, lines[i] == 0);
    }
}

Test(thoughts, the_best_is_what_weighted_plays) {
    Flight *flight = take_off("weighted", RULES_GUIDELINE, 0, 50000);
    Thoughts thoughts;
    for (int i = 0; i < 30; i++) {
        int64_t pieces = flight->live.game.pieces;
        pilot_step(flight->pilot, &flight->live); /* decides */
        thoughts_of(pilot_view(flight->pilot), pilot_evaluator(flight->pilot), &thoughts);
        cr_assert_gt(thoughts.count, 0);
        for (int k = 1; k < thoughts.count; k++)
            cr_assert_leq(thoughts.best[k].value, thoughts.best[k - 1].value);
        PilotGoal goal = pilot_goal(flight->pilot);
        cr_assert(
            placement_same_cells(goal.decision.placement, thoughts.best[0].decision.placement));
        while (flight->live.game.pieces == pieces)
            pilot_step(flight->pilot, &flight->live);
    }
    set_down(flight, true);
}

Test(live, drops_give_points_only_where_they_are_counted) {
    static Live live;
    begin(&live, "OOOO", "");
    cr_assert(live_press(&live, KEY_SOFT_DROP));
    cr_assert(live_press(&live, KEY_HARD_DROP));
    cr_assert_eq(live_score(&live), 0);
    begin(&live, "OOOOO", "");
    live.counts_drops = true;
    cr_assert(live_press(&live, KEY_SOFT_DROP)); /* from row 19 to 18 */
    cr_assert_eq(live_score(&live), 1);
    live_advance(&live, SECOND); /* gravity */
    cr_assert_eq(live_score(&live), 1);
    cr_assert(live_press(&live, KEY_HARD_DROP)); /* 17 rows */
    cr_assert_eq(live_score(&live), 1 + 2 * 17);
    live_press(&live, KEY_SOFT_DROP);
    live_advance(&live, LIVE_SOFT_HELD_US / 2);
    live_press(&live, KEY_SOFT_DROP); /* held now: 20 rows per second */
    int64_t before = live_score(&live);
    live_advance(&live, LIVE_SOFT_HELD_US - 1);
    cr_assert_eq(live_score(&live), before + 2);
    cr_assert_eq(live.game.score, 0);
}

Test(live, names_chains_of_clears) {
    static Live live;
    begin(&live, "IIIOO",
          "GGGGGGGGG.\nGGGGGGGGG.\nGGGGGGGGG.\nGGGGGGGGG.\nGGGGGGGGG.\n"
          "GGGGGGGGG.\nGGGGGGGGG.\nGGGGGGGGG.\n.GGGGGGGGG\n");
    for (int i = 0; i < 2; i++) {
        live_press(&live, KEY_CLOCKWISE);
        for (int k = 0; k < 9; k++)
            live_press(&live, KEY_RIGHT);
        live_press(&live, KEY_HARD_DROP);
        cr_assert_eq(live.last.lines, 4);
        cr_assert_eq(live.last.combo, i);
        cr_assert_eq(live.last.chained, i == 1);
    }
}
