/* The passes, in the order in which they run. Each is one file; they share
 * nothing but the unit, so the order matters only where it is said here. */
#ifndef HD_COMPILE_PASSES_PASSES_H
#define HD_COMPILE_PASSES_PASSES_H

#include "compile/passes/unit.h"

#include <llvm-c/TargetMachine.h>

/* Promises of the source (pure, const, leaf, …) that are no longer true when a
 * hook may switch threads; frame pointers everywhere. */
void hd_cc_pass_attributes(hd_cc_unit *unit);

/* The bodies of functions that are atomic by their name. Before anything is
 * inlined. */
void hd_cc_pass_atomic_functions(hd_cc_unit *unit);

/* Inline assembly in LLVM's own terms, where it is understood; the rest is named
 * if `warns`. Before all that look at accesses and loops. */
void hd_cc_pass_assembly(hd_cc_unit *unit, bool warns);

/* The thread pointer and the processor's clock, which the runtime knows. Behind
 * hd_cc_pass_assembly. */
void hd_cc_pass_machine(hd_cc_unit *unit);

/* hd_main_returns at the return statements of main, hd_main_returns_nothing where
 * it has no result. Before its result is promoted to a register. */
void hd_cc_pass_returns(hd_cc_unit *unit);

/* hd_loop in loops that may wait. First of those that insert: it judges the
 * user's code, not ours. */
void hd_cc_pass_loops(hd_cc_unit *unit);

/* Hooks for every access to memory that may be shared. */
void hd_cc_pass_accesses(hd_cc_unit *unit);

/* errno where its address is used. */
void hd_cc_pass_errno(hd_cc_unit *unit);

/* Fills locks on the stack. Behind hd_cc_pass_accesses: it is no access of the program's. */
void hd_cc_pass_fill(hd_cc_unit *unit);

/* Marks hooks whose access is known to be allowed. Behind hd_cc_pass_accesses, while
 * the code is as it was written. */
void hd_cc_pass_again(hd_cc_unit *unit);

/* hd_clock_shown before reads of a clock that cannot matter. Before clock functions get
 * other names. */
void hd_cc_pass_clocks(hd_cc_unit *unit);

/* Redirected and unmodelled functions; the sites of calls. */
void hd_cc_pass_calls(hd_cc_unit *unit);

/* Thread-local variables become ordinary ones, found through the runtime. */
void hd_cc_pass_tls(hd_cc_unit *unit);

/* Variables in sections of their own, which the runtime learns of at start;
 * the user's main gets another name. Last: sites name functions. */
void hd_cc_pass_globals(hd_cc_unit *unit);

/* Hooks that say which statements and branches a thread comes to. */
void hd_cc_pass_cover(hd_cc_unit *unit);

/* Versions of every function for the time when the hooks of plain accesses are
 * not needed, or not all of what they do. Behind all that insert hooks. `twins`:
 * the unit's functions are twins, which have fewer. */
void hd_cc_pass_versions(hd_cc_unit *unit, LLVMTargetMachineRef machine, bool twins);

/* The second name of functions that have the name of a modelled one, and the note
 * of who compiled the object. Behind hd_cc_pass_calls and the twins. */
void hd_cc_pass_own(hd_cc_unit *unit);

/* Each function in a section of its own, for -ffunction-sections: behind
 * hd_cc_pass_globals. */
void hd_cc_pass_sections(hd_cc_unit *unit);

#endif
