#include "draw/animation.h"

#include "draw/drawing.h"
#include "draw/palette.h"

#include <stdio.h>
#include <string.h>

/* Lengths in cells; the picture is CELL pixels a cell. */
#define CELL 22
#define MARGIN 1.0
#define HEADING 3.2
#define END_SECONDS 2.5  /* that the final board is shown */
#define DROP_SHARE 0.45  /* of a piece's time it falls */
#define FLASH_SHARE 0.72 /* from here on full rows flash */

typedef struct Animation {
    Text *text;
    const ViewGame *game;
    int rows;
    double seconds, duration;
} Animation;

static void add_style(Text *text) {
    text_add(text, "<style>text{font-family:sans-serif;fill:#23272e}");
    for (const char *letter = "IOTSZJLG"; *letter; letter++)
        text_format(text, ".%c{fill:#%06x}.o%c{fill:#%06x}.e%c{stroke:#%06x}", *letter,
                    (unsigned)palette_color(*letter), *letter, (unsigned)palette_muted(*letter),
                    *letter, (unsigned)palette_dark(*letter));
    text_add(text, ".l{fill:none;stroke-linecap:square}</style>\n");
}

static void add_field(const Animation *animation) {
    int width = animation->game->start->width, rows = animation->rows;
    text_format(animation->text,
                "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>"
                "<path class=\"l\" stroke=\"#e6e8eb\" stroke-width=\".05\" d=\"",
                width, rows);
    for (int x = 1; x < width; x++)
        text_format(animation->text, "M%d 0v%d", x, rows);
    for (int y = 1; y < rows; y++)
        text_format(animation->text, "M0 %dh%d", y, width);
    text_add(animation->text, "\"/>\n");
}

static void add_walls(const Animation *animation) {
    int width = animation->game->start->width, rows = animation->rows;
    text_format(animation->text,
                "<path fill=\"none\" stroke=\"#4a515c\" stroke-width=\".14\" "
                "d=\"M-.07 0V%d.07H%d.07V0\"/>\n",
                rows, width);
}

/* One path for all cells of a letter, in runs. `number` picks one step, -1 all. */
static void add_cells(const Animation *animation, const Frame *frame, char letter, int32_t number,
                      const char *class_prefix) {
    bool open = false;
    for (int y = 0; y < animation->rows; y++)
        for (int x = 0; x < frame->grid.width; x++) {
            int run = 0;
            while (x + run < frame->grid.width && frame->grid.cells[y][x + run] == letter &&
                   (number < 0 || frame->numbers[y][x + run] == number))
                run++;
            if (run == 0)
                continue;
            if (!open)
                text_format(animation->text, "<path class=\"%s%c\" d=\"", class_prefix, letter);
            open = true;
            text_format(animation->text, "M%d %dh%dv1h-%dz", x, animation->rows - 1 - y, run, run);
            x += run;
        }
    if (open)
        text_add(animation->text, "\"/>");
}

/* The lines between pieces; around one step when `number` is not -1. */
static void add_edges(const Animation *animation, const Frame *frame, int32_t number) {
    for (int y = 0; y <= animation->rows; y++)
        for (int x = 0; x <= frame->grid.width; x++) {
            int32_t here = frame_owner(frame, animation->rows, x, y);
            int32_t left = frame_owner(frame, animation->rows, x - 1, y);
            int32_t under = frame_owner(frame, animation->rows, x, y - 1);
            int top = animation->rows - 1 - y;
            if (here != left && (number < 0 || here == number || left == number))
                text_format(animation->text, "M%d %dv1", x, top);
            if (here != under && (number < 0 || here == number || under == number))
                text_format(animation->text, "M%d %dh1", x, top + 1);
        }
}

