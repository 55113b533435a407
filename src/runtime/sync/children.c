#include "runtime/sync/children.h"

#include "abi/system.h"
#include "runtime/image/snapshot.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/gate.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/heap.h"
#include "runtime/reset/images.h"
#include "runtime/reset/rewind.h"
#include "runtime/reset/tls.h"
#include "runtime/sched/access.h"
#include "runtime/sched/log.h"
#include "runtime/sched/places.h"
#include "runtime/sched/send.h"
#include "runtime/sched/watch.h"
#include "runtime/sync/groups.h"
#include "runtime/sync/key.h"
#include "runtime/sync/process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum { MOST_HANDLERS = 64 };

typedef enum child_state { NO_CHILD, RUNS, ENDED, WAITED_FOR } child_state;

static struct child {
    uint32_t parent;
    int status;
    child_state state;
    const hd_site *made_at;
    int error; /* why it has not become a program */
    uint8_t is_awaited; /* it is to tell when it leaves the memory of its parent */
} children[HD_MOST_PROCESSES];
static uint32_t family; /* children of this run, and their parents, have numbers below it; 0: there are none */

/* By process. */
static struct {
    struct {
        void (*prepare)(void), (*parent)(void), (*child)(void);
    } list[MOST_HANDLERS];
    uint32_t count;
} handlers[HD_MOST_PROCESSES];
static uint64_t with_handlers; /* processes that have some, as bits */

static uint8_t gone[HD_MOST_PROCESSES]; /* it has ended, and had children */

/* Objects (abi/shown.def). */
uint64_t hd_parents[HD_MOST_PROCESSES];
hd_gate hd_child_ends[HD_MOST_PROCESSES], hd_children_end[HD_MOST_PROCESSES], hd_child_leaves[HD_MOST_PROCESSES];

void hd_children_reset(void)
{
    for (uint32_t i = 0; i < family; i++) {
        children[i] = (struct child) { 0 };
        hd_child_ends[i] = hd_children_end[i] = hd_child_leaves[i] = (hd_gate) { 0 };
        gone[i] = 0;
    }
    family = 0;
    hd_groups_reset();
    for (; with_handlers; with_handlers &= with_handlers - 1)
        handlers[__builtin_ctzll(with_handlers)].count = 0;
}

int hd_children_is_child(uint32_t process)
{
    return children[process].state != NO_CHILD;
}

uint32_t hd_children_parent(uint32_t process)
{
    return children[process].parent;
}

int hd_children_exists(uint32_t process)
{
    return process < hd_process_count() && hd_process_was_made(process)
        && (children[process].state == NO_CHILD || children[process].state != WAITED_FOR);
}

int hd_children_end_at(uint32_t parent, uint32_t child, uint64_t object)
{
    const struct child *c = &children[child];
    return c->state == RUNS && c->parent == parent
        && (object == (uint64_t)&hd_child_ends[child] || object == (uint64_t)&hd_children_end[parent]);
}

/* --- fork --------------------------------------------------------------------------------- */

int hd_children_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    typeof(*handlers) *own = &handlers[hd_current->process];
    if (own->count == MOST_HANDLERS)
        return ENOMEM;
    own->list[own->count++] = (typeof(*own->list)) { prepare, parent, child };
    with_handlers |= 1ull << hd_current->process;
    return 0;
}

void hd_children_forget_handlers(void)
{
    handlers[hd_current->process].count = 0;
}

static void check_fork(const hd_site *site)
{
    hd_step_must_be_over("fork");
    if (hd_fast_state.symbolic)
        hd_end(HD_MODEL_LIMIT, site, "fork in a program with inputs is not modelled yet");
}

/* The steps of other threads come before the copy, or after it. */
static void come_between_steps(const hd_site *site)
{
    if (!hd_has_siblings())
        return;
    hd_process_becomes_mortal();
    if (!hd_current->mortal) /* that is new: the run is repeated */
        return;
    hd_current->mortal = 0; /* the process does not end in this step */
    hd_call_site = site;
    hd_perform(HD_PROCESS_FORKS, &hd_process_endings[hd_current->process], NULL);
    hd_current->mortal = 1;
}

static uint32_t dividing, made; /* processes */

static void add_part(char *start, size_t size)
{
    hd_images_add(dividing, made, start, size);
}

static void add_new_part(char *start, size_t size)
{
    if (!hd_images_holds(dividing, (uint64_t)start))
        add_part(start, size);
}

/* How much of the arena of thread `i` is in parts already. */
static char *covered[HD_MAX_THREADS];

