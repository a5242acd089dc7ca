/* score: the tables (docs/RULES.md), and the bonuses and the gravity of the guideline. */
#include "engine/score.h"

typedef struct ScoreTable {
    int16_t points[5]; /* by lines cleared at once */
    bool times_level;
    bool raised_first; /* the level is the one after the clear */
} ScoreTable;

/* local-search multiplies by the level because only that explains the scores its authors published;
 * their program raised the level before it gave the points. */
static const ScoreTable tables[SCORING_COUNT] = {
    [SCORING_UNIT] = {{0, 1, 3, 5, 8}, false, false},
    [SCORING_GUIDELINE] = {{0, 100, 300, 500, 800}, true, false},
    [SCORING_LOCAL_SEARCH] = {{0, 100, 200, 400, 800}, true, false},
    [SCORING_CLASSIC] = {{0, 40, 100, 300, 1200}, false, false},
    [SCORING_LOCAL_SEARCH_PUBLISHED] = {{0, 100, 200, 400, 800}, true, true},
};

static const int16_t spin_points[SPIN_COUNT][5] = {
    [SPIN_NONE] = {0, 100, 300, 500, 800},
    [SPIN_MINI] = {100, 200, 400, 400, 400},
    [SPIN_FULL] = {400, 800, 1200, 1600, 1600},
};

/* For a board left empty, by rows. */
static const int16_t empty_points[5] = {0, 800, 1200, 1800, 2000};

enum { COMBO_POINTS = 50, EMPTY_BACK_TO_BACK_TETRIS_POINTS = 3200, GRAVITY_LEVELS = 20 };

int64_t score_lines(Scoring scoring, int lines, int64_t level) {
    const ScoreTable *table = &tables[scoring];
    int64_t points = (int64_t)(lines / 4) * table->points[4] + table->points[lines % 4];
    return table->times_level ? points * level : points;
}

int64_t score_clear(Scoring scoring, int lines, int64_t before) {
    return score_lines(scoring, lines,
                       score_level(tables[scoring].raised_first ? before + lines : before));
}

bool score_uses_level(Scoring scoring) {
    return tables[scoring].times_level;
}

int64_t score_with_bonus(ScoreLock lock, int64_t level, ScoreChain *chain) {
    int lines = lock.lines > 4 ? 4 : lock.lines;
    int64_t points = spin_points[lock.spin][lines];
    if (lines == 0) {
        chain->combo = 0;
        return points * level;
    }
    bool difficult = lines == 4 || lock.spin != SPIN_NONE;
    bool repeated = difficult && chain->back_to_back;
    if (repeated)
        points += points / 2;
    points += (int64_t)COMBO_POINTS * chain->combo;
    if (lock.board_empty)
        points += repeated && lines == 4 ? EMPTY_BACK_TO_BACK_TETRIS_POINTS : empty_points[lines];
    chain->combo++;
    chain->back_to_back = difficult;
    return points * level;
}

/* The guideline's curve, (0.8 - 0.007 (level - 1)) ^ (level - 1); from level 20 on it stays. */
double score_gravity_seconds(int64_t level) {
    int64_t capped = level < 1 ? 1 : level > GRAVITY_LEVELS ? GRAVITY_LEVELS : level;
    double base = 0.8 - (double)(capped - 1) * 0.007, seconds = 1.0;
    for (int64_t i = 1; i < capped; i++)
        seconds *= base;
    return seconds;
}
