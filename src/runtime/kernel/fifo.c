#include "runtime/kernel/fifo.h"

#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/pipe_internal.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { FLAG_OF_64_BITS = 0100000 }; /* that F_GETFL shows for every file that was opened */

typedef struct fifo {
    uint64_t device, node;
    uint32_t mode;
    uint32_t writers_so_far;
} fifo;

static fifo fifos[HD_INSTANCES];
static hd_instances instances;

/* A call of open. Plain data. */
typedef struct opening {
    uint64_t device, node;
    uint32_t mode; /* of the file */
    int flags, reads, writes;
    uint32_t fifo; /* + 1, after it has arrived */
    int waits; /* for the other end */
} opening;

/* By thread: the call under way. */
static opening calls[HD_MAX_THREADS];

/* By description for reading: how many writers had come when it was made by a call that does not wait. */
static uint32_t seen[HD_DESCRIPTIONS];

/* Objects of operations (abi/shown.def). */
uint64_t hd_fifo_objects[HD_FIFO_OBJECTS];
hd_gate hd_fifo_arrivals[HD_MAX_THREADS];

void hd_fifos_reset(void)
{
    if (!instances.count)
        return;
    for (uint32_t i = 0; i < instances.count; i++)
        hd_pipe_clear(HD_PIPES + instances.made[i]);
    hd_instances_reset(&instances);
    memset(calls, 0, sizeof calls);
    memset(hd_fifo_arrivals, 0, sizeof hd_fifo_arrivals);
}

/* --- the FIFOs that have been opened ----------------------------------------------------------------- */

static uint64_t *object_of(uint64_t device, uint64_t node)
{
    return &hd_fifo_objects[(device * 31 + node) * 0x9e3779b97f4a7c15u >> 56];
}

static int find(uint64_t device, uint64_t node)
{
    for (uint32_t i = 0; i < instances.count; i++)
        if (fifos[instances.made[i]].device == device && fifos[instances.made[i]].node == node)
            return instances.made[i];
    return -1;
}

static uint32_t find_or_make(const opening *o)
{
    int known = find(o->device, o->node);
    if (known >= 0)
        return (uint32_t)known;
    uint32_t number = hd_instances_add(&instances, "FIFOs");
    fifos[number] = (fifo) { .device = o->device, .node = o->node, .mode = o->mode };
    return number;
}

static uint32_t number_of(const hd_description *d)
{
    return d->object - HD_PIPES;
}

/* --- descriptions ---------------------------------------------------------------------------------------- */

static void leave(uint32_t number, int reads, int writes)
{
    const hd_site *site = hd_call_site;
    hd_access_object(object_of(fifos[number].device, fifos[number].node), site);
    hd_call_site = site;
    hd_pipe_leave(HD_PIPES + number, reads, writes);
}

static void close_reader(hd_description *d)
{
    leave(number_of(d), 1, 0);
}

static void close_writer(hd_description *d)
{
    leave(number_of(d), 0, 1);
}

static void close_both(hd_description *d)
{
    leave(number_of(d), 1, 1);
}

static hd_gate *none(hd_description *d)
{
    (void)d;
    return NULL;
}

/* Linux hides the end of a FIFO from such a poll until a writer has come. */
static short events_of_reader(hd_description *d)
{
    short events = hd_pipe_events_of_reader(d);
    if (!hd_pipe_states[d->object].writers && seen[hd_description_number(d)] == fifos[number_of(d)].writers_so_far)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "a poll of a FIFO that no writer has opened is not modelled yet");
    return events;
}

static short events_of_both(hd_description *d)
{
    return (short)(hd_pipe_events_of_reader(d) | hd_pipe_events_of_writer(d));
}

static const hd_file_type reader = { "FIFO", S_IFIFO, hd_pipe_receive, hd_pipe_cannot_send, hd_pipe_available,
    close_reader, hd_pipe_data_of, none, events_of_reader, 0 };
static const hd_file_type writer = { "FIFO", S_IFIFO, hd_pipe_cannot_receive, hd_pipe_send, hd_pipe_available,
    close_writer, none, hd_pipe_room_of, hd_pipe_events_of_writer, 0 };
static const hd_file_type both = { "FIFO", S_IFIFO, hd_pipe_receive, hd_pipe_send, hd_pipe_available, close_both,
    hd_pipe_data_of, hd_pipe_room_of, events_of_both, 0 };

