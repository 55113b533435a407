#include "runtime/symbolic/symbolic.h"

#include "abi/shadow.h"
#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/image/modules.h"
#include "runtime/symbolic/bounds.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/exprs.h"
#include "runtime/symbolic/lines.h"

#include <stdio.h>
#include <unistd.h>

/* Linked in together with the functions that ask for inputs, if the program calls any. */
extern const char hd_asks_for_inputs[] __attribute__((weak));

/* Code without twins would use expressions as plain numbers, and other values of inputs would not be explored. */
static void refuse_plain_code(void)
{
    size_t count;
    const hd_loaded_module *modules = hd_modules(&count);
    for (size_t i = 0; i < count; i++) {
        if (!modules[i].plain)
            continue;
        fprintf(stderr,
            "heddle: %s was compiled without code that follows inputs; link it again with "
            "'heddle cc -fheddle-inputs'\n",
            modules[i].plain);
        _exit(2);
    }
}

void hd_symbolic_init(int has_sources)
{
    hd_fast_state.symbolic = hd_asks_for_inputs || has_sources;
    if (!hd_fast_state.symbolic)
        return;
    refuse_plain_code();
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
