/* Any bytes as a file with a list of pieces, as --pieces @FILE and --list read it: refused with a
 * message that names the file, or pieces. What lies behind a NUL is refused, not left out. */
#include "cli/cli.h"
#include "engine/piece.h"
#include "temporary.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What cli.c asks of the program. */
const Command *const cli_commands[] = {NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = temporary_file(data, size);
    uint8_t pieces[100];
    Status status = {0};
    int count = cli_read_pieces(path, pieces, sizeof pieces, &status);
    if (count < 0 && (status.code != STATUS_INPUT || !strstr(status.message, path)))
        abort();
    if (count >= 0 && size > 0 && memchr(data, '\0', size))
        abort();
    for (int i = 0; i < count; i++)
        if (pieces[i] >= PIECE_COUNT)
            abort();
    unlink(path);
    return 0;
}
