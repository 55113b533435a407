#include "runtime/breaks.h"

#include "runtime/core/assert.h"
#include "runtime/core/state.h"
#include "runtime/kernel/descriptors_internal.h"
#include "runtime/kernel/epoll_internal.h"
#include "runtime/kernel/eventfd_internal.h"
#include "runtime/kernel/mailbox_internal.h"
#include "runtime/kernel/message_queue_internal.h"
#include "runtime/kernel/names_internal.h"
#include "runtime/kernel/file_locks_internal.h"
#include "runtime/kernel/pipe_internal.h"
#include "runtime/kernel/semaphore_set_internal.h"
#include "runtime/kernel/shared_internal.h"
#include "runtime/kernel/socket_internal.h"
#include "runtime/kernel/sysv_queue_internal.h"
#include "runtime/kernel/timer_internal.h"
#include "runtime/reset/heap_internal.h"
#include "runtime/reset/overlay_internal.h"
#include "runtime/sched/log.h"
#include "runtime/sched/sched_internal.h"
#include "runtime/sync/barrier.h"
#include "runtime/sync/cond.h"
#include "runtime/sync/futex.h"
#include "runtime/sync/mutex.h"
#include "runtime/sync/rwlock.h"
#include "runtime/sync/semaphore.h"
#include "unit/test.h"

#include <fcntl.h>
#include <stdarg.h>

static int missed;

void hd_test_failed(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    missed++;
}

/* --- the heap -------------------------------------------------------------------- */

#define CHECK_HEAP(field, wrong) CHECK_NOTICED(hd_heap_is_valid(), field, wrong)

static hd_heap_block *block_of(void *p)
{
    return (hd_heap_block *)p - 1;
}

static void break_block(hd_heap_block *b)
{
    CHECK_HEAP(b->magic, 0);
    CHECK_HEAP(b->span, b->span + 8);
    CHECK_HEAP(b->span, 16);
    CHECK_HEAP(b->span, HD_HEAP_ARENA);
    CHECK_HEAP(b->size, b->span);
    CHECK_HEAP(b->allocator, HD_MAX_THREADS);
    CHECK_HEAP(*hd_shadow_of(b), 0);
    CHECK_HEAP(*hd_shadow_of((char *)b + b->span - 8), 0);
}

int break_heap(void *live, void *freed, void *later)
{
    hd_heap_arena *a = &hd_heap_arenas[hd_current->id];
    hd_heap_block *b = block_of(live), *f = block_of(freed), *l = block_of(later);
    missed = 0;
    break_block(b);
    break_block(f);
    CHECK_HEAP(b->magic, HD_BLOCK_FREED);
    CHECK_HEAP(*hd_shadow_of(live), -1);
    CHECK_HEAP(*hd_shadow_of((char *)live + 8), 0); /* 5 bytes are allowed there */
    CHECK_HEAP(f->magic, HD_BLOCK_LIVE);
    CHECK_HEAP(*hd_shadow_of(freed), 0);
    CHECK_HEAP(a->next, hd_heap_base_of(hd_current->id) - 16);
    CHECK_HEAP(a->next, a->next + HD_HEAP_ARENA);
    CHECK_HEAP(a->next, a->next - 16);
    CHECK_HEAP(hd_heap_opened[hd_current->id], a->next - 16);
    CHECK_HEAP(a->quarantined, a->quarantined - 16);
    CHECK_HEAP(a->oldest, l);
    CHECK_HEAP(a->oldest, NULL);
    CHECK_HEAP(a->newest, f);
    CHECK_HEAP(f->next_freed, b);
    CHECK_HEAP(l->next_freed, f);
    CHECK_HEAP(a->reusable[f->span / HD_HEAP_CLASS_STEP], l);
    a->newest = f; /* `later` is in no list, and the sizes still add up */
    a->quarantined -= l->span;
    f->next_freed = NULL;
    CHECK(!hd_heap_is_valid());
    f->next_freed = a->newest = l;
    a->quarantined += l->span;
    CHECK(hd_heap_is_valid());
    return missed;
}

