/* What an inline assembly may do, judged by its text and operands. */
#ifndef HD_COMPILE_PASSES_ASSEMBLY_H
#define HD_COMPILE_PASSES_ASSEMBLY_H

#include <llvm-c/Core.h>

typedef enum hd_assembly {
    HD_ASSEMBLY_PAUSE, /* nothing: a compiler barrier, or the processor's pause */
    HD_ASSEMBLY_REGISTERS, /* computes on registers only */
    HD_ASSEMBLY_MEMORY
} hd_assembly;

hd_assembly hd_assembly_kind(LLVMValueRef call);

#endif
