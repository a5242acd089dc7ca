/* replay_viewer: a replay on the terminal, forwards, backwards, to any move. */
#ifndef TETROPT_CLI_REPLAY_VIEWER_H
#define TETROPT_CLI_REPLAY_VIEWER_H

#include "base/status.h"
#include "formats/replay.h"

/* A replay that was found to follow the rules; `steps` are from replay_play. */
typedef struct ReplayShown {
    const Replay *replay;
    const DecodeStep *steps;
    const char *title;
} ReplayShown;

/* Shows two games side by side, move by move, until the user leaves: the boards of a match. */
StatusCode replay_viewer_pair(const ReplayShown shown[2], bool color, bool ascii, Status *status);

/* Shows a replay that was found to follow the rules (its `steps` are from replay_play) until the
 * user leaves. STATUS_INTERRUPTED after a signal. */
StatusCode replay_viewer_run(const Replay *replay, const DecodeStep *steps, const char *title,
                             bool color, bool ascii, Status *status);

#endif
