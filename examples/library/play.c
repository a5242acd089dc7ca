/*
 * play: a player of your own. For every piece it tries all placements on a copy of the game,
 * evaluates the board after each, and takes the best.
 *
 *     cc play.c -o play $(pkg-config --cflags --libs tetropt)
 *     ./play 7
 */
#include <stdio.h>
#include <tetropt.h>

enum { PLACEMENTS_MAX = 4096, PIECES = 1000 };

/* The height of a column: the row of its highest filled cell, from 1; 0: empty. */
static int column_height(const tetropt_game *game, int x) {
    int y = tetropt_game_height(game) + 3;
    while (y > 0 && !tetropt_game_cell(game, x, y - 1))
        y--;
    return y;
}

/* The evaluation: change it as you like. Holes, tall columns and steps between columns are bad,
 * lines are good. */
static double evaluate(const tetropt_game *game, int64_t lines) {
    double value = 0.76 * (double)lines;
    int before = 0;
    for (int x = 0; x < tetropt_game_width(game); x++) {
        int height = column_height(game, x), holes = 0;
        for (int y = 0; y < height; y++)
            holes += !tetropt_game_cell(game, x, y);
        int step = x > 0 ? height - before : 0;
        value -= 0.51 * height + 0.36 * holes + 0.18 * (step < 0 ? -step : step);
        before = height;
    }
    return value;
}

static const tetropt_placement *choose(const tetropt_game *game, tetropt_game *trial,
                                       const tetropt_placement *placements, int count) {
    const tetropt_placement *best = NULL;
    double best_value = 0;
    for (int i = 0; i < count; i++) {
        if (tetropt_game_assign(trial, game) != TETROPT_OK ||
            tetropt_game_place(trial, &placements[i]) != TETROPT_OK)
            return NULL;
        double value = evaluate(trial, tetropt_game_lines(trial) - tetropt_game_lines(game));
        if (tetropt_game_over(trial))
            value -= 1e6;
        if (!best || value > best_value) {
            best = &placements[i];
            best_value = value;
        }
    }
    return best;
}

static void play(tetropt_game *game, tetropt_game *trial) {
    tetropt_placement placements[PLACEMENTS_MAX];
    while (!tetropt_game_over(game) && tetropt_game_pieces(game) < PIECES) {
        int count = tetropt_game_placements(game, placements, PLACEMENTS_MAX);
        const tetropt_placement *best =
            choose(game, trial, placements, count < PLACEMENTS_MAX ? count : PLACEMENTS_MAX);
        if (!best || tetropt_game_place(game, best) != TETROPT_OK)
            return;
    }
}

int main(int count, char **arguments) {
    int code = 1;
    tetropt_game *game = tetropt_game_new(), *trial = tetropt_game_new();
    if (!game || !trial)
        goto out;
    if (tetropt_game_set(game, "seed", count > 1 ? arguments[1] : "1") != TETROPT_OK ||
        tetropt_game_start(game) != TETROPT_OK) {
        fprintf(stderr, "play: %s\n", tetropt_game_message(game));
        goto out;
    }
    play(game, trial);
    char board[2048];
    tetropt_game_text(game, board, sizeof board);
    printf("%s%lld pieces, %lld lines, %lld points%s\n", board,
           (long long)tetropt_game_pieces(game), (long long)tetropt_game_lines(game),
           (long long)tetropt_game_score(game), tetropt_game_over(game) ? ", game over" : "");
    code = 0;
out:
    tetropt_game_free(game);
    tetropt_game_free(trial);
    return code;
}
