/* select: quickselect with the median of three as pivot. */
#include "optim/select.h"

#include <assert.h>

static void swap(double *a, double *b) {
    double t = *a;
    *a = *b;
    *b = t;
}

/* The median of the first, the middle and the last, as a pivot. */
static double pivot_of(const double *values, size_t low, size_t high) {
    double a = values[low], b = values[low + (high - low) / 2], c = values[high];
    if (a > b) {
        double t = a;
        a = b;
        b = t;
    }
    return c < a ? a : c > b ? b : c;
}

double select_largest(double *values, size_t count, size_t rank) {
    assert(rank < count);
    size_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = pivot_of(values, low, high);
        size_t i = low, j = high;
        /* Both scans stop at equals, so many equal values still split in the middle. */
        while (i <= j) {
            while (values[i] > pivot)
                i++;
            while (values[j] < pivot)
                j--;
            if (i > j)
                break;
            swap(&values[i++], &values[j]);
            if (j == 0)
                break;
            j--;
        }
        if (rank <= j && i > j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            return values[rank];
    }
    return values[low];
}
