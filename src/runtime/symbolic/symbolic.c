#include "runtime/symbolic/symbolic.h"

#include "abi/shadow.h"
#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/symbolic/bounds.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/exprs.h"
#include "runtime/symbolic/lines.h"

/* Linked in together with the functions that ask for inputs, if the program calls any. */
extern const char hd_asks_for_inputs[] __attribute__((weak));

void hd_symbolic_init(int has_sources)
{
    hd_fast_state.symbolic = hd_asks_for_inputs || has_sources;
    if (!hd_fast_state.symbolic)
        return;
    hd_exprs_init();
    hd_branch_init();
    hd_lines_init();
    hd_bounds_init();
    hd_memory_init(hd_own_alloc(HD_EXPR_ROOM * sizeof(uint64_t)));
}

void hd_symbolic_new_run(void)
{
    hd_fast_state.expressions = 0;
    *hd_rt.input_count = 0;
    *hd_rt.expr_count = 1;
    if (!hd_fast_state.symbolic)
        return;
    hd_exprs_reset();
    hd_branch_reset();
    hd_lines_reset();
    hd_bounds_reset();
    hd_calls_reset();
}
