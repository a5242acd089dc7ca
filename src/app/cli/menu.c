/* menu: a list of entries, each a command line of this program. */
#include "cli/menu.h"

#include "engine/piece.h"
#include "term/field_view.h"
#include "term/terminal.h"

#include <unistd.h>

enum { ARGUMENTS_MAX = 5, ENTRIES_MAX = 10, LEFT = 4, TOP = 5 };

typedef struct Entry {
    const char *command;
    const char *arguments[ARGUMENTS_MAX];
    const char *text;
    bool comes_back; /* a game: the menu follows it */
} Entry;

/* Entries of commands that this program does not have are left out. */
static const Entry entries[] = {
    {"play", {NULL}, "play", true},
    {"play", {"--lines", "40"}, "play a sprint of 40 lines", true},
    {"watch", {NULL}, "watch an agent", true},
    {"watch", {"--agent", "beam", "--preview", "5"}, "watch one that looks ahead", true},
    {"train", {"--generations", "10"}, "train an agent", false},
    {"solve", {"--n", "20", "--time", "5", "--watch"}, "solve twenty pieces", false},
};

typedef struct Menu {
    Screen screen;
    const Entry *shown[ENTRIES_MAX];
    int count, selected;
} Menu;

static void draw(Menu *menu) {
    Screen *screen = &menu->screen;
    screen_clear(screen);
    if (screen->rows > TOP + menu->count + 3) /* a heading where there is room */
        for (int i = 0; i < PIECE_COUNT; i++)
            field_view_piece((Piece)i, false, 1, LEFT + 10 * i, screen);
    int top = screen->rows > TOP + menu->count + 3 ? TOP : 0;
    screen_put(screen, top, LEFT, STYLE_BOLD, "tetropt " TETROPT_VERSION);
    for (int i = 0; i < menu->count; i++)
        screen_format(screen, top + 2 + i, LEFT, i == menu->selected ? STYLE_SELECTED : STYLE_PLAIN,
                      " %d  %-28s ", i + 1, menu->shown[i]->text);
    screen_put(screen, screen->rows - 1, 0, STYLE_DIM,
               " up/down choose  enter start  q quit    (tetropt help: everything else)");
    terminal_show(screen);
}

/* The entry that was chosen, or -1: leave. */
static int choose(Menu *menu, bool *stopped) {
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

static StatusCode run_entry(const Entry *entry, MenuRun *run, Status *status) {
    char *arguments[ARGUMENTS_MAX];
    int count = 0;
    while (count < ARGUMENTS_MAX && entry->arguments[count]) {
        arguments[count] = (char *)(size_t)entry->arguments[count];
        count++;
    }
    return run(cli_find_command(entry->command), count, arguments, status);
}

bool menu_run(MenuRun *run, StatusCode *code, Status *status) {
    Menu menu = {.count = 0};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (cli_find_command(entries[i].command))
            menu.shown[menu.count++] = &entries[i];
    CliCommon common = {.color = COLOR_AUTO};
    TerminalOptions options = {cli_use_color(&common, STDOUT_FILENO), false};
    bool again = true;
    while (again) {
        bool stopped;
        if (!terminal_open("menu", options, &menu.screen, status))
            return false;
        int chosen = choose(&menu, &stopped);
        terminal_close();
        screen_release(&menu.screen);
        *code = stopped ? STATUS_INTERRUPTED : STATUS_OK;
        if (chosen < 0)
            return true;
        menu.selected = chosen;
        *code = run_entry(menu.shown[chosen], run, status);
        again = menu.shown[chosen]->comes_back && *code == STATUS_OK;
    }
    return true;
}
