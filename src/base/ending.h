/* When the command must end: at --time, or at SIGINT or SIGTERM.
 *
 * The engine stops by itself when it notices that the end is due. But it may be in the middle of something long: an
 * execution, an explorer's step, a question to the solver. So the supervisor, which is another process, kills a worker
 * that is late (supervisor.c); what is known by then is in the region. Thus a limit holds in code that never looks at
 * the clock, and no loop of the engine has to be written for it.
 *
 * Each stage of a command says how late it may become: exploring ends first, so that replays of the findings
 * and the report fit into the same second. A second signal ends heddle at once. */
#ifndef HD_BASE_ENDING_H
#define HD_BASE_ENDING_H

#include <signal.h>
#include <stdbool.h>

typedef struct hd_ending hd_ending;

/* Seconds after which the stages of a command are cut off when the end is due. */
#define HD_LATE_EXPLORING 0.35
#define HD_LATE_CHOOSING 0.4 /* tests of a suite */
#define HD_LATE_PREPARING 0.45 /* what they are */
#define HD_LATE_RUNNING 0.55 /* asked to stop, and killed as late as replays are */
#define HD_LATE_REPLAYING 0.85

/* From now on the signals are blocked and noticed by hd_ending_is_due. */
hd_ending *hd_ending_open(void);
void hd_ending_close(hd_ending *e);

/* In a process that was just forked: signals are as they were before. */
void hd_ending_leave(const hd_ending *e);

/* The end is due in `seconds` (0: no limit). A signal that has arrived stays. */
void hd_ending_set_time(hd_ending *e, double seconds);

/* Is the end due since at least `late` seconds? */
bool hd_ending_is_due(hd_ending *e, double late);

/* Has a signal been noticed? */
bool hd_ending_was_signalled(const hd_ending *e);

/* The signal mask from before hd_ending_open, for processes that are started. */
const sigset_t *hd_ending_mask(const hd_ending *e);

/* When the time limit is, in terms of hd_now; 0: there is none. */
double hd_ending_time(const hd_ending *e);

#endif
