/* Interaction while a check runs: a progress line (on a terminal only), and Ctrl-C, which stops the
 * check cleanly; a second Ctrl-C ends heddle. */
#ifndef HD_SUPERVISOR_PROGRESS_H
#define HD_SUPERVISOR_PROGRESS_H

#include "base/clock.h"
#include "worker/session.h"

typedef struct hd_progress {
    hd_session *session; /* the session to stop; NULL: Ctrl-C ends heddle at once */
    bool shown, drawn;
    int interrupts;
    double started, last_time;
    uint64_t last_tests;
    double rate;
} hd_progress;

void hd_progress_open(hd_progress *p);
void hd_progress_close(hd_progress *p);

/* For hd_supervisor's tick; the context is the hd_progress. */
void hd_progress_tick(void *context, const hd_session *s);

/* Only checks for Ctrl-C. */
void hd_progress_listen(hd_progress *p);

/* Removes the line. */
void hd_progress_clear(hd_progress *p);

#endif
