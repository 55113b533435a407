/* Requests: calls that go on while their rank does something else, each in a thread of its own. */
#include "runtime/face/face.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/mpi/point_internal.h"
#include "runtime/sched/access.h"
#include "runtime/sched/spin.h"
#include "runtime/sync/choice.h"
#include "runtime/sync/thread.h"

#include <string.h>

enum { GATES = 4096 }; /* of a rank, in an execution */

hd_gate hd_mpi_done[HD_MPI_RANKS * GATES];
static uint32_t gates[HD_MPI_RANKS]; /* used in this execution */

/* --- gates --------------------------------------------------------------------------------------------- */

void hd_mpi_requests_reset(void)
{
    for (uint32_t rank = 0; rank < HD_MPI_RANKS; rank++) {
        for (uint32_t i = 0; i < gates[rank]; i++)
            hd_mpi_done[rank * GATES + i].count = 0;
        gates[rank] = 0;
    }
}

hd_gate *hd_mpi_request_gate(const hd_site *site)
{
    uint32_t rank = hd_mpi_rank_number();
    if (gates[rank] == GATES)
        hd_end(HD_MODEL_LIMIT, site, "more than %d requests of an MPI rank are not modelled", GATES);
    return &hd_mpi_done[rank * GATES + gates[rank]++];
}

/* --- handles ------------------------------------------------------------------------------------------- */

hd_mpi_request *hd_mpi_request_make(MPI_Request *handle, const hd_site *site)
{
    hd_mpi_rank *r = hd_mpi_rank_now();
    int i = 0;
    hd_mpi_order(site);
    while (i < HD_MPI_REQUESTS && r->requests[i].used)
        i++;
    if (i == HD_MPI_REQUESTS)
        hd_end(
            HD_MODEL_LIMIT, site, "more than %d requests of an MPI rank at a time are not modelled", HD_MPI_REQUESTS);
    r->requests[i] = (hd_mpi_request) { .used = 1, .site = site };
    HD_MPI_TELL(handle, i + 1);
    return &r->requests[i];
}

/* NULL: there is no such request. */
static hd_mpi_request *request_of(MPI_Request handle)
{
    hd_mpi_rank *r = hd_mpi_rank_now();
    hd_mpi_request *q = handle > 0 && handle <= HD_MPI_REQUESTS ? &r->requests[handle - 1] : NULL;
    return q && q->used && !q->freed ? q : NULL;
}

const hd_mpi_request *hd_mpi_request_left(void)
{
    hd_mpi_rank *r = hd_mpi_rank_now();
    for (uint32_t i = 0; i < HD_MPI_REQUESTS; i++)
        if (r->requests[i].used && !r->requests[i].freed)
            return &r->requests[i];
    return NULL;
}

/* --- life ---------------------------------------------------------------------------------------------- */

void hd_mpi_request_begin(hd_mpi_request *q, void *(*run)(void *), hd_gate *gate)
{
    q->active = 1;
    q->gate = gate;
    hd_call_site = q->site;
    if (run)
        hd_thread_create(&q->thread, run, q, 0);
}

void hd_mpi_request_done(hd_mpi_request *q)
{
    hd_call_site = q->site;
    hd_data_comes(q->gate);
}

static void *run_receive(void *request)
{
    hd_mpi_request *q = request;
    hd_mpi_receive *r = q->receive; /* the request is another's, if this was cancelled */
    if (hd_mpi_match(r, q->site))
        hd_mpi_receive_into(&q->comm, r->message, q->buffer, q->count, &q->type, &q->status, q->site);
    return NULL;
}

/* The message has been sent; that the buffer may still be read until the wait shows in this access. */
static void *run_send(void *request)
{
    hd_mpi_request *q = request;
    uint8_t *copy = hd_mpi_keep((size_t)q->count * q->type.size);
    hd_mpi_pack(copy, q->buffer, (size_t)q->count, &q->type, q->site);
    if (q->gate) {
        hd_mpi_await_taken(q->sent, 0, q->site);
        hd_mpi_request_done(q);
    }
    return NULL;
}

static void start(hd_mpi_request *q)
{
    q->status = hd_mpi_empty_status(q->is_receive ? MPI_PROC_NULL : MPI_ANY_SOURCE);
    q->sent = NULL;
    q->receive = NULL;
    q->thread = 0;
    if (q->peer == MPI_PROC_NULL) {
        hd_mpi_request_begin(q, NULL, NULL);
    } else if (q->is_receive) {
        q->receive = hd_mpi_post(&q->comm, q->peer, q->tag, q->site);
        q->receive->shared = 1;
        hd_mpi_request_begin(q, run_receive, &hd_mpi_matched[hd_mpi_receive_index(q->receive)]);
    } else {
        q->sent = hd_mpi_send_buffer(&q->comm, q->buffer, q->count, &q->type, q->peer, q->tag, q->mode, q->site);
        hd_mpi_request_begin(q, run_send, q->sent->waits ? hd_mpi_request_gate(q->site) : NULL);
    }
}

