#include "runtime/face/interrupts.h"

#include "runtime/kernel/gate.h"
#include "runtime/sched/send.h"
#include "runtime/sync/choice.h"

#include <sys/socket.h>

int hd_call_begins(void)
{
    const hd_site *site = hd_call_site;
    int handled = hd_exploring() ? hd_send_cancellation_point() : 0;
    hd_call_site = site;
    return handled;
}

static int either(void)
{
    const hd_site *site = hd_call_site;
    int ends = (int)hd_choose(2);
    hd_call_site = site;
    return ends;
}

int hd_ends_any_call(int handled)
{
    return handled && either();
}

int hd_ends_call(int handled)
{
    return hd_ends_any_call(handled & HD_HANDLED_ENDS);
}

static int may_wait(int handled, const hd_description *d, int flags)
{
    return (handled & HD_HANDLED_ENDS) && hd_description_waits(d) && !(flags & MSG_DONTWAIT);
}

int hd_ends_receiving(int handled, hd_description *d, int flags)
{
    const hd_site *site = hd_call_site;
    if (!may_wait(handled, d, flags) || !d->type->data)
        return 0;
    int waits = !hd_data_poll(d->type->data(d));
    hd_call_site = site;
    return waits && either();
}

int hd_ends_sending(int handled, hd_description *d, int flags)
{
    const hd_site *site = hd_call_site;
    if (!may_wait(handled, d, flags) || !d->type->room)
        return 0;
    int waits = !hd_room_poll(d->type->room(d));
    hd_call_site = site;
    return waits && either();
}
