/*
 * video: ffmpeg runs as a child process that reads the GIF from a pipe and writes a temporary file
 * beside the target, since MP4 cannot be written to a pipe. Its errors go to standard error.
 */
#include "system/video.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool video_available(Status *status) {
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char file[PATH_MAX];
        snprintf(file, sizeof file, "%.*s/ffmpeg", (int)length, path);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return status_fail(status, STATUS_INPUT,
                       "ffmpeg: not found in PATH; WebP and MP4 require it (gif does not)");
}

/* Starts ffmpeg; *input is the pipe to write to. */
static bool start(const char *out, VideoFormat format, pid_t *child, int *input, Status *status) {
    /* Even sides, which most players need; a time base that keeps the delays of the GIF. */
    const char *const mp4[] = {"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                               "-pix_fmt",  "yuv420p",
                               "-movflags", "+faststart",
                               "-f",        "mp4"};
    const char *const webp[] = {"-loop", "0", "-lossless", "1", "-f", "webp"};
    const char *arguments[32] = {"ffmpeg", "-loglevel", "error", "-y", "-f", "gif", "-i", "pipe:0"};
    int count = 8;
    const char *const *more = format == VIDEO_MP4 ? mp4 : webp;
    int more_count = format == VIDEO_MP4 ? 8 : 6;
    for (int i = 0; i < more_count; i++)
        arguments[count++] = more[i];
    arguments[count++] = out;
    int ends[2];
    if (pipe(ends) != 0)
        return status_fail(status, STATUS_SYSTEM, "ffmpeg: %s", strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    int error = posix_spawnp(child, "ffmpeg", &actions, NULL, (char **)(size_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    *input = ends[1];
    if (error == 0)
        return true;
    close(ends[1]);
    return status_fail(status, STATUS_SYSTEM, "ffmpeg: %s", strerror(error));
}

/* A reader that ended early shows in its exit code. */
static void feed(int input, const Text *gif) {
    size_t done = 0;
    while (done < gif->length) {
        ssize_t written = write(input, gif->data + done, gif->length - done);
        if (written < 0 && errno != EINTR)
            break;
        done += written > 0 ? (size_t)written : 0;
    }
    close(input);
}

bool video_write(const char *path, VideoFormat format, const Text *gif, Status *status) {
    char out[PATH_MAX];
    int length = snprintf(out, sizeof out, "%s.%ld.tmp", path, (long)getpid());
    if (length >= (int)sizeof out)
        return status_fail(status, STATUS_INPUT, "%.100s...: the path is too long", path);
    pid_t child;
    int input = -1, state = 0;
    if (!start(out, format, &child, &input, status))
        return false;
    feed(input, gif);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    bool ok = WIFEXITED(state) && WEXITSTATUS(state) == 0;
    if (!ok)
        status_fail(status, STATUS_SYSTEM, "%s: ffmpeg failed", path);
    else if (rename(out, path) != 0)
        ok = status_fail(status, STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    if (!ok)
        unlink(out);
    return ok;
}