/* --- beginning ----------------------------------------------------------------------------------------- */

enum { BEGINS, PERSISTS };

static int make(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *handle,
    int is_receive, int mode, int life, const hd_site *site)
{
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    hd_mpi_type *t = hd_mpi_type_of(type);
    int error = hd_mpi_check(c, t, count, peer, tag, is_receive, site);
    if (!error && peer != MPI_PROC_NULL)
        error = hd_mpi_check_buffer(c, buffer, (size_t)count, t, site);
    if (error)
        return error;
    hd_mpi_request *q = hd_mpi_request_make(handle, site);
    q->is_receive = (uint8_t)is_receive;
    q->persistent = life == PERSISTS;
    q->mode = (uint8_t)mode;
    q->buffer = buffer;
    q->count = count;
    q->peer = peer;
    q->tag = tag;
    q->type = *t;
    q->comm = *c;
    if (life == BEGINS)
        start(q);
    return MPI_SUCCESS;
}

#define SEND(name, mode, life) \
    HD_FACE int hd_##name( \
        const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) \
    { \
        return make((void *)buffer, count, type, to, tag, comm, request, 0, mode, life, hd_mpi_begin(#name)); \
    }
SEND(MPI_Isend, HD_MPI_STANDARD, BEGINS)
SEND(MPI_Issend, HD_MPI_SYNCHRONOUS, BEGINS)
SEND(MPI_Ibsend, HD_MPI_BUFFERED, BEGINS)
SEND(MPI_Irsend, HD_MPI_READY, BEGINS)
SEND(MPI_Send_init, HD_MPI_STANDARD, PERSISTS)
SEND(MPI_Ssend_init, HD_MPI_SYNCHRONOUS, PERSISTS)
SEND(MPI_Bsend_init, HD_MPI_BUFFERED, PERSISTS)
SEND(MPI_Rsend_init, HD_MPI_READY, PERSISTS)
#undef SEND

HD_FACE int hd_MPI_Irecv(
    void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    return make(buffer, count, type, from, tag, comm, request, 1, 0, BEGINS, hd_mpi_begin("MPI_Irecv"));
}

HD_FACE int hd_MPI_Recv_init(
    void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    return make(buffer, count, type, from, tag, comm, request, 1, 0, PERSISTS, hd_mpi_begin("MPI_Recv_init"));
}

static int start_handle(MPI_Request handle, const hd_site *site)
{
    hd_mpi_request *q = request_of(handle);
    if (!q || !q->persistent)
        return hd_mpi_error(NULL, site, MPI_ERR_REQUEST, "not a persistent request");
    if (q->active)
        return hd_mpi_error(NULL, site, MPI_ERR_REQUEST, "the request is active already");
    q->site = site;
    start(q);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Start(MPI_Request *request)
{
    const hd_site *site = hd_mpi_begin("MPI_Start");
    hd_access_range(request, sizeof *request, site, 0);
    return start_handle(*request, site);
}

HD_FACE int hd_MPI_Startall(int count, MPI_Request *requests)
{
    const hd_site *site = hd_mpi_begin("MPI_Startall");
    int error = MPI_SUCCESS;
    hd_access_range(requests, (uint64_t)count * sizeof *requests, site, 0);
    for (int i = 0; i < count && !error; i++)
        error = start_handle(requests[i], site);
    return error;
}

/* --- ending -------------------------------------------------------------------------------------------- */

/* What it waits for has come, and the rank knows it: the thread ends, and the request with it. */
static int finish(MPI_Request *handle, MPI_Status *to, const hd_site *site)
{
    hd_mpi_request *q = request_of(*handle);
    hd_call_site = site;
    int cancelled = q->receive && q->receive->cancelled;
    if (cancelled)
        hd_thread_detach(q->thread);
    else if (q->thread)
        hd_thread_join(q->thread, NULL);
    q->status.heddle_cancelled = cancelled;
    if (q->receive)
        hd_mpi_receive_is_over(q->receive, site);
    hd_mpi_tell_status(to, &q->status, site);
    q->active = 0;
    int error = q->status.MPI_ERROR;
    if (!q->persistent) {
        q->used = 0;
        HD_MPI_TELL(handle, MPI_REQUEST_NULL);
    }
    return error;
}

/* Is it a request that something is awaited of? Null and inactive ones are done. */
static int is_awaited(MPI_Request handle, const hd_site *site, int *error)
{
    if (handle == MPI_REQUEST_NULL)
        return 0;
    hd_mpi_request *q = request_of(handle);
    if (!q)
        *error = hd_mpi_error(NULL, site, MPI_ERR_REQUEST, "invalid request");
    return q && q->active;
}

static MPI_Status *status_at(MPI_Status *statuses, int i)
{
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

static int wait_for(MPI_Request *handle, MPI_Status *to, const hd_site *site)
{
    int error = MPI_SUCCESS;
    MPI_Status empty = hd_mpi_empty_status(MPI_ANY_SOURCE);
    if (!is_awaited(*handle, site, &error)) {
        hd_mpi_tell_status(to, &empty, site);
        return error;
    }
    const hd_mpi_request *q = request_of(*handle);
    hd_call_site = site;
    if (q->gate)
        hd_mpi_await(q->gate, q->sent && q->mode != HD_MPI_SYNCHRONOUS);
    return finish(handle, to, site);
}

static int is_done(MPI_Request handle, const hd_site *site)
{
    const hd_mpi_request *q = request_of(handle);
    hd_call_site = site;
    return !q->gate || hd_data_poll(q->gate);
}

HD_FACE int hd_MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    const hd_site *site = hd_mpi_begin("MPI_Wait");
    hd_access_range(request, sizeof *request, site, 0);
    return wait_for(request, status, site);
}

HD_FACE int hd_MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    const hd_site *site = hd_mpi_begin("MPI_Waitall");
    int error = MPI_SUCCESS;
    hd_access_range(requests, (uint64_t)count * sizeof *requests, site, 0);
    for (int i = 0; i < count; i++)
        if (wait_for(&requests[i], status_at(statuses, i), site))
            error = MPI_ERR_IN_STATUS;
    return error;
}

/* --- some of several ------------------------------------------------------------------------------------- */

/* A call on several requests: which of them are awaited, and which of those are done. */
typedef struct several {
    MPI_Request *requests;
    int count, awaited, done;
    uint8_t is_awaited[HD_MPI_REQUESTS], is_done[HD_MPI_REQUESTS];
    const hd_gate *gates[HD_MPI_REQUESTS]; /* of those that are awaited */
    int error;
} several;

static void look(several *s, const hd_site *site)
{
    s->done = 0;
    for (int i = 0; i < s->count; i++)
        s->done += s->is_done[i] = s->is_awaited[i] && is_done(s->requests[i], site);
}

static several which(int count, MPI_Request *requests, const hd_site *site)
{
    several s = { .requests = requests, .count = count };
    if (count > HD_MPI_REQUESTS)
        hd_end(HD_MODEL_LIMIT, site, "calls on more than %d MPI requests are not modelled", HD_MPI_REQUESTS);
    hd_access_range(requests, (uint64_t)count * sizeof *requests, site, 0);
    for (int i = 0; i < count; i++)
        if (is_awaited(requests[i], site, &s.error)) {
            s.is_awaited[i] = 1;
            s.gates[i] = request_of(requests[i])->gate;
            s.awaited++;
        }
    return s;
}

/* Looks at all in one step. If it waits: until at least one is done. */
static several ask(int count, MPI_Request *requests, int waits, const hd_site *site)
{
    several s = which(count, requests, site);
    while (s.awaited) {
        uint32_t from = *hd_rt.log_count, outer = hd_step_begin(0);
        look(&s, site);
        hd_step_end(outer);
        if (s.done || !waits)
            break;
        if (!hd_spin_await(from))
            hd_end(HD_MODEL_LIMIT, site, "waiting for one of so many MPI requests is not modelled");
    }
    return s;
}

/* One of those that are done. */
static int choose(const several *s, unsigned *outcome, const hd_site *site)
{
    hd_call_site = site;
    *outcome = s->done > 1 ? hd_choose((unsigned)s->done) : 0;
    int chosen = (int)*outcome;
    for (int i = 0; i < s->count; i++)
        if (s->is_done[i] && !chosen--)
            return i;
    return MPI_UNDEFINED;
}

static int finish_one(const several *s, int *index, MPI_Status *status, const hd_site *site)
{
    MPI_Status empty = hd_mpi_empty_status(MPI_ANY_SOURCE);
    if (s->error)
        return s->error;
    unsigned outcome;
    int i = s->done ? choose(s, &outcome, site) : MPI_UNDEFINED;
    HD_MPI_TELL(index, i);
    if (s->done)
        return finish(&s->requests[i], status, site);
    hd_mpi_tell_status(status, &empty, site);
    return MPI_SUCCESS;
}

/* All that are done. */
static int finish_some(const several *s, int *done, int *indices, MPI_Status *statuses, const hd_site *site)
{
    int error = s->error, found = 0;
    HD_MPI_TELL(done, s->awaited ? s->done : MPI_UNDEFINED);
    for (int i = 0; i < s->count; i++)
        if (s->is_done[i]) {
            HD_MPI_TELL(&indices[found], i);
            if (finish(&s->requests[i], status_at(statuses, found), site))
                error = MPI_ERR_IN_STATUS;
            found++;
        }
    return error;
}

/* A guess of the request that Waitany ends, in the order in which they are given. */
typedef struct any_guess {
    hd_mpi_guess guess;
    const several *s;
} any_guess;

static int is_another_done(const hd_mpi_guess *guess)
{
    const several *s = ((const any_guess *)guess)->s;
    for (int i = 0; i < s->count; i++)
        if (s->is_awaited[i] && (!s->gates[i] || s->gates[i]->count))
            return 1;
    return 0;
}

HD_FACE int hd_MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status)
{
    const hd_site *site = hd_mpi_begin("MPI_Waitany");
    several s = which(count, requests, site);
    any_guess g = { .guess = { .could_go_on = is_another_done }, .s = &s };
    if (s.awaited) {
        memcpy(s.is_done, s.is_awaited, sizeof s.is_done);
        s.done = s.awaited;
        int i = choose(&s, &g.guess.outcome, site);
        memset(s.is_done, 0, sizeof s.is_done);
        s.is_done[i] = 1;
        s.done = 1;
        hd_gate *gate = request_of(requests[i])->gate;
        hd_mpi_guess_begin(&g.guess);
        hd_call_site = site;
        if (gate)
            hd_mpi_await(gate, request_of(requests[i])->sent && request_of(requests[i])->mode != HD_MPI_SYNCHRONOUS);
        hd_mpi_guess_end(&g.guess);
    }
    return finish_one(&s, index, status, site);
}

HD_FACE int hd_MPI_Waitsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses)
{
    const hd_site *site = hd_mpi_begin("MPI_Waitsome");
    several s = ask(count, requests, 1, site);
    return finish_some(&s, done, indices, statuses, site);
}

