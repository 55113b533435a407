/* Sending, receiving and probing: the calls that end when they are done. */
#include "runtime/face/face.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/mpi/point_internal.h"
#include "runtime/sched/access.h"

/* --- arguments ------------------------------------------------------------------------------------------ */

int hd_mpi_check_buffer(hd_mpi_comm *c, const void *buffer, size_t count, const hd_mpi_type *t, const hd_site *site)
{
    int absolute = t->count != 1 || t->entries[0].offset; /* its offsets may be addresses, from MPI_BOTTOM */
    if (buffer || !count || !t->size || absolute)
        return MPI_SUCCESS;
    return hd_mpi_error(c, site, MPI_ERR_BUFFER, "the buffer is NULL, and there are %zu elements", count);
}

int hd_mpi_check(hd_mpi_comm *c, hd_mpi_type *t, int count, int peer, int tag, int receives, const hd_site *site)
{
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    if (count < 0)
        return hd_mpi_error(c, site, MPI_ERR_COUNT, "negative count %d", count);
    if (!t)
        return hd_mpi_error(c, site, MPI_ERR_TYPE, "invalid datatype");
    if (!t->committed)
        return hd_mpi_error(c, site, MPI_ERR_TYPE, "the datatype is not committed (MPI_Type_commit)");
    int is_any = receives && peer == MPI_ANY_SOURCE;
    if (peer != MPI_PROC_NULL && !is_any && (peer < 0 || peer >= c->size))
        return hd_mpi_error(c, site, MPI_ERR_RANK, "rank %d is not in the communicator of %d ranks", peer, c->size);
    if (tag < 0 && !(receives && tag == MPI_ANY_TAG))
        return hd_mpi_error(c, site, MPI_ERR_TAG, "invalid tag %d", tag);
    return MPI_SUCCESS;
}

/* --- statuses ------------------------------------------------------------------------------------------- */

MPI_Status hd_mpi_empty_status(int source)
{
    return (MPI_Status) { .MPI_SOURCE = source, .MPI_TAG = MPI_ANY_TAG };
}

static int rank_in(const hd_mpi_comm *c, uint32_t world)
{
    for (int i = 0; i < c->size; i++)
        if (c->world[i] == world)
            return i;
    return MPI_PROC_NULL;
}

MPI_Status hd_mpi_status_of(const hd_mpi_comm *c, const hd_mpi_message *m)
{
    return (MPI_Status) { .MPI_SOURCE = rank_in(c, m->from),
        .MPI_TAG = m->tag,
        .heddle_bytes = m->bytes,
        .heddle_pattern = m->pattern,
        .heddle_elements = m->elements };
}

void hd_mpi_tell_status(MPI_Status *to, const MPI_Status *status, const hd_site *site)
{
    if (to != MPI_STATUS_IGNORE)
        hd_mpi_tell(to, status, sizeof *to, site);
}

HD_FACE int hd_MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count)
{
    const hd_site *site = hd_mpi_begin("MPI_Get_count");
    hd_access_range(status, sizeof *status, site, 0);
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!t)
        return hd_mpi_error(NULL, site, MPI_ERR_TYPE, "invalid datatype");
    size_t bytes = status->heddle_bytes;
    HD_MPI_TELL(count, !bytes ? 0 : !t->size || bytes % t->size ? MPI_UNDEFINED : (int)(bytes / t->size));
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count)
{
    const hd_site *site = hd_mpi_begin("MPI_Get_elements");
    hd_access_range(status, sizeof *status, site, 0);
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!t)
        return hd_mpi_error(NULL, site, MPI_ERR_TYPE, "invalid datatype");
    size_t bytes = status->heddle_bytes, elements = 0;
    for (uint32_t i = 0; t->count && bytes; i = (i + 1) % t->count, elements++) {
        size_t n = hd_mpi_basic_size(t->entries[i].basic);
        bytes = bytes > n ? bytes - n : 0;
    }
    HD_MPI_TELL(count, (int)elements);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    const hd_site *site = hd_mpi_begin("MPI_Test_cancelled");
    hd_access_range(status, sizeof *status, site, 0);
    HD_MPI_TELL(flag, status->heddle_cancelled);
    return MPI_SUCCESS;
}

