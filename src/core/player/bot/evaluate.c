/* evaluate: the table of weights, and the reward of a clear. */
#include "player/bot/evaluate.h"

#include "player/bot/evaluate_body.h"

enum { COMBO_MAX = 12 }; /* steps that the weight `combo` counts */

#define WEIGHT(field_, name_, default_, help_)                                                     \
    TUNED_INTEGER(BotWeights, field_, name_, default_, -10000, 10000, "-400..400", help_)

/* Found by an evolution strategy over whole games (8,000 nodes per move), then by simultaneous
 * perturbation (SPSA) over 14,000 games against itself: 95 Elo (docs/BOT.md). */
static const Option rows[] = {
    WEIGHT(height, "height", "-10", "each row of the tallest column"),
    WEIGHT(upper_half, "upper-half", "-31", "each row of it above 10"),
    WEIGHT(upper_quarter, "upper-quarter", "-149", "each row of it above 15"),
    WEIGHT(hole, "hole", "-68", "each empty cell under a filled one"),
    WEIGHT(hole_row, "hole-row", "-78", "each row with such a cell"),
    WEIGHT(overhang, "overhang", "36", "each of them that is open to one side"),
    WEIGHT(cover, "cover", "-5", "each cell on top of the uppermost hole of a column"),
    WEIGHT(bump, "bump", "-6", "each step between neighbours, the well left out"),
    WEIGHT(bump_square, "bump-square", "4", "the square of each step"),
    WEIGHT(row_transition, "row-transition", "-44", "each change along a row"),
    WEIGHT(well, "well", "30", "each row that only the well keeps open, up to 4"),
    WEIGHT(slot, "slot", "45", "a place for a T-spin that clears nothing yet"),
    WEIGHT(slot_single, "slot-single", "46", "one that clears a row"),
    WEIGHT(slot_double, "slot-double", "317", "one that clears two rows"),
    WEIGHT(hold_t, "hold-t", "50", "T in hold"),
    WEIGHT(hold_i, "hold-i", "53", "I in hold"),
    WEIGHT(back_to_back, "back-to-back", "15", "the last clear was a difficult one"),
    WEIGHT(waiting, "waiting", "-10", "each row of garbage that waits"),
    PARAMETER_INTEGER(BotWeights, attack, "attack", "100", -10000, 10000,
                      "each line sent"), /* not tuned: it sets the scale of the others */
    WEIGHT(clear[1], "clear-1", "-71", "one row without a spin"),
    WEIGHT(clear[2], "clear-2", "-202", "two rows"),
    WEIGHT(clear[3], "clear-3", "-187", "three rows"),
    WEIGHT(clear[4], "clear-4", "78", "four rows"),
    WEIGHT(spin[0], "spin-0", "-7", "a T-spin that clears nothing"),
    WEIGHT(spin[1], "spin-1", "1", "a T-spin that clears a row"),
    WEIGHT(spin[2], "spin-2", "94", "two rows"),
    WEIGHT(spin[3], "spin-3", "65", "three rows"),
    WEIGHT(mini[0], "mini-0", "6", "a mini that clears nothing"),
    WEIGHT(mini[1], "mini-1", "-83", "a mini that clears a row"),
    WEIGHT(mini[2], "mini-2", "-25", "two rows"),
    WEIGHT(break_chain, "break-chain", "-38", "a clear that ends back-to-back"),
    WEIGHT(combo, "combo", "10", "each step of a combo"),
    WEIGHT(perfect, "perfect", "247", "a board left empty"),
    WEIGHT(wasted_t, "wasted-t", "17", "a T without a spin that clears"),
};

const OptionTable bot_weights_table = OPTIONS_TABLE(rows);

static bool difficult(BotClear clear) {
    return clear.rows == 4 || clear.spin != SPIN_NONE;
}

BotChain evaluate_chain(BotChain before, BotClear clear) {
    if (clear.rows == 0)
        return (BotChain){0, before.back_to_back};
    uint8_t combo = (uint8_t)(before.combo < UINT8_MAX ? before.combo + 1 : UINT8_MAX);
    return (BotChain){combo, difficult(clear)};
}

int evaluate_attack(BotChain before, BotClear clear) {
    static const uint8_t plain[5] = {0, 0, 1, 2, 4};
    static const uint8_t full[4] = {0, 2, 4, 6};
    static const uint8_t mini[3] = {0, 0, 1};
    static const uint8_t combos[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5};
    enum { COMBO_LAST = sizeof combos - 1, BACK_TO_BACK = 1, PERFECT = 10 };
    if (clear.rows == 0)
        return 0;
    int rows_cleared = clear.rows < 4 ? clear.rows : 4, sent = plain[rows_cleared];
    if (clear.spin == SPIN_FULL)
        sent = full[rows_cleared < 3 ? rows_cleared : 3];
    else if (clear.spin == SPIN_MINI)
        sent = mini[rows_cleared < 2 ? rows_cleared : 2];
    if (before.back_to_back && difficult(clear))
        sent += BACK_TO_BACK;
    sent += combos[before.combo < COMBO_LAST ? before.combo : COMBO_LAST];
    return sent + (clear.perfect ? PERFECT : 0);
}

int32_t evaluate_reward(const BotWeights *w, BotChain before, BotClear clear) {
    int cleared = clear.rows < 4 ? clear.rows : 4;
    int64_t sum = w->attack * evaluate_attack(before, clear);
    if (clear.spin == SPIN_FULL)
        sum += w->spin[cleared < 3 ? cleared : 3];
    else if (clear.spin == SPIN_MINI)
        sum += w->mini[cleared < 2 ? cleared : 2];
    else if (cleared > 0)
        sum += w->clear[cleared];
    if (clear.piece == PIECE_T && (clear.spin == SPIN_NONE || cleared == 0))
        sum += w->wasted_t;
    if (cleared > 0 && before.back_to_back && !difficult(clear))
        sum += w->break_chain;
    if (cleared > 0)
        sum += w->combo * evaluate_least(before.combo, COMBO_MAX);
    return (int32_t)(sum + (clear.perfect ? w->perfect : 0));
}

int32_t evaluate_board(const BotWeights *weights, const uint64_t column[BOT_COLUMNS], Piece hold,
                       bool back_to_back) {
    return evaluate_columns(weights, column, hold, back_to_back);
}
