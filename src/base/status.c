#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The length of the UTF-8 sequence at `at`, or 0 when it is none. Overlong forms, surrogates and
 * what lies above U+10FFFF are none. */
static int sequence_length(const unsigned char *at) {
    int length = at[0] < 0x80   ? 1
                 : at[0] < 0xc2 ? 0
                 : at[0] < 0xe0 ? 2
                 : at[0] < 0xf0 ? 3
                 : at[0] < 0xf5 ? 4
                                : 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool bad = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
               (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f);
    return bad ? 0 : length;
}

/* One line of text is promised to the user, and valid UTF-8 to JSON, whatever bytes the input had
 * and wherever the message was cut. */
static void make_printable(char *text) {
    for (unsigned char *at = (unsigned char *)text; *at;) {
        int length = sequence_length(at);
        if (length == 0 || *at < 0x20 || *at == 0x7f)
            *at = '?';
        at += length ? length : 1;
    }
}

bool status_fail(Status *status, StatusCode code, const char *format, ...) {
    if (!status)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(status->message, sizeof status->message, format, arguments);
    va_end(arguments);
    make_printable(status->message);
    status->code = code;
    return false;
}

bool status_prefix(Status *status, const char *format, ...) {
    if (!status)
        return false;
    char old[STATUS_MESSAGE_BYTES];
    memcpy(old, status->message, sizeof old);
    va_list arguments;
    va_start(arguments, format);
    int used = vsnprintf(status->message, sizeof status->message, format, arguments);
    va_end(arguments);
    if (used >= 0 && (size_t)used < sizeof status->message)
        snprintf(status->message + used, sizeof status->message - (size_t)used, ": %s", old);
    make_printable(status->message);
    return false;
}

bool status_no_memory(Status *status) {
    return status_fail(status, STATUS_SYSTEM, "out of memory");
}
