#include "event/mail.h"

#include "base/error.h"

#include <string.h>

static void put(hd_mail_list *m, uint64_t label)
{
    hd_assert(m->count < HD_MAIL_MOST);
    m->labels[m->count++] = label;
}

static void drop(hd_mail_list *m, uint32_t token)
{
    uint32_t i = 0;
    while (i < m->count && hd_mail_token(m->labels[i]) != token)
        i++;
    hd_assert(i < m->count);
    memmove(m->labels + i, m->labels + i + 1, (--m->count - i) * sizeof *m->labels);
}

void hd_mail_perform(hd_mail_list *m, const hd_op *op)
{
    if (hd_mail_sends(op))
        put(m, op->value);
    else if (hd_mail_receives(op))
        drop(m, hd_mail_taken(op->value));
}
