/* text: one buffer that doubles. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_init(Text *text) {
    *text = (Text){0};
}

void text_release(Text *text) {
    free(text->data);
    *text = (Text){0};
}

void text_clear(Text *text) {
    text->length = 0;
    if (text->data)
        text->data[0] = '\0';
}

static bool reserve(Text *text, size_t more) {
    if (text->failed)
        return false;
    if (text->length + more + 1 <= text->capacity)
        return true;
    size_t capacity = text->capacity ? text->capacity * 2 : 256;
    while (capacity < text->length + more + 1)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_add_bytes(Text *text, const char *bytes, size_t count) {
    if (!reserve(text, count))
        return;
    memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void text_add(Text *text, const char *string) {
    text_add_bytes(text, string, strlen(string));
}

void text_add_char(Text *text, char character) {
    text_add_bytes(text, &character, 1);
}

void text_format(Text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int needed = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (needed < 0)
        text->failed = true;
    else if (reserve(text, (size_t)needed)) {
        vsnprintf(text->data + text->length, (size_t)needed + 1, format, again);
        text->length += (size_t)needed;
    }
    va_end(again);
}

void text_add_csv(Text *csv, const char *string) {
    if (!strpbrk(string, ",\"\r\n")) {
        text_add(csv, string);
        return;
    }
    text_add_char(csv, '"');
    for (; *string; string++) {
        if (*string == '"')
            text_add_char(csv, '"');
        text_add_char(csv, *string);
    }
    text_add_char(csv, '"');
}

void text_wrap(Text *text, const char *string, size_t indent, size_t columns) {
    size_t column = indent;
    while (*string) {
        size_t word = strcspn(string, " ");
        if (column > indent && column + 1 + word > columns) {
            text_format(text, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            text_add_char(text, ' ');
            column++;
        }
        text_add_bytes(text, string, word);
        column += word;
        string += word;
        string += strspn(string, " ");
    }
}

void text_entry(Text *text, const char *name, const char *string) {
    Text line = {0};
    text_format(&line, "%s: %s", name, string);
    size_t spaces = strspn(name, " ");
    text_format(text, "%*s", (int)spaces, "");
    text_wrap(text, line.data ? line.data + spaces : "", spaces + 4, TEXT_COLUMNS);
    text_add_char(text, '\n');
    text->failed |= line.failed;
    text_release(&line);
}
