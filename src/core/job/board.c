/* board: from the options for the board at the start to a grid. */
#include "job/board.h"

#include "engine/board_text.h"
#include "formats/fumen.h"

#include <string.h>

static const Option rows[] = {
    PARAMETER_INTEGER(BoardOptions, width, "width", "10", BOARD_MIN_WIDTH, BOARD_MAX_WIDTH,
                      "columns"),
    PARAMETER_INTEGER(BoardOptions, height, "height", "20", BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT,
                      "visible rows"),
    OPTION_ROW(BoardOptions, TEXT, board, "board", .argument = "FILE", .file = OPTION_READS,
               .help = "start from the board in FILE (- is standard input), top row first"),
    OPTION_ROW(BoardOptions, TEXT, fumen, "fumen", .argument = "TEXT",
               .help = "start from the field of the first page of a fumen (v115@...)"),
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
