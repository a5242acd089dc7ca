#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    FRAMES = 14,    /* callers that tell one place from another */
    SEEN = 1 << 17, /* places: a power of two, never more than half full */
    OWN_FRAMES = 3  /* note, fault_now and the wrapper */
};

/* There in a build with sanitizers. */
void __sanitizer_print_stack_trace(void) __attribute__((weak));

static const char *const kind_names[FAULT_KIND_COUNT] = {"memory", "file", "thread", "database",
                                                         "library"};

typedef struct Place {
    uint64_t callers; /* 0: free */
    long number;
    FaultKind kind;
    const char *function;
} Place;

static struct {
    pthread_mutex_t lock;
    long count, wanted;
    bool active, later, shortened, trace, listening;
    int later_kind; /* -1: not yet */
    int log;
    size_t places;
    Place seen[SEEN];
} shim = {.lock = PTHREAD_MUTEX_INITIALIZER, .later_kind = -1, .log = -1};

/* Straight to the kernel: everything else here may be wrapped. */
static void say(int descriptor, const char *text) {
    (void)!syscall(SYS_write, descriptor, text, strlen(text));
}

__attribute__((constructor)) static void begin(void) {
    void *frame[1];
    backtrace(frame, 1); /* it allocates the first time */
    const char *wanted = getenv("TETROPT_FAULT"), *log = getenv("TETROPT_FAULT_LOG");
    if (wanted) {
        shim.shortened = wanted[0] == 's';
        char *end;
        shim.wanted = strtol(wanted + shim.shortened, &end, 10);
        shim.later = *end == '+';
    }
    shim.trace = getenv("TETROPT_FAULT_TRACE") != NULL;
    if (log)
        shim.log =
            (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    /* Out of the way of standard input, output and error, which may be closed. */
    if (shim.log >= 0 && shim.log < 10) {
        int high = fcntl(shim.log, F_DUPFD_CLOEXEC, 90);
        syscall(SYS_close, shim.log);
        shim.log = high;
    }
    shim.listening = shim.log >= 0 && !wanted;
    shim.active = wanted || shim.listening;
}

__attribute__((destructor)) static void end(void) {
    if (!shim.listening)
        return;
    char line[160];
    snprintf(line, sizeof line, "calls %ld\n", shim.count);
    say(shim.log, line);
    for (int i = 0; i < SEEN; i++) {
        const Place *place = &shim.seen[i];
        if (place->callers == 0)
            continue;
        snprintf(line, sizeof line, "%ld %s %s\n", place->number, kind_names[place->kind],
                 place->function);
        say(shim.log, line);
    }
}

static uint64_t callers_now(FaultKind kind) {
    void *frames[FRAMES + OWN_FRAMES];
    int count = backtrace(frames, FRAMES + OWN_FRAMES);
    uint64_t hash = 1469598103934665603u + (uint64_t)kind;
    for (int i = OWN_FRAMES - 1; i < count; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)frames[i]) * 1099511628211u;
    return hash ? hash : 1;
}

static void remember(FaultKind kind, const char *function, long number) {
    uint64_t callers = callers_now(kind);
    size_t at = callers & (SEEN - 1);
    while (shim.seen[at].callers != 0 && shim.seen[at].callers != callers)
        at = (at + 1) & (SEEN - 1);
    if (shim.seen[at].callers == callers || shim.places > SEEN / 2)
        return;
    shim.seen[at] = (Place){callers, number, kind, function};
    shim.places++;
}

static void report(FaultKind kind, const char *function, long number) {
    char line[160];
    snprintf(line, sizeof line, "failed %ld %s %s\n", number, kind_names[kind], function);
    if (shim.log >= 0)
        say(shim.log, line);
    if (!shim.trace)
        return;
    say(STDERR_FILENO, line);
    if (__sanitizer_print_stack_trace)
        __sanitizer_print_stack_trace();
    else {
        void *frames[32];
        int count = backtrace(frames, 32);
        backtrace_symbols_fd(frames, count, STDERR_FILENO);
    }
}

/* Counts; true when it is this one's turn. */
static bool note(FaultKind kind, const char *function) {
    if (!shim.active)
        return false;
    pthread_mutex_lock(&shim.lock);
    long number = ++shim.count;
    if (shim.listening)
        remember(kind, function, number);
    bool turn = number == shim.wanted;
    if (turn && shim.later)
        shim.later_kind = (int)kind;
    turn = turn || shim.later_kind == (int)kind;
    if (turn && (number == shim.wanted || shim.trace))
        report(kind, function, number);
    pthread_mutex_unlock(&shim.lock);
    return turn;
}

bool fault_now(FaultKind kind, const char *function, int error) {
    if (!note(kind, function) || shim.shortened)
        return false;
    errno = error;
    return true;
}

bool fault_now_bytes(const char *function, int error, size_t *count) {
    if (!note(FAULT_FILE, function))
        return false;
    if (shim.shortened && *count > 1)
        *count /= 2;
    else if (!shim.shortened) {
        errno = error;
        return true;
    }
    return false;
}
