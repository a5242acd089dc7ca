/* thoughts: every placement of a turn with its value by the weights, the best first. */
#include "live/thoughts.h"

#include "player/turn.h"

static void insert(Thoughts *thoughts, const Thought *thought) {
    int place = thoughts->count;
    while (place > 0 && thoughts->best[place - 1].value < thought->value)
        place--;
    if (place == THOUGHTS_MAX)
        return;
    int last = thoughts->count < THOUGHTS_MAX ? thoughts->count++ : THOUGHTS_MAX - 1;
    for (int i = last; i > place; i--)
        thoughts->best[i] = thoughts->best[i - 1];
    thoughts->best[place] = *thought;
}

/* The held piece after the decision. */
static Piece held_after(const AgentView *view, bool hold) {
    return hold ? (Piece)view->current : (Piece)view->hold;
}

Thought thoughts_evaluate(const AgentView *view, const Evaluator *evaluator, Move decision) {
    Thought thought = {.decision = decision};
    EvaluatorMove move = {&view->columns, decision.placement, held_after(view, decision.hold)};
    Columns after;
    evaluator->kind->measure(evaluator, &move, &after, thought.features);
    for (int i = 0; i < evaluator->kind->count; i++)
        thought.value += evaluator->weights[i] * thought.features[i];
    return thought;
}

void thoughts_of(const AgentView *view, const Evaluator *evaluator, Thoughts *thoughts) {
    *thoughts = (Thoughts){.kind = evaluator->kind};
    TurnOption options[TURN_OPTIONS];
    int option_count = turn_options(view, turn_hand(view), options);
    for (int k = 0; k < option_count; k++) {
        Placement placements[REACH_MAX];
        bool dead;
        int count = turn_placements(view, &view->columns, (Piece)options[k].piece, false,
                                    placements, &dead);
        thoughts->placements += count;
        for (int i = 0; i < count; i++) {
            Move decision = {placements[i], options[k].hold};
            Thought thought = thoughts_evaluate(view, evaluator, decision);
            insert(thoughts, &thought);
        }
    }
}
