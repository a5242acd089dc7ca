/* Documents of solutions: whatever the bytes, they are rejected, or played and written. */
#include "formats/solution.h"
#include "job/eval.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static EvalRun run;
    Status status = {.code = STATUS_OK};
    if (!eval_document(&run, (const char *)data, size, NULL, &status))
        return status.code == STATUS_INPUT && status.message[0] ? 0 : (abort(), 0);
    const char *reason;
    if (!decode_state_ok(&run.result.state, &reason))
        abort();
    Text text;
    text_init(&text);
    JsonWriter json;
    jw_init(&json, &text);
    jw_object(&json, NULL);
    solution_write_result(&json, &run.result);
    solution_write(&json, &run.request, &run.solution, &run.result);
    jw_end(&json);
    /* What was written can be read. */
    Json *document = json_parse(text.data, text.length, &status);
    if (!document)
        abort();
    json_free(document);
    text_release(&text);
    return 0;
}
