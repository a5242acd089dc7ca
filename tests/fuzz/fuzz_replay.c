/* Any bytes as a replay: refused with a message, or played; what plays is completed, written and
 * read back, and plays again to the same result. */
#include "formats/replay.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_say_why(const Status *status) {
    if (status->code != STATUS_INPUT || status->message[0] == '\0')
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Replay replay, again;
    Status status = {0};
    if (!replay_read(&replay, (const char *)data, size, &status)) {
        must_say_why(&status);
        return 0;
    }
    Game end;
    if (!replay_play(&replay, false, NULL, &end, &status)) {
        must_say_why(&status);
        replay_release(&replay);
        return 0;
    }
    Text text;
    text_init(&text);
    if (!replay_complete(&replay, &status) || replay.result.score != end.score ||
        !replay_write(&replay, &text, &status) ||
        !replay_read(&again, text.data, text.length, &status) ||
        !replay_play(&again, true, NULL, NULL, &status))
        abort();
    text_release(&text);
    replay_release(&again);
    replay_release(&replay);
    return 0;
}
