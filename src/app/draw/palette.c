#include "draw/palette.h"

uint32_t palette_color(char cell) {
    switch (cell) {
    case 'I':
        return 0x42c6f5;
    case 'O':
        return 0xfbe92c;
    case 'T':
        return 0x9a52a6;
    case 'S':
        return 0x159a57;
    case 'Z':
        return 0xe3202e;
    case 'J':
        return 0x1248c0;
    case 'L':
        return 0xde8f14;
    default:
        return 0xa3a8ae;
    }
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

uint32_t palette_muted(char cell) {
    return mix(palette_color(cell), 0xffffff, 108);
}

uint32_t palette_dark(char cell) {
    return mix(palette_color(cell), 0x000000, 140);
}
