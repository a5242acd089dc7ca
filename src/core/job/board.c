/* board: from the options for the board at the start to a grid. */
#include "job/board.h"

#include "engine/board_text.h"
#include "formats/fumen.h"

#include <string.h>

static const Option rows[] = {
    {.name = "width",
     .kind = OPTION_INTEGER,
     .offset = offsetof(BoardOptions, width),
     .fallback = "10",
     .min = BOARD_MIN_WIDTH,
     .max = BOARD_MAX_WIDTH,
     .argument = "N",
     .help = "columns"},
    {.name = "height",
     .kind = OPTION_INTEGER,
     .offset = offsetof(BoardOptions, height),
     .fallback = "20",
     .min = BOARD_MIN_HEIGHT,
     .max = BOARD_MAX_HEIGHT,
     .argument = "N",
     .help = "visible rows"},
    {.name = "board",
     .kind = OPTION_TEXT,
     .offset = offsetof(BoardOptions, board),
     .argument = "FILE",
     .file = OPTION_READS,
     .help = "start from the board in FILE (- is standard input), top row first"},
    {.name = "fumen",
     .kind = OPTION_TEXT,
     .offset = offsetof(BoardOptions, fumen),
     .argument = "TEXT",
     .help = "start from the field of the first page of a fumen (v115@...)"},
};

const OptionTable board_options = OPTIONS_TABLE(rows);

bool board_options_read(const BoardOptions *options, Grid *grid, Status *status) {
    grid_init(grid, (int)options->width, (int)options->height);
    if (options->board && options->fumen)
        return status_option(status, "fumen", "cannot be combined with board");
    if (options->fumen)
        return fumen_read_board(options->fumen, strlen(options->fumen), grid, status) ||
               status_prefix_option(status, "fumen");
    return !options->board ||
           board_text_read(grid, options->board, strlen(options->board), status) ||
           status_prefix_option(status, "board");
}
