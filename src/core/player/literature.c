/*
 * literature: the one-piece controllers of the literature as agents, over the drop controller, and
 * `surface`, which was trained here.
 *
 * One player over the drop controller, one agent for each published set of weights; and two that
 * see the next piece, too.
 */
#include "base/memory.h"
#include "eval/literature_kind.h"
#include "eval/surface_kind.h"
#include "player/drop/drop.h"
#include "player/registry.h"

#include <stdlib.h>

static void *new_player(const AgentSetup *setup, const void *parameters, Status *status) {
    (void)parameters;
    DropController *controller = memory_new(1, sizeof *controller, status);
    if (!controller)
        return NULL;
    Weights weights = literature_weights(&setup->evaluator);
    drop_init(controller, &weights, setup->rules.width, setup->rules.height);
    return controller;
}

static Move choose(void *player, const AgentView *view, Rng *rng) {
    (void)rng;
    DropChoice choice = drop_choose(player, &view->columns, (Piece)view->current);
    return (Move){choice.placement, false};
}

static void stream(void *player, GameStream *games, int64_t pieces, bool one_game) {
    drop_play(player, games, pieces, one_game);
}

static Move choose_two(void *player, const AgentView *view, Rng *rng) {
    (void)rng;
    Piece next = view->queue_count > 0 ? (Piece)view->queue[0] : PIECE_NONE;
    DropChoice choice = drop_choose_two(player, &view->columns, (Piece)view->current, next);
    return (Move){choice.placement, false};
}

static void stream_two(void *player, GameStream *games, int64_t pieces, bool one_game) {
    drop_play_two(player, games, pieces, one_game);
}

#define CONTROLLER(symbol_, name_, kind_, summary_)                                                \
    const Agent symbol_ = {                                                                        \
        .name = name_,                                                                             \
        .summary = summary_,                                                                       \
        .abilities = AGENT_DROP | AGENT_DROP_FIRST | AGENT_SCALE_FREE,                             \
        .weights = name_,                                                                          \
        .only_kind = &kind_,                                                                       \
        .new_player = new_player,                                                                  \
        .free_player = free,                                                                       \
        .choose = choose,                                                                          \
        .stream = stream,                                                                          \
    }

CONTROLLER(dellacherie_agent, "dellacherie", literature_kind,
           "Dellacherie's controller, six features by hand");
CONTROLLER(el_tetris_agent, "el-tetris", literature_kind,
           "the same features, weights by particle swarm");
CONTROLLER(cma_dellacherie_agent, "cma-dellacherie", literature_kind,
           "the same features, weights by CMA-ES");
CONTROLLER(bcts_agent, "bcts", literature_kind, "eight features, weights by cross-entropy");
CONTROLLER(dt10_agent, "dt10", literature_kind, "nine features, trained on 10x10 boards");
CONTROLLER(dt20_agent, "dt20", literature_kind,
           "nine features, trained on 10x20 boards: the published record");
CONTROLLER(surface_agent, "surface", surface_kind,
           "those nine and a weight for every pattern of the surface");

#define SEES_NEXT(symbol_, name_, weights_, kind_, summary_)                                       \
    const Agent symbol_ = {                                                                        \
        .name = name_,                                                                             \
        .summary = summary_,                                                                       \
        .abilities = AGENT_DROP | AGENT_DROP_FIRST | AGENT_SCALE_FREE | AGENT_PREVIEW,             \
        .weights = weights_,                                                                       \
        .only_kind = &kind_,                                                                       \
        .new_player = new_player,                                                                  \
        .free_player = free,                                                                       \
        .choose = choose_two,                                                                      \
        .stream = stream_two,                                                                      \
    }

SEES_NEXT(dt20_next_agent, "dt20-next", "dt20", literature_kind,
          "dt20 that sees the next piece: the best board after both");
SEES_NEXT(surface_next_agent, "surface-next", "surface", surface_kind,
          "surface that sees the next piece, too");
