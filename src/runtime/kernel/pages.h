/* Pages of bytes that are on their way: the contents of pipes and of messages. They belong to the runtime; all are free
 * at the start of an execution. */
#ifndef HD_RUNTIME_KERNEL_PAGES_H
#define HD_RUNTIME_KERNEL_PAGES_H

#include <stdint.h>

enum { HD_PAGE = 4096 };

/* Before a run. */
void hd_pages_reset(void);

/* Takes a page, or ends the execution: it is a model limit that all are in use. */
uint16_t hd_page_take(void);
void hd_page_free(uint16_t number);
uint8_t *hd_page(uint16_t number);

/* A list of pages: the number of the next one + 1; 0: there is none. Of a page that was just taken it is unknown. */
uint16_t *hd_page_link(uint16_t number);

static inline uint16_t hd_page_next(uint32_t number)
{
    return *hd_page_link((uint16_t)number);
}

#endif
