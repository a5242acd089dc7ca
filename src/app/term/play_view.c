/*
 * play_view: lays the parts of a live game out on a screen and draws them: numbers and hold on the
 * left, the field, the next pieces, and the agent's evaluation on the right where it fits.
 */
#include "term/play_view.h"

#include "term/field_view.h"

#include <stdio.h>
#include <string.h>

enum {
    LEFT_COLUMNS = 15,  /* hold and numbers */
    RIGHT_COLUMNS = 10, /* the next pieces */
    GAP = 2,
    THOUGHT_COLUMNS = 26,
    LEAST_FIELD_ROWS = 10,
    ABOVE_ROWS = 2, /* hidden rows that are shown where they fit */
    FRAME_ROWS = 2, /* the floor and the hints */
    SIDE_ROWS = 20, /* that the panels take */
    FLASH_US = 130000
};

typedef struct Layout {
    int cell_columns;
    int left, field, next, thoughts; /* their first columns; thoughts -1: they do not fit */
    int field_rows, low;
    int top;      /* of the field */
    int side_top; /* of the panels beside it */
} Layout;

void play_view_time(int64_t microseconds, char *text, size_t bytes) {
    int64_t tenths = microseconds / 100000;
    snprintf(text, bytes, "%lld:%02lld.%lld", (long long)(tenths / 600),
             (long long)(tenths / 10 % 60), (long long)(tenths % 10));
}

static int columns_needed(const PlayView *view, int cell_columns) {
    return LEFT_COLUMNS + GAP + cell_columns * view->live->grid.width + 2 + GAP + RIGHT_COLUMNS;
}

static int field_rows_needed(const PlayView *view) {
    int all = view->live->grid.height + ABOVE_ROWS;
    return all < LEAST_FIELD_ROWS ? all : LEAST_FIELD_ROWS;
}

/* The lowest row to show so that the piece is visible. */
static int window_low(const Live *live, int rows) {
    const Game *game = &live->game;
    if (game->current == PIECE_NONE)
        return 0;
    int top = game->y + piece_shapes[game->current][game->rotation].max_y;
    int most = live->grid.height + ABOVE_ROWS - rows;
    int low = top + 1 - rows;
    low = low < 0 ? 0 : low;
    return low > most ? (most > 0 ? most : 0) : low;
}

static bool lay_out(const PlayView *view, const Screen *screen, Layout *layout) {
    bool wanted = view->thoughts || view->notes[0] || view->rival;
    int spare = wanted ? GAP + THOUGHT_COLUMNS : 0;
    layout->cell_columns = columns_needed(view, 2) + spare <= screen->columns   ? 2
                           : columns_needed(view, 1) + spare <= screen->columns ? 1
                           : columns_needed(view, 2) <= screen->columns         ? 2
                                                                                : 1;
    int needed = columns_needed(view, layout->cell_columns);
    int rows = screen->rows - FRAME_ROWS, all = view->live->grid.height + ABOVE_ROWS;
    if (needed > screen->columns || rows < field_rows_needed(view))
        return false;
    bool panel = wanted && needed + spare <= screen->columns;
    int total = needed + (panel ? spare : 0);
    layout->left = (screen->columns - total) / 2;
    layout->field = layout->left + LEFT_COLUMNS + GAP;
    layout->next = layout->field + layout->cell_columns * view->live->grid.width + 2 + GAP;
    layout->thoughts = panel ? layout->next + RIGHT_COLUMNS + GAP : -1;
    layout->field_rows = rows < all ? rows : all;
    layout->low = window_low(view->live, layout->field_rows);
    layout->top = (rows - layout->field_rows) / 2;
    int most = screen->rows - 1 - SIDE_ROWS; /* beside a low field they begin further up */
    layout->side_top = layout->top < most ? layout->top : most > 0 ? most : 0;
    return true;
}

/* With the size that would be enough. */
static void draw_too_small(const PlayView *view, Screen *screen) {
    int rows = field_rows_needed(view) + FRAME_ROWS, columns = columns_needed(view, 1);
    int row = screen->rows / 2 - 1;
    screen_put(screen, row < 0 ? 0 : row, 0, STYLE_WARNING, "terminal too small");
    screen_format(screen, row + 1, 0, STYLE_PLAIN, "%dx%d, need %dx%d", screen->columns,
                  screen->rows, columns, rows);
}

/* ---- the field */

