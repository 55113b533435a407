#include "runtime/core/state.h"

hd_thread hd_threads[HD_MAX_THREADS];
hd_thread *hd_current;
hd_runtime hd_rt;
hd_engine *hd_the_engine;
const hd_site *hd_call_site;
int hd_before_main;
void (*hd_reset_more)(void);
const char *(*hd_explain_stuck_more)(void);
int (*hd_is_quiet)(void);

uint32_t hd_number_of_identity(uint32_t identity)
{
    return hd_exploring() ? hd_thread_number(hd_rt.log, *hd_rt.log_count, identity) : hd_identity_slot(identity);
}
