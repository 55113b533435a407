/* Several workers on one graph. Each has its own stack of states to expand, and gives half of it
 * away when another worker is idle. All end when all are idle, or when one says stop. */
#ifndef HD_MODEL_CREW_H
#define HD_MODEL_CREW_H

#include "base/vec.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef hd_vec(uint32_t) hd_model_numbers;

typedef struct hd_model_crew {
    int count, idle;
    hd_model_numbers shared; /* states given away, for idle workers */
    bool stop;
    pthread_mutex_t lock; /* also guards other data that the workers share */
    pthread_cond_t given;
} hd_model_crew;

void hd_model_crew_open(hd_model_crew *c, int count);
void hd_model_crew_close(hd_model_crew *c);

/* Runs `work` on each of the crew's workers, `size` bytes apart, the first on this thread. */
void hd_model_crew_run(hd_model_crew *c, void *(*work)(void *), void *workers, size_t size);

/* The next state to expand, from the worker's own stack if it has one. False: the search is over. */
bool hd_model_crew_next(hd_model_crew *c, hd_model_numbers *open, uint32_t *number);

void hd_model_crew_stop(hd_model_crew *c);

#endif
