/*
 * game: the game of tetropt.h: its options, its life, and looking at it.
 *
 * The handle is a Game of the engine with a Watcher beside it, who counts what came into view, so
 * that an agent can be asked at any time, whoever played until then. A piece sequence belongs to
 * the handle, since the game's randomizer only points to one.
 */
#include "engine/board_text.h"
#include "library/handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Option rows[] = {
    PARAMETER_CHOICE(GameOptions, rules, "rules", "guideline", RULES_CHOICES, NULL),
    PARAMETER_INTEGER(GameOptions, width, "width", "10", BOARD_MIN_WIDTH, BOARD_MAX_WIDTH, NULL),
    PARAMETER_INTEGER(GameOptions, height, "height", "20", BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT,
                      NULL),
    PARAMETER_INTEGER(GameOptions, seed, "seed", "0", 0, 9.2e18, NULL),
    PARAMETER_CHOICE(GameOptions, randomizer, "randomizer", "bag", RANDOMIZER_CHOICES, NULL),
    OPTION_ROW(GameOptions, TEXT, pieces, "pieces", .fallback = NULL),
    PARAMETER_INTEGER(GameOptions, preview, "preview", "1", 0, AGENT_MAX_PREVIEW, NULL),
    OPTION_ROW(GameOptions, FLAG, hold, "hold", .fallback = "on"),
    OPTION_ROW(GameOptions, FLAG, rotate180, "rotate180", .fallback = "off"),
    PARAMETER_CHOICE(GameOptions, kicks, "kicks", "srs", KICKS_CHOICES, NULL),
    PARAMETER_CHOICE(GameOptions, spins, "spins", "t", SPINS_CHOICES, NULL),
    PARAMETER_CHOICE(GameOptions, scoring, "scoring", "guideline", SCORING_CHOICES, NULL),
    OPTION_ROW(GameOptions, FLAG, bonus, "bonus", .fallback = "off"),
    OPTION_ROW(GameOptions, TEXT, board, "board", .fallback = NULL),
};

const OptionTable game_options = OPTIONS_TABLE(rows);

tetropt_game *tetropt_game_new(void) {
    tetropt_game *game = calloc(1, sizeof *game);
    if (game)
        game->question = question_new(game_options, sizeof(GameOptions), NULL);
    if (game && game->question) {
        game->options = game->question->values;
        return game;
    }
    free(game);
    return NULL;
}

void tetropt_game_free(tetropt_game *game) {
    if (!game)
        return;
    question_free(game->question);
    free(game->list);
    free(game);
}

const char *tetropt_game_message(const tetropt_game *game) {
    return game ? game->status.message : HANDLE_NULL;
}

int tetropt_game_set(tetropt_game *game, const char *option, const char *value) {
    return game ? handle_set(game->question, option, value, &game->status) : TETROPT_INPUT;
}

Rules game_rules(const GameOptions *options) {
    return (Rules){.set = (RuleSet)options->rules,
                   .scoring = (Scoring)options->scoring,
                   .bonus = options->bonus,
                   .hold = options->hold,
                   .rotate180 = options->rotate180,
                   .kicks = (KickKind)options->kicks,
                   .all_spin = options->spins == 1,
                   .width = (uint8_t)options->width,
                   .height = (uint8_t)options->height};
}

bool game_check_rules(const GameOptions *options, Status *status) {
    return options->rules != RULES_DROP || (options->kicks == KICKS_SRS && options->spins == 0) ||
           status_fail(status, STATUS_INPUT, "kicks and spins: not used by the rules drop");
}

RandomizerKind game_randomizer(const GameOptions *options) {
    return options->pieces ? RANDOMIZER_LIST : (RandomizerKind)options->randomizer;
}

bool game_list(const GameOptions *options, uint8_t **list, size_t *count, Status *status) {
    *list = NULL;
    *count = 0;
    if (!options->pieces)
        return options->randomizer != RANDOMIZER_LIST ||
               status_fail(status, STATUS_INPUT, "randomizer: list needs the option pieces");
    size_t length = strlen(options->pieces);
    uint8_t *pieces = malloc(length + 1);
    if (!pieces)
        return status_no_memory(status);
    int found = pieces_parse(options->pieces, pieces, length, status);
    if (found <= 0) {
        free(pieces);
        return found < 0 ? status_prefix(status, "pieces")
                         : status_fail(status, STATUS_INPUT, "pieces: there are none");
    }
    *list = pieces;
    *count = (size_t)found;
    return true;
}

bool game_board(const GameOptions *options, Board *board, Status *status) {
    Grid grid;
    grid_init(&grid, (int)options->width, (int)options->height);
    if (options->board && !board_text_read(&grid, options->board, strlen(options->board), status))
        return status_prefix(status, "board");
    grid_to_board(&grid, board);
    return true;
}

void game_look(tetropt_game *game) {
    if (game->game.over == OVER_NOT)
        watcher_count(&game->watcher, &game->game);
}

