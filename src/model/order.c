#include "model/order.h"

#include <string.h>

enum { NO_ID = 255 };

/* A waiting message. */
typedef struct slot {
    uint64_t before;
    uint8_t id; /* NO_ID in ports with one sender */
} slot;

struct hd_model_order {
    bool strict;
    uint64_t ids; /* in use */
    uint64_t past[HD_MODEL_MOST_SENDERS];
    uint64_t port_past[HD_MODEL_MOST_PORTS]; /* with `strict`: ids that precede whatever waits in the port, or will */
    slot slots[]; /* per port and position; see hd_model_order_layout */
};

void hd_model_order_layout_init(hd_model_order_layout *l, const hd_model_system *system)
{
    hd_model_machine m = { .program = system->program, .bytes = system->start, .shape = system->shape };
    *l = (hd_model_order_layout) { .system = system };
    for (int i = 0; i < system->channels; i++) {
        const hd_promela_channel *type;
        hd_model_machine_channel(&m, i + 1, &type);
        l->first[i + 1] = l->first[i] + (uint32_t)type->capacity;
    }
    /* Room for as many messages as the channels can hold; more are a fault before they come here. */
    l->size = sizeof(hd_model_order) + l->first[system->channels] * sizeof(slot);
    l->most_written = (l->first[system->channels] + HD_MODEL_MOST_PORTS + HD_MODEL_MOST_SENDERS) * 8;
}

void hd_model_order_init(const hd_model_order_layout *l, hd_model_order *o, bool strict)
{
    memset(o, 0, l->size);
    o->strict = strict;
    for (uint32_t i = 0; i < l->first[l->system->channels]; i++)
        o->slots[i].id = NO_ID;
}

static bool racy(const hd_model_order_layout *l, int channel)
{
    return l->system->racy >> (channel - 1) & 1;
}

static slot *slots_of(const hd_model_order_layout *l, const hd_model_order *o, int channel)
{
    return (slot *)&o->slots[l->first[channel - 1]];
}

static uint64_t bit(uint8_t id)
{
    return id == NO_ID ? 0 : 1ull << id;
}

/* The ids of all messages that wait in a port. */
static uint64_t waiting(const hd_model_order_layout *l, const hd_model_order *o, int channel, int length)
{
    const slot *s = slots_of(l, o, channel);
    uint64_t ids = 0;
    for (int i = 0; i < length; i++)
        ids |= bit(s[i].id);
    return ids;
}

bool hd_model_order_send(
    const hd_model_order_layout *l, hd_model_order *o, int pid, int channel, int position, int length)
{
    slot *s = slots_of(l, o, channel);
    memmove(s + position + 1, s + position, (size_t)(length - 1 - position) * sizeof *s);
    /* All that the sender knows was sent before. */
    s[position] = (slot) { o->past[pid], NO_ID };
    if (!racy(l, channel))
        return true;
    /* All 64 ids are in use. */
    if (o->ids == ~0ull)
        return false;
    s[position].id = (uint8_t)__builtin_ctzll(~o->ids);
    /* With `strict`, what was received from the port before. */
    s[position].before |= o->port_past[channel - 1];
    o->ids |= bit(s[position].id);
    o->past[pid] = s[position].before | bit(s[position].id);
    return true;
}

/* A message is first if none of its predecessors waits in the same port. Predecessors in other
 * ports do not matter. */
bool hd_model_order_first(
    const hd_model_order_layout *l, const hd_model_order *o, int channel, int position, int length)
{
    return !racy(l, channel) || !(slots_of(l, o, channel)[position].before & waiting(l, o, channel, length));
}

/* A message that the process sends later has all of its past before it. */
bool hd_model_order_may_overtake(
    const hd_model_order_layout *l, const hd_model_order *o, int pid, int channel, int length)
{
    return !((o->past[pid] | o->port_past[channel - 1]) & waiting(l, o, channel, length));
}

