#include "runtime/kernel/requests.h"

#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/epoll_internal.h"
#include "runtime/kernel/socket_internal.h"

#include <sys/stat.h>

static int has_requests(const hd_socket_state *s)
{
    return s->stage == HD_SOCKET_LISTENS || (s->type == SOCK_DGRAM && s->is_bound);
}

/* The number of the array's element that the object is, or -1. */
static int index_in(const hd_gate *gates, uint32_t count, uint64_t object)
{
    uint64_t offset = object - (uint64_t)gates;
    return offset < count * sizeof *gates ? (int)(offset / sizeof *gates) : -1;
}

static int epoll_has_requests(int epoll)
{
    for (uint32_t i = 0; i < HD_EPOLL_ITEMS; i++) {
        const hd_epoll_item *item = &hd_epoll_items[i];
        if (item->file && item->epoll == epoll && S_ISSOCK(item->file->type->mode)
            && has_requests(&hd_socket_states[item->file->object]))
            return 1;
    }
    return 0;
}

static int is_for_requests(const hd_op *op)
{
    int socket = index_in(hd_socket_data, HD_SOCKETS, op->object),
        epoll = index_in(hd_epoll_data, HD_EPOLLS, op->object);
    return (socket >= 0 && has_requests(&hd_socket_states[socket])) || (epoll >= 0 && epoll_has_requests(epoll));
}

int hd_awaits_request(const hd_thread *t)
{
    if (t->view->status != HD_THREAD_AT_OP || t->view->dead)
        return 0;
    int waits = is_for_requests(&t->view->pending);
    for (uint32_t i = 0; !waits && i < t->view->look_count; i++)
        waits = is_for_requests(&t->spin.looks[i]);
    return waits;
}
