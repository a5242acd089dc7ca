/* play_options: the options that were given, as a request to core/player/setup. */
#include "cli/play_options.h"

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