/* Transitive closure: whatever comes after one of `later` also comes after `more`. */
static void spread(const hd_model_order_layout *l, hd_model_order *o, uint64_t later, uint64_t more)
{
    uint32_t total = l->first[l->system->channels];
    for (uint32_t i = 0; i < total; i++)
        if ((o->slots[i].before | bit(o->slots[i].id)) & later)
            o->slots[i].before |= more;
    for (int i = 0; i < l->system->processes; i++)
        if (o->past[i] & later)
            o->past[i] |= more;
    for (int i = 0; i < l->system->channels; i++)
        if (o->port_past[i] & later)
            o->port_past[i] |= more;
}

/* Ids of messages that no longer wait mean nothing: they are removed everywhere, so they can be
 * reused. */
static void forget(const hd_model_order_layout *l, hd_model_order *o, uint64_t gone)
{
    for (uint32_t i = 0; i < l->first[l->system->channels]; i++)
        o->slots[i].before &= ~gone;
    for (int i = 0; i < l->system->processes; i++)
        o->past[i] &= ~gone;
    for (int i = 0; i < l->system->channels; i++)
        o->port_past[i] &= ~gone;
    o->ids &= ~gone;
}

void hd_model_order_receive(
    const hd_model_order_layout *l, hd_model_order *o, int pid, int channel, int position, int length)
{
    slot *s = slots_of(l, o, channel), taken = s[position];
    memmove(s + position, s + position + 1, (size_t)(length - 1 - position) * sizeof *s);
    s[length - 1] = (slot) { 0, NO_ID };
    /* Receiving makes the receiver know what the message's sender knew. */
    o->past[pid] |= taken.before | bit(taken.id);
    if (o->strict && racy(l, channel)) {
        /* The message was the head of the queue, so what was sent before it was sent before
         * everything that waits behind it. */
        spread(l, o, waiting(l, o, channel, length - 1), taken.before);
        o->port_past[channel - 1] |= taken.before;
    }
    /* The message waits no longer, so its id can be reused. */
    forget(l, o, bit(taken.id));
}

void hd_model_order_settle(const hd_model_order_layout *l, hd_model_order *o, int channel, int position, int length)
{
    slot head = slots_of(l, o, channel)[position];
    uint64_t before = head.before | bit(head.id);
    /* As for a receive, but the head stays. */
    spread(l, o, waiting(l, o, channel, length) & ~bit(head.id), before);
    o->port_past[channel - 1] |= before;
}

/* --- writing -------------------------------------------------------------------------------------- */

static int length_of(const hd_model_machine *m, int channel)
{
    const hd_promela_channel *type;
    return hd_model_machine_channel(m, channel, &type)[1];
}

/* Drops orders that cannot influence anything any more, so that states that differ only in these
 * are equal. The order among the messages of one port matters as long as they wait; what processes
 * know of a port matters only while some process may send there; what a process knows matters only
 * while it may send at all. */
static void drop_useless(
    const hd_model_order_layout *l, hd_model_order *o, const hd_model_machine *m, const hd_model_ports *sends)
{
    hd_model_ports alive = 0;
    /* Ids that can still decide whether some later message is first. */
    uint64_t useful = 0;
    for (int i = 0; i < l->system->processes; i++)
        alive |= sends[i];
    for (int c = 1; c <= l->system->channels; c++)
        if (o->strict || (alive >> (c - 1) & 1))
            useful |= waiting(l, o, c, length_of(m, c));
    for (int i = 0; i < l->system->processes; i++)
        o->past[i] &= sends[i] ? useful : 0;
    for (int c = 1; c <= l->system->channels; c++) {
        int length = length_of(m, c), receiver = l->system->receiver[c - 1];
        slot *s = slots_of(l, o, c);
        uint64_t own = waiting(l, o, c, length);
        /* Receiving passes the message's past on to the receiver, which may carry it into another
         * port. */
        bool carries = o->strict || receiver < 0 || sends[receiver];
        for (int i = 0; i < length; i++)
            s[i].before &= own | (carries ? useful : 0);
        o->port_past[c - 1] &= alive >> (c - 1) & 1 ? useful : 0;
    }
}

static uint64_t renumbered(uint64_t ids, const uint8_t *to)
{
    uint64_t result = 0;
    for (; ids; ids &= ids - 1)
        result |= 1ull << to[__builtin_ctzll(ids)];
    return result;
}

