/* play_view: screens as text; the screen; high scores. */
#include <signal.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/board_text.h"
#include "io/scores.h"
#include "term/field_view.h"
#include "term/play_view.h"

static Screen *blank(int rows, int columns, bool unicode) {
    static Screen screen;
    Status status = {0};
    screen_release(&screen);
    screen_init(&screen, unicode, false);
    cr_assert(screen_resize(&screen, rows, columns, &status));
    return &screen;
}

static void expect(const Screen *screen, const char *wanted) {
    Text text;
    text_init(&text);
    screen_text(screen, &text);
    cr_assert_str_eq(text.data, wanted, "got\n%s", text.data);
    text_release(&text);
}

static bool shows(const Screen *screen, const char *fragment) {
    Text text;
    text_init(&text);
    screen_text(screen, &text);
    bool found = strstr(text.data, fragment) != NULL;
    text_release(&text);
    return found;
}

Test(screen, cuts_what_is_outside_and_tames_what_it_is_given) {
    Screen *screen = blank(2, 6, false);
    screen_put(screen, 0, 3, STYLE_PLAIN, "abcdef");
    screen_put(screen, 1, -2, STYLE_PLAIN, "xyz");
    screen_put(screen, 5, 0, STYLE_PLAIN, "nowhere");
    screen_put(screen, 1, 2, STYLE_PLAIN, "\x1b\xc2\xb7\xff");
    expect(screen, "   abc\nz ???\n");
    screen = blank(1, 6, true);
    screen_put(screen, 0, 0, STYLE_PLAIN, "a\xc2\xb7\xe2\x96\x88\xc2\x9b\xe2");
    expect(screen, "a\xc2\xb7\xe2\x96\x88??\n");
    screen = blank(1, 6, true);
    screen_put(screen, 0, 0, STYLE_PLAIN, "\xf0\x9f\x98\x80!\xc0\xaf");
    expect(screen, "\xf0\x9f\x98\x80!??\n");
}

/* A small live game on a board. */
static void begin(Live *live, int width, int height, const char *rows) {
    static uint8_t pieces[] = {PIECE_T, PIECE_I, PIECE_O, PIECE_S};
    LiveSetup setup = {.rules = {.hold = true,
                                 .scoring = SCORING_GUIDELINE,
                                 .width = (uint8_t)width,
                                 .height = (uint8_t)height},
                       .max_pieces = INT64_MAX,
                       .max_lines = INT64_MAX};
    randomizer_init_list(&setup.randomizer, pieces, 4);
    Grid grid;
    Status status = {0};
    grid_init(&grid, width, height);
    cr_assert(board_text_read(&grid, rows, strlen(rows), &status), "%s", status.message);
    setup.start = &grid;
    live_init(live, &setup);
}

Test(play_view, a_whole_screen) {
    static Live live;
    begin(&live, 6, 6, "ZZ....\n.ZZ...\n");
    live_press(&live, KEY_HOLD);
    PlayView view = {
        .live = &live, .mode = "marathon", .hints = " q quit", .next_count = 2, .notes = {NULL}};
    Screen *screen = blank(14, 46, false);
    cr_assert(play_view_draw(&view, screen));
    expect(screen, " marathon                         next\n"
                   "                                  [][]\n"
                   "                                  [][]\n"
                   " hold\n"
                   "     ::           | .[][][][] .|    [][]\n"
                   "   ::::::         | . . . . . .|  [][]\n"
                   "                  | . . . . . .|\n"
                   " score         0  | .:::::::: .|\n"
                   " level         1  |[][] . . . .|\n"
                   " lines         0  | .[][] . . .|\n"
                   " pieces        0  +------------+\n"
                   " time     0:00.0\n"
                   " PPS        0.00\n"
                   " q quit\n");
}

Test(play_view, a_box_over_the_field) {
    static Live live;
    begin(&live, 10, 20, "");
    PlayView view = {.live = &live, .mode = "x", .box = {"paused", "continue"}};
    Screen *screen = blank(24, 80, false);
    cr_assert(play_view_draw(&view, screen));
    cr_assert(shows(screen, " paused "));
    cr_assert(shows(screen, " continue "));
}

