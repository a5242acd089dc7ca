/*
 * server: a request in the order of its callbacks: path, head (checked before the body is read),
 * body, answer.
 */
#include "web/server.h"

#include "base/clock.h"
#include "web/api.h"
#include "web/assets.h"
#include "web/connections.h"
#include "web/events.h"
#include "web/guard.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    THREADS = 4,             /* one that reads all results of a store keeps the others free */
    HEADER_BYTES = 16 << 10, /* of a connection, for headers and what is being sent */
    BACKLOG = 64
};

struct Server {
    struct MHD_Daemon *daemon;
    GuardPlace place;
    WebJobs *jobs;
    Events *events;
    Stores *stores;
    ApiContext api;
    Connections *connections;
    pthread_mutex_t lock; /* of the buckets */
    GuardBucket assets, requests, posts;
};

/* A request while its body comes in. */
typedef struct Incoming {
    bool begun;        /* its head was checked */
    bool nul_in_path;  /* as %00, at which the path that is made of it would end */
    bool hidden_slash; /* as %2F, a part of a name, which would become a separator */
    Text body;
} Incoming;

/* ---- answers */

static void add_headers(struct MHD_Response *response) {
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src "
         "'self' data: blob:; connect-src 'self' blob:; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        /* With these two, workers of the page may share memory: searches in the browser get
           threads. */
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Embedder-Policy", "require-corp"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

/* `cache` is the Cache-Control of the answer. */
static enum MHD_Result send_cached(struct MHD_Connection *connection, unsigned status,
                                   const char *type, const char *cache,
                                   struct MHD_Response *response) {
    if (!response)
        return MHD_NO;
    add_headers(response);
    MHD_add_response_header(response, "Cache-Control", cache);
    MHD_add_response_header(response, "Content-Type", type);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status,
                                     const char *type, struct MHD_Response *response) {
    return send_cached(connection, status, type, "no-store", response);
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, ApiReply *reply) {
    if (reply->body.failed)
        api_refuse(reply, 500, "no memory");
    struct MHD_Response *response = MHD_create_response_from_buffer(
        reply->body.length, reply->body.data, MHD_RESPMEM_MUST_COPY);
    text_release(&reply->body);
    if (response && reply->status == 429)
        MHD_add_response_header(response, "Retry-After", "1");
    if (response && reply->name) {
        char value[96];
        snprintf(value, sizeof value, "attachment; filename=\"%s\"", reply->name);
        MHD_add_response_header(response, "Content-Disposition", value);
    }
    return send_response(connection, (unsigned)reply->status, reply->type, response);
}

static enum MHD_Result refuse(struct MHD_Connection *connection, int status, const char *why) {
    ApiReply reply;
    text_init(&reply.body);
    api_refuse(&reply, status, why);
    return send_reply(connection, &reply);
}

static const char *header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* A file of the web UI, or 304 for a browser that has it: it may keep a file, but asks every time
 * whether it is still the same, because the next program at this address may have another one. */
static enum MHD_Result send_asset(struct MHD_Connection *connection, const Asset *asset) {
    char tag[ASSET_TAG_BYTES];
    bool gzip = asset_takes_gzip(header(connection, "Accept-Encoding"));
    asset_tag(asset, gzip, tag);
    bool known = asset_is_known(header(connection, "If-None-Match"), tag);
    size_t length = known ? 0 : gzip ? asset->gzip_length : asset->length;
    struct MHD_Response *response = MHD_create_response_from_buffer(
        length, (void *)(uintptr_t)(gzip ? asset->gzip : asset->bytes), MHD_RESPMEM_PERSISTENT);
    if (response) {
        MHD_add_response_header(response, "ETag", tag);
        MHD_add_response_header(response, "Vary", "Accept-Encoding");
        if (gzip)
            MHD_add_response_header(response, "Content-Encoding", "gzip");
    }
    return send_cached(connection, known ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, asset->type,
                       "no-cache", response);
}

static ConnectionEntry *entry_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static enum MHD_Result send_events(Server *server, struct MHD_Connection *connection,
                                   const Job *kind, int64_t number) {
    WebJob *job = web_jobs_take(server->jobs, kind, number);
    if (!job)
        return refuse(connection, 404, API_UNKNOWN_JOB);
    Status status = {.code = STATUS_OK};
    struct MHD_Response *response = events_stream(server->events, connection, job, &status);
    if (!response)
        return refuse(connection, 503, status.message);
    connections_set(server->connections, entry_of(connection), CONNECTION_STREAMS);
    return send_response(connection, MHD_HTTP_OK, "text/event-stream", response);
}

static enum MHD_Result answer(Server *server, struct MHD_Connection *connection,
                              const ApiRequest *request) {
    const Asset *asset = request->post ? NULL : asset_find(request->path);
    if (asset)
        return send_asset(connection, asset);
    int64_t number;
    const Job *kind = request->post ? NULL : api_events_job(request->path, &number);
    if (kind)
        return send_events(server, connection, kind, number);
    ApiReply reply;
    api_answer(&server->api, request, &reply);
    return send_reply(connection, &reply);
}

/* ---- requests */

/* Headers that are rejected when they come twice: which one counts would be up to the reader. */
static const char *const single_headers[] = {"Host", "Origin", "Sec-Fetch-Site", "Content-Length",
                                             "Transfer-Encoding"};

enum { SINGLE_HEADERS = sizeof single_headers / sizeof *single_headers };

static enum MHD_Result count_headers(void *context, enum MHD_ValueKind kind, const char *name,
                                     const char *value) {
    (void)kind, (void)value;
    int *counts = context;
    for (int i = 0; i < SINGLE_HEADERS; i++)
        counts[i] += strcasecmp(name, single_headers[i]) == 0;
    return MHD_YES;
}

static bool has_repeated_header(struct MHD_Connection *connection) {
    int counts[SINGLE_HEADERS] = {0};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_headers, counts);
    for (int i = 0; i < SINGLE_HEADERS; i++)
        if (counts[i] > 1)
            return true;
    return false;
}

