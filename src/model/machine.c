#include "model/machine.h"

#include <string.h>

enum { LONGEST_D_STEP = 1000000 };

const char *hd_fault_text(hd_fault_kind kind)
{
    static const char *const texts[] = { "", "an array index is out of bounds", "a division by zero",
        "a channel is used before it was initialised", "a message has the wrong number of values",
        "a statement blocks inside d_step", "too many processes or channels, or too large a state",
        "an atomic sequence takes more than 5000 steps, or a d_step a million",
        "a port holds more messages than its channel was declared for",
        "a process can send for ever without receiving, so a port grows without bound",
        "more than 64 messages wait in ports with several senders" };
    return texts[kind];
}

static void fail(hd_machine *m, hd_fault_kind kind, int line)
{
    if (m->fault.kind == HD_FAULT_NONE)
        m->fault = (hd_fault) { kind, line };
}

/* --- scalars ----------------------------------------------------------------------------- */

int32_t hd_load(const uint8_t *at, int storage)
{
    uint16_t half;
    uint32_t whole;
    switch (storage) {
    case 1:
    case 2:
        return *at;
    case 3:
        memcpy(&half, at, 2);
        return (int16_t)half;
    default:
        memcpy(&whole, at, 4);
        return (int32_t)whole;
    }
}

void hd_store_scalar(uint8_t *at, int storage, int32_t value)
{
    uint16_t half = (uint16_t)value;
    uint32_t whole = (uint32_t)value;
    switch (storage) {
    case 1:
        *at = value & 1;
        return;
    case 2:
        *at = (uint8_t)value;
        return;
    case 3:
        memcpy(at, &half, 2);
        return;
    default:
        if (storage > 32 && storage < 64)
            whole &= (1u << (storage - 32)) - 1;
        memcpy(at, &whole, 4);
    }
}

static uint32_t storage_size(int storage)
{
    return storage <= 2 ? 1 : storage == 3 ? 2 : 4;
}

/* --- processes ------------------------------------------------------------------------------- */

void hd_machine_open(hd_machine *m, const hd_pml_program *program, hd_shapes *shapes, hd_scheme scheme)
{
    *m = (hd_machine) { .program = program, .shapes = shapes, .scheme = scheme };
}

void hd_machine_load(hd_machine *m, uint8_t *bytes, const hd_shape *shape)
{
    m->bytes = bytes;
    m->shape = shape;
}

static bool add_component(hd_machine *m, bool is_process, int type)
{
    const hd_shape *bigger = hd_shape_with(m->shapes, m->shape, is_process, type);
    if (!bigger) {
        fail(m, HD_FAULT_PROCESSES, 0);
        return false;
    }
    memset(m->bytes + m->shape->size, 0, bigger->size - m->shape->size);
    m->bytes[m->shape->size] = (uint8_t)type;
    m->shape = bigger;
    return true;
}

/* The arguments are the last `count` values on the stack, which ends at `top`. */
static int start_process(hd_machine *m, int type, const int32_t *arguments, int count)
{
    const hd_pml_code *code = &m->program->codes[type];
    if (!add_component(m, true, type))
        return 0;
    int pid = m->shape->processes - 1, caller = m->pid;
    hd_machine_select(m, pid);
    hd_machine_go(m, code->flow->start);
    for (int i = 0; i < count; i++) {
        const hd_pml_symbol *s = code->proctype->variables.items[i];
        hd_store_scalar(m->self + HD_PROCESS_HEADER + s->offset, hd_pml_storage(s->type, s->bits), arguments[i]);
    }
    if (code->initial) {
        int32_t saved[256];
        memcpy(saved, m->stack, sizeof saved);
        hd_machine_run(m, code->initial);
        memcpy(m->stack, saved, sizeof saved);
    }
    m->pid = caller;
    if (caller >= 0)
        hd_machine_select(m, caller);
    return pid;
}

void hd_machine_end_process(hd_machine *m)
{
    const hd_shape *smaller = hd_shape_without_process(m->shape);
    m->shape = smaller;
    if (m->kept > smaller->components)
        m->kept = smaller->components;
}

