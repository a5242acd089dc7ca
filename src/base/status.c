#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One line is promised to the user, whatever bytes the input had. */
static void make_printable(char *text) {
    for (unsigned char *at = (unsigned char *)text; *at; at++)
        if (*at < 0x20 || *at == 0x7f)
            *at = '?';
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
