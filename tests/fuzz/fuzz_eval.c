/* Any bytes as an eval document: refused with a message, or played to a board that is valid. */
#include "io/eval_document.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static EvalRequest request;
    static EvalResult result;
    Status status = {0};
    json_t *document = json_parse((const char *)data, size, &status);
    bool ok = document && eval_request_read(&request, document, &status) &&
              eval_run(&request, &fitness_profiles[PROFILE_BLOCKS], &result, &status);
    json_decref(document);
    if (!ok && (status.code != STATUS_INPUT || status.message[0] == '\0'))
        abort();
    if (!ok)
        return 0;
    const char *reason;
    if (!decode_state_ok(&result.state, &reason))
        abort();
    Board board;
    grid_to_board(&result.grid, &board);
    if (!board_equal(&board, &result.state.board))
        abort();
    json_t *answer = eval_result_json(&result);
    char *text = json_write(answer);
    if (!text)
        abort();
    free(text);
    json_decref(answer);
    return 0;
}