bool hd_machine_start(hd_machine *m)
{
    hd_machine_load(m, m->bytes, m->shapes->all[0]);
    memset(m->bytes, 0, m->shape->size);
    m->pid = -1;
    m->self = NULL;
    if (m->program->initial)
        hd_machine_run(m, m->program->initial);
    for (size_t i = 0; i < m->program->model->proctypes.count; i++)
        for (int n = 0; n < m->program->model->proctypes.items[i]->active; n++) {
            int32_t zeros[256] = { 0 };
            start_process(m, (int)i, zeros, m->program->model->proctypes.items[i]->parameter_count);
        }
    return m->fault.kind == HD_FAULT_NONE;
}

/* --- channels ---------------------------------------------------------------------------------- */

bool hd_machine_valid_channel(const hd_machine *m, int channel)
{
    return channel >= 1 && channel <= m->shape->channels;
}

uint8_t *hd_machine_channel(const hd_machine *m, int channel, const hd_pml_channel **type)
{
    uint8_t *c = m->bytes + m->shape->offsets[m->shape->channel_component[channel - 1]];
    *type = m->program->channel_types.items[c[0]];
    return c;
}

uint32_t hd_message_size(const hd_machine *m, const hd_pml_channel *type)
{
    return type->message_size + (m->scheme != HD_SCHEME_CAUSAL);
}

static bool check_channel(hd_machine *m, int channel, int line)
{
    if (hd_machine_valid_channel(m, channel)) {
        hd_machine_use(m, m->shape->channel_component[channel - 1]);
        return true;
    }
    fail(m, HD_FAULT_CHANNEL, line);
    return false;
}

static int length_of(hd_machine *m, int channel, int line)
{
    const hd_pml_channel *type;
    return check_channel(m, channel, line) ? hd_machine_channel(m, channel, &type)[1] : 0;
}

static bool is_full(hd_machine *m, int channel, int line)
{
    const hd_pml_channel *type;
    if (!check_channel(m, channel, line))
        return true;
    const uint8_t *c = hd_machine_channel(m, channel, &type);
    return c[1] == type->capacity;
}

/* A rendezvous channel can take a message if no other rendezvous is under way; whether somebody receives it is seen
 * later. */
static bool can_send(hd_machine *m, int channel, int line)
{
    const hd_pml_channel *type;
    if (!check_channel(m, channel, line))
        return false;
    const uint8_t *c = hd_machine_channel(m, channel, &type);
    return type->capacity == 0 || c[1] < type->capacity || m->unbounded;
}

static int compare_messages(const hd_pml_channel *type, const uint8_t *a, const uint8_t *b)
{
    for (int i = 0; i < type->field_count; i++) {
        int storage = hd_pml_storage(type->fields[i].type, type->fields[i].bits);
        int32_t x = hd_load(a, storage), y = hd_load(b, storage);
        if (x != y)
            return x < y ? -1 : 1;
        a += storage_size(storage);
        b += storage_size(storage);
    }
    return 0;
}

/* Where a new message goes. */
static int place_for(hd_machine *m, const hd_pml_channel *type, const uint8_t *c, const uint8_t *message, bool sorted)
{
    uint32_t size = hd_message_size(m, type);
    int tag = m->scheme != HD_SCHEME_CAUSAL, at = 0;
    if (m->scheme == HD_SCHEME_CAUSAL && !sorted)
        return c[1];
    for (; at < c[1]; at++) {
        const uint8_t *other = c + HD_CHANNEL_HEADER + (uint32_t)at * size;
        if (m->scheme == HD_SCHEME_FIFO && other[0] != message[0]) {
            if (other[0] > message[0])
                break;
        } else if ((m->scheme == HD_SCHEME_ASYNC || sorted) && compare_messages(type, other + tag, message + tag) > 0) {
            break;
        }
    }
    return at;
}

static void put_message(hd_machine *m, int channel, const hd_pml_channel *type, uint8_t *message, bool sorted)
{
    uint8_t *c = hd_machine_channel(m, channel, &type);
    uint32_t size = hd_message_size(m, type);
    if (m->scheme != HD_SCHEME_CAUSAL)
        message[0] = m->scheme == HD_SCHEME_FIFO ? (uint8_t)m->pid : 0;
    int at = place_for(m, type, c, message, sorted);
    uint8_t *slot = c + HD_CHANNEL_HEADER + (uint32_t)at * size;
    memmove(slot + size, slot, (size_t)(c[1] - at) * size);
    memcpy(slot, message, size);
    c[1]++;
    m->sent_channel = channel;
    m->sent_position = at;
    hd_machine_touch(m, m->shape->channel_component[channel - 1]);
}

