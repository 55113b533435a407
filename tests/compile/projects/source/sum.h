#ifndef SUM_H
#define SUM_H

/* What all threads have added so far. */
void sum_add(int n);
int sum_value(void);

/* How many times this thread has added. */
int sum_here(void);

#endif
