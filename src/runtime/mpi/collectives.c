/* Collective calls. Each rank brings a copy of its data; who needs the data of others waits for them, and computes its
 * result from the copies. Without buffering all wait for all. */
#include "runtime/face/face.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/mpi/point_internal.h"
#include "runtime/sched/access.h"

#include <string.h>

/* Whose data a rank needs. */
typedef enum needs { NEEDS_NONE, NEEDS_ROOT, NEEDS_ALL, NEEDS_UP_TO_ME } needs;

typedef struct hd_mpi_work hd_mpi_work;

/* A call of a rank. */
struct hd_mpi_work {
    hd_mpi_comm c;
    const hd_mpi_joining *mine;
    needs needs;
    void (*finish)(const hd_mpi_work *w, const hd_mpi_joining *const *from); /* NULL: nothing is left to do */
    void *out;
    int out_count;
    const int *counts, *offsets; /* of the parts of `out`; NULL: all are alike */
    hd_mpi_type out_type;
    MPI_Datatype type;
    MPI_Op op;
    int exclusive; /* MPI_Exscan */
    const hd_site *site;
};

static int is_needed(const hd_mpi_work *w, int rank)
{
    switch (w->needs) {
    case NEEDS_ROOT:
        return rank == w->mine->root;
    case NEEDS_ALL:
        return 1;
    case NEEDS_UP_TO_ME:
        return rank <= w->c.rank;
    default:
        return 0;
    }
}

static void carry_out(const hd_mpi_work *w)
{
    const hd_mpi_joining *from[HD_MPI_RANKS] = { NULL };
    for (int i = 0; i < w->c.size; i++)
        if (is_needed(w, i) || hd_mpi_rank_now()->sends_wait)
            from[i] = hd_mpi_await_rank(&w->c, w->mine, i, !is_needed(w, i));
    if (w->finish)
        w->finish(w, from);
}

static void *run(void *request)
{
    hd_mpi_request *q = request;
    const hd_mpi_joining *mine = q->work->mine;
    if (mine->buffer) /* it may be read until the wait */
        hd_mpi_pack(hd_mpi_keep(mine->bytes), mine->buffer, mine->count, &mine->type, q->site);
    carry_out(q->work);
    hd_mpi_request_done(q);
    return NULL;
}

/* The rank comes to the call; `request`: it does not wait. */
static int begin(hd_mpi_work *w, hd_mpi_comm *c, const hd_mpi_joining *mine, MPI_Request *request)
{
    w->mine = hd_mpi_join(c, mine);
    w->c = *c;
    w->site = mine->site;
    if (!request) {
        carry_out(w);
        return MPI_SUCCESS;
    }
    hd_mpi_request *q = hd_mpi_request_make(request, mine->site);
    q->work = hd_mpi_keep(sizeof *w);
    *q->work = *w;
    hd_mpi_request_begin(q, run, hd_mpi_request_gate(mine->site));
    return MPI_SUCCESS;
}

/* --- arguments --------------------------------------------------------------------------------------------- */

static int check(hd_mpi_comm *c, int root, int count, MPI_Datatype type, const hd_site *site)
{
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    if (root < -1 || root >= c->size)
        return hd_mpi_error(c, site, MPI_ERR_ROOT, "root %d is not in the communicator of %d ranks", root, c->size);
    if (count < 0)
        return hd_mpi_error(c, site, MPI_ERR_COUNT, "negative count %d", count);
    if (!t)
        return hd_mpi_error(c, site, MPI_ERR_TYPE, "invalid datatype");
    if (!t->committed)
        return hd_mpi_error(c, site, MPI_ERR_TYPE, "the datatype is not committed (MPI_Type_commit)");
    return MPI_SUCCESS;
}

static int check_op(hd_mpi_comm *c, MPI_Op op, MPI_Datatype type, const hd_site *site)
{
    if (!hd_mpi_op_is_valid(op))
        return hd_mpi_error(c, site, MPI_ERR_OP, "invalid operation");
    if (!hd_mpi_reduce(op, NULL, NULL, 0, type))
        return hd_mpi_error(c, site, MPI_ERR_OP, "the operation is not defined for the datatype");
    return MPI_SUCCESS;
}

