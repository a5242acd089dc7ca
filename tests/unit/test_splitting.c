/* splitting: the rate of deaths is that of games played to their end, whatever the controller. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>

#include "player/drop/drop.h"
#include "player/registry.h"
#include "scale.h"
#include "simulate/splitting.h"

static SplittingEstimate estimate_by(const Agent *agent, DropController *controller,
                                     RandomizerKind kind, uint64_t stream, int tries) {
    SplittingPlan plan = {.agent = agent,
                          .player = controller,
                          .width = controller->width,
                          .height = controller->height,
                          .randomizer = kind,
                          .seed = 5,
                          .stream = stream,
                          .level_rows = agent == &dt20_agent ? 2 : 1,
                          .tries = tries,
                          .longest = 100000};
    SplittingEstimate found;
    Status status = {0};
    cr_assert(splitting_estimate(&plan, &found, &status));
    cr_assert(found.complete);
    return found;
}

static SplittingEstimate estimate(DropController *controller, RandomizerKind kind, uint64_t stream,
                                  int tries) {
    return estimate_by(&dt20_agent, controller, kind, stream, tries);
}

/* Both rates with their standard errors: independent estimates, and Poisson deaths. */
static void compare_by(const Agent *agent, const char *set, int width, int height,
                       RandomizerKind kind) {
    DropController controller;
    drop_init(&controller, &weight_set_find(set)->weights, width, height);
    int count = scaled(40) > 12 ? scaled(40) : 12;
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        double rate = estimate_by(agent, &controller, kind, (uint64_t)i, 400).deaths_per_line;
        sum += rate;
        squares += rate * rate;
    }
    double mean = sum / count, variance = (squares / count - mean * mean) / (count - 1);
    Randomizer randomizer;
    randomizer_init(&randomizer, kind, 99, 0);
    GameStream stream;
    stream_init(&stream, controller.width, controller.height, &randomizer);
    int deaths = scaled(1000) > 200 ? scaled(1000) : 200;
    while (stream.deaths < deaths)
        agent->stream(&controller, &stream, 1000, false);
    double direct = (double)stream.deaths / (double)stream.lines;
    double error = sqrt(variance + direct * direct / (double)stream.deaths);
    cr_expect(fabs(mean - direct) < 4 * error, "%s on %dx%d: %g deaths a line, %g when played (%g)",
              set, width, height, mean, direct, error);
    cr_expect(error < 0.3 * direct, "%s on %dx%d: an error of %g says nothing about %g", set, width,
              height, error, direct);
}

static void compare(const char *set, int width, int height, RandomizerKind kind) {
    compare_by(&dt20_agent, set, width, height, kind);
}

/* The next piece belongs to the state: drawing it again at every level would show. */
Test(splitting, agrees_with_games_of_two_pieces) {
    compare_by(&dt20_next_agent, "dt20", 6, 8, RANDOMIZER_UNIFORM);
}

Test(splitting, agrees_with_games_to_the_end) {
    compare("dt20", 10, 8, RANDOMIZER_UNIFORM);
    compare("bcts", 10, 10, RANDOMIZER_UNIFORM);
    compare("dellacherie", 8, 10, RANDOMIZER_UNIFORM);
    compare("dt10", 10, 14, RANDOMIZER_SZ_RANDOM);
}

Test(splitting, belongs_to_its_seed) {
    DropController controller;
    drop_init(&controller, &weight_set_find("dt20")->weights, 10, 12);
    SplittingEstimate a = estimate(&controller, RANDOMIZER_UNIFORM, 1, 50);
    SplittingEstimate b = estimate(&controller, RANDOMIZER_UNIFORM, 1, 50);
    SplittingEstimate c = estimate(&controller, RANDOMIZER_UNIFORM, 2, 50);
    cr_expect(a.deaths_per_line == b.deaths_per_line && a.pieces == b.pieces);
    cr_expect(a.deaths_per_line != c.deaths_per_line);
}

Test(splitting, stops) {
    DropController controller;
    drop_init(&controller, &weight_set_find("dt20")->weights, 10, 20);
    atomic_bool stop = true;
    SplittingPlan plan = {.agent = &dt20_agent,
                          .player = &controller,
                          .width = 10,
                          .height = 20,
                          .level_rows = 2,
                          .randomizer = RANDOMIZER_UNIFORM,
                          .seed = 1,
                          .tries = SPLITTING_MAX_TRIES,
                          .longest = 1000,
                          .stop = &stop};
    SplittingEstimate found;
    Status status = {0};
    cr_assert(splitting_estimate(&plan, &found, &status));
    cr_expect(!found.complete);
    cr_expect(found.pieces < 10000);
}

/* A controller that dies at once, and one whose stack is always near the top. */
Test(splitting, ends_for_bad_controllers, .timeout = 60) {
    Weights bad = {.values = {[FEATURE_LANDING_HEIGHT] = 1}};
    for (int height = BOARD_MIN_HEIGHT; height <= 12; height++) {
        DropController controller;
        drop_init(&controller, &bad, 10, height);
        cr_expect_gt(estimate(&controller, RANDOMIZER_UNIFORM, 1, 20).deaths_per_line, 0.1);
        drop_init(&controller, &weight_set_find("dt20")->weights, 10, height);
        cr_expect_gt(estimate(&controller, RANDOMIZER_UNIFORM, 1, 20).deaths_per_line, 1e-6);
    }
}