static void send(hd_machine *m, int channel, const int32_t *values, int count, bool sorted, int line)
{
    const hd_pml_channel *type;
    uint8_t message[1024];
    if (!check_channel(m, channel, line))
        return;
    const uint8_t *c = hd_machine_channel(m, channel, &type);
    if (count != type->field_count) {
        fail(m, HD_FAULT_MESSAGE, line);
        return;
    }
    if (type->capacity > 0 && c[1] == type->capacity) {
        fail(m, HD_FAULT_OVERFLOW, line);
        return;
    }
    uint8_t *at = message + (m->scheme != HD_SCHEME_CAUSAL);
    for (int i = 0; i < count; i++) {
        int storage = hd_pml_storage(type->fields[i].type, type->fields[i].bits);
        hd_store_scalar(at, storage, values[i]);
        at += storage_size(storage);
    }
    put_message(m, channel, type, message, sorted);
    if (type->capacity == 0)
        m->rendezvous = channel;
}

static bool fits(const hd_pml_channel *type, const uint8_t *message, const int32_t *mask, const int32_t *values)
{
    for (int i = 0; i < type->field_count; i++) {
        int storage = hd_pml_storage(type->fields[i].type, type->fields[i].bits);
        if (mask[i] && hd_load(message, storage) != *values++)
            return false;
        message += storage_size(storage);
    }
    return true;
}

/* May the message at `at` be received, the scheme and what stands before it considered? */
static bool in_front(const hd_machine *m, const uint8_t *first, uint32_t size, int at)
{
    const uint8_t *here = first + (uint32_t)at * size;
    switch (m->scheme) {
    case HD_SCHEME_FIFO:
        return at == 0 || here[0] != here[-(int)size];
    case HD_SCHEME_ASYNC:
        return at == 0 || memcmp(here, here - size, size) != 0;
    default:
        return at == 0;
    }
}

/* Under fifo, `??` takes the first that fits of each sender; under async it is `?`. */
static bool first_that_fits(const hd_machine *m, const hd_pml_channel *type, const uint8_t *first, uint32_t size,
    int at, const int32_t *mask, const int32_t *values)
{
    if (m->scheme == HD_SCHEME_ASYNC)
        return in_front(m, first, size, at);
    int tag = m->scheme != HD_SCHEME_CAUSAL;
    for (int i = at - 1; i >= 0; i--) {
        const uint8_t *other = first + (uint32_t)i * size;
        if (m->scheme == HD_SCHEME_FIFO && other[0] != first[(uint32_t)at * size])
            break;
        if (fits(type, other + tag, mask, values))
            return false;
    }
    return true;
}

static bool match(hd_machine *m, int channel, const int32_t *values, const int32_t *operands, int choice, bool keep)
{
    const hd_pml_channel *type;
    int count = operands[0], line = operands[3];
    const int32_t *mask = m->program->words.items + operands[2];
    if (!check_channel(m, channel, line))
        return false;
    uint8_t *c = hd_machine_channel(m, channel, &type);
    if (count != type->field_count) {
        fail(m, HD_FAULT_MESSAGE, line);
        return false;
    }
    if (m->rendezvous ? m->rendezvous != channel : type->capacity == 0)
        return false;
    uint32_t size = hd_message_size(m, type);
    int tag = m->scheme != HD_SCHEME_CAUSAL;
    uint8_t *first = c + HD_CHANNEL_HEADER;
    for (int at = 0; at < c[1]; at++) {
        uint8_t *message = first + (uint32_t)at * size;
        if (!operands[1] && !in_front(m, first, size, at))
            continue;
        if (!fits(type, message + tag, mask, values)
            || (operands[1] && !first_that_fits(m, type, first, size, at, mask, values)) || choice-- > 0)
            continue;
        if (keep) {
            m->matched_channel = channel;
            m->matched_position = at;
        }
        return true;
    }
    return false;
}

static int32_t matched_field(const hd_machine *m, int index)
{
    const hd_pml_channel *type;
    const uint8_t *at = hd_machine_channel(m, m->matched_channel, &type) + HD_CHANNEL_HEADER;
    at += (uint32_t)m->matched_position * hd_message_size(m, type) + (m->scheme != HD_SCHEME_CAUSAL);
    for (int i = 0;; i++) {
        int storage = hd_pml_storage(type->fields[i].type, type->fields[i].bits);
        if (i == index)
            return hd_load(at, storage);
        at += storage_size(storage);
    }
}