/* What the rank brings: `count` elements of the buffer; of MPI_IN_PLACE, nothing. */
static hd_mpi_joining bring(
    const char *call, const void *buffer, size_t count, MPI_Datatype type, int root, int agrees, const hd_site *site)
{
    const hd_mpi_type *t = hd_mpi_type_of(type);
    hd_mpi_joining j = { .call = call,
        .bytes = count * t->size,
        .elements = count * t->elements,
        .pattern = t->pattern,
        .root = root,
        .agrees = (uint8_t)agrees,
        .site = site };
    uint8_t *data = hd_mpi_keep(j.bytes);
    if (buffer != MPI_IN_PLACE && j.bytes && !hd_mpi_check_buffer(NULL, buffer, count, t, site)) {
        hd_mpi_pack(data, buffer, count, t, site);
        j.buffer = buffer;
        j.count = count;
        j.type = *t;
    }
    j.data = data;
    return j;
}

/* --- results ----------------------------------------------------------------------------------------------- */

/* Part `i` of the result is `bytes` of the data, which must be what the rank expects. */
static void take_part(
    const hd_mpi_work *w, const hd_mpi_joining *from, int i, int slot, const uint8_t *data, size_t bytes)
{
    const hd_mpi_type *t = &w->out_type;
    int count = w->counts ? w->counts[slot] : w->out_count;
    int64_t at = w->offsets ? w->offsets[slot] : (int64_t)slot * w->out_count;
    if (bytes && from->pattern != t->pattern)
        hd_mpi_error(&((hd_mpi_work *)w)->c, w->site, MPI_ERR_TYPE, "the datatype does not match that of rank %d", i);
    if (bytes != (size_t)count * t->size) {
        hd_mpi_error(&((hd_mpi_work *)w)->c, w->site, MPI_ERR_TRUNCATE, "rank %d sends %zu bytes, and %zu are expected",
            i, bytes, (size_t)count * t->size);
        bytes = bytes < (size_t)count * t->size ? bytes : (size_t)count * t->size;
    }
    if (!bytes || !hd_mpi_check_buffer(NULL, w->out, bytes / t->size, t, w->site))
        hd_mpi_unpack((char *)w->out + at * t->extent, t, data, bytes, w->site);
}

static void finish_gather(const hd_mpi_work *w, const hd_mpi_joining *const *from)
{
    for (int i = 0; i < w->c.size; i++)
        if (from[i]->data)
            take_part(w, from[i], i, i, from[i]->data, from[i]->bytes);
}

/* The data of rank `i` consists of parts, whose ends are in front of it (bring_parts). Takes the part of this rank. */
static void take_my_part(const hd_mpi_work *w, const hd_mpi_joining *from, int i, int slot)
{
    const size_t *ends = (const size_t *)from->data;
    size_t start = w->c.rank ? ends[w->c.rank - 1] : 0;
    const uint8_t *data = from->data + (size_t)w->c.size * sizeof *ends;
    take_part(w, from, i, slot, data + start, ends[w->c.rank] - start);
}

static void finish_scatter(const hd_mpi_work *w, const hd_mpi_joining *const *from)
{
    if (w->out != MPI_IN_PLACE)
        take_my_part(w, from[w->mine->root], w->mine->root, 0);
}

static void finish_alltoall(const hd_mpi_work *w, const hd_mpi_joining *const *from)
{
    for (int i = 0; i < w->c.size; i++)
        take_my_part(w, from[i], i, i);
}

static void finish_bcast(const hd_mpi_work *w, const hd_mpi_joining *const *from)
{
    if (w->c.rank != w->mine->root)
        take_part(w, from[w->mine->root], w->mine->root, 0, from[w->mine->root]->data, from[w->mine->root]->bytes);
}

/* Of ranks 0 to `last` in order: x0 op (x1 op (… op xn)). */
static uint8_t *reduced(const hd_mpi_work *w, const hd_mpi_joining *const *from, int last)
{
    size_t bytes = w->mine->bytes;
    uint8_t *result = hd_mpi_keep(bytes);
    memcpy(result, from[last]->data, bytes);
    for (int i = last; i-- > 0;)
        hd_mpi_reduce(w->op, from[i]->data, result, bytes / w->out_type.size, w->type);
    return result;
}

static void finish_reduce(const hd_mpi_work *w, const hd_mpi_joining *const *from)
{
    int last = w->needs == NEEDS_ALL ? w->c.size - 1 : w->exclusive ? w->c.rank - 1 : w->c.rank;
    if (last >= 0 && w->mine->bytes && !hd_mpi_check_buffer(NULL, w->out, (size_t)w->out_count, &w->out_type, w->site))
        hd_mpi_unpack(w->out, &w->out_type, reduced(w, from, last), w->mine->bytes, w->site);
}

