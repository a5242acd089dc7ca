/*
 * matrix: Jacobi's rotations until nothing is left beside the diagonal, and Cholesky's factor with
 * its two solvers.
 */
#include "train/matrix.h"

#include <math.h>

enum { MAX_SWEEPS = 60 }; /* it converges quadratically: ten are many */

/* One rotation that makes element (p, q) zero. */
static void rotate(double *matrix, double *vectors, int size, int p, int q) {
    double off = matrix[p * size + q];
    double theta = (matrix[q * size + q] - matrix[p * size + p]) / (2 * off);
    double t = 1 / (fabs(theta) + sqrt(theta * theta + 1));
    if (theta < 0)
        t = -t;
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < size; k++) {
        double a = matrix[k * size + p], b = matrix[k * size + q];
        matrix[k * size + p] = c * a - s * b;
        matrix[k * size + q] = s * a + c * b;
    }
    for (int k = 0; k < size; k++) {
        double a = matrix[p * size + k], b = matrix[q * size + k];
        matrix[p * size + k] = c * a - s * b;
        matrix[q * size + k] = s * a + c * b;
    }
    for (int k = 0; k < size; k++) {
        double a = vectors[k * size + p], b = vectors[k * size + q];
        vectors[k * size + p] = c * a - s * b;
        vectors[k * size + q] = s * a + c * b;
    }
}

/* True while something beside the diagonal is left that a double can distinguish from zero. */
static bool sweep(double *matrix, double *vectors, int size) {
    bool rotated = false;
    for (int p = 0; p < size; p++)
        for (int q = p + 1; q < size; q++) {
            double scale = fabs(matrix[p * size + p]) + fabs(matrix[q * size + q]);
            if (fabs(matrix[p * size + q]) <= 1e-17 * scale)
                continue;
            rotate(matrix, vectors, size, p, q);
            rotated = true;
        }
    return rotated;
}

void matrix_eigen(double *matrix, int size, double *values, double *vectors) {
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            vectors[i * size + j] = i == j;
    for (int i = 0; i < MAX_SWEEPS && sweep(matrix, vectors, size); i++)
        continue;
    for (int i = 0; i < size; i++)
        values[i] = matrix[i * size + i];
}

bool matrix_cholesky(double *matrix, int size) {
    for (int j = 0; j < size; j++) {
        double *row = matrix + j * size;
        for (int i = 0; i <= j; i++) {
            const double *other = matrix + i * size;
            double sum = row[i];
            for (int k = 0; k < i; k++)
                sum -= row[k] * other[k];
            if (i < j)
                row[i] = sum / other[i];
            else if (sum > 0)
                row[i] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

void matrix_solve_lower(const double *factor, int size, double *x) {
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= factor[i * size + k] * x[k];
        x[i] /= factor[i * size + i];
    }
}

void matrix_solve_upper(const double *factor, int size, double *x) {
    for (int i = size - 1; i >= 0; i--) {
        for (int k = i + 1; k < size; k++)
            x[i] -= factor[k * size + i] * x[k];
        x[i] /= factor[i * size + i];
    }
}
