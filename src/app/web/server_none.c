/* server_none: replaces server.c in a build without libmicrohttpd. */
#include "web/server.h"

#include <stddef.h>

Server *server_new(const ServerSetup *setup, Status *status) {
    (void)setup;
    status_fail(status, STATUS_SYSTEM, "serve: this program was built without libmicrohttpd");
    return NULL;
}

void server_free(Server *server) {
    (void)server;
}

uint16_t server_port(const Server *server) {
    (void)server;
    return 0;
}
