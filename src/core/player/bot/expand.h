/*
 * expand: the positions after one placement, each evaluated. The hot loop of the bot: it is
 * compiled for several CPU levels (base/cpu.h), all with the same results.
 */
#ifndef TETROPT_PLAYER_BOT_EXPAND_H
#define TETROPT_PLAYER_BOT_EXPAND_H

#include "player/bot/layer.h"
#include "player/bot/position.h"

enum { EXPAND_MAX = 1024 }; /* children of one node; more, in very large caves, are left out */

/* A placement and its result; the board is made only of those that are taken in. */
typedef struct Child {
    int32_t reward, value; /* as in Node */
    Placement move;
    uint8_t hold;
    uint16_t taken;
    BotChain chain;
    uint8_t rows;    /* cleared */
    uint8_t waiting; /* rows of garbage, after it */
    uint8_t lift;    /* those that came up since the root */
} Child;

/* Writes the children of a node: the current piece queue[node->taken] and the one that hold brings.
 * Placements that lock out are left out; a blocked current piece has none. Of the labels with which
 * the same cells can be filled one is taken: the best spin when rows are cleared, else the least.
 * Returns their number; all were evaluated. */
int expand_node(const BotWeights *weights, const Position *root, const Node *node,
                Child children[EXPAND_MAX]);

/* The board of a child, and all else of its node but parent, link and state. */
void expand_make(const Node *parent, const Child *child, Node *node);

/* The expected value of a node when the piece after the queue is not known: the best placement for
 * each piece that can come, weighed by its probability. `scratch` is working memory. Adds the
 * number of placements to *evaluated. */
int32_t expand_weigh(const BotWeights *weights, const Position *root, const Node *node,
                     Child scratch[EXPAND_MAX], int *evaluated);

#endif
