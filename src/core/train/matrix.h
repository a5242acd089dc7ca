/*
 * matrix: the linear algebra that cma-es and bayes need.
 *
 * Matrices are rows one after the other, `size` x `size`. A library would be faster and would give
 * other bits on another machine; these use + - * / and square roots in a fixed order.
 */
#ifndef TETROPT_TRAIN_MATRIX_H
#define TETROPT_TRAIN_MATRIX_H

#include <stdbool.h>

/* Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations. `vectors` receives the
 * eigenvector of values[j] as its column j; `matrix` is used up. */
void matrix_eigen(double *matrix, int size, double *values, double *vectors);

/* Cholesky's factor L (L L' = matrix) of a symmetric positive definite matrix, in place, in the
 * lower half. False when it is not positive definite. */
bool matrix_cholesky(double *matrix, int size);

/* Solves L x = b in place, and L' x = b. */
void matrix_solve_lower(const double *factor, int size, double *x);
void matrix_solve_upper(const double *factor, int size, double *x);

#endif