/* The heap, as far as the process has allocated it itself. */
static void add_heap(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        if (hd_threads[i].process != dividing || hd_threads[i].view->status == HD_THREAD_UNUSED)
            continue;
        char *from = hd_heap_base(i), *end = (char *)hd_heap_next(i);
        from = covered[i] > from && hd_images_holds(dividing, (uint64_t)from) ? covered[i] : from;
        if (from < end)
            hd_heap_private_parts(i, from, add_part);
        covered[i] = end;
    }
}

static void add_stack(void)
{
    if (hd_images_holds(dividing, (uint64_t)hd_fiber_top(hd_current->stack) - 1))
        return;
    hd_tls_each(add_part);
    hd_images_add_stack(dividing, made, hd_current->stack);
}

/* Of other threads: the child may have pointers to what is there. */
static void add_other_stacks(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        const hd_thread *t = &hd_threads[i];
        if (t != hd_current && t->process == dividing && hd_thread_lives(t)
            && !hd_images_holds(dividing, (uint64_t)hd_fiber_top(t->stack) - 1))
            hd_images_add_stack(dividing, made, t->stack);
    }
}

/* What the process has inherited, and what it has added to that. */
static void add_parts(const hd_thread *copy)
{
    dividing = hd_current->process;
    made = copy->process;
    hd_process_variables(dividing, add_new_part);
    add_stack();
    add_other_stacks();
    add_heap();
    hd_images_inherit(dividing, made);
}

static void begin_child(uint32_t process, int is_awaited)
{
    uint32_t last = process < hd_current->process ? hd_current->process : process;
    family = last < family ? family : last + 1;
    if (with_handlers >> hd_current->process & 1) {
        handlers[process] = handlers[hd_current->process];
        with_handlers |= 1ull << process;
    }
    children[process] = (struct child) {
        .parent = hd_current->process, .state = RUNS, .made_at = hd_call_site, .is_awaited = is_awaited != 0
    };
    hd_process_copy(process);
    hd_groups_copy(process);
    hd_descriptors_copy(process);
    hd_send_copy(process);
    hd_rewind_copy(process);
}

static void run_handlers(int in_child)
{
    const typeof(*handlers) *own = &handlers[hd_current->process];
    for (uint32_t i = 0; i < own->count; i++) {
        void (*handler)(void) = in_child ? own->list[i].child : own->list[i].parent;
        if (handler)
            handler();
    }
}

int hd_children_fork(int is_awaited, const hd_site *site)
{
    check_fork(site);
    for (uint32_t i = handlers[hd_current->process].count; i-- > 0;)
        if (handlers[hd_current->process].list[i].prepare)
            handlers[hd_current->process].list[i].prepare();
    come_between_steps(site);
    hd_call_site = site;
    hd_thread *copy = hd_spawn_copy(site);
    if (copy && copy->process >= HD_MOST_PROCESSES)
        hd_kill_threads(copy->process); /* it must not run */
    if (!copy || copy->process >= HD_MOST_PROCESSES)
        hd_end(HD_MODEL_LIMIT, site, "fork by a program with more than %d threads and processes is not modelled",
            HD_MOST_PROCESSES - 1);
    add_parts(copy);
    begin_child(copy->process, is_awaited);
    hd_key_copy(copy);
    int in_child = hd_places_divide(copy);
    run_handlers(in_child);
    return in_child ? 0 : (int)copy->process;
}

/* --- vfork ------------------------------------------------------------------------------ */

void hd_children_await_leaving(uint32_t child, const hd_site *site)
{
    hd_call_site = site;
    hd_data_take(&hd_child_leaves[child], 1);
}

int hd_children_await_program(uint32_t child, const hd_site *site)
{
    int status;
    hd_children_await_leaving(child, site);
    int error = children[child].error;
    if (error)
        hd_children_wait(child, 1, 0, &status, site);
    return error;
}

void hd_children_fail(int error)
{
    children[hd_current->process].error = error;
}

void hd_children_leave_parent(const hd_site *site)
{
    hd_gate *gate = &hd_child_leaves[hd_current->process];
    hd_call_site = site;
    if (!children[hd_current->process].is_awaited)
        return;
    children[hd_current->process].is_awaited = 0;
    hd_data_comes(gate);
}

/* The process's first child in this state; HD_ANY_CHILD: there is none. */
static uint32_t find(uint32_t parent, child_state state)
{
    for (uint32_t i = 0; i < hd_process_count(); i++)
        if (children[i].state == state && children[i].parent == parent)
            return i;
    return HD_ANY_CHILD;
}

/* --- the end ---------------------------------------------------------------------------------- */

