/*
 * server: the HTTP server of the web UI.
 *
 * Limits: connections, the size of headers and bodies, the time that a connection may be
 * silent, requests per second, jobs, streams. Rejected requests: a Host that is not ours, a change
 * asked for by another site's page, any path that is not in a table.
 *
 * A build without libmicrohttpd has these functions too; they fail with a message that says so.
 */
#ifndef TETROPT_WEB_SERVER_H
#define TETROPT_WEB_SERVER_H

#include "base/status.h"

#include <stdint.h>

enum {
    SERVER_SILENCE_SECONDS = 30,
    SERVER_REQUESTS = 400,          /* in a moment */
    SERVER_REQUESTS_A_SECOND = 100, /* after that */
    SERVER_POSTS = 40,              /* likewise for those that make work */
    SERVER_POSTS_A_SECOND = 5
};

typedef struct Server Server;

typedef struct ServerSetup {
    const char *address;       /* in numbers, IPv4 or IPv6 */
    uint16_t port;             /* 0: any that is free */
    const char *const *stores; /* addresses of experiments that may be shown */
    int store_count;
} ServerSetup;

/* Starts to serve on threads of its own. NULL with `status`: an invalid address is bad input, one
 * that cannot be listened on a system failure. `setup` must live as long as the server. */
Server *server_new(const ServerSetup *setup, Status *status);

/* Stops everything, searches too. */
void server_free(Server *server);

/* The port that is listened on. */
uint16_t server_port(const Server *server);

#endif
