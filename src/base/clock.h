/* Monotonic time in seconds. All processes of the machine share its origin, so times may be
 * compared across processes. */
#ifndef HD_BASE_CLOCK_H
#define HD_BASE_CLOCK_H

#include <stdbool.h>

double hd_now(void);

/* When something long must stop. */
typedef struct hd_deadline {
    double until; /* at this time; 0: no limit */
    const volatile int *stop; /* or once this is set; NULL: never */
} hd_deadline;

bool hd_deadline_is_over(const hd_deadline *d);

#endif
