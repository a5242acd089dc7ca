/*
 * tune_document: a finished tuning as one JSON document, for `--json`, the report and the web UI,
 * and its winner as a configuration file that every command reads.
 */
#ifndef TETROPT_TUNE_TUNE_DOCUMENT_H
#define TETROPT_TUNE_TUNE_DOCUMENT_H

#include "base/json_writer.h"
#include "tune/forest.h"
#include "tune/tune_store.h"

/* Writes the members. */
void tune_document_write(const TuneStore *tune, const Tuner *tuner, const Importance *importance,
                         JsonWriter *json);

/* Adds the file: the section of the command with the algorithm and its parameters. */
void tune_document_config(const TuneStore *tune, const Tuner *tuner, Text *text);

#endif
