/* play_options: the options that were given, as a request to core/player/setup. */
#include "cli/play_options.h"

#include "base/parameter.h"

static const Option rows[] = {
    PARAMETER_CHOICE(CliPlay, rules, "rules", NULL, RULES_CHOICES,
                     "rule set (default: the one that suits the agent)"),
    PARAMETER_CHOICE(CliPlay, randomizer, "randomizer", NULL, RANDOMIZER_CHOICES,
                     "source of the pieces (bag; under drop uniform)"),
    PARAMETER_INTEGER(CliPlay, preview, "preview", NULL, 0, AGENT_MAX_PREVIEW,
                      "visible next pieces (under guideline 1, for the bot 5, if the agent uses "
                      "them; else 0)"),
    PARAMETER_CHOICE(CliPlay, hold, "hold", NULL, "off|on",
                     "whether hold may be used (on under guideline if the agent uses it)"),
    PARAMETER_CHOICE(CliPlay, scoring, "scoring", "guideline", SCORING_CHOICES, "scoring table"),
    PARAMETER_INTEGER(CliPlay, width, "width", "10", BOARD_MIN_WIDTH, BOARD_MAX_WIDTH, "columns"),
    PARAMETER_INTEGER(CliPlay, height, "height", "20", BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT,
                      "visible rows"),
};

const OptionTable cli_play_options = OPTIONS_TABLE(rows);

SetupGame cli_play_game(const CliContext *context, const CliPlay *play, bool named, bool protocol) {
    SetupGame game = SETUP_GAME_DEFAULT;
    if (protocol) {
        game.rules = RULES_DROP;
        game.hold = game.preview = 0;
        game.randomizer = RANDOMIZER_BAG;
        game.scoring = SCORING_LOCAL_SEARCH;
    }
    if (named && cli_given(context, "rules"))
        game.rules = play->rules;
    if (named && cli_given(context, "hold"))
        game.hold = play->hold;
    if (named && cli_given(context, "preview"))
        game.preview = (int)play->preview;
    if (cli_given(context, "randomizer"))
        game.randomizer = play->randomizer;
    if (!protocol || cli_given(context, "scoring"))
        game.scoring = play->scoring;
    game.width = (int)play->width;
    game.height = (int)play->height;
    return game;
}
