/* units: rounding comes first, so that 59.97 s is 1:00 and 999,999 is 1 M. */
#include "base/units.h"

#include <math.h>
#include <stdio.h>

UnitsText units_time(double seconds) {
    UnitsText out;
    double size = fabs(seconds);
    if (!isfinite(seconds))
        snprintf(out.text, sizeof out.text, "-");
    else if (size == 0)
        snprintf(out.text, sizeof out.text, "0 s");
    else if (size < 0.9995e-3)
        snprintf(out.text, sizeof out.text, "%.3g us", seconds * 1e6);
    else if (size < 0.9995)
        snprintf(out.text, sizeof out.text, "%.3g ms", seconds * 1e3);
    else if (size < 59.95)
        snprintf(out.text, sizeof out.text, "%.3g s", seconds);
    else {
        double most = fmin(size, 1e12);
        long long whole = (long long)(most + 0.5);
        const char *sign = seconds < 0 ? "-" : "";
        if (whole < 3600)
            snprintf(out.text, sizeof out.text, "%s%lld:%02lld", sign, whole / 60, whole % 60);
        else
            snprintf(out.text, sizeof out.text, "%s%lld:%02lld:%02lld", sign, whole / 3600,
                     whole / 60 % 60, whole % 60);
    }
    return out;
}

/* A number with a decimal prefix from `least` on, and `unit` behind it. */
static UnitsText with_prefix(double value, double least, const char *unit) {
    static const char *const prefixes[] = {"k", "M", "G", "T"};
    UnitsText out;
    double size = fabs(value);
    if (!isfinite(value)) {
        snprintf(out.text, sizeof out.text, "-");
    } else if (size < least) {
        int decimals = size >= 99.95 || size == floor(size) ? 0 : size >= 9.995 ? 1 : 2;
        snprintf(out.text, sizeof out.text, "%.*f%s%s", decimals, value, *unit ? " " : "", unit);
    } else {
        int prefix = 0;
        for (value /= 1e3; fabs(value) >= 999.5 && prefix < 3; prefix++)
            value /= 1e3;
        snprintf(out.text, sizeof out.text, "%.*g %s%s", fabs(value) >= 999.5 ? 6 : 3, value,
                 prefixes[prefix], unit);
    }
    return out;
}

UnitsText units_count(double count) {
    return with_prefix(count, 9999.5, "");
}

UnitsText units_rate(double per_second) {
    return with_prefix(per_second, 999.5, "/s");
}
