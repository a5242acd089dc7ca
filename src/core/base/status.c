/* status: every message is one line of valid UTF-8, whatever bytes were put into it. */
#include "base/status.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_control(const unsigned char *at) {
    return at[0] < 0x20 || at[0] == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0);
}

/* One line of text is promised to the user, and valid UTF-8 to JSON, whatever bytes the input had
 * and wherever the message was cut. */
static void make_printable(char *text) {
    while (*text) {
        /* NUL is no part of a sequence, so nothing behind it is looked at. */
        size_t length = utf8_length(text, 4), step = length > 0 ? length : 1;
        if (length == 0 || is_control((const unsigned char *)text))
            memset(text, '?', step);
        text += step;
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
    status->option = false;
    return false;
}

bool status_option(Status *status, const char *option, const char *format, ...) {
    if (!status)
        return false;
    char why[STATUS_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    status_fail(status, STATUS_INPUT, "%.100s: %s", option, why);
    status->option = true;
    return false;
}

bool status_prefix(Status *status, const char *format, ...) {
    if (!status)
        return false;
    status->option = false;
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

bool status_prefix_option(Status *status, const char *option) {
    status_prefix(status, "%s", option);
    if (status)
        status->option = status->code == STATUS_INPUT;
    return false;
}

bool status_no_memory(Status *status) {
    return status_fail(status, STATUS_SYSTEM, "out of memory");
}