static const hd_file_type *type_of(int reads, int writes)
{
    return !writes ? &reader : reads ? &both : &writer;
}

void hd_fifo_status(const hd_description *d, struct stat *to)
{
    if (d->type != &reader && d->type != &writer && d->type != &both)
        return;
    to->st_dev = fifos[number_of(d)].device;
    to->st_ino = fifos[number_of(d)].node;
    to->st_mode = fifos[number_of(d)].mode;
}

/* --- opening ------------------------------------------------------------------------------------------------- */

static int finds_no_reader(const opening *o)
{
    int number = find(o->device, o->node), tries = (o->flags & O_NONBLOCK) && !o->reads;
    return tries && (number < 0 || !hd_pipe_states[HD_PIPES + number].readers);
}

static int arrives_or_fails(hd_thread *t, hd_op *op)
{
    op->kind = finds_no_reader(&calls[t->id]) ? HD_RMW_SAME : HD_RMW;
    return 1;
}

static int is_alone(const opening *o)
{
    const hd_pipe_state *p = &hd_pipe_states[HD_PIPES + o->fifo - 1];
    return (!o->writes && !p->writers) || (!o->reads && !p->readers);
}

/* The other end has come, for the calls that wait for it. */
static void let_in(const opening *o)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (calls[i].waits && calls[i].fifo == o->fifo && !is_alone(&calls[i])) {
            calls[i].waits = 0;
            hd_data_comes(&hd_fifo_arrivals[i]);
        }
}

/* Part of the step: the call counts as a reader or a writer. */
static void arrive(opening *o, const hd_site *site)
{
    uint32_t number = find_or_make(o);
    o->fifo = number + 1;
    hd_call_site = site;
    hd_pipe_enter(HD_PIPES + number, o->reads, o->writes);
    fifos[number].writers_so_far += (uint32_t)o->writes;
    let_in(o);
    o->waits = is_alone(o) && !(o->flags & O_NONBLOCK);
    hd_effect();
}

/* Part of the last step: the call gets its descriptor. */
static int finish(opening *o, const hd_site *site)
{
    uint32_t number = o->fifo - 1;
    int flags = (o->flags & (O_ACCMODE | O_NONBLOCK | O_APPEND)) | FLAG_OF_64_BITS;
    int is_early = is_alone(o) && (o->flags & O_NONBLOCK);
    hd_fs_number(0, site);
    hd_description *d = hd_description_make(type_of(o->reads, o->writes), HD_PIPES + number, flags);
    seen[hd_description_number(d)] = is_early ? fifos[number].writers_so_far : ~0u;
    int fd = hd_descriptors_add(d, 0, o->flags & O_CLOEXEC, site);
    if (fd < 0)
        leave(number, o->reads, o->writes);
    o->fifo = 0;
    return fd;
}

/* The gate is shut again for the thread's next wait. */
static int await_other_end(opening *o, const hd_site *site)
{
    hd_gate *gate = &hd_fifo_arrivals[hd_current->id];
    hd_call_site = site;
    uint32_t outer = hd_step_begin(0);
    hd_data_take(gate, 1);
    hd_data_gone(gate);
    int fd = finish(o, site);
    hd_step_end(outer);
    return fd;
}

int hd_fifo_open(const struct stat *at, int flags, const hd_site *site)
{
    opening *o = &calls[hd_current->id];
    int access = flags & O_ACCMODE, fd = -ENXIO;
    *o = (opening) { .device = at->st_dev,
        .node = at->st_ino,
        .mode = at->st_mode,
        .flags = flags,
        .reads = access != O_WRONLY,
        .writes = access != O_RDONLY };
    uint32_t outer = hd_step_begin(0);
    hd_access_uses(&(hd_object_use) { object_of(at->st_dev, at->st_ino), 1, arrives_or_fails }, 1, site);
    if (!finds_no_reader(o)) {
        arrive(o, site);
        fd = o->waits ? 0 : finish(o, site);
    }
    int waits = o->waits;
    hd_step_end(outer);
    return waits ? await_other_end(o, site) : fd;
}

void hd_fifo_end_call(const hd_thread *t, const hd_site *site)
{
    opening *o = &calls[t->id];
    if (!o->fifo)
        return;
    hd_call_site = site;
    uint32_t outer = hd_step_begin(0);
    leave(o->fifo - 1, o->reads, o->writes);
    hd_step_end(outer);
    *o = (opening) { 0 };
}