HD_FACE int hd_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    const hd_site *site = hd_mpi_begin("MPI_Test");
    several s = ask(1, request, 0, site);
    HD_MPI_TELL(flag, !s.awaited || s.done);
    if (s.awaited && !s.done)
        return MPI_SUCCESS;
    return s.done ? finish(request, status, site) : wait_for(request, status, site);
}

HD_FACE int hd_MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    const hd_site *site = hd_mpi_begin("MPI_Testall");
    several s = ask(count, requests, 0, site);
    int error = s.error;
    HD_MPI_TELL(flag, s.done == s.awaited);
    for (int i = 0; i < count && s.done == s.awaited; i++)
        if (wait_for(&requests[i], status_at(statuses, i), site))
            error = MPI_ERR_IN_STATUS;
    return error;
}

HD_FACE int hd_MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status)
{
    const hd_site *site = hd_mpi_begin("MPI_Testany");
    several s = ask(count, requests, 0, site);
    HD_MPI_TELL(flag, s.done || !s.awaited);
    return finish_one(&s, index, status, site);
}

HD_FACE int hd_MPI_Testsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses)
{
    const hd_site *site = hd_mpi_begin("MPI_Testsome");
    several s = ask(count, requests, 0, site);
    return finish_some(&s, done, indices, statuses, site);
}

