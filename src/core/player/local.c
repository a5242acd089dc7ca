/* local: lists the drops and sums up what each is worth. */
#include "player/local.h"

#include <assert.h>

void local_evaluate(const AgentView *view, const Evaluator *evaluator, LocalDrops *drops) {
    bool dead;
    drops->count =
        turn_placements(view, &view->columns, (Piece)view->current, true, drops->placements, &dead);
    assert(drops->count > 0);
    for (int i = 0; i < drops->count; i++) {
        EvaluatorMove move = {&view->columns, drops->placements[i], (Piece)view->hold};
        Columns after;
        EvaluatorValue value = evaluator_judge(evaluator, &move, &after);
        drops->values[i] = value.move + value.board;
    }
}