static void add_stack(const Animation *animation, const Frame *frame, bool muted) {
    for (const char *letter = "IOTSZJLG"; *letter; letter++)
        add_cells(animation, frame, *letter, -1, muted ? "o" : "");
    text_format(animation->text, "<path class=\"l\" stroke=\"%s\" stroke-width=\".06\" d=\"",
                muted ? "#fff" : "#23272e");
    add_edges(animation, frame, -1);
    text_add(animation->text, "\"/>");
}

/* Opens a group that shows from one time to another; the last one is what a still viewer shows. */
static void open_group(const Animation *animation, double from, double to) {
    double start = from / animation->duration, end = to / animation->duration;
    bool first = from <= 0, last = to >= animation->duration;
    text_format(animation->text, "<g%s>", last ? "" : " visibility=\"hidden\"");
    if (first && last)
        return;
    text_format(animation->text,
                "<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"%.3fs\" "
                "repeatCount=\"indefinite\" ",
                animation->duration);
    if (first)
        text_format(animation->text, "values=\"visible;hidden\" keyTimes=\"0;%.7f\"/>", end);
    else if (last)
        text_format(animation->text, "values=\"hidden;visible\" keyTimes=\"0;%.7f\"/>", start);
    else
        text_format(animation->text, "values=\"hidden;visible;hidden\" keyTimes=\"0;%.7f;%.7f\"/>",
                    start, end);
}

static void add_caption(const Animation *animation, const char *left, const char *right) {
    text_format(animation->text,
                "<text x=\"0\" y=\"-.5\" font-size=\"1\" font-weight=\"bold\">%s</text>"
                "<text x=\"%d\" y=\"-.5\" font-size=\".85\" text-anchor=\"end\" "
                "fill-opacity=\".65\">%s</text>",
                left, animation->game->start->width, right);
}

/* How far above its place the piece can begin so that it falls through empty cells only; 0 when
 * something is over it (it was tucked or spun in). */
static int free_fall(const Animation *animation, const Frame *before, Placement at) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    for (int i = 0; i < 4; i++)
        for (int y = at.y + shape->cells[i].y; y < animation->rows; y++)
            if (frame_owner(before, animation->rows, at.x + shape->cells[i].x, y) != 0)
                return 0;
    int fall = animation->rows - 1 - (at.y + shape->max_y);
    return fall > 0 ? fall : 0;
}

/* The movement of the piece: it falls, or it fades in where it cannot fall. */
static void add_motion(const Animation *animation, int fall, double from) {
    double start = from / animation->duration;
    double end = (from + DROP_SHARE * animation->seconds) / animation->duration;
    if (fall > 0)
        text_format(animation->text,
                    "<animateTransform attributeName=\"transform\" type=\"translate\" "
                    "dur=\"%.3fs\" repeatCount=\"indefinite\" calcMode=\"spline\" "
                    "keySplines=\"0 0 1 1;.5 0 1 .6;0 0 1 1\" values=\"0 -%d;0 -%d;0 0;0 0\" "
                    "keyTimes=\"0;%.7f;%.7f;1\"/>",
                    animation->duration, fall, fall, start, end);
    else
        text_format(animation->text,
                    "<animate attributeName=\"opacity\" dur=\"%.3fs\" repeatCount=\"indefinite\" "
                    "values=\"0;0;1;1\" keyTimes=\"0;%.7f;%.7f;1\"/>",
                    animation->duration, start, end);
}

static void add_flash(const Animation *animation, const Frame *frame, double from) {
    double start = (from + FLASH_SHARE * animation->seconds) / animation->duration;
    double end = (from + animation->seconds) / animation->duration;
    if (!frame->full_rows)
        return;
    text_add(animation->text, "<path fill=\"#fff\" stroke=\"#23272e\" stroke-width=\".08\" d=\"");
    for (int y = 0; y < animation->rows; y++)
        if (frame->full_rows >> y & 1)
            text_format(animation->text, "M0 %dh%dv1h-%dz", animation->rows - 1 - y,
                        frame->grid.width, frame->grid.width);
    text_format(animation->text,
                "\" opacity=\"0\"><animate attributeName=\"opacity\" dur=\"%.3fs\" "
                "repeatCount=\"indefinite\" values=\"0;0;.85;.85\" keyTimes=\"0;%.7f;%.7f;1\"/>"
                "</path>",
                animation->duration, start, end);
}