/* Ids in the order of positions: two orders that differ only in the ids that happened to be free
 * become equal bytes. */
static void renumber(const hd_model_order_layout *l, hd_model_order *o, const hd_model_machine *m)
{
    uint8_t to[64] = { 0 }, count = 0;
    for (int c = 1; c <= l->system->channels; c++)
        for (int i = 0, n = length_of(m, c); i < n; i++) {
            slot *s = &slots_of(l, o, c)[i];
            if (s->id != NO_ID) {
                to[s->id] = count;
                s->id = count++;
            }
        }
    for (int c = 1; c <= l->system->channels; c++) {
        for (int i = 0, n = length_of(m, c); i < n; i++)
            slots_of(l, o, c)[i].before = renumbered(slots_of(l, o, c)[i].before, to);
        o->port_past[c - 1] = renumbered(o->port_past[c - 1], to);
    }
    for (int i = 0; i < l->system->processes; i++)
        o->past[i] = renumbered(o->past[i], to);
    o->ids = count == 64 ? ~0ull : (1ull << count) - 1;
}

static uint8_t *write_ids(uint8_t *out, uint64_t ids, uint32_t bytes)
{
    memcpy(out, &ids, bytes);
    return out + bytes;
}

size_t hd_model_order_write(const hd_model_order_layout *l, hd_model_order *o, const hd_model_machine *m,
    const hd_model_ports *sends, uint8_t *out)
{
    uint8_t *at = out;
    drop_useless(l, o, m, sends);
    renumber(l, o, m);
    /* Few messages wait at a time, so few bytes per set suffice. The number of ids follows from the
     * state's own bytes, so keys stay unambiguous. */
    uint32_t bytes = ((uint32_t)__builtin_popcountll(o->ids) + 7) / 8;
    for (int c = 1; c <= l->system->channels; c++) {
        for (int i = 0, n = length_of(m, c); i < n; i++)
            at = write_ids(at, slots_of(l, o, c)[i].before, bytes);
        if (racy(l, c))
            at = write_ids(at, o->port_past[c - 1], bytes);
    }
    for (int i = 0; i < l->system->processes; i++)
        at = write_ids(at, o->past[i], bytes);
    return (size_t)(at - out);
}

/* --- validity ------------------------------------------------------------------------------------- */

/* Marks the ids of a port's messages in `ids`. False: a slot is not that of a message, or an id is used twice. */
static bool slots_are_valid(
    const hd_model_order_layout *l, const hd_model_order *o, int channel, int length, uint64_t *ids)
{
    const slot *s = slots_of(l, o, channel);
    int room = (int)(l->first[channel] - l->first[channel - 1]);
    for (int i = 0; i < room; i++) {
        bool has_id = i < length && racy(l, channel);
        if ((s[i].id != NO_ID) != has_id || (has_id && s[i].id >= 64) || (i >= length && s[i].before)
            || (bit(s[i].id) & *ids))
            return false;
        *ids |= bit(s[i].id);
    }
    return length <= room;
}

/* What precedes each waiting message, by its id. */
static void collect_before(const hd_model_order_layout *l, const hd_model_order *o, uint64_t *before)
{
    for (uint32_t i = 0; i < l->first[l->system->channels]; i++)
        if (o->slots[i].id != NO_ID)
            before[o->slots[i].id] = o->slots[i].before;
}

/* Only messages that wait, and whatever precedes one of them. */
static bool is_closed(const hd_model_order *o, const uint64_t *before, uint64_t set)
{
    if (set & ~o->ids)
        return false;
    for (uint64_t rest = set; rest; rest &= rest - 1)
        if (before[__builtin_ctzll(rest)] & ~set)
            return false;
    return true;
}

