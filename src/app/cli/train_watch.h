/*
 * train_watch: the boards of the candidates on the terminal while `train` plays their games.
 */
#ifndef TETROPT_CLI_TRAIN_WATCH_H
#define TETROPT_CLI_TRAIN_WATCH_H

#include "train/games.h"

typedef struct TrainWatch TrainWatch;

/* Takes over the terminal and shows `games`. NULL with `status`. */
TrainWatch *train_watch_begin(TrainGames *games, bool color, Status *status);

/* The line above the boards, from now on. Draws, when a picture is due; call it from the thread
 * that called train_watch_begin. */
void train_watch_say(TrainWatch *watch, const char *line);

/* Gives the terminal back; NULL is fine. */
void train_watch_end(TrainWatch *watch);

#endif
