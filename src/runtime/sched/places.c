#include "runtime/sched/places.h"

int hd_sees_same(const hd_thread *t, const void *object)
{
    uint64_t address = (uint64_t)object;
    return !hd_image_parts || t->process == hd_current->process
        || !(hd_images_is_inherited(t->process, address) || hd_images_is_inherited(hd_current->process, address));
}

void hd_places_leave(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        hd_thread *t = &hd_threads[i];
        if (t->view->status == HD_THREAD_AT_OP && hd_images_are_in_place(t->process))
            t->was_ready = (uint8_t)(!t->ready || t->ready(t, &t->view->pending));
    }
}

int hd_places_is_ready(hd_thread *t, hd_op *op)
{
    if (UNLIKELY(hd_image_parts) && !hd_images_are_in_place(t->process)
        && hd_images_holds(t->process, hd_op_address(op)))
        return t->was_ready;
    return !t->ready || t->ready(t, op);
}

/* For functions on another stack. */
static uint32_t process;

static void put(void)
{
    hd_images_put(process);
}

void hd_places_switch(void **save, hd_thread *to)
{
    process = to->process;
    hd_images_run(save, put, &to->sp);
}

static void copy_memory(void)
{
    hd_images_copy(process);
}

int hd_places_divide(hd_thread *copy)
{
    process = copy->process;
    hd_images_run(&copy->sp, copy_memory, &copy->sp);
    return hd_current == copy;
}
