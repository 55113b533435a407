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

typedef struct hd_model_post hd_model_post;

hd_model_post *hd_model_post_open(int workers);
void hd_model_post_close(hd_model_post *p);

void hd_model_post_send(hd_model_post *p, int from, int to, const hd_model_packed *state);

/* Sends incomplete batches if some worker is idle. */
void hd_model_post_hurry(hd_model_post *p, int from);

/* The next state received; false: none. */
bool hd_model_post_next(hd_model_post *p, int to, const hd_model_shapes *shapes, hd_model_packed *state);

/* For a worker without work: waits until a state arrives. False: the search is over. */
bool hd_model_post_wait(hd_model_post *p, int self);

/* Ends the search: hd_model_post_wait returns false from now on. */
void hd_model_post_stop(hd_model_post *p);
bool hd_model_post_stopped(const hd_model_post *p);

#endif
