#include "runtime/kernel/fate.h"

#include "abi/fates.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/gate.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/choice.h"

static const hd_settings *settings(void)
{
    return &hd_rt.options->settings;
}

uint32_t hd_fate_copies(const hd_site *site)
{
    uint32_t copies[3] = { 1 }, n = 1;
    uint64_t fates = hd_fates_add(0, 0, HD_FATE_ARRIVES);
    if (settings()->udp_loss) {
        fates = hd_fates_add(fates, n, HD_FATE_LOST);
        copies[n++] = 0;
    }
    if (settings()->udp_dup) {
        fates = hd_fates_add(fates, n, HD_FATE_TWICE);
        copies[n++] = 2;
    }
    hd_call_site = site;
    return n == 1 ? 1 : copies[hd_choose_fate(n, fates)];
}

uint32_t hd_fate_overtakes(uint32_t ahead, const hd_site *site)
{
    if (!settings()->udp_reorder || !ahead)
        return 0;
    hd_call_site = site;
    return hd_choose_fate(ahead + 1, hd_fates_add(hd_fates_add(0, 0, HD_FATE_IN_ORDER), 1, HD_FATE_OVERTAKES));
}

int hd_fate_divides(size_t size, const hd_site *site)
{
    if (!settings()->partial || size <= 1)
        return 0;
    hd_call_site = site;
    return hd_choose_fate(2, hd_fates_add(hd_fates_add(0, 0, HD_FATE_WHOLE), 1, HD_FATE_PART)) == 1;
}

size_t hd_fate_take(hd_description *d, hd_gate *data, int waits, size_t size, size_t (*count)(const hd_description *d))
{
    const hd_site *site = hd_call_site;
    if (!settings()->partial || size <= 1)
        return size;
    int is_open = waits ? hd_data_await(data, NULL) : hd_data_poll(data);
    size_t there = count(d);
    int divides = is_open && hd_fate_divides(there < size ? there : size, site);
    hd_call_site = site;
    return !is_open ? 0 : divides ? 1 : size;
}
