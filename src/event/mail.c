#include "event/mail.h"

#include "base/error.h"

#include <string.h>

void hd_mail_put(hd_mail *m, uint64_t label)
{
    hd_assert(m->count < HD_MAIL_MOST);
    m->labels[m->count++] = label;
}

static void remove_at(hd_mail *m, uint32_t place)
{
    memmove(m->labels + place, m->labels + place + 1, (--m->count - place) * sizeof *m->labels);
}

void hd_mail_remove(hd_mail *m, uint64_t label)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->labels[i] == label) {
            remove_at(m, i);
            return;
        }
    hd_panic("the message is not in the mailbox");
}

uint64_t hd_mail_perform(hd_mail *m, const hd_op *op)
{
    if (hd_mail_sends(op))
        hd_mail_put(m, op->value);
    if (!hd_mail_receives(op))
        return hd_mail_sends(op) ? op->value : 0;
    uint32_t place = hd_mail_choose(op->value, m->labels, m->count, op->choice);
    hd_assert(place < m->count);
    uint64_t label = m->labels[place];
    remove_at(m, place);
    return label;
}
