/*
 * terminal: ncurses for output and keys, and handlers that give the terminal back whatever happens.
 *
 * A signal handler sets a flag and writes a byte to a pipe that terminal_key polls beside standard
 * input. The closing sequence is recorded when the terminal is opened, because a crash handler can
 * look nothing up.
 */
#include "term/terminal.h"

#ifndef TETROPT_NCURSES

bool terminal_available(void) {
    return false;
}

bool terminal_open(const char *who, TerminalOptions options, Screen *screen, Status *status) {
    (void)options, (void)screen;
    return status_fail(status, STATUS_INPUT, "%s: this tetropt was built without ncurses", who);
}

void terminal_close(void) {}

void terminal_show(const Screen *screen) {
    (void)screen;
}

int terminal_key(Screen *screen, int milliseconds) {
    (void)screen, (void)milliseconds;
    return TERMINAL_STOPPED;
}

#else

#include "base/clock.h"
#include "draw/palette.h"
#include "system/stop.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* How the terminal shows a style. */
typedef struct Look {
    attr_t attributes;
    short pair;
} Look;

enum {
    CLOSING_BYTES = 256,
    ESCAPE_MS = 25, /* the longest time between the bytes of an escape sequence */
    LEAST_COLORS = 8,
    MANY_COLORS = 256,
    EMPTY_MAX = 1000, /* after as many wake-ups without readable input, it has ended */
    POLL_FAILED = 50  /* a failed wait counts as this many of them */
};

static struct {
    SCREEN *curses;
    bool open;
    bool color;
    Look looks[STYLE_COUNT];
    struct termios before; /* its settings before terminal_open */
    char closing[CLOSING_BYTES];
    size_t closing_length;
} terminal;

static volatile sig_atomic_t signalled, resized, suspended;

/* Handlers write a byte into it. So a signal that comes after its flag was read and before the wait
 * for a key ends that wait, whichever thread it comes to. */
static int wake_pipe[2] = {-1, -1};

/* ---- signals */

static void wake(void) {
    int before = errno;
    if (write(wake_pipe[1], "", 1) < 0)
        errno = before; /* full: the wait ends anyhow */
}

static void drain_wake(void) {
    char bytes[64];
    while (read(wake_pipe[0], bytes, sizeof bytes) > 0)
        continue;
}

/* After the handlers are gone. */
static void close_wake(void) {
    for (int i = 0; i < 2; i++) {
        if (wake_pipe[i] >= 0)
            close(wake_pipe[i]);
        wake_pipe[i] = -1;
    }
}

static bool open_wake(Status *status) {
    if (pipe(wake_pipe) != 0)
        return status_fail(status, STATUS_SYSTEM, "the terminal: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(wake_pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(wake_pipe[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

/* Gives the terminal back, with async-signal-safe calls only. */
static void restore_now(void) {
    const char *bytes = terminal.closing;
    size_t left = terminal.closing_length;
    while (left > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, left);
        if (written <= 0)
            break;
        bytes += written;
        left -= (size_t)written;
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal.before);
}

static void die_of(int number) {
    restore_now();
    signal(number, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
}

static void on_ending(int number);
static void on_suspend(int number);
static void on_resize(int number);

/* The signals that are handled while the terminal is open. SIGINT is the first. */
static struct {
    int number;
    void (*handler)(int);
    struct sigaction before;
} signals[] = {
    {.number = SIGINT, .handler = on_ending},   {.number = SIGTERM, .handler = on_ending},
    {.number = SIGHUP, .handler = on_ending},   {.number = SIGQUIT, .handler = on_ending},
    {.number = SIGSEGV, .handler = die_of},     {.number = SIGBUS, .handler = die_of},
    {.number = SIGFPE, .handler = die_of},      {.number = SIGILL, .handler = die_of},
    {.number = SIGABRT, .handler = die_of},     {.number = SIGTSTP, .handler = on_suspend},
    {.number = SIGWINCH, .handler = on_resize},
};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* Whoever waits for Ctrl-C (system/stop) is told of every one of them. */
static void on_ending(int number) {
    if (signalled)
        die_of(number);
    signalled = 1;
    void (*before)(int) = signals[0].before.sa_handler;
    if (before != SIG_DFL && before != SIG_IGN)
        before(SIGINT);
    wake();
}

static void on_suspend(int number) {
    (void)number;
    suspended = 1;
    wake();
}

static void on_resize(int number) {
    (void)number;
    resized = 1;
    wake();
}

static void handle(int number, void (*handler)(int), struct sigaction *before) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, before);
}

/* ncurses has installed handlers of its own by now; `before` are those of the time before it. An
 * ignored signal stays ignored, as under nohup. */
static void install_handlers(void) {
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].handler != on_ending || signals[i].before.sa_handler != SIG_IGN)
            handle(signals[i].number, signals[i].handler, NULL);
}

