/* evaluate_portable: the instance of evaluate_lanes.h for every CPU. */
#include "player/bot/evaluate.h"

#define TARGET
#define EVALUATE_BOARDS evaluate_boards_portable
#include "player/bot/evaluate_lanes.h"