static bool senders_are_in_order(
    const hd_model_order_layout *l, const hd_model_order *o, const hd_model_machine *m, int channel)
{
    const hd_promela_channel *type;
    const uint8_t *c = hd_model_machine_channel(m, channel, &type);
    uint32_t size = hd_model_message_size(m, type);
    const slot *s = slots_of(l, o, channel);
    for (int i = 0; i < c[1]; i++)
        for (int k = 0; k < i; k++)
            if (c[HD_CHANNEL_HEADER + (uint32_t)i * size] == c[HD_CHANNEL_HEADER + (uint32_t)k * size]
                && !(s[i].before & bit(s[k].id)))
                return false;
    return true;
}

bool hd_model_order_is_valid(const hd_model_order_layout *l, const hd_model_order *o, const hd_model_machine *m)
{
    uint64_t ids = 0, before[64] = { 0 };
    for (int c = 1; c <= l->system->channels; c++)
        if (!slots_are_valid(l, o, c, length_of(m, c), &ids))
            return false;
    if (ids != o->ids)
        return false;
    collect_before(l, o, before);
    for (uint32_t i = 0; i < l->first[l->system->channels]; i++)
        if ((o->slots[i].before & bit(o->slots[i].id)) || !is_closed(o, before, o->slots[i].before))
            return false;
    for (int i = 0; i < l->system->processes; i++)
        if (!is_closed(o, before, o->past[i]))
            return false;
    for (int c = 1; c <= l->system->channels; c++)
        if (!is_closed(o, before, o->port_past[c - 1]) || (racy(l, c) && !senders_are_in_order(l, o, m, c)))
            return false;
    return true;
}

/* --- text ------------------------------------------------------------------------------------------- */

/* Does some sender to the port know `a` but not `b`, the message after it? Then b starts a sub-queue. */
static bool splits(const hd_model_order_layout *l, const hd_model_order *o, int channel, uint64_t a, uint64_t b)
{
    for (uint32_t i = l->first[channel - 1]; i < l->first[channel]; i++)
        if (o->slots[i].before & a && !((o->slots[i].before | bit(o->slots[i].id)) & b))
            return true;
    for (int i = 0; i < l->system->processes; i++)
        if (o->past[i] & a && !(o->past[i] & b))
            return true;
    return false;
}

static char *show_queue(const hd_model_order_layout *l, const hd_model_order *o, const hd_model_machine *m, int channel,
    int sender, hd_arena *arena, uint64_t *own)
{
    const hd_promela_channel *type;
    const uint8_t *c = hd_model_machine_channel(m, channel, &type);
    uint32_t size = hd_model_message_size(m, type);
    char *text = hd_arena_print(arena, "%s", "");
    const slot *s = slots_of(l, o, channel), *last = NULL;
    for (int i = 0; i < c[1]; i++) {
        const uint8_t *message = c + HD_CHANNEL_HEADER + (uint32_t)i * size;
        if (message[0] != sender)
            continue;
        bool starts = !last || (s[i].before & ~*own) != (last->before & ~*own)
            || splits(l, o, channel, bit(last->id), bit(s[i].id));
        text = hd_arena_print(arena, "%s%s%d", text,
            !last        ? "["
                : starts ? "] ["
                         : " ",
            hd_model_scalar_read(message + 1, hd_promela_storage(type->fields[0].type, type->fields[0].bits)));
        *own |= bit(s[i].id);
        last = &s[i];
    }
    return last ? hd_arena_print(arena, "%s]", text) : text;
}

char *hd_model_order_text(
    const hd_model_order_layout *l, const hd_model_order *o, const hd_model_machine *m, int channel, hd_arena *arena)
{
    char *text = hd_arena_print(arena, "%s", "");
    uint64_t all = waiting(l, o, channel, length_of(m, channel));
    for (int pid = 0; pid < l->system->processes; pid++) {
        uint64_t own = 0;
        if (!(l->system->senders[channel - 1] >> pid & 1))
            continue;
        char *queue = show_queue(l, o, m, channel, pid, arena, &own);
        uint64_t parents = o->past[pid] & all & ~own;
        text = hd_arena_print(arena, "%s%d: %s", text, pid, queue);
        if (parents)
            text = hd_arena_print(arena, "%s [] after %d", text, __builtin_popcountll(parents));
        text = hd_arena_print(arena, "%s\n", text);
    }
    return text;
}