static int is_ignored(uint32_t parent, const hd_site *site)
{
    struct sigaction action = hd_send_action_of(parent, SIGCHLD, site);
    return action.sa_handler == SIG_IGN || (action.sa_flags & SA_NOCLDWAIT);
}

void hd_children_leave(const hd_site *site)
{
    uint32_t self = hd_current->process;
    if (find(self, RUNS) == HD_ANY_CHILD && find(self, ENDED) == HD_ANY_CHILD && find(self, WAITED_FOR) == HD_ANY_CHILD)
        return;
    hd_access_object(&hd_parents[self], site);
    gone[self] = 1;
}

int hd_children_is_orphan(const hd_site *site)
{
    uint32_t parent = children[hd_current->process].parent;
    hd_access_uses(&(hd_object_use) { &hd_parents[parent], 0, NULL }, 1, site);
    return gone[parent];
}

/* One step: whoever waits for the process finds nothing of it left. */
void hd_children_ended(int status, const hd_site *site)
{
    uint32_t process = hd_current->process, parent = children[process].parent;
    hd_children_leave_parent(site);
    uint32_t outer = hd_step_begin(0);
    hd_call_site = site;
    hd_data_comes(&hd_child_ends[process]);
    int is_forgotten = is_ignored(parent, site);
    if (!is_forgotten)
        hd_data_comes(&hd_children_end[parent]);
    children[process].status = status;
    children[process].state = is_forgotten ? WAITED_FOR : ENDED;
    hd_call_site = site;
    hd_send_signal_to_process(parent, SIGCHLD);
    hd_step_end(outer);
}

uint32_t hd_children_first_left(const hd_site **made_at)
{
    for (uint32_t i = 1; family && i < hd_process_count(); i++)
        if (children[i].state == ENDED && !hd_process_was_killed(children[i].parent)) {
            *made_at = children[i].made_at;
            return i;
        }
    return 0;
}

/* --- waiting ------------------------------------------------------------------------------------ */

static hd_thread *first_thread(uint32_t process)
{
    return &hd_threads[process];
}

/* The child has ended; the step has passed a gate. */
static void forget(uint32_t child)
{
    uint32_t parent = children[child].parent;
    children[child].state = WAITED_FOR;
    if (find(parent, ENDED) == HD_ANY_CHILD)
        hd_data_gone(&hd_children_end[parent]);
    else
        hd_data_change(&hd_children_end[parent]);
}

/* One step: passes the gate, and takes the child. -ECHILD: another thread has taken it. */
static int take(uint32_t child, int waits, int keeps, int *status)
{
    uint32_t self = hd_current->process;
    uint32_t outer = hd_step_begin(0);
    int passed = hd_data_take(child == HD_ANY_CHILD ? &hd_children_end[self] : &hd_child_ends[child], waits);
    uint32_t found = child == HD_ANY_CHILD ? find(self, ENDED) : child;
    int result = !passed ? -EAGAIN : children[found].state == ENDED ? (int)found : -ECHILD;
    if (result >= 0)
        *status = children[found].status;
    if (result >= 0 && !keeps)
        forget(found);
    hd_step_end(outer);
    return result;
}

int64_t hd_children_of_group(uint32_t group, const hd_site *site)
{
    uint32_t of_group = 0, others = 0, last = 0;
    for (uint32_t i = 0; i < hd_process_count(); i++) {
        if (children[i].parent != hd_current->process || (children[i].state != RUNS && children[i].state != ENDED))
            continue;
        if (hd_group_of(i, site) == group)
            of_group++, last = i;
        else
            others++;
    }
    if (of_group > 1 && others)
        hd_end(HD_MODEL_LIMIT, site, "waiting for several processes of a group beside others is not modelled yet");
    return !of_group ? -(int64_t)ECHILD : others ? last : HD_ANY_CHILD;
}

int hd_children_wait(uint32_t child, int waits, int keeps, int *status, const hd_site *site)
{
    uint32_t self = hd_current->process;
    hd_call_site = site;
    hd_step_must_be_over("waiting for a process");
    if (child == HD_ANY_CHILD ? find(self, RUNS) == HD_ANY_CHILD && find(self, ENDED) == HD_ANY_CHILD
                              : children[child].parent != self || children[child].state == NO_CHILD)
        return -ECHILD;
    int found = take(child, waits, keeps, status);
    if (found < 0 || keeps)
        return found;
    hd_thread *t = first_thread((uint32_t)found);
    t->joined = 1;
    hd_edge(hd_current, t, HD_WAIT_JOIN, 0);
    hd_watch_count_threads(-1);
    return found;
}
