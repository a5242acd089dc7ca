#include "base/stop.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>

static atomic_bool requested;

static void on_signal(int number) {
    (void)number;
    atomic_store_explicit(&requested, true, memory_order_relaxed);
}

void stop_install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

const atomic_bool *stop_flag(void) {
    return &requested;
}