int break_reusable(void *freed, void *later)
{
    hd_heap_arena *a = &hd_heap_arenas[hd_current->id];
    hd_heap_block *f = block_of(freed), *l = block_of(later);
    size_t class = f->span / HD_HEAP_CLASS_STEP;
    missed = 0;
    CHECK(a->reusable[class] == l && l->next_freed == f);
    CHECK_HEAP(a->reusable[class], f);
    CHECK_HEAP(f->next_freed, l);
    a->reusable[class + 1] = l; /* of another size */
    a->reusable[class] = NULL;
    CHECK(!hd_heap_is_valid());
    a->reusable[class + 1] = NULL;
    a->reusable[class] = l;
    CHECK(hd_heap_is_valid());
    return missed;
}

/* --- threads --------------------------------------------------------------------- */

enum { NO_THREAD = 500 };

static hd_thread *const sleeper = &hd_threads[SLEEPER], *const joiner = &hd_threads[JOINER],
                        *const ended = &hd_threads[ENDED], *const blocked = &hd_threads[BLOCKED];

#define CHECK_THREADS(field, wrong) CHECK_NOTICED(hd_sched_is_valid(), field, wrong)

static void break_queue(void)
{
    hd_sched_queue *q = &hd_sched_local;
    uint32_t *next = &q->ids[q->first], *second = &q->ids[(q->first + 1) % HD_MAX_THREADS];
    CHECK_INT(q->count, 0);
    *next = *second = hd_current->id;
    CHECK_THREADS(q->count, 2); /* twice the same */
    *next = NO_THREAD;
    CHECK_THREADS(q->count, 1);
    *next = SLEEPER; /* which has no local work */
    CHECK_THREADS(q->count, 1);
    CHECK_THREADS(q->count, HD_MAX_THREADS + 1);
    CHECK_THREADS(q->first, HD_MAX_THREADS);
}

static void break_statuses(void)
{
    const uint8_t wrong[] = { HD_THREAD_UNUSED, HD_THREAD_LOCAL, HD_THREAD_DONE, HD_THREAD_DONE + 1 };
    for (unsigned i = 0; i < sizeof wrong; i++)
        CHECK_THREADS(sleeper->view->status, wrong[i]);
    CHECK_THREADS(blocked->view->pending.thread, SLEEPER);
    CHECK_THREADS(blocked->view->pending.kind, HD_NONE);
    CHECK_THREADS(blocked->view->pending.kind, HD_OP_KINDS);
    CHECK_THREADS(ended->waits_on, ended);
    CHECK_THREADS(ended->waits_with, ended);
}

static void break_waits(void)
{
    CHECK_THREADS(sleeper->view->waits_for, HD_WAIT_NONE);
    CHECK_THREADS(sleeper->view->waits_for, HD_WAIT_BARRIER);
    CHECK_THREADS(sleeper->view->waits_for, HD_WAIT_TIME);
    CHECK_THREADS(sleeper->view->wait_object, 8);
    CHECK_THREADS(sleeper->waits_on, NULL);
    CHECK_THREADS(sleeper->waits_with, NULL);
    CHECK_THREADS(sleeper->patient, 1);
    CHECK_THREADS(sleeper->woken, 1);
    CHECK_THREADS(joiner->view->wait_object, NO_THREAD);
    CHECK_THREADS(joiner->view->wait_object, ENDED);
    CHECK_THREADS(sleeper->join_waiter_set, 0);
    CHECK_THREADS(sleeper->join_waiter, BLOCKED);
    blocked->join_waiter = ENDED;
    CHECK_THREADS(blocked->join_waiter_set, 1);
    blocked->join_waiter = hd_current->id; /* does not wait */
    CHECK_THREADS(blocked->join_waiter_set, 1);
}

int break_threads(void)
{
    missed = 0;
    CHECK_THREADS(hd_current, NULL);
    CHECK_THREADS(hd_current, sleeper); /* which has another stack */
    CHECK_THREADS(*hd_rt.thread_count, NO_THREAD);
    CHECK_THREADS(sleeper->id, JOINER);
    CHECK_THREADS(sleeper->view, joiner->view);
    break_queue();
    break_statuses();
    break_waits();
    CHECK(hd_sched_is_valid());
    return missed;
}

/* --- the log --------------------------------------------------------------------- */

#define CHECK_LOG(field, wrong) CHECK_NOTICED(hd_log_is_valid(), field, wrong)

