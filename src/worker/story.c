#include "worker/story.h"

#include <string.h>

static const char *copy_text(hd_memory *m, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(hd_alloc(m, size), text, size);
}

static hd_place copy_place(hd_memory *m, const hd_site *site)
{
    if (!site)
        return (hd_place) { copy_text(m, "?"), copy_text(m, "?"), 0, 0 };
    return (hd_place) { copy_text(m, site->file), copy_text(m, site->function), site->line, site->column };
}

static hd_story_thread tell_thread(const hd_runtime *r, uint32_t i, hd_memory *memory)
{
    const hd_thread_view *v = &r->threads[i];
    bool waits = v->status == HD_THREAD_WAITING;
    return (hd_story_thread) { .view = *v,
        .place = copy_place(memory,
            waits                              ? v->wait_site
                : v->status == HD_THREAD_AT_OP ? v->pending.site
                                               : NULL),
        .created = copy_place(memory, v->created_at),
        .stack = r->stacks[r->log_room + i],
        .creation_stack = r->stacks[r->log_room + HD_MAX_THREADS + i] };
}

void hd_story_tell(hd_story *s, const hd_execution *e, const hd_runtime *runtime, hd_memory *memory)
{
    s->op_count = e->log_count;
    s->ops = hd_alloc(memory, e->log_count * sizeof *s->ops);
    for (uint32_t i = 0; i < e->log_count; i++) {
        s->ops[i] = (hd_story_op) { .op = e->log[i], .place = copy_place(memory, e->log[i].site) };
        if (e->log[i].kind != HD_EDGE)
            s->ops[i].stack = runtime->stacks[i];
    }
    s->thread_count = e->thread_count;
    s->threads = hd_alloc(memory, e->thread_count * sizeof *s->threads);
    for (uint32_t i = 0; i < e->thread_count; i++)
        s->threads[i] = tell_thread(runtime, i, memory);
    s->outcome = *e->outcome;
    s->place = copy_place(memory, e->outcome->site);
}

/* --- a copy ------------------------------------------------------------------------------ */

static void copy_place_texts(hd_place *p, hd_arena *arena)
{
    p->file = hd_arena_copy(arena, p->file);
    p->function = hd_arena_copy(arena, p->function);
}

static void *copy_array(hd_arena *arena, const void *items, size_t size)
{
    void *copy = hd_arena_alloc(arena, size);
    return size ? memcpy(copy, items, size) : copy;
}

void hd_story_copy(hd_story *to, const hd_story *from, hd_arena *arena)
{
    *to = *from;
    to->ops = copy_array(arena, from->ops, from->op_count * sizeof *from->ops);
    for (uint32_t i = 0; i < to->op_count; i++)
        copy_place_texts(&to->ops[i].place, arena);
    to->threads = copy_array(arena, from->threads, from->thread_count * sizeof *from->threads);
    for (uint32_t i = 0; i < to->thread_count; i++) {
        copy_place_texts(&to->threads[i].place, arena);
        copy_place_texts(&to->threads[i].created, arena);
    }
    copy_place_texts(&to->place, arena);
}
