/* Around the passes: reading and linking bitcode, LLVM's own pipelines, and the output. Every function ends the process
 * on failure: with status 1 for an error in the user's code (which clang's back end would report, too), with 70 for an
 * error in heddle. */
#ifndef HD_COMPILE_PASSES_BACKEND_H
#define HD_COMPILE_PASSES_BACKEND_H

#include "compile/passes/unit.h"

#include <llvm-c/TargetMachine.h>

typedef enum hd_cc_emit { HD_EMIT_OBJECT, HD_EMIT_ASSEMBLY, HD_EMIT_TEXT, HD_EMIT_BITCODE } hd_cc_emit;

LLVMModuleRef hd_cc_backend_read(LLVMContextRef context, const char *path);

/* The target machine of the module; `level` is the user's: '0' to '3', 's', 'z'. */
LLVMTargetMachineRef hd_cc_backend_machine(LLVMModuleRef module, char level, const char *file);

/* Optimisations that are allowed before hooks are inserted: they remove no access to memory that could be shared.
 * `level` is the user's. After hd_cc_pass_attributes. */
void hd_cc_backend_prepare(hd_cc_unit *unit, LLVMTargetMachineRef machine, char level);

/* reg2mem: every value that is used in another block than its own goes through a stack slot, and no phis remain. */
void hd_cc_backend_values_to_slots(hd_cc_unit *unit, LLVMTargetMachineRef machine);

void hd_cc_backend_verify(hd_cc_unit *unit);

/* Links the inline hooks, and optimises at the user's level. */
void hd_cc_backend_link_hooks(hd_cc_unit *unit, const char *inline_path);
void hd_cc_backend_optimise(hd_cc_unit *unit, LLVMTargetMachineRef machine, char level);

void hd_cc_backend_emit(hd_cc_unit *unit, LLVMTargetMachineRef machine, hd_cc_emit what, const char *path);

#endif
