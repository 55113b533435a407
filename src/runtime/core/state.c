#include "runtime/core/state.h"

hd_thread hd_threads[HD_MAX_THREADS];
hd_thread *hd_current;
hd_runtime hd_rt;
hd_engine *hd_the_engine;
const hd_site *hd_call_site;
int hd_before_main;
