/* Time that passes, in seconds, from the same start in all processes. */
#ifndef HD_BASE_CLOCK_H
#define HD_BASE_CLOCK_H

double hd_now(void);

#endif
