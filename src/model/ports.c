#include "model/ports.h"

#include <string.h>

/* --- scalars ----------------------------------------------------------------------------- */

/* Storage codes: see hd_promela_storage. An unsigned of n bits takes four bytes. */
int32_t hd_model_scalar_read(const uint8_t *at, int storage)
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

void hd_model_scalar_write(uint8_t *at, int storage, int32_t value)
{
    uint16_t half = (uint16_t)value;
    uint32_t whole = (uint32_t)value;
    switch (storage) {
    case 1:
        /* Values are cut to the variable's width, as SPIN does. */
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

/* --- ports ------------------------------------------------------------------------------------------ */

static bool is_channel(const hd_model_machine *m, int channel)
{
    return channel >= 1 && channel <= m->shape->channels;
}

uint8_t *hd_model_machine_channel(const hd_model_machine *m, int channel, const hd_promela_channel **type)
{
    uint8_t *c = m->bytes + m->shape->offsets[m->shape->channel_component[channel - 1]];
    *type = m->program->channel_types.items[c[0]];
    return c;
}

/* Under fifo and async one byte for the sender comes first. */
uint32_t hd_model_message_size(const hd_model_machine *m, const hd_promela_channel *type)
{
    return type->message_size + (m->scheme != HD_MODEL_SCHEME_CAUSAL);
}

static bool check_channel(hd_model_machine *m, int channel, int line)
{
    if (is_channel(m, channel)) {
        /* The step depends on the channel's content (memo.h). */
        hd_model_machine_use(m, m->shape->channel_component[channel - 1]);
        return true;
    }
    hd_model_machine_fail(m, HD_MODEL_FAULT_CHANNEL, line);
    return false;
}

int hd_model_port_length(hd_model_machine *m, int channel, int line)
{
    const hd_promela_channel *type;
    return check_channel(m, channel, line) ? hd_model_machine_channel(m, channel, &type)[1] : 0;
}

bool hd_model_port_is_full(hd_model_machine *m, int channel, int line)
{
    const hd_promela_channel *type;
    if (!check_channel(m, channel, line))
        return true;
    const uint8_t *c = hd_model_machine_channel(m, channel, &type);
    return c[1] == type->capacity;
}

bool hd_model_port_can_send(hd_model_machine *m, int channel, int line)
{
    const hd_promela_channel *type;
    if (!check_channel(m, channel, line))
        return false;
    const uint8_t *c = hd_model_machine_channel(m, channel, &type);
    /* With `unbounded` a send to a full channel is executable, and a fault. */
    return type->capacity == 0 || c[1] < type->capacity || m->unbounded;
}

static int compare_messages(const hd_promela_channel *type, const uint8_t *a, const uint8_t *b)
{
    for (int i = 0; i < type->field_count; i++) {
        int storage = hd_promela_storage(type->fields[i].type, type->fields[i].bits);
        int32_t x = hd_model_scalar_read(a, storage), y = hd_model_scalar_read(b, storage);
        if (x != y)
            return x < y ? -1 : 1;
        a += storage_size(storage);
        b += storage_size(storage);
    }
    return 0;
}

/* The position of a new message: at the end of the queue, or by the scheme's or the sorted send's order. */
static int position_for(
    hd_model_machine *m, const hd_promela_channel *type, const uint8_t *c, const uint8_t *message, bool sorted)
{
    uint32_t size = hd_model_message_size(m, type);
    int tag = m->scheme != HD_MODEL_SCHEME_CAUSAL, at = 0;
    if (m->scheme == HD_MODEL_SCHEME_CAUSAL && !sorted)
        return c[1];
    for (; at < c[1]; at++) {
        const uint8_t *other = c + HD_CHANNEL_HEADER + (uint32_t)at * size;
        /* Sorted by sender; behind all messages of the same sender. */
        if (m->scheme == HD_MODEL_SCHEME_FIFO && other[0] != message[0]) {
            if (other[0] > message[0])
                break;
        } else if ((m->scheme == HD_MODEL_SCHEME_ASYNC || sorted)
            && compare_messages(type, other + tag, message + tag) > 0) {
            break;
        }
    }
    return at;
}

static void put_message(hd_model_machine *m, int channel, const hd_promela_channel *type, uint8_t *message, bool sorted)
{
    uint8_t *c = hd_model_machine_channel(m, channel, &type);
    uint32_t size = hd_model_message_size(m, type);
    if (m->scheme != HD_MODEL_SCHEME_CAUSAL)
        /* A bag does not tell senders apart, so that equal bags are equal bytes. */
        message[0] = m->scheme == HD_MODEL_SCHEME_FIFO ? (uint8_t)m->pid : 0;
    int at = position_for(m, type, c, message, sorted);
    uint8_t *slot = c + HD_CHANNEL_HEADER + (uint32_t)at * size;
    memmove(slot + size, slot, (size_t)(c[1] - at) * size);
    memcpy(slot, message, size);
    c[1]++;
    m->sent_channel = channel;
    m->sent_position = at;
    hd_model_machine_touch(m, m->shape->channel_component[channel - 1]);
}

void hd_model_port_send(hd_model_machine *m, int channel, const int32_t *values, int count, bool sorted, int line)
{
    const hd_promela_channel *type;
    /* The parser limits the number of fields, so a message fits. */
    uint8_t message[1024];
    if (!check_channel(m, channel, line))
        return;
    const uint8_t *c = hd_model_machine_channel(m, channel, &type);
    if (count != type->field_count) {
        hd_model_machine_fail(m, HD_MODEL_FAULT_MESSAGE, line);
        return;
    }
    if (type->capacity > 0 && c[1] == type->capacity) {
        hd_model_machine_fail(m, HD_MODEL_FAULT_OVERFLOW, line);
        return;
    }
    uint8_t *at = message + (m->scheme != HD_MODEL_SCHEME_CAUSAL);
    for (int i = 0; i < count; i++) {
        int storage = hd_promela_storage(type->fields[i].type, type->fields[i].bits);
        hd_model_scalar_write(at, storage, values[i]);
        at += storage_size(storage);
    }
    put_message(m, channel, type, message, sorted);
    /* The sender waits for its receiver (meet in steps.c). */
    if (type->capacity == 0)
        m->rendezvous = channel;
}

/* `operands` as of HD_OP_MATCH. */
static bool fits(const hd_model_machine *m, const hd_promela_channel *type, const uint8_t *message,
    const int32_t *operands, const int32_t *values)
{
    const int32_t *mask = m->program->words.items + operands[2];
    for (int i = 0; i < operands[0]; i++) {
        int storage = hd_promela_storage(type->fields[i].type, type->fields[i].bits);
        if (mask[i] && hd_model_scalar_read(message, storage) != *values++)
            return false;
        message += storage_size(storage);
    }
    return true;
}

/* May the message at `at` be received under the scheme? Under async, equal messages are adjacent
 * and only the first of them counts, so that no choice is made twice. */
static bool in_front(const hd_model_machine *m, const uint8_t *first, uint32_t size, int at)
{
    const uint8_t *here = first + (uint32_t)at * size;
    switch (m->scheme) {
    case HD_MODEL_SCHEME_FIFO:
        return at == 0 || here[0] != here[-(int)size];
    case HD_MODEL_SCHEME_ASYNC:
        return at == 0 || memcmp(here, here - size, size) != 0;
    default:
        return at == 0;
    }
}

/* Under fifo, `??` takes each sender's first message that fits; under async it is the same as `?`. */
static bool first_that_fits(const hd_model_machine *m, const hd_promela_channel *type, const uint8_t *first,
    uint32_t size, int at, const int32_t *operands, const int32_t *values)
{
    if (m->scheme == HD_MODEL_SCHEME_ASYNC)
        return in_front(m, first, size, at);
    int tag = m->scheme != HD_MODEL_SCHEME_CAUSAL;
    for (int i = at - 1; i >= 0; i--) {
        const uint8_t *other = first + (uint32_t)i * size;
        if (m->scheme == HD_MODEL_SCHEME_FIFO && other[0] != first[(uint32_t)at * size])
            break;
        if (fits(m, type, other + tag, operands, values))
            return false;
    }
    return true;
}

bool hd_model_port_match(
    hd_model_machine *m, int channel, const int32_t *values, const int32_t *operands, int choice, bool keep)
{
    const hd_promela_channel *type;
    int count = operands[0], line = operands[3];
    if (!check_channel(m, channel, line))
        return false;
    uint8_t *c = hd_model_machine_channel(m, channel, &type);
    if (count > type->field_count || (keep && count < type->field_count)) { /* a poll may omit trailing fields */
        hd_model_machine_fail(m, HD_MODEL_FAULT_MESSAGE, line);
        return false;
    }
    /* During a rendezvous only its channel can be received from; otherwise rendezvous channels are
     * always empty. */
    if (m->rendezvous ? m->rendezvous != channel : type->capacity == 0)
        return false;
    uint32_t size = hd_model_message_size(m, type);
    int tag = m->scheme != HD_MODEL_SCHEME_CAUSAL;
    uint8_t *first = c + HD_CHANNEL_HEADER;
    for (int at = 0; at < c[1]; at++) {
        uint8_t *message = first + (uint32_t)at * size;
        /* operands[1]: `??`, which looks behind the first message. */
        if (!operands[1] && !in_front(m, first, size, at))
            continue;
        if (!fits(m, type, message + tag, operands, values)
            || (operands[1] && !first_that_fits(m, type, first, size, at, operands, values)) || choice-- > 0)
            continue;
        if (keep) {
            m->matched_channel = channel;
            m->matched_position = at;
        }
        return true;
    }
    return false;
}

int32_t hd_model_port_field(const hd_model_machine *m, int index)
{
    const hd_promela_channel *type;
    const uint8_t *at = hd_model_machine_channel(m, m->matched_channel, &type) + HD_CHANNEL_HEADER;
    at += (uint32_t)m->matched_position * hd_model_message_size(m, type) + (m->scheme != HD_MODEL_SCHEME_CAUSAL);
    for (int i = 0;; i++) {
        int storage = hd_promela_storage(type->fields[i].type, type->fields[i].bits);
        if (i == index)
            return hd_model_scalar_read(at, storage);
        at += storage_size(storage);
    }
}

void hd_model_port_remove(hd_model_machine *m)
{
    const hd_promela_channel *type;
    uint8_t *c = hd_model_machine_channel(m, m->matched_channel, &type);
    uint32_t size = hd_model_message_size(m, type);
    uint8_t *slot = c + HD_CHANNEL_HEADER + (uint32_t)m->matched_position * size;
    c[1]--;
    memmove(slot, slot + size, (size_t)(c[1] - m->matched_position) * size);
    /* Unused slots are zero, so that equal contents are equal bytes. */
    memset(c + HD_CHANNEL_HEADER + (uint32_t)c[1] * size, 0, size);
    hd_model_machine_touch(m, m->shape->channel_component[m->matched_channel - 1]);
    if (type->capacity == 0)
        m->rendezvous = 0;
}