Test(play_view, small_and_odd_sizes) {
    static Live live;
    static const int sizes[][2] = {{1, 1}, {5, 20}, {12, 41}, {24, 80}, {24, 30}, {200, 500}};
    for (int width = 4; width <= 16; width += 4)
        for (int height = 4; height <= 40; height += 9)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                begin(&live, width, height, "");
                PlayView view = {.live = &live, .mode = "a mode with a long name", .next_count = 5};
                Screen *screen = blank(sizes[i][0], sizes[i][1], true);
                bool drawn = play_view_draw(&view, screen);
                if (sizes[i][0] >= 24 && sizes[i][1] >= 80)
                    cr_assert(drawn, "%dx%d", width, height);
                else if (!drawn && sizes[i][1] >= 20)
                    cr_assert(shows(screen, "too small"));
            }
}

Test(play_view, a_tall_board_follows_the_piece) {
    static Live live;
    begin(&live, 10, 40, "");
    PlayView view = {.live = &live, .mode = "tall"};
    Screen *screen = blank(24, 80, false);
    play_view_draw(&view, screen);
    cr_assert(shows(screen, "[][][]"));
    cr_assert(shows(screen, "rows below"));
    while (live_press(&live, KEY_SOFT_DROP))
        ;
    play_view_draw(&view, screen);
    cr_assert(shows(screen, "[][][]"));
    cr_assert(shows(screen, "+--------------------+"));
}

Test(play_view, thoughts_name_what_is_played) {
    static Live live;
    begin(&live, 10, 20, "");
    Evaluator evaluator;
    evaluator_from_preset(&evaluator, "dt20");
    Thoughts thoughts = {.kind = evaluator.kind, .count = 1, .placements = 17};
    thoughts.best[0] = (Thought){.decision.placement = {PIECE_T, NORTH, 4, 0, 0}, .value = 1.5};
    PlayView view = {.live = &live,
                     .mode = "dt20",
                     .thoughts = &thoughts,
                     .evaluator = &evaluator,
                     .weights = "dt20",
                     .goal = {true, thoughts.best[0].decision, 3, false},
                     .goal_thought = thoughts.best[0]};
    Screen *screen = blank(24, 80, false);
    play_view_draw(&view, screen);
    cr_assert(shows(screen, "best of 17 placements"));
    cr_assert(shows(screen, ">     1.50  T north x=4"));
    cr_assert(shows(screen, "landing_heig"));
    screen = blank(24, 100, false);
    play_view_draw(&view, screen);
    cr_assert(shows(screen, "landing_height"));
}

Test(field_view, boards_side_by_side) {
    Grid grid;
    Status status = {0};
    grid_init(&grid, 4, 8);
    cr_assert(board_text_read(&grid, "T...\nTT..\n", 10, &status));
    FieldCaption boards[] = {{&grid, {"one"}}, {&grid, {"two", "more"}}, {&grid, {"three"}}};
    Screen *screen = blank(13, 26, false);
    cr_assert_eq(field_view_boards(boards, 2, 1, screen), 2);
    expect(screen, "\n"
                   "| . . . .|  | . . . .|\n"
                   "| . . . .|  | . . . .|\n"
                   "| . . . .|  | . . . .|\n"
                   "| . . . .|  | . . . .|\n"
                   "| . . . .|  | . . . .|\n"
                   "| . . . .|  | . . . .|\n"
                   "|[] . . .|  |[] . . .|\n"
                   "|[][] . .|  |[][] . .|\n"
                   "+--------+  +--------+\n"
                   " one         two\n"
                   "             more\n"
                   "\n");
    screen = blank(13, 26, false);
    cr_assert_eq(field_view_boards(boards, 3, 1, screen), 3); /* in narrow cells */
    cr_assert(shows(screen, "|[[..|  |[[..|  |[[..|"));
    screen = blank(3, 26, false);
    cr_assert_eq(field_view_boards(boards, 3, 1, screen), 0);
}

/* ---- high scores */

static char folder[64];

static void make_folder(void) {
    snprintf(folder, sizeof folder, "/tmp/tetropt-scores-XXXXXX");
    cr_assert(mkdtemp(folder));
}