static void remove_matched(hd_machine *m)
{
    const hd_pml_channel *type;
    uint8_t *c = hd_machine_channel(m, m->matched_channel, &type);
    uint32_t size = hd_message_size(m, type);
    uint8_t *slot = c + HD_CHANNEL_HEADER + (uint32_t)m->matched_position * size;
    c[1]--;
    memmove(slot, slot + size, (size_t)(c[1] - m->matched_position) * size);
    memset(c + HD_CHANNEL_HEADER + (uint32_t)c[1] * size, 0, size);
    hd_machine_touch(m, m->shape->channel_component[m->matched_channel - 1]);
    if (type->capacity == 0)
        m->rendezvous = 0;
}

/* --- the interpreter ------------------------------------------------------------------------------- */

#define PUSH(value) (*sp++ = (value))
#define BINARY(name, expression) \
    case HD_OP_##name: { \
        int32_t b = *--sp, a = sp[-1]; \
        sp[-1] = (expression); \
        break; \
    }

static int32_t divide(hd_machine *m, int32_t a, int32_t b, bool modulo, int line)
{
    if (b == 0) {
        fail(m, HD_FAULT_DIVISION, line);
        return 0;
    }
    if (b == -1)
        return modulo ? 0 : (int32_t)(0u - (uint32_t)a);
    return modulo ? a % b : a / b;
}

