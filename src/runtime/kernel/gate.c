#include "runtime/kernel/gate.h"

#include "runtime/sched/expiry.h"
#include "runtime/sched/sched.h"

_Static_assert(sizeof(hd_gate) == HD_GATE_BYTES, "the size of a gate");

/* Data and room differ only in their kinds, and in which count means open. */
static int is_data(uint8_t kind)
{
    return hd_kinds[kind].object != HD_OBJECT_ROOM;
}

/* The value of an operation that takes or adds so many units, before it is known which; 0: the operation conflicts with
 * all others. */
static uint64_t units_of(const hd_gate *data, size_t units)
{
    enum { MOST = 1 << 30 };
    return units < HD_SURE_UNITS && data->appended < MOST ? units : 0;
}

/* The stretch is known when the operation is performed; it may be noted several times until then. */
static void note_stretch(hd_op *op, uint32_t from)
{
    if ((uint32_t)op->value)
        op->value = hd_stretch(from, (uint32_t)op->value);
}

static int is_open(hd_thread *t, hd_op *op)
{
    (void)t;
    return is_data(op->kind) == (((const hd_gate *)op->object)->count > 0);
}

static int is_open_or_fails(hd_thread *t, hd_op *op)
{
    uint8_t strongest = hd_kind_strongest(op->kind);
    op->flags |= HD_OP_TRY;
    op->kind = is_open(t, op) ? strongest : hd_kinds[strongest].otherwise;
    return 1;
}

static int is_open_now(hd_thread *t, hd_op *op)
{
    note_stretch(op, ((const hd_gate *)op->object)->fetched);
    return is_open(t, op);
}

static int is_open_now_or_fails(hd_thread *t, hd_op *op)
{
    note_stretch(op, ((const hd_gate *)op->object)->fetched);
    return is_open_or_fails(t, op);
}

static int passes(hd_op_kind kind, hd_gate *gate, int waits)
{
    const hd_op *op = hd_perform(kind, gate, waits ? is_open : is_open_or_fails);
    return op && op->kind == kind; /* withdrawn: the wait of a poll has timed out */
}

static int opens_within(hd_op_kind kind, hd_gate *gate, const struct timespec *until)
{
    if (!until)
        return passes(kind, gate, 1);
    return hd_perform_until(kind, gate, until, is_open, is_open_or_fails)->kind == kind;
}

/* Opens the gate, which may be open already: decided when the operation is performed. */
static int opens_or_is_open(hd_thread *t, hd_op *op)
{
    uint8_t strongest = hd_kind_strongest(op->kind);
    op->flags |= HD_OP_TRY;
    note_stretch(op, ((const hd_gate *)op->object)->appended);
    op->kind = is_open(t, op) ? hd_kinds[strongest].otherwise : strongest;
    return 1;
}

static void change(hd_op_kind kind, hd_gate *gate, uint32_t to, uint64_t units, hd_ready *ready)
{
    const hd_site *site = hd_call_site;
    hd_perform_with(kind, gate, units, ready);
    gate->count = to;
    hd_call_site = site;
    hd_effect();
}

int hd_data_take(hd_gate *data, int waits)
{
    return passes(HD_DATA_TAKE, data, waits);
}

int hd_data_fetch(hd_gate *data, int waits, size_t units)
{
    hd_ready *ready = waits ? is_open_now : is_open_now_or_fails;
    const hd_op *op = hd_perform_with(HD_DATA_TAKE, data, units_of(data, units), ready);
    return op && op->kind == HD_DATA_TAKE;
}

void hd_data_append(hd_gate *data, size_t units)
{
    change(HD_DATA_COMES, data, 1, units_of(data, units), opens_or_is_open);
    data->appended += (uint32_t)units;
}

int hd_counter_take(hd_gate *data, int waits)
{
    return passes(HD_EVENTFD_READ, data, waits);
}

int hd_room_take(hd_gate *room, int waits)
{
    return passes(HD_ROOM_TAKE, room, waits);
}

int hd_data_take_until(hd_gate *data, const struct timespec *until)
{
    return opens_within(HD_DATA_TAKE, data, until);
}

int hd_room_take_until(hd_gate *room, const struct timespec *until)
{
    return opens_within(HD_ROOM_TAKE, room, until);
}

void hd_data_comes(hd_gate *data)
{
    change(HD_DATA_COMES, data, 1, 0, opens_or_is_open);
}

void hd_data_gone(hd_gate *data)
{
    change(HD_DATA_GONE, data, 0, 0, NULL);
}

void hd_room_comes(hd_gate *room)
{
    change(HD_ROOM_COMES, room, 0, 0, opens_or_is_open);
}

void hd_room_gone(hd_gate *room)
{
    change(HD_ROOM_GONE, room, 1, 0, NULL);
}

/* The try that follows a time-out fails, as in hd_perform_until. */
int hd_data_begin_until(hd_gate *data, const struct timespec *until, uint32_t outer)
{
    const hd_site *site = hd_call_site;
    if (!hd_expiry_is_patient(HD_DATA_NONE, data))
        return hd_data_take(data, 0);
    hd_expiry_begin(until);
    hd_perform(HD_DATA_TAKE, data, is_open);
    if (!hd_expiry_end())
        return 1;
    hd_step_end(outer);
    hd_call_site = site;
    return hd_data_take(data, 0);
}

void hd_data_change(hd_gate *data)
{
    const hd_site *site = hd_call_site;
    hd_perform(HD_DATA_CHANGE, data, NULL);
    hd_call_site = site;
    hd_effect();
}

void hd_data_look(hd_gate *data)
{
    hd_perform(HD_DATA_SIZE, data, NULL);
}

static hd_op_kind poll_of(const hd_gate *data)
{
    return data->counts ? HD_EVENTFD_POLL : HD_DATA_POLL;
}

int hd_data_poll(hd_gate *data)
{
    return passes(poll_of(data), data, 0);
}

int hd_room_poll(hd_gate *room)
{
    return passes(HD_ROOM_POLL, room, 0);
}

int hd_data_await(hd_gate *data, const struct timespec *until)
{
    return opens_within(poll_of(data), data, until);
}

int hd_room_await(hd_gate *room, const struct timespec *until)
{
    return opens_within(HD_ROOM_POLL, room, until);
}

int hd_data_is_patient(hd_gate *data)
{
    return hd_expiry_is_patient(hd_kinds[poll_of(data)].otherwise, data);
}

int hd_room_is_patient(hd_gate *room)
{
    return hd_expiry_is_patient(HD_ROOM_UNREADY, room);
}
