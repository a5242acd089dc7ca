/*
 * real: exp and log that give the same bits everywhere.
 *
 * Where they steer a search (softmax, Metropolis) a last-bit difference between two C libraries
 * would change a whole run. These use only + - * / in a fixed order, and the build forbids
 * contraction, so compilers and CPUs agree. Relative error is below 1e-15 (tested against the C
 * library).
 */
#ifndef TETROPT_BASE_REAL_H
#define TETROPT_BASE_REAL_H

/* e to the x; 0 below about -745, infinity above about 709. */
double real_exp(double x);

/* The natural logarithm of x > 0; -infinity for 0, NaN below. */
double real_log(double x);

#endif