/* The first edge, or the first operation. */
static hd_op *first_in_log(int edge)
{
    hd_op *op = hd_rt.log;
    while ((op->kind == HD_EDGE) != edge)
        op++;
    return op;
}

int break_log(void)
{
    hd_op *edge = first_in_log(1), *op = first_in_log(0);
    missed = 0;
    CHECK_LOG(*hd_rt.log_count, hd_rt.log_room + 1);
    CHECK_LOG(op->kind, HD_NONE);
    CHECK_LOG(op->kind, HD_EDGE + 1);
    CHECK_LOG(op->thread, NO_THREAD);
    CHECK_LOG(edge->object, edge->thread);
    CHECK_LOG(edge->object, NO_THREAD);
    CHECK_LOG(edge->mask, HD_WAIT_TIME + 1);
    CHECK_LOG(sleeper->logged, 0);
    CHECK_LOG(sleeper->view->steps, 0);
    op->flags |= HD_OP_CONTINUES; /* nothing, and the number of steps is right */
    hd_rt.threads[op->thread].steps--;
    CHECK(!hd_log_is_valid());
    op->flags &= (uint16_t)~HD_OP_CONTINUES;
    hd_rt.threads[op->thread].steps++;
    CHECK(hd_log_is_valid());
    return missed;
}

/* --- synchronisation objects ------------------------------------------------------- */

int break_cond(const void *cond)
{
#define CHECK_COND(field, wrong) CHECK_NOTICED(hd_cond_is_valid(cond), field, wrong)
    missed = 0;
    CHECK_COND(sleeper->waits_on, NULL);
    CHECK_COND(sleeper->waits_with, NULL);
    CHECK_COND(sleeper->woken, 1);
    CHECK_COND(sleeper->view->status, HD_THREAD_DONE);
    CHECK_COND(sleeper->view->waits_for, HD_WAIT_JOIN);
    CHECK_COND(sleeper->view->wait_object, 8);
    return missed;
}

int break_mutex(void *mutex)
{
#define CHECK_MUTEX(field, wrong) CHECK_NOTICED(hd_mutex_is_valid(m), m->field, wrong)
    hd_mutex *m = mutex;
    missed = 0;
    CHECK_MUTEX(owner, NO_THREAD);
    CHECK_MUTEX(count, 1);
    CHECK_MUTEX(destroyed, 1);
    CHECK_MUTEX(owner_died, 1);
    CHECK_MUTEX(not_recoverable, 1);
    m->type = HD_MUTEX_RECURSIVE;
    m->count = 1;
    CHECK_MUTEX(owner, 0);
    m->count = 0;
    m->type = HD_MUTEX_NORMAL;
    m->robust = m->owner_died = 1;
    CHECK_MUTEX(owner, ENDED + 1);
    CHECK_MUTEX(not_recoverable, 1);
    m->robust = m->owner_died = 0;
    CHECK(hd_mutex_is_valid(m));
    return missed;
}

int break_rwlock(void *lock)
{
#define CHECK_RWLOCK(field, wrong) CHECK_NOTICED(hd_rwlock_is_valid(l), l->field, wrong)
    hd_rwlock *l = lock;
    missed = 0;
    CHECK_RWLOCK(readers, 2);
    CHECK_RWLOCK(writer, hd_current->id + 1);
    CHECK_RWLOCK(destroyed, 1);
    l->readers = 0;
    CHECK_RWLOCK(writer, NO_THREAD);
    l->writer = hd_current->id + 1;
    CHECK_RWLOCK(destroyed, 1);
    l->writer = 0;
    l->readers = 1;
    CHECK(hd_rwlock_is_valid(l));
    return missed;
}

int break_semaphore(void *semaphore)
{
    hd_semaphore *s = semaphore;
    missed = 0;
    CHECK_NOTICED(hd_semaphore_is_valid(s), s->value, UINT32_MAX);
    CHECK_NOTICED(hd_semaphore_is_valid(s), s->value, s->value + 1);
    return missed;
}

int break_barrier(void *barrier)
{
#define CHECK_BARRIER(field, wrong) CHECK_NOTICED(hd_barrier_is_valid(b), field, wrong)
    hd_barrier *b = barrier;
    missed = 0;
    CHECK_BARRIER(b->arrived, 1);
    CHECK_BARRIER(b->members, 3);
    CHECK_BARRIER(blocked->waits_on, b);
    blocked->waits_on = b;
    b->arrived = 1;
    CHECK_BARRIER(b->count, 1); /* so the round is complete */
    blocked->waits_on = NULL;
    b->arrived = 0;
    CHECK(hd_barrier_is_valid(b));
    return missed;
}

