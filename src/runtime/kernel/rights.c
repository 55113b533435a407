#include "runtime/kernel/rights.h"

#include "runtime/kernel/descriptors.h"
#include "runtime/sched/sched.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { SETS = 256 };

/* Those before `first` have been given numbers. */
typedef struct set {
    uint16_t first, count, next; /* `next`: of a free set, + 1 */
    hd_description *items[HD_MOST_RIGHTS];
} set;

static set sets[SETS];
static uint16_t used, freed; /* sets that have been used; the first free one among them, + 1 */
static uint16_t hands[HD_MAX_THREADS]; /* a set + 1; 0: nothing */

void hd_rights_reset(void)
{
    if (used)
        memset(hands, 0, *hd_rt.thread_count * sizeof *hands);
    used = freed = 0;
}

static set *at(uint16_t number)
{
    return &sets[number - 1];
}

static uint16_t make(void)
{
    uint16_t number = freed;
    if (!number && used == SETS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d messages with descriptors are not modelled yet", SETS);
    if (number)
        freed = at(number)->next;
    else
        number = ++used;
    at(number)->first = at(number)->count = 0;
    return number;
}

static void release(uint16_t number)
{
    at(number)->next = freed;
    freed = number;
}

/* --- sending ------------------------------------------------------------------------------ */

void hd_rights_begin(void)
{
    if (hands[hd_current->id])
        hd_end(HD_MODEL_LIMIT, hd_call_site,
            "a signal handler that interrupts a message with descriptors is not modelled");
}

int hd_rights_add(int fd, const hd_site *site)
{
    uint16_t *hand = &hands[hd_current->id];
    if (*hand && at(*hand)->count == HD_MOST_RIGHTS)
        return -EINVAL;
    hd_description *d = hd_descriptors_refer(fd, site);
    if (!d && fcntl(fd, F_GETFD) >= 0)
        hd_end(HD_MODEL_LIMIT, site, "sending the descriptor of a file is not modelled yet");
    if (!d)
        return -EBADF;
    *hand = *hand ? *hand : make();
    at(*hand)->items[at(*hand)->count++] = d;
    return 0;
}

uint16_t hd_rights_give(void)
{
    uint16_t number = hands[hd_current->id];
    hands[hd_current->id] = 0;
    return number;
}

/* --- receiving ---------------------------------------------------------------------------- */

void hd_rights_take(uint16_t number)
{
    hands[hd_current->id] = number;
}

void hd_rights_copy(uint16_t number)
{
    uint16_t copy = number ? make() : 0;
    for (uint32_t i = 0; copy && i < at(number)->count; i++) {
        at(copy)->items[i] = at(number)->items[i];
        at(copy)->items[i]->references++;
        at(copy)->count++;
    }
    hands[hd_current->id] = copy;
}

uint32_t hd_rights_count(void)
{
    uint16_t number = hands[hd_current->id];
    return number ? (uint32_t)(at(number)->count - at(number)->first) : 0;
}

int hd_rights_receive(int closes_on_exec, const hd_site *site)
{
    set *own = at(hands[hd_current->id]);
    hd_description *d = own->items[own->first];
    uint32_t outer = hd_step_begin(0);
    int fd = hd_descriptors_adopt(d, closes_on_exec, site);
    if (fd >= 0)
        own->first++;
    hd_step_end(outer);
    return fd;
}

/* --- dropping ------------------------------------------------------------------------------ */

void hd_rights_drop(uint16_t number, const hd_site *site)
{
    while (at(number)->first < at(number)->count)
        hd_description_drop(at(number)->items[at(number)->first++], site);
    release(number);
}

static void empty(uint16_t *hand, const hd_site *site)
{
    uint16_t number = *hand;
    if (!number)
        return;
    for (; at(number)->first < at(number)->count; at(number)->first++) {
        uint32_t outer = hd_step_begin(0);
        hd_description_drop(at(number)->items[at(number)->first], site);
        hd_step_end(outer);
    }
    *hand = 0;
    release(number);
}

void hd_rights_end(const hd_site *site)
{
    empty(&hands[hd_current->id], site);
}

void hd_rights_end_call(const hd_thread *t, const hd_site *site)
{
    empty(&hands[t->id], site);
}
