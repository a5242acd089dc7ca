/* profile_files: makes directories as they are needed, and replaces every file atomically. */
#include "cli/profile_files.h"

#include "base/json.h"
#include "system/file.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Folder {
    const char *path;
    Arena *arena;
} Folder;

static bool make_folder(const char *path, Status *status) {
    return mkdir(path, 0777) == 0 || errno == EEXIST || file_fail(path, errno, status);
}

/* Makes every directory on the way to the file. */
static bool write_file(void *context, const char *path, const Text *content, Status *status) {
    const Folder *folder = context;
    const char *whole = arena_format(folder->arena, "%s/%s", folder->path, path);
    if (!make_folder(folder->path, status))
        return false;
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/'))
        if (!make_folder(
                arena_format(folder->arena, "%s/%.*s", folder->path, (int)(slash - path), path),
                status))
            return false;
    return file_replace(whole, content->data, content->length, status);
}

bool profile_files_write(ProfileFormat format, const ProfileRun *runs, size_t count,
                         const char *folder, Arena *arena, Status *status) {
    Folder context = {folder, arena};
    return profile_logs_write(format, runs, count, write_file, &context, arena, status);
}

bool profile_files_points(const Text *log, ProfileRun *run, Arena *arena, Status *status) {
    size_t lines = 0;
    for (size_t i = 0; i < log->length; i++)
        lines += log->data[i] == '\n';
    StorePoint *points = arena_zeroed(arena, lines, sizeof *points);
    const char *line = log->data;
    run->points = points;
    for (size_t i = 0; points && i < lines; i++) {
        const char *end = strchr(line, '\n');
        Json *json = json_parse(line, (size_t)(end - line), status);
        if (!json)
            return false;
        const Json *best = json_get(json, "best");
        points[i] = (StorePoint){
            .evaluation = (uint64_t)json_int(json_get(json, "evaluations")),
            .best = json_is_number(best) ? json_number(best) : -INFINITY,
        };
        json_free(json);
        line = end + 1;
        run->point_count++;
    }
    return (!log->failed && !arena->failed) || status_no_memory(status);
}
