#include "runtime/sync/choice.h"

#include "runtime/sched/sched.h"
#include "runtime/sched/watch.h"

enum { MOST_CHOICES = 255 }; /* an operation counts its outcomes in a byte */

/* Always enabled; the number of choices is in `operand`. */
static int offer_choices(hd_thread *t, hd_op *op)
{
    op->choices = (uint8_t)t->update.operand;
    return 1;
}

/* `value` is for reports: a time, or fates. */
static unsigned offer(unsigned n, uint64_t value)
{
    hd_current->update.operand = n;
    hd_watch_start_differs();
    return hd_perform_with(HD_CHOOSE, NULL, value, offer_choices)->choice;
}

static unsigned choose_few(unsigned n)
{
    return n <= 1 ? 0 : offer(n, 0);
}

unsigned hd_choose_fate(unsigned n, uint64_t fates)
{
    return offer(n < MOST_CHOICES ? n : MOST_CHOICES, fates);
}

int hd_choice_of_time(uint64_t nanoseconds)
{
    return offer(2, nanoseconds) == 1;
}

/* More choices than one operation can have are made one after the other: first the block, then the number in it. */
unsigned hd_choose(unsigned n)
{
    const hd_site *site = hd_call_site;
    if (n <= MOST_CHOICES)
        return choose_few(n);
    unsigned blocks = n / MOST_CHOICES + (n % MOST_CHOICES != 0);
    unsigned block = hd_choose(blocks);
    hd_call_site = site;
    return block * MOST_CHOICES + choose_few(block == blocks - 1 ? n - block * MOST_CHOICES : MOST_CHOICES);
}
