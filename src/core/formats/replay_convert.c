/*
 * replay_convert: replays from solutions and from fumens. Both know only where pieces locked; keys
 * and the result come from playing (replay_complete), which also proves that it is a game.
 */
#include "formats/fumen.h"
#include "formats/replay.h"

#include <string.h>

bool replay_from_steps(Replay *replay, const Grid *start, const uint8_t *pieces, size_t piece_count,
                       const DecodeStep *steps, int count, Status *status) {
    Rules rules = {.set = RULES_GUIDELINE,
                   .scoring = SCORING_UNIT,
                   .hold = true,
                   .width = start->width,
                   .height = start->height};
    replay_init(replay, &rules, start);
    for (size_t i = 0; i < piece_count; i++)
        replay_add_piece(replay, (Piece)pieces[i]);
    for (int i = 0; i < count; i++)
        replay_add_move(replay, steps[i].move.placement, steps[i].move.hold);
    if (replay_complete(replay, status))
        return true;
    replay_release(replay);
    return false;
}

/* A fumen is a game when every page shows what the page before left. */
static bool check_page(const Fumen *fumen, size_t i, Status *status) {
    const FumenPage *page = &fumen->pages[i];
    if (page->placement.piece != PIECE_NONE && page->lock && (page->rise || page->mirror))
        return status_fail(status, STATUS_INPUT,
                           "page %zu: rising rows and mirroring cannot be part of a game", i + 1);
    if (i == 0)
        return true;
    FumenField left;
    fumen_page_leave(&fumen->pages[i - 1], &left);
    return memcmp(left.cells, page->field.cells, sizeof left.cells) == 0 ||
           status_fail(status, STATUS_INPUT, "page %zu: the field was edited; this is not one game",
                       i + 1);
}

static bool add_pages(Replay *replay, const Fumen *fumen, Status *status) {
    for (size_t i = 0; i < fumen->count; i++) {
        const FumenPage *page = &fumen->pages[i];
        if (!check_page(fumen, i, status))
            return false;
        if (page->placement.piece == PIECE_NONE || !page->lock)
            continue;
        replay_add_piece(replay, (Piece)page->placement.piece);
        replay_add_move(replay, page->placement, false);
    }
    return true;
}

static void take_title(Replay *replay, const Fumen *fumen) {
    const char *comment = fumen->pages[0].comment;
    size_t length = strlen(comment);
    if (length >= sizeof replay->title)
        length = sizeof replay->title - 1;
    while (length > 0 && comment[length] && ((unsigned char)comment[length] & 0xc0) == 0x80)
        length--; /* not in the middle of a character */
    memcpy(replay->title, comment, length);
    replay->title[length] = '\0';
}

bool replay_from_fumen(Replay *replay, const char *text, size_t length, Status *status) {
    Fumen fumen;
    if (!fumen_decode(text, length, &fumen, status))
        return false;
    Rules rules = {
        .set = RULES_GUIDELINE, .scoring = SCORING_UNIT, .width = FUMEN_WIDTH, .height = 20};
    Grid start;
    grid_init(&start, rules.width, rules.height);
    replay_init(replay, &rules, &start);
    take_title(replay, &fumen);
    bool ok = (fumen_page_grid(&fumen.pages[0], &replay->start, status) ||
               status_prefix(status, "page 1")) &&
              add_pages(replay, &fumen, status) && replay_complete(replay, status);
    fumen_release(&fumen);
    if (!ok)
        replay_release(replay);
    return ok;
}
