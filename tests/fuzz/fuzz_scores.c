/* Any bytes as the file of high scores: read or refused with a message; a new score can always be
 * entered, and is there afterwards. */
#include "io/scores.h"
#include "temporary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = temporary_file(data, size);
    char bad[128];
    snprintf(bad, sizeof bad, "%s.bad", path);
    Scores scores;
    Status status = {0};
    if (!scores_read(path, "marathon", &scores, &status) && !status.message[0])
        abort();
    ScoreEntry entry = {.score = INT64_MAX / 2, .lines = 1, .pieces = 3, .date = "2025-12-31"};
    int rank;
    status = (Status){0};
    if (!scores_enter(path, "marathon", &entry, false, &scores, &rank, &status))
        abort();
    if (!scores_read(path, "marathon", &scores, &status) || scores.count < 1 ||
        scores.count > SCORES_MAX)
        abort();
    unlink(path);
    unlink(bad);
    return 0;
}