/* --- sending ------------------------------------------------------------------------------------------ */

/* A buffered send never waits. A ready one is a standard one whose receive must be posted (hd_mpi_check_ready). */
static int waits_for_receive(int mode)
{
    return mode == HD_MPI_SYNCHRONOUS || (mode != HD_MPI_BUFFERED && hd_mpi_rank_now()->sends_wait);
}

hd_mpi_message *hd_mpi_send_buffer(const hd_mpi_comm *c, const void *buffer, int count, const hd_mpi_type *t, int to,
    int tag, int mode, const hd_site *site)
{
    size_t n = (size_t)count;
    const hd_mpi_rank *r = hd_mpi_rank_now();
    if (mode == HD_MPI_BUFFERED && !r->attached)
        hd_mpi_error(c, site, MPI_ERR_BUFFER, "no buffer is attached (MPI_Buffer_attach)");
    else if (mode == HD_MPI_BUFFERED && n * t->size + MPI_BSEND_OVERHEAD > (size_t)r->attached_size)
        hd_mpi_error(c, site, MPI_ERR_BUFFER,
            "the message of %zu bytes, and MPI_BSEND_OVERHEAD, does not fit the attached buffer of %d", n * t->size,
            r->attached_size);
    uint8_t *data = hd_mpi_keep(n * t->size);
    hd_mpi_pack(data, buffer, n, t, site);
    hd_mpi_message *m = hd_mpi_send(c, to, tag, data, t, n, site);
    m->waits = (uint8_t)waits_for_receive(mode);
    if (mode == HD_MPI_READY)
        hd_mpi_check_ready(m, site);
    hd_mpi_deliver(m);
    return m;
}

static int send(
    const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, int mode, const hd_site *site)
{
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    hd_mpi_type *t = hd_mpi_type_of(type);
    int error = hd_mpi_check(c, t, count, to, tag, 0, site);
    if (!error && to != MPI_PROC_NULL)
        error = hd_mpi_check_buffer(c, buffer, (size_t)count, t, site);
    if (error || to == MPI_PROC_NULL)
        return error;
    const hd_mpi_message *m = hd_mpi_send_buffer(c, buffer, count, t, to, tag, mode, site);
    if (m->waits)
        hd_mpi_await_taken(m, mode != HD_MPI_SYNCHRONOUS, site);
    return MPI_SUCCESS;
}

