/* Any bytes as JSON: rejected with a message; or read, and what is written of it reads as the same
 * document, whose members are found by their names. The bytes behind the first NUL are merged into
 * it. */
#include "base/json.h"
#include "base/json_writer.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write(const Json *document, Text *text) {
    JsonWriter w;
    text_init(text);
    jw_init(&w, text);
    jw_json(&w, NULL, document);
    if (text->failed)
        abort();
}

static void find_all(const Json *node) {
    for (size_t i = 0; i < json_count(node); i++) {
        if (json_is_object(node) && json_get(node, json_name_at(node, i)) != json_at(node, i))
            abort();
        find_all(json_at(node, i));
    }
}

/* Takes the document, NULL when it was rejected. */
static void check(Json *document, const Status *status) {
    if (!document) {
        if (status->code != STATUS_INPUT || !status->message[0])
            abort();
        return;
    }
    find_all(document);
    Text text, again;
    write(document, &text);
    json_free(document);
    document = json_parse(text.data, text.length, NULL);
    if (!document)
        abort();
    write(document, &again);
    if (strcmp(text.data, again.data) != 0)
        abort();
    json_free(document);
    text_release(&text);
    text_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Status status = {0};
    check(json_parse((const char *)data, size, &status), &status);
    char *text = malloc(size + 2);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = text[size + 1] = '\0';
    status = (Status){0};
    check(json_parse_merged(text, text + strlen(text) + 1, &status), &status);
    free(text);
    return 0;
}
