#include "runtime/kernel/requests.h"

#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/epoll_internal.h"
#include "runtime/kernel/socket_internal.h"
#include "runtime/sched/expiry.h"
#include "runtime/sync/children.h"
#include "runtime/sync/process.h"

#include <sys/stat.h>

/* With a time limit, a wait for datagrams is one for an answer: the thread may give up. */
static int has_requests(const hd_socket_state *s, int is_limited)
{
    return s->stage == HD_SOCKET_LISTENS || (!is_limited && s->type == SOCK_DGRAM && s->is_bound);
}

/* The number of the array's element that the object is, or -1. */
static int index_in(const hd_gate *gates, uint32_t count, uint64_t object)
{
    uint64_t offset = object - (uint64_t)gates;
    return offset < count * sizeof *gates ? (int)(offset / sizeof *gates) : -1;
}

static int epoll_has_requests(int epoll, int is_limited)
{
    for (uint32_t i = 0; i < HD_EPOLL_ITEMS; i++) {
        const hd_epoll_item *item = &hd_epoll_items[i];
        if (item->file && item->epoll == epoll && S_ISSOCK(item->file->type->mode)
            && has_requests(&hd_socket_states[item->file->object], is_limited))
            return 1;
    }
    return 0;
}

static int is_for_requests(const hd_op *op, int is_limited)
{
    int socket = index_in(hd_socket_data, HD_SOCKETS, op->object),
        epoll = index_in(hd_epoll_data, HD_EPOLLS, op->object);
    return (socket >= 0 && has_requests(&hd_socket_states[socket], is_limited))
        || (epoll >= 0 && epoll_has_requests(epoll, is_limited));
}

static int awaits(const hd_thread *t, int is_limited);

static int has_server(uint32_t process, int is_limited)
{
    uint32_t i = 0;
    while (i < *hd_rt.thread_count
        && (hd_threads[i].process != process || !awaits(&hd_threads[i], is_limited && hd_threads[i].patient)))
        i++;
    return i < *hd_rt.thread_count;
}

/* Does it wait for the end of a child that is a server? */
static int is_for_server(const hd_thread *t, int is_limited)
{
    for (uint32_t i = 0; i < hd_process_count(); i++)
        if (hd_children_end_at(t->process, i, t->view->pending.object) && has_server(i, is_limited))
            return 1;
    return 0;
}

static int awaits(const hd_thread *t, int is_limited)
{
    const hd_op *op = &t->view->pending;
    if (t->view->status != HD_THREAD_AT_OP || t->view->dead)
        return 0;
    int waits = is_for_requests(op, is_limited) || is_for_server(t, is_limited);
    for (uint32_t i = 0; !waits && i < t->view->look_count; i++)
        waits = is_for_requests(&t->spin.looks[i], is_limited);
    return waits;
}

int hd_awaits_request(const hd_thread *t)
{
    return awaits(t, 0);
}

/* How often this was asked while only servers were left. */
static uint32_t rounds;

void hd_requests_reset(void)
{
    rounds = 0;
}

int hd_only_servers_come_round(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_thread_lives(&hd_threads[i]) && !hd_threads[i].view->dead && !has_server(hd_threads[i].process, 1))
            return rounds = 0;
    return hd_process_count() > 1 && ++rounds > hd_expiry_waits;
}
