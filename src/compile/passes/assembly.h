/* Inline assembly. In LLVM's intermediate representation it is a text with
 * placeholders, and a list of operands, each with a constraint that says where it
 * may be (a register, a constant, memory).
 *
 * Assembly that consists of instructions in assembly.def is *lifted*: it is
 * replaced by the same loads, stores, atomic updates and fences as LLVM
 * instructions, so that all later passes treat it like code written in C. Other
 * assembly stays; its memory operands are accesses. If it may access other memory,
 * or its operands in an unknown way, the runtime is told whenever it is executed
 * (hd_unseen), and the verdict says so.
 */
#ifndef HD_COMPILE_PASSES_ASSEMBLY_H
#define HD_COMPILE_PASSES_ASSEMBLY_H

#include "compile/passes/unit.h"

typedef enum hd_cc_assembly_kind {
    HD_ASSEMBLY_NOTHING, /* a compiler barrier, or a pause of the processor */
    HD_ASSEMBLY_REGISTERS, /* computes only on registers */
    HD_ASSEMBLY_OPERANDS, /* accesses only its memory operands */
    HD_ASSEMBLY_UNSEEN /* may access unknown memory */
} hd_cc_assembly_kind;

hd_cc_assembly_kind hd_cc_assembly_judge(LLVMValueRef call);

/* --- operands --------------------------------------------------------------- */

enum { HD_ASM_OPERANDS = 30, HD_ASM_NO_REGISTER = -1, HD_ASM_REGISTERS = 16 };

typedef struct hd_cc_asm_operand {
    bool is_output, is_memory; /* memory: `value` is its address */
    bool may_be_register; /* of a memory operand: the constraint also allows a register */
    int fixed; /* the register it must be in */
    int tied; /* the output whose register this input shares, or -1 */
    const char *flag; /* the condition that this output is set to, or NULL */
    LLVMValueRef value; /* of inputs and of memory operands */
    unsigned argument; /* the number of the call's argument that is `value` */
    LLVMTypeRef type;
    unsigned result; /* of an output in a register: which part of the call's result */
} hd_cc_asm_operand;

typedef struct hd_cc_asm_operands {
    hd_cc_asm_operand items[HD_ASM_OPERANDS];
    unsigned count, result_count;
    bool clobbers_memory;
    bool clobbers[HD_ASM_REGISTERS];
    bool is_understood; /* false: there are too many, or of an unknown kind */
} hd_cc_asm_operands;

typedef struct hd_cc_asm {
    char *printed; /* owns the text */
    char *text; /* with LLVM's placeholders ($0, ${1:w}, $$) */
    bool is_intel;
    hd_cc_asm_operands operands;
} hd_cc_asm;

void hd_cc_asm_open(hd_cc_asm *a, LLVMValueRef call);
void hd_cc_asm_close(hd_cc_asm *a);

bool hd_cc_is_assembly(LLVMValueRef instruction);

/* Is the argument a memory operand of assembly? Its address is not passed on then. */
bool hd_cc_asm_is_memory_operand(LLVMValueRef call, unsigned argument);

/* --- text ------------------------------------------------------------------- */

enum { HD_ASM_STATEMENTS = 24, HD_ASM_ARGUMENTS = 3 };

typedef enum hd_cc_asm_storage { HD_ASM_REGISTER, HD_ASM_CONSTANT, HD_ASM_MEMORY } hd_cc_asm_storage;

/* An argument of an instruction. A register is one of the machine's, or HD_ASM_REGISTERS + the number of an operand:
 * the register that the compiler would choose for that operand. */
typedef struct hd_cc_asm_argument {
    hd_cc_asm_storage storage;
    int reg;
    unsigned width; /* of a register, by its name; 0: not given */
    int operand; /* the memory operand that contains the address, or -1 */
    int base, index; /* registers of an address, or HD_ASM_NO_REGISTER */
    unsigned scale;
    int64_t constant; /* the constant, or the offset of an address */
    int constant_operand; /* an operand that is added to it, or -1 */
    bool is_stack; /* relative to the stack pointer */
    bool in_thread; /* relative to the thread pointer (%fs) */
} hd_cc_asm_argument;

typedef struct hd_cc_asm_statement {
    char mnemonic[16];
    bool is_locked, is_repeated;
    unsigned count;
    hd_cc_asm_argument arguments[HD_ASM_ARGUMENTS];
} hd_cc_asm_statement;

typedef struct hd_cc_asm_program {
    hd_cc_asm_statement items[HD_ASM_STATEMENTS];
    unsigned count;
} hd_cc_asm_program;

/* Parses the text; false: something in it is not understood. */
bool hd_cc_asm_parse(const hd_cc_asm *a, hd_cc_asm_program *program);

/* The register with this name; its width in bits. */
int hd_cc_asm_register(const char *name, size_t length, unsigned *width);

/* --- lifting ---------------------------------------------------------------- */

/* Replaces the call by LLVM instructions; false: it is left unchanged. */
bool hd_cc_asm_lift(hd_cc_unit *unit, LLVMValueRef call, const hd_cc_asm *a);

/* Does the instruction access memory only through its operands? */
bool hd_cc_asm_stays_in_operands(const hd_cc_asm_statement *statement);

#endif
