/*
 * menu: lists of entries, each a command line of this program.
 *
 * Games and trained weights go to new numbered files in the user's data directory. Other entries
 * show one of these games, or watch the agent with the last of these weights.
 */
#include "cli/menu.h"

#include "engine/piece.h"
#include "io/data_files.h"
#include "system/stop.h"
#include "term/field_view.h"
#include "term/terminal.h"
#include "train/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    ARGUMENTS_MAX = 24,
    ENTRIES_MAX = 11,
    LISTED_GAMES = 9,
    LEFT = 4,
    TOP = 5,
    TEXT_BYTES = 80,
    FILES_MAX = 9999
};

typedef enum EntryKind {
    ENTRY_RUNS,   /* a command; the menu ends with it */
    ENTRY_GAME,   /* a command that the menu follows */
    ENTRY_PLAY,   /* the same, and the game is kept for ENTRY_REPLAY */
    ENTRY_REPLAY, /* asks for a game that was played; only where there is one */
    ENTRY_TRAIN,  /* asks for a method first; the menu follows */
    ENTRY_TRAINED /* watches the agent trained last; only where there is one */
} EntryKind;

typedef struct Entry {
    EntryKind kind;
    const char *command, *text;
    const char *arguments[ARGUMENTS_MAX];
} Entry;

/* Entries of commands that this program does not have are left out. */
static const Entry entries[] = {
    {ENTRY_PLAY, "play", "play", {NULL}},
    {ENTRY_PLAY, "play", "play a sprint of 40 lines", {"--lines", "40"}},
    {ENTRY_PLAY, "play", "race against an agent", {"--against", "lookahead"}},
    {ENTRY_GAME, "watch", "watch an agent", {NULL}},
    {ENTRY_GAME, "watch", "watch one that looks ahead", {"--agent", "beam", "--preview", "5"}},
    /* Five seconds or more on two processors: long enough to see the boards get better. */
    {ENTRY_TRAIN,
     "train",
     "train an agent",
     {"--agent", "weighted", "--scoring", "classic", "--pin", "tetris=100", "--games", "10",
      "--max-pieces", "5000", "--generations", "50", "--watch"}},
    {ENTRY_TRAINED, "watch", "watch the agent just trained", {"--agent", "weighted"}},
    {ENTRY_RUNS, "solve", "solve twenty pieces", {"--n", "20", "--time", "5", "--watch"}},
    {ENTRY_REPLAY, "replay", "replay a game", {NULL}},
    {ENTRY_RUNS, "serve", "open the web UI", {"--port", "0"}},
};

/* A list on the screen. */
typedef struct Menu {
    Screen screen;
    const char *title, *leave; /* what q does */
    const char *note;          /* a line below the list; may be NULL */
    char texts[ENTRIES_MAX][TEXT_BYTES];
    int count, selected;
} Menu;

static void add_text(Menu *menu, const char *text) {
    snprintf(menu->texts[menu->count++], TEXT_BYTES, "%s", text);
}

static void draw(Menu *menu) {
    Screen *screen = &menu->screen;
    screen_clear(screen);
    bool heading = screen->rows > TOP + menu->count + 5; /* where there is room */
    for (int i = 0; heading && i < PIECE_COUNT; i++)
        field_view_piece((Piece)i, false, 1, LEFT + 10 * i, screen);
    int top = heading ? TOP : 0;
    screen_put(screen, top, LEFT, STYLE_BOLD, menu->title);
    for (int i = 0; i < menu->count; i++)
        screen_format(screen, top + 2 + i, LEFT, i == menu->selected ? STYLE_SELECTED : STYLE_PLAIN,
                      " %*d  %-28s ", menu->count > 9 ? 2 : 1, i + 1, menu->texts[i]);
    if (menu->note)
        screen_put(screen, top + 3 + menu->count, LEFT, STYLE_PLAIN, menu->note);
    screen_format(screen, screen->rows - 1, 0, STYLE_DIM,
                  " up/down choose  enter start  q %s    (tetropt help: everything else)",
                  menu->leave);
    terminal_show(screen);
}

