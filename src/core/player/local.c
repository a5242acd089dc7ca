/* local: lists the drops and sums up the value of each. */
#include "player/local.h"

#include <assert.h>

static const Option rows[] = {
    OPTION_ROW(TurnSlide, FLAG, slide, "slide", .argument = "on|off", .fallback = "off",
               .tune = "no",
               .help = "a piece is rotated and moved in its spawn row without kicks, then dropped"),
    OPTION_ROW(TurnSlide, FLAG, box, "box", .argument = "on|off", .fallback = "off", .tune = "no",
               .help = "the box of a piece stays inside the board on the left: upright T, J and L "
                       "that point right never reach column 0"),
};

const OptionTable local_options = OPTIONS_TABLE(rows);

void local_evaluate(LocalPlayer *player, const AgentView *view) {
    LocalDrops *drops = &player->drops;
    TurnSlide how = player->slide;
    bool dead;
    drops->count = how.slide || how.box
                       ? turn_slides(view, how, drops->placements, &dead)
                       : turn_placements(view, &view->columns, (Piece)view->current, true,
                                         drops->placements, &dead);
    assert(drops->count > 0);
    EvaluatorTurn turn = {&view->columns, (Piece)view->hold};
    evaluator_judge_all(&player->evaluator, &turn, drops->placements, drops->count, drops->parts);
    for (int i = 0; i < drops->count; i++)
        drops->values[i] = drops->parts[i].move + drops->parts[i].board;
}
