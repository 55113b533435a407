/* Packed states on their way to the worker that they belong to. Of every state one worker is the owner, by
 * its hash: it alone looks the state up, keeps it and expands it, so no lock is taken for a state and no
 * two processors write to the same part of the store. What another finds is sent to the owner in batches.
 *
 * A worker that has nothing left sends what it holds back and waits; when all wait and nothing is on its way, all is
 * over.
 */
#ifndef HD_MODEL_POST_H
#define HD_MODEL_POST_H

#include "model/store.h"

typedef struct hd_post hd_post;

hd_post *hd_post_open(int workers);
void hd_post_close(hd_post *p);

void hd_post_send(hd_post *p, int from, int to, const hd_packed *state);

/* Sends what is held back, if somebody waits for work. */
void hd_post_hurry(hd_post *p, int from);

/* The next state that has come; false: none has. */
bool hd_post_next(hd_post *p, int to, const hd_shapes *shapes, hd_packed *state);

/* For a worker without work: waits until something comes. False: it is over. */
bool hd_post_wait(hd_post *p, int self);

/* Nobody goes on; hd_post_wait gives false from now on. */
void hd_post_stop(hd_post *p);
bool hd_post_stopped(const hd_post *p);

#endif