/* The board of the opponent, with the piece that falls. */
static void draw_rival(const PlayView *view, const Layout *layout, Screen *screen) {
    const Live *live = view->rival;
    const Game *game = &live->game;
    bool wide = layout->cell_columns * live->grid.width + 2 > THOUGHT_COLUMNS;
    FieldView field = {.grid = &live->grid,
                       .piece.piece = PIECE_NONE,
                       .ghost.piece = PIECE_NONE,
                       .cell_columns = wide ? 1 : layout->cell_columns,
                       .low = window_low(live, layout->field_rows),
                       .rows = layout->field_rows};
    if (game->current != PIECE_NONE && live->end == LIVE_RUNNING)
        field.piece = (Placement){game->current, game->rotation, game->x, game->y, SPIN_NONE};
    field_view_draw(&field, layout->top, layout->thoughts, screen);
}

static void draw_field(const PlayView *view, const Layout *layout, Screen *screen) {
    const Live *live = view->live;
    if (view->hidden) {
        Grid empty;
        grid_init(&empty, live->grid.width, live->grid.height);
        FieldView field = {.grid = &empty,
                           .piece.piece = PIECE_NONE,
                           .ghost.piece = PIECE_NONE,
                           .cell_columns = layout->cell_columns,
                           .low = layout->low,
                           .rows = layout->field_rows};
        field_view_draw(&field, layout->top, layout->field, screen);
        return;
    }
    bool flash = live->last.lines > 0 && live->time_us - live->last.time_us < FLASH_US &&
                 live->end == LIVE_RUNNING;
    FieldView field = {.grid = flash ? &live->last.before : &live->grid,
                       .piece.piece = PIECE_NONE,
                       .ghost.piece = PIECE_NONE,
                       .flash = flash ? live->last.rows : 0,
                       .cell_columns = layout->cell_columns,
                       .low = layout->low,
                       .rows = layout->field_rows};
    if (!flash && live->game.current != PIECE_NONE && live->game.over != OVER_NO_PIECES) {
        const Game *game = &live->game;
        field.piece = (Placement){game->current, game->rotation, game->x, game->y, SPIN_NONE};
        if (live->end == LIVE_RUNNING)
            field.ghost = view->ghost ? *view->ghost : game_landing(&live->game);
    }
    field_view_draw(&field, layout->top, layout->field, screen);
}

/* ---- the panels */

/* A label and its value; returns the next row. */
static int draw_fact(Screen *screen, int row, int column, const char *label, const char *value) {
    screen_put(screen, row, column, STYLE_DIM, label);
    screen_format(screen, row, column + 6, STYLE_PLAIN, "%9s", value);
    return row + 1;
}

static void draw_left(const PlayView *view, const Layout *layout, Screen *screen) {
    const Game *game = &view->live->game;
    int row = layout->side_top, column = layout->left;
    screen_format(screen, row++, column, STYLE_BOLD, "%.*s", LEFT_COLUMNS, view->mode);
    if (view->state)
        screen_format(screen, row, column, STYLE_DIM, "%.*s", LEFT_COLUMNS, view->state);
    if (view->more)
        screen_format(screen, row + 1, column, STYLE_DIM, "%.*s", LEFT_COLUMNS, view->more);
    row += 2;
    if (game->rules.hold) {
        screen_put(screen, row, column, STYLE_DIM, "hold");
        if (!view->hidden)
            field_view_piece((Piece)game->hold, game->hold_used, row + 1, column + 2, screen);
        row += 4;
    }
    static const char *const labels[] = {"score", "level", "lines", "pieces"};
    const int64_t numbers[] = {live_score(view->live), live_level(view->live), game->lines,
                               game->pieces};
    char value[48];
    for (int i = 0; i < 4; i++) {
        int length = snprintf(value, sizeof value, "%lld", (long long)numbers[i]);
        if (i == 2 && view->live->max_lines != INT64_MAX) /* a sprint counts towards its end */
            snprintf(value + length, sizeof value - (size_t)length, "/%lld",
                     (long long)view->live->max_lines);
        row = draw_fact(screen, row, column, labels[i], value);
    }
    play_view_time(view->live->time_us, value, sizeof value);
    if (!view->no_time) {
        row = draw_fact(screen, row, column, "time", value);
        double seconds = (double)view->live->time_us * 1e-6;
        snprintf(value, sizeof value, "%.2f", seconds > 0 ? (double)game->pieces / seconds : 0);
        row = draw_fact(screen, row, column, "PPS", value);
    }
    for (size_t i = 0; i < sizeof view->facts / sizeof *view->facts; i++)
        if (view->facts[i].label)
            row = draw_fact(screen, row, column, view->facts[i].label, view->facts[i].value);
}

static void draw_next(const PlayView *view, const Layout *layout, Screen *screen) {
    if (view->next_count == 0 || view->hidden)
        return;
    screen_put(screen, layout->side_top, layout->next, STYLE_DIM, "next");
    for (int i = 0; i < view->next_count && i < PLAY_VIEW_NEXT; i++)
        if (layout->side_top + 3 + 3 * i < screen->rows - 1)
            field_view_piece(game_next(&view->live->game, i), false, layout->side_top + 1 + 3 * i,
                             layout->next, screen);
}

