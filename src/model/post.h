/* Messages between workers: packed states on their way to their owner. Every state is owned by one
 * worker, by its hash: that worker alone looks it up, stores it and expands it. So no lock is taken
 * per state, and no two processors write to the same part of the store. States that other workers
 * find are sent to the owner in batches.
 *
 * A worker without work sends its incomplete batches and waits. When all wait and no batch is in
 * transit, the search is over. */
#ifndef HD_MODEL_POST_H
#define HD_MODEL_POST_H

#include "model/store.h"

typedef struct hd_post hd_post;

hd_post *hd_post_open(int workers);
void hd_post_close(hd_post *p);

void hd_post_send(hd_post *p, int from, int to, const hd_packed *state);

/* Sends incomplete batches if some worker is idle. */
void hd_post_hurry(hd_post *p, int from);

/* The next state received; false: none. */
bool hd_post_next(hd_post *p, int to, const hd_shapes *shapes, hd_packed *state);

/* For a worker without work: waits until a state arrives. False: the search is over. */
bool hd_post_wait(hd_post *p, int self);

/* Ends the search: hd_post_wait returns false from now on. */
void hd_post_stop(hd_post *p);
bool hd_post_stopped(const hd_post *p);

#endif