/* Each rank gets a part of the whole result. */
static void finish_reduce_scatter(const hd_mpi_work *w, const hd_mpi_joining *const *from)
{
    if (!w->mine->bytes)
        return;
    const uint8_t *result = reduced(w, from, w->c.size - 1);
    size_t element = w->out_type.size, start = 0;
    for (int i = 0; i < w->c.rank; i++)
        start += (size_t)w->counts[i] * element;
    hd_mpi_unpack(w->out, &w->out_type, result + start, (size_t)w->counts[w->c.rank] * element, w->site);
}

/* --- the calls ----------------------------------------------------------------------------------------------- */

static int barrier(MPI_Comm comm, MPI_Request *request, const char *call)
{
    const hd_site *site = hd_mpi_begin(call);
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    hd_mpi_joining mine = { .call = call, .root = -1, .site = site };
    hd_mpi_work w = { .needs = NEEDS_ALL };
    return begin(&w, c, &mine, request);
}

HD_FACE int hd_MPI_Barrier(MPI_Comm comm)
{
    return barrier(comm, NULL, "MPI_Barrier");
}

HD_FACE int hd_MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    return barrier(comm, request, "MPI_Ibarrier");
}

static int bcast(
    void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request, const char *call)
{
    const hd_site *site = hd_mpi_begin(call);
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    int error = check(c, root, count, type, site);
    if (error)
        return error;
    hd_mpi_joining mine = bring(call, c->rank == root ? buffer : MPI_IN_PLACE, (size_t)count, type, root, 1, site);
    hd_mpi_work w = { .needs = NEEDS_ROOT,
        .finish = finish_bcast,
        .out = buffer,
        .out_count = count,
        .out_type = *hd_mpi_type_of(type) };
    if (c->rank == root)
        w.needs = NEEDS_NONE;
    return begin(&w, c, &mine, request);
}

HD_FACE int hd_MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return bcast(buffer, count, type, root, comm, NULL, "MPI_Bcast");
}

HD_FACE int hd_MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request)
{
    return bcast(buffer, count, type, root, comm, request, "MPI_Ibcast");
}

/* `root` -1: all ranks get a result; `needs` is of the ranks that do. */
static int reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
    needs needs, int exclusive, MPI_Request *request, const char *call)
{
    const hd_site *site = hd_mpi_begin(call);
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    int error = check(c, root, count, type, site);
    error = error ? error : check_op(c, op, type, site);
    if (error)
        return error;
    int gets = root < 0 || root == c->rank;
    if (gets && in == out && count)
        return hd_mpi_error(c, site, MPI_ERR_BUFFER, "one buffer is used for data and result (MPI_IN_PLACE)");
    hd_mpi_joining mine = bring(call, in == MPI_IN_PLACE ? out : in, (size_t)count, type, root, 1, site);
    mine.op = op;
    hd_mpi_work w = { .needs = gets ? needs : NEEDS_NONE,
        .finish = gets ? finish_reduce : NULL,
        .out = out,
        .out_count = count,
        .out_type = *hd_mpi_type_of(type),
        .type = type,
        .op = op,
        .exclusive = exclusive };
    return begin(&w, c, &mine, request);
}

HD_FACE int hd_MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    return reduce(in, out, count, type, op, root < 0 ? -2 : root, comm, NEEDS_ALL, 0, NULL, "MPI_Reduce");
}

HD_FACE int hd_MPI_Ireduce(
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
    return reduce(in, out, count, type, op, root < 0 ? -2 : root, comm, NEEDS_ALL, 0, request, "MPI_Ireduce");
}

HD_FACE int hd_MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return reduce(in, out, count, type, op, -1, comm, NEEDS_ALL, 0, NULL, "MPI_Allreduce");
}

HD_FACE int hd_MPI_Iallreduce(
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return reduce(in, out, count, type, op, -1, comm, NEEDS_ALL, 0, request, "MPI_Iallreduce");
}

HD_FACE int hd_MPI_Scan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return reduce(in, out, count, type, op, -1, comm, NEEDS_UP_TO_ME, 0, NULL, "MPI_Scan");
}

HD_FACE int hd_MPI_Iscan(
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return reduce(in, out, count, type, op, -1, comm, NEEDS_UP_TO_ME, 0, request, "MPI_Iscan");
}

