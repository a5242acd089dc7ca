/*
 * palette: the one table of colours.
 *
 * Pieces have the familiar hues, moved so that they also differ in lightness and blue: every pair,
 * muted or not, keeps a distance of 13 or more in CIE Lab under simulated protanopia, deuteranopia
 * and tritanopia (the plain colours of most games fall to 2). Series are the colours of Okabe and
 * Ito (2008), made for the same, in an order in which neighbours also differ in lightness.
 */
#include "draw/palette.h"

#include "engine/piece.h"

#include <ctype.h>
#include <stdio.h>

static const struct Row {
    const char *name;
    uint32_t light, dark;
} rows[PALETTE_MUTED] = {
    [PALETTE_SERIES] = {"s0", 0x0072b2, 0x4aa8e0},
    {"s1", 0xd55e00, 0xf07f2e},
    {"s2", 0x009e73, 0x1fc39a},
    {"s3", 0xcc79a7, 0xe49ac4},
    {"s4", 0xb07a00, 0xf0b429},
    {"s5", 0x56b4e9, 0x9ad6f7},
    {"s6", 0x7a6f00, 0xe6dc5a},
    {"s7", 0x555b66, 0xb9c0cc},
    [PALETTE_TEXT] = {"text", 0x1c2128, 0xe6e9ed},
    [PALETTE_SOFT] = {"soft", 0x57606a, 0xa4adb8},
    [PALETTE_LINES] = {"lines", 0xd9dee4, 0x323b46},
    [PALETTE_CARD] = {"card", 0xffffff, 0x1b2129},
    [PALETTE_PAGE] = {"page", 0xf6f7f9, 0x12161c},
    [PALETTE_FIELD] = {"field", 0xeef1f4, 0x0c0f13},
    [PALETTE_GHOST] = {"ghost", 0x6b7480, 0x9aa5b1},
    [PALETTE_ACCENT] = {"accent", 0x0b63c5, 0x6cb2ff},
    [PALETTE_ON_ACCENT] = {"on-accent", 0xffffff, 0x0b1a2b},
    [PALETTE_ERROR] = {"error", 0xb3261e, 0xff8f85},
    [PALETTE_PIECE + PIECE_I] = {"I", 0x42c6f5, 0x42c6f5},
    [PALETTE_PIECE + PIECE_O] = {"O", 0xfbe92c, 0xfbe92c},
    [PALETTE_PIECE + PIECE_T] = {"T", 0x9a52a6, 0x9a52a6},
    [PALETTE_PIECE + PIECE_S] = {"S", 0x159a57, 0x159a57},
    [PALETTE_PIECE + PIECE_Z] = {"Z", 0xe3202e, 0xe3202e},
    [PALETTE_PIECE + PIECE_J] = {"J", 0x1248c0, 0x1248c0},
    [PALETTE_PIECE + PIECE_L] = {"L", 0xde8f14, 0xde8f14},
    [PALETTE_PIECE + PIECE_NONE] = {"G", 0xa3a8ae, 0xa3a8ae},
};

int palette_kind(char cell) {
    return (int)piece_from_letter((char)toupper((unsigned char)cell)); /* PIECE_NONE is 7 */
}

/* `share` of 256 parts of `other` in `color`. */
static uint32_t mix(uint32_t color, uint32_t other, uint32_t share) {
    uint32_t result = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        uint32_t a = color >> shift & 255, b = other >> shift & 255;
        result |= (a * (256 - share) + b * share) / 256 << shift;
    }
    return result;
}

uint32_t palette_rgb(PaletteColor color, bool dark) {
    if (color >= PALETTE_EDGE) {
        uint32_t piece = rows[color - PALETTE_EDGE + PALETTE_PIECE].light;
        return dark ? mix(piece, 0xffffff, 108) : mix(piece, 0x000000, 140);
    }
    if (color >= PALETTE_MUTED)
        return mix(rows[color - PALETTE_MUTED + PALETTE_PIECE].light, 0xffffff, 108);
    return dark ? rows[color].dark : rows[color].light;
}

static void add_name(Text *text, PaletteColor color) {
    int kind = (color - PALETTE_PIECE) % PALETTE_KINDS;
    if (color >= PALETTE_MUTED)
        text_format(text, "--%s-%s", rows[PALETTE_PIECE + kind].name,
                    color >= PALETTE_EDGE ? "edge" : "muted");
    else
        text_format(text, "--%s", rows[color].name);
}

void palette_add(Text *text, PaletteColor color, bool variable) {
    if (!variable) {
        text_format(text, "#%06x", (unsigned)palette_rgb(color, false));
        return;
    }
    text_add(text, "var(");
    add_name(text, color);
    text_add_char(text, ')');
}

void palette_css(bool dark, Text *css) {
    for (int color = PALETTE_NONE + 1; color < PALETTE_COUNT; color++) {
        add_name(css, (PaletteColor)color);
        text_format(css, ":#%06x;", (unsigned)palette_rgb((PaletteColor)color, dark));
    }
}

int palette_terminal(int kind, int colors) {
    enum { RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, BRIGHT = 8 };
    static const int few[PALETTE_KINDS] = {
        [PIECE_I] = CYAN, [PIECE_O] = YELLOW, [PIECE_T] = MAGENTA, [PIECE_S] = GREEN,
        [PIECE_Z] = RED,  [PIECE_J] = BLUE,   [PIECE_L] = WHITE,   [PIECE_NONE] = WHITE};
    if (colors < 256) /* bright yellow and bright black are nearest to orange and grey */
        return colors < 16 || kind < PIECE_L ? few[kind]
               : kind == PIECE_L             ? BRIGHT + YELLOW
                                             : BRIGHT;
    if (kind == PIECE_NONE)
        return 245;
    /* The nearest colour of the 6x6x6 cube; its steps are 0, 95, 135, 175, 215, 255. */
    int index = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        int part = (int)(rows[PALETTE_PIECE + kind].light >> shift & 255);
        index = 6 * index + (part < 48 ? 0 : part < 115 ? 1 : (part - 35) / 40);
    }
    return 16 + index;
}

int palette_terminal_letter(int kind, int colors) {
    if (colors < 256)
        return 0;
    bool dark = (rows[PALETTE_PIECE + kind].light >> 8 & 255) < 0x60; /* green makes lightness */
    return dark ? 231 : 16;
}
