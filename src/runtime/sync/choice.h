/* One of several outcomes: all are explored. */
#ifndef HD_RUNTIME_SYNC_CHOICE_H
#define HD_RUNTIME_SYNC_CHOICE_H

/* A number below `n`, 0 if the program is run by hand; an operation at
 * hd_call_site. */
unsigned hd_choice(unsigned n);

#endif
