#include "inputs/path_inputs.h"

#include <string.h>

static void set_value(const hd_path *p, hd_values *values, const hd_given *g)
{
    uint32_t place = hd_term_place(&p->terms, g);
    if (place != HD_NO_PLACE)
        hd_term_set_value(&p->terms, place, values, g->value);
}

void hd_path_place_values(hd_path *p)
{
    hd_vec_clear(&p->values);
    for (size_t i = 0; i < p->given.count; i++)
        set_value(p, &p->values, &p->given.items[i]);
}

void hd_path_set_current(hd_path *p, hd_path_inputs inputs)
{
    hd_path_drop(p, p->current);
    p->current = inputs;
}

static bool same_given(const hd_given *a, const hd_given *b)
{
    return a->thread == b->thread && a->number == b->number && a->value == b->value && a->domain == b->domain;
}

void hd_path_take_inputs(hd_path *p, const hd_execution *e)
{
    const hd_path_record *r = &p->records.items[p->current];
    bool same = r->count == e->input_count;
    hd_vec_clear(&p->given);
    for (uint32_t i = 0; i < e->input_count; i++) {
        const hd_input *input = &e->inputs[i];
        hd_given g = { input->value, input->number, input->thread, hd_domain(input->width, input->low, input->count) };
        same = same && same_given(&r->given[i], &g);
        hd_vec_push(&p->given, g);
    }
    if (!same)
        hd_path_set_current(p, 0);
}

void hd_path_give(const hd_path *p, const hd_values *values, hd_given_list *out)
{
    size_t count = p->given.count;
    if (out != &p->given)
        hd_vec_clear(out);
    for (size_t i = 0; i < count; i++) {
        hd_given g = p->given.items[i];
        uint32_t place = hd_term_place(&p->terms, &g);
        g.value = place < values->count ? values->items[place] : g.value;
        if (out == &p->given)
            out->items[i] = g;
        else
            hd_vec_push(out, g);
    }
}

static bool is_given(const hd_given_list *list, const hd_given *g)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].thread == g->thread && list->items[i].number == g->number
            && list->items[i].domain == g->domain)
            return true;
    return false;
}

void hd_path_give_inputs_of(hd_path *p, hd_term term, const hd_values *values, hd_given_list *out)
{
    hd_input_set set = hd_term_inputs(&p->terms, term);
    for (uint32_t i = 0; i < set.count; i++) {
        hd_given g = hd_term_given(&p->terms, set.places[i], values);
        if (!is_given(out, &g))
            hd_vec_push(out, g);
    }
}

/* --- records of inputs -------------------------------------------------------------------- */

static hd_path_inputs new_record(hd_path *p)
{
    if (p->unused.count)
        return hd_vec_pop(&p->unused);
    hd_vec_push(&p->records, ((hd_path_record) { 0 }));
    return (hd_path_inputs)p->records.count - 1;
}

static hd_path_inputs make_record(hd_path *p, const hd_given_list *list, uint32_t users)
{
    size_t size = list->count * sizeof(hd_given);
    hd_path_inputs inputs = new_record(p);
    hd_path_record *r = &p->records.items[inputs];
    r->given = memcpy(hd_alloc(p->memory, size), list->items, size);
    r->count = (uint32_t)list->count;
    r->users = users;
    return inputs;
}

hd_path_inputs hd_path_keep_values(
    hd_path *p, const hd_values *values, const hd_term *terms, size_t count, uint32_t users)
{
    hd_given_list list = { .memory = p->memory };
    hd_path_give(p, values, &list);
    for (size_t i = 0; i < count; i++)
        hd_path_give_inputs_of(p, terms[i], values, &list);
    hd_path_inputs inputs = make_record(p, &list, users);
    hd_vec_fini(&list);
    return inputs;
}

hd_path_inputs hd_path_keep(hd_path *p, uint32_t users)
{
    if (!p->given.count)
        return 0;
    if (!p->current)
        p->current = make_record(p, &p->given, 1); /* the path uses it itself, while these are its inputs */
    p->records.items[p->current].users += users;
    return p->current;
}

void hd_path_drop(hd_path *p, hd_path_inputs inputs)
{
    hd_path_record *r = &p->records.items[inputs];
    if (!inputs || --r->users)
        return;
    hd_release(p->memory, r->given, r->count * sizeof *r->given);
    *r = (hd_path_record) { 0 };
    hd_vec_push(&p->unused, inputs);
}

void hd_path_place_record(hd_path *p, hd_path_inputs inputs)
{
    const hd_path_record *r = &p->records.items[inputs];
    hd_vec_clear(&p->solution);
    for (uint32_t i = 0; i < r->count; i++)
        set_value(p, &p->solution, &r->given[i]);
}

void hd_path_adopt(hd_path *p, hd_path_inputs inputs)
{
    hd_path_record *r = &p->records.items[inputs];
    hd_vec_clear(&p->given);
    for (uint32_t i = 0; i < r->count; i++)
        hd_vec_push(&p->given, r->given[i]);
    hd_path_place_values(p);
    r->users++;
    hd_path_set_current(p, inputs);
}
