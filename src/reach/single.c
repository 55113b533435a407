#include "reach/single.h"

void hd_sr_singles_init(hd_sr_singles *v, const hd_sr *q, hd_memory *memory)
{
    *v = (hd_sr_singles) { 0 };
    hd_sr_variant_init(&v->variant, q, memory);
}

void hd_sr_singles_fini(hd_sr_singles *v)
{
    hd_sr_variant_fini(&v->variant);
}

bool hd_sr_singles_next(hd_sr_singles *v)
{
    const hd_sr *q = v->variant.q;
    uint32_t outcome;
    for (; v->decision < q->events.count; v->decision++, v->next = 0) {
        if (!hd_sr_decides(&q->events.items[v->decision]) || !hd_sr_next_outcome(q, v->decision, &v->next, &outcome))
            continue;
        hd_sr_variant_clear(&v->variant);
        for (uint32_t i = 0; i < q->events.count; i++)
            v->variant.kept.items[i] = !q->events.items[i].pending;
        hd_sr_variant_change(&v->variant, v->decision, outcome);
        return true;
    }
    return false;
}
