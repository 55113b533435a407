#include "runtime/kernel/unreceived.h"

#include "runtime/core/end.h"
#include "runtime/core/state.h"
#include "runtime/kernel/pipe.h"
#include "runtime/kernel/queue.h"

static int forgiving;

void hd_unreceived_forgive(int forgives)
{
    forgiving = forgives;
}

void hd_unreceived(const char *what, size_t bytes, const hd_site *site)
{
    if (hd_rt.options->settings.leaks && !forgiving && hd_exploring())
        hd_end(HD_LEAK, site, "%s: %zu byte%s sent here and never received", what, bytes, bytes == 1 ? "" : "s");
}

void hd_unreceived_check(void)
{
    hd_pipes_check_unreceived();
    hd_queues_check_unreceived();
}
