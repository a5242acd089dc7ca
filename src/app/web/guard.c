/*
 * guard: reads and compares host names and addresses, and limits the request rate by token buckets.
 */
#include "web/guard.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HOST_BYTES = 128 };

/* The address as bytes, in *family too; false when the text is not an address. */
static bool address_bytes(const char *text, int *family, unsigned char bytes[16]) {
    memset(bytes, 0, 16);
    *family = AF_INET;
    if (inet_pton(AF_INET, text, bytes) == 1)
        return true;
    *family = AF_INET6;
    return inet_pton(AF_INET6, text, bytes) == 1;
}

bool guard_is_loopback(const char *address) {
    static const unsigned char one[16] = {[15] = 1};
    unsigned char bytes[16];
    int family;
    if (!address_bytes(address, &family, bytes))
        return false;
    return family == AF_INET ? bytes[0] == 127 : memcmp(bytes, one, sizeof one) == 0;
}

static bool is_any(const char *address) {
    static const unsigned char zero[16];
    unsigned char bytes[16];
    int family;
    return address_bytes(address, &family, bytes) && memcmp(bytes, zero, sizeof zero) == 0;
}

/* Splits "name:port", "[address]:port" or either without a port (*port is then -1). */
static bool split_host(const char *host, char name[HOST_BYTES], long *port) {
    const char *end, *start = host;
    if (host[0] == '[') {
        start = host + 1;
        end = strchr(start, ']');
        if (!end)
            return false;
    } else
        end = host + strcspn(host, ":");
    size_t length = (size_t)(end - start);
    if (length == 0 || length >= HOST_BYTES)
        return false;
    memcpy(name, start, length);
    name[length] = '\0';
    end += host[0] == '[';
    *port = -1;
    if (!*end)
        return true;
    if (*end != ':' || strspn(end + 1, "0123456789") != strlen(end + 1) || !end[1] ||
        end[1] == '0' || strlen(end + 1) > 5)
        return false;
    *port = strtol(end + 1, NULL, 10);
    return true;
}

static bool same_address(const char *a, const char *b) {
    unsigned char first[16], second[16];
    int families[2];
    return address_bytes(a, &families[0], first) && address_bytes(b, &families[1], second) &&
           families[0] == families[1] && memcmp(first, second, sizeof first) == 0;
}

bool guard_host(const GuardPlace *place, const char *host) {
    char name[HOST_BYTES];
    long port;
    if (!host || !split_host(host, name, &port))
        return false;
    if (port != place->port && !(port == -1 && place->port == 80))
        return false;
    if (same_address(name, place->address))
        return true;
    bool any = is_any(place->address);
    if ((any || guard_is_loopback(place->address)) &&
        (strcasecmp(name, "localhost") == 0 || guard_is_loopback(name)))
        return true;
    unsigned char bytes[16];
    int family;
    return any && address_bytes(name, &family, bytes);
}

bool guard_origin(const char *host, const char *origin) {
    static const char scheme[] = "http://";
    if (!origin)
        return true;
    return host && strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
           strcasecmp(origin + sizeof scheme - 1, host) == 0;
}

bool guard_fetch_site(const char *site) {
    return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
}

void guard_bucket_init(GuardBucket *bucket, double capacity, double per_second, uint64_t now_ns) {
    *bucket = (GuardBucket){capacity, per_second, capacity, now_ns};
}

bool guard_bucket_take(GuardBucket *bucket, uint64_t now_ns) {
    double gained = (double)(now_ns - bucket->last_ns) * 1e-9 * bucket->per_second;
    bucket->level += gained;
    if (bucket->level > bucket->capacity)
        bucket->level = bucket->capacity;
    bucket->last_ns = now_ns;
    if (bucket->level < 1)
        return false;
    bucket->level -= 1;
    return true;
}
