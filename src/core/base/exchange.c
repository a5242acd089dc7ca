/* exchange: agreements built on sums; a single run agrees with itself. */
#include "base/exchange.h"

int exchange_count(const Exchange *exchange) {
    return exchange && exchange->count > 1 ? exchange->count : 1;
}

int exchange_index(const Exchange *exchange) {
    return exchange ? exchange->index : 0;
}

void exchange_sum(const Exchange *exchange, int64_t *values, size_t count) {
    if (exchange_count(exchange) > 1)
        exchange->sum(exchange->context, values, count);
}

int exchange_lowest(const Exchange *exchange, bool yes) {
    if (exchange_count(exchange) > 1)
        return exchange->lowest(exchange->context, exchange->index, yes);
    return yes ? 0 : -1;
}

bool exchange_agree(const Exchange *exchange, bool ok, Status *status) {
    int failed = exchange_lowest(exchange, !ok);
    if (failed < 0)
        return true;
    if (ok)
        status_fail(status, STATUS_SYSTEM, "MPI: another rank failed");
    if (failed != exchange_index(exchange))
        status->message[0] = '\0';
    return false;
}

int64_t exchange_from_first(const Exchange *exchange, int64_t value) {
    if (exchange_index(exchange) > 0)
        value = 0;
    exchange_sum(exchange, &value, 1);
    return value;
}