HD_FACE int hd_MPI_Exscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return reduce(in, out, count, type, op, -1, comm, NEEDS_UP_TO_ME, 1, NULL, "MPI_Exscan");
}

HD_FACE int hd_MPI_Iexscan(
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return reduce(in, out, count, type, op, -1, comm, NEEDS_UP_TO_ME, 1, request, "MPI_Iexscan");
}

/* What a rank receives from all others, and how it is laid out. */
typedef struct layout {
    void *out;
    int count;
    const int *counts, *offsets; /* NULL: `count` each */
    MPI_Datatype type;
} layout;

/* The arrays of the program may change before a request is done. */
static const int *keep_counts(const int *counts, int n, const hd_site *site)
{
    if (!counts)
        return NULL;
    int *copy = hd_mpi_keep((size_t)n * sizeof *copy);
    hd_access_range(counts, (uint64_t)n * sizeof *counts, site, 0);
    memcpy(copy, counts, (size_t)n * sizeof *copy);
    return copy;
}

static void set_layout(hd_mpi_work *w, const layout *l, const hd_mpi_comm *c, const hd_site *site)
{
    w->out = l->out;
    w->out_count = l->count;
    w->counts = keep_counts(l->counts, c->size, site);
    w->offsets = keep_counts(l->offsets, c->size, site);
    w->out_type = *hd_mpi_type_of(l->type);
}

/* In place: its data is already where the result will be, so it brings nothing to itself. */
static int gather(const void *in, int in_count, MPI_Datatype in_type, const layout *l, int root, MPI_Comm comm,
    MPI_Request *request, const char *call)
{
    const hd_site *site = hd_mpi_begin(call);
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    int in_place = in == MPI_IN_PLACE, gets = c && (root == -1 || root == c->rank);
    int error = in_place ? check(c, root, 0, MPI_BYTE, site) : check(c, root, in_count, in_type, site);
    if (!error && gets)
        error = check(c, root, l->count, l->type, site);
    if (error)
        return error;
    hd_mpi_work w = { .needs = gets ? NEEDS_ALL : NEEDS_NONE, .finish = gets ? finish_gather : NULL };
    hd_mpi_joining mine;
    if (gets)
        set_layout(&w, l, c, site);
    if (in_place) {
        int count = w.counts ? w.counts[c->rank] : w.out_count;
        int64_t at = w.offsets ? w.offsets[c->rank] : (int64_t)c->rank * w.out_count;
        mine = bring(call, (const char *)l->out + at * w.out_type.extent, (size_t)count, l->type, root, 0, site);
    } else
        mine = bring(call, in, (size_t)in_count, in_type, root, 0, site);
    return begin(&w, c, &mine, request);
}

HD_FACE int hd_MPI_Gather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count,
    MPI_Datatype out_type, int root, MPI_Comm comm)
{
    const layout l = { out, out_count, NULL, NULL, out_type };
    return gather(in, in_count, in_type, &l, root < 0 ? -2 : root, comm, NULL, "MPI_Gather");
}

HD_FACE int hd_MPI_Igather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count,
    MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request)
{
    const layout l = { out, out_count, NULL, NULL, out_type };
    return gather(in, in_count, in_type, &l, root < 0 ? -2 : root, comm, request, "MPI_Igather");
}

HD_FACE int hd_MPI_Gatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *out_counts,
    const int *offsets, MPI_Datatype out_type, int root, MPI_Comm comm)
{
    const layout l = { out, 0, out_counts, offsets, out_type };
    return gather(in, in_count, in_type, &l, root < 0 ? -2 : root, comm, NULL, "MPI_Gatherv");
}

HD_FACE int hd_MPI_Igatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *out_counts,
    const int *offsets, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request)
{
    const layout l = { out, 0, out_counts, offsets, out_type };
    return gather(in, in_count, in_type, &l, root < 0 ? -2 : root, comm, request, "MPI_Igatherv");
}

HD_FACE int hd_MPI_Allgather(
    const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type, MPI_Comm comm)
{
    const layout l = { out, out_count, NULL, NULL, out_type };
    return gather(in, in_count, in_type, &l, -1, comm, NULL, "MPI_Allgather");
}

HD_FACE int hd_MPI_Iallgather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count,
    MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request)
{
    const layout l = { out, out_count, NULL, NULL, out_type };
    return gather(in, in_count, in_type, &l, -1, comm, request, "MPI_Iallgather");
}

