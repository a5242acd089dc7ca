/* bot_boards: what the tests of the bot start from: its default weights, and boards as text. */
#ifndef TETROPT_TESTS_BOT_BOARDS_H
#define TETROPT_TESTS_BOT_BOARDS_H

#include "player/bot/bot.h"

static inline BotWeights default_weights(void) {
    BotWeights weights = {0};
    options_defaults(bot_weights_table, &weights);
    return weights;
}

/* Rows from the top. */
static inline void board_of(const char *const *rows, int count, Columns *columns) {
    *columns = (Columns){.width = 10, .height = 20};
    for (int i = 0; i < count; i++)
        for (int x = 0; x < 10; x++)
            columns->column[x] |= (uint64_t)(rows[i][x] == '#') << (count - 1 - i);
}

#endif