/* --- the modelled kernel ----------------------------------------------------------- */

int break_descriptors(int fd)
{
    hd_description *d = hd_descriptors_at(fd);
    missed = 0;
    if (!hd_exploring())
        return 0; /* run by hand, the program has real ones */
    CHECK(d && hd_descriptors_are_valid());
    CHECK_NOTICED(hd_descriptors_are_valid(), d->references, 0);
    CHECK_NOTICED(hd_descriptors_are_valid(), d->type, NULL);
    CHECK_NOTICED(hd_descriptors_are_valid(), hd_descriptor_tables[0].entries[fd].description, HD_DESCRIPTIONS);
    return missed;
}

#define CHECK_PIPE(field, wrong) CHECK_NOTICED(hd_pipe_is_valid(0), field, wrong)

int break_pipe(void)
{
    hd_pipe_state *p = &hd_pipe_states[0];
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(p->count == 2 && hd_pipe_is_valid(0));
    CHECK_PIPE(p->count, HD_PIPE_PAGES + 1);
    CHECK_PIPE(p->first, HD_PIPE_PAGES);
    CHECK_PIPE(p->readers, 2);
    CHECK_PIPE(p->writers, 2);
    CHECK_PIPE(p->pages[0].start, p->pages[0].end);
    CHECK_PIPE(p->pages[0].end, 4097);
    CHECK_PIPE(p->pages[1].number, p->pages[0].number);
    CHECK_PIPE(hd_pipe_data[0].count, 0);
    CHECK_PIPE(hd_pipe_room[0].count, 1);
    CHECK_PIPE(hd_pipe_data[0].fetched, hd_pipe_data[0].appended);
    return missed;
}

int break_file_locks(void)
{
    hd_file_lock *l = hd_file_locks;
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(hd_file_lock_count == 2 && hd_file_locks_are_valid());
    CHECK_NOTICED(hd_file_locks_are_valid(), hd_file_lock_count, HD_FILE_LOCKS + 1);
    CHECK_NOTICED(hd_file_locks_are_valid(), l[0].end, 9); /* neighbours of one type */
    CHECK_NOTICED(hd_file_locks_are_valid(), l[1].start, 3);
    CHECK_NOTICED(hd_file_locks_are_valid(), l[1].start, 20);
    CHECK_NOTICED(hd_file_locks_are_valid(), l[0].start, -1);
    CHECK_NOTICED(hd_file_locks_are_valid(), l[0].type, F_UNLCK);
    CHECK_NOTICED(hd_file_locks_are_valid(), l[0].start, 12);
    return missed;
}

#define CHECK_FILES(field, wrong) CHECK_NOTICED(hd_overlay_is_valid(), field, wrong)

int break_files(const char *path)
{
    static hd_place p;
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(!hd_overlay_walk(&p, AT_FDCWD, path, 0) && p.is_there && p.object.node && hd_overlay_is_valid());
    hd_node *file = p.object.node, *directory = p.directory.node;
    hd_entry *e = hd_overlay_entry(directory, p.name);
    CHECK(e && e->node == file);
    CHECK_FILES(e->name, "other");
    CHECK_FILES(e->directory, directory->parent);
    CHECK_FILES(e->node, directory);
    CHECK_FILES(directory->first, NULL);
    CHECK_FILES(directory->mode, S_IFREG);
    CHECK_FILES(directory->parent, directory);
    CHECK_FILES(file->links, 0);
    CHECK_FILES(file->mode, S_IFLNK);
    CHECK_FILES(file->memory, 0);
    return missed;
}

#define CHECK_SOCKET(field, wrong) CHECK_NOTICED(hd_socket_is_valid(0), field, wrong)

