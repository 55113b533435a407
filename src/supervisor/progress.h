/* The progress line of a running session, on a terminal only. */
#ifndef HD_SUPERVISOR_PROGRESS_H
#define HD_SUPERVISOR_PROGRESS_H

#include "worker/session.h"

typedef struct hd_progress hd_progress;

hd_progress *hd_progress_open(void);
void hd_progress_close(hd_progress *p);

/* For hd_supervisor_options.tick; the context is the hd_progress. */
void hd_progress_tick(void *context, const hd_session *s);

/* Shows a line of text in place of the progress line. False: there is no terminal to show it on. */
bool hd_progress_show(hd_progress *p, const char *text);

/* Removes the line. */
void hd_progress_clear(hd_progress *p);

#endif