HD_FACE int hd_MPI_Allgatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *out_counts,
    const int *offsets, MPI_Datatype out_type, MPI_Comm comm)
{
    const layout l = { out, 0, out_counts, offsets, out_type };
    return gather(in, in_count, in_type, &l, -1, comm, NULL, "MPI_Allgatherv");
}

HD_FACE int hd_MPI_Iallgatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *out_counts,
    const int *offsets, MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request)
{
    const layout l = { out, 0, out_counts, offsets, out_type };
    return gather(in, in_count, in_type, &l, -1, comm, request, "MPI_Iallgatherv");
}

/* --- scatter and alltoall ------------------------------------------------------------------------------------ */

/* The parts of the root's buffer, one behind the other, with a table of their ends in front. */
static hd_mpi_joining bring_parts(
    const char *call, const layout *l, int root, const hd_mpi_comm *c, const hd_site *site)
{
    const hd_mpi_type *t = hd_mpi_type_of(l->type);
    const int *counts = keep_counts(l->counts, c->size, site), *offsets = keep_counts(l->offsets, c->size, site);
    size_t total = 0, n = (size_t)c->size;
    for (int i = 0; i < c->size; i++)
        total += (size_t)(counts ? counts[i] : l->count) * t->size;
    uint8_t *data = hd_mpi_keep(n * sizeof(size_t) + total), *parts = data + n * sizeof(size_t);
    size_t *ends = (size_t *)data, end = 0;
    for (int i = 0; i < c->size; i++) {
        int count = counts ? counts[i] : l->count;
        int64_t at = offsets ? offsets[i] : (int64_t)i * l->count;
        if (count)
            hd_mpi_pack(parts + end, (const char *)l->out + at * t->extent, (size_t)count, t, site);
        ends[i] = end += (size_t)count * t->size;
    }
    return (hd_mpi_joining) { .call = call,
        .data = data,
        .bytes = total,
        .pattern = t->pattern,
        .root = root,
        .site = site,
        .buffer = counts ? NULL : l->out,
        .count = n * (size_t)l->count,
        .type = *t };
}

static int scatter(const layout *in, void *out, int out_count, MPI_Datatype out_type, int root, MPI_Comm comm,
    MPI_Request *request, const char *call)
{
    const hd_site *site = hd_mpi_begin(call);
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    int in_place = out == MPI_IN_PLACE;
    int error = in_place ? check(c, root, 0, MPI_BYTE, site) : check(c, root, out_count, out_type, site);
    if (!error && c->rank == root)
        error = check(c, root, in->count, in->type, site);
    if (error)
        return error;
    hd_mpi_joining mine = { .call = call, .root = root, .site = site };
    if (c->rank == root)
        mine = bring_parts(call, in, root, c, site);
    hd_mpi_work w = { .needs = NEEDS_ROOT, .finish = finish_scatter, .out = out, .out_count = out_count };
    if (!in_place)
        w.out_type = *hd_mpi_type_of(out_type);
    return begin(&w, c, &mine, request);
}

HD_FACE int hd_MPI_Scatter(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count,
    MPI_Datatype out_type, int root, MPI_Comm comm)
{
    const layout l = { (void *)in, in_count, NULL, NULL, in_type };
    return scatter(&l, out, out_count, out_type, root < 0 ? -2 : root, comm, NULL, "MPI_Scatter");
}

HD_FACE int hd_MPI_Iscatter(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count,
    MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request)
{
    const layout l = { (void *)in, in_count, NULL, NULL, in_type };
    return scatter(&l, out, out_count, out_type, root < 0 ? -2 : root, comm, request, "MPI_Iscatter");
}

HD_FACE int hd_MPI_Scatterv(const void *in, const int *in_counts, const int *offsets, MPI_Datatype in_type, void *out,
    int out_count, MPI_Datatype out_type, int root, MPI_Comm comm)
{
    const layout l = { (void *)in, 0, in_counts, offsets, in_type };
    return scatter(&l, out, out_count, out_type, root < 0 ? -2 : root, comm, NULL, "MPI_Scatterv");
}

HD_FACE int hd_MPI_Iscatterv(const void *in, const int *in_counts, const int *offsets, MPI_Datatype in_type, void *out,
    int out_count, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request)
{
    const layout l = { (void *)in, 0, in_counts, offsets, in_type };
    return scatter(&l, out, out_count, out_type, root < 0 ? -2 : root, comm, request, "MPI_Iscatterv");
}

