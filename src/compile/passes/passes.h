/* The passes, in the order in which they run. Each is one file; they share
 * nothing but the unit, so the order matters only where it is said here. */
#ifndef HD_COMPILE_PASSES_PASSES_H
#define HD_COMPILE_PASSES_PASSES_H

#include "compile/passes/unit.h"

#include <llvm-c/TargetMachine.h>

/* Promises of the source (pure, const, leaf, …) that are no longer true when a
 * hook may switch threads; frame pointers everywhere. */
void hd_pass_attributes(hd_unit *unit);

/* The bodies of functions that are atomic by their name. Before anything is
 * inlined. */
void hd_pass_atomic_functions(hd_unit *unit);

/* Inline assembly in LLVM's own terms, where it is understood; the rest is named
 * if `warns`. Before all that look at accesses and loops. */
void hd_pass_assembly(hd_unit *unit, bool warns);

/* The thread pointer and the processor's clock, which the runtime knows. Behind
 * hd_pass_assembly. */
void hd_pass_machine(hd_unit *unit);

/* hd_main_returns at the return statements of main, hd_main_returns_nothing where
 * it has no result. Before its result is promoted to a register. */
void hd_pass_returns(hd_unit *unit);

/* hd_loop in loops that may wait. First of those that insert: it judges the
 * user's code, not ours. */
void hd_pass_loops(hd_unit *unit);

/* Hooks for every access to memory that may be shared. */
void hd_pass_accesses(hd_unit *unit);

/* errno where its address is used. */
void hd_pass_errno(hd_unit *unit);

/* Fills locks on the stack. Behind hd_pass_accesses: it is no access of the program's. */
void hd_pass_fill(hd_unit *unit);

/* Marks hooks whose access is known to be allowed. Behind hd_pass_accesses, while
 * the code is as it was written. */
void hd_pass_again(hd_unit *unit);

/* hd_clock_shown before reads of a clock that cannot matter. Before clock functions get
 * other names. */
void hd_pass_clocks(hd_unit *unit);

/* Redirected and unmodelled functions; the sites of calls. */
void hd_pass_calls(hd_unit *unit);

/* Thread-local variables become ordinary ones, found through the runtime. */
void hd_pass_tls(hd_unit *unit);

/* Variables in sections of their own, which the runtime learns of at start;
 * the user's main gets another name. Last: sites name functions. */
void hd_pass_globals(hd_unit *unit);

/* Hooks that say which statements and branches a thread comes to. */
void hd_pass_cover(hd_unit *unit);

/* Versions of every function for the time when the hooks of plain accesses are
 * not needed, or not all of what they do. Behind all that insert hooks. `twins`:
 * the unit's functions are twins, which have fewer. */
void hd_pass_versions(hd_unit *unit, LLVMTargetMachineRef machine, bool twins);

/* The second name of functions that have the name of a modelled one, and the note
 * of who compiled the object. Behind hd_pass_calls and the twins. */
void hd_pass_own(hd_unit *unit);

/* Each function in a section of its own, for -ffunction-sections: behind
 * hd_pass_globals. */
void hd_pass_sections(hd_unit *unit);

#endif