static void add_step(const Animation *animation, Frame *frame, int index) {
    const DecodeStep *step = &animation->game->steps[index];
    Frame before = *frame;
    frame_place(frame, step);
    char letter = piece_letters[step->move.placement.piece], left[32], right[32];
    snprintf(left, sizeof left, "%d %c%s", index + 1, letter, step->move.hold ? " hold" : "");
    snprintf(right, sizeof right, "%d row%s", (int)frame->lines, frame->lines == 1 ? "" : "s");
    double from = index * animation->seconds;
    open_group(animation, from, from + animation->seconds);
    add_caption(animation, left, right);
    add_stack(animation, &before, true);
    text_add(animation->text, "<g>");
    add_motion(animation, free_fall(animation, &before, step->move.placement), from);
    add_cells(animation, frame, letter, frame->number, "");
    text_format(animation->text, "<path class=\"l e%c\" stroke-width=\".16\" d=\"", letter);
    add_edges(animation, frame, frame->number);
    text_add(animation->text, "\"/></g>");
    add_flash(animation, frame, from);
    text_add(animation->text, "</g>\n");
    frame_clear(frame);
}

static void add_end(const Animation *animation, const Frame *frame) {
    char left[32], right[32];
    snprintf(left, sizeof left, "%d piece%s", animation->game->count,
             animation->game->count == 1 ? "" : "s");
    snprintf(right, sizeof right, "%d row%s", (int)frame->lines, frame->lines == 1 ? "" : "s");
    open_group(animation, animation->game->count * animation->seconds, animation->duration);
    add_caption(animation, left, right);
    add_stack(animation, frame, false);
    text_add(animation->text, "</g>\n");
}

static void add_head(const Animation *animation) {
    const ViewGame *game = animation->game;
    double width = game->start->width + 2 * MARGIN;
    double height = animation->rows + HEADING + MARGIN;
    text_format(animation->text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" "
                "height=\"%.0f\" viewBox=\"%g %g %g %g\">\n<title>",
                width * CELL, height * CELL, -MARGIN, -HEADING, width, height);
    drawing_escape(animation->text, game->title ? game->title : "a game");
    text_add(animation->text, "</title>\n");
    add_style(animation->text);
    text_format(animation->text,
                "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#fbfbf9\"/>\n", -MARGIN,
                -HEADING, width, height);
    if (!game->title)
        return;
    /* About as wide as the board, whatever the font. */
    double size = 1.6 * game->start->width / (double)(strlen(game->title) + 1);
    text_format(animation->text, "<text x=\"0\" y=\"-1.9\" font-size=\"%.3f\">",
                size < 0.8 ? size : 0.8);
    drawing_escape(animation->text, game->title);
    text_add(animation->text, "</text>\n");
}

bool animation_svg(const ViewGame *game, double seconds, Text *text, Status *status) {
    if (game->count > ANIMATION_MAX_STEPS)
        return status_fail(status, STATUS_INPUT, "animation: %d pieces are more than %d",
                           game->count, ANIMATION_MAX_STEPS);
    int rows = frame_rows_needed(game, 4);
    rows += rows < grid_rows(game->start) ? 2 : 0; /* room to fall through */
    if (rows > grid_rows(game->start))
        rows = grid_rows(game->start);
    Animation animation = {text, game, rows, seconds, game->count * seconds + END_SECONDS};
    add_head(&animation);
    add_field(&animation);
    Frame frame;
    frame_start(&frame, game->start);
    for (int i = 0; i < game->count; i++)
        add_step(&animation, &frame, i);
    add_end(&animation, &frame);
    add_walls(&animation);
    text_add(text, "</svg>\n");
    return !text->failed || status_no_memory(status);
}
