/*
 * video: converts an animation to WebP or MP4 by ffmpeg, where that is installed.
 */
#ifndef TETROPT_SYSTEM_VIDEO_H
#define TETROPT_SYSTEM_VIDEO_H

#include "base/status.h"
#include "base/text.h"

typedef enum VideoFormat { VIDEO_WEBP, VIDEO_MP4 } VideoFormat;

/* Fails with a message that says what to do when there is no ffmpeg in PATH. */
bool video_available(Status *status);

/* Converts a GIF and replaces `path` atomically. */
bool video_write(const char *path, VideoFormat format, const Text *gif, Status *status);

#endif