int break_socket(void)
{
    hd_socket_state *s = &hd_socket_states[0];
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(s->queue.count == 1 && hd_socket_is_valid(0));
    CHECK_SOCKET(s->queue.count, 2);
    CHECK_SOCKET(s->queue.bytes, 1);
    CHECK_SOCKET(s->queue.last, 0);
    CHECK_SOCKET(s->peer, HD_SOCKETS);
    CHECK_SOCKET(s->peer, 0);
    CHECK_SOCKET(hd_socket_data[0].count, 0);
    CHECK_SOCKET(hd_socket_room[0].count, 1);
    return missed;
}

int break_is_explored(void)
{
    return hd_exploring();
}

#define CHECK_SHARED(field, wrong) CHECK_NOTICED(hd_shared_is_valid(0), field, wrong)

int break_shared(void)
{
    hd_shared_state *s = &hd_shared_states[0];
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(s->size == 100 && hd_shared_is_valid(0));
    CHECK_SHARED(s->size, 4097);
    CHECK_SHARED(s->room, 8192);
    CHECK_SHARED(s->block, NULL);
    CHECK_SHARED(s->block, s->block + 16);
    CHECK_SHARED(s->uses, 0);
    CHECK_SHARED(s->mappings[1].count, s->uses);
    return missed;
}

#define CHECK_QUEUE(field, wrong) CHECK_NOTICED(hd_message_queue_is_valid(0), field, wrong)

int break_message_queue(void)
{
    hd_message_queue *q = &hd_message_queues[0];
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(q->queue.count == 2 && hd_message_queue_is_valid(0));
    CHECK_QUEUE(q->queue.count, 1);
    CHECK_QUEUE(q->queue.bytes, 0);
    CHECK_QUEUE(q->messages, 1);
    CHECK_QUEUE(q->messages, 2); /* so it is full */
    CHECK_QUEUE(hd_message_data[0].count, 0);
    CHECK_QUEUE(hd_message_room[0].count, 1);
    hd_queue_put(&q->queue, (const uint8_t *)"", 0, 7, 0); /* behind messages of lesser priorities */
    CHECK(!hd_message_queue_is_valid(0));
    hd_queue_take_message(&q->queue, q->queue.last, NULL, 0);
    CHECK(hd_message_queue_is_valid(0));
    return missed;
}

#define CHECK_SET(field, wrong) CHECK_NOTICED(hd_semaphore_set_is_valid(0), field, wrong)

int break_semaphore_set(void)
{
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(hd_set_semaphores[0][0].value == 1 && hd_semaphore_set_is_valid(0));
    CHECK_SET(hd_semaphore_sets[0].count, 0);
    CHECK_SET(hd_semaphore_sets[0].count, HD_SET_MOST + 1);
    CHECK_SET(hd_semaphore_sets[0].count, 2); /* the second was not made */
    CHECK_SET(hd_set_semaphores[0][0].value, 2);
    CHECK_SET(hd_set_semaphores[0][0].made, 0);
    return missed;
}

#define CHECK_LETTERS(field, wrong) CHECK_NOTICED(hd_sysv_queue_is_valid(0), field, wrong)

int break_sysv_queue(void)
{
    hd_sysv_queue *q = &hd_sysv_queues[0];
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(q->queue.count == 1 && hd_sysv_queue_is_valid(0));
    CHECK_LETTERS(q->queue.count, 0);
    CHECK_LETTERS(q->queue.bytes, HD_LETTERS_BYTES + 1);
    CHECK_LETTERS(hd_sysv_data[0].count, 0);
    CHECK_LETTERS(hd_sysv_room[0].count, 1);
    return missed;
}

int break_mailbox(void)
{
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(hd_mailboxes[1].count == 1 && hd_mailbox_is_valid(1));
    CHECK_NOTICED(hd_mailbox_is_valid(1), hd_mailboxes[1].count, 0);
    CHECK_NOTICED(hd_mailbox_is_valid(1), hd_mail_sent[0], 0);
    return missed;
}

int break_names(void)
{
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(hd_name_count == 2 && hd_names[0].space != hd_names[1].space && hd_names_are_valid());
    CHECK_NOTICED(hd_names_are_valid(), hd_names[1].space, hd_names[0].space);
    CHECK_NOTICED(hd_names_are_valid(), hd_name_count, HD_NAMES + 1);
    return missed;
}

