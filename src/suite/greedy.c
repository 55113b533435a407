/* Packing without a solver. The goals of one thread exclude each other, so each needs its own test;
 * the goals of the next thread are assigned to existing tests by a maximum bipartite matching, and
 * so on, thread by thread. This is optimal for two threads. Goals with several events come last and
 * go where one of their events fits. */
#include "suite/bounds.h"
#include "suite/packing.h"

void hd_suite_cover_greedy(const hd_suite_problem *n, const hd_suite_cover_watch *watch, hd_suite_cover *out)
{
    hd_suite_packing p;
    hd_suite_clique clique = { 0 };
    hd_suite_packing_open(&p, n, watch, out);
    hd_suite_packing_threads(&p);
    hd_suite_packing_choices(&p);
    out->lower = hd_suite_bounds_lower(p.space, &p.goals, watch, &clique);
    hd_suite_packing_tell(&p);
    out->stopped = !hd_suite_packing_goes_on(&p);
    hd_vec_fini(&clique);
    hd_suite_packing_close(&p);
}