static void remove_folder(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(scores, .init = make_folder, .fini = remove_folder);

static ScoreEntry entry(int64_t score, int64_t time_ms) {
    return (ScoreEntry){.score = score, .lines = 1, .pieces = 2, .time_ms = time_ms, .date = "d"};
}

Test(scores, the_best_ten_in_order) {
    setenv("XDG_DATA_HOME", folder, 1);
    char *path = scores_path();
    Scores scores;
    Status status = {0};
    int rank;
    cr_assert(scores_read(path, "a", &scores, &status));
    cr_assert_eq(scores.count, 0);
    for (int64_t i = 0; i < 12; i++) {
        ScoreEntry one = entry(100 * (i % 6), i);
        cr_assert(scores_enter(path, "a", &one, false, &scores, &rank, &status), "%s",
                  status.message);
    }
    cr_assert_eq(rank, 1); /* 500 again: behind the first */
    ScoreEntry low = entry(50, 1);
    cr_assert(scores_enter(path, "a", &low, false, &scores, &rank, &status));
    cr_assert_eq(rank, -1);
    cr_assert(scores_read(path, "a", &scores, &status));
    cr_assert_eq(scores.count, SCORES_MAX);
    cr_assert_eq(scores.entries[0].score, 500);
    cr_assert_eq(scores.entries[1].time_ms, 11);
    cr_assert_eq(scores.entries[9].score, 100);
    /* Another table, by time. */
    ScoreEntry slow = entry(1, 900), fast = entry(1, 800);
    cr_assert(scores_enter(path, "b", &slow, true, &scores, &rank, &status));
    cr_assert(scores_enter(path, "b", &fast, true, &scores, &rank, &status));
    cr_assert_eq(rank, 0);
    cr_assert(scores_read(path, "a", &scores, &status));
    cr_assert_eq(scores.count, SCORES_MAX);
    free(path);
}

Test(scores, what_cannot_be_written_is_said) {
    char path[128], nested[192];
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(nested, sizeof nested, "%s/scores.json", path);
    FILE *file = fopen(path, "w");
    fclose(file);
    Scores scores;
    Status status = {0};
    int rank;
    ScoreEntry one = entry(1, 1);
    cr_assert_not(scores_enter(nested, "a", &one, false, &scores, &rank, &status));
    cr_assert(strstr(status.message, "file"));
    cr_assert_eq(rank, -1);
}

/* A file with an odd mode keeps it, a link stays a link, and what is not a file is left alone. */
Test(scores, odd_files, .timeout = 20) {
    Status status = {0};
    Scores scores;
    ScoreEntry one = entry(100, 1);
    char path[128], target[128];
    struct stat info;
    int rank;
    snprintf(path, sizeof path, "%s/scores.json", folder);
    snprintf(target, sizeof target, "%s/elsewhere.json", folder);
    cr_assert(scores_enter(path, "a", &one, false, &scores, &rank, &status), "%s", status.message);
    cr_assert_eq(chmod(path, 0640), 0);
    cr_assert(scores_enter(path, "a", &one, false, &scores, &rank, &status));
    cr_assert(stat(path, &info) == 0 && (info.st_mode & 0777) == 0640);
    cr_assert(rename(path, target) == 0 && symlink("elsewhere.json", path) == 0);
    cr_assert(scores_enter(path, "a", &one, false, &scores, &rank, &status));
    cr_assert(lstat(path, &info) == 0 && S_ISLNK(info.st_mode));
    cr_assert(scores_read(target, "a", &scores, &status));
    cr_assert_eq(scores.count, 3);
    cr_assert(unlink(path) == 0 && mkdir(path, 0700) == 0);
    cr_assert(!scores_enter(path, "a", &one, false, &scores, &rank, &status));
    cr_assert(strstr(status.message, "scores.json"), "%s", status.message);
    cr_assert(stat(path, &info) == 0 && S_ISDIR(info.st_mode));
    cr_assert(rmdir(path) == 0 && mkfifo(path, 0600) == 0);
    status = (Status){0};
    cr_assert(!scores_enter(path, "a", &one, false, &scores, &rank, &status));
    cr_assert(stat(path, &info) == 0 && S_ISFIFO(info.st_mode));
}
