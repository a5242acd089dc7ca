/*
 * tbp: the messages of the Tetris Bot Protocol (github.com/tetris-bot-protocol/tbp-spec), one JSON
 * object per line. Reads what a frontend sends, writes what a bot answers. Members and types that
 * are not known are ignored. `garbage` is the extension that was proposed there (0002-garbage),
 * `incoming` our own (docs/TBP.md).
 */
#ifndef TETROPT_IO_TBP_H
#define TETROPT_IO_TBP_H

#include "player/bot/bot.h"

#include <stddef.h>

typedef enum TbpKind {
    TBP_UNKNOWN, /* a type that means nothing here */
    TBP_RULES,
    TBP_START,
    TBP_PLAY,
    TBP_NEW_PIECE,
    TBP_GARBAGE,
    TBP_INCOMING,
    TBP_SUGGEST,
    TBP_STOP,
    TBP_QUIT
} TbpKind;

typedef struct TbpMessage {
    TbpKind kind;
    bool supported;          /* TBP_RULES: the rules can be played */
    Position position;       /* TBP_START */
    Placement move;          /* TBP_PLAY */
    Piece piece;             /* TBP_NEW_PIECE */
    uint16_t rows[BOT_ROWS]; /* TBP_GARBAGE: bits by column, the last row the new floor */
    int row_count;           /* TBP_GARBAGE, TBP_INCOMING */
    /* Something that was not understood but can be done without, or "". */
    char remark[STATUS_MESSAGE_BYTES];
} TbpMessage;

/* Reads a line. On failure `status` says what is wrong, and message->kind is the type if it was
 * understood, so that a broken `start` still ends the game before it. */
bool tbp_read(const char *line, size_t length, TbpMessage *message, Status *status);

/* Lines to send, without the end of line; the caller frees them. NULL: no memory. */
char *tbp_info(const char *version);
char *tbp_ready(void);
char *tbp_error(const char *reason);
char *tbp_suggestion(const BotSuggestion *suggestion);

#endif
