/* The order of decisions: a binary heap by activity (VSIDS). A variable's place in the heap is kept
 * with it, so that it can rise when its activity grows. */
#include "sym/sat_parts.h"

static const double too_active = 1e100;

static bool goes_before(const hd_sat *s, uint32_t a, uint32_t b)
{
    return s->variables.items[a].activity > s->variables.items[b].activity;
}

static void put_in_heap(hd_sat *s, size_t place, uint32_t variable)
{
    s->heap.items[place] = variable;
    s->variables.items[variable].heap_place = (uint32_t)place + 1;
}

static void rise(hd_sat *s, size_t place)
{
    uint32_t variable = s->heap.items[place];
    for (; place && goes_before(s, variable, s->heap.items[(place - 1) / 2]); place = (place - 1) / 2)
        put_in_heap(s, place, s->heap.items[(place - 1) / 2]);
    put_in_heap(s, place, variable);
}

static void sink(hd_sat *s, size_t place)
{
    uint32_t variable = s->heap.items[place];
    for (size_t child; (child = 2 * place + 1) < s->heap.count; place = child) {
        if (child + 1 < s->heap.count && goes_before(s, s->heap.items[child + 1], s->heap.items[child]))
            child++;
        if (!goes_before(s, s->heap.items[child], variable))
            break;
        put_in_heap(s, place, s->heap.items[child]);
    }
    put_in_heap(s, place, variable);
}

void hd_sat_enter_heap(hd_sat *s, uint32_t variable)
{
    if (s->variables.items[variable].heap_place)
        return;
    hd_vec_push(&s->heap, variable);
    rise(s, s->heap.count - 1);
}

uint32_t hd_sat_leave_heap(hd_sat *s)
{
    uint32_t top = s->heap.items[0], last = hd_vec_pop(&s->heap);
    s->variables.items[top].heap_place = 0;
    if (s->heap.count) {
        put_in_heap(s, 0, last);
        sink(s, 0);
    }
    return top;
}

void hd_sat_make_active(hd_sat *s, uint32_t variable)
{
    hd_sat_variable *v = &s->variables.items[variable];
    v->activity += s->bump;
    /* Activities grow by an ever larger increment instead of decaying; before they overflow, all
     * are scaled down, which keeps their order. */
    if (v->activity > too_active) {
        for (size_t i = 0; i < s->variables.count; i++)
            s->variables.items[i].activity /= too_active;
        s->bump /= too_active;
    }
    if (v->heap_place)
        rise(s, v->heap_place - 1);
}
