/* Work that is done in a process of its own, so that it can neither stop nor break the server: its time, its memory and
 * what it writes are limited, and it ends with the server.
 *
 * The server has one thread. It waits for the descriptors of all jobs, and calls hd_serve_job_advance for each. */
#ifndef HD_SERVE_JOB_H
#define HD_SERVE_JOB_H

#include "base/error.h"

#include <stddef.h>
#include <sys/select.h>

typedef struct hd_serve_job hd_serve_job;

typedef struct hd_serve_limits {
    double seconds; /* then it is killed; 0: no limit */
    size_t memory; /* of its address space; 0: no limit */
    size_t output; /* bytes; what is more is lost */
} hd_serve_limits;

/* Calls `run` in a new process, which has the leader of a process group; standard output and standard error are the
 * job's output. `run` returns the exit status, or becomes another program. */
hd_serve_job *hd_serve_job_start(
    int (*run)(const void *context), const void *context, const hd_serve_limits *limits, hd_error *error);

/* Adds what is to be waited for. */
void hd_serve_job_wait(const hd_serve_job *j, fd_set *reading, int *most);

/* Takes what there is; ends a job whose time is over. */
void hd_serve_job_advance(hd_serve_job *j);

/* Asks it to end, as Ctrl-C does. */
void hd_serve_job_interrupt(hd_serve_job *j);

bool hd_serve_job_has_ended(const hd_serve_job *j);
int hd_serve_job_status(const hd_serve_job *j); /* its exit status; -1: a signal ended it */
const char *hd_serve_job_output(const hd_serve_job *j);
bool hd_serve_job_is_cut(const hd_serve_job *j); /* a part of its output is lost, or its time was over */
double hd_serve_job_seconds(const hd_serve_job *j); /* how long it runs, or ran */

/* Kills it if it runs. */
void hd_serve_job_close(hd_serve_job *j);

#endif
