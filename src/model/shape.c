#include "model/shape.h"

#include <string.h>

enum { MOST_SHAPES = 65535 };

static uint32_t channel_size(const hd_model_shapes *s, const hd_promela_channel *c)
{
    uint32_t slots = c->capacity ? (uint32_t)c->capacity : 1; /* a rendezvous passes its message through one slot */
    return HD_CHANNEL_HEADER + slots * (c->message_size + s->tagged);
}

static hd_model_shape *shape_new(hd_model_shapes *s, const hd_model_shape *parent, uint32_t size)
{
    hd_model_shape *n = hd_arena_alloc(&s->arena, sizeof *n);
    n->parent = (hd_model_shape *)parent;
    n->processes = parent ? parent->processes : 0;
    n->channels = parent ? parent->channels : 0;
    n->components = parent ? parent->components + 1 : 1;
    n->size = (parent ? parent->size : 0) + size;
    n->offsets = hd_arena_alloc(&s->arena, ((size_t)n->components + 1) * sizeof *n->offsets);
    if (parent)
        memcpy(n->offsets, parent->offsets, (size_t)n->components * sizeof *n->offsets);
    /* One more than there are components, so every component has an end. */
    n->offsets[n->components] = n->size;
    n->index = (uint16_t)s->count;
    s->all[s->count++] = n;
    return n;
}

/* Lists are copied, not shared with growth in place: other shapes keep theirs. */
static uint16_t *extended(hd_model_shapes *s, const uint16_t *old, int count, uint16_t last)
{
    uint16_t *list = hd_arena_alloc(&s->arena, ((size_t)count + 1) * sizeof *list);
    if (count)
        memcpy(list, old, (size_t)count * sizeof *list);
    list[count] = last;
    return list;
}

void hd_model_shapes_init(hd_model_shapes *s, const hd_promela_program *program, bool tagged)
{
    *s = (hd_model_shapes) { .program = program, .tagged = tagged };
    hd_arena_init(&s->arena, &hd_heap);
    /* Room for every index: the array never moves, so readers need no lock. */
    s->all = hd_alloc(&hd_heap, (MOST_SHAPES + 1) * sizeof *s->all);
    pthread_mutex_init(&s->lock, NULL);
    shape_new(s, NULL, program->model->frame_size + program->model->has_last);
}

void hd_model_shapes_fini(hd_model_shapes *s)
{
    hd_arena_fini(&s->arena);
    hd_release(&hd_heap, s->all, (MOST_SHAPES + 1) * sizeof *s->all);
    pthread_mutex_destroy(&s->lock);
}

static hd_model_shape *make_child(hd_model_shapes *s, hd_model_shape *parent, bool is_process, int type)
{
    uint32_t size = is_process ? s->program->codes[type].size : channel_size(s, s->program->channel_types.items[type]);
    if (parent->size + size > HD_MODEL_STATE_MOST_BYTES || s->count > MOST_SHAPES
        || (is_process ? parent->processes == HD_MODEL_MOST_PROCESSES : parent->channels == HD_MODEL_MOST_CHANNELS))
        return NULL;
    hd_model_shape *n = shape_new(s, parent, size);
    n->is_process = is_process;
    n->type = (uint8_t)type;
    uint16_t component = (uint16_t)(n->components - 1);
    n->process_component = parent->process_component;
    n->channel_component = parent->channel_component;
    if (is_process)
        n->process_component = extended(s, parent->process_component, n->processes++, component);
    else
        n->channel_component = extended(s, parent->channel_component, n->channels++, component);
    n->sibling = parent->first_child;
    /* Published when complete: find_child reads the list without the lock. */
    __atomic_store_n(&parent->first_child, n, __ATOMIC_RELEASE);
    return n;
}

static hd_model_shape *find_child(const hd_model_shape *parent, bool is_process, int type)
{
    for (hd_model_shape *c = __atomic_load_n(&parent->first_child, __ATOMIC_ACQUIRE); c; c = c->sibling)
        if (c->is_process == is_process && c->type == type)
            return c;
    return NULL;
}

const hd_model_shape *hd_model_shape_with(hd_model_shapes *s, const hd_model_shape *shape, bool is_process, int type)
{
    hd_model_shape *child = find_child(shape, is_process, type);
    if (child)
        return child;
    pthread_mutex_lock(&s->lock);
    /* Again under the lock: another searcher may have made it meanwhile. */
    child = find_child(shape, is_process, type);
    if (!child)
        child = make_child(s, (hd_model_shape *)shape, is_process, type);
    pthread_mutex_unlock(&s->lock);
    return child;
}

const hd_model_shape *hd_model_shape_without_process(const hd_model_shape *shape)
{
    /* Channels that the process created come after it and end with it. */
    while (!shape->is_process)
        shape = shape->parent;
    return shape->parent;
}