/* ---- the evaluation of the agent */

static void draw_thought(const Thought *thought, bool chosen, int row, int column, Screen *screen) {
    const Placement *at = &thought->decision.placement;
    screen_format(screen, row, column, chosen ? STYLE_BOLD : STYLE_PLAIN, "%c%9.2f  %c %-5s x=%d%s",
                  chosen ? '>' : ' ', thought->value, piece_letters[at->piece],
                  rotation_names[at->rotation], at->x, thought->decision.hold ? " h" : "");
}

static bool is_goal(const PlayView *view, const Thought *thought) {
    return view->goal.known &&
           placement_same_cells(thought->decision.placement, view->goal.decision.placement);
}

/* Of the placement being played, or of the best. Names get the space that is left. */
static void draw_features(const PlayView *view, int row, int column, Screen *screen) {
    if (view->thoughts->count == 0 && !view->goal.known)
        return;
    const Thought *thought = view->goal.known ? &view->goal_thought : &view->thoughts->best[0];
    int wide = screen->columns - column - 15;
    wide = wide < 12 ? 12 : wide > 20 ? 20 : wide;
    screen_format(screen, row++, column, STYLE_DIM, "%-*s  value contrib", wide, "feature");
    const EvaluatorKind *kind = view->evaluator->kind;
    for (int i = 0; i < kind->count && row < screen->rows - 1; i++) {
        double score = thought->features[i] * view->evaluator->weights[i];
        screen_format(screen, row++, column, STYLE_PLAIN, "%-*.*s %6.6g %7.2f", wide, wide,
                      kind->names[i], thought->features[i], score == 0 ? 0 : score);
    }
}

static void draw_thoughts(const PlayView *view, const Layout *layout, Screen *screen) {
    int row = layout->side_top, column = layout->thoughts;
    const Thoughts *thoughts = view->thoughts;
    screen_format(screen, row++, column, STYLE_BOLD, "best of %d placements", thoughts->placements);
    screen_format(screen, row++, column, STYLE_DIM, "by %s", view->weights);
    int shown = screen->rows >= 24 ? 5 : 3;
    bool goal_shown = !view->goal.known;
    for (int i = 0; i < thoughts->count && i < shown; i++) {
        const Thought *thought = &thoughts->best[i];
        bool goal = is_goal(view, thought);
        if (i == shown - 1 && !goal_shown && !goal) /* the last line is for the placement played */
            thought = &view->goal_thought;
        goal_shown |= goal;
        draw_thought(thought, is_goal(view, thought), row++, column, screen);
    }
    if (view->goal.known && view->goal.overtaken)
        screen_put(screen, row, column, STYLE_WARNING, "overtaken: new target");
    draw_features(view, row + 1, column, screen);
}

/* ---- over the field */

static void draw_box(const PlayView *view, const Layout *layout, Screen *screen) {
    int count = 0;
    size_t wide = 0;
    while (count < PLAY_VIEW_LINES && view->box[count]) {
        size_t length = strlen(view->box[count++]);
        wide = length > wide ? length : wide;
    }
    if (count == 0)
        return;
    int field_columns = layout->cell_columns * view->live->grid.width;
    int left = layout->field + 1 + (field_columns - (int)wide) / 2 - 1;
    int top = layout->top + (layout->field_rows - count) / 2 - 1;
    left = left < 0 ? 0 : left;
    for (int i = -1; i <= count; i++) {
        const char *line = i >= 0 && i < count ? view->box[i] : "";
        int before = ((int)wide - (int)strlen(line)) / 2;
        screen_format(screen, top + 1 + i, left, STYLE_SELECTED, " %*s%-*s ", before, "",
                      (int)wide - before, line);
    }
}

bool play_view_draw(const PlayView *view, Screen *screen) {
    Layout layout;
    screen_clear(screen);
    if (!lay_out(view, screen, &layout)) {
        draw_too_small(view, screen);
        return false;
    }
    draw_field(view, &layout, screen);
    draw_left(view, &layout, screen);
    draw_next(view, &layout, screen);
    if (layout.thoughts >= 0 && view->rival && !view->hidden)
        draw_rival(view, &layout, screen);
    if (layout.thoughts >= 0 && view->thoughts)
        draw_thoughts(view, &layout, screen);
    for (int i = 0; layout.thoughts >= 0 && !view->thoughts && view->notes[i]; i++)
        screen_put(screen, layout.side_top + i, layout.thoughts, i == 0 ? STYLE_BOLD : STYLE_PLAIN,
                   view->notes[i]);
    draw_box(view, &layout, screen);
    if (view->hints)
        screen_put(screen, screen->rows - 1, 0, STYLE_DIM, view->hints);
    return true;
}