/* --- giving up ------------------------------------------------------------------------------------------- */

/* A receive that has no message when it is cancelled never gets one, and lets later receives have what it would have
 * got. Whether it has one depends on the schedule. MPI permits that a send is not cancelled:
 * its message stays, but MPI_Finalize does not ask for its receive. */
HD_FACE int hd_MPI_Cancel(MPI_Request *request)
{
    const hd_site *site = hd_mpi_begin("MPI_Cancel");
    int error = MPI_SUCCESS;
    hd_access_range(request, sizeof *request, site, 0);
    if (!is_awaited(*request, site, &error))
        return error ? error : hd_mpi_error(NULL, site, MPI_ERR_REQUEST, "the request is not active");
    const hd_mpi_request *q = request_of(*request);
    if (!q->is_receive && q->work)
        return hd_mpi_error(NULL, site, MPI_ERR_REQUEST, "a collective call cannot be cancelled");
    if (q->receive)
        hd_mpi_receive_cancel(q->receive, site);
    else if (q->sent)
        q->sent->cancelled = 1;
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Request_free(MPI_Request *request)
{
    const hd_site *site = hd_mpi_begin("MPI_Request_free");
    int error = MPI_SUCCESS;
    hd_access_range(request, sizeof *request, site, 1);
    hd_mpi_request *q = request_of(*request);
    if (!q)
        return hd_mpi_error(NULL, site, MPI_ERR_REQUEST, "invalid request");
    if (is_awaited(*request, site, &error) && q->work)
        return hd_mpi_error(NULL, site, MPI_ERR_REQUEST, "a collective call that is not done cannot be freed");
    if (q->active && q->thread)
        hd_thread_detach(q->thread);
    if (!q->active)
        q->used = 0;
    q->freed = q->active;
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}