/* In place: what it sends is where the result will be, laid out alike. */
static int alltoall(const layout *in, const layout *l, MPI_Comm comm, MPI_Request *request, const char *call)
{
    const hd_site *site = hd_mpi_begin(call);
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    const layout *sent = in->out == MPI_IN_PLACE ? l : in;
    int error = check(c, -1, sent->count, sent->type, site);
    error = error ? error : check(c, -1, l->count, l->type, site);
    if (error)
        return error;
    hd_mpi_joining mine = bring_parts(call, sent, -1, c, site);
    hd_mpi_work w = { .needs = NEEDS_ALL, .finish = finish_alltoall };
    set_layout(&w, l, c, site);
    return begin(&w, c, &mine, request);
}

HD_FACE int hd_MPI_Alltoall(
    const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type, MPI_Comm comm)
{
    const layout from = { (void *)in, in_count, NULL, NULL, in_type }, to = { out, out_count, NULL, NULL, out_type };
    return alltoall(&from, &to, comm, NULL, "MPI_Alltoall");
}

HD_FACE int hd_MPI_Ialltoall(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count,
    MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request)
{
    const layout from = { (void *)in, in_count, NULL, NULL, in_type }, to = { out, out_count, NULL, NULL, out_type };
    return alltoall(&from, &to, comm, request, "MPI_Ialltoall");
}

HD_FACE int hd_MPI_Alltoallv(const void *in, const int *in_counts, const int *in_offsets, MPI_Datatype in_type,
    void *out, const int *out_counts, const int *out_offsets, MPI_Datatype out_type, MPI_Comm comm)
{
    const layout from = { (void *)in, 0, in_counts, in_offsets, in_type },
                 to = { out, 0, out_counts, out_offsets, out_type };
    return alltoall(&from, &to, comm, NULL, "MPI_Alltoallv");
}

HD_FACE int hd_MPI_Ialltoallv(const void *in, const int *in_counts, const int *in_offsets, MPI_Datatype in_type,
    void *out, const int *out_counts, const int *out_offsets, MPI_Datatype out_type, MPI_Comm comm,
    MPI_Request *request)
{
    const layout from = { (void *)in, 0, in_counts, in_offsets, in_type },
                 to = { out, 0, out_counts, out_offsets, out_type };
    return alltoall(&from, &to, comm, request, "MPI_Ialltoallv");
}

/* --- a reduction of which each rank gets a part ----------------------------------------------------------- */

/* `counts` NULL: `count` for each rank. */
static int reduce_scatter(const void *in, void *out, const int *counts, int count, MPI_Datatype type, MPI_Op op,
    MPI_Comm comm, MPI_Request *request, const char *call)
{
    const hd_site *site = hd_mpi_begin(call);
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    int error = check(c, -1, count, type, site);
    error = error ? error : check_op(c, op, type, site);
    if (error)
        return error;
    int *kept = hd_mpi_keep((size_t)c->size * sizeof *kept), total = 0;
    if (counts)
        hd_access_range(counts, (uint64_t)c->size * sizeof *counts, site, 0);
    for (int i = 0; i < c->size; i++)
        total += kept[i] = counts ? counts[i] : count;
    hd_mpi_joining mine = bring(call, in == MPI_IN_PLACE ? out : in, (size_t)total, type, -1, 1, site);
    mine.op = op;
    hd_mpi_work w = { .needs = NEEDS_ALL,
        .finish = finish_reduce_scatter,
        .out = out,
        .counts = kept,
        .out_type = *hd_mpi_type_of(type),
        .type = type,
        .op = op };
    return begin(&w, c, &mine, request);
}

HD_FACE int hd_MPI_Reduce_scatter(
    const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return reduce_scatter(in, out, counts, 0, type, op, comm, NULL, "MPI_Reduce_scatter");
}

HD_FACE int hd_MPI_Ireduce_scatter(
    const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return reduce_scatter(in, out, counts, 0, type, op, comm, request, "MPI_Ireduce_scatter");
}

HD_FACE int hd_MPI_Reduce_scatter_block(
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return reduce_scatter(in, out, NULL, count, type, op, comm, NULL, "MPI_Reduce_scatter_block");
}

HD_FACE int hd_MPI_Ireduce_scatter_block(
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return reduce_scatter(in, out, NULL, count, type, op, comm, request, "MPI_Ireduce_scatter_block");
}
