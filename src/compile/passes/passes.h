/* The passes, one file each. They share nothing but the unit; where their order matters, it is stated here.
 * instrument.c calls them in order. */
#ifndef HD_COMPILE_PASSES_PASSES_H
#define HD_COMPILE_PASSES_PASSES_H

#include "compile/passes/unit.h"

#include <llvm-c/TargetMachine.h>

/* Removes promises of the source (pure, const, leaf, …) that no longer hold when a hook may switch threads; turns frame
 * pointers on everywhere; marks functions that return twice. */
void hd_cc_pass_attributes(hd_cc_unit *unit);

/* Makes the bodies of functions that are atomic by their name atomic blocks. Before inlining. */
void hd_cc_pass_atomic_functions(hd_cc_unit *unit);

/* Encloses the bodies of annotated functions in calls of the runtime, and tells it of annotated variables. `path` is a
 * file with annotations, or NULL. Before inlining. */
void hd_cc_pass_annotations(hd_cc_unit *unit, const char *path);

/* Replaces inline assembly by LLVM instructions where it is understood; warns of the rest if `warns`. Before all passes
 * that examine accesses and loops. */
void hd_cc_pass_assembly(hd_cc_unit *unit, bool warns);

/* Redirects reads of the thread pointer and of the processor's clock to the runtime. After hd_cc_pass_assembly. */
void hd_cc_pass_machine(hd_cc_unit *unit);

/* Notes the access paths of instructions, for their sites. Before inlining and promotion. */
void hd_cc_pass_paths(hd_cc_unit *unit);

/* Inserts hd_main_returns at the return statements of main, hd_main_returns_nothing where it has no result. Before its
 * result is promoted to a register. */
void hd_cc_pass_returns(hd_cc_unit *unit);

/* Inserts hd_loop into loops that may wait. The first pass that inserts hooks, because it judges the program's own
 * code. */
void hd_cc_pass_loops(hd_cc_unit *unit);

/* Inserts hooks for every access to memory that may be shared. */
void hd_cc_pass_accesses(hd_cc_unit *unit);

/* Gives errno an address per thread in files that use its address. */
void hd_cc_pass_errno(hd_cc_unit *unit);

/* Fills locks on the stack with a pattern. After hd_cc_pass_accesses, because that is no access of the program. */
void hd_cc_pass_fill(hd_cc_unit *unit);

/* Marks hooks whose access is known to be allowed. After hd_cc_pass_accesses, and before the code is optimised. */
void hd_cc_pass_again(hd_cc_unit *unit);

/* Inserts hd_clock_shown before reads of a clock that cannot matter. Before the clock functions are redirected. */
void hd_cc_pass_clocks(hd_cc_unit *unit);

/* Redirects modelled functions, announces unmodelled ones, and stores the sites of calls. */
void hd_cc_pass_calls(hd_cc_unit *unit);

/* Replaces thread-local variables by calls of the runtime, which has a copy per thread. */
void hd_cc_pass_tls(hd_cc_unit *unit);

/* Puts variables into sections that the runtime is told of at start-up, and renames the program's main. After the
 * passes that create sites: those contain names of functions. */
void hd_cc_pass_globals(hd_cc_unit *unit);

/* Inserts hooks that record which statements and branches a thread reaches. */
void hd_cc_pass_cover(hd_cc_unit *unit);

/* Replaces inline hooks by calls of functions: all of them where a function or the file has more, and elsewhere those
 * that are not executed often. Marks the functions of the first kind as large, and those of the second in which no hook
 * is executed often as cold, by attributes. After hd_cc_pass_again; for twins after hd_cc_pass_shadow. */
#define HD_LARGE "hd-large"
#define HD_COLD "hd-cold"
typedef struct hd_cc_inline_limits {
    size_t function, file;
} hd_cc_inline_limits;
void hd_cc_pass_outline(hd_cc_unit *unit, hd_cc_inline_limits most);

/* Adds versions of functions with inline hooks, with fewer of them, for a single thread. After all passes that insert
 * hooks. `twins`: the unit's functions are twins. */
void hd_cc_pass_versions(hd_cc_unit *unit, LLVMTargetMachineRef machine, bool twins);

/* Gives functions with the name of a modelled one their second name, and adds the note that heddle compiled the object.
 * After hd_cc_pass_calls and the twins. */
void hd_cc_pass_own(hd_cc_unit *unit);

/* Does the unit call functions that ask for inputs? Before hd_cc_pass_calls. */
bool hd_cc_asks_for_inputs(hd_cc_unit *unit);

/* For a unit without twins: keeps the bitcode in the file `bitcode` in the object, with the options (which end with
 * NULL) to make the object from it again, and adds the note that its functions have no twins. */
void hd_cc_pass_keep(hd_cc_unit *unit, const char *const *options, const char *bitcode);

/* Gives the functions of a unit without twins their second symbols (HD_PLAIN_SUFFIX), after it is optimised. */
void hd_cc_pass_name_plain(hd_cc_unit *unit);

/* Puts each function into its own section, for -ffunction-sections. After hd_cc_pass_globals. */
void hd_cc_pass_sections(hd_cc_unit *unit);

#endif