/* Files of the page and the API have budgets of their own. */
static bool take_from_buckets(Server *server, bool api, bool costly) {
    uint64_t now = clock_now_ns();
    pthread_mutex_lock(&server->lock);
    bool ok = guard_bucket_take(api ? &server->requests : &server->assets, now) &&
              (!costly || guard_bucket_take(&server->posts, now));
    pthread_mutex_unlock(&server->lock);
    return ok;
}

/* A page of another site may link to ours; anything else is not for it. */
static bool allowed_for_site(struct MHD_Connection *connection, bool api) {
    const char *mode = header(connection, "Sec-Fetch-Mode");
    return guard_fetch_site(header(connection, "Sec-Fetch-Site")) ||
           (!api && mode && strcmp(mode, "navigate") == 0);
}

/* Checks the request before its body is read. 0, or the HTTP status of the rejection and why. */
static int check_head(Server *server, struct MHD_Connection *connection, const char *path,
                      const char *method, const char **why) {
    bool post = strcmp(method, "POST") == 0, api = strncmp(path, "/api/", 5) == 0;
    const char *host = header(connection, "Host"), *length = header(connection, "Content-Length");
    *why = "a header that is allowed only once is repeated";
    if (has_repeated_header(connection))
        return 400;
    *why = "Content-Length and Transfer-Encoding cannot be combined";
    if (length && header(connection, "Transfer-Encoding"))
        return 400;
    *why = "the Host header does not name this server";
    if (!guard_host(&server->place, host))
        return 421;
    *why = "this method is not allowed";
    if (!post && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return 405;
    *why = "requests from other sites are not allowed";
    if (!guard_origin(host, header(connection, "Origin")) ||
        !allowed_for_site(connection, api || post))
        return 403;
    *why = "only POST may have a body";
    if (!post && ((length && strcmp(length, "0") != 0) || header(connection, "Transfer-Encoding")))
        return 400;
    *why = "the body is too long";
    if (length && strtoull(length, NULL, 10) > API_MAX_BODY)
        return 413;
    *why = "too many requests; try again in a second";
    ApiRequest request = {.post = post, .path = path};
    if (!take_from_buckets(server, api || post, api_is_costly(&request)))
        return 429;
    return 0;
}

/* True when a path as it was sent has a byte written as % and these two digits. */
static bool has_escaped(const char *path, const char *digits) {
    for (; *path && *path != '?'; path++)
        if (*path == '%' && strncasecmp(path + 1, digits, 2) == 0)
            return true;
    return false;
}

/* The path before anything is made of it. What is given here is the state of the request. */
static void *on_path(void *context, const char *path, struct MHD_Connection *connection) {
    (void)context, (void)connection;
    Incoming *incoming = calloc(1, sizeof *incoming);
    if (incoming) {
        incoming->nul_in_path = has_escaped(path, "00");
        incoming->hidden_slash = has_escaped(path, "2f");
    }
    return incoming;
}

/* Checks the head of a request, and answers at once when it is rejected. */
static enum MHD_Result begin_request(Server *server, struct MHD_Connection *connection,
                                     const char *path, const char *method, Incoming *incoming) {
    incoming->begun = true;
    const char *why;
    int status = check_head(server, connection, path, method, &why);
    if (status != 0)
        return refuse(connection, status, why);
    if (incoming->nul_in_path)
        return refuse(connection, 400, "a NUL in the path");
    if (incoming->hidden_slash)
        return refuse(connection, 404, "unknown path");
    return MHD_YES;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **entry,
                          enum MHD_ConnectionNotificationCode code) {
    Server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *entry = info ? connections_opened(server->connections, info->connect_fd) : NULL;
    } else {
        connections_closed(server->connections, *entry);
        *entry = NULL;
    }
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *data, size_t *data_length, void **state) {
    (void)version;
    Server *server = context;
    Incoming *incoming = *state;
    if (!incoming) /* on_path had no memory */
        return MHD_NO;
    if (!incoming->begun)
        return begin_request(server, connection, path, method, incoming);
    if (*data_length > 0) {
        /* More than was announced, or not announced at all: the connection ends. */
        if (incoming->body.length + *data_length > API_MAX_BODY)
            return MHD_NO;
        text_add_bytes(&incoming->body, data, *data_length);
        *data_length = 0;
        return incoming->body.failed ? MHD_NO : MHD_YES;
    }
    connections_set(server->connections, entry_of(connection), CONNECTION_ANSWERED);
    if (strlen(path) > API_MAX_PATH)
        return refuse(connection, 414, "the path is too long");
    ApiRequest request = {.post = strcmp(method, "POST") == 0,
                          .path = path,
                          .body = incoming->body.data ? incoming->body.data : "",
                          .body_length = incoming->body.length};
    return answer(server, connection, &request);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code) {
    (void)code;
    Incoming *incoming = *state;
    const Server *server = context;
    connections_set(server->connections, entry_of(connection), CONNECTION_WAITS);
    if (incoming)
        text_release(&incoming->body);
    free(incoming);
    *state = NULL;
}