#define SEND(name, mode) \
    HD_FACE int hd_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) \
    { \
        return send(buffer, count, type, to, tag, comm, mode, hd_mpi_begin(#name)); \
    }
SEND(MPI_Send, HD_MPI_STANDARD)
SEND(MPI_Ssend, HD_MPI_SYNCHRONOUS)
SEND(MPI_Bsend, HD_MPI_BUFFERED)
SEND(MPI_Rsend, HD_MPI_READY)
#undef SEND

HD_FACE int hd_MPI_Buffer_attach(void *buffer, int size)
{
    const hd_site *site = hd_mpi_begin("MPI_Buffer_attach");
    hd_mpi_rank *r = hd_mpi_rank_now();
    if (r->attached)
        return hd_mpi_error(NULL, site, MPI_ERR_BUFFER, "a buffer is attached already");
    r->attached = buffer;
    r->attached_size = size;
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Buffer_detach(void *buffer, int *size)
{
    const hd_site *site = hd_mpi_begin("MPI_Buffer_detach");
    hd_mpi_rank *r = hd_mpi_rank_now();
    HD_MPI_TELL((void **)buffer, r->attached);
    HD_MPI_TELL(size, r->attached_size);
    r->attached = NULL;
    return MPI_SUCCESS;
}

/* --- receiving ---------------------------------------------------------------------------------------- */

static int check_fit(hd_mpi_comm *c, const hd_mpi_message *m, int count, const hd_mpi_type *t, const hd_site *site)
{
    size_t room = (size_t)count * t->size;
    int any = m->pattern == MPI_PACKED || t->pattern == MPI_PACKED;
    if (m->bytes && !any && m->pattern != t->pattern)
        return hd_mpi_error(c, site, MPI_ERR_TYPE,
            "the datatype does not match that of the message from rank %u (tag %d)", m->from, m->tag);
    if (m->bytes > room)
        return hd_mpi_error(c, site, MPI_ERR_TRUNCATE,
            "the message from rank %u (tag %d) has %zu bytes, and there is room for %zu", m->from, m->tag, m->bytes,
            room);
    return MPI_SUCCESS;
}

int hd_mpi_receive_into(hd_mpi_comm *c, const hd_mpi_message *m, void *buffer, int count, const hd_mpi_type *t,
    MPI_Status *status, const hd_site *site)
{
    int error = check_fit(c, m, count, t, site);
    size_t room = (size_t)count * t->size;
    *status = hd_mpi_status_of(c, m);
    status->MPI_ERROR = error;
    if (error != MPI_ERR_TYPE)
        hd_mpi_unpack(buffer, t, m->data, m->bytes < room ? m->bytes : room, site);
    return error;
}

static int receive(
    void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *to, const hd_site *site)
{
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    hd_mpi_type *t = hd_mpi_type_of(type);
    int error = hd_mpi_check(c, t, count, from, tag, 1, site);
    MPI_Status status = hd_mpi_empty_status(MPI_PROC_NULL);
    if (!error && from != MPI_PROC_NULL)
        error = hd_mpi_check_buffer(c, buffer, (size_t)count, t, site);
    if (!error && from != MPI_PROC_NULL) {
        hd_mpi_receive *r = hd_mpi_post(c, from, tag, site);
        hd_mpi_match(r, site);
        hd_mpi_receive_is_over(r, site);
        error = hd_mpi_receive_into(c, r->message, buffer, count, t, &status, site);
    }
    if (!error || error == MPI_ERR_TRUNCATE)
        hd_mpi_tell_status(to, &status, site);
    return error;
}

HD_FACE int hd_MPI_Recv(
    void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    return receive(buffer, count, type, from, tag, comm, status, hd_mpi_begin("MPI_Recv"));
}

/* --- both at once --------------------------------------------------------------------------------------- */

/* The send does not wait for its receive before the rank receives. */
HD_FACE int hd_MPI_Sendrecv(const void *sent, int sent_count, MPI_Datatype sent_type, int to, int sent_tag,
    void *received, int received_count, MPI_Datatype received_type, int from, int received_tag, MPI_Comm comm,
    MPI_Status *status)
{
    const hd_site *site = hd_mpi_begin("MPI_Sendrecv");
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    hd_mpi_type *t = hd_mpi_type_of(sent_type);
    int error = hd_mpi_check(c, t, sent_count, to, sent_tag, 0, site);
    if (error)
        return error;
    const hd_mpi_message *m =
        to == MPI_PROC_NULL ? NULL : hd_mpi_send_buffer(c, sent, sent_count, t, to, sent_tag, HD_MPI_STANDARD, site);
    error = receive(received, received_count, received_type, from, received_tag, comm, status, site);
    if (m && m->waits)
        hd_mpi_await_taken(m, 1, site);
    return error;
}

HD_FACE int hd_MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int sent_tag, int from,
    int received_tag, MPI_Comm comm, MPI_Status *status)
{
    return hd_MPI_Sendrecv(buffer, count, type, to, sent_tag, buffer, count, type, from, received_tag, comm, status);
}

/* --- probing ------------------------------------------------------------------------------------------- */

static int probe(int from, int tag, MPI_Comm comm, int waits, int *flag, MPI_Status *to, const hd_site *site)
{
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    int error = hd_mpi_check(c, hd_mpi_type_of(MPI_BYTE), 0, from, tag, 1, site);
    if (error)
        return error;
    MPI_Status status = hd_mpi_empty_status(MPI_PROC_NULL);
    const hd_mpi_message *m = from == MPI_PROC_NULL ? NULL : hd_mpi_look(c, from, tag, waits, site);
    if (m)
        status = hd_mpi_status_of(c, m);
    int found = m || from == MPI_PROC_NULL;
    if (flag)
        HD_MPI_TELL(flag, found);
    if (found)
        hd_mpi_tell_status(to, &status, site);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    return probe(from, tag, comm, 1, NULL, status, hd_mpi_begin("MPI_Probe"));
}

HD_FACE int hd_MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    return probe(from, tag, comm, 0, flag, status, hd_mpi_begin("MPI_Iprobe"));
}
