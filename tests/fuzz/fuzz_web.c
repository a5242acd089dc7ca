/* A line as Host, Origin, Accept-Encoding, If-None-Match and position, the bytes after it as a
 * replay that is posted: rejected with a message, or shown. */
#include "web/api_replay.h"
#include "web/assets.h"
#include "web/guard.h"
#include "web/position.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_hosts(const char *line) {
    static const char *const addresses[] = {"127.0.0.1", "::1", "0.0.0.0", "192.0.2.1"};
    for (int i = 0; i < 4; i++) {
        GuardPlace place = {addresses[i], 8080};
        /* Whatever is let in names this port at its end. */
        if (guard_host(&place, line) && !strstr(line, ":8080"))
            abort();
    }
    guard_origin(line, line);
    if (asset_takes_gzip(line) && !strchr(line, 'g') && !strchr(line, 'G'))
        abort();
    if (asset_is_known(line, "\"tag\"") && !strstr(line, "\"tag\"") && !strchr(line, '*'))
        abort();
}

static void try_position(const char *line) {
    Position position;
    Status status = {.code = STATUS_OK};
    bool ok = position_read(&position, line, &status);
    if (ok ? !grid_check(&position.start, &status) : !status.message[0])
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t first = end ? (size_t)(end - data) : size;
    Text line, body;
    text_init(&line);
    text_init(&body);
    text_add_bytes(&line, (const char *)data, first);
    text_add(&line, "");
    if (line.data) {
        try_hosts(line.data);
        try_position(line.data);
    }
    if (end && size - first > 1) {
        text_add_bytes(&body, (const char *)end + 1, size - first - 1);
        Status status = {.code = STATUS_OK};
        Text reply;
        text_init(&reply);
        bool ok = api_replay_read(body.data, body.length, &reply, &status);
        if (ok ? reply.failed : status.code != STATUS_INPUT || !status.message[0])
            abort();
        text_release(&reply);
    }
    text_release(&line);
    text_release(&body);
    return 0;
}