/* Clients that disconnect are not reported. */
static void on_log(void *context, const char *format, va_list arguments) {
    (void)context, (void)format, (void)arguments;
}

/* ---- starting */

typedef union Address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} Address;

static bool make_address(const ServerSetup *setup, Address *address, Status *status) {
    memset(address, 0, sizeof *address);
    address->v4.sin_family = AF_INET;
    address->v4.sin_port = htons(setup->port);
    if (inet_pton(AF_INET, setup->address, &address->v4.sin_addr) == 1)
        return true;
    memset(address, 0, sizeof *address);
    address->v6.sin6_family = AF_INET6;
    address->v6.sin6_port = htons(setup->port);
    if (inet_pton(AF_INET6, setup->address, &address->v6.sin6_addr) == 1)
        return true;
    return status_option(status, "address", "'%s' is not an IP address (try 127.0.0.1)",
                         setup->address);
}

/* The socket is made here because libmicrohttpd does not say why it could not. -1: failed. */
static int listen_on(const ServerSetup *setup, uint16_t *port, Status *status) {
    Address address;
    if (!make_address(setup, &address, status))
        return -1;
    socklen_t length = address.any.sa_family == AF_INET ? sizeof address.v4 : sizeof address.v6;
    int one = 1;
    int socket_ = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_ >= 0)
        setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (socket_ < 0 || bind(socket_, &address.any, length) != 0 || listen(socket_, BACKLOG) != 0 ||
        getsockname(socket_, &address.any, &length) != 0) {
        status_fail(status, STATUS_SYSTEM, "%s port %u: %s%s", setup->address, setup->port,
                    strerror(errno),
                    errno == EADDRINUSE ? " (--port 0 takes one that is free)" : "");
        if (socket_ >= 0)
            close(socket_);
        return -1;
    }
    *port = ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
    return socket_;
}

static bool start(Server *server, const ServerSetup *setup, Status *status) {
    server->place.address = setup->address;
    int socket_ = listen_on(setup, &server->place.port, status);
    if (socket_ < 0)
        return false;
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
        on_request, server, MHD_OPTION_EXTERNAL_LOGGER, on_log, NULL, MHD_OPTION_URI_LOG_CALLBACK,
        on_path, NULL, MHD_OPTION_LISTEN_SOCKET, socket_, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS_MAX, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS_PER_ADDRESS, MHD_OPTION_NOTIFY_CONNECTION, on_connection, server,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVER_SILENCE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_BYTES, MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned)THREADS, MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_END);
    if (server->daemon)
        return true;
    close(socket_);
    return status_fail(status, STATUS_SYSTEM, "the web server could not be started");
}

Server *server_new(const ServerSetup *setup, Status *status) {
    Server *server = calloc(1, sizeof *server);
    if (!server) {
        status_no_memory(status);
        return NULL;
    }
    uint64_t now = clock_now_ns();
    pthread_mutex_init(&server->lock, NULL);
    guard_bucket_init(&server->assets, SERVER_REQUESTS, SERVER_REQUESTS_A_SECOND, now);
    guard_bucket_init(&server->requests, SERVER_REQUESTS, SERVER_REQUESTS_A_SECOND, now);
    guard_bucket_init(&server->posts, SERVER_POSTS, SERVER_POSTS_A_SECOND, now);
    server->stores = stores_new(setup->stores, setup->store_count, status);
    server->jobs = server->stores ? web_jobs_new(status) : NULL;
    server->connections = server->jobs ? connections_new(status) : NULL;
    server->events = server->connections ? events_new(server->jobs, status) : NULL;
    server->api = (ApiContext){server->jobs, server->stores};
    if (server->events && start(server, setup, status))
        return server;
    server_free(server);
    return NULL;
}

void server_free(Server *server) {
    if (!server)
        return;
    if (server->events)
        events_close(server->events);
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    if (server->events)
        events_free(server->events);
    connections_free(server->connections);
    web_jobs_free(server->jobs);
    stores_free(server->stores);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

uint16_t server_port(const Server *server) {
    return server->place.port;
}