static bool start(tetropt_game *game, Status *status) {
    const GameOptions *options = game->options;
    Rules rules = game_rules(options);
    Board board;
    uint8_t *list;
    size_t count;
    if (!game_check_rules(options, status) || !game_board(options, &board, status))
        return false;
    if (!game_list(options, &list, &count, status))
        return false;
    free(game->list);
    game->list = list;
    game->list_count = count;
    Randomizer randomizer;
    if (list)
        randomizer_init_list(&randomizer, list, count);
    else
        randomizer_init(&randomizer, game_randomizer(options), (uint64_t)options->seed, 0);
    game_init_board(&game->game, &rules, &randomizer, &board);
    watcher_init(&game->watcher, (int)options->preview);
    game->started = true;
    game_look(game);
    return true;
}

int tetropt_game_start(tetropt_game *game) {
    return game ? handle_code(&game->status, start(game, &game->status)) : TETROPT_INPUT;
}

int tetropt_game_assign(tetropt_game *game, const tetropt_game *from) {
    if (!game)
        return TETROPT_INPUT;
    if (!from)
        return HANDLE_FAIL(game, STATUS_INPUT, "from: is NULL");
    if (game == from)
        return TETROPT_OK;
    if (from->list_count > game->list_count) {
        uint8_t *list = realloc(game->list, from->list_count);
        if (!list)
            return handle_code(&game->status, status_no_memory(&game->status));
        game->list = list;
    }
    if (from->list) {
        /* `list_count` is the room of a list, which may be longer than the one it holds. */
        memcpy(game->list, from->list, from->list_count);
        if (game->list_count < from->list_count)
            game->list_count = from->list_count;
    }
    game->game = from->game;
    if (from->list)
        game->game.randomizer.list = game->list;
    game->watcher = from->watcher;
    game->started = from->started;
    return TETROPT_OK;
}

tetropt_game *tetropt_game_copy(const tetropt_game *game) {
    tetropt_game *copy = game ? calloc(1, sizeof *copy) : NULL;
    if (!copy)
        return NULL;
    copy->question = question_copy(game->question, &copy->status);
    if (copy->question && tetropt_game_assign(copy, game) == TETROPT_OK) {
        copy->options = copy->question->values;
        return copy;
    }
    tetropt_game_free(copy);
    return NULL;
}

/* ---- looking */

int tetropt_game_width(const tetropt_game *game) {
    if (!game)
        return 0;
    return game->started ? game->game.board.width : (int)game->options->width;
}

int tetropt_game_height(const tetropt_game *game) {
    if (!game)
        return 0;
    return game->started ? game->game.board.height : (int)game->options->height;
}

uint32_t tetropt_game_row(const tetropt_game *game, int y) {
    if (!game_is_started(game) || y < 0 || y >= board_rows(&game->game.board))
        return 0;
    return board_row(&game->game.board, y);
}

int tetropt_game_cell(const tetropt_game *game, int x, int y) {
    if (x < 0 || x >= tetropt_game_width(game) || y < 0)
        return 1;
    return tetropt_game_row(game, y) >> x & 1;
}

size_t grid_text(const Grid *grid, char *text, size_t bytes) {
    Text whole = {0};
    if (grid)
        board_text_write(grid, grid->height, &whole);
    size_t length = whole.failed ? 0 : whole.length;
    if (text && bytes > 0)
        snprintf(text, bytes, "%s", length ? whole.data : "");
    text_release(&whole);
    return length;
}

size_t tetropt_game_text(const tetropt_game *game, char *text, size_t bytes) {
    if (!game)
        return grid_text(NULL, text, bytes);
    Grid grid;
    grid_init(&grid, tetropt_game_width(game), tetropt_game_height(game));
    for (int y = 0; y < grid_rows(&grid); y++)
        for (int x = 0; x < grid.width; x++)
            if (tetropt_game_cell(game, x, y))
                grid.cells[y][x] = '#';
    return grid_text(&grid, text, bytes);
}

static int letter(unsigned piece) {
    return piece < PIECE_COUNT ? piece_letters[piece] : 0;
}

int tetropt_game_current(const tetropt_game *game) {
    return game_is_started(game) && game->game.over == OVER_NOT ? letter(game->game.current) : 0;
}

int tetropt_game_position(const tetropt_game *game, int *x, int *y, int *rotation) {
    if (!game_is_started(game) || !x || !y || !rotation)
        return TETROPT_INPUT;
    if (game->game.over != OVER_NOT)
        return TETROPT_UNMET;
    *x = game->game.x;
    *y = game->game.y;
    *rotation = game->game.rotation;
    return TETROPT_OK;
}

int tetropt_game_held(const tetropt_game *game) {
    return game_is_started(game) ? letter(game->game.hold) : 0;
}

int tetropt_game_next(const tetropt_game *game, int index) {
    bool visible = game_is_started(game) && index >= 0 && index < game->watcher.preview;
    return visible ? letter(game_next(&game->game, index)) : 0;
}

int64_t tetropt_game_score(const tetropt_game *game) {
    return game_is_started(game) ? game->game.score : 0;
}

int64_t tetropt_game_lines(const tetropt_game *game) {
    return game_is_started(game) ? game->game.lines : 0;
}

int64_t tetropt_game_pieces(const tetropt_game *game) {
    return game_is_started(game) ? game->game.pieces : 0;
}

int tetropt_game_over(const tetropt_game *game) {
    return game_is_started(game) ? (int)game->game.over : TETROPT_OVER_NOT;
}
