#ifndef HD_RUNTIME_SCHED_COVER_H
#define HD_RUNTIME_SCHED_COVER_H

/* Before a run. */
void hd_cover_start(void);

#endif
