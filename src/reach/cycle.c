#include "reach/cycle.h"

#include "base/map.h"
#include "base/vec.h"

enum { ROUNDS = 3, KEPT = 2 };

typedef hd_vec(uint64_t) keys;

/* What an event has in common with that of another round. */
static uint64_t key_of(const hd_op *op)
{
    uint64_t value = !hd_op_is_mail(op) ? 0 : hd_mail_sends(op) ? (uint32_t)op->value : hd_mail_asked(op->value);
    uint64_t what = (uint64_t)op->kind << 16 | (uint64_t)op->choices << 8 | op->choice;
    return hd_hash(what ^ hd_hash(op->object ^ hd_hash(value)));
}

static void find_keys(const hd_execution *e, uint16_t thread, keys *out)
{
    for (uint32_t i = 0; i < e->log_count; i++)
        if (e->log[i].thread == thread && hd_sr_is_event(&e->log[i]))
            hd_vec_push(out, key_of(&e->log[i]));
}

/* How many keys at the end are those `period` before them. */
static size_t count_repeated(const keys *k, size_t period)
{
    size_t n = 0;
    while (n + period < k->count && k->items[k->count - 1 - n] == k->items[k->count - 1 - n - period])
        n++;
    return n;
}

static bool would_go_on(const hd_execution *e, uint16_t thread)
{
    return e->outcome->kind == HD_DEPTH && e->threads[thread].status == HD_THREAD_AT_OP && e->threads[thread].enabled;
}

uint32_t hd_sr_predict(const hd_execution *e, uint16_t thread, uint32_t planned, hd_memory *memory)
{
    keys k = { .memory = memory };
    uint32_t until = UINT32_MAX;
    if (would_go_on(e, thread))
        find_keys(e, thread, &k);
    for (size_t period = 1; period * ROUNDS <= k.count && until == UINT32_MAX; period++) {
        size_t repeated = count_repeated(&k, period);
        if (repeated >= (ROUNDS - 1) * period)
            until = (uint32_t)(k.count - repeated + (KEPT - 1) * period);
    }
    hd_vec_fini(&k);
    return until < planned ? planned : until;
}
