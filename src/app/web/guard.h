/*
 * guard: which requests are allowed, and how many per second. Nothing here knows of sockets.
 *
 * A page of some other site can make a browser send requests here. It cannot choose the Host header
 * freely: that is the name it was reached by, so a name that is not ours is a name that was made to
 * point here (DNS rebinding). And what it sends carries its own Origin.
 */
#ifndef TETROPT_WEB_GUARD_H
#define TETROPT_WEB_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* Where the server listens, as text. */
typedef struct GuardPlace {
    const char *address; /* an IPv4 or IPv6 address */
    uint16_t port;
} GuardPlace;

/* True for the loopback addresses: 127.x.x.x and ::1. */
bool guard_is_loopback(const char *address);

/* True when `host` (the header; NULL: there was none) names this server: the address itself or, on
 * loopback, localhost or any loopback address, or, where all addresses are listened on, any address
 * in numbers; with the port, which may be left out only when it is 80. */
bool guard_host(const GuardPlace *place, const char *host);

/* True when a request with this Origin (NULL: none) may change something: it comes from a page that
 * `host` served, or from no page. */
bool guard_origin(const char *host, const char *origin);

/* The same by Sec-Fetch-Site, which browsers send where a form or a link sends no Origin. */
bool guard_fetch_site(const char *site);

/* A burst of requests, and a rate per second after that. */
typedef struct GuardBucket {
    double capacity, per_second, level;
    uint64_t last_ns;
} GuardBucket;

void guard_bucket_init(GuardBucket *bucket, double capacity, double per_second, uint64_t now_ns);

/* Takes one; false when there is none left. */
bool guard_bucket_take(GuardBucket *bucket, uint64_t now_ns);

#endif
