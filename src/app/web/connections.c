/* connections: a list under a lock, and a thread that looks through it every half second. */
#include "web/connections.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

struct ConnectionEntry {
    ConnectionEntry *next, *before;
    int socket_;
    ConnectionState state;
    uint64_t since_ns; /* that it is in this state */
    bool ended;
};

struct Connections {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    bool closing;
    ConnectionEntry *first;
};

/* The server sees the end of input and closes the socket itself. */
static void end(ConnectionEntry *entry) {
    entry->ended = true;
    shutdown(entry->socket_, SHUT_RDWR);
}

/* Ends the connection that is longest in this state, if there are more than `most` that are in it
 * (or, `all`, in any). With the lock held. */
static bool end_oldest(Connections *connections, ConnectionState state, bool all, int most) {
    ConnectionEntry *oldest = NULL;
    int count = 0;
    for (ConnectionEntry *at = connections->first; at; at = at->next) {
        count += !at->ended && (all || at->state == state);
        if (!at->ended && at->state == state && (!oldest || at->since_ns < oldest->since_ns))
            oldest = at;
    }
    if (!oldest || count <= most)
        return false;
    end(oldest);
    return true;
}

static void *watch(void *context) {
    Connections *connections = context;
    pthread_mutex_lock(&connections->lock);
    while (!connections->closing) {
        for (ConnectionEntry *at = connections->first; at; at = at->next)
            if (!at->ended && at->state == CONNECTION_WAITS &&
                clock_seconds_since(at->since_ns) > CONNECTIONS_WAIT_SECONDS)
                end(at);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 500000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&connections->wake, &connections->lock, &until);
    }
    pthread_mutex_unlock(&connections->lock);
    return NULL;
}

Connections *connections_new(Status *status) {
    Connections *connections = calloc(1, sizeof *connections);
    if (!connections) {
        status_no_memory(status);
        return NULL;
    }
    pthread_mutex_init(&connections->lock, NULL);
    pthread_cond_init(&connections->wake, NULL);
    if (pthread_create(&connections->thread, NULL, watch, connections) == 0)
        return connections;
    pthread_cond_destroy(&connections->wake);
    pthread_mutex_destroy(&connections->lock);
    free(connections);
    status_fail(status, STATUS_SYSTEM, "a thread could not be started");
    return NULL;
}

void connections_free(Connections *connections) {
    if (!connections)
        return;
    pthread_mutex_lock(&connections->lock);
    connections->closing = true;
    pthread_cond_signal(&connections->wake);
    pthread_mutex_unlock(&connections->lock);
    pthread_join(connections->thread, NULL);
    pthread_cond_destroy(&connections->wake);
    pthread_mutex_destroy(&connections->lock);
    free(connections);
}

ConnectionEntry *connections_opened(Connections *connections, int socket_) {
    ConnectionEntry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    entry->socket_ = socket_;
    entry->since_ns = clock_now_ns();
    pthread_mutex_lock(&connections->lock);
    end_oldest(connections, CONNECTION_WAITS, false, CONNECTIONS_WAITING - 1);
    if (!end_oldest(connections, CONNECTION_WAITS, true, CONNECTIONS_OPEN - 1))
        end_oldest(connections, CONNECTION_ANSWERED, true, CONNECTIONS_OPEN - 1);
    entry->next = connections->first;
    if (entry->next)
        entry->next->before = entry;
    connections->first = entry;
    pthread_mutex_unlock(&connections->lock);
    return entry;
}

void connections_closed(Connections *connections, ConnectionEntry *entry) {
    if (!entry)
        return;
    pthread_mutex_lock(&connections->lock);
    if (entry->next)
        entry->next->before = entry->before;
    *(entry->before ? &entry->before->next : &connections->first) = entry->next;
    pthread_mutex_unlock(&connections->lock);
    free(entry);
}

void connections_set(Connections *connections, ConnectionEntry *entry, ConnectionState state) {
    if (!entry)
        return;
    pthread_mutex_lock(&connections->lock);
    entry->state = state;
    entry->since_ns = clock_now_ns();
    pthread_mutex_unlock(&connections->lock);
}