static void remember_handlers(void) {
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i].number, NULL, &signals[i].before);
}

static void restore_handlers(void) {
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i].number, &signals[i].before, NULL);
}

/* Stops as the shell expects it, with its terminal back, until it is continued. */
static void suspend(void) {
    suspended = 0;
    endwin();
    struct sigaction ours;
    handle(SIGTSTP, SIG_DFL, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
    resized = 1; /* the window may have another size, and must be drawn again */
}

/* ---- looks */

static void set_look(Style style, attr_t attributes, short foreground, short background) {
    short pair = (short)(style + 1);
    bool ok = terminal.color && init_pair(pair, foreground, background) != ERR;
    terminal.looks[style] = (Look){attributes, ok ? pair : 0};
}

static void set_looks(void) {
    for (int i = 0; i < STYLE_COUNT; i++)
        terminal.looks[i] = (Look){A_NORMAL, 0};
    bool many = terminal.color && COLORS >= MANY_COLORS;
    terminal.looks[STYLE_BOLD].attributes = A_BOLD;
    terminal.looks[STYLE_SELECTED].attributes = A_REVERSE;
    terminal.looks[STYLE_WARNING].attributes = A_BOLD;
    terminal.looks[STYLE_FLASH].attributes = A_BOLD;
    if (!terminal.color)
        return;
    set_look(STYLE_DIM, many ? A_NORMAL : A_DIM, many ? 242 : -1, -1);
    set_look(STYLE_WALL, A_NORMAL, many ? 250 : -1, -1);
    set_look(STYLE_WARNING, A_BOLD, COLOR_YELLOW, -1);
    for (int kind = 0; kind < PALETTE_KINDS; kind++) {
        short color = (short)palette_terminal(kind, COLORS);
        short letter = (short)palette_terminal_letter(kind, COLORS);
        set_look((Style)(STYLE_CELL + kind), A_NORMAL, letter, color);
        set_look((Style)(STYLE_GHOST + kind), A_NORMAL, color, -1);
    }
}

/* ---- opening and closing */

/* Terminals differ in whether the cursor keys send ESC [ or ESC O; both are understood. */
static void define_cursor_keys(void) {
    static const struct {
        char final;
        int key;
    } keys[] = {{'A', KEY_UP},   {'B', KEY_DOWN}, {'C', KEY_RIGHT},
                {'D', KEY_LEFT}, {'H', KEY_HOME}, {'F', KEY_END}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (const char *middle = "[O"; *middle; middle++)
            define_key((char[]){'\x1b', *middle, keys[i].final, '\0'}, keys[i].key);
    define_key("\x1b[5~", KEY_PPAGE);
    define_key("\x1b[6~", KEY_NPAGE);
}

/* Leaves out delays ("$<5>"), which only hardware terminals needed. */
static void add_capability(const char *name) {
    const char *string = tigetstr(name);
    if (!string || string == (const char *)-1)
        return;
    while (*string && terminal.closing_length < CLOSING_BYTES) {
        const char *delay = strncmp(string, "$<", 2) == 0 ? strchr(string, '>') : NULL;
        if (delay)
            string = delay + 1;
        else
            terminal.closing[terminal.closing_length++] = *string++;
    }
}

static void record_closing(void) {
    terminal.closing_length = 0;
    add_capability("sgr0");
    add_capability("cnorm");
    add_capability("rmkx");
    add_capability("rmcup");
}

bool terminal_available(void) {
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static void end_curses(void) {
    endwin();
    delscreen(terminal.curses);
    terminal.curses = NULL;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal.before);
    restore_handlers(); /* those that ncurses replaced, too */
    close_wake();
}

static bool begin_curses(const char *who, Status *status) {
    const char *name = getenv("TERM");
    if (!name || !*name)
        return status_fail(status, STATUS_INPUT, "%s: TERM is not set", who);
    errno = 0;
    terminal.curses = newterm(NULL, stdout, stdin);
    if (!terminal.curses && errno == ENOMEM)
        return status_no_memory(status);
    if (!terminal.curses && (errno == EMFILE || errno == ENFILE))
        return status_fail(status, STATUS_SYSTEM, "%s: %s", who, strerror(errno));
    if (!terminal.curses)
        return status_fail(status, STATUS_INPUT, "%s: unknown terminal '%s'", who, name);
    const char *move_cursor = tigetstr("cup");
    if (move_cursor && move_cursor != (const char *)-1)
        return true;
    end_curses();
    return status_fail(status, STATUS_INPUT, "%s: the terminal '%s' cannot move its cursor", who,
                       name);
}

bool terminal_open(const char *who, TerminalOptions options, Screen *screen, Status *status) {
    if (!terminal_available())
        return status_fail(status, STATUS_INPUT, "%s: standard input and output must be a terminal",
                           who);
    setlocale(LC_CTYPE, "");
    bool unicode = !options.ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    signalled = resized = suspended = 0;
    remember_handlers();
    tcgetattr(STDIN_FILENO, &terminal.before);
    if (!begin_curses(who, status))
        return false;
    if (!open_wake(status)) {
        end_curses();
        return false;
    }
    terminal.open = true;
    record_closing();
    install_handlers();
    if (atomic_load(stop_flag())) /* set before the handlers were installed */
        signalled = 1;
    set_escdelay(ESCAPE_MS);
    cbreak();
    noecho();
    nonl();
    curs_set(0);
    keypad(stdscr, TRUE);
    define_cursor_keys();
    nodelay(stdscr, TRUE);
    terminal.color = options.color && has_colors() && start_color() == OK &&
                     use_default_colors() == OK && COLORS >= LEAST_COLORS;
    set_looks();
    screen_init(screen, unicode, terminal.color);
    if (screen_resize(screen, LINES, COLS, status))
        return true;
    terminal_close();
    return false;
}

void terminal_close(void) {
    if (!terminal.open)
        return;
    terminal.open = false;
    end_curses();
}

/* ---- showing */

void terminal_show(const Screen *screen) {
    if (!terminal.open)
        return;
    for (int i = 0; i < screen->rows * screen->columns; i++) {
        const Look *look = &terminal.looks[screen->cells[i].style];
        wchar_t glyph[2] = {(wchar_t)screen->cells[i].glyph, 0};
        cchar_t cell;
        if (setcchar(&cell, glyph, look->attributes, look->pair, NULL) == OK)
            mvadd_wch(i / screen->columns, i % screen->columns, &cell);
    }
    refresh();
}

static int resize(Screen *screen) {
    resized = 0;
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    clearok(curscr, TRUE);
    while (getch() == KEY_RESIZE) /* resizeterm leaves one */
        ;
    Status ignored;
    return screen_resize(screen, LINES, COLS, &ignored) ? TERMINAL_RESIZED : TERMINAL_STOPPED;
}

/* ---- keys */

static int translate(wint_t key, bool special) {
    static const struct {
        wint_t from;
        int to;
    } names[] = {
        {KEY_UP, TERMINAL_UP},          {KEY_DOWN, TERMINAL_DOWN},
        {KEY_LEFT, TERMINAL_LEFT},      {KEY_RIGHT, TERMINAL_RIGHT},
        {KEY_HOME, TERMINAL_HOME},      {KEY_END, TERMINAL_END},
        {KEY_PPAGE, TERMINAL_PAGE_UP},  {KEY_NPAGE, TERMINAL_PAGE_DOWN},
        {KEY_ENTER, TERMINAL_ENTER},    {KEY_BACKSPACE, TERMINAL_BACKSPACE},
        {KEY_RESIZE, TERMINAL_RESIZED},
    };
    for (size_t i = 0; special && i < sizeof names / sizeof *names; i++)
        if (names[i].from == key)
            return names[i].to;
    if (special)
        return TERMINAL_NONE;
    return key == '\r' ? TERMINAL_ENTER : key == 8 ? TERMINAL_BACKSPACE : (int)key;
}

/* A key that is there already, if one is. */
static int read_key(void) {
    wint_t key;
    int translated = TERMINAL_NONE;
    for (int kind; translated == TERMINAL_NONE && (kind = get_wch(&key)) != ERR;)
        translated = translate(key, kind == KEY_CODE_YES);
    return translated;
}

/* Milliseconds left of a time that began at `start_ns`. */
static int left_of(int milliseconds, uint64_t start_ns) {
    if (milliseconds < 0)
        return -1;
    int64_t left = milliseconds - (int64_t)((clock_now_ns() - start_ns) / 1000000);
    return left > 0 ? (int)left : 0;
}

int terminal_key(Screen *screen, int milliseconds) {
    uint64_t start = clock_now_ns();
    for (int empty = 0; empty < EMPTY_MAX;) {
        if (signalled || !terminal.open)
            return TERMINAL_STOPPED;
        if (suspended)
            suspend();
        if (resized)
            return resize(screen);
        int key = read_key();
        if (key == TERMINAL_RESIZED)
            return resize(screen);
        if (key != TERMINAL_NONE)
            return key;
        struct pollfd waited[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                   {.fd = wake_pipe[0], .events = POLLIN}};
        int left = left_of(milliseconds, start);
        int ready = poll(waited, 2, left);
        if (ready > 0 && waited[0].revents & (POLLHUP | POLLERR | POLLNVAL))
            return TERMINAL_STOPPED; /* the terminal is gone */
        if (ready == 0)
            return TERMINAL_NONE;
        if (ready > 0 && waited[1].revents) {
            drain_wake();
            continue;
        }
        if (ready < 0 && errno != EINTR) { /* no memory for a moment, perhaps */
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
            empty += POLL_FAILED;
        }
        empty += ready > 0;
    }
    return TERMINAL_STOPPED;
}

#endif
