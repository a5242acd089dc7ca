/* process: reads /proc; see the header for what identifies a process. */
#include "system/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The 22nd field of /proc/N/stat, or -1; a zombie has ended. The second field is a name in brackets
 * that may hold anything, so counting begins behind the last bracket. */
static int64_t start_of(int64_t number) {
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)number);
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    const char *at = strrchr(line, ')');
    if (!at || at[1] != ' ' || at[2] == 'Z' || at[2] == 'X')
        return -1;
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoll(at + 1, NULL, 10) : -1;
}

static bool first_line(const char *path, char *line, size_t bytes) {
    FILE *file = fopen(path, "re");
    bool ok = file && fgets(line, (int)bytes, file);
    if (file)
        fclose(file);
    if (ok)
        line[strcspn(line, "\n")] = '\0';
    return ok;
}

void process_self(Process *process) {
    memset(process, 0, sizeof *process);
    if (gethostname(process->host, sizeof process->host - 1) != 0)
        snprintf(process->host, sizeof process->host, "unknown");
    process->number = getpid();
    process->start = start_of(process->number);
    char boot[64], space[64] = "";
    ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    if (process->start < 0 || length <= 0 ||
        !first_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot))
        return;
    snprintf(process->machine, sizeof process->machine, "%s %s", boot, space);
}

bool process_lives(int64_t number, int64_t start) {
    return start_of(number) == start;
}
