#include "runtime/kernel/pages.h"

#include "runtime/sched/sched.h"

enum { PAGES = 4096 };

static uint8_t pages[PAGES][HD_PAGE];
static uint16_t links[PAGES];
static uint16_t freed[PAGES];
static uint32_t used, freed_count; /* of pages that were in use in this run; of those that are free again */

void hd_pages_reset(void)
{
    used = freed_count = 0;
}

uint16_t hd_page_take(void)
{
    if (freed_count)
        return freed[--freed_count];
    if (used == PAGES)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than 16 MB in pipes and sockets are not modelled yet");
    return (uint16_t)used++;
}

void hd_page_free(uint16_t number)
{
    freed[freed_count++] = number;
}

uint8_t *hd_page(uint16_t number)
{
    return pages[number];
}

uint16_t *hd_page_link(uint16_t number)
{
    return &links[number];
}
