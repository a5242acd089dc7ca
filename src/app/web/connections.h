/*
 * connections: keeps slow clients from locking others out.
 *
 * A connection waits (for a whole request), is answered, or has a stream of events. One that waits
 * for longer than CONNECTIONS_WAIT_SECONDS is ended, however many bytes it drips. And when there
 * are too many, the one that has waited longest is ended, else the one whose answer takes longest,
 * so that there is always room for a new client.
 */
#ifndef TETROPT_WEB_CONNECTIONS_H
#define TETROPT_WEB_CONNECTIONS_H

#include "base/status.h"

enum {
    CONNECTIONS_MAX = 160,
    CONNECTIONS_PER_ADDRESS = 144,
    CONNECTIONS_WAITING = 64, /* without a whole request */
    CONNECTIONS_OPEN = 128,   /* beyond that the slowest must go */
    CONNECTIONS_WAIT_SECONDS = 10
};

typedef struct Connections Connections;
typedef struct ConnectionEntry ConnectionEntry;

Connections *connections_new(Status *status);
void connections_free(Connections *connections);

/* A client has connected; NULL without memory. `closed` frees the entry, before the socket is
 * closed. */
ConnectionEntry *connections_opened(Connections *connections, int socket_);
void connections_closed(Connections *connections, ConnectionEntry *entry);

typedef enum ConnectionState {
    CONNECTION_WAITS,
    CONNECTION_ANSWERED,
    CONNECTION_STREAMS
} ConnectionState;

/* The entry may be NULL. */
void connections_set(Connections *connections, ConnectionEntry *entry, ConnectionState state);

#endif