int32_t hd_machine_run(hd_machine *m, uint32_t code)
{
    const int32_t *words = m->program->words.items, *pc = words + code;
    int32_t *sp = m->stack;
    for (int jumps = 0;;) {
        switch ((hd_pml_opcode)*pc++) {
        case HD_OP_RETURN:
            return sp[-1];
        case HD_OP_CONST:
            PUSH(*pc++);
            break;
        case HD_OP_LOAD_GLOBAL:
            hd_machine_use(m, 0);
            PUSH(hd_load(m->bytes + pc[0], pc[1]));
            pc += 2;
            break;
        case HD_OP_LOAD_LOCAL:
            PUSH(hd_load(m->self + pc[0], pc[1]));
            pc += 2;
            break;
        case HD_OP_LOAD_GLOBAL_BYTE:
            hd_machine_use(m, 0);
            PUSH(m->bytes[*pc++]);
            break;
        case HD_OP_LOAD_LOCAL_BYTE:
            PUSH(m->self[*pc++]);
            break;
        case HD_OP_LOAD_GLOBAL_AT:
            hd_machine_use(m, 0);
            sp[-1] = hd_load(m->bytes + sp[-1], *pc++);
            break;
        case HD_OP_LOAD_LOCAL_AT:
            sp[-1] = hd_load(m->self + sp[-1], *pc++);
            break;
        case HD_OP_STORE_GLOBAL:
            hd_store_scalar(m->bytes + pc[0], pc[1], *--sp);
            hd_machine_touch(m, 0);
            pc += 2;
            break;
        case HD_OP_STORE_LOCAL:
            hd_store_scalar(m->self + pc[0], pc[1], *--sp);
            pc += 2;
            break;
        case HD_OP_STORE_GLOBAL_AT:
            sp -= 2;
            hd_store_scalar(m->bytes + sp[1], *pc++, sp[0]);
            hd_machine_touch(m, 0);
            break;
        case HD_OP_STORE_LOCAL_AT:
            sp -= 2;
            hd_store_scalar(m->self + sp[1], *pc++, sp[0]);
            break;
        case HD_OP_INDEX:
            sp--;
            if (sp[0] < 0 || sp[0] >= pc[0]) {
                fail(m, HD_FAULT_INDEX, pc[2]);
                return 0;
            }
            sp[-1] += sp[0] * pc[1];
            pc += 3;
            break;
        case HD_OP_PID:
            PUSH(m->pid);
            break;
        case HD_OP_NR_PR:
            PUSH(m->shape->processes);
            break;
        case HD_OP_LAST:
            hd_machine_use(m, 0);
            PUSH(m->bytes[m->program->model->frame_size]);
            break;
        case HD_OP_TIMEOUT:
            PUSH(m->timeout);
            break;
        case HD_OP_NOT:
            sp[-1] = !sp[-1];
            break;
        case HD_OP_NEGATE:
            sp[-1] = (int32_t)(0u - (uint32_t)sp[-1]);
            break;
        case HD_OP_COMPLEMENT:
            sp[-1] = ~sp[-1];
            break;
            BINARY(ADD, (int32_t)((uint32_t)a + (uint32_t)b))
            BINARY(SUBTRACT, (int32_t)((uint32_t)a - (uint32_t)b))
            BINARY(MULTIPLY, (int32_t)((uint32_t)a * (uint32_t)b))
            BINARY(DIVIDE, divide(m, a, b, false, *pc++))
            BINARY(MODULO, divide(m, a, b, true, *pc++))
            BINARY(BIT_AND, a & b)
            BINARY(BIT_OR, a | b)
            BINARY(BIT_XOR, a ^ b)
            BINARY(SHIFT_LEFT, (int32_t)((uint32_t)a << (b & 31)))
            BINARY(SHIFT_RIGHT, a >> (b & 31))
            BINARY(EQUAL, a == b)
            BINARY(UNEQUAL, a != b)
            BINARY(LESS, a < b)
            BINARY(GREATER, a > b)
            BINARY(AT_MOST, a <= b)
            BINARY(AT_LEAST, a >= b)
        case HD_OP_TRUTH:
            sp[-1] = sp[-1] != 0;
            break;
        case HD_OP_JUMP:
            if (++jumps > LONGEST_D_STEP) {
                fail(m, HD_FAULT_ENDLESS, 0);
                return 0;
            }
            pc = words + *pc;
            break;
        case HD_OP_JUMP_IF_ZERO:
            pc = *--sp ? pc + 1 : words + *pc;
            break;
        case HD_OP_AND_JUMP:
            if (sp[-1]) {
                sp--;
                pc++;
            } else {
                pc = words + *pc;
            }
            break;
        case HD_OP_OR_JUMP:
            if (sp[-1]) {
                sp[-1] = 1;
                pc = words + *pc;
            } else {
                sp--;
                pc++;
            }
            break;
        case HD_OP_DROP:
            sp--;
            break;
        case HD_OP_RUN:
            sp -= pc[1];
            {
                int pid = start_process(m, pc[0], sp, pc[1]);
                PUSH(pid);
            }
            pc += 2;
            break;
        case HD_OP_NEW_CHANNEL:
            add_component(m, false, *pc++);
            if (m->pid >= 0)
                hd_machine_select(m, m->pid);
            PUSH(m->shape->channels);
            break;
        case HD_OP_LENGTH:
            sp[-1] = length_of(m, sp[-1], *pc++);
            break;
        case HD_OP_EMPTY:
            sp[-1] = length_of(m, sp[-1], *pc++) == 0;
            break;
        case HD_OP_NOT_EMPTY:
            sp[-1] = length_of(m, sp[-1], *pc++) != 0;
            break;
        case HD_OP_FULL:
            sp[-1] = is_full(m, sp[-1], *pc++);
            break;
        case HD_OP_NOT_FULL:
            sp[-1] = !is_full(m, sp[-1], *pc++);
            break;
        case HD_OP_CAN_SEND:
            sp[-1] = can_send(m, sp[-1], *pc++);
            break;
        case HD_OP_SEND:
            sp -= pc[0] + 1;
            send(m, sp[pc[0]], sp, pc[0], pc[1] != 0, pc[2]);
            pc += 3;
            break;
        case HD_OP_MATCH:
        case HD_OP_POLL: {
            const int32_t *mask = words + pc[2];
            int compared = 0;
            for (int i = 0; i < pc[0]; i++)
                compared += mask[i];
            sp -= compared + 1;
            sp[0] = match(m, sp[compared], sp, pc, pc[-1] == HD_OP_POLL ? 0 : m->choice, pc[-1] == HD_OP_MATCH);
            sp++;
            pc += 4;
            break;
        }
        case HD_OP_FIELD:
            PUSH(matched_field(m, *pc++));
            break;
        case HD_OP_REMOVE:
            remove_matched(m);
            break;
        case HD_OP_ASSERT:
            if (!*--sp && !m->failed_assertion)
                m->failed_assertion = *pc;
            pc++;
            break;
        case HD_OP_BLOCKED:
            fail(m, HD_FAULT_D_STEP, *pc);
            return 0;
        }
        if (__builtin_expect(m->fault.kind != HD_FAULT_NONE, 0))
            return 0;
    }
}
