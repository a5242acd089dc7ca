/*
 * animation: one group per step, all on top of each other and each visible in its own time. In a
 * group the piece falls onto the muted stack and full rows flash before the next group shows.
 */
#include "draw/animation.h"

#include "draw/panel.h"

#include <math.h>
#include <stdio.h>

#define CELL 22.0
#define MARGIN CELL
#define HEADING (3.2 * CELL)
#define END_SECONDS 2.5  /* how long the final board is shown */
#define DROP_SHARE 0.45  /* of a piece's time: its fall */
#define FLASH_SHARE 0.72 /* from here on full rows flash */

typedef struct Animation {
    const ViewGame *game;
    int rows;
    double seconds, duration;
} Animation;

static Panel panel_of(const Animation *animation, const Frame *frame, int fresh) {
    return (Panel){.frame = frame,
                   .rows = animation->rows,
                   .fresh = fresh,
                   .left = MARGIN,
                   .top = HEADING,
                   .cell = CELL};
}

/* Opens a group whose attribute changes at two times, given in seconds. */
static void open_changing(Drawing *drawing, const Animation *animation, const char *attribute,
                          const char *values, double start, double end) {
    char times[64];
    snprintf(times, sizeof times, "0;%.7f;%.7f;1", start / animation->duration,
             end / animation->duration);
    drawing_open_group(drawing, false,
                       &(DrawingMotion){attribute, values, times, animation->duration});
}

/* Opens a group that is visible from one time to another; the last one is what viewers without
 * SMIL show. */
static void open_visible(Drawing *drawing, const Animation *animation, double from, double to) {
    double start = from / animation->duration, end = to / animation->duration;
    bool first = from <= 0, last = to >= animation->duration;
    char times[64];
    if (first || last)
        snprintf(times, sizeof times, "0;%.7f", first ? end : start);
    else
        snprintf(times, sizeof times, "0;%.7f;%.7f", start, end);
    DrawingMotion motion = {"visibility",
                            first  ? "visible;hidden"
                            : last ? "hidden;visible"
                                   : "hidden;visible;hidden",
                            times, animation->duration};
    drawing_open_group(drawing, !last, first && last ? NULL : &motion);
}

static void draw_caption(Drawing *drawing, const Animation *animation, const char *left,
                         int64_t lines) {
    char right[32];
    snprintf(right, sizeof right, "%d line%s", (int)lines, lines == 1 ? "" : "s");
    drawing_text(drawing, MARGIN, HEADING - 0.5 * CELL, left,
                 (DrawingFont){.size = CELL, .color = PALETTE_TEXT, .bold = true});
    drawing_text(
        drawing, MARGIN + animation->game->start->width * CELL, HEADING - 0.5 * CELL, right,
        (DrawingFont){.size = 0.85 * CELL, .anchor = DRAWING_RIGHT, .color = PALETTE_SOFT});
}

static void draw_step(Drawing *drawing, const Animation *animation, Frame *frame, int index) {
    const DecodeStep *step = &animation->game->steps[index];
    double from = index * animation->seconds, to = from + animation->seconds;
    Frame before = *frame;
    int fall = frame_free_fall(&before, animation->rows, step->move.placement);
    frame_place(frame, step);
    char caption[32], values[64];
    snprintf(caption, sizeof caption, "%d %c%s", index + 1,
             piece_letters[step->move.placement.piece], step->move.hold ? " hold" : "");
    open_visible(drawing, animation, from, to);
    draw_caption(drawing, animation, caption, frame->lines);
    Panel stack = panel_of(animation, &before, frame->number);
    panel_stack(drawing, &stack);
    /* The piece falls, or fades in where it cannot fall. */
    double landed = from + DROP_SHARE * animation->seconds, height = fall * CELL;
    snprintf(values, sizeof values, "0 -%g;0 -%g;0 0;0 0", height, height);
    open_changing(drawing, animation, fall > 0 ? "transform" : "opacity",
                  fall > 0 ? values : "0;0;1;1", from, landed);
    Panel panel = panel_of(animation, frame, frame->number);
    panel_piece(drawing, &panel);
    drawing_close_group(drawing);
    if (frame->full_rows) {
        open_changing(drawing, animation, "opacity", "0;0;.85;.85",
                      from + FLASH_SHARE * animation->seconds, to);
        panel_add_full_rows(drawing, &panel);
        drawing_paint(
            drawing,
            (DrawingStyle){.stroke = PALETTE_TEXT, .fill = PALETTE_CARD, .width = 0.08 * CELL});
        drawing_close_group(drawing);
    }
    drawing_close_group(drawing);
    frame_clear(frame);
}

static void draw_animation(Drawing *drawing, const void *data) {
    const Animation *animation = data;
    const ViewGame *game = animation->game;
    Frame frame;
    frame_start(&frame, game->start);
    Panel panel = panel_of(animation, &frame, 0);
    if (game->title) {
        double wide = game->start->width * CELL / drawing_text_width(game->title);
        drawing_text(drawing, MARGIN, HEADING - 1.9 * CELL, game->title,
                     (DrawingFont){.size = fmin(wide, 0.8 * CELL), .color = PALETTE_TEXT});
    }
    panel_field(drawing, &panel);
    for (int i = 0; i < game->count; i++)
        draw_step(drawing, animation, &frame, i);
    char caption[32];
    snprintf(caption, sizeof caption, "%d piece%s", game->count, game->count == 1 ? "" : "s");
    open_visible(drawing, animation, game->count * animation->seconds, animation->duration);
    draw_caption(drawing, animation, caption, frame.lines);
    panel_stack(drawing, &panel);
    drawing_close_group(drawing);
    panel_walls(drawing, &panel);
}

bool animation_rows(const ViewGame *game, int *rows, Status *status) {
    if (game->count > ANIMATION_MAX_STEPS)
        return status_fail(status, STATUS_INPUT, "animation: %d pieces are more than %d",
                           game->count, ANIMATION_MAX_STEPS);
    *rows = frame_rows_needed(game, 4) + 2; /* space to fall through */
    if (*rows > grid_rows(game->start))
        *rows = grid_rows(game->start);
    return true;
}

bool animation_svg(const ViewGame *game, double seconds, Text *text, Status *status) {
    int rows;
    if (!animation_rows(game, &rows, status))
        return false;
    Animation animation = {game, rows, seconds, game->count * seconds + END_SECONDS};
    DrawingPage page = {.draw = draw_animation,
                        .data = &animation,
                        .width = game->start->width * CELL + 2 * MARGIN,
                        .height = rows * CELL + HEADING + MARGIN,
                        .paper = PALETTE_PAGE,
                        .label = game->title ? game->title : "a game"};
    drawing_svg(&page, DRAWING_IN_FILE, text);
    return !text->failed || status_no_memory(status);
}
