/* published_facts: numbers of the works that follow from a definition; NaN when one cannot be
 * computed. */
#ifndef TETROPT_REPORT_PUBLISHED_FACTS_H
#define TETROPT_REPORT_PUBLISHED_FACTS_H

/* The game of 3-PARTITION for 5,5,6,5,5,6 and 16: pieces, lines cleared, cells left. */
double fact_partition_pieces(void);
double fact_partition_lines(void);
double fact_partition_cells(void);

/* Assignments that exhaustive search tries for an unsatisfiable formula of 3, 6, 9 variables. */
double fact_sat_3(void);
double fact_sat_6(void);
double fact_sat_9(void);

#endif
