/* Monotonic time in seconds. All processes of the machine share its origin, so times may be
 * compared across processes. */
#ifndef HD_BASE_CLOCK_H
#define HD_BASE_CLOCK_H

double hd_now(void);

#endif