/* The number of the chosen line, or -1: leave. */
static int choose_line(Menu *menu, bool *stopped) {
    for (;;) {
        draw(menu);
        int key = terminal_key(&menu->screen, -1);
        *stopped = key == TERMINAL_STOPPED;
        if (key == TERMINAL_STOPPED || key == 'q' || key == TERMINAL_ESCAPE)
            return -1;
        if (key == TERMINAL_ENTER || key == TERMINAL_SPACE)
            return menu->selected;
        if (key >= '1' && key < '1' + menu->count)
            return key - '1';
        if (key == TERMINAL_DOWN || key == 's')
            menu->selected = (menu->selected + 1) % menu->count;
        if (key == TERMINAL_UP || key == 'w')
            menu->selected = (menu->selected + menu->count - 1) % menu->count;
    }
}

/* Shows a list; *chosen is -1 when it was left, and *stopped says that a signal asked for it. False
 * with `status` where it cannot be shown. */
static bool choose(Menu *menu, int *chosen, bool *stopped, Status *status) {
    CliCommon common = {.color = COLOR_AUTO};
    TerminalOptions options = {cli_use_color(&common, STDOUT_FILENO), false};
    if (!terminal_open("menu", options, &menu->screen, status))
        return false;
    *chosen = choose_line(menu, stopped);
    terminal_close();
    screen_release(&menu->screen);
    return true;
}

/* ---- numbered files: trained weights and played games */

/* STEM-NUMBER.json and `suffix`; to be freed. Without a data directory it is in the present one. */
static char *numbered_file(const char *stem, int number, const char *suffix) {
    char name[48];
    snprintf(name, sizeof name, "%s-%d.json%s", stem, number, suffix);
    char *path = data_file(name);
    return path ? path : strdup(name);
}

static bool has_file(const char *stem, int number, const char *suffix) {
    char *path = numbered_file(stem, number, suffix);
    bool exists = path && access(path, F_OK) == 0;
    free(path);
    return exists;
}

/* The number of the last file, 0 for none, and the first that is free. A training that was killed
 * has a state only. */
static int last_file(const char *stem, int *free_number) {
    int last = 0, number = 1;
    for (; number < FILES_MAX && (has_file(stem, number, "") || has_file(stem, number, ".state"));
         number++)
        if (has_file(stem, number, ""))
            last = number;
    if (free_number)
        *free_number = number;
    return last;
}

/* ---- running entries */

static StatusCode run_entry(const Entry *entry, const char *const more[][2], MenuRun *run,
                            Status *status) {
    char *arguments[ARGUMENTS_MAX];
    int count = 0;
    for (; entry->arguments[count]; count++)
        arguments[count] = (char *)(size_t)entry->arguments[count];
    for (int i = 0; more && more[i][0]; i++)
        for (int k = 0; k < 2 && more[i][k]; k++)
            arguments[count++] = (char *)(size_t)more[i][k];
    return run(cli_find_command(entry->command), count, arguments, status);
}

/* Runs an entry with a numbered file, and `option` (may be NULL) in front of it. */
static StatusCode run_with_file(const Entry *entry, const char *option, const char *stem,
                                int number, const char *method, MenuRun *run, Status *status) {
    char *path = numbered_file(stem, number, "");
    if (!path) {
        status_no_memory(status);
        return status->code;
    }
    const char *const more[][2] = {{option ? option : path, option ? path : NULL},
                                   {method ? "--method" : NULL, method},
                                   {NULL}};
    StatusCode code = STATUS_SYSTEM;
    if (data_file_directories(path, status))
        code = run_entry(entry, more, run, status);
    free(path);
    return code;
}

/* Asks for a method and trains; *trained says that there are new weights. False with `status` where
 * the list cannot be shown. */
static bool train(const Entry *entry, MenuRun *run, StatusCode *code, bool *trained,
                  Status *status) {
    Menu menu = {.title = "train an agent: choose a method", .leave = "back"};
    for (int i = 0; i < train_count() && menu.count < ENTRIES_MAX; i++) {
        char text[TEXT_BYTES];
        snprintf(text, sizeof text, "%-14s %s", train_at(i)->name, train_at(i)->summary);
        add_text(&menu, text);
    }
    int chosen;
    bool stopped;
    *trained = false;
    if (!choose(&menu, &chosen, &stopped, status))
        return false;
    *code = stopped ? STATUS_INTERRUPTED : STATUS_OK;
    if (chosen < 0)
        return true;
    int number;
    last_file("trained", &number);
    *code = run_with_file(entry, "--out", "trained", number, train_at(chosen)->name, run, status);
    *trained = last_file("trained", NULL) == number;
    /* Stopped by q or Ctrl-C: the weights so far were saved, and the menu continues. */
    if (*code == STATUS_INTERRUPTED && *trained) {
        stop_clear();
        *status = (Status){.code = STATUS_OK};
        *code = STATUS_OK;
    }
    return true;
}