/* Socket 2 listens, and has a name and a connection. */
int break_listener(void)
{
#define CHECK_LISTENER(field, wrong) CHECK_NOTICED(hd_socket_is_valid(2), field, wrong)
#define CHECK_NAME(field, wrong) CHECK_NOTICED(hd_addresses_are_valid(), field, wrong)
    hd_socket_state *s = &hd_socket_states[2];
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(s->pending == 1 && hd_socket_is_valid(2));
    CHECK_LISTENER(s->pending, 0);
    CHECK_LISTENER(s->pending, 2);
    CHECK_LISTENER(s->first, 0);
    CHECK_LISTENER(hd_socket_states[s->first - 1].next, s->first);
    CHECK_LISTENER(hd_socket_data[2].count, 0);
    CHECK_LISTENER(hd_socket_room[2].count, 0);
    CHECK_LISTENER(s->backlog, 1);
    CHECK_NOTICED(hd_socket_is_valid(4), hd_socket_states[4].peer, 4);
    CHECK_NOTICED(hd_socket_is_valid(4), hd_socket_states[5].peer, 5);
    CHECK(hd_unix_names[0].used && hd_addresses_are_valid());
    CHECK_NAME(hd_unix_names[0].length, 0);
    CHECK_NAME(hd_unix_names[0].length, 200);
    CHECK_NAME(hd_unix_names[0].socket, 0);
    CHECK_NAME(hd_unix_names[1].text[1], hd_unix_names[0].text[1]);
    return missed;
}

int break_futex(void)
{
#define CHECK_FUTEX(field, wrong) CHECK_NOTICED(hd_futex_is_valid(&word), field, wrong)
    uint32_t word = 0;
    missed = 0;
    blocked->waits_on = &word;
    blocked->waits_for_bits = 1;
    CHECK(hd_futex_is_valid(&word));
    CHECK_FUTEX(blocked->waits_for_bits, 0);
    CHECK_FUTEX(blocked->waits_with, &word);
    CHECK_FUTEX(blocked->view->status, HD_THREAD_DONE);
    CHECK_FUTEX(blocked->view->status, HD_THREAD_WAITING); /* for nothing */
    blocked->waits_on = NULL;
    blocked->waits_for_bits = 0;
    return missed;
}

void break_down(void)
{
    hd_assert(hd_current == NULL);
}

#define CHECK_EVENTFD(field, wrong) CHECK_NOTICED(hd_eventfd_is_valid(0), field, wrong)

int break_eventfd(void)
{
    hd_eventfd_state *e = &hd_eventfd_states[0];
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(hd_eventfd_is_valid(0) && e->value == 3);
    CHECK_EVENTFD(e->value, UINT64_MAX);
    CHECK_EVENTFD(e->value, 0);
    CHECK_EVENTFD(e->is_semaphore, 1);
    CHECK_EVENTFD(hd_eventfd_data[0].count, 0);
    CHECK_EVENTFD(hd_eventfd_data[0].counts, 0);
    CHECK_EVENTFD(hd_eventfd_room[0].count, 1);
    return missed;
}

#define CHECK_EPOLL(field, wrong) CHECK_NOTICED(hd_epoll_is_valid(0), field, wrong)

int break_epoll(void)
{
    hd_epoll_state *e = &hd_epoll_states[0];
    hd_epoll_item *first = &hd_epoll_items[0], *second = &hd_epoll_items[1];
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(hd_epoll_is_valid(0) && e->first == 1 && e->last == 2);
    CHECK_EPOLL(e->first, 0);
    CHECK_EPOLL(e->first, 2);
    CHECK_EPOLL(e->first, HD_EPOLL_ITEMS);
    CHECK_EPOLL(e->last, 1);
    CHECK_EPOLL(first->next, 0);
    CHECK_EPOLL(second->next, 1);
    CHECK_EPOLL(first->epoll, 1);
    CHECK_EPOLL(first->file, NULL);
    CHECK_EPOLL(second->is_listed, 0);
    CHECK_EPOLL(hd_epoll_data[0].count, 0);
    return missed;
}

int break_timer(void)
{
    missed = 0;
    if (!hd_exploring())
        return 0;
    CHECK(hd_timer_is_valid(0) && !hd_timer_states[0].expirations);
    CHECK_NOTICED(hd_timer_is_valid(0), hd_timer_states[0].expirations, 1);
    CHECK_NOTICED(hd_timer_is_valid(0), hd_timer_data[0].count, 1);
    return missed;
}
