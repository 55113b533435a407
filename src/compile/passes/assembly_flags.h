/* The processor's flags after an instruction, for setCC and flag outputs. They are computed only where they are used.
 */
#ifndef HD_COMPILE_PASSES_ASSEMBLY_FLAGS_H
#define HD_COMPILE_PASSES_ASSEMBLY_FLAGS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

typedef enum hd_cc_asm_flag_source {
    HD_FLAGS_UNKNOWN,
    HD_FLAGS_OF_SUM, /* result = left + right */
    HD_FLAGS_OF_DIFFERENCE, /* result = left - right */
    HD_FLAGS_OF_LOGIC, /* by the result alone: carry and overflow are 0 */
    HD_FLAGS_OF_BIT /* carry is `left`, a bit; the others are unknown */
} hd_cc_asm_flag_source;

typedef struct hd_cc_asm_flags {
    hd_cc_asm_flag_source source;
    bool keeps_carry; /* inc and dec do not change the carry */
    LLVMValueRef left, right, result;
} hd_cc_asm_flags;

/* The condition with this name (z, ne, c, …) as a bit; the name ends at the first character that is not a letter. NULL:
 * unknown. */
LLVMValueRef hd_cc_asm_condition(LLVMBuilderRef b, const hd_cc_asm_flags *flags, const char *name);

#endif
