/* data_files: the directory of the XDG base directory specification. */
#include "io/data_files.h"

#include "system/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *join(const char *directory, const char *middle, const char *name) {
    size_t bytes = strlen(directory) + strlen(middle) + strlen(name) + 1;
    char *path = malloc(bytes);
    if (path)
        snprintf(path, bytes, "%s%s%s", directory, middle, name);
    return path;
}

char *data_file(const char *name) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/') /* the specification: relative paths are to be ignored */
        return join(data, "/tetropt/", name);
    return home && *home ? join(home, "/.local/share/tetropt/", name) : NULL;
}

bool data_file_directories(const char *path, Status *status) {
    char *copy = strdup(path);
    if (!copy)
        return status_no_memory(status);
    bool ok = true;
    for (char *slash = strchr(copy + 1, '/'); ok && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST)
            ok = file_fail(copy, errno, status);
        *slash = '/';
    }
    free(copy);
    return ok;
}