/* Plays a game and keeps it for ENTRY_REPLAY. */
static StatusCode play(const Entry *entry, MenuRun *run, Status *status) {
    int number;
    last_file("game", &number);
    return run_with_file(entry, "--save", "game", number, NULL, run, status);
}

/* Asks for one of the last games, newest first, and shows it. False with `status` where the list
 * cannot be shown. */
static bool replay(const Entry *entry, MenuRun *run, StatusCode *code, Status *status) {
    Menu menu = {.title = "choose a game, the newest first", .leave = "back"};
    int last = last_file("game", NULL);
    for (int number = last; number > 0 && menu.count < LISTED_GAMES; number--) {
        char *path = numbered_file("game", number, "");
        struct stat info;
        struct tm day;
        char text[TEXT_BYTES], date[24] = "";
        if (path && stat(path, &info) == 0 && localtime_r(&info.st_mtime, &day))
            strftime(date, sizeof date, "%Y-%m-%d %H:%M", &day);
        snprintf(text, sizeof text, "game %-5d %s", number, date);
        add_text(&menu, text);
        free(path);
    }
    int chosen;
    bool stopped;
    if (!choose(&menu, &chosen, &stopped, status))
        return false;
    *code = stopped ? STATUS_INTERRUPTED : STATUS_OK;
    if (chosen >= 0)
        *code = run_with_file(entry, NULL, "game", last - chosen, NULL, run, status);
    return true;
}

/* ---- the menu */

/* Lists the entries there are; returns the place of the one that watches trained weights, or -1. */
static int list_entries(Menu *menu, const Entry **shown, int trained) {
    int place = -1;
    menu->count = 0;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (!cli_find_command(entries[i].command) ||
            (entries[i].kind == ENTRY_TRAINED && trained == 0) ||
            (entries[i].kind == ENTRY_REPLAY && last_file("game", NULL) == 0))
            continue;
        if (entries[i].kind == ENTRY_TRAINED)
            place = menu->count;
        shown[menu->count] = &entries[i];
        add_text(menu, entries[i].text);
    }
    return place;
}

bool menu_run(MenuRun *run, StatusCode *code, Status *status) {
    Menu menu = {.title = "tetropt " TETROPT_VERSION, .leave = "quit"};
    char note[256] = "";
    bool new_weights = false;
    for (;;) {
        const Entry *shown[ENTRIES_MAX];
        int trained = last_file("trained", NULL), place = list_entries(&menu, shown, trained),
            chosen;
        if (new_weights) {
            char *path = numbered_file("trained", trained, "");
            snprintf(note, sizeof note, "weights saved: %s", path ? path : "");
            free(path);
            menu.note = note;
            menu.selected = place;
        }
        bool stopped;
        if (!choose(&menu, &chosen, &stopped, status))
            return false;
        *code = stopped ? STATUS_INTERRUPTED : STATUS_OK;
        if (chosen < 0)
            return true;
        const Entry *entry = shown[menu.selected = chosen];
        menu.note = NULL;
        new_weights = false;
        if (entry->kind == ENTRY_TRAIN) {
            if (!train(entry, run, code, &new_weights, status))
                return false;
        } else if (entry->kind == ENTRY_REPLAY) {
            if (!replay(entry, run, code, status))
                return false;
        } else if (entry->kind == ENTRY_PLAY)
            *code = play(entry, run, status);
        else if (entry->kind == ENTRY_TRAINED)
            *code = run_with_file(entry, "--weights", "trained", trained, NULL, run, status);
        else
            *code = run_entry(entry, NULL, run, status);
        if (entry->kind == ENTRY_RUNS || *code != STATUS_OK)
            return true;
    }
}
