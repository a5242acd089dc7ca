/*
 * stop: the signal handler only stores to an atomic. The default comes back after the first signal
 * (SA_RESETHAND), so a second one always works.
 */
#include "system/stop.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>

static atomic_bool requested;

static void on_signal(int number) {
    (void)number;
    atomic_store_explicit(&requested, true, memory_order_relaxed);
}

static void handle(void (*handler)(int)) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

void stop_install(void) {
    handle(on_signal);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void stop_clear(void) {
    handle(on_signal);
    atomic_store(&requested, false);
}

const atomic_bool *stop_flag(void) {
    return &requested;
}
