/*
 * gif: the format is that of the GIF89a specification (CompuServe, 1990); the data of a frame is
 * compressed by LZW with codes of 7 to 12 bits. The dictionary is a trie over strings of pixels: at
 * most 4096 nodes, each with a child per colour.
 */
#include "draw/gif.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLOR_BITS = 6,
    CLEAR = 1 << COLOR_BITS, /* empties the dictionary */
    END = CLEAR + 1,
    FIRST_CODE = END + 1,
    MOST_CODES = 4096,
    BLOCK_BYTES = 255 /* of data behind a byte with its length */
};

struct Gif {
    Text *out;
    int width, height;
    uint8_t *before; /* the frame before; meaningless before the first */
    bool first;
    double shown, time; /* seconds of the frames so far: written, asked for */
    uint16_t children[MOST_CODES][GIF_COLORS]; /* codes; 0: none */
    int codes, bits;                           /* of the dictionary; of a code */
    uint32_t buffer;                           /* bits that are not a whole byte yet */
    int buffered;
    uint8_t block[BLOCK_BYTES];
    int block_length;
};

static void add_byte(Gif *gif, unsigned byte) {
    text_add_char(gif->out, (char)(unsigned char)byte);
}

static void add_word(Gif *gif, unsigned word) {
    add_byte(gif, word & 255);
    add_byte(gif, word >> 8 & 255);
}

Gif *gif_new(int width, int height, const uint32_t colors[GIF_COLORS], Text *out, Status *status) {
    Gif *gif = memory_new(1, sizeof *gif, status);
    if (!gif)
        return NULL;
    gif->before = memory_new((size_t)width * (size_t)height, 1, status);
    if (!gif->before) {
        free(gif);
        return NULL;
    }
    gif->out = out;
    gif->width = width;
    gif->height = height;
    gif->first = true;
    text_add(out, "GIF89a");
    add_word(gif, (unsigned)width);
    add_word(gif, (unsigned)height);
    add_byte(gif, 0x80 | 0x70 | (COLOR_BITS - 1)); /* a table of 64 colours for all frames */
    add_byte(gif, 0);
    add_byte(gif, 0);
    for (int i = 0; i < GIF_COLORS; i++) {
        add_byte(gif, colors[i] >> 16 & 255);
        add_byte(gif, colors[i] >> 8 & 255);
        add_byte(gif, colors[i] & 255);
    }
    text_add_bytes(out, "\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19); /* repeat without end */
    return gif;
}

/* ---- compression */

static void flush_block(Gif *gif) {
    if (gif->block_length > 0) {
        add_byte(gif, (unsigned)gif->block_length);
        text_add_bytes(gif->out, (const char *)gif->block, (size_t)gif->block_length);
    }
    gif->block_length = 0;
}

static void add_code(Gif *gif, unsigned code) {
    gif->buffer |= (uint32_t)code << gif->buffered;
    gif->buffered += gif->bits;
    while (gif->buffered >= 8) {
        gif->block[gif->block_length++] = (uint8_t)gif->buffer;
        gif->buffer >>= 8;
        gif->buffered -= 8;
        if (gif->block_length == BLOCK_BYTES)
            flush_block(gif);
    }
}

static void clear_codes(Gif *gif) {
    memset(gif->children, 0, sizeof gif->children);
    gif->codes = FIRST_CODE;
    gif->bits = COLOR_BITS + 1;
}

/* A rectangle of the pixels, in whole pixels from the upper left corner. */
typedef struct Area {
    int left, top, width, height;
} Area;

static void compress(Gif *gif, const uint8_t *pixels, Area area) {
    add_byte(gif, COLOR_BITS);
    gif->buffer = 0;
    gif->buffered = 0;
    clear_codes(gif);
    add_code(gif, CLEAR);
    int string = -1; /* the code of the pixels that were not written yet */
    for (int y = area.top; y < area.top + area.height; y++)
        for (int x = area.left; x < area.left + area.width; x++) {
            uint8_t pixel = pixels[y * gif->width + x];
            if (string < 0) {
                string = pixel;
                continue;
            }
            /* 1. A known string grows. */
            uint16_t longer = gif->children[string][pixel];
            if (longer) {
                string = longer;
                continue;
            }
            /* 2. Otherwise it is written, and with the pixel it becomes a new one. */
            add_code(gif, (unsigned)string);
            if (gif->codes < MOST_CODES) {
                if (gif->codes == 1 << gif->bits)
                    gif->bits++;
                gif->children[string][pixel] = (uint16_t)gif->codes++;
            } else { /* 3. A full dictionary begins anew. */
                add_code(gif, CLEAR);
                clear_codes(gif);
            }
            string = pixel;
        }
    add_code(gif, (unsigned)string);
    /* The reader has made one code more by now. */
    if (gif->codes == 1 << gif->bits && gif->bits < 12)
        gif->bits++;
    add_code(gif, END);
    if (gif->buffered > 0)
        gif->block[gif->block_length++] = (uint8_t)gif->buffer;
    flush_block(gif);
    add_byte(gif, 0);
}

/* ---- frames */

/* The smallest rectangle with all changes; a single pixel where there are none. */
static Area changed_area(const Gif *gif, const uint8_t *pixels) {
    if (gif->first)
        return (Area){0, 0, gif->width, gif->height};
    int left = gif->width, right = -1, top = gif->height, bottom = -1;
    for (int y = 0; y < gif->height; y++)
        for (int x = 0; x < gif->width; x++)
            if (pixels[y * gif->width + x] != gif->before[y * gif->width + x]) {
                left = x < left ? x : left;
                right = x > right ? x : right;
                top = y < top ? y : top;
                bottom = y;
            }
    if (right < 0)
        return (Area){0, 0, 1, 1};
    return (Area){left, top, right - left + 1, bottom - top + 1};
}

void gif_frame(Gif *gif, const uint8_t *pixels, double seconds) {
    Area area = changed_area(gif, pixels);
    /* Times are hundredths of a second; rounding the sum keeps long films in time. */
    gif->time += seconds;
    double hundredths = round(100 * (gif->time - gif->shown));
    hundredths = fmin(fmax(hundredths, 2), 65535); /* viewers slow down shorter frames */
    gif->shown += hundredths / 100;
    text_add_bytes(gif->out, "\x21\xf9\x04\x04", 4); /* a delay; the frame stays */
    add_word(gif, (unsigned)hundredths);
    add_byte(gif, 0);
    add_byte(gif, 0);
    add_byte(gif, 0x2c); /* an image */
    add_word(gif, (unsigned)area.left);
    add_word(gif, (unsigned)area.top);
    add_word(gif, (unsigned)area.width);
    add_word(gif, (unsigned)area.height);
    add_byte(gif, 0);
    compress(gif, pixels, area);
    memcpy(gif->before, pixels, (size_t)gif->width * (size_t)gif->height);
    gif->first = false;
}

void gif_end(Gif *gif) {
    if (!gif)
        return;
    add_byte(gif, 0x3b);
    free(gif->before);
    free(gif);
}
