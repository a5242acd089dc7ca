/* Any bytes as messages, a line each, obeyed by a bot that looks at few nodes: refused with a
 * message, or answered with moves that can be made. */
#include "io/tbp.h"
#include "movegen/reach.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Position position;
static bool playing;

static void suggest(Bot *bot) {
    BotSuggestion suggestion;
    bot_suggest(bot, 0, &suggestion);
    for (int i = 0; i < suggestion.count; i++)
        if (!playing || !position_pieces_taken(&position, (Piece)suggestion.moves[i].piece) ||
            !reach_contains(&position.columns, suggestion.moves[i], false, true))
            abort();
    char *line = tbp_suggestion(&suggestion);
    if (!line)
        abort();
    free(line);
}

static void obey(Bot *bot, const TbpMessage *message) {
    switch (message->kind) {
    case TBP_START:
        position = message->position;
        playing = true;
        bot_start(bot, &position);
        break;
    case TBP_STOP:
        playing = false;
        bot_stop(bot);
        break;
    case TBP_PLAY:
        if (bot_play(bot, message->move, NULL) !=
            (playing && position_play(&position, message->move, NULL)))
            abort();
        break;
    case TBP_NEW_PIECE:
        if (bot_new_piece(bot, message->piece, NULL) !=
            (playing && position_add_piece(&position, message->piece, NULL)))
            abort();
        break;
    case TBP_SUGGEST:
        suggest(bot);
        break;
    default:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Bot *bot;
    static TbpMessage message;
    Status status = {0};
    if (!bot) {
        BotSettings settings = {.nodes = 60, .plan = {.memory_bytes = 1 << 20, .threads = 1}};
        options_defaults(bot_weights_table, &settings.plan.weights);
        bot = bot_new(&settings, &status);
        if (!bot)
            abort();
    }
    playing = false;
    bot_stop(bot);
    while (size > 0) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t length = end ? (size_t)(end - data) : size;
        status = (Status){0};
        if (tbp_read((const char *)data, length, &message, &status))
            obey(bot, &message);
        else if (status.code != STATUS_INPUT || status.message[0] == '\0')
            abort();
        size -= length + (end ? 1 : 0);
        data += length + (end ? 1 : 0);
    }
    return 0;
}
