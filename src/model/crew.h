/* Several workers on one graph. Each has its own stack of states to expand, and gives half of it
 * away when another worker is idle. All end when all are idle, or when one says stop. */
#ifndef HD_MODEL_CREW_H
#define HD_MODEL_CREW_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef hd_vec(uint32_t) hd_model_numbers;

typedef struct hd_model_crew hd_model_crew;

hd_model_crew *hd_model_crew_open(int count);
void hd_model_crew_close(hd_model_crew *c);

/* The crew's lock; it also guards other data that the workers share. */
void hd_model_crew_lock(hd_model_crew *c);
void hd_model_crew_unlock(hd_model_crew *c);

/* Runs `work` on each of the crew's workers, `size` bytes apart, the first on this thread. */
void hd_model_crew_run(hd_model_crew *c, void *(*work)(void *), void *workers, size_t size);

/* The next state to expand, from the worker's own stack if it has one. False: the search is over. */
bool hd_model_crew_next(hd_model_crew *c, hd_model_numbers *open, uint32_t *number);

void hd_model_crew_stop(hd_model_crew *c);

#endif
